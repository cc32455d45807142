package session

import (
	"iter"
	"slices"

	"kairos/reader"
)

// List is the articles that are listed, and what the user does with them. Its zero value lists none.
type List struct {
	Rows
	Order     Order
	Selection Selection
	Current   int64   // id of the article being read; 0: none
	Kept      []int64 // read since the place was chosen: they stay in Unread
	Cache     ListCache
	Stories   []int64 // whose articles are all listed

	postponed Step // until the list is there
}

// Reset drops the list of the place before.
func (l *List) Reset() {
	l.Kept, l.Current, l.Selection, l.IDs, l.Stories = nil, 0, Selection{}, nil, nil
	l.Awaited, l.postponed = true, NoStep
	l.Version++
}

// IsStale reports whether a page is from before the current article was opened, and does not have it.
func (l *List) IsStale(p Page) bool {
	return p.Current != l.Current && l.Current != 0 && !slices.Contains(p.IDs, l.Current)
}

// Keep keeps articles in the list although they are read now, with the rows of their stories: these are read together, and
// without the one that stands for a story the others would be gone, too.
func (l *List) Keep(ids ...int64) {
	l.Kept = append(l.Kept, ids...)
	for _, id := range ids {
		l.Kept = append(l.Kept, l.storyRows(id)...)
	}
	l.Kept = l.Kept[max(0, len(l.Kept)-maxKept):]
}

// maxKept bounds how many articles stay in Unread after they have been read.
const maxKept = 400

// Follow makes an article the current one.
func (l *List) Follow(id int64) { l.Current, l.Selection.Target, l.postponed = id, 0, NoStep }

// Row is where the current article stands, -1 if it is not listed.
func (l *List) Row() int {
	if l.Current == 0 {
		return -1
	}
	return slices.Index(l.IDs, l.Current)
}

// RowOf is where an article stands. One that is not listed is added at the top.
func (l *List) RowOf(id int64) (row int, added bool) {
	if row = slices.Index(l.IDs, id); row >= 0 {
		return row, false
	}
	l.IDs = append([]int64{id}, l.IDs...)
	return 0, true
}

// unreadBelow is the first row below another one whose article is not read, if all rows up to there are known.
func (l *List) unreadBelow(row int, read func(*reader.Article) bool) (next int, known bool) {
	for i := row + 1; i < len(l.IDs); i++ {
		a := l.Loaded[l.IDs[i]]
		if a == nil {
			return 0, false
		}
		if !read(a) {
			return i, true
		}
	}
	return 0, false
}

// NextOf is the first of the unread ids that stands below after in ids, else the first of all.
func NextOf(unread []int64, after int64, ids []int64) int64 {
	is := NewIDSet(unread)
	passed := false
	for _, id := range ids {
		if passed && is.Has(id) {
			return id
		}
		passed = passed || id == after
	}
	return unread[0]
}

// Targets returns the articles that a command applies to: the selected ones, else the one that a context menu was
// opened on, else the current one.
func (l *List) Targets() []int64 {
	if l.selects() {
		return slices.AppendSeq(make([]int64, 0, l.Selection.IDs.Len()), l.Selection.IDs.of(l.IDs))
	}
	return slices.Collect(l.EachTarget())
}

// EachTarget goes through the targets, for what need not see all: a million may be selected.
func (l *List) EachTarget() iter.Seq[int64] {
	if l.selects() {
		return l.Selection.IDs.of(l.IDs)
	}
	return func(yield func(int64) bool) {
		if target := l.Selection.Target; target != 0 {
			yield(target)
		} else if l.Current != 0 {
			yield(l.Current)
		}
	}
}

// selects reports whether commands apply to what is selected.
func (l *List) selects() bool {
	return l.Selection.IDs.Len() > 0 && (l.Selection.Target == 0 || l.Selection.IDs.Has(l.Selection.Target))
}

// Toggle adds row i to the selection or removes it.
func (l *List) Toggle(i int) {
	l.Selection.start(l.Current)
	id := l.IDs[i]
	if l.Selection.IDs.Has(id) {
		l.Selection.IDs.Remove(id)
	} else {
		l.Selection.IDs.Add(id)
	}
	l.Selection.from, l.Selection.to, l.Selection.Whole = id, id, false
}

// SelectTo selects the rows from where the selection started to row i.
func (l *List) SelectTo(i int) {
	l.Selection.start(l.Current)
	l.Selection.setRange(l.IDs, i)
}

// Extend is the row that the end of the selected range moves to by steps; ok is false in an empty list.
func (l *List) Extend(step int) (row int, ok bool) {
	if len(l.IDs) == 0 {
		return 0, false
	}
	l.Selection.start(l.Current)
	at := slices.Index(l.IDs, l.Selection.to)
	return min(max(at+step, 0), len(l.IDs)-1), true
}

// SelectAll selects all articles.
func (l *List) SelectAll() { l.Selection = wholeOf(l.IDs, l.Part) }

// ClearSelection leaves only the current article; it reports whether there was a selection.
func (l *List) ClearSelection() (had bool) {
	had = l.Selection.IDs.Len() > 0
	l.Selection = Selection{}
	return had
}
