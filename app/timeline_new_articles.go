package app

import (
	"slices"

	"fyne.io/fyne/v2/theme"
)

// tellFresh says how many articles have come above those on screen. At the top
// everything is seen.
func (t *timeline) tellFresh() {
	if len(t.ids) == 0 || t.arranged.oldest || t.arranged.group == byFeed {
		t.fresh.Hide()
		return
	}
	above := slices.Index(t.ids, t.head)
	if above < 0 || t.list.GetScrollOffset() < timelineRowHeight/2 {
		t.head, t.newest = t.ids[0], max(t.newest, slices.Max(t.ids))
		t.fresh.Hide()
		return
	}
	// What has come back, as by an undo, has an older number.
	came := 0
	for _, id := range t.ids[:above] {
		if id > t.newest {
			came++
		}
	}
	if came == 0 {
		t.fresh.Hide()
		return
	}
	t.fresh.SetText(freshText(came))
	t.fresh.Show()
}

// toTop shows what is new.
func (t *timeline) toTop() {
	t.w.used()
	t.list.ScrollToTop()
	t.tellFresh()
	t.w.win.Canvas().Focus(t.list)
}

// headingOf names the group that begins at row i, "" where none does.
func (t *timeline) headingOf(i int) string {
	a := t.rows[t.ids[i]]
	if t.arranged.group == byNone || a == nil {
		return ""
	}
	heading := t.arranged.heading(a, t.w.now())
	if i == 0 {
		return heading
	}
	// Where the row above is not loaded yet, nothing is said rather than too much.
	if above := t.rows[t.ids[i-1]]; above == nil || t.arranged.heading(above, t.w.now()) == heading {
		return ""
	}
	return heading
}

// prune takes what is no longer listed out of the choice.
func (t *timeline) prune() {
	listed := make(map[int64]bool, len(t.ids))
	for _, id := range t.ids {
		listed[id] = true
	}
	for id := range t.choice.ids {
		if !listed[id] {
			delete(t.choice.ids, id)
		}
	}
}

// rowStep is the distance between the tops of two rows.
func rowStep() float32 { return timelineRowHeight + theme.Padding() }
