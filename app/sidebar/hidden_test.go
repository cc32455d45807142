package sidebar

import (
	"fmt"
	"testing"
)

func TestFoldersHideWhatIsBelow(t *testing.T) {
	s := &Pane{Collapsed: map[string]bool{"News": true, "News / World": false, "Ne": true, "Work / Code / Go": true, "": true}}
	for path, want := range map[string]bool{"": false, "News": true, "News / World": true, "News / World / Asia": true, "Newspapers": false,
		"Work": false, "Work / Code": false, "Work / Code / Go": true, "Work / Code / Go / Fyne": true, "Work / Code / Golf": false} {
		if s.hidden(path) != want {
			t.Errorf("%q: hidden is %v", path, !want)
		}
	}
	for i := range 5000 {
		s.Collapsed[fmt.Sprint("Folder ", i)] = true
	}
	if n := testing.AllocsPerRun(10, func() { s.hidden("Work / Code") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
