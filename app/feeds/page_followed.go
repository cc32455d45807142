package feeds

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/reader"
)

// mostNamed is how many feeds of a list have a button on its page: the folder of the list has all of them.
const mostNamed = 24

// followed shows on the page of a list which feeds it names, each with a button that opens it, and resumes those that it has brought
// paused.
type followed struct {
	*fyne.Container
	actions *Actions
	facts   *widgets.Text
	resume  *widgets.Button
	names   *fyne.Container
	more    *widgets.Text
	shown   []reader.FollowedFeed // by names
	paused  []int64               // that are resumed
}

func newFollowed(actions *Actions) *followed {
	f := &followed{actions: actions, facts: widgets.NewText("", widgets.Plain), names: widgets.NewFlow(4), more: widgets.NewText("", widgets.Muted)}
	f.resume = widgets.NewIconButton("", theme.MediaPlayIcon(), func() {
		actions.Shell.Used()
		actions.resumeImported(f.paused)
	})
	f.Container = widgets.NewLabeled(factNameWidth, widgets.NewText(lang.L("List of feeds"), widgets.Label),
		widgets.NewColumn(4, f.facts, widgets.NewFlow(0, f.resume), f.names, f.more))
	return f
}

// set shows what a list names; nil hides it.
func (f *followed) set(named *reader.Followed) {
	if f.Hidden = named == nil; f.Hidden {
		return
	}
	f.facts.SetText(language.Printer().FollowedFacts(named), widgets.Plain)
	f.paused = named.Resumable()
	if f.resume.Hidden = len(f.paused) == 0; !f.resume.Hidden {
		f.resume.SetText(lang.N("Resume these {{.PluralCount}} feeds", len(f.paused)))
	}
	feeds := named.Feeds[:min(len(named.Feeds), mostNamed)]
	if rest := len(named.Feeds) - len(feeds); rest > 0 {
		f.more.SetText(lang.N("and {{.PluralCount}} more in the folder of the list", rest), widgets.Muted)
	}
	f.more.Hidden = len(feeds) == len(named.Feeds)
	if slices.Equal(feeds, f.shown) {
		return // the buttons stay, so that one of them keeps the focus
	}
	f.shown = slices.Clone(feeds)
	f.names.RemoveAll()
	for _, one := range feeds {
		f.names.Add(f.button(one))
	}
}

// button opens a feed of the list.
func (f *followed) button(one reader.FollowedFeed) *widgets.Button {
	icon := fyne.Resource(nil)
	if one.Paused {
		icon = theme.MediaPauseIcon()
	}
	b := widgets.NewIconButton(text.CutMiddle(one.Title, 40), icon, func() {
		f.actions.Shell.Used()
		if known := f.actions.Library.Feed(one.ID); known != nil {
			f.actions.Sidebar.ChooseFeed(*known)
		}
	})
	b.Importance = widget.LowImportance
	return b
}
