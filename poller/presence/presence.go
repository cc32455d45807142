// Package presence reports signs that the user may be about to read: the screen was unlocked, somebody came back to an
// idle machine, or the machine woke from sleep. It asks for nothing else, and keeps nothing.
//
// What a system tells, and when:
//   - Linux, at once: logind of locks, idleness and sleep, the desktop's screen saver, Mutter of idleness, and in a
//     sandbox the portal of the screen saver.
//   - Windows, within a minute: whether the session is locked, and the time of the last input.
//   - macOS, within a minute: the same, if ioreg prints it.
//   - Every system, within a minute: that the clock has gone on while the program stood still.
//
// That the machine was plugged in is told by package power.
package presence

import (
	"context"
	"sync"
	"time"

	"kairos/useraccess/rate"
)

const (
	// look is how often what the system does not signal is asked for.
	look = time.Minute
	// idleFor is how long there must have been no input for the next one to be a return.
	idleFor = 5 * time.Minute
	// asleep is how far the clock must have gone on between two looks for the machine to have slept.
	asleep = 3 * time.Minute
)

// Watch calls f with each sign until the context ends, with those of a kind at most once per rate.SignPause. f is
// called by one goroutine at a time.
func Watch(ctx context.Context, f func(rate.Sign)) {
	d := &debouncer{now: time.Now, report: f}
	var listening sync.WaitGroup
	defer listening.Wait()
	listening.Go(func() { listen(ctx, func() {}, d.sign) })
	tick := time.NewTicker(look)
	defer tick.Stop()
	var p poll
	for {
		for _, kind := range p.next(time.Now(), observe(ctx)) {
			d.sign(kind)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// debouncer passes on one sign of a kind per rate.SignPause: several sources tell about the same, and a bus may tell
// anything a thousand times.
type debouncer struct {
	now    func() time.Time
	report func(rate.Sign)

	mu   sync.Mutex // guards last, and is held during a report
	last map[rate.Sign]time.Time
}

func (d *debouncer) sign(kind rate.Sign) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	if last, there := d.last[kind]; there && now.Sub(last).Abs() < rate.SignPause {
		return
	}
	if d.last == nil {
		d.last = map[rate.Sign]time.Time{}
	}
	d.last[kind] = now
	d.report(kind)
}

// observation is what a system tells that has to be asked.
type observation struct {
	locked, lockKnown bool
	idle              time.Duration // since the last input
	idleKnown         bool
}

// poll finds signs in what changes from one observation to the next.
type poll struct {
	at   time.Time // of the last observation; zero: there was none
	last observation
}

// next returns the signs between the last observation and one at a time. The program stood still if the clock of the
// wall went on much longer than between two looks: its timers do not run while the machine sleeps.
func (p *poll) next(now time.Time, o observation) (signs []rate.Sign) {
	now = now.Round(0) // the wall's
	if !p.at.IsZero() && now.Sub(p.at) > asleep {
		signs = append(signs, rate.Resume)
	}
	if p.last.lockKnown && p.last.locked && o.lockKnown && !o.locked {
		signs = append(signs, rate.Unlock)
	}
	if p.last.idleKnown && p.last.idle >= idleFor && o.idleKnown && o.idle < p.last.idle {
		signs = append(signs, rate.Return)
	}
	p.at, p.last = now, o
	return signs
}
