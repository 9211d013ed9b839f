package belfry

import (
	"errors"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"
)

// What an error is, to ask with errors.Is.
var (
	// ErrInvalidRequest is a request that is wrong: Error.Fields says where.
	ErrInvalidRequest = errors.New("the request is wrong")
	// ErrNotAllowed is what the person, or the server's owner, does not allow.
	ErrNotAllowed = errors.New("not allowed")
	// ErrNotFound is an app, a notification or another thing that is not there.
	ErrNotFound = errors.New("not found")
	// ErrConflict is a call that does not fit the state of things.
	ErrConflict = errors.New("the state does not fit")
	// ErrEventsTrimmed is a position in the events that is not kept any more.
	ErrEventsTrimmed = errors.New("the events are not kept any more")
	// ErrLimitReached is a limit that a retry does not help with, a full store too.
	ErrLimitReached = errors.New("a limit is reached")
	// ErrStoreFull is a full store.
	ErrStoreFull = errors.New("the store is full")
	// ErrNotAnswered is a note that is gone without an answer: Reason says how, as "REMOVED".
	ErrNotAnswered = errors.New("nobody has answered")
	// ErrUnavailable is a server that does not answer, or does not serve now.
	ErrUnavailable = errors.New("the server is not available")
	// ErrDeadlineExceeded is a time that was too short: whether a change was made is unknown.
	ErrDeadlineExceeded = errors.New("the deadline has passed")
)

var kinds = map[codes.Code]error{
	codes.InvalidArgument:    ErrInvalidRequest,
	codes.OutOfRange:         ErrInvalidRequest,
	codes.PermissionDenied:   ErrNotAllowed,
	codes.Unauthenticated:    ErrNotAllowed,
	codes.NotFound:           ErrNotFound,
	codes.AlreadyExists:      ErrConflict,
	codes.FailedPrecondition: ErrConflict,
	codes.Aborted:            ErrConflict,
	codes.ResourceExhausted:  ErrLimitReached,
	codes.Unavailable:        ErrUnavailable,
	codes.DeadlineExceeded:   ErrDeadlineExceeded,
}

// An Error is why a call was refused or failed. Its text never holds a notification's content.
type Error struct {
	// Code is gRPC's.
	Code codes.Code
	// Message is a sentence that a person can act on.
	Message string
	// Reason is one of the constants of this package, such as ReasonPendingLimit; empty where no
	// server answered.
	Reason string
	// Domain is who defines the reason: "belfry" or "UNErrorDomain".
	Domain string
	// Metadata is more about the reason.
	Metadata map[string]string
	// Fields are the fields that are wrong.
	Fields []Field
	// RetryAfter is how long to wait before a retry; 0 where the server does not say that one helps.
	RetryAfter time.Duration

	status *status.Status
}

// A Field is one that is wrong.
type Field struct {
	// Path is from the request, as "request.trigger.time_interval.interval".
	Path string
	// Description is what is wrong with it.
	Description string
}

func (e *Error) Error() string {
	name := e.Reason
	if name == "" {
		name = e.Code.String()
	}
	return e.Message + " (" + name + ")"
}

// GRPCStatus is the status as it came.
func (e *Error) GRPCStatus() *status.Status { return e.status }

// Is says whether the error is of a kind, such as ErrNotFound.
func (e *Error) Is(kind error) bool {
	switch e.Reason {
	case ReasonEventsTrimmed:
		return kind == ErrEventsTrimmed
	case ReasonStoreFull:
		return kind == ErrStoreFull || kind == ErrLimitReached
	}
	return kinds[e.Code] == kind || kind == ErrNotAnswered && e.Domain == notAnswered
}

// The domain of the reasons why no answer will come, which no server sends.
const notAnswered = "belfry.NoAnswerReason"

// Reason is the reason of an error of this package, and else empty.
func Reason(err error) string {
	var found *Error
	if errors.As(err, &found) {
		return found.Reason
	}
	return ""
}

// failure is an error as one of this package; nil for none.
func failure(err error) error {
	var found *Error
	if err == nil || errors.As(err, &found) {
		return err
	}
	told, isStatus := status.FromError(err)
	if !isStatus {
		return err
	}
	found = &Error{Code: told.Code(), Message: told.Message(), status: told}
	for _, detail := range told.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			found.Reason, found.Domain, found.Metadata = detail.Reason, detail.Domain, detail.Metadata
		case *errdetails.BadRequest:
			for _, each := range detail.FieldViolations {
				found.Fields = append(found.Fields, Field{each.Field, each.Description})
			}
		case *errdetails.RetryInfo:
			if delay := detail.RetryDelay; delay != nil {
				found.RetryAfter = time.Duration(delay.Seconds)*time.Second + time.Duration(delay.Nanos)
			}
		}
	}
	return found
}

// helpsToRetry says whether a retry of a call that failed so can succeed.
//
// A call that its caller did not cancel was cancelled by a server that stopped.
func (c *Client) helpsToRetry(err error) bool {
	var found *Error
	return errors.As(err, &found) && c.Conn.GetState() != connectivity.Shutdown &&
		(found.Code == codes.Unavailable || found.Code == codes.Canceled || found.RetryAfter > 0 ||
			strings.HasPrefix(found.Message, "SUBSCRIBER_STALLED"))
}
