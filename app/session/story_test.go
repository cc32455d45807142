package session

import (
	"slices"
	"testing"

	"kairos/reader"
)

func TestStoriesOfAList(t *testing.T) {
	var l List
	l.Take(Page{IDs: []int64{9, 8, 7, 6}, Rows: []reader.Article{{ID: 9}, {ID: 8, Story: 5, Others: 1}, {ID: 7, Story: 5, Others: 1}, {ID: 6, Story: 4}}})
	if l.Other(2) || l.Unfolded(l.Loaded[8]) || l.Unfolded(nil) {
		t.Error("a story is unfolded that nobody has unfolded")
	}
	if !l.ToggleStory(5) || !l.Unfolded(l.Loaded[8]) {
		t.Error("it is not unfolded")
	}
	for row, want := range []bool{false, false, true, false, false} {
		if l.Other(row) != want {
			t.Errorf("row %d is another of a story: %v", row, !want)
		}
	}
	if l.Head(2) != 1 || l.Head(3) != 3 || l.Head(0) != 0 {
		t.Errorf("heads %d, %d and %d", l.Head(2), l.Head(3), l.Head(0))
	}
	if l.Keep(7); !slices.Equal(l.Kept, []int64{7, 8, 7}) {
		t.Errorf("with the other article that was read %v are kept", l.Kept)
	}
	if l.Keep(9); !slices.Equal(l.Kept, []int64{7, 8, 7, 9}) {
		t.Errorf("with an article without a story %v are kept", l.Kept)
	}
	if l.ToggleStory(5) || len(l.Stories) != 0 {
		t.Error("it is not folded again")
	}
	l.ToggleStory(5)
	if l.Reset(); len(l.Stories) != 0 {
		t.Error("another place shows it unfolded")
	}
}
