package belfry

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	belfryv1 "belfry.org/go/belfry/v1"
)

// FromNow is the place of the events that are still to come.
const FromNow = ^uint64(0)

// The server says at least each 15 seconds that it is there.
const silence = 45 * time.Second

// What the person did, where it is no button of the app's.
const (
	DefaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
	DismissAction = "com.apple.UNNotificationDismissActionIdentifier"
)

// Events calls handle for each event after a number, 0 for all that are kept, or for those to come,
// FromNow: each once and in order, across cuts and restarts of the server. It ends when the context
// does, with what handle returns, or with the server's refusal. A program that keeps the number of
// the last event it handled goes on there when it runs again.
func (a *App) Events(ctx context.Context, after uint64, handle func(*belfryv1.Event) error) error {
	request := func() *belfryv1.SubscribeRequest {
		asked := &belfryv1.SubscribeRequest{Center: a.name}
		if after != FromNow {
			asked.After = &after
		}
		return asked
	}
	return a.follow(ctx, request, func(frame *belfryv1.SubscriptionFrame) error {
		if started := frame.GetStarted(); started != nil && after == FromNow {
			after = started.LastEventNumber
		}
		event := frame.GetEvent()
		if event == nil || event.Number <= after {
			return nil
		}
		after = event.Number
		return handle(event)
	})
}

// An Answer is what the person did with a note.
type Answer struct {
	// ID is the note's name.
	ID string
	// Action is the button's, DefaultAction where the person opened the note, or DismissAction.
	Action string
	// Text is what the person typed.
	Text string
	// Notification is the note as it was shown.
	Notification *belfryv1.Notification
	// CallbackID names the answer, and is the same each time that it is told.
	CallbackID string
}

// Info reads the data that the note was added with.
func (a *Answer) Info(into interface{}) error {
	text := a.Notification.GetRequest().GetContent().GetUserInfoJson()
	if text == "" {
		text = "{}"
	}
	return json.Unmarshal([]byte(text), into)
}

// Answers calls handle for each thing that the person does, once, and says to the server that it is
// handled where handle returns nil. Otherwise Answers ends with what handle returns, and the answer
// is told again to the next who asks, as after a crash. Cuts and restarts of the server are passed
// over. Of an app one program at a time is told: where another asks, this one ends with
// ReasonNotPrimary.
func (a *App) Answers(ctx context.Context, handle func(*Answer) error) error {
	// The answers whose completion the server has not acknowledged: a new connection is asked again.
	handled := map[string]bool{}
	kept := ""
	request := func() *belfryv1.SubscribeRequest {
		if kept != "" {
			return &belfryv1.SubscribeRequest{Center: a.name, ResumeSubscriptionId: kept}
		}
		return &belfryv1.SubscribeRequest{
			Center: a.name,
			Role:   belfryv1.SubscriberRole_SUBSCRIBER_ROLE_PRIMARY,
			Capabilities: []belfryv1.DelegateCapability{
				belfryv1.DelegateCapability_DELEGATE_CAPABILITY_DID_RECEIVE,
			},
		}
	}
	take := func(frame *belfryv1.SubscriptionFrame) error {
		if started := frame.GetStarted(); started != nil {
			kept = started.SubscriptionId
			if started.Role != belfryv1.SubscriberRole_SUBSCRIBER_ROLE_PRIMARY {
				return a.demoted()
			}
		}
		if frame.GetDemoted() != nil {
			return a.demoted()
		}
		callback := frame.GetCallback()
		response := callback.GetDidReceive()
		if response == nil {
			return nil
		}
		if id := callback.CallbackId; !handled[id] {
			answer := &Answer{
				ID:           response.Notification.GetRequest().GetIdentifier(),
				Action:       response.ActionIdentifier,
				Text:         response.GetUserText(),
				Notification: response.Notification,
				CallbackID:   id,
			}
			if err := handle(answer); err != nil {
				return err
			}
			handled[id] = true
		}
		isDone, err := a.complete(ctx, kept, callback.CallbackId)
		if isDone {
			delete(handled, callback.CallbackId)
		}
		return err
	}
	for {
		err := a.follow(ctx, request, take)
		// The server keeps a subscription for five seconds, and not over a restart.
		if kept == "" || Reason(err) != ReasonSubscriptionUnknown {
			return err
		}
		kept = ""
	}
}

func (a *App) demoted() error {
	said := "another subscriber takes the answers of " + a.ID() + " now"
	return &Error{
		Code: codes.FailedPrecondition, Message: said, Reason: ReasonNotPrimary, Domain: "belfry",
		status: status.New(codes.FailedPrecondition, said),
	}
}

// complete says that an answer is handled, however long the server is away; false where only the
// next connection can.
func (a *App) complete(ctx context.Context, subscription, callback string) (bool, error) {
	request := &belfryv1.CompleteResponseRequest{
		Center: a.name, SubscriptionId: subscription, IdempotencyKey: NewKey(),
		Answers: []*belfryv1.ResponseAnswer{{CallbackId: callback}},
	}
	for {
		_, err := a.delegate.CompleteResponse(ctx, request)
		switch {
		case err == nil:
			return true, nil
		case ctx.Err() != nil:
			return false, ctx.Err()
		case a.client.helpsToRetry(err) || errors.Is(err, ErrDeadlineExceeded):
			continue
		}
		switch Reason(err) {
		case ReasonNotPrimary:
			return false, nil
		case ReasonCallbackEnded, ReasonCallbackUnknown:
			// It has ended, and needs no answer any more.
			return true, nil
		}
		return false, err
	}
}

// errHandled marks what a handler returned, which no retry helps with.
type errHandled struct{ error }

// follow gives the frames of a subscription, which is opened again after each cut.
func (a *App) follow(
	ctx context.Context, request func() *belfryv1.SubscribeRequest,
	handle func(*belfryv1.SubscriptionFrame) error,
) error {
	var wait pause
	for {
		err := a.once(ctx, request(), func(frame *belfryv1.SubscriptionFrame) error {
			wait = 0
			if err := handle(frame); err != nil {
				return errHandled{err}
			}
			return nil
		})
		if handled, isHandled := err.(errHandled); isHandled {
			return handled.error
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !a.client.helpsToRetry(err) {
			return err
		}
		if !sleep(ctx, wait.next(err)) {
			return ctx.Err()
		}
	}
}

// once gives the frames of one connection.
func (a *App) once(
	ctx context.Context, request *belfryv1.SubscribeRequest,
	handle func(*belfryv1.SubscriptionFrame) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, err := a.delegate.Subscribe(ctx, request)
	if err != nil {
		return err
	}
	for {
		// It only counts while a message is waited for, not while one is handled.
		isSilent := time.AfterFunc(silence, cancel)
		message, err := messages.Recv()
		if !isSilent.Stop() && err != nil {
			return &Error{
				Code: codes.Unavailable, Message: "nothing came for " + silence.String(),
				status: status.New(codes.Unavailable, "silence"),
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, frame := range message.Frames {
			if err := handle(frame); err != nil {
				return err
			}
		}
	}
}
