package sidebar

import (
	"fmt"
	"testing"

	"kairos/app/session"
	"kairos/reader"
)

// The chosen feed stands where it stood when a section appears above it, or goes; what is at its top stays there as long as that is in sight.
func TestListKeepsItsPlace(t *testing.T) {
	p := newPane(t)
	for i := range 40 {
		p.room.Exec(t, "INSERT INTO feed (url, same, title, added) VALUES (?, ?, ?, 0)", fmt.Sprint("https://x.test/", i), fmt.Sprint(i), fmt.Sprintf("More %02d", i))
	}
	p.library.Reload()
	p.room.Queue.Until("they are listed", func() bool { return len(p.Items) > 40 })
	var label reader.Label
	section := func(on bool) {
		t.Helper()
		var err error
		if n := len(p.Items); on {
			label.ID, err = p.room.Home.Marks.Labels.Save(t.Context(), reader.Label{Name: "Birds"})
			p.library.Reload()
			p.room.Queue.Until("there is a section", func() bool { return len(p.Items) == n+2 })
		} else {
			_, err = p.room.Home.Marks.Labels.Delete(t.Context(), label.ID)
			p.library.Reload()
			p.room.Queue.Until("it is gone", func() bool { return len(p.Items) == n-2 })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	stands := func() float32 { return float32(p.List.Chosen)*(rowHeight+4) - p.List.GetScrollOffset() }
	p.ChooseKey(session.Unread)
	if section(true); p.List.GetScrollOffset() != 0 {
		t.Errorf("scrolled to %v", p.List.GetScrollOffset())
	}
	section(false)
	p.List.Select(len(p.Items) - 20)
	for _, row := range []int{len(p.Items) - 20, 16} { // in the middle of what was scrolled, and at the lower edge of what was not
		p.List.ScrollToOffset(0)
		p.List.Select(row)
		key, at := p.room.Session.Place.Key, stands()
		for _, on := range []bool{true, false} {
			if section(on); p.room.Session.Place.Key != key || stands() != at || !p.List.InSight(p.List.Chosen) {
				t.Errorf("row %d, section %v: stands at %v, want %v", row, on, stands(), at)
			}
		}
	}
	p.List.ScrollToOffset(100) // what is chosen is not in sight: the topmost row stays
	p.ChooseKey(session.Unread)
	p.List.ScrollToOffset(500)
	if section(true); p.List.GetScrollOffset() != 500+2*(rowHeight+4) {
		t.Errorf("scrolled to %v", p.List.GetScrollOffset())
	}
}

// The arrows fold the chosen folder, and have nothing to do with one that is folded so already, nor with a feed.
func TestFoldChosen(t *testing.T) {
	p := newPane(t)
	p.ChooseKey(session.FolderKey("News"))
	fold := func(step, rows int, want bool) {
		t.Helper()
		if got := p.FoldChosen(step); got != want {
			t.Errorf("step %d: %v", step, got)
		}
		p.room.Queue.Until(fmt.Sprint(rows, " rows are left"), func() bool { return len(p.Items) == rows })
	}
	fold(1, 9, false)
	fold(-1, 8, true)
	fold(-1, 8, false)
	fold(1, 9, true)
	p.ChooseKey(p.Items[7].Key)
	fold(-1, 9, false)
	fold(1, 9, false)
}

// A folder that is given the name of another one is merged with it, and that is said.
func TestRenamingMergesFolders(t *testing.T) {
	p := newPane(t)
	p.room.Exec(t, "UPDATE feed SET folder = 'Other' WHERE id = 1")
	p.room.Fill()
	news := session.FolderPlace("News", "News", false)
	for path, want := range map[string]string{"Other": "News merged with Other", "News / Deep": "News renamed", "Othe": "News renamed"} {
		if got := p.renamedText(news, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
