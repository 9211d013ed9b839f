package belfry

import (
	"context"
	"fmt"
	"io"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	belfryv1 "belfry.org/go/belfry/v1"
)

// A Device is what the person does at a screen.
type Device struct {
	id    string
	calls belfryv1.DeviceServiceClient
}

// Device is the person at a device; empty is the local one.
func (c *Client) Device(id string) *Device {
	return &Device{id, belfryv1.NewDeviceServiceClient(c.Conn)}
}

// Screen is what the person sees in the list, the newest group first.
func (d *Device) Screen(ctx context.Context, apps ...string) ([]*belfryv1.RenderedNotification, error) {
	var shown []*belfryv1.RenderedNotification
	request := &belfryv1.ListNotificationCenterRequest{DeviceId: d.id, AppIds: apps, PageSize: pageSize}
	for {
		page, err := d.calls.ListNotificationCenter(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, group := range page.Groups {
			shown = append(shown, group.Notifications...)
		}
		if request.PageToken = page.NextPageToken; request.PageToken == "" {
			return shown, nil
		}
	}
}

// Press presses a button of a note, by the note's name; DefaultAction opens the note.
func (d *Device) Press(ctx context.Context, id, action string) (belfryv1.RespondOutcome, error) {
	if action == DefaultAction {
		return d.respond(ctx, id, &belfryv1.RespondRequest{
			Act: &belfryv1.RespondRequest_DefaultAction{DefaultAction: &belfryv1.DefaultAction{}},
		})
	}
	return d.act(ctx, id, &belfryv1.CustomAction{ActionIdentifier: action})
}

// Reply presses a button of a note and types a text.
func (d *Device) Reply(ctx context.Context, id, action, text string) (belfryv1.RespondOutcome, error) {
	return d.act(ctx, id, &belfryv1.CustomAction{ActionIdentifier: action, UserText: proto.String(text)})
}

func (d *Device) act(
	ctx context.Context, id string, action *belfryv1.CustomAction,
) (belfryv1.RespondOutcome, error) {
	return d.respond(ctx, id, &belfryv1.RespondRequest{
		Act: &belfryv1.RespondRequest_Action{Action: action},
	})
}

func (d *Device) respond(
	ctx context.Context, id string, request *belfryv1.RespondRequest,
) (belfryv1.RespondOutcome, error) {
	note, err := d.shown(ctx, id)
	if err != nil {
		return 0, err
	}
	request.DeviceId = d.id
	request.Target = &belfryv1.RespondRequest_Notification{Notification: note}
	told, err := d.calls.Respond(ctx, request)
	return told.GetOutcome(), err
}

// Dismiss clears a note from the list.
func (d *Device) Dismiss(ctx context.Context, id string) error {
	note, err := d.shown(ctx, id)
	if err != nil {
		return err
	}
	_, err = d.calls.Dismiss(ctx, &belfryv1.DismissRequest{
		DeviceId: d.id,
		Target:   &belfryv1.DismissRequest_Notification{Notification: note},
		Kind:     belfryv1.DismissKind_DISMISS_KIND_CLEAR,
	})
	return err
}

// shown finds a note on the screen by its name.
func (d *Device) shown(ctx context.Context, id string) (*belfryv1.NotificationRef, error) {
	shown, err := d.Screen(ctx)
	if err != nil {
		return nil, err
	}
	var found *belfryv1.NotificationRef
	var others []string
	for _, each := range shown {
		note := each.Notification
		switch {
		case note.Identifier != id:
			others = append(others, note.Identifier)
		case found != nil:
			return nil, refused(codes.FailedPrecondition, fmt.Sprintf(
				"two apps show %q: %s and %s", id, found.Center.AppId, note.Center.AppId))
		default:
			found = note
		}
	}
	if found == nil {
		return nil, refused(codes.NotFound, fmt.Sprintf(
			"%q is not shown: what is shown is [%s]", id, strings.Join(others, ", ")))
	}
	return found, nil
}

func refused(code codes.Code, message string) error {
	return &Error{
		Code: code, Message: message, Reason: ReasonNotificationNotFound, Domain: "belfry",
		status: status.New(code, message),
	}
}

// Allow allows all that an app asks for, also where it asks later, for as long as the context lasts.
func (d *Device) Allow(ctx context.Context, app string) error {
	return d.answer(ctx, app, belfryv1.PromptAnswer_PROMPT_ANSWER_ALLOW)
}

// Deny denies what an app asks for, as Allow allows it.
func (d *Device) Deny(ctx context.Context, app string) error {
	return d.answer(ctx, app, belfryv1.PromptAnswer_PROMPT_ANSWER_DENY)
}

func (d *Device) answer(ctx context.Context, app string, answer belfryv1.PromptAnswer) error {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, err := d.calls.WatchDevice(
		watching, &belfryv1.WatchDeviceRequest{DeviceId: d.id, AppIds: []string{app}})
	if err != nil {
		return err
	}
	for {
		message, err := messages.Recv()
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		for _, frame := range message.Frames {
			prompts := frame.GetSnapshot().GetPrompts()
			if asked := frame.GetPrompt(); asked != nil {
				prompts = append(prompts, asked)
			}
			for _, prompt := range prompts {
				if prompt.Center.GetAppId() == app {
					return d.tell(ctx, prompt, answer)
				}
			}
		}
	}
}

func (d *Device) tell(
	ctx context.Context, prompt *belfryv1.AuthorizationPrompt, answer belfryv1.PromptAnswer,
) error {
	request := &belfryv1.AnswerAuthorizationPromptRequest{
		DeviceId: d.id, PromptId: prompt.PromptId, Answer: answer,
	}
	if answer == belfryv1.PromptAnswer_PROMPT_ANSWER_ALLOW {
		request.Options = prompt.Options
	}
	_, err := d.calls.AnswerAuthorizationPrompt(ctx, request)
	return err
}

// Lock locks the screen, and Unlock unlocks it.
func (d *Device) Lock(ctx context.Context) error { return d.lock(ctx, true) }

// Unlock unlocks the screen.
func (d *Device) Unlock(ctx context.Context) error { return d.lock(ctx, false) }

func (d *Device) lock(ctx context.Context, locked bool) error {
	_, err := d.calls.UpdateDeviceState(ctx, &belfryv1.UpdateDeviceStateRequest{
		DeviceId: d.id, State: &belfryv1.DeviceState{Locked: locked},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"locked"}},
	})
	return err
}
