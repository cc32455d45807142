package app

import (
	"context"
	"sync"
)

// jobs runs work off the window's goroutine and shows the results on it. Its fields and methods belong to Fyne's
// goroutine; only do may be called from any.
type jobs struct {
	ctx     context.Context
	frame   *frame // the next one
	running sync.WaitGroup
	batch   *batch      // collects the requests of askTogether, if not nil
	writes  int         // of work that are not done
	failed  func(error) // told of an error that nobody else handles
	written func()      // called after each work, if not nil
}

func newJobs(ctx context.Context, f *frame) *jobs { return &jobs{ctx: ctx, frame: f} }

// do runs f on Fyne's goroutine. It may be called from any goroutine.
func (j *jobs) do(f func()) { j.frame.do(f) }

// run runs f on a goroutine of its own; wait waits for it.
func (j *jobs) run(f func()) { j.running.Go(f) }

// wait returns when all jobs have ended; the context must be over.
func (j *jobs) wait() { j.running.Wait() }

// request identifies the requests of one kind: only the newest is answered.
type request struct {
	cancel context.CancelFunc
	number int
}

// stop drops the request that is under way.
func (r *request) stop() {
	if r.cancel != nil {
		r.cancel()
	}
	r.number++
}

// ask runs load off Fyne's goroutine and then show on it, unless r was used again meanwhile.
func ask[T any](j *jobs, r *request, load func(ctx context.Context) (T, error), show func(T)) {
	answer := start(j, r, load, show)
	if j.batch != nil {
		j.batch.loads = append(j.batch.loads, answer)
		return
	}
	j.run(func() {
		if tell := answer(); tell != nil {
			j.do(tell)
		}
	})
}

// askSoon is ask for what the user has just asked for: the next frame waits a little for the answer.
func askSoon[T any](j *jobs, r *request, load func(ctx context.Context) (T, error), show func(T)) {
	j.frame.soon(patienceRead, j.run, start(j, r, load, show))
}

// start puts a new request in place of the one before. The function it returns loads the answer, and the function
// that one returns shows it; nil if the request was dropped.
func start[T any](j *jobs, r *request, load func(ctx context.Context) (T, error), show func(T)) func() func() {
	r.stop()
	ctx, cancel := context.WithCancel(j.ctx)
	r.cancel = cancel
	number := r.number
	return func() func() {
		defer cancel()
		v, err := load(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			switch {
			case r.number != number:
			case err != nil:
				j.failed(err)
			default:
				show(v)
			}
		}
	}
}

// work runs f off Fyne's goroutine and then done, if not nil, on it. What f shows by do may come after done.
func (j *jobs) work(f func(ctx context.Context) error, done func(error)) {
	j.writes++
	j.frame.soon(patienceWrite, j.run, func() func() {
		err := f(j.ctx)
		return func() {
			j.writes--
			switch {
			case j.ctx.Err() != nil:
			case done != nil:
				done(err)
			case err != nil:
				j.failed(err)
			}
			if j.written != nil {
				j.written()
			}
		}
	})
}

// batch is the requests that askTogether shows at once.
type batch struct {
	loads []func() func()
}

// askTogether shows the answers to all that f asks for at once, and then calls shown.
func (j *jobs) askTogether(f, shown func()) {
	b := &batch{}
	j.batch = b
	f()
	j.batch = nil
	tells := make([]func(), len(b.loads))
	j.run(func() {
		var loading sync.WaitGroup
		for i, load := range b.loads {
			loading.Go(func() { tells[i] = load() })
		}
		loading.Wait()
		j.do(func() {
			for _, tell := range tells {
				if tell != nil {
					tell()
				}
			}
			shown()
		})
	})
}
