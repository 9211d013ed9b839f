package belfry

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	mathrand "math/rand"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
	// How long a call without a deadline may take.
	usualTimeout = 30 * time.Second
)

// A pause is the time between two tries: 100 ms, twice as long each time, at most 5 s.
type pause time.Duration

func (p *pause) next(err error) time.Duration {
	if *p == 0 {
		*p = pause(firstPause)
	}
	// A part of it is by chance, so that clients do not come back all at once.
	next := time.Duration(float64(*p) * (0.75 + mathrand.Float64()/2))
	if *p *= 2; *p > pause(longestPause) {
		*p = pause(longestPause)
	}
	if found, isOurs := err.(*Error); isOurs && found.RetryAfter > next {
		next = found.RetryAfter
	}
	return next
}

// NewKey is a version 7 UUID, as idempotency keys are.
func NewKey() string {
	var octets [16]byte
	if _, err := rand.Read(octets[:]); err != nil {
		panic("belfry: the system gives no random bytes: " + err.Error())
	}
	for now, index := uint64(time.Now().UnixMilli()), 5; index >= 0; index-- {
		octets[index] = byte(now)
		now >>= 8
	}
	octets[6] = octets[6]&0x0f | 0x70
	octets[8] = octets[8]&0x3f | 0x80
	text := hex.EncodeToString(octets[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// keyed is a request with an idempotency key, where it takes one and has none.
func keyed(request interface{}) interface{} {
	message, isMessage := request.(proto.Message)
	if !isMessage {
		return request
	}
	reflected := message.ProtoReflect()
	field := reflected.Descriptor().Fields().ByName("idempotency_key")
	if field == nil || reflected.Get(field).String() != "" {
		return request
	}
	copied := proto.Clone(message)
	copied.ProtoReflect().Set(field, protoreflect.ValueOfString(NewKey()))
	return copied
}

func (c *Client) authorized(ctx context.Context) context.Context {
	if c.token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+c.token)
}

// unary makes a call of one answer until it succeeds, or a retry does not help.
func (c *Client) unary(
	ctx context.Context, method string, request, reply interface{}, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	if _, hasDeadline := ctx.Deadline(); !hasDeadline {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, usualTimeout)
		defer cancel()
	}
	ctx, request = c.authorized(ctx), keyed(request)
	began := time.Now()
	for pause := pause(0); ; {
		err := failure(invoke(ctx, method, request, reply, connection, options...))
		c.notice(err)
		if ctx.Err() != nil || !c.helpsToRetry(err) {
			return err
		}
		wait := pause.next(err)
		if deadline, _ := ctx.Deadline(); time.Until(deadline) <= wait {
			return err
		}
		// Where nothing has ever answered, the address is more likely wrong than the server away.
		if !c.hasAnswered() && time.Since(began)+wait >= longestPause {
			return err
		}
		if !sleep(ctx, wait) {
			return err
		}
	}
}

// notice remembers that a server is there, or was.
func (c *Client) notice(err error) {
	if found, isOurs := err.(*Error); err == nil || isOurs && found.Code != codes.Unavailable {
		atomic.StoreInt32(&c.answered, 1)
	}
}

// stream opens a call of many messages, whose errors are those of this package.
func (c *Client) stream(
	ctx context.Context, description *grpc.StreamDesc, connection *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(c.authorized(ctx), description, connection, method, options...)
	if err != nil {
		return nil, failure(err)
	}
	return told{stream}, nil
}

// A told stream tells its errors as those of this package.
type told struct{ grpc.ClientStream }

func (t told) RecvMsg(message interface{}) error { return failure(t.ClientStream.RecvMsg(message)) }
func (t told) SendMsg(message interface{}) error { return failure(t.ClientStream.SendMsg(message)) }
