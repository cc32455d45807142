package app

import (
	"reflect"
	"slices"

	"kairos/reader"
)

// pageSize is how many rows are loaded at a time.
const pageSize = 100

// timelineRows is what the timeline knows of its articles: the ids of all, and the rows that were loaded.
type timelineRows struct {
	ids     []int64
	part    bool                      // ids are the first of more, which are being listed
	rows    map[int64]*reader.Article // by id
	loading map[int]bool              // pages that were asked for
	version int                       // of ids: pages that were asked for before are dropped
}

func newTimelineRows(ids []int64, rows []reader.Article) timelineRows {
	r := timelineRows{ids: ids, rows: map[int64]*reader.Article{}, loading: map[int]bool{}}
	r.add(rows)
	return r
}

// take replaces everything by p.
func (r *timelineRows) take(p articlePage) {
	version := r.version + 1
	*r = newTimelineRows(p.ids, p.rows)
	r.version, r.part = version, p.part
}

// add adds rows that were loaded.
func (r *timelineRows) add(rows []reader.Article) {
	for i := range rows {
		r.rows[rows[i].ID] = &rows[i]
	}
}

// drop removes articles from the list before the store reports it.
func (r *timelineRows) drop(ids []int64) {
	gone := newIDSet(ids)
	r.version++
	r.loading = map[int]bool{}
	r.ids = slices.DeleteFunc(slices.Clone(r.ids), func(id int64) bool { return gone.has(id) })
}

// sameRows reports whether count rows from the one at index top on are known and equal in rows.
func (r *timelineRows) sameRows(rows []reader.Article, top, count int) bool {
	others := make(map[int64]*reader.Article, len(rows))
	for i := range rows {
		others[rows[i].ID] = &rows[i]
	}
	for _, id := range r.ids[min(top, len(r.ids)):min(top+count, len(r.ids))] {
		if was, is := r.rows[id], others[id]; was == nil || is == nil || !reflect.DeepEqual(was, is) {
			return false
		}
	}
	return true
}

// after is the article to go on with when ids are gone: the next below the last of them, else the last above; 0 if
// there is none.
func (r *timelineRows) after(ids []int64) int64 {
	gone := newIDSet(ids)
	var above int64
	passed := false
	for _, id := range r.ids {
		switch {
		case gone.has(id):
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
	are := newIDSet(others)
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return are.has(id) })
}
