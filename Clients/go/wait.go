package belfry

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	belfryv1 "belfry.org/go/belfry/v1"
)

// Wait waits for the answer to a note that was added, which is complete then. Any number may wait at
// once, beside those who use Answers. Cuts and restarts of the server are passed over, and a later
// run of a program that kept what Add gave goes on waiting with it. It ends when the context does,
// or with ErrNotAnswered where the note is gone without an answer.
func (a *App) Wait(ctx context.Context, added Added) (Answer, error) {
	request := &belfryv1.AwaitAnswerRequest{
		Center: a.name, Identifier: added.ID, RequestNumber: added.Request, After: added.AsOf,
	}
	var pause pause
	for {
		told, err := a.outcome(ctx, request)
		if err == nil {
			return a.answered(ctx, added.ID, told)
		}
		// The server knows the deadline, too, and may tell it a moment earlier.
		if _, hasDeadline := ctx.Deadline(); hasDeadline && errors.Is(err, ErrDeadlineExceeded) {
			<-ctx.Done()
		}
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		if !a.client.helpsToRetry(err) {
			return Answer{}, err
		}
		if !sleep(ctx, pause.next(err)) {
			return Answer{}, ctx.Err()
		}
	}
}

// outcome waits on one connection.
func (a *App) outcome(
	ctx context.Context, request *belfryv1.AwaitAnswerRequest,
) (*belfryv1.AwaitAnswerResponse, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, err := a.delegate.AwaitAnswer(ctx, request)
	if err != nil {
		return nil, err
	}
	for {
		isSilent := time.AfterFunc(silence, cancel)
		told, err := messages.Recv()
		if !isSilent.Stop() && err != nil || err == io.EOF {
			return nil, &Error{
				Code: codes.Unavailable, Message: "the connection was cut",
				status: status.New(codes.Unavailable, "cut"),
			}
		}
		if err != nil {
			return nil, err
		}
		if told.Outcome != nil {
			return told, nil
		}
	}
}

func (a *App) answered(
	ctx context.Context, id string, told *belfryv1.AwaitAnswerResponse,
) (Answer, error) {
	answer := told.GetAnswer()
	if answer == nil {
		reason := told.GetNoAnswer().GetReason()
		if reason == belfryv1.NoAnswerReason_NO_ANSWER_REASON_DISMISSED {
			return Answer{ID: id, Action: DismissAction}, nil
		}
		word := strings.TrimPrefix(reason.String(), "NO_ANSWER_REASON_")
		said := id + " is gone without an answer"
		return Answer{}, &Error{
			Code: codes.NotFound, Message: said, Reason: word, Domain: notAnswered,
			status: status.New(codes.NotFound, said),
		}
	}
	if answer.CallbackId != "" {
		_, err := a.delegate.CompleteResponse(ctx, &belfryv1.CompleteResponseRequest{
			Center:  a.name,
			Answers: []*belfryv1.ResponseAnswer{{CallbackId: answer.CallbackId}},
		})
		// Without a server the answer is there; the next who speaks for the app is told it again.
		isAway := a.client.helpsToRetry(err) || errors.Is(err, ErrDeadlineExceeded)
		if err != nil && !isAway && ctx.Err() == nil {
			return Answer{}, err
		}
	}
	return Answer{
		ID: id, Action: answer.ActionIdentifier, Text: answer.GetUserText(),
		CallbackID: answer.CallbackId,
	}, nil
}
