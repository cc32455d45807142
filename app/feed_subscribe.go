package app

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/opml"
	"kairos/reader/parse"
)

// subscribing is the dialog that adds a feed: an address, then, only if they are
// needed, a choice among several feeds or a login. What was typed stays until it
// has worked.
type subscribing struct {
	w      *window
	dialog *dialog.CustomDialog

	address  *widgets.Entry
	folder   *widgets.SelectEntry
	said     *widget.Label
	add      *widget.Button
	login    *fyne.Container
	user     *widgets.Entry
	password *widgets.Entry
	choice   *widgets.CheckGroup
	choices  *container.Scroll
	found    []poller.Candidate
	request  async.Request
}

// addFeed opens the dialog, with an address filled in if there is one.
func (w *window) addFeed(address string) *subscribing {
	s := &subscribing{w: w, folder: widgets.NewSelectEntry(w.sidebar.folders()), said: widget.NewLabel("")}
	s.address, s.user, s.password = widgets.NewEntry(s.close), widgets.NewEntry(s.close), widgets.NewEntry(s.close)
	s.password.Password = true
	s.address.SetPlaceHolder(lang.L("example.org, or the address of a feed, or a file"))
	s.address.SetText(address)
	s.address.OnSubmitted = func(string) { s.submit() }
	s.address.OnChanged = func(string) { s.forget() }
	s.folder.SetPlaceHolder(lang.L("none"))
	if f := w.sidebar.chosen.folder; f != "" {
		s.folder.SetText(f)
	}
	s.said.Wrapping = fyne.TextWrapWord
	s.user.SetPlaceHolder(lang.L("user"))
	s.password.SetPlaceHolder(lang.L("password"))
	s.password.OnSubmitted = func(string) { s.submit() }
	s.login = container.NewGridWithColumns(2, s.user, s.password)
	s.login.Hide()
	s.choice = widgets.NewCheckGroup()
	s.choices = container.NewVScroll(s.choice.Container)
	s.choices.Hide()
	s.show()
	return s
}

func (s *subscribing) show() {
	s.add = widget.NewButtonWithIcon(lang.L("Add"), theme.ContentAddIcon(), s.submit)
	s.add.Importance = widget.HighImportance
	form := widget.NewForm(widget.NewFormItem(lang.L("Address"), s.address), widget.NewFormItem(lang.L("Folder"), s.folder))
	body := container.NewVBox(form, s.login, s.choices, s.said)
	s.dialog = dialog.NewCustomWithoutButtons(lang.L("Add a feed"), body, s.w.win)
	s.dialog.SetButtons([]fyne.CanvasObject{widget.NewButton(lang.L("Cancel"), s.dialog.Hide), s.add})
	s.dialog.Resize(fyne.NewSize(560, 300))
	s.w.dialogs.show(s.dialog, s.cancel)
	s.w.win.Canvas().Focus(s.address)
}

func (s *subscribing) close() { s.dialog.Hide() }

func (s *subscribing) cancel() {
	s.request.Stop()
}

