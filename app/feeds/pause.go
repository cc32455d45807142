package feeds

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/reader"
)

// Pause stops the background fetches of feeds, or resumes them, which can be undone. Feeds that are as wanted, and those of
// accounts, whose servers fetch them, stay as they are.
func (a *Actions) Pause(paused bool, feeds ...reader.Feed) {
	feeds = slices.DeleteFunc(slices.Clone(feeds), func(f reader.Feed) bool { return f.Account != 0 || f.Paused == paused })
	if len(feeds) == 0 {
		return
	}
	set := func(ctx context.Context, paused bool) error {
		for _, f := range feeds {
			f.Paused = paused
			if err := a.Shell.Home.Subscriptions.Update(ctx, f, nil); err != nil {
				return err
			}
		}
		return nil
	}
	a.Shell.Work(func(ctx context.Context) error { return set(ctx, paused) }, func(err error) {
		if err != nil {
			a.Shell.Fail(err)
			return
		}
		a.Shell.AddUndoRedo(pausedText(paused, feeds), func(ctx context.Context) error { return set(ctx, !paused) },
			func(ctx context.Context) error { return set(ctx, paused) })
	})
}

func pausedText(paused bool, feeds []reader.Feed) string {
	one := map[string]any{"Feed": feeds[0].Title}
	switch {
	case len(feeds) == 1 && paused:
		return lang.L("Paused {{.Feed}}", one)
	case len(feeds) == 1:
		return lang.L("Resumed {{.Feed}}", one)
	case paused:
		return lang.N("{{.PluralCount}} feeds paused", len(feeds))
	}
	return lang.N("{{.PluralCount}} feeds resumed", len(feeds))
}

// resumeImported resumes feeds that an import has paused, and fetches them as it does others, so that their progress is shown and what
// could not be read is reported.
func (a *Actions) resumeImported(ids []int64) {
	var feeds []reader.Feed
	var there []int64
	for _, id := range ids {
		if f := a.Library.Feed(id); f != nil {
			feeds, there = append(feeds, *f), append(there, id)
		}
	}
	if len(there) > 0 {
		a.fetch(there, FetchImported)
		a.Pause(false, feeds...)
	}
}

// PauseItems returns the entries of a menu that pause and resume feeds: those that would change something.
func (a *Actions) PauseItems(feeds ...reader.Feed) (items []*fyne.MenuItem) {
	fetched := func(f reader.Feed) bool { return f.Account == 0 && !f.Paused }
	paused := func(f reader.Feed) bool { return f.Account == 0 && f.Paused }
	if slices.ContainsFunc(feeds, fetched) {
		items = append(items, fyne.NewMenuItem(lang.L("Pause fetching"), func() { a.Pause(true, feeds...) }))
	}
	if slices.ContainsFunc(feeds, paused) {
		items = append(items, fyne.NewMenuItem(lang.L("Resume fetching"), func() { a.Pause(false, feeds...) }))
	}
	return items
}

// ResumeChosen resumes the feeds, and the synchronization of the accounts, that are paused of those whose articles the chosen sidebar item
// lists.
func (a *Actions) ResumeChosen() {
	feeds := a.Library.FeedsBelow(a.Session.Place.Branch())
	for _, id := range accountsOf(feeds) {
		if account := a.Library.Account(id); account != nil && account.Paused {
			a.Accounts.pause(id, false)
		}
	}
	a.Pause(false, feeds...)
}

// SwitchPause resumes the feeds of the chosen sidebar item if they are all paused, and pauses them otherwise.
func (a *Actions) SwitchPause() {
	feeds := a.Library.FeedsOf(a.Session.Place.Branch())
	if len(feeds) == 0 {
		a.Shell.Say(lang.L("Select a feed or a folder first."))
		return
	}
	here := slices.DeleteFunc(slices.Clone(feeds), func(f reader.Feed) bool { return f.Account != 0 })
	if len(here) == 0 {
		a.Shell.Say(lang.L("The server of an account decides when to fetch its feeds."))
		return
	}
	a.Pause(slices.ContainsFunc(here, func(f reader.Feed) bool { return !f.Paused }), here...)
}
