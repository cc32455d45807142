package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/widgets"
	"kairos/reader"
)

// savedSearches are the places of the sidebar that a search makes.
type savedSearches struct {
	w      *window
	all    []reader.SavedSearch
	counts map[int64]int // unread, as far as counted
	want   async.Request
}

func savedKey(id int64) string { return fmt.Sprint("saved:", id) }

// places are the saved searches as rows.
func (s *savedSearches) places() []place {
	var places []place
	for i := range s.all {
		one := &s.all[i]
		places = append(places, place{key: savedKey(one.ID), name: one.Name, icon: iconOf(theme.IconNameSearch),
			count: s.counts[one.ID], query: one.Query(), saved: one})
	}
	return places
}

// patienceForCounts is how long the unread of saved searches are counted; what takes
// longer has no count until it is asked for again.
const patienceForCounts = 2 * time.Second

// show takes what is stored, and counts it.
func (s *savedSearches) show(all []reader.SavedSearch) {
	s.all = all
	if len(all) == 0 {
		return
	}
	within := reader.Query{Since: s.w.midnight(), Dedupe: s.w.foldStories}
	async.Load(s.w.Jobs, &s.want, func(ctx context.Context) (map[int64]int, error) {
		ctx, stop := context.WithTimeout(ctx, patienceForCounts)
		defer stop()
		return s.w.home.Store.Articles.UnreadBySearch(ctx, all, within)
	}, func(counts map[int64]int) {
		s.counts = counts
		list := s.w.sidebar
		for i, p := range list.places {
			if p.saved != nil {
				list.places[i].count = counts[p.saved.ID]
			}
		}
		list.list.Refresh()
	})
}

// saveSearch offers to keep what is searched for, in the place where it is.
func (w *window) saveSearch() {
	text := strings.TrimSpace(searchOf(w.sidebar.chosen) + " " + w.search.typed())
	if text == "" {
		w.say(lang.L("Search for something first."))
		w.startSearch()
		return
	}
	name := w.search.typed()
	if name == "" {
		name = w.sidebar.chosen.name
	}
	w.editSearch(reader.SavedSearch{Name: name, Search: text})
}

// editSearch asks for the name and the words of a saved search; one without an id is new.
func (w *window) editSearch(one reader.SavedSearch) *savedDialog {
	title := lang.L("Edit the saved search")
	if one.ID == 0 {
		title = lang.L("Save this search")
	}
	d := &savedDialog{w: w, one: one}
	d.name, d.search = widgets.NewEntry(d.close), widgets.NewEntry(d.close)
	d.name.SetText(one.Name)
	d.search.SetText(one.Search)
	d.name.OnSubmitted = func(string) { d.save() }
	d.search.OnSubmitted = func(string) { d.save() }
	d.said = widget.NewLabel("")
	d.said.Wrapping = fyne.TextWrapWord
	form := widget.NewForm(widget.NewFormItem(lang.L("Name"), d.name),
		&widget.FormItem{Text: lang.L("Search"), Widget: d.search, HintText: lang.L("words, \"a phrase\", -word, feed:name, is:unread …")})
	d.dialog = dialog.NewCustomWithoutButtons(title, container.NewVBox(form, d.said), w.win)
	save := widget.NewButton(lang.L("Save"), d.save)
	save.Importance = widget.HighImportance
	buttons := []fyne.CanvasObject{widget.NewButton(lang.L("Cancel"), d.close), save}
	if one.ID != 0 {
		remove := widget.NewButton(lang.L("Remove"), func() {
			d.close()
			w.removeSearch(one)
		})
		buttons = append([]fyne.CanvasObject{remove}, buttons...)
	}
	d.dialog.SetButtons(buttons)
	d.dialog.Resize(fyne.NewSize(560, 220))
	w.dialogs.show(d.dialog, nil)
	w.win.Canvas().Focus(d.name)
	d.name.TypedShortcut(&fyne.ShortcutSelectAll{})
	return d
}

// savedDialog edits one saved search.
type savedDialog struct {
	w            *window
	one          reader.SavedSearch
	dialog       *dialog.CustomDialog
	name, search *widgets.Entry
	said         *widget.Label
}

func (d *savedDialog) close() { d.dialog.Hide() }

// save stores what was typed; an edit can be undone, a new search is gone to.
func (d *savedDialog) save() {
	w, before, one := d.w, d.one, d.one
	one.Name, one.Search = d.name.Text, d.search.Text
	if strings.TrimSpace(one.Search) == "" {
		d.said.SetText(lang.L("Type what is to be searched for."))
		return
	}
	w.Work(func(ctx context.Context) (err error) {
		one.ID, err = w.home.SaveSearch(ctx, one)
		return err
	}, func(err error) {
		if err != nil {
			d.said.SetText(errorText(err))
			return
		}
		d.close()
		if before.ID == 0 {
			w.goToSaved(one.ID)
			return
		}
		w.undo.add(lang.L("Changed the saved search “{{.Name}}”", map[string]any{"Name": before.Name}), func(ctx context.Context) error {
			_, err := w.home.SaveSearch(ctx, before)
			return err
		})
		w.reloadSidebar()
	})
}

// goToSaved chooses a saved search in place of what was typed, once the sidebar has it.
func (w *window) goToSaved(id int64) {
	w.search.SetText("")
	async.Load(w.Jobs, &w.sidebar.saved.want, w.home.Store.Search.Saved, func(all []reader.SavedSearch) {
		for i := range all {
			if all[i].ID == id {
				w.sidebar.saved.all = all
				w.sidebar.choose(place{key: savedKey(id), name: all[i].Name, query: all[i].Query(), saved: &all[i]})
			}
		}
		w.reloadSidebar()
	})
}

// removeSearch removes a saved search; undo brings it back.
func (w *window) removeSearch(one reader.SavedSearch) {
	w.Work(func(ctx context.Context) error { return w.home.RemoveSearch(ctx, one.ID) }, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.undo.add(lang.L("Removed the saved search “{{.Name}}”", map[string]any{"Name": one.Name}), func(ctx context.Context) error {
			_, err := w.home.SaveSearch(ctx, one)
			return err
		})
		w.reloadSidebar()
	})
}

// menu are what the menu of a saved search offers.
func (w *window) savedMenu(one reader.SavedSearch) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Edit or rename…"), func() { w.editSearch(one) }),
		fyne.NewMenuItem(lang.L("Remove"), func() { w.removeSearch(one) }),
	}
}
