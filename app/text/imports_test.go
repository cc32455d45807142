package text

import (
	"slices"
	"testing"

	"kairos/reader"
	"kairos/reader/imports"
)

// Articles without a feed are told once, not as such that could not be read, too.
func TestImportNotesTellMissingArticlesOnce(t *testing.T) {
	r := &reader.ImportReport{Source: imports.Counts{Articles: 25}, Read: imports.Counts{Articles: 15}, Problems: []imports.Problem{{Code: imports.NoFeed, Count: 10}}}
	if got, want := English().ImportNotes(r), []string{"10 articles belong to no feed that can be subscribed to."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	r.Read.Articles = 14
	if got := English().ImportNotes(r); len(got) != 2 {
		t.Errorf("%q", got)
	}
}
