package text

import (
	"testing"

	"kairos/app/player"
)

func TestPlayError(t *testing.T) {
	p := English()
	for want, e := range map[string]player.Error{
		"mpv cannot load this file: HTTP error 404 Not Found": {Code: player.NotLoaded, Value: "HTTP error 404 Not Found"},
		"mpv cannot load this file.":                          {Code: player.NotLoaded},
		"mpv cannot play this file: its format is unknown.":   {Code: player.UnknownFormat},
		"mpv ended with an error (exit status 2).":            {Code: player.Ended, Value: "2"},
		"mpv ended with an error.":                            {Code: player.Ended},
		"mpv cannot use the sound output of this computer.":   {Code: player.NoSound},
	} {
		if got := p.Error(&e); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
