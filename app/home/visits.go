package home

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kairos/poller"
	"kairos/poller/insights"
	"kairos/reader"
	"kairos/useraccess"
)

// SettingLearn is the setting "Learn when I read": "on", the default, or "off".
const SettingLearn = "useraccess.learn"

// SettingAway is the setting "Show what came while I was away": "on", the default, or "off".
const SettingAway = "app.away"

// The values of settings that are switches.
const (
	on  = "on"
	off = "off"
)

// Visits logs when the user reads, unless learning is switched off.
type Visits struct {
	store  *reader.Store
	log    *useraccess.Log
	poller *poller.Poller
	now    func() time.Time

	insights *insights.Insights
	snoozes  *Snoozes
}

// logFile is the file for the log, of which no list shows anything.
type logFile struct{ *reader.Store }

// Write implements useraccess.File.
func (f logFile) Write(ctx context.Context, do func(tx *sql.Tx) error) error {
	return f.WriteAside(ctx, do)
}

func (v *Visits) learning(ctx context.Context) (bool, error) {
	learn, err := v.store.Settings.Get(ctx, SettingLearn, on)
	return learn != off, err
}

// SetLearning stores the setting: "on" or "off". The time in which learning is off does not count as
// time without visits.
func (v *Visits) SetLearning(ctx context.Context, value string) error {
	if err := v.store.Settings.Set(ctx, SettingLearn, value); err != nil {
		return err
	}
	if err := v.log.SetLearning(ctx, value != off, v.now()); err != nil {
		return err
	}
	v.poller.Changed()
	return nil
}

// Record logs an access at a time, which brings back what was snoozed until the next visit, and reports whether it was logged.
func (v *Visits) Record(ctx context.Context, at time.Time) (bool, error) {
	woken := v.snoozes.wakeDue(ctx, true)
	if learning, err := v.learning(ctx); err != nil || !learning {
		return false, errors.Join(err, woken)
	}
	added, err := v.log.Record(ctx, at)
	if added {
		v.poller.Accessed()
	}
	return added, errors.Join(err, woken)
}

// Read notes that articles were read here; so many at once that it tells nothing are ignored, as are those that do not exist.
func (v *Visits) Read(ctx context.Context, articles ...int64) error {
	return v.note(ctx, useraccess.Read, articles)
}

// Passed notes that articles were passed over, one by one.
func (v *Visits) Passed(ctx context.Context, articles ...int64) error {
	return v.note(ctx, useraccess.Passed, articles)
}

func (v *Visits) note(ctx context.Context, evidence useraccess.Evidence, articles []int64) error {
	if learning, err := v.learning(ctx); err != nil || !learning {
		return err
	}
	feeds, err := v.store.Articles.FeedsOf(ctx, articles)
	if err != nil {
		return err
	}
	now := v.now()
	var readings []useraccess.Reading
	for _, article := range articles {
		if feed, there := feeds[article]; there {
			readings = append(readings, useraccess.Reading{At: now, Feed: feed, Article: article, Evidence: evidence})
		}
	}
	_, err = v.log.NoteReadings(ctx, now, readings...)
	return err
}

// Touch logs that the reader was still in use at a time.
func (v *Visits) Touch(ctx context.Context, at time.Time) error {
	if learning, err := v.learning(ctx); err != nil || !learning {
		return err
	}
	return v.log.Touch(ctx, at)
}

// Clear deletes the log and what was learned from it.
func (v *Visits) Clear(ctx context.Context) error {
	if err := v.log.Clear(ctx); err != nil {
		return err
	}
	if err := v.poller.ForgetForeseen(ctx); err != nil {
		return err
	}
	v.insights.Forget()
	v.poller.Changed()
	return nil
}

// AddHint stores what the user says of when they read.
func (v *Visits) AddHint(ctx context.Context, h useraccess.Hint) (useraccess.Hint, error) {
	added, err := v.log.AddHint(ctx, h, v.now())
	if err == nil {
		v.poller.Changed()
	}
	return added, err
}

// RestoreHint stores a hint again that was removed, as old as it was.
func (v *Visits) RestoreHint(ctx context.Context, h useraccess.Hint) error {
	_, err := v.log.AddHint(ctx, h, h.Given)
	if err == nil {
		v.poller.Changed()
	}
	return err
}

// RemoveHint removes a hint. Errors: useraccess.ErrNoHint.
func (v *Visits) RemoveHint(ctx context.Context, id int64) error {
	err := v.log.RemoveHint(ctx, id)
	if err == nil {
		v.poller.Changed()
	}
	return err
}

// Restore takes back that a span was forgotten, which begins at from, and returns how many accesses count again. Errors:
// useraccess.ErrNotForgotten.
func (v *Visits) Restore(ctx context.Context, from time.Time) (accesses int, err error) {
	accesses, err = v.log.Restore(ctx, from, v.now())
	if err == nil {
		v.insights.Forget()
		v.poller.Changed()
	}
	return accesses, err
}

// Forget sets the accesses of a span and what was learned from them aside, and returns how many there were. Errors:
// those of useraccess.Log.Forget.
func (v *Visits) Forget(ctx context.Context, from, to time.Time) (accesses int, err error) {
	accesses, err = v.log.Forget(ctx, from, to, v.now())
	if err == nil {
		v.insights.Forget()
		v.poller.Changed()
	}
	return accesses, err
}

// Absence returns the time since the last visit before that of now; none while learning is off.
func (v *Visits) Absence(ctx context.Context) (useraccess.Absence, error) {
	if learning, err := v.learning(ctx); err != nil || !learning {
		return useraccess.Absence{}, err
	}
	return v.log.Absence(ctx, v.now())
}
