package app

import (
	"context"
	"sync"
)

// latest lets only the newest request of its kind answer.
type latest struct {
	cancel context.CancelFunc
	number int
}

// stop drops the request that is under way.
func (l *latest) stop() {
	if l.cancel != nil {
		l.cancel()
	}
	l.number++
}

// ask runs load off Fyne's goroutine and show on it, unless a newer request of
// the same kind was made meanwhile.
func ask[T any](w *window, l *latest, load func(ctx context.Context) (T, error), show func(T)) {
	answer := claim(w, l, load, show)
	if w.together != nil {
		w.together.loads = append(w.together.loads, answer)
		return
	}
	w.going.Go(func() {
		if tell := answer(); tell != nil {
			w.do(tell)
		}
	})
}

// askSoon is ask for what was asked for by hand: the next frame waits a little for it.
func askSoon[T any](w *window, l *latest, load func(ctx context.Context) (T, error), show func(T)) {
	w.frame.soon(patienceRead, w.going.Go, claim(w, l, load, show))
}

// claim lets a request of its kind take the place of the one before. The answer is loaded
// by what it returns, and told by what that returns: nil if the request was given up.
func claim[T any](w *window, l *latest, load func(ctx context.Context) (T, error), show func(T)) func() func() {
	l.stop()
	ctx, cancel := context.WithCancel(w.ctx)
	l.cancel = cancel
	number := l.number
	return func() func() {
		defer cancel()
		v, err := load(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			switch {
			case l.number != number:
			case err != nil:
				w.say(errorText(err))
			default:
				show(v)
			}
		}
	}
}

// work runs f off Fyne's goroutine and done, if not nil, on it. What f tells on its way by
// w.do may come behind done.
func (w *window) work(f func(ctx context.Context) error, done func(error)) {
	w.working++
	w.frame.soon(patienceWrite, w.going.Go, func() func() {
		err := f(w.ctx)
		return func() {
			w.working--
			switch {
			case w.ctx.Err() != nil:
			case done != nil:
				done(err)
			case err != nil:
				w.say(errorText(err))
			}
			w.leave()
		}
	})
}

// batch is what is asked for together.
type batch struct {
	loads []func() func()
}

// inOne lets all that f asks for be shown at once, and then calls shown.
func (w *window) inOne(f, shown func()) {
	b := &batch{}
	w.together = b
	f()
	w.together = nil
	tells := make([]func(), len(b.loads))
	w.going.Go(func() {
		var loading sync.WaitGroup
		for i, load := range b.loads {
			loading.Go(func() { tells[i] = load() })
		}
		loading.Wait()
		w.do(func() {
			for _, tell := range tells {
				if tell != nil {
					tell()
				}
			}
			shown()
		})
	})
}
