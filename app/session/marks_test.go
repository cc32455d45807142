package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"kairos/reader"
)

// worker runs work on goroutines, and what follows when the test asks for it.
type worker struct {
	t    *testing.T
	done chan func()
}

func (w worker) Work(f func(ctx context.Context) error, done func(error)) {
	go func() {
		err := f(w.t.Context())
		w.done <- func() { done(err) }
	}()
}

// slowStore stores a mark when the test lets it, and fails those of article 13.
type slowStore struct {
	release chan struct{}
	mu      sync.Mutex
	stored  []string
}

func (s *slowStore) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored = append(s.stored, what)
}

func (s *slowStore) Set(_ context.Context, ids []int64, flag reader.Flag, on bool) ([]int64, error) {
	<-s.release
	if slices.Contains(ids, 13) {
		return nil, errors.New("no room")
	}
	s.note(fmt.Sprintf("%v %s %v", ids, flag, on))
	if flag == reader.FlagStarred && on { // they are starred already
		return nil, nil
	}
	return ids, nil
}

func (s *slowStore) AllRead(_ context.Context, q reader.Query) ([]int64, error) {
	<-s.release
	s.note(fmt.Sprint("all of ", q.Feed))
	return []int64{q.Feed}, nil
}

// Marks of all kinds are stored in the order in which they were asked for, undoing included, and a failed one holds up none.
func TestMarksKeepTheirOrder(t *testing.T) {
	store := &slowStore{release: make(chan struct{})}
	w := worker{t, make(chan func(), 10)}
	m := NewMarks(store, w)
	a := &reader.Article{ID: 1}
	var told []string
	tell := func(changed []int64, err error) { told = append(told, fmt.Sprint(changed, err)) }
	m.Set([]int64{1}, reader.FlagRead, true, tell)
	m.Set([]int64{13}, reader.FlagRead, true, tell)
	m.Set([]int64{1}, reader.FlagRead, false, tell)
	m.AllRead(tell, reader.Query{Feed: 7}, reader.Query{Feed: 8})
	m.SetMany([]int64{1, 2}, reader.FlagDeleted, true, tell)
	m.Toggle([]int64{3}, reader.FlagStarred, func(on bool, changed []int64, err error) {
		told = append(told, fmt.Sprint("toggled ", on, changed, err))
	})
	undone := make(chan error)
	go func() { undone <- m.Undo([]int64{1}, reader.FlagDeleted, true)(t.Context()) }()
	if m.Value(a, reader.FlagRead) || !m.Value(&reader.Article{ID: 13}, reader.FlagRead) || m.IsRead(&reader.Article{ID: 2}) {
		t.Error("the last mark of an article does not count before it is stored")
	}
	close(store.release)
	if err := <-undone; err != nil {
		t.Fatal(err)
	}
	for range 6 {
		(<-w.done)()
	}
	slices.Sort(told)
	want := []string{"[1 2] <nil>", "[1] <nil>", "[1] <nil>", "[7 8] <nil>", "[] no room", "toggled false [3] <nil>"}
	if !slices.Equal(told, want) {
		t.Errorf("told: %q", told)
	}
	stored := []string{"[1] read true", "[1] read false", "all of 7", "all of 8", "[1 2] deleted true", "[3] starred true", "[3] starred false", "[1] deleted false"}
	if got := slices.DeleteFunc(slices.Clone(store.stored), func(s string) bool { return s == "[1] deleted false" }); !slices.Equal(got, stored[:7]) {
		t.Errorf("stored: %q", store.stored)
	}
	if len(m.values) != 0 || m.Value(a, reader.FlagRead) {
		t.Errorf("on their way: %v", m.values)
	}
}
