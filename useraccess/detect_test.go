package useraccess

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// noon is on a Wednesday.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// TestDetector replays events of the window such as "12:00:03 tick". Events followed by a time tell about an access then: the
// moment of focus that they confirm, or their own (an exclamation mark).
func TestDetector(t *testing.T) {
	for name, c := range map[string]struct {
		logged string // last use in the log
		script string
	}{
		"focus held three seconds": {"", "12:00:00 focus, 12:00:03 tick 12:00:00"},
		"passing by":               {"", "12:00:00 focus, 12:00:02 tick, 12:00:02 blur"},
		"passing by twice":         {"", "12:00:00 focus, 12:00:02 blur, 12:00:02 focus, 12:00:04 tick, 12:00:05 tick 12:00:02"},
		"blur without a tick":      {"", "12:00:00 focus, 12:00:05 blur 12:00:00"},
		"input at once":            {"", "12:00:00 focus, 12:00:01 input 12:00:00, 12:00:03 tick, 12:00:09 blur"},
		"input without focus":      {"", "12:00:00 input !"},
		"a tick without focus":     {"", "12:00:00 tick"},
		"a tick after blur":        {"", "12:00:00 focus, 12:00:01 blur, 12:00:03 tick"},
		"a focus counts once":      {"", "12:00:00 focus, 12:00:03 tick 12:00:00, 12:30:00 tick, 13:00:00 blur"},
		"two focus events":         {"", "12:00:00 focus, 12:00:02 focus, 12:00:03 tick 12:00:00"},
		"just within ten minutes":  {"", "12:00:00 input !, 12:09:59 input"},
		"ten minutes later":        {"", "12:00:00 input !, 12:10:00 input !"},
		"use goes on":              {"", "12:00:00 input !, 12:09:00 input, 12:18:00 input, 12:27:00 input, 12:37:00 input !"},
		"coming back soon":         {"", "12:00:00 input !, 12:01:00 blur, 12:05:00 focus, 12:05:03 tick"},
		"coming back late":         {"", "12:00:00 input !, 12:01:00 blur, 12:11:00 focus, 12:11:03 tick 12:11:00"},
		"closed and opened again":  {"11:55:00", "12:00:00 focus, 12:00:03 tick, 12:04:59 input"},
		"opened the next day":      {"01:00:00", "12:00:00 input !"},
		"clock set back in use":    {"", "12:00:00 input !, 11:00:00 input, 11:05:00 input, 11:15:00 input !"},
		"clock set back in focus":  {"", "12:00:00 focus, 11:59:00 tick, 12:00:03 tick 12:00:00"},
		"clock set forward":        {"", "12:00:00 input !, 18:00:00 input !, 12:00:10 input"},
		"log in the future":        {"23:00:00", "12:00:00 input !, 12:01:00 input"},
		"a sleep under focus":      {"", "12:00:00 focus, 20:00:00 tick !, 20:00:01 input"},
		"input in a window kept":   {"", "12:00:00 focus, 12:00:03 tick 12:00:00, 13:00:00 input !"},
		"input after a blur":       {"", "12:00:00 focus, 12:00:01 blur, 12:00:02 input !"},
		"input, set back in focus": {"", "12:00:00 focus, 11:00:00 input !"},
		"just before ten minutes":  {"", "12:00:00 input !, 12:09:59 focus, 12:10:00 input 12:09:59"},
	} {
		d := NewDetector(time.Time{})
		if c.logged != "" {
			d.SetLastUse(clock(t, c.logged))
		}
		for _, line := range strings.Split(c.script, ", ") {
			words := strings.Fields(line)
			at := clock(t, words[0])
			var got time.Time
			var access bool
			switch words[1] {
			case "focus":
				if held := d.Focus(at); held != minFocus {
					t.Errorf("%s: Focus asks for a Tick after %v", name, held)
				}
			case "tick":
				got, access = d.Tick(at)
			case "blur":
				got, access = d.Blur(at)
			case "input":
				got, access = d.Input(at)
			}
			want := time.Time{}
			switch {
			case len(words) > 2 && words[2] == "!":
				want = at
			case len(words) > 2:
				want = clock(t, words[2])
			}
			if access != (len(words) > 2) || !got.Equal(want) {
				t.Errorf("%s: %q: access %t at %s, want %s", name, line, access, got, want)
			}
		}
	}
}

// clock returns a time of the day of noon.
func clock(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.TimeOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return noon.Truncate(24 * time.Hour).Add(at.Sub(at.Truncate(24 * time.Hour)))
}

func TestDetectorIgnoresTheLogAfterAnEvent(t *testing.T) {
	d := NewDetector(time.Time{})
	d.Input(noon)
	d.SetLastUse(noon.Add(-5 * time.Hour))
	d.SetLastUse(noon.Add(5 * time.Hour))
	if !d.LastUse().Equal(noon) {
		t.Errorf("last use %v", d.LastUse())
	}
}

// The detector uses the wall clock: monotonic clocks stand still in suspend.
func TestDetectorUsesTheWallClock(t *testing.T) {
	d := NewDetector(time.Time{})
	now := time.Now()
	d.Input(now)
	d.Focus(now)
	for name, kept := range map[string]time.Time{"last use": d.lastUse, "focus": d.focused} {
		if strings.Contains(kept.String(), "m=") {
			t.Errorf("the %s has a monotonic reading: %v", name, kept)
		}
	}
	if s := fmt.Sprint(now); !strings.Contains(s, "m=") {
		t.Errorf("time.Now has no monotonic reading here: %s", s)
	}
}
