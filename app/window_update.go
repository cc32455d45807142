package app

import (
	"context"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/widgets"
)

// updateHint is the line above the status bar that tells of a newer version, until it is put away.
type updateHint struct {
	*env
	pane *fyne.Container
	text *widgets.Text
	news *widgets.Button // opens the page of the version
	told home.Release
}

func newUpdateHint(e *env) *updateHint {
	h := &updateHint{env: e, text: widgets.NewText("", widgets.Plain)}
	h.news = widgets.NewButton(lang.L("What is new"), h.open)
	h.news.Importance = widget.LowImportance
	away := widgets.NewToolButton(lang.L("Do not show this again"), iconOf(theme.IconNameCancel), h.putAway)
	away.NoName = true
	away.SetText("")
	h.pane = container.NewBorder(nil, nil, nil, container.NewCenter(container.NewHBox(h.news, away)),
		container.New(layout.NewCustomPaddedLayout(8, 8, 8, 8), h.text))
	h.pane.Hide()
	return h
}

// show tells of a version, or of none if it is the zero value.
func (h *updateHint) show(r home.Release) {
	if r == h.told {
		return
	}
	h.told = r
	h.text.SetText(lang.L("Kairos {{.Version}} is available.", map[string]any{"Version": r.Version}), widgets.Plain)
	h.news.Hidden = h.page() == nil
	h.pane.Hidden = r.Version == ""
	h.win.Content().Refresh()
}

// started tells that another version was started, which found this one running: the program may have been upgraded
// meanwhile. "" is none.
func (h *updateHint) started(version string) {
	if version != "" {
		h.say(lang.L("This is still Kairos {{.Running}}. Press Ctrl+Q and start it again to use {{.Started}}.",
			map[string]any{"Running": home.Version, "Started": version}))
	}
}

// page is the address of what is new, nil if it is none of the web.
func (h *updateHint) page() *url.URL {
	u, err := url.Parse(h.told.Page)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	return u
}

func (h *updateHint) open() {
	h.used()
	if u := h.page(); u != nil {
		if err := h.app.OpenURL(u); err != nil {
			h.say(errorText(err))
		}
	}
}

func (h *updateHint) putAway() {
	h.used()
	version := h.told.Version
	h.show(home.Release{})
	h.Work(func(ctx context.Context) error { return h.home.Updates().PutAway(ctx, version) }, nil)
}
