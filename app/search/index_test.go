package search

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestIndexingText(t *testing.T) {
	test.NewTempApp(t)
	if got := (indexing{waiting: 1234}).text(); !strings.HasSuffix(got, "being built. Articles not searched yet: 1,234") {
		t.Error(got)
	}
	if got := (indexing{waiting: 7, damaged: true}).text(); !strings.Contains(got, "damaged") || !strings.HasSuffix(got, ": 7") {
		t.Error(got)
	}
}
