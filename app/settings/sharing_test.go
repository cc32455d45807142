package settings

import (
	"slices"
	"strings"
	"testing"

	"kairos/app/share"
)

func TestServices(t *testing.T) {
	s, w, q := newSettings(t)
	p := newSharingPage(openDialog(t, s, General))
	p.content()
	stored := func() []share.Service {
		text, err := s.Home.Store.Settings.Get(t.Context(), share.Setting, "")
		if err != nil {
			t.Fatal(err)
		}
		services, err := share.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		return services
	}
	d := p.edit(share.Presets[0], -1)
	d.save()
	if !strings.Contains(d.problem.String(), "server") {
		t.Errorf("without a server: %q", d.problem.String())
	}
	d.server.SetText("chaos.social/")
	d.save()
	q.Until("Mastodon is there", func() bool { return len(p.services) == 1 && len(s.Dialogs.Open) == 1 })
	d = p.edit(share.Service{}, -1)
	d.name.SetText("Player")
	d.target.SetText("mpv {link}")
	d.save()
	if !strings.Contains(d.problem.String(), "{link}") {
		t.Errorf("an unknown placeholder: %q", d.problem.String())
	}
	d.target.SetText("mpv {url}")
	d.save()
	q.Until("the player is there", func() bool { return len(p.services) == 2 && w.shared == 2 })
	want := []share.Service{{Name: "Mastodon", Target: "https://chaos.social/share?text={title}%20{url}"}, {Name: "Player", Target: "mpv {url}"}}
	if got := stored(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	d = p.edit(p.services[1], 1)
	d.name.SetText("mpv")
	d.save()
	q.Until("it is renamed", func() bool { return p.services[1].Name == "mpv" })
	p.change(swapped(p.services, 0, 1), nil)
	q.Until("it stands first", func() bool { return p.services[0].Name == "mpv" })
	p.remove(0)
	q.Until("it is gone", func() bool { return len(p.services) == 1 && len(w.undo) == 1 })
	if err := w.undo[0](t.Context()); err != nil {
		t.Fatal(err)
	}
	q.Until("it is back", func() bool { return len(p.services) == 2 && p.services[0].Name == "mpv" })
}
