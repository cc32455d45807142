package session

import (
	"slices"

	"kairos/reader"
)

// ToggleStory lists all articles of a story, or the first one only; it reports which.
func (l *List) ToggleStory(story int64) (all bool) {
	if at := slices.Index(l.Stories, story); at >= 0 {
		l.Stories = slices.Delete(slices.Clone(l.Stories), at, at+1)
		return false
	}
	l.Stories = append(slices.Clone(l.Stories), story)
	return true
}

// Unfolded reports whether all articles of the story of an article are listed.
func (l *List) Unfolded(a *reader.Article) bool {
	return a != nil && a.Story != 0 && slices.Contains(l.Stories, a.Story)
}

// Other reports whether row i is one of the other articles of a story, which stand below the one that stands for it.
func (l *List) Other(i int) bool {
	if i < 1 || i >= len(l.IDs) {
		return false
	}
	a, above := l.Loaded[l.IDs[i]], l.Loaded[l.IDs[i-1]]
	return l.Unfolded(a) && above != nil && above.Story == a.Story
}

// Head is the row of the article that stands for the story which row i belongs to.
func (l *List) Head(i int) int {
	for l.Other(i) {
		i--
	}
	return i
}

// storyRows returns the articles listed of the story of an article, if all of it is listed.
func (l *List) storyRows(id int64) []int64 {
	if !l.Unfolded(l.Loaded[id]) {
		return nil
	}
	row := slices.Index(l.IDs, id)
	if row < 0 {
		return nil
	}
	from, to := l.Head(row), row+1
	for l.Other(to) {
		to++
	}
	return l.IDs[from:to]
}
