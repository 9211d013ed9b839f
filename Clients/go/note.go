package belfry

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	belfryv1 "belfry.org/go/belfry/v1"
)

// A Note is what to notify of, and when. Without At, In, Every and On it is now.
type Note struct {
	// ID names the note: a later one with this name takes its place. Empty lets the server name it.
	ID string
	// Title, Subtitle and Body are its text.
	Title, Subtitle, Body string
	// Thread groups notes of the app.
	Thread string
	// Badge is the app's badge once it is shown; nil leaves it.
	Badge *int32
	// Sound plays a sound.
	Sound bool
	// Level is how much attention it may take; nil is active.
	Level *belfryv1.InterruptionLevel
	// Info is the app's own data, which comes back with an answer: a struct or a map, as JSON.
	Info interface{}
	// Actions are its buttons, which live and die with it.
	Actions []Action
	// Category is a category of the app, whose buttons it has where it has no Actions.
	Category string
	// Progress is how much is done, 0 to 1; nil shows no bar.
	Progress *float64
	// Quiet shows no banner and plays no sound in place of a shown note of its ID.
	Quiet bool
	// Attachments are the identifiers of stored files.
	Attachments []string

	// At is the instant; with Every, the first of them.
	At time.Time
	// In is a time from now.
	In time.Duration
	// Every repeats it, from At or from now: Interval, Days, Weeks, Months or Years.
	Every Step
	// On is each date that matches: Daily, Weekly, or any calendar trigger.
	On *belfryv1.CalendarTrigger
	// Once ends it with the first date of On.
	Once bool
	// Until is the last instant of what repeats, and Times how often it comes.
	Until time.Time
	Times int32

	// Expires is how late it may come after down time; 0 leaves that to the server.
	Expires time.Duration
	// Replaces is the key of the shown notes that it takes the place of.
	Replaces string

	// Change edits the request before it is sent, for what has no field here.
	Change func(*belfryv1.NotificationRequest)
}

// An Action is a button.
type Action struct {
	// ID is what Answer.Action has once it is pressed, and Title what the person reads.
	ID, Title string
	// Reply lets the person type a text.
	Reply bool
	// Unlock needs an unlocked screen, Destructive is shown as a warning, Open opens the app.
	Unlock, Destructive, Open bool
}

// A Step is the time between two notes of those that repeat.
type Step struct {
	interval time.Duration
	count    int32
	unit     belfryv1.CalendarUnit
}

// Interval is a fixed time, of a minute or more.
func Interval(interval time.Duration) Step { return Step{interval: interval} }

// Days is whole days, at the same local time.
func Days(count int32) Step {
	return Step{count: count, unit: belfryv1.CalendarUnit_CALENDAR_UNIT_DAY}
}

// Weeks is whole weeks, at the same local time.
func Weeks(count int32) Step {
	return Step{count: count, unit: belfryv1.CalendarUnit_CALENDAR_UNIT_WEEK}
}

// Months is whole months, on the same day.
func Months(count int32) Step {
	return Step{count: count, unit: belfryv1.CalendarUnit_CALENDAR_UNIT_MONTH}
}

// Years is whole years, on the same day.
func Years(count int32) Step {
	return Step{count: count, unit: belfryv1.CalendarUnit_CALENDAR_UNIT_YEAR}
}

// Daily is each day at a local time.
func Daily(hour, minute int32) *belfryv1.CalendarTrigger {
	return &belfryv1.CalendarTrigger{DateComponents: &belfryv1.DateComponents{
		Hour: proto.Int32(hour), Minute: proto.Int32(minute),
	}}
}

// Weekly is some days of the week at a local time.
func Weekly(hour, minute int32, days ...time.Weekday) *belfryv1.CalendarTrigger {
	trigger := Daily(hour, minute)
	for _, day := range days {
		trigger.Weekdays = append(trigger.Weekdays, belfryv1.Weekday(day+1))
	}
	return trigger
}

