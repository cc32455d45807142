package app

import (
	"context"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/home"
	"kairos/app/shell"
	"kairos/app/widgets"
)

// updateHint is the line above the status bar that reports a newer version, until it is put away.
type updateHint struct {
	shell   *shell.Shell
	resized func() // the line has appeared or gone
	pane    *fyne.Container
	text    *widgets.Text
	news    *widgets.Button // opens the page of the version
	told    home.Release
}

func newUpdateHint(sh *shell.Shell, resized func()) *updateHint {
	h := &updateHint{shell: sh, resized: resized, text: widgets.NewText("", widgets.Plain)}
	h.news = widgets.NewButton(lang.L("What is new"), h.open)
	h.news.Importance = widget.LowImportance
	h.pane = newHintPane(h.text, h.putAway, h.news)
	return h
}

// show shows a version, or none if it is the zero value.
func (h *updateHint) show(r home.Release) {
	if r == h.told {
		return
	}
	h.told = r
	h.text.SetText(lang.L("Kairos {{.Version}} is available.", map[string]any{"Version": r.Version}), widgets.Plain)
	h.news.Hidden = h.page() == nil
	h.pane.Hidden = r.Version == ""
	h.resized()
}

// started tells that another version was started, which found this one running: the program may have been upgraded
// meanwhile. "" is none.
func (h *updateHint) started(version string) {
	if version != "" {
		h.shell.Say(lang.L("This is still Kairos {{.Running}}. Press Ctrl+Q and start it again to use {{.Started}}.",
			map[string]any{"Running": home.Version, "Started": version}))
	}
}

// page is the address of what is new, nil if it is not on the web.
func (h *updateHint) page() *url.URL {
	u, err := url.Parse(h.told.Page)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	return u
}

func (h *updateHint) open() {
	h.shell.Used()
	if u := h.page(); u != nil {
		if err := h.shell.App.OpenURL(u); err != nil {
			h.shell.Fail(err)
		}
	}
}

func (h *updateHint) putAway() {
	h.shell.Used()
	version := h.told.Version
	h.show(home.Release{})
	h.shell.Work(func(ctx context.Context) error { return h.shell.Home.Updates().PutAway(ctx, version) }, nil)
}
