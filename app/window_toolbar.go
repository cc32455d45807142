package app

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/language"
	"kairos/poller"
)

// toolbar is the row of buttons at the top, with the search and the toggle of
// battery saver.
func (w *window) toolbar() fyne.CanvasObject {
	button := func(text string, icon fyne.ThemeIconName, do func()) *widget.Button {
		b := widget.NewButtonWithIcon(text, iconOf(icon), func() {
			w.used()
			do()
		})
		b.Importance = widget.LowImportance
		return b
	}
	w.search = newSearchEntry(w)
	w.saver = button(lang.L("Battery saver: {{.State}}", map[string]any{"State": lang.L("off")}), theme.IconNameVolumeDown, w.cycleSaver)
	w.saver.SetIcon(batteryIcon)
	left := container.NewHBox(
		button(lang.L("Add feed"), theme.IconNameContentAdd, func() { w.addFeed("") }),
		button(lang.L("Refresh"), theme.IconNameViewRefresh, w.refresh),
		button(lang.L("Mark all read"), theme.IconNameConfirm, func() { w.perform("read-all") }),
	)
	return container.NewVBox(container.NewBorder(nil, nil, left, w.saver, w.search.bar), widget.NewSeparator())
}

var batteryIcon = svg("battery", `<path d="M16 5h-2V3h-4v2H8a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm-4 13l-2.500-.001L13 8v5h2.500z"/>`)

// showStatus shows what the poller's status says about battery saver.
func (w *window) showStatus(s poller.Status) {
	if saver := lang.L("Battery saver: {{.State}}", map[string]any{"State": saverText(s.Budget)}); w.saver.Text != saver {
		w.saver.SetText(saver)
	}
	w.pictures.set(w.pictures.load, s.Budget.Saving())
}

// cycleSaver goes from off to on to automatic.
func (w *window) cycleSaver() {
	w.Work(func(ctx context.Context) error {
		b, err := w.home.Poller.Budget(ctx)
		if err != nil {
			return err
		}
		next := map[poller.Saver]poller.Saver{poller.SaverOff: poller.SaverOn, poller.SaverOn: poller.SaverAuto}[b.Saver]
		if next == "" {
			next = poller.SaverOff
		}
		return w.home.Poller.SetSaver(ctx, next)
	}, w.reloadAfter)
}

func (w *window) setSaver(s poller.Saver) {
	w.Work(func(ctx context.Context) error { return w.home.Poller.SetSaver(ctx, s) }, w.reloadAfter)
}

func (w *window) setBudget(normal string) {
	w.Work(func(ctx context.Context) error { return w.home.Poller.SetBudget(ctx, normal) }, w.reloadAfter)
}

func (w *window) reloadAfter(err error) {
	if err != nil {
		w.say(errorText(err))
	}
	w.status.reload()
}

// refresh fetches what is chosen in the sidebar by hand.
func (w *window) refresh() {
	var ids []int64
	chosen := w.sidebar.chosen
	for _, f := range w.sidebar.feeds {
		if chosen.key == needyKey && !w.needy.has(f.ID) || chosen.feed != nil && chosen.feed.ID != f.ID || chosen.folder != "" && !inFolder(f.Folder, chosen.folder) {
			continue
		}
		if chosen.feed != nil || !f.Paused {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) == 0 {
		w.say(lang.L("There is nothing to fetch here."))
		return
	}
	w.fetch(ids, fetchedByHand)
}

// fetch fetches feeds by hand and says what came.
func (w *window) fetch(ids []int64, how fetched) {
	done, fresh, faults, said := 0, 0, 0, ""
	w.say(lang.L("Fetching {{.Feeds}}…", map[string]any{"Feeds": language.Printer().Feeds(len(ids))}))
	w.Work(func(ctx context.Context) error {
		_, err := w.home.Poller.Fetch(ctx, ids, func(o poller.Outcome) {
			w.Do(func() {
				done++
				fresh += o.New
				if o.Result == poller.Fault || o.Result == poller.Offline {
					faults++
					said = lang.L("{{.Feed}}: {{.Said}}", map[string]any{"Feed": o.Title, "Said": spoken(o.Said)})
				}
				w.say(language.Printer().Sentences(progressText(done, len(ids), fresh, faults, how), said))
			})
		})
		return err
	}, w.reloadAfter)
	w.status.reload()
}

// fetched is what a fetch by hand was for.
type fetched int

const (
	fetchedByHand   fetched = iota
	triedByHand             // a feed that failed
	fetchedImported         // the feeds of a list
)

// of says how many feeds were fetched.
func (f fetched) of(feeds string) string {
	values := map[string]any{"Feeds": feeds}
	switch f {
	case triedByHand:
		return lang.L("Tried {{.Feeds}}", values)
	case fetchedImported:
		return lang.L("Imported and fetched {{.Feeds}}", values)
	}
	return lang.L("Fetched {{.Feeds}}", values)
}

func progressText(done, all, fresh, faults int, how fetched) string {
	feeds := language.Printer().Feeds(done)
	if done < all {
		feeds = lang.L("{{.Feeds}} of {{.All}}", map[string]any{"Feeds": feeds, "All": all})
	}
	parts := []string{how.of(feeds), lang.N("{{.PluralCount}} new articles", fresh)}
	if faults > 0 {
		parts = append(parts, lang.N("{{.PluralCount}} faults", faults))
	}
	return language.Printer().Sentence(strings.Join(parts, lang.X("join.parts", ", ")))
}
