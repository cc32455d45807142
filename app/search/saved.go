package search

import (
	"cmp"
	"context"
	"slices"
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
	"kairos/reader/search"
)

// Saved creates, changes and removes saved searches.
type Saved struct {
	Shell   *shell.Shell
	Library *library.Library
	Session *session.Session
	Chosen  func(session.Place) // a search is to be listed that the library does not know yet
	Search  *Bar
	request async.Request
}

// SaveCurrent offers to save what is searched for in the chosen item.
func (s *Saved) SaveCurrent() {
	text := strings.TrimSpace(s.Session.Place.SearchText() + " " + s.Search.Typed())
	if text == "" {
		s.Shell.Say(lang.L("Enter a search first."))
		s.Search.Start()
		return
	}
	name := s.Search.Typed()
	if name == "" {
		name = s.Session.Place.Name
	}
	s.Edit(reader.SavedSearch{Name: name, Search: text})
}

// Edit asks for the name and the words of a saved search. A search without an id is new.
func (s *Saved) Edit(one reader.SavedSearch) *savedDialog {
	title := lang.L("Edit the saved search")
	if one.ID == 0 {
		title = lang.L("Save this search")
	}
	d := &savedDialog{Saved: s, one: one}
	d.Name, d.Words = widgets.NewEntry(d.close), widgets.NewEntry(d.close)
	d.Name.SetText(one.Name)
	d.Words.SetText(one.Search)
	d.Message = widgets.NewText("", widgets.Warning)
	form := widgets.NewForm(widget.NewFormItem(lang.L("Name"), d.Name),
		&widget.FormItem{Text: lang.L("Search"), Widget: d.Words, HintText: lang.L("words, \"a phrase\", -word, feed:name, is:unread …")})
	d.dialog = &dialogs.Dialog{Title: title, Content: widgets.NewColumn(8, form, d.Message), Width: 520, Focus: d.Name,
		Buttons: []*dialogs.Button{dialogs.Cancel(), dialogs.Do(lang.L("Save"), d.Save)}}
	if one.ID != 0 {
		d.dialog.Buttons = append(d.dialog.Buttons, &dialogs.Button{Text: lang.L("Remove"), Aside: true, Do: func() {
			d.close()
			s.Remove(one)
		}})
	}
	s.Shell.Dialogs.Show(d.dialog)
	d.Name.TypedShortcut(&fyne.ShortcutSelectAll{})
	return d
}

// savedDialog edits one saved search.
type savedDialog struct {
	*Saved
	one         reader.SavedSearch
	dialog      *dialogs.Dialog
	Name, Words *widgets.Entry
	Message     *widgets.Text
}

func (d *savedDialog) close() { d.dialog.Hide() }

// Save stores what was typed, which can be undone. A new search is chosen in the sidebar.
func (d *savedDialog) Save() {
	before, one := d.one, d.one
	one.Name, one.Search = d.Name.Text, d.Words.Text
	if strings.TrimSpace(one.Search) == "" {
		d.Message.SetText(lang.L("Enter something to search for."), widgets.Warning)
		return
	}
	if d.taken(&one) {
		d.Message.SetText(lang.L("Another saved search has this name."), widgets.Warning)
		d.Shell.Focus(d.Name)
		return
	}
	d.Shell.Work(func(ctx context.Context) (err error) {
		one.ID, err = d.Shell.Home.SavedSearches.Save(ctx, one)
		return err
	}, func(err error) {
		if err != nil {
			d.Message.SetText(language.Error(err), widgets.Warning)
			return
		}
		d.close()
		if before.ID == 0 {
			d.choose(one.ID)
			d.Shell.AddUndoRedo(lang.L("Saved the search “{{.Name}}”", map[string]any{"Name": named(&one)}), d.remove(one), d.store(one))
			return
		}
		d.Shell.AddUndoRedo(lang.L("Changed the saved search “{{.Name}}”", map[string]any{"Name": before.Name}), d.store(before), d.store(one))
		d.Library.Reload()
	})
}

// named is the name that a saved search gets: one without a name is named after its words.
func named(one *reader.SavedSearch) string {
	return cmp.Or(strings.Join(strings.Fields(one.Name), " "), strings.TrimSpace(one.Search))
}

// taken reports whether another saved search has the name.
func (s *Saved) taken(one *reader.SavedSearch) bool {
	name := search.Plain(named(one))
	return slices.ContainsFunc(s.Library.Searches, func(other reader.SavedSearch) bool {
		return other.ID != one.ID && search.Plain(other.Name) == name
	})
}

// choose chooses a saved search in place of what was typed, whose field loses the focus: an undo is not meant for its text.
func (s *Saved) choose(id int64) {
	s.Search.End()
	async.Load(s.Shell.Jobs, &s.request, s.Shell.Home.Store.Search.Saved, func(all []reader.SavedSearch) {
		for i := range all {
			if all[i].ID == id {
				s.Chosen(session.SavedPlace(&all[i]))
			}
		}
	})
}

// store returns what stores a saved search, to undo or redo a change.
func (s *Saved) store(one reader.SavedSearch) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		_, err := s.Shell.Home.SavedSearches.Save(ctx, one)
		return err
	}
}

// remove returns what removes a saved search.
func (s *Saved) remove(one reader.SavedSearch) func(ctx context.Context) error {
	return func(ctx context.Context) error { return s.Shell.Home.SavedSearches.Delete(ctx, one.ID) }
}

// Remove removes a saved search, which can be undone.
func (s *Saved) Remove(one reader.SavedSearch) {
	remove := s.remove(one)
	s.Shell.Work(remove, func(err error) {
		if err != nil {
			s.Shell.Fail(err)
			return
		}
		s.Shell.AddUndoRedo(lang.L("Removed the saved search “{{.Name}}”", map[string]any{"Name": one.Name}), s.store(one), remove)
		s.Library.Reload()
	})
}

// Menu returns the entries of a saved search's context menu.
func (s *Saved) Menu(one reader.SavedSearch) []*fyne.MenuItem {
	return []*fyne.MenuItem{
		fyne.NewMenuItem(lang.L("Edit or rename…"), func() { s.Edit(one) }),
		fyne.NewMenuItem(lang.L("Remove saved search"), func() { s.Remove(one) }),
	}
}
