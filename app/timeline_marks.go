package app

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/reader"
)

// pendingMarks is the marks that are on their way to the store.
type pendingMarks struct {
	values map[articleFlag]pendingValue
	count  int           // of marks so far
	stored chan struct{} // closed when the last mark is stored or has failed
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

func newPendingMarks() pendingMarks {
	m := pendingMarks{values: map[articleFlag]pendingValue{}, stored: make(chan struct{})}
	close(m.stored)
	return m
}

// begin notes a mark and returns the function that notes its end. before is closed when the mark before is stored;
// stored is to be closed when this one is.
func (m *pendingMarks) begin(ids []int64, flag reader.Flag, on bool) (before, stored chan struct{}, end func()) {
	m.count++
	number := m.count
	for _, id := range ids {
		m.values[articleFlag{id, flag}] = pendingValue{on, number}
	}
	before, stored = m.stored, make(chan struct{})
	m.stored = stored
	return before, stored, func() {
		for _, id := range ids {
			if f := (articleFlag{id, flag}); m.values[f].number == number {
				delete(m.values, f)
			}
		}
	}
}

// value is the value that a flag of an article will have once all marks are stored.
func (m *pendingMarks) value(a *reader.Article, flag reader.Flag) bool {
	if v, ok := m.values[articleFlag{a.ID, flag}]; ok {
		return v.on
	}
	return *flagOf(a, flag)
}

func flagOf(a *reader.Article, flag reader.Flag) *bool {
	if flag == reader.FlagStarred {
		return &a.Starred
	}
	return &a.Read
}

// mark marks articles. They are shown as marked once that is stored, so that a mark on screen is never lost.
func (t *timeline) mark(ids []int64, flag reader.Flag, on bool) {
	t.markThen(ids, flag, on, func([]int64) {})
}

// markThen marks articles as mark does, and then calls done with those that were not marked before.
func (t *timeline) markThen(ids []int64, flag reader.Flag, on bool, done func(changed []int64)) {
	var changed []int64
	before, stored, end := t.marks.begin(ids, flag, on)
	t.shell.Work(func(ctx context.Context) (err error) {
		defer close(stored)
		<-before // of two marks the last one counts
		changed, err = t.shell.Home.Marks.Set(ctx, ids, flag, on)
		return err
	}, func(err error) {
		end()
		if err == nil {
			for _, id := range ids {
				if a := t.rows[id]; a != nil {
					*flagOf(a, flag) = on
				}
			}
			t.marked(flag, on, ids)
			done(changed)
		}
		t.list.Refresh()
		t.marking()
		if err != nil {
			t.shell.Say(language.Printer().Sentences(lang.L("The articles could not be marked."), language.Error(err)))
		}
	})
}

// markRead marks an article that was opened as read; it stays in the list.
func (t *timeline) markRead(id int64) {
	t.mark([]int64{id}, reader.FlagRead, true)
	t.keepListed([]int64{id})
}
