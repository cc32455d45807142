package call

import (
	"slices"
	"testing"
)

// A cursor leads through the lists of all stages. Versions of Kairos before have stored the beginning of a list as after 0.
func TestCursors(t *testing.T) {
	var got []string
	for text, pages := "", 0; ; pages++ {
		c, after, err := ParseNumber(text)
		if err != nil || pages > 5 {
			t.Fatalf("%q: %v", text, err)
		}
		got = append(got, c.Stage)
		next := ""
		if c.Stage == Starred && after == 0 {
			next = "7"
		}
		if text = c.Next(next); text == "" {
			break
		}
	}
	if want := []string{Unread, Starred, Starred, Read}; !slices.Equal(got, want) {
		t.Errorf("pages of %q, want %q", got, want)
	}
	if c, after, err := ParseNumber("starred:0"); err != nil || c.Stage != Starred || after != 0 {
		t.Errorf("%+v, %d, %v", c, after, err)
	}
	for _, wrong := range []string{"other:1", "unread:x", ":"} {
		if _, _, err := ParseNumber(wrong); err == nil {
			t.Errorf("%q is a cursor", wrong)
		}
	}
}
