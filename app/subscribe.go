package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/parse"
)

// subscribing is the dialog that adds a feed: an address, then, only if they are
// needed, a choice among several feeds or a login. What was typed stays until it
// has worked.
type subscribing struct {
	w      *window
	dialog *dialog.CustomDialog

	address  *field
	folder   *widget.SelectEntry
	said     *widget.Label
	add      *widget.Button
	login    *fyne.Container
	user     *field
	password *field
	choice   *widget.RadioGroup
	found    []poller.Candidate
	request  latest
}

// addFeed opens the dialog, with an address filled in if there is one.
func (w *window) addFeed(address string) {
	s := &subscribing{w: w, folder: widget.NewSelectEntry(w.sidebar.folders()), said: widget.NewLabel("")}
	s.address, s.user, s.password = newField(s.close), newField(s.close), newField(s.close)
	s.password.Password = true
	s.address.SetPlaceHolder("example.org, or the address of a feed, or a file")
	s.address.SetText(address)
	s.address.OnSubmitted = func(string) { s.submit() }
	s.address.OnChanged = func(string) { s.forget() }
	s.folder.SetPlaceHolder("none")
	if f := w.sidebar.chosen.folder; f != "" {
		s.folder.SetText(f)
	}
	s.said.Wrapping = fyne.TextWrapWord
	s.user.SetPlaceHolder("user")
	s.password.SetPlaceHolder("password")
	s.password.OnSubmitted = func(string) { s.submit() }
	s.login = container.NewGridWithColumns(2, s.user, s.password)
	s.login.Hide()
	s.choice = widget.NewRadioGroup(nil, nil)
	s.choice.Hide()
	s.show()
}

func (s *subscribing) show() {
	s.add = widget.NewButtonWithIcon("Add", theme.ContentAddIcon(), s.submit)
	s.add.Importance = widget.HighImportance
	form := widget.NewForm(widget.NewFormItem("Address", s.address), widget.NewFormItem("Folder", s.folder))
	body := container.NewVBox(form, s.login, s.choice, s.said)
	s.dialog = dialog.NewCustomWithoutButtons("Add a feed", body, s.w.win)
	s.dialog.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", s.dialog.Hide), s.add})
	s.dialog.Resize(fyne.NewSize(560, 300))
	s.w.dialog(s.dialog, s.cancel)
	s.w.win.Canvas().Focus(s.address)
}

func (s *subscribing) close() { s.dialog.Hide() }

func (s *subscribing) cancel() {
	if s.request.cancel != nil {
		s.request.cancel()
	}
	s.request.number++
}

// forget drops what was found at another address.
func (s *subscribing) forget() {
	s.found = nil
	s.choice.Hide()
	s.say("")
}

func (s *subscribing) say(text string) {
	s.said.SetText(text)
	s.add.Enable()
}

func (s *subscribing) submit() {
	s.w.used()
	if s.add.Disabled() {
		return
	}
	if strings.TrimSpace(s.address.Text) == "" {
		s.say("Type the address of a feed or of a site.")
		return
	}
	if len(s.found) > 1 {
		s.subscribeChosen()
		return
	}
	s.discover()
}

func (s *subscribing) typedLogin() poller.Login {
	if !s.login.Visible() {
		return poller.Login{}
	}
	return poller.Login{User: s.user.Text, Password: s.password.Text}
}

// discover looks for feeds at the address.
func (s *subscribing) discover() {
	typed, login := s.address.Text, s.typedLogin()
	s.busy("Looking for feeds…")
	type found struct {
		candidates []poller.Candidate
		err        error
	}
	ask(s.w, &s.request, func(ctx context.Context) (found, error) {
		c, err := s.w.home.Poller.Discover(ctx, typed, login)
		return found{c, err}, nil
	}, func(f found) {
		switch {
		case f.err != nil:
			s.refused(f.err)
		case len(f.candidates) == 1:
			s.subscribe(f.candidates[0])
		default:
			s.offer(f.candidates)
		}
	})
}

func (s *subscribing) busy(text string) {
	s.said.SetText(text)
	s.add.Disable()
}

