package app

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/session"
	"kairos/app/shell"
	"kairos/app/widgets"
	"kairos/reader"
)

// savedSearches creates, changes and removes saved searches.
type savedSearches struct {
	shell   *shell.Shell
	library *library.Library
	session *session.Session
	sidebar *sidebar
	search  *searchBar
	request async.Request
}

// saveCurrent offers to save what is searched for in the chosen item.
func (s *savedSearches) saveCurrent() {
	text := strings.TrimSpace(s.session.Place.SearchText() + " " + s.search.typed())
	if text == "" {
		s.shell.Say(lang.L("Enter a search first."))
		s.search.start()
		return
	}
	name := s.search.typed()
	if name == "" {
		name = s.session.Place.Name
	}
	s.edit(reader.SavedSearch{Name: name, Search: text})
}

// edit asks for the name and the words of a saved search. A search without an id is new.
func (s *savedSearches) edit(one reader.SavedSearch) *savedDialog {
	title := lang.L("Edit the saved search")
	if one.ID == 0 {
		title = lang.L("Save this search")
	}
	d := &savedDialog{savedSearches: s, one: one}
	d.name, d.words = widgets.NewEntry(d.close), widgets.NewEntry(d.close)
	d.name.SetText(one.Name)
	d.words.SetText(one.Search)
	d.message = widgets.NewText("", widgets.Warning)
	form := widgets.NewForm(widget.NewFormItem(lang.L("Name"), d.name),
		&widget.FormItem{Text: lang.L("Search"), Widget: d.words, HintText: lang.L("words, \"a phrase\", -word, feed:name, is:unread …")})
	d.dialog = &dialogs.Dialog{Title: title, Content: widgets.NewColumn(8, form, d.message), Width: 520, Focus: d.name,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Save"), d.save)}}
	if one.ID != 0 {
		d.dialog.Buttons = append(d.dialog.Buttons, &dialogs.Button{Text: lang.L("Remove"), Aside: true, Do: func() {
			d.close()
			s.remove(one)
		}})
	}
	s.shell.Dialogs.Show(d.dialog)
	d.name.TypedShortcut(&fyne.ShortcutSelectAll{})
	return d
}

// savedDialog edits one saved search.
type savedDialog struct {
	*savedSearches
	one         reader.SavedSearch
	dialog      *dialogs.Dialog
	name, words *widgets.Entry
	message     *widgets.Text
}

func (d *savedDialog) close() { d.dialog.Hide() }

// save stores what was typed. A change can be undone; a new search is chosen in the sidebar.
func (d *savedDialog) save() {
	before, one := d.one, d.one
	one.Name, one.Search = d.name.Text, d.words.Text
	if strings.TrimSpace(one.Search) == "" {
		d.message.SetText(lang.L("Enter something to search for."), widgets.Warning)
		return
	}
	d.shell.Work(func(ctx context.Context) (err error) {
		one.ID, err = d.shell.Home.SavedSearches.Save(ctx, one)
		return err
	}, func(err error) {
		if err != nil {
			d.message.SetText(language.Error(err), widgets.Warning)
			return
		}
		d.close()
		if before.ID == 0 {
			d.choose(one.ID)
			return
		}
		d.shell.AddUndo(lang.L("Changed the saved search “{{.Name}}”", map[string]any{"Name": before.Name}), func(ctx context.Context) error {
			_, err := d.shell.Home.SavedSearches.Save(ctx, before)
			return err
		})
		d.library.Reload()
	})
}

// choose chooses a saved search in place of what was typed, once the sidebar knows it.
func (s *savedSearches) choose(id int64) {
	s.search.SetText("")
	async.Load(s.shell.Jobs, &s.request, s.shell.Home.Store.Search.Saved, func(all []reader.SavedSearch) {
		for i := range all {
			if all[i].ID == id {
				s.sidebar.choose(session.SavedPlace(&all[i]))
			}
		}
		s.library.Reload()
	})
}

// remove removes a saved search, which can be undone.
func (s *savedSearches) remove(one reader.SavedSearch) {
	s.shell.Work(func(ctx context.Context) error { return s.shell.Home.SavedSearches.Delete(ctx, one.ID) }, func(err error) {
		if err != nil {
			s.shell.Fail(err)
			return
		}
		s.shell.AddUndo(lang.L("Removed the saved search “{{.Name}}”", map[string]any{"Name": one.Name}), func(ctx context.Context) error {
			_, err := s.shell.Home.SavedSearches.Save(ctx, one)
			return err
		})
		s.library.Reload()
	})
}

// menu returns the entries of a saved search's context menu.
func (s *savedSearches) menu(one reader.SavedSearch) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Edit or rename…"), func() { s.edit(one) }),
		fyne.NewMenuItem(lang.L("Remove"), func() { s.remove(one) }),
	}
}
