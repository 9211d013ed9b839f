package belfry

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	belfryv1 "belfry.org/go/belfry/v1"
)

// stopping cancels the first call of each rpc, as a server that stops may.
type stopping struct {
	belfryv1.UnimplementedNotificationCenterServiceServer
	belfryv1.UnimplementedDelegateServiceServer
	lists, subscriptions int
}

var errStopped = status.Error(codes.Canceled, "CANCELLED")

func (s *stopping) ListPending(
	context.Context, *belfryv1.ListPendingRequest,
) (*belfryv1.ListPendingResponse, error) {
	if s.lists++; s.lists == 1 {
		return nil, errStopped
	}
	return &belfryv1.ListPendingResponse{}, nil
}

func (s *stopping) Subscribe(
	request *belfryv1.SubscribeRequest, messages belfryv1.DelegateService_SubscribeServer,
) error {
	s.subscriptions++
	event := &belfryv1.Event{Number: request.GetAfter() + 1}
	frame := &belfryv1.SubscriptionFrame{Kind: &belfryv1.SubscriptionFrame_Event{Event: event}}
	if err := messages.Send(&belfryv1.SubscribeResponse{Frames: []*belfryv1.SubscriptionFrame{frame}}); err != nil {
		return err
	}
	return errStopped
}

func TestACallThatAStopCancelsIsMadeAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	server, served := grpc.NewServer(), &stopping{}
	belfryv1.RegisterNotificationCenterServiceServer(server, served)
	belfryv1.RegisterDelegateServiceServer(server, served)
	go server.Serve(listener)
	defer server.Stop()
	client, err := Dial(WithServer(path))
	if err != nil {
		t.Fatal(err)
	}
	app := client.App("org.example.stop")
	if _, err := app.Pending(context.Background()); err != nil || served.lists != 2 {
		t.Error(err, served.lists)
	}
	enough := errors.New("enough")
	var numbers []uint64
	err = app.Events(context.Background(), 0, func(event *belfryv1.Event) error {
		if numbers = append(numbers, event.Number); len(numbers) == 3 {
			return enough
		}
		return nil
	})
	if err != enough || served.subscriptions != 3 || numbers[2] != 3 {
		t.Error(err, served.subscriptions, numbers)
	}
	// What its own caller cancels is not made again, nor what a closed client calls.
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := app.Pending(ended); !errors.As(err, new(*Error)) || served.lists != 2 {
		t.Error(err, served.lists)
	}
	client.Close()
	if _, err := app.Pending(context.Background()); err == nil {
		t.Error("a closed client calls")
	}
}
