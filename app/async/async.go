// Package async runs work off the window's goroutine and shows its results on it, in as few
// frames as possible.
package async

import (
	"context"
	"sync"

	"fyne.io/fyne/v2"
)

// Jobs runs the work of one window. Its fields and methods belong to Fyne's goroutine; only Ctx, Do and Go may be used
// on any.
type Jobs struct {
	Ctx        context.Context // ends with the window; work gets it
	OnError    func(error)     // gets the errors that no caller handles; set before the first Load
	OnWorkDone func()          // called after each Work, if not nil

	frame   *frame // the next one
	running sync.WaitGroup
	batch   *batch // collects the requests of LoadTogether, if not nil
	working int    // calls of Work that are not done
	loading int    // requests that are neither answered nor dropped
}

// Window is what the frames of a window need of it.
type Window interface {
	Canvas() fyne.Canvas
	Padded() bool
	SetPadded(bool)
}

// New returns the jobs of win. onLoop runs a function on Fyne's goroutine, in the order of the calls.
func New(ctx context.Context, win Window, onLoop func(func())) *Jobs {
	return &Jobs{Ctx: ctx, frame: newFrame(win, onLoop)}
}

// RestWith makes the loop rest while there is nothing to paint; what New was given must be its Do.
func (j *Jobs) RestWith(l *Loop) { j.frame.rests.loop = l }

// BeforePaint has f called before each frame that is painted.
func (j *Jobs) BeforePaint(f func()) { j.frame.prepare = f }

// OnPainted has f called after each frame that was painted.
func (j *Jobs) OnPainted(f func()) { j.frame.painted = f }

// Invalidate says that something on screen has changed, so that it is laid out before the next frame is painted. Do
// and the functions that show something need no Invalidate.
func (j *Jobs) Invalidate() { j.frame.invalidate() }

// Pending returns how many calls of Work are not done.
func (j *Jobs) Pending() int { return j.working }

// Loading returns how many requests are neither answered nor dropped.
func (j *Jobs) Loading() int { return j.loading }

// Do runs f on Fyne's goroutine. It may be called from any goroutine.
func (j *Jobs) Do(f func()) { j.frame.do(f) }

// Go runs f on a goroutine of its own; Wait waits for it.
func (j *Jobs) Go(f func()) { j.running.Go(f) }

// Wait returns when everything that runs has ended; Ctx must have ended before.
func (j *Jobs) Wait() { j.running.Wait() }

// Request identifies the requests of one kind: only the newest is answered.
type Request struct {
	cancel context.CancelFunc
	number int
}

// Number counts the requests so far.
func (r *Request) Number() int { return r.number }

// Stop drops the request that is under way.
func (r *Request) Stop() {
	if r.cancel != nil {
		r.cancel()
	}
	r.number++
}

// Load runs load off Fyne's goroutine and then show on it, unless r was used again meanwhile.
func Load[T any](j *Jobs, r *Request, load func(ctx context.Context) (T, error), show func(T)) {
	answer := start(j, r, load, show)
	if j.batch != nil {
		j.batch.loads = append(j.batch.loads, answer)
		return
	}
	j.Go(func() {
		if tell := answer(); tell != nil {
			j.Do(tell)
		}
	})
}

// LoadSoon is Load for what the user has just asked for: the next frame waits a little for the answer.
func LoadSoon[T any](j *Jobs, r *Request, load func(ctx context.Context) (T, error), show func(T)) {
	j.frame.showSoon(readPatience, j.Go, start(j, r, load, show))
}

// start puts a new request in place of the one before. The function it returns loads the answer, and the function
// that one returns shows it; nil if the request was dropped.
func start[T any](j *Jobs, r *Request, load func(ctx context.Context) (T, error), show func(T)) func() func() {
	r.Stop()
	ctx, cancel := context.WithCancel(j.Ctx)
	j.loading++
	var once sync.Once
	ended := func() { once.Do(func() { j.loading-- }) }
	r.cancel = func() {
		cancel()
		ended()
	}
	number := r.number
	return func() func() {
		defer cancel()
		v, err := load(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			ended()
			switch {
			case r.number != number:
			case err != nil:
				j.OnError(err)
			default:
				show(v)
			}
		}
	}
}

// Work runs f off Fyne's goroutine and then done on it, if not nil. What f shows by Do may come after done.
func (j *Jobs) Work(f func(ctx context.Context) error, done func(error)) {
	j.working++
	j.frame.showSoon(writePatience, j.Go, func() func() {
		err := f(j.Ctx)
		return func() {
			j.working--
			switch {
			case j.Ctx.Err() != nil:
			case done != nil:
				done(err)
			case err != nil:
				j.OnError(err)
			}
			if j.OnWorkDone != nil {
				j.OnWorkDone()
			}
		}
	})
}

// batch is the requests that LoadTogether shows at once.
type batch struct {
	loads []func() func()
}

// LoadTogether shows the answers to all that f asks for at once, and then calls shown.
func (j *Jobs) LoadTogether(f, shown func()) {
	b := &batch{}
	j.batch = b
	f()
	j.batch = nil
	tells := make([]func(), len(b.loads))
	j.Go(func() {
		var loading sync.WaitGroup
		for i, load := range b.loads {
			loading.Go(func() { tells[i] = load() })
		}
		loading.Wait()
		j.Do(func() {
			for _, tell := range tells {
				if tell != nil {
					tell()
				}
			}
			shown()
		})
	})
}
