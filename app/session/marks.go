package session

import (
	"context"
	"sync"

	"kairos/reader"
)

// Marks writes the marks of articles one after the other, so that of two marks of an article the last one counts, and knows
// those that are on their way to the store. But for what Undo returns it belongs to the window's goroutine.
type Marks struct {
	store  MarkStore
	jobs   Jobs
	values map[articleFlag]pendingValue
	count  int // of marks so far

	mu   sync.Mutex    // guards last
	last chan struct{} // closed when the last mark is stored or has failed
}

// MarkStore stores marks and returns the articles that had not been marked so.
type MarkStore interface {
	Set(ctx context.Context, ids []int64, flag reader.Flag, on bool) (changed []int64, err error)
	AllRead(ctx context.Context, q reader.Query) (changed []int64, err error)
}

// Jobs runs f off the window's goroutine, and then done on it.
type Jobs interface {
	Work(f func(ctx context.Context) error, done func(error))
}

// articleFlag is one flag of one article.
type articleFlag struct {
	id   int64
	flag reader.Flag
}

// pendingValue is the value a flag will get, and the number of the mark that sets it.
type pendingValue struct {
	on     bool
	number int
}

// NewMarks returns the marks of a store.
func NewMarks(store MarkStore, jobs Jobs) *Marks {
	m := &Marks{store: store, jobs: jobs, values: map[articleFlag]pendingValue{}, last: make(chan struct{})}
	close(m.last)
	return m
}

// Value is the value that a flag of an article will have once all marks are stored.
func (m *Marks) Value(a *reader.Article, flag reader.Flag) bool {
	if v, ok := m.values[articleFlag{a.ID, flag}]; ok {
		return v.on
	}
	return *FlagOf(a, flag)
}

// IsRead is Value of the flag that an article is read.
func (m *Marks) IsRead(a *reader.Article) bool { return m.Value(a, reader.FlagRead) }

// FlagOf is a flag of an article: whether it is starred, else whether it is read.
func FlagOf(a *reader.Article, flag reader.Flag) *bool {
	if flag == reader.FlagStarred {
		return &a.Starred
	}
	return &a.Read
}

// Set sets or clears a flag of a few articles, of which Value knows at once, and then calls done with those it has changed.
func (m *Marks) Set(ids []int64, flag reader.Flag, on bool, done func(changed []int64, err error)) {
	m.count++
	number := m.count
	for _, id := range ids {
		m.values[articleFlag{id, flag}] = pendingValue{on, number}
	}
	m.SetMany(ids, flag, on, func(changed []int64, err error) {
		for _, id := range ids {
			if f := (articleFlag{id, flag}); m.values[f].number == number {
				delete(m.values, f)
			}
		}
		done(changed, err)
	})
}

// SetMany is Set for any number of articles, of which Value does not know.
func (m *Marks) SetMany(ids []int64, flag reader.Flag, on bool, done func(changed []int64, err error)) {
	m.write(func(ctx context.Context) ([]int64, error) { return m.store.Set(ctx, ids, flag, on) }, done)
}

// Toggle sets a flag of articles, or clears it if all of them have it, and then calls done with those it has changed.
func (m *Marks) Toggle(ids []int64, flag reader.Flag, done func(on bool, changed []int64, err error)) {
	on := true
	m.write(func(ctx context.Context) ([]int64, error) {
		changed, err := m.store.Set(ctx, ids, flag, true)
		if err != nil || len(changed) > 0 {
			return changed, err
		}
		on = false
		return m.store.Set(ctx, ids, flag, false)
	}, func(changed []int64, err error) { done(on, changed, err) })
}

// AllRead marks the articles of queries as read, and then calls done with those it has changed.
func (m *Marks) AllRead(done func(changed []int64, err error), queries ...reader.Query) {
	m.write(func(ctx context.Context) (changed []int64, err error) {
		for _, q := range queries {
			ids, err := m.store.AllRead(ctx, q)
			changed = append(changed, ids...)
			if err != nil {
				return changed, err
			}
		}
		return changed, nil
	}, done)
}

// Undo returns the function that takes a mark back; it may be called on any goroutine.
func (m *Marks) Undo(changed []int64, flag reader.Flag, on bool) func(context.Context) error {
	return func(ctx context.Context) error {
		before, stored := m.turn()
		defer close(stored)
		<-before
		_, err := m.store.Set(ctx, changed, flag, !on)
		return err
	}
}

// write stores marks when those before are stored.
func (m *Marks) write(store func(context.Context) ([]int64, error), done func(changed []int64, err error)) {
	var changed []int64
	before, stored := m.turn()
	m.jobs.Work(func(ctx context.Context) (err error) {
		defer close(stored)
		<-before
		changed, err = store(ctx)
		return err
	}, func(err error) { done(changed, err) })
}

// turn queues a mark: before is closed when the mark before is stored, and stored is to be closed when this one is.
func (m *Marks) turn() (before, stored chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, stored = m.last, make(chan struct{})
	m.last = stored
	return before, stored
}
