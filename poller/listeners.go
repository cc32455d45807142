package poller

import (
	"slices"
	"sync"
)

// listeners are functions that want to be told of something. Its zero value has none.
type listeners[T any] struct {
	mu  sync.Mutex
	all []*func(T)
}

// add calls f with everything told until the returned function is called.
func (l *listeners[T]) add(f func(T)) (stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry := &f
	l.all = append(l.all, entry)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = slices.DeleteFunc(slices.Clone(l.all), func(other *func(T)) bool { return other == entry })
	}
}

// any reports whether somebody listens.
func (l *listeners[T]) any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all) > 0
}

// tell calls all of them, in the order they were added.
func (l *listeners[T]) tell(v T) {
	l.mu.Lock()
	all := l.all
	l.mu.Unlock()
	for _, f := range all {
		(*f)(v)
	}
}
