package app

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/fonts"
	"kairos/app/glyphs"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/widgets"
)

// settingFontHints holds the scripts, with blanks between, that the user does not want to be told about again.
const settingFontHints = "view.fontHints"

// fontHint is the line above the status bar that tells which scripts no installed font has, until it is put away.
type fontHint struct {
	shell   *shell.Shell
	resized func() // the line has appeared or gone
	pane    *fyne.Container
	text    *widgets.Text
	missing []string // scripts, in the order in which text needed them
	away    []string // those put away
	loaded  bool     // away is known
	request async.Request
}

func newFontHint(sh *shell.Shell, resized func()) *fontHint {
	h := &fontHint{shell: sh, resized: resized, text: widgets.NewText("", widgets.Plain)}
	h.pane = newHintPane(h.text, h.putAway)
	return h
}

// load reads what was put away, and looks whether the window could not be in its language.
func (h *fontHint) load() {
	if script := language.Undrawn(); script != "" {
		h.missing = append(h.missing, script)
	}
	async.Load(h.shell.Jobs, &h.request, func(ctx context.Context) (string, error) {
		return h.shell.Home.Store.Settings.Get(ctx, settingFontHints, "")
	}, func(stored string) {
		h.away, h.loaded = strings.Fields(stored), true
		h.show()
	})
}

// check looks for scripts that no installed font has. It may be called while something is laid out.
func (h *fontHint) check(texts ...string) {
	for _, t := range texts {
		if script := glyphs.Missing(t); script != "" && !slices.Contains(h.missing, script) {
			h.missing = append(h.missing, script)
			h.shell.Do(h.show)
		}
	}
}

// show reports the scripts that were not put away, if there are any.
func (h *fontHint) show() {
	if !h.loaded {
		return
	}
	scripts := h.scripts()
	if len(scripts) > 0 {
		h.text.SetText(missingFontsText(scripts), widgets.Plain)
	}
	if h.pane.Hidden != (len(scripts) == 0) {
		h.pane.Hidden = !h.pane.Hidden
		h.resized()
	}
}

// scripts are those that are told. One package is told about once.
func (h *fontHint) scripts() []string {
	return slices.DeleteFunc(slices.Clone(h.missing), func(script string) bool {
		pkg := fonts.Package(script)
		return slices.ContainsFunc(h.away, func(s string) bool { return s == script || pkg != "" && fonts.Package(s) == pkg })
	})
}

func (h *fontHint) putAway() {
	h.shell.Used()
	h.away = append(h.away, h.scripts()...)
	h.shell.StoreSetting(settingFontHints, strings.Join(h.away, " "), nil)
	h.show()
}

// missingFontsText tells that no installed font has some scripts, and that the window is in English for that reason.
func missingFontsText(scripts []string) string {
	p := language.Printer()
	told := p.MissingFonts(scripts, fonts.Packages(scripts...))
	if slices.Contains(scripts, language.Undrawn()) {
		return p.Sentences(told, lang.L("Until then the window is in English."))
	}
	return told
}
