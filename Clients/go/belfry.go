// Package belfry is a client of Belfry, a notification center that any program can call.
//
//	client, err := belfry.Dial()
//	app := client.App("org.example.todo")
//	app.Authorize(ctx, belfry.Alert, belfry.Sound)
//	app.Add(ctx, belfry.Note{Title: "Milk", At: time.Now().Add(time.Hour)})
//
// Calls that change something have an idempotency key, and are retried with it until the deadline of
// their context, or for 30 seconds. Errors are of type *Error. The generated stubs of package
// belfryv1 make every rpc over Client.Conn, in the same way.
package belfry

import (
	"context"
	"crypto/tls"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
)

// mostBytes is the largest message that is taken.
const mostBytes = 64 << 20

// An Option changes how Dial connects.
type Option func(*options)

type options struct {
	server, token string
	tls           *tls.Config
}

// WithServer names the server: "unix:/path/to.sock", "tcp:host:port", "tls:host:port" or
// "host:port". Without it, $BELFRY_SERVER names it, else it is your own server at its socket.
func WithServer(server string) Option {
	return func(all *options) { all.server = server }
}

// WithToken gives the token that 'belfry token create' printed. Without it, $BELFRY_TOKEN has it,
// and else a server on a port of this machine gets your own token.
func WithToken(token string) Option {
	return func(all *options) { all.token = token }
}

// WithTLS says whom to trust and what to show to a server at "tls:host:port". Without it, the files
// of $BELFRY_TLS_CA, $BELFRY_TLS_CERTIFICATE and $BELFRY_TLS_KEY do.
func WithTLS(config *tls.Config) Option {
	return func(all *options) { all.tls = config }
}

// A Client calls one server. It may be used by many goroutines.
type Client struct {
	// Conn is the connection. The generated stubs make every rpc over it, with the token, the keys,
	// the retries and the errors of this client:
	//
	//	belfryv1.NewAdminServiceClient(client.Conn).GetClock(ctx, &belfryv1.GetClockRequest{})
	Conn *grpc.ClientConn

	token string
	// Whether anything has ever answered: 1 where it has.
	answered int32
}

// Dial makes a client, which finds the server and the token as the command belfry does. No call is
// made yet. It fails where another user may be behind the socket or the file of your own token, and
// where a file of TLS cannot be used.
func Dial(given ...Option) (*Client, error) {
	var all options
	for _, option := range given {
		option(&all)
	}
	found, err := locate(all)
	if err != nil {
		return nil, err
	}
	client := &Client{token: found.token}
	security := grpc.WithInsecure()
	if found.tls != nil {
		security = grpc.WithTransportCredentials(credentials.NewTLS(found.tls))
	}
	pause := backoff.Config{BaseDelay: firstPause, Multiplier: 2, Jitter: 0.25, MaxDelay: longestPause}
	client.Conn, err = grpc.Dial(
		found.target,
		security,
		// A token is for the server alone, not for a proxy on the way.
		grpc.WithNoProxy(),
		grpc.WithContextDialer(found.dial),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: pause, MinConnectTimeout: 5 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(mostBytes)),
		grpc.WithUnaryInterceptor(client.unary),
		grpc.WithStreamInterceptor(client.stream),
	)
	if err != nil {
		return nil, err
	}
	return client, nil
}

// Close ends the connection and all calls.
func (c *Client) Close() error { return c.Conn.Close() }

func (c *Client) hasAnswered() bool { return atomic.LoadInt32(&c.answered) == 1 }

// sleep waits, and says whether the time passed before the context ended.
func sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
