package poller

import (
	"slices"
	"sync"
)

// listeners are functions that are called with values of a type. The zero value has none.
type listeners[T any] struct {
	mu  sync.Mutex
	all []*func(T)
}

// add adds f until the returned function is called.
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

// any reports whether there are listeners.
func (l *listeners[T]) any() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all) > 0
}

// tell calls all of them with v, in the order they were added.
func (l *listeners[T]) tell(v T) {
	l.mu.Lock()
	all := l.all
	l.mu.Unlock()
	for _, f := range all {
		(*f)(v)
	}
}