// refused says why nothing was added.
func (s *subscribing) refused(err error) {
	var fe *fetch.Error
	var duplicate *reader.DuplicateError
	switch {
	case errors.As(err, &fe) && fe.Kind == fetch.Auth:
		text := fe.Sentence()
		if s.login.Visible() {
			text = "This user name and password were not accepted. Check them and try again."
		}
		s.login.Show()
		s.say(text)
		s.w.win.Canvas().Focus(s.user)
	case errors.As(err, &duplicate):
		s.say("You have this feed already, as “" + duplicate.Feed.Title + "”.")
	case errors.Is(err, parse.ErrEmpty):
		s.say("The server answers, but with nothing in it.")
	case errors.Is(err, discover.ErrNoFeed) && errors.Is(err, parse.ErrHTML):
		s.say("No feed was found there. If the site has one, give its own address: it often stands behind a link called RSS, Atom or Feed.")
	default:
		s.say(errorText(err))
	}
}

// offer lets the person choose among several feeds.
func (s *subscribing) offer(found []poller.Candidate) {
	s.found = found
	options := make([]string, len(found))
	for i, c := range found {
		options[i] = candidateName(c)
	}
	s.choice.Options = options
	s.choice.SetSelected(options[0])
	s.choice.Show()
	s.choice.Refresh()
	s.say("There are " + countText(len(found)) + " feeds. Choose one and press Add.")
	s.dialog.Resize(s.dialog.MinSize().Max(fyne.NewSize(560, 300)))
}

func candidateName(c poller.Candidate) string {
	if c.Title == "" {
		return c.URL
	}
	return cutMiddle(c.Title, 60) + "  —  " + cutMiddle(c.URL, 60)
}

// cutMiddle shortens text to n characters, keeping both ends.
func cutMiddle(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-n/2+1:])
}

func (s *subscribing) subscribeChosen() {
	for _, c := range s.found {
		if candidateName(c) == s.choice.Selected {
			s.subscribe(c)
			return
		}
	}
}

// subscribe stores the subscription and shows its articles.
func (s *subscribing) subscribe(c poller.Candidate) {
	s.busy("Subscribing…")
	chosen := reader.Feed{Folder: strings.TrimSpace(s.folder.Text)}
	login := s.typedLogin()
	type added struct {
		feed    reader.Feed
		outcome poller.Outcome
		err     error
	}
	ask(s.w, &s.request, func(ctx context.Context) (added, error) {
		f, o, err := s.w.home.Subscribe(ctx, c, chosen, login)
		return added{f, o, err}, nil
	}, func(a added) {
		if a.err != nil {
			s.refused(a.err)
			return
		}
		s.dialog.Hide()
		s.w.say("Added " + a.feed.Title + ": " + plural(a.outcome.New, "article") + ".")
		if a.outcome.Result == poller.Fault {
			s.w.say("Added " + a.feed.Title + ". " + a.outcome.Said)
		}
		s.w.showFeed(a.feed)
	})
}

// showFeed chooses a feed in the sidebar, which may not list it yet.
func (w *window) showFeed(f reader.Feed) {
	delete(w.sidebar.folded, f.Folder)
	w.sidebar.choose(place{key: feedKey(f.ID), name: f.Title, feed: &f, query: reader.Query{Feed: f.ID}})
	w.reloadSidebar()
}

func feedKey(id int64) string { return "feed:" + countText(int(id)) }

// begin does what a second start or a link asked for: subscribe to an address,
// import a list.
func (w *window) begin(argument string) {
	if info, err := os.Stat(argument); err == nil && !info.IsDir() && looksLikeList(argument) {
		w.importFile(argument)
		return
	}
	w.addFeed(argument)
}

func looksLikeList(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".opml", ".xml":
		head := make([]byte, 1024)
		f, err := os.Open(name)
		if err != nil {
			return false
		}
		defer f.Close()
		n, _ := f.Read(head)
		return strings.Contains(strings.ToLower(string(head[:n])), "<opml")
	}
	return false
}

// dropped takes files that were let go over the window.
func (w *window) dropped(files []fyne.URI) {
	for _, f := range files {
		w.begin(f.Path())
		return
	}
}
