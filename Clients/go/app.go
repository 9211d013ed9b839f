package belfry

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	belfryv1 "belfry.org/go/belfry/v1"
)

// What an app asks the person to allow.
const (
	Alert         = belfryv1.AuthorizationOption_AUTHORIZATION_OPTION_ALERT
	Sound         = belfryv1.AuthorizationOption_AUTHORIZATION_OPTION_SOUND
	Badge         = belfryv1.AuthorizationOption_AUTHORIZATION_OPTION_BADGE
	Provisional   = belfryv1.AuthorizationOption_AUTHORIZATION_OPTION_PROVISIONAL
	CriticalAlert = belfryv1.AuthorizationOption_AUTHORIZATION_OPTION_CRITICAL_ALERT
	TimeSensitive = belfryv1.AuthorizationOption_AUTHORIZATION_OPTION_TIME_SENSITIVE
)

// How long the person may take to answer a prompt.
const promptTime = time.Minute

// An App is the notification center of an app on a device.
type App struct {
	client   *Client
	name     *belfryv1.Center
	center   belfryv1.NotificationCenterServiceClient
	delegate belfryv1.DelegateServiceClient
}

// App is the notification center of an app on the local device.
func (c *Client) App(id string) *App { return c.AppOn("", id) }

// AppOn is the notification center of an app on a device.
func (c *Client) AppOn(device, id string) *App {
	return &App{
		client:   c,
		name:     &belfryv1.Center{AppId: id, DeviceId: device},
		center:   belfryv1.NewNotificationCenterServiceClient(c.Conn),
		delegate: belfryv1.NewDelegateServiceClient(c.Conn),
	}
}

// ID is the app's identifier.
func (a *App) ID() string { return a.name.AppId }

// Authorize asks the person for permission, and waits a minute for the answer. What was answered
// before is told at once. It says whether anything is allowed; where nobody has answered yet, it is
// not, and a later call waits on.
func (a *App) Authorize(ctx context.Context, options ...belfryv1.AuthorizationOption) (bool, error) {
	if _, hasDeadline := ctx.Deadline(); !hasDeadline {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, promptTime+usualTimeout)
		defer cancel()
	}
	told, err := a.center.RequestAuthorization(ctx, &belfryv1.RequestAuthorizationRequest{
		Center: a.name, Options: options, Wait: durationpb.New(promptTime),
	})
	return told.GetGranted(), err
}

// An Added note is where it is now.
type Added struct {
	// ID is its name, also where the server made it.
	ID string
	// Next is when it comes next; zero where it does not wait for a date.
	Next time.Time
	// State is where it is.
	State belfryv1.RequestState
	// Delivery is the number of its delivery, where it is shown already.
	Delivery uint64
	// Request is the request's number, and AsOf the last event before it: Wait needs both.
	Request, AsOf uint64
}

// Add schedules a note, or shows it now.
func (a *App) Add(ctx context.Context, note Note) (Added, error) {
	request, err := note.request()
	if err != nil {
		return Added{}, err
	}
	if note.Change != nil {
		note.Change(request)
	}
	told, err := a.center.Add(ctx, &belfryv1.AddRequest{Center: a.name, Request: request})
	if err != nil {
		return Added{}, err
	}
	added := Added{
		ID: told.Identifier, State: told.State, Delivery: told.GetDelivery(),
		Request: told.RequestNumber, AsOf: told.AsOfEvent,
	}
	if told.NextTriggerDate != nil {
		added.Next = told.NextTriggerDate.AsTime()
	}
	return added, nil
}

const pageSize = 1000

// Pending are the notes that wait, all of them.
func (a *App) Pending(ctx context.Context) ([]*belfryv1.PendingRequest, error) {
	var found []*belfryv1.PendingRequest
	request := &belfryv1.ListPendingRequest{Center: a.name, PageSize: pageSize}
	for {
		page, err := a.center.ListPending(ctx, request)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Requests...)
		if request.PageToken = page.NextPageToken; request.PageToken == "" {
			return found, nil
		}
	}
}

// Delivered are the notes that are shown, all of them.
func (a *App) Delivered(ctx context.Context) ([]*belfryv1.Notification, error) {
	var found []*belfryv1.Notification
	request := &belfryv1.ListDeliveredRequest{Center: a.name, PageSize: pageSize}
	for {
		page, err := a.center.ListDelivered(ctx, request)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Notifications...)
		if request.PageToken = page.NextPageToken; request.PageToken == "" {
			return found, nil
		}
	}
}

// Remove removes notes that wait and notes that are shown, by their names; others are ignored. It
// gives the names of what was there.
func (a *App) Remove(ctx context.Context, ids ...string) ([]string, error) {
	var removed []string
	for len(ids) > 0 {
		part := ids
		if len(part) > pageSize {
			part = part[:pageSize]
		}
		ids = ids[len(part):]
		pending, err := a.center.RemovePending(
			ctx, &belfryv1.RemovePendingRequest{Center: a.name, Identifiers: part})
		if err != nil {
			return removed, err
		}
		shown, err := a.center.RemoveDelivered(
			ctx, &belfryv1.RemoveDeliveredRequest{Center: a.name, Identifiers: part})
		if err != nil {
			return removed, err
		}
		removed = append(removed, union(pending.RemovedIdentifiers, shown.RemovedIdentifiers)...)
	}
	return removed, nil
}

func union(lists ...[]string) []string {
	var all []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, each := range list {
			if !seen[each] {
				seen[each] = true
				all = append(all, each)
			}
		}
	}
	return all
}

// SetBadge sets the app's badge; 0 shows none.
func (a *App) SetBadge(ctx context.Context, count int32) error {
	_, err := a.center.SetBadgeCount(ctx, &belfryv1.SetBadgeCountRequest{Center: a.name, Count: count})
	return err
}