// forget drops what was found, asked or typed for another address: a password
// above all is for nobody else.
func (s *subscribing) forget() {
	s.cancel()
	s.found = nil
	s.choices.Hide()
	s.user.SetText("")
	s.password.SetText("")
	s.login.Hide()
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
		s.say(lang.L("Type the address of a feed or of a site."))
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
	s.busy(lang.L("Looking for feeds…"))
	type found struct {
		candidates []poller.Candidate
		err        error
	}
	async.Load(s.w.Jobs, &s.request, func(ctx context.Context) (found, error) {
		c, err := s.w.home.Poller.Discover(ctx, typed, login)
		return found{c, err}, nil
	}, func(f found) {
		switch {
		case f.err != nil:
			s.refused(f.err)
		case len(f.candidates) == 1:
			s.subscribe(f.candidates)
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
	switch {
	case errors.As(err, &fe) && fe.Code == fetch.Auth:
		text := errorText(fe)
		if s.login.Visible() {
			text = lang.L("This user name and password were not accepted. Check them and try again.")
		}
		s.login.Show()
		s.say(text)
		s.w.win.Canvas().Focus(s.user)
	case errors.Is(err, parse.ErrLoginPage):
		s.say(lang.L("There is a page to log in. If the feed has a public address, give that one instead."))
	case errors.Is(err, parse.ErrEmpty):
		s.say(lang.L("The server answers, but with nothing in it."))
	case errors.Is(err, discover.ErrNoFeed) && errors.Is(err, parse.ErrWebPage):
		s.say(lang.L("No feed was found there. If the site has one, give its own address: it often stands behind a link called RSS, Atom or Feed."))
	default:
		s.say(errorText(err))
	}
}

// offer lets the person choose among several feeds.
func (s *subscribing) offer(found []poller.Candidate) {
	s.found = found
	options := candidateNames(found)
	s.choice.SetOptions(options)
	s.choice.Checks[0].SetChecked(true)
	s.choices.SetMinSize(fyne.NewSize(0, min(s.choice.MinSize().Height, 220)))
	s.choices.Show()
	s.say(lang.L("There are {{.N}} feeds. Choose those you want and press Add.", map[string]any{"N": len(found)}))
	s.dialog.Resize(s.dialog.MinSize().Max(fyne.NewSize(560, 300)))
}

// candidateNames are what feeds are offered as, each by another name.
func candidateNames(found []poller.Candidate) []string {
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = cutMiddle(c.Title, 44) + "  —  " + cutMiddle(c.URL, 44)
		if c.Title == "" || slices.Contains(names[:i], names[i]) {
			names[i] = c.URL
		}
	}
	return names
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
	var chosen []poller.Candidate
	for _, i := range s.choice.Chosen() {
		chosen = append(chosen, s.found[i])
	}
	if len(chosen) == 0 {
		s.say(lang.L("Choose at least one of them."))
		return
	}
	s.subscribe(chosen)
}

// subscribe stores the subscriptions and shows the articles of the last one. What
// is subscribed already among several is left alone.
func (s *subscribing) subscribe(candidates []poller.Candidate) {
	s.busy(lang.L("Subscribing…"))
	chosen := reader.Feed{Folder: strings.TrimSpace(s.folder.Text)}
	login := s.typedLogin()
	type added struct {
		feed    reader.Feed
		outcome poller.Outcome
		err     error
	}
	async.Load(s.w.Jobs, &s.request, func(ctx context.Context) (a added, _ error) {
		var duplicate *reader.DuplicateError
		for _, c := range candidates {
			f, o, err := s.w.home.Subscribe(ctx, c, chosen, login)
			if errors.As(err, &duplicate) && len(candidates) > 1 {
				continue
			}
			if a = (added{f, o, err}); err != nil {
				break
			}
		}
		if a.feed.ID == 0 && a.err == nil {
			a.err = duplicate
		}
		return a, nil
	}, func(a added) {
		if a.err != nil {
			s.refused(a.err)
			return
		}
		s.dialog.Hide()
		s.w.say(addedText(a.feed, a.outcome))
		s.w.showFeed(a.feed)
	})
}

// addedText says what came of a new subscription.
func addedText(f reader.Feed, o poller.Outcome) string {
	if o.Result == poller.Fault {
		return language.Printer().Sentences(lang.L("Added {{.Feed}}.", map[string]any{"Feed": f.Title}), spoken(o.Said))
	}
	return lang.L("Added {{.Feed}}: {{.Articles}}.", map[string]any{"Feed": f.Title, "Articles": lang.N("{{.PluralCount}} articles", o.New)})
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
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(f, head)
	return opml.IsList(head[:n])
}

// dropped takes files that were let go over the window.
func (w *window) dropped(files []fyne.URI) {
	for _, f := range files {
		w.begin(f.Path())
		return
	}
}
