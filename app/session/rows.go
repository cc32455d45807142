package session

import (
	"reflect"
	"slices"

	"kairos/reader"
)

// PageSize is how many rows are loaded at a time.
const PageSize = 100

// Rows is what the timeline knows of its articles: the ids of all, and the rows that were loaded.
type Rows struct {
	IDs     []int64
	Awaited bool                      // nothing of the place is listed yet
	Part    bool                      // ids are the first of more, which are being listed
	Loaded  map[int64]*reader.Article // by id
	Loading map[int]bool              // pages that were asked for
	Version int                       // of ids: pages that were asked for before are dropped
	unread  int64                     // as Page has it
}

// Page is the answer to a reload: all ids, and the rows that are on screen.
type Page struct {
	IDs     []int64
	Part    bool // these ids are the first of more
	Rows    []reader.Article
	Unread  int64 // the first unread article, if it is none of Rows; 0 where that was not looked for, or there is none
	Current int64 // when it was asked for
}

func newRows(ids []int64, rows []reader.Article) Rows {
	r := Rows{IDs: ids, Loaded: map[int64]*reader.Article{}, Loading: map[int]bool{}}
	r.Add(rows)
	return r
}

// Take replaces everything by p.
func (r *Rows) Take(p Page) {
	version := r.Version + 1
	*r = newRows(p.IDs, p.Rows)
	r.Version, r.Part, r.unread = version, p.Part, p.Unread
}

// Add adds rows that were loaded.
func (r *Rows) Add(rows []reader.Article) {
	for i := range rows {
		r.Loaded[rows[i].ID] = &rows[i]
	}
}

// Drop removes articles from the list before the store reports it.
func (r *Rows) Drop(ids []int64) {
	gone := NewIDSet(ids)
	r.Version++
	r.Loading = map[int]bool{}
	r.IDs = slices.DeleteFunc(slices.Clone(r.IDs), func(id int64) bool { return gone.Has(id) })
}

// SameRows reports whether count rows from the one at index top on are known and equal in rows.
func (r *Rows) SameRows(rows []reader.Article, top, count int) bool {
	others := make(map[int64]*reader.Article, len(rows))
	for i := range rows {
		others[rows[i].ID] = &rows[i]
	}
	for _, id := range r.IDs[min(top, len(r.IDs)):min(top+count, len(r.IDs))] {
		if was, is := r.Loaded[id], others[id]; was == nil || is == nil || !reflect.DeepEqual(was, is) {
			return false
		}
	}
	return true
}

// After is the article to go on with when ids are gone: the next below the last of them, else the last above; 0 if
// there is none.
func (r *Rows) After(ids []int64) int64 {
	gone := NewIDSet(ids)
	var above int64
	passed := false
	for _, id := range r.IDs {
		switch {
		case gone.Has(id):
			passed = true
		case passed:
			return id
		default:
			above = id
		}
	}
	return above
}

// without returns ids without those that are among others.
func without(ids, others []int64) []int64 {
	are := NewIDSet(others)
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return are.Has(id) })
}
