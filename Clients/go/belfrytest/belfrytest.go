// Package belfrytest runs a server of its own for a test, whose clock moves by calls alone.
//
//	func TestReminder(t *testing.T) {
//		server := belfrytest.Start(t)
//		app := server.Client.App("org.example.todo")
//		app.Authorize(ctx, belfry.Alert)
//		app.Add(ctx, belfry.Note{ID: "milk", Title: "Milk", In: time.Hour})
//		server.Advance(time.Hour)
//		server.Person().Press(ctx, "milk", belfry.DefaultAction)
//	}
package belfrytest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"belfry.org/go/belfry"
	belfryv1 "belfry.org/go/belfry/v1"
)

// How long a start, a stop or a call may take before something is wrong.
const patience = time.Minute

// Options change how Start starts a server.
type Options struct {
	// Program is the command belfry: else $BELFRY_PROGRAM has it, and else it is in $PATH.
	Program string
	// Now is what the clock says at first: else 2026-01-01, 00:00 UTC.
	Now time.Time
	// Prompts is who answers when an app asks for permission: "grant", which is the usual, "deny" or
	// "ask".
	Prompts string
	// Arguments are more of 'belfry serve'.
	Arguments []string
}

// A Server runs until its test ends.
type Server struct {
	// Client calls it as its own user, who may make every call.
	Client *belfry.Client
	// Address is what belfry.WithServer takes, and $BELFRY_SERVER.
	Address string

	test    testing.TB
	home    string
	command []string
	process *exec.Cmd
	ended   chan struct{}
	log     log
}

// Start starts a server, and ends it with the test. A test that fails shows the server's log.
func Start(test testing.TB, given ...Options) *Server {
	test.Helper()
	var options Options
	if len(given) > 0 {
		options = given[0]
	}
	program := options.Program
	if program == "" {
		program = os.Getenv("BELFRY_PROGRAM")
	}
	if program == "" {
		program = "belfry"
	}
	found, err := exec.LookPath(program)
	if err != nil {
		test.Fatalf("belfrytest: there is no server: put belfry into $PATH, or name it in $BELFRY_PROGRAM: %v", err)
	}
	if options.Now.IsZero() {
		options.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if options.Prompts == "" {
		options.Prompts = "grant"
	}
	// The path of a socket has to be short, which that of test.TempDir is not.
	home, err := os.MkdirTemp("", "belfry")
	if err != nil {
		test.Fatalf("belfrytest: %v", err)
	}
	server := &Server{test: test, home: home, Address: "unix:" + filepath.Join(home, "s")}
	server.command = append([]string{
		found, "serve", "--data", filepath.Join(home, "data"), "--listen", server.Address,
		"--ready-file", filepath.Join(home, "ready"), "--exit-with-parent",
		"--prompts", options.Prompts, "--clock", "manual=" + options.Now.UTC().Format(time.RFC3339),
	}, options.Arguments...)
	test.Cleanup(server.end)
	server.run()
	server.Client, err = belfry.Dial(belfry.WithServer(server.Address))
	if err != nil {
		test.Fatalf("belfrytest: %v", err)
	}
	return server
}

// run starts the process, and waits until it serves.
func (s *Server) run() {
	s.test.Helper()
	process := exec.Command(s.command[0], s.command[1:]...)
	process.Stderr = &s.log
	// Nothing of who tests: neither options of another server nor its directories.
	process.Env = []string{"HOME=" + s.home, "XDG_RUNTIME_DIR=" + s.home, "PATH=" + os.Getenv("PATH")}
	ready := filepath.Join(s.home, "ready")
	os.Remove(ready)
	if err := process.Start(); err != nil {
		s.test.Fatalf("belfrytest: %v", err)
	}
	ended := make(chan struct{})
	go func() {
		process.Wait()
		close(ended)
	}()
	s.process, s.ended = process, ended
	for deadline := time.Now().Add(patience); ; {
		if text, err := os.ReadFile(ready); err == nil && json.Valid(text) {
			return
		}
		select {
		case <-ended:
			s.test.Fatalf("belfrytest: the server has ended:\n%s", s.log.text())
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			s.test.Fatalf("belfrytest: the server does not serve:\n%s", s.log.text())
		}
	}
}

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() {
	s.process.Process.Kill()
	<-s.ended
}

// Restart stops the server in order, where it still runs, and starts it again with what it has
// stored and where its clock was.
func (s *Server) Restart() {
	s.test.Helper()
	s.stop()
	s.run()
}

func (s *Server) stop() {
	s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.Kill()
	}
}

func (s *Server) end() {
	if s.Client != nil {
		s.Client.Close()
	}
	if s.process != nil {
		s.stop()
	}
	if s.test.Failed() {
		s.test.Logf("the log of the server:\n%s", s.log.text())
	}
	os.RemoveAll(s.home)
}

// Person is the person at the local device.
func (s *Server) Person() *belfry.Device { return s.Client.Device("") }

// Advance moves the clock, and returns when all that became due is recorded.
func (s *Server) Advance(by time.Duration) {
	s.test.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := belfryv1.NewAdminServiceClient(s.Client.Conn).AdvanceClock(ctx, &belfryv1.AdvanceClockRequest{
		Target:          &belfryv1.AdvanceClockRequest_By{By: durationpb.New(by)},
		ExpireCallbacks: true,
	})
	if err != nil {
		s.test.Fatalf("belfrytest: the clock does not move: %v", err)
	}
}

// Now is what the clock says.
func (s *Server) Now() time.Time {
	s.test.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	told, err := belfryv1.NewAdminServiceClient(s.Client.Conn).GetClock(ctx, &belfryv1.GetClockRequest{})
	if err != nil {
		s.test.Fatalf("belfrytest: the clock cannot be read: %v", err)
	}
	return told.Clock.Now.AsTime()
}

// A log keeps what a server says, while others read it.
type log struct {
	lock sync.Mutex
	said bytes.Buffer
}

func (l *log) Write(text []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.said.Write(text)
}

func (l *log) text() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.said.String()
}