// request is the note as the server takes it.
func (n Note) request() (*belfryv1.NotificationRequest, error) {
	trigger, err := n.trigger()
	if err != nil {
		return nil, err
	}
	content := &belfryv1.NotificationContent{
		Title: n.Title, Subtitle: n.Subtitle, Body: n.Body, ThreadIdentifier: n.Thread,
		Badge: n.Badge, InterruptionLevel: n.Level, CategoryIdentifier: n.Category,
		Progress: n.Progress, UpdatesQuietly: n.Quiet,
	}
	for _, action := range n.Actions {
		content.Actions = append(content.Actions, action.message())
	}
	if n.Sound {
		content.Sound = &belfryv1.Sound{}
	}
	if n.Info != nil {
		text, err := json.Marshal(n.Info)
		if err != nil {
			return nil, fmt.Errorf("belfry: Note.Info: %w", err)
		}
		content.UserInfoJson = string(text)
	}
	for _, file := range n.Attachments {
		content.Attachments = append(content.Attachments, &belfryv1.AttachmentReference{AttachmentId: file})
	}
	request := &belfryv1.NotificationRequest{
		Identifier: n.ID, Content: content, Trigger: trigger, ReplacementKey: n.Replaces,
	}
	if n.Expires != 0 {
		request.ExpiresAfter = durationpb.New(n.Expires)
	}
	return request, nil
}

func (n Note) trigger() (*belfryv1.Trigger, error) {
	hasStep := n.Every != Step{}
	kinds := 0
	for _, isSet := range []bool{!n.At.IsZero(), n.In != 0, n.On != nil} {
		if isSet {
			kinds++
		}
	}
	if kinds > 1 || hasStep && (n.In != 0 || n.On != nil) {
		return nil, errors.New("belfry: a Note has one of At, In and On; Every goes with At, or alone")
	}
	trigger := &belfryv1.Trigger{Limits: n.limits()}
	switch {
	case hasStep && n.Every.count != 0 && n.At.IsZero():
		return nil, errors.New("belfry: Every in days, weeks, months or years needs the first instant: At")
	case hasStep && !n.At.IsZero():
		trigger.Repeats = true
		trigger.Kind = &belfryv1.Trigger_AnchoredInterval{AnchoredInterval: n.Every.from(n.At)}
	case hasStep:
		trigger.Repeats = true
		trigger.Kind = after(n.Every.interval)
	case !n.At.IsZero():
		trigger.Kind = &belfryv1.Trigger_At{At: timestamppb.New(n.At)}
	case n.In != 0:
		trigger.Kind = after(n.In)
	case n.On != nil:
		trigger.Repeats = !n.Once
		trigger.Kind = &belfryv1.Trigger_Calendar{Calendar: n.On}
	case trigger.Limits != nil:
		return nil, errors.New("belfry: Until and Times are of a Note that repeats")
	default:
		return nil, nil
	}
	return trigger, nil
}

func (n Note) limits() *belfryv1.RecurrenceLimits {
	if n.Until.IsZero() && n.Times == 0 {
		return nil
	}
	limits := &belfryv1.RecurrenceLimits{MaxOccurrences: n.Times}
	if !n.Until.IsZero() {
		limits.EndAt = timestamppb.New(n.Until)
	}
	return limits
}

func (s Step) from(first time.Time) *belfryv1.AnchoredIntervalTrigger {
	trigger := &belfryv1.AnchoredIntervalTrigger{Anchor: timestamppb.New(first)}
	if s.count != 0 {
		step := &belfryv1.CalendarStep{Count: s.count, Unit: s.unit}
		trigger.Step = &belfryv1.AnchoredIntervalTrigger_CalendarStep{CalendarStep: step}
	} else {
		trigger.Step = &belfryv1.AnchoredIntervalTrigger_Interval{Interval: durationpb.New(s.interval)}
	}
	return trigger
}

func after(interval time.Duration) *belfryv1.Trigger_TimeInterval {
	trigger := &belfryv1.TimeIntervalTrigger{Interval: durationpb.New(interval)}
	return &belfryv1.Trigger_TimeInterval{TimeInterval: trigger}
}

func (a Action) message() *belfryv1.NotificationAction {
	action := &belfryv1.NotificationAction{Identifier: a.ID, Title: a.Title}
	if a.Unlock {
		action.Options = append(action.Options, belfryv1.ActionOption_ACTION_OPTION_AUTHENTICATION_REQUIRED)
	}
	if a.Destructive {
		action.Options = append(action.Options, belfryv1.ActionOption_ACTION_OPTION_DESTRUCTIVE)
	}
	if a.Open {
		action.Options = append(action.Options, belfryv1.ActionOption_ACTION_OPTION_FOREGROUND)
	}
	if a.Reply {
		action.TextInput = &belfryv1.TextInput{}
	}
	return action
}
