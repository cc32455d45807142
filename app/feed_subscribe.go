package app

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"kairos/app/async"
	"kairos/app/dialogs"
	"kairos/app/language"
	"kairos/app/library"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/parse"
)

// subscribeDialog adds a feed. It asks for an address, and then, only if needed, for a choice among several feeds or a
// login. What was typed stays until it has worked.
type subscribeDialog struct {
	*feedActions
	dialog *dialogs.Dialog

	address   *widgets.Entry
	folder    *widgets.SelectEntry
	message   *widgets.Text
	addButton *dialogs.Button
	login     *fyne.Container
	user      *widgets.Entry
	password  *widgets.Entry
	choice    *widgets.CheckGroup
	choices   *widgets.Scroll
	found     []poller.Candidate
	account   int64           // that subscribes; 0: this computer
	where     *widgets.Select // the accounts; nil while there is none
	request   async.Request
}

// subscribe opens the dialog, with an address filled in: the one given, or else the one in the clipboard.
func (a *feedActions) subscribe(address string) *subscribeDialog {
	if address == "" {
		address = addressIn(a.shell.App.Clipboard().Content())
	}
	s := &subscribeDialog{feedActions: a, account: a.chosenAccount(), folder: widgets.NewSelectEntry(nil), message: widgets.NewText("", widgets.Plain)}
	s.address, s.user, s.password = widgets.NewEntry(s.close), widgets.NewEntry(s.close), widgets.NewEntry(s.close)
	s.password.Password = true
	s.address.SetPlaceHolder(lang.L("example.org, or the address of a feed, or a file"))
	s.address.SetText(address)
	s.address.OnChanged = func(string) { s.forget() }
	s.folder.SetPlaceHolder(lang.L("none"))
	s.folder.SetOptions(a.library.Folders(s.account))
	if len(a.library.Accounts) > 0 {
		s.where = a.accountChoice(s.account, func(id int64) {
			s.account = id
			s.folder.SetOptions(a.library.Folders(id))
			s.setMessage("")
		})
	}
	s.folder.SetText(library.PlaceOf(a.session.Place.Folder).Path)
	s.user.SetPlaceHolder(lang.L("user"))
	s.password.SetPlaceHolder(lang.L("password"))
	s.login = container.NewGridWithColumns(2, s.user, s.password)
	s.login.Hide()
	s.choice = widgets.NewCheckGroup()
	s.choices = widgets.NewVScroll(s.choice.Container)
	s.choices.Hide()
	s.show()
	return s
}

func (s *subscribeDialog) show() {
	s.addButton = dialogs.Do(lang.L("Add"), s.submit)
	items := []*widget.FormItem{widget.NewFormItem(lang.L("Address"), widgets.NewColumn(4, s.address, s.message))}
	if s.where != nil {
		items = append(items, widget.NewFormItem(lang.L("Account"), s.where))
	}
	form := widgets.NewForm(append(items, widget.NewFormItem(lang.L("Folder"), s.folder))...)
	s.dialog = &dialogs.Dialog{Title: lang.L("Add a feed"), Content: widgets.NewColumn(8, form, s.login, s.choices), Width: 540,
		Focus: s.address, Closed: s.request.Stop, Buttons: []*dialogs.Button{dialogs.Cancel(), s.addButton}}
	s.shell.Dialogs.Show(s.dialog)
	s.address.TypedShortcut(&fyne.ShortcutSelectAll{}) // typing replaces it
}

// chosenAccount is the account of the chosen item of the sidebar, or the only one that has feeds.
func (a *feedActions) chosenAccount() int64 {
	switch item := a.session.Place; {
	case item.Feed != nil:
		return item.Feed.Account
	case item.Folder != "":
		return library.PlaceOf(item.Folder).Account
	case len(a.library.Accounts) == 1 && len(a.library.Feeds) > 0 && a.library.Feeds[0].Account != 0:
		return a.library.Feeds[0].Account
	}
	return 0
}

// addressIn is the web address that a text consists of, or several of them with spaces between; "" if it is something
// else.
func addressIn(text string) string {
	parts := splitAddresses(text)
	for _, part := range parts {
		if !isWebAddress(part) {
			return ""
		}
	}
	return strings.Join(parts, " ")
}

