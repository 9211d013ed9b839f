package belfry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"belfry.org/go/belfry"
	"belfry.org/go/belfry/belfrytest"
	belfryv1 "belfry.org/go/belfry/v1"
)

var ctx = context.Background()

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// authorized is an app that may do everything.
func authorized(t *testing.T, server *belfrytest.Server, id string) *belfry.App {
	t.Helper()
	app := server.Client.App(id)
	granted, err := app.Authorize(ctx, belfry.Alert, belfry.Sound, belfry.Badge)
	check(t, err)
	if !granted {
		t.Fatal("nothing is granted")
	}
	return app
}

func TestATodo(t *testing.T) {
	server := belfrytest.Start(t)
	app := authorized(t, server, "org.example.todo")
	at := server.Now().Add(time.Hour)
	added, err := app.Add(ctx, belfry.Note{
		ID: "milk", Title: "Milk", At: at, Info: map[string]int{"litres": 2},
		Actions: []belfry.Action{{ID: "done", Title: "Done"}, {ID: "note", Title: "Note", Reply: true}},
	})
	check(t, err)
	if !added.Next.Equal(at) || added.State != belfryv1.RequestState_REQUEST_STATE_PENDING {
		t.Fatal(added)
	}
	pending, err := app.Pending(ctx)
	check(t, err)
	if len(pending) != 1 || pending[0].Request.Identifier != "milk" {
		t.Fatal(pending)
	}
	server.Advance(time.Hour)
	_, err = server.Person().Reply(ctx, "milk", "note", "two")
	check(t, err)
	answered := errors.New("answered")
	err = app.Answers(ctx, func(answer *belfry.Answer) error {
		var info struct{ Litres int }
		check(t, answer.Info(&info))
		if answer.ID != "milk" || answer.Action != "note" || answer.Text != "two" || info.Litres != 2 {
			t.Error(answer)
		}
		return answered
	})
	if err != answered {
		t.Fatal(err)
	}
	// It was not completed, and is told again; what the next one does completes it.
	_, err = app.Add(ctx, belfry.Note{ID: "tea", Title: "Tea", Actions: []belfry.Action{{ID: "done", Title: "Done"}}})
	check(t, err)
	_, err = server.Person().Press(ctx, "tea", "done")
	check(t, err)
	var told []string
	err = app.Answers(ctx, func(answer *belfry.Answer) error {
		if told = append(told, answer.ID+" "+answer.Action); len(told) == 2 {
			return answered
		}
		return nil
	})
	if err != answered || fmt.Sprint(told) != "[milk note tea done]" {
		t.Fatal(err, told)
	}
	removed, err := app.Remove(ctx, "milk", "nothing")
	check(t, err)
	if len(removed) != 0 {
		t.Fatal(removed)
	}
}

