package verbs

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/app/owner"
)

// After an upgrade the older program still runs: the newer one that asks it is told so, where that matters.
func TestVerbsOfAnotherVersion(t *testing.T) {
	h, err := home.Open(t.Context(), t.TempDir(), home.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close() //nolint:errcheck // nothing was written
	var shown []string
	h.Show = func(s home.SecondStart) { shown = append(shown, s.Version+s.Token+s.Command) }
	verbs := newRemoteVerbs(h)
	for _, c := range []struct {
		from, verb string
		code       int
		told       bool
	}{
		{home.Version, "fly", exitUsage, false},
		{"99.1.0", "fly", exitUsage, true},
		{"99.1.0", "feeds", exitDone, false},
		{"", "fly", exitUsage, false},
		{home.Version, "show", exitDone, false},
		{"99.1.0", "show", exitDone, false},
		{home.Version, "show --do refresh", exitDone, false},
		{home.Version, "show --do quit", exitUsage, false},
	} {
		var said bytes.Buffer
		code := verbs.handle(owner.WithSender(t.Context(), owner.Sender{Version: c.from, Token: "+token"}), strings.Fields(c.verb), t.TempDir(), io.Discard, &said)
		told := strings.Contains(said.String(), "still version "+home.Version) && strings.Contains(said.String(), "version 99.1.0")
		if code != c.code || told != c.told {
			t.Errorf("%s of %q: exit %d, %q", c.verb, c.from, code, said.String())
		}
	}
	if strings.Join(shown, " ") != "+token 99.1.0+token +tokenrefresh" {
		t.Errorf("the window is told about %q", shown)
	}
}
