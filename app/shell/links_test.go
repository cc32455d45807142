package shell

import (
	"net/url"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

// openedLinks is an app that notes what it opens; nothing else of it is used.
type openedLinks struct {
	fyne.App
	links []string
}

func (a *openedLinks) OpenURL(u *url.URL) error {
	a.links = append(a.links, u.String())
	return nil
}

// messages is a window that notes what it says; nothing else of it is used.
type messages struct {
	Host
	said []string
}

func (*messages) Used()             {}
func (m *messages) Say(text string) { m.said = append(m.said, text) }

// A link in an article attaches no file of this computer to a mail, and opens no file.
func TestOpenLink(t *testing.T) {
	app, window := &openedLinks{}, &messages{}
	s := &Shell{App: app, Host: window}
	for _, link := range []string{"https://example.org/?attach=x", "mailto:ann@example.org?subject=Hi&attach=/etc/passwd", "file:///etc/passwd", "vlc:x"} {
		s.OpenLink(link)
	}
	if want := []string{"https://example.org/?attach=x", "mailto:ann@example.org?subject=Hi"}; !slices.Equal(app.links, want) || len(window.said) != 2 {
		t.Errorf("opened %q and said %q", app.links, window.said)
	}
}