func TestManyWaitAtOnce(t *testing.T) {
	server := belfrytest.Start(t)
	app := authorized(t, server, "org.example.waits")
	const count = 20
	reply := []belfry.Action{{ID: "note", Title: "Note", Reply: true}}
	var added [count]belfry.Added
	for number := range added {
		var err error
		added[number], err = app.Add(ctx, belfry.Note{ID: strconv.Itoa(number), Title: "T", Actions: reply})
		check(t, err)
	}
	answers := make(chan belfry.Answer, count)
	for _, each := range added {
		go func(each belfry.Added) {
			answer, err := app.Wait(ctx, each)
			if err != nil {
				t.Error(err)
			}
			answers <- answer
		}(each)
	}
	for number := range added {
		if number == count/2 {
			server.Kill()
			server.Restart()
		}
		id := strconv.Itoa(number)
		_, err := server.Person().Reply(ctx, id, "note", "text "+id)
		check(t, err)
	}
	told := map[string]bool{}
	for range added {
		answer := <-answers
		if answer.Action != "note" || answer.Text != "text "+answer.ID || told[answer.ID] {
			t.Error(answer)
		}
		told[answer.ID] = true
	}
	// One who comes later is told the same; and each answer is complete.
	again, err := app.Wait(ctx, added[0])
	check(t, err)
	if again.ID != "0" || again.Text != "text 0" || again.CallbackID != "" {
		t.Error(again)
	}

	gone, err := app.Add(ctx, belfry.Note{ID: "gone", Title: "T"})
	check(t, err)
	_, err = app.Remove(ctx, "gone")
	check(t, err)
	_, err = app.Wait(ctx, gone)
	if !errors.Is(err, belfry.ErrNotAnswered) || belfry.Reason(err) != "REMOVED" {
		t.Error(err)
	}
	cleared, err := app.Add(ctx, belfry.Note{ID: "cleared", Title: "T"})
	check(t, err)
	err = server.Person().Dismiss(ctx, "cleared")
	check(t, err)
	answer, err := app.Wait(ctx, cleared)
	if err != nil || answer.Action != belfry.DismissAction {
		t.Error(answer, err)
	}
	late, err := app.Add(ctx, belfry.Note{ID: "late", Title: "T"})
	check(t, err)
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err = app.Wait(short, late); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestWhenANoteComes(t *testing.T) {
	server := belfrytest.Start(t)
	app := authorized(t, server, "org.example.when")
	start := server.Now()
	day := 24 * time.Hour
	for name, each := range map[string]struct {
		note belfry.Note
		next time.Time
	}{
		"instant":  {belfry.Note{At: start.Add(90*time.Second + 5)}, start.Add(90*time.Second + 5)},
		"after":    {belfry.Note{In: time.Minute}, start.Add(time.Minute)},
		"interval": {belfry.Note{Every: belfry.Interval(time.Hour)}, start.Add(time.Hour)},
		"anchored": {belfry.Note{At: start.Add(-day + time.Second), Every: belfry.Days(2)}, start.Add(day + time.Second)},
		"months":   {belfry.Note{At: start, Every: belfry.Months(1)}, start.AddDate(0, 1, 0)},
		"daily":    {belfry.Note{On: belfry.Daily(8, 30)}, start.Add(8*time.Hour + 30*time.Minute)},
		// 2026 begins on a Thursday.
		"weekly": {belfry.Note{On: belfry.Weekly(7, 0, time.Saturday, time.Monday)}, start.Add(2*day + 7*time.Hour)},
	} {
		each.note.ID, each.note.Title = name, name
		added, err := app.Add(ctx, each.note)
		if err != nil || !added.Next.Equal(each.next) {
			t.Errorf("%s comes at %v, and not at %v: %v", name, added.Next, each.next, err)
		}
	}
	for name, note := range map[string]belfry.Note{
		"two kinds":      {At: start, In: time.Minute},
		"days from when": {Every: belfry.Days(1)},
		"a date again":   {On: belfry.Daily(8, 0), Every: belfry.Days(1)},
		"an end alone":   {Times: 3},
	} {
		if _, err := app.Add(ctx, note); err == nil || belfry.Reason(err) != "" {
			t.Errorf("%s is sent: %v", name, err)
		}
	}
}

func TestErrorsHaveKinds(t *testing.T) {
	server := belfrytest.Start(t, belfrytest.Options{
		Prompts: "ask", Arguments: []string{"--pending-limit", "1"},
	})
	app := server.Client.App("org.example.errors")
	later := belfry.Note{Title: "T", In: time.Hour}
	_, err := app.Add(ctx, later)
	if !errors.Is(err, belfry.ErrNotFound) || belfry.Reason(err) != belfry.ReasonAppNotRegistered {
		t.Error(err)
	}
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		if err := server.Person().Deny(ctx, app.ID()); err != nil {
			t.Error(err)
		}
	}()
	granted, err := app.Authorize(ctx, belfry.Alert)
	wait.Wait()
	if granted || err != nil {
		t.Error(granted, err)
	}
	_, err = app.Add(ctx, later)
	var found *belfry.Error
	if !errors.Is(err, belfry.ErrNotAllowed) || !errors.As(err, &found) || found.Metadata["code"] != "1" {
		t.Error(err)
	}
	_, err = app.Add(ctx, belfry.Note{Title: "T", In: -time.Second})
	if !errors.Is(err, belfry.ErrInvalidRequest) || !errors.As(err, &found) ||
		found.Fields[0].Path != "request.trigger.time_interval.interval" {
		t.Error(err)
	}
	err = app.Events(ctx, 1_000, func(*belfryv1.Event) error { return nil })
	if belfry.Reason(err) != belfry.ReasonEventNumberUnknown {
		t.Error(err)
	}
	_, err = server.Person().Press(ctx, "nothing", belfry.DefaultAction)
	if !errors.Is(err, belfry.ErrNotFound) {
		t.Error(err)
	}
}

func TestNoServerIsSaidSoon(t *testing.T) {
	client, err := belfry.Dial(belfry.WithServer("unix:" + filepath.Join(t.TempDir(), "none")))
	check(t, err)
	defer client.Close()
	_, err = client.App("org.example.none").Pending(ctx)
	if !errors.Is(err, belfry.ErrUnavailable) {
		t.Fatal(err)
	}
}

// Kills the server again and again, in order and not, while an app schedules, is answered and reads
// its events: nothing is lost and nothing comes twice.
func TestNothingIsLostNorComesTwice(t *testing.T) {
	rounds := 3
	if text := os.Getenv("BELFRY_KILLS"); text != "" {
		var err error
		rounds, err = strconv.Atoi(text)
		check(t, err)
	}
	server := belfrytest.Start(t)
	app := authorized(t, server, "org.example.resume")
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	events, answers := make(chan *belfryv1.Event, 10_000), make(chan *belfry.Answer, 10_000)
	ended := make(chan error, 2)
	go func() {
		ended <- app.Events(running, 0, func(event *belfryv1.Event) error {
			events <- event
			return nil
		})
	}()
	go func() {
		ended <- app.Answers(running, func(answer *belfry.Answer) error {
			answers <- answer
			return nil
		})
	}()
	for round := 0; round < rounds; round++ {
		for each := 0; each < 3; each++ {
			id := fmt.Sprintf("%d.%d", round, each)
			_, err := app.Add(ctx, belfry.Note{
				ID: id, Title: "T", Actions: []belfry.Action{{ID: "done", Title: "Done"}},
			})
			check(t, err)
			_, err = server.Person().Press(ctx, id, "done")
			check(t, err)
		}
		if round%2 == 0 {
			server.Kill()
		}
		server.Restart()
	}
	total := rounds * 3
	told, shown, completed := map[string]bool{}, 0, 0
	for number := uint64(1); shown < total || completed < total || len(told) < total; {
		select {
		case event := <-events:
			if event.Number != number {
				t.Fatalf("event %d came where %d was to come", event.Number, number)
			}
			number++
			if event.GetDelivered() != nil {
				shown++
			}
			if event.GetResponseCompleted() != nil {
				completed++
			}
		case answer := <-answers:
			if told[answer.ID] {
				t.Fatalf("%s was told twice", answer.ID)
			}
			told[answer.ID] = true
		case err := <-ended:
			t.Fatal(err)
		case <-time.After(time.Minute):
			t.Fatalf("%d shown, %d told, %d completed of %d", shown, len(told), completed, total)
		}
	}
}