// severalIn are the addresses that a text lists, nil unless it consists of two or more. The name of a file may have
// spaces.
func severalIn(text string) []string {
	parts := splitAddresses(text)
	for _, part := range parts {
		if !isWebAddress(part) && (!strings.Contains(part, ".") || strings.ContainsAny(part[:1], "/~.") || strings.Contains(part, `\`)) {
			return nil
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// splitAddresses splits a text at spaces, at commas that end a word and at those before another address.
func splitAddresses(text string) (parts []string) {
	for _, scheme := range []string{"http:", "https:", "feed:"} {
		text = strings.ReplaceAll(text, ","+scheme, " "+scheme)
	}
	for part := range strings.FieldsSeq(text) {
		if part = strings.Trim(part, ",;"); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && slices.Contains([]string{"http", "https", "feed"}, strings.ToLower(u.Scheme)) && u.Host != ""
}

func (s *subscribeDialog) close() { s.dialog.Hide() }

// forget drops what was found or typed for another address. A password above all must not reach another host.
func (s *subscribeDialog) forget() {
	s.request.Stop()
	s.found = nil
	s.choices.Hide()
	s.user.SetText("")
	s.password.SetText("")
	s.login.Hide()
	s.setMessage("")
}

func (s *subscribeDialog) setMessage(text string) { s.tell(text, widgets.Plain) }

// refuse says below the address why it was not added.
func (s *subscribeDialog) refuse(text string) { s.tell(text, widgets.Warning) }

func (s *subscribeDialog) tell(text string, style widgets.Style) {
	s.message.SetText(text, style)
	s.addButton.SetEnabled(true)
}

func (s *subscribeDialog) submit() {
	if strings.TrimSpace(s.address.Text) == "" {
		s.refuse(lang.L("Enter the address of a feed or a site."))
		return
	}
	if len(s.found) > 1 {
		s.addChosen()
		return
	}
	if several := severalIn(s.address.Text); several != nil {
		s.addSeveral(several)
		return
	}
	s.discover()
}

func (s *subscribeDialog) typedLogin() poller.Login {
	if !s.login.Visible() {
		return poller.Login{}
	}
	return poller.Login{User: s.user.Text, Password: s.password.Text}
}

// discover looks for feeds at the address.
func (s *subscribeDialog) discover() {
	typed, login := s.address.Text, s.typedLogin()
	s.busy(lang.L("Looking for feeds…"))
	type found struct {
		candidates []poller.Candidate
		err        error
	}
	async.Load(s.shell.Jobs, &s.request, func(ctx context.Context) (found, error) {
		c, err := s.shell.Home.Poller.Discover(ctx, typed, login)
		return found{c, err}, nil
	}, func(f found) {
		var duplicate *reader.DuplicateError
		switch {
		case s.account != 0 && errors.As(f.err, &duplicate): // the account may have it as well
			s.add([]poller.Candidate{{URL: duplicate.Feed.URL}})
		case f.err != nil:
			s.showError(f.err)
		case len(f.candidates) == 1:
			s.add(f.candidates)
		default:
			s.offer(f.candidates)
		}
	})
}

func (s *subscribeDialog) busy(text string) {
	s.message.SetText(text, widgets.Muted)
	s.addButton.SetEnabled(false)
}

// showError tells why nothing was added.
func (s *subscribeDialog) showError(err error) {
	var fe *fetch.Error
	if errors.As(err, &fe) && fe.Code == fetch.Auth {
		text := language.Error(fe)
		if s.login.Visible() {
			text = lang.L("This user name and password were not accepted. Check them and try again.")
		}
		s.login.Show()
		s.refuse(text)
		s.shell.Focus(s.user)
		return
	}
	s.refuse(notAddedText(err))
}

// notAddedText tells why an address was not added.
func notAddedText(err error) string {
	switch {
	case errors.Is(err, parse.ErrLoginPage):
		return lang.L("This is a login page. If the feed has a public address, enter that instead.")
	case errors.Is(err, parse.ErrEmpty):
		return lang.L("The server sent an empty answer.")
	case errors.Is(err, discover.ErrNoFeed) && errors.Is(err, parse.ErrWebPage):
		return lang.L("No feed was found there. Look for a link called RSS, Atom or Feed on the site and enter its address.")
	}
	return language.Error(err)
}

// offer asks which of several feeds to add.
func (s *subscribeDialog) offer(found []poller.Candidate) {
	s.found = found
	options := candidateNames(found)
	s.choice.SetOptions(options)
	s.choice.Checks[0].SetChecked(true)
	s.choices.SetMinSize(fyne.NewSize(0, min(s.choice.MinSize().Height, 220)))
	s.choices.Show()
	s.setMessage(lang.L("{{.N}} feeds found. Choose the ones you want and press Add.", map[string]any{"N": len(found)}))
}

// candidateNames returns a name for each feed that is offered, no two alike.
func candidateNames(found []poller.Candidate) []string {
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = text.CutMiddle(c.Title, 44) + "  —  " + text.CutMiddle(c.URL, 44)
		if c.Title == "" || slices.Contains(names[:i], names[i]) {
			names[i] = c.URL
		}
	}
	return names
}

func (s *subscribeDialog) addChosen() {
	var chosen []poller.Candidate
	for _, i := range s.choice.Chosen() {
		chosen = append(chosen, s.found[i])
	}
	if len(chosen) == 0 {
		s.refuse(lang.L("Choose at least one."))
		return
	}
	s.add(chosen)
}

// add stores the subscriptions and shows the articles of the last one. Of several feeds, those that are subscribed
// already are skipped.
func (s *subscribeDialog) add(candidates []poller.Candidate) {
	s.busy(lang.L("Subscribing…"))
	chosen := reader.Feed{Folder: strings.TrimSpace(s.folder.Text), Account: s.account}
	login := s.typedLogin()
	type added struct {
		addedFeed
		err error
	}
	async.Load(s.shell.Jobs, &s.request, func(ctx context.Context) (a added, _ error) {
		var duplicate *reader.DuplicateError
		for _, c := range candidates {
			one, err := s.addOne(ctx, c, chosen, login)
			if errors.As(err, &duplicate) && len(candidates) > 1 {
				continue
			}
			if a = (added{one, err}); err != nil {
				break
			}
		}
		if a.feed.ID == 0 && a.err == nil {
			a.err = duplicate
		}
		return a, nil
	}, func(a added) {
		if a.err != nil {
			s.showError(a.err)
			return
		}
		s.dialog.Hide()
		s.shell.Say(addedText(a.addedFeed))
		s.sidebar.chooseFeed(a.feed)
	})
}

// addedFeed is a new subscription.
type addedFeed struct {
	feed    reader.Feed
	outcome poller.Outcome
	later   error // why the server of its account is told later
}

// addOne subscribes to a feed, here or with an account.
func (s *subscribeDialog) addOne(ctx context.Context, c poller.Candidate, chosen reader.Feed, login poller.Login) (addedFeed, error) {
	if chosen.Account == 0 {
		f, o, err := s.shell.Home.Subscriptions.Add(ctx, c, chosen, login)
		return addedFeed{f, o, nil}, err
	}
	chosen.URL = c.URL
	a, err := s.shell.Home.Subscriptions.Accounts.SubscribeNow(ctx, chosen)
	return addedFeed{a.Feed, poller.Outcome{New: a.New, Unread: a.New}, a.Later}, err
}

// addedText tells how the first fetch of a new subscription went.
func addedText(a addedFeed) string {
	f, o := a.feed, a.outcome
	if a.later != nil {
		return language.Printer().Sentences(lang.L("Added {{.Feed}}.", map[string]any{"Feed": f.Title}), lang.L("Its server is told later."), language.Error(a.later))
	}
	if o.Result == poller.Failed {
		return language.Printer().Sentences(lang.L("Added {{.Feed}}.", map[string]any{"Feed": f.Title}), language.Printer().Message(o.Message))
	}
	return lang.L("Added {{.Feed}}: {{.Articles}}.", map[string]any{"Feed": f.Title, "Articles": articlesText(o.New, o.Unread)})
}
