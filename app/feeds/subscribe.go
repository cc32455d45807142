package feeds

import (
	"cmp"
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
	"kairos/app/settings"
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
	*Actions
	dialog *dialogs.Dialog

	Address   *widgets.Entry
	Folder    *widgets.SelectEntry
	Message   *widgets.Text
	AddButton *dialogs.Button
	Login     *fyne.Container
	User      *widgets.Entry
	Password  *widgets.Entry
	Choice    *widgets.CheckGroup
	Choices   *widgets.Scroll
	Archive   *widgets.Check  // load older articles, too
	Page      *dialogs.Button // reads a page without a feed
	found     []poller.Candidate
	Account   int64           // that subscribes; 0: this computer
	Where     *widgets.Select // the accounts; nil while there is none
	request   async.Request
}

// Subscribe opens the dialog, with an address filled in: the one given, or else the one in the clipboard.
func (a *Actions) Subscribe(address string) *subscribeDialog {
	if address == "" {
		address = addressIn(a.Shell.App.Clipboard().Content())
	}
	s := &subscribeDialog{Actions: a, Account: a.chosenAccount(), Folder: widgets.NewSelectEntry(nil), Message: widgets.NewText("", widgets.Plain)}
	s.Address, s.User, s.Password = widgets.NewEntry(s.Close), widgets.NewEntry(s.Close), widgets.NewEntry(s.Close)
	s.Password.Password = true
	s.Address.SetPlaceHolder(lang.L("example.org, or the address of a feed, or a file"))
	s.Address.SetText(address)
	s.Address.OnChanged = func(string) { s.forget() }
	s.Folder.SetPlaceHolder(lang.L("none"))
	s.Folder.SetOptions(a.Library.Folders(s.Account))
	if len(a.Library.Accounts) > 0 {
		s.Where = a.accountChoice(s.Account, func(id int64) {
			s.Account = id
			s.Folder.SetOptions(a.Library.Folders(id))
			s.setMessage("")
		})
	}
	s.Folder.SetText(a.chosenFolder())
	s.User.SetPlaceHolder(lang.L("user"))
	s.Password.SetPlaceHolder(lang.L("password"))
	s.Login = container.NewGridWithColumns(2, s.User, s.Password)
	s.Login.Hide()
	s.Choice = widgets.NewCheckGroup()
	s.Choices = widgets.NewVScroll(s.Choice.Container)
	s.Choices.Hide()
	s.Archive = widgets.NewCheck(lang.L("Load older articles, too, if the feed has pages of them"))
	s.show()
	return s
}

func (s *subscribeDialog) show() {
	s.AddButton = dialogs.Do(lang.L("Add"), s.Submit)
	s.Page = &dialogs.Button{Text: lang.L("Read the page itself…"), Aside: true, Off: true, Do: s.readPage}
	items := []*widget.FormItem{widget.NewFormItem(lang.L("Address"), widgets.NewColumn(4, s.Address, s.Message))}
	if s.Where != nil {
		items = append(items, widget.NewFormItem(lang.L("Account"), s.Where))
	}
	form := widgets.NewForm(append(items, widget.NewFormItem(lang.L("Folder"), s.Folder), widget.NewFormItem("", s.Archive))...)
	s.dialog = &dialogs.Dialog{Title: lang.L("Add a feed"), Content: widgets.NewColumn(8, form, s.Login, s.Choices), Width: 540,
		Focus: s.Address, Closed: s.request.Stop, Buttons: []*dialogs.Button{s.Page, dialogs.Cancel(), s.AddButton}}
	s.Shell.Dialogs.Show(s.dialog)
	s.Address.TypedShortcut(&fyne.ShortcutSelectAll{}) // typing replaces it
}

// chosenAccount is the account of the chosen item of the sidebar, or the only one that has feeds.
func (a *Actions) chosenAccount() int64 {
	switch item := a.Session.Place; {
	case item.Feed != nil:
		return item.Feed.Account
	case item.Folder != "":
		return library.PlaceOf(item.Folder).Account
	case len(a.Library.Accounts) == 1 && len(a.Library.Feeds) > 0 && a.Library.Feeds[0].Account != 0:
		return a.Library.Feeds[0].Account
	}
	return 0
}

// chosenFolder is the folder that is chosen in the sidebar, or that the chosen feed is in.
func (a *Actions) chosenFolder() string {
	if f := a.Session.Place.Feed; f != nil {
		return f.Folder
	}
	return library.PlaceOf(a.Session.Place.Folder).Path
}

// addressIn is the web address that a text consists of, or several of them with spaces between; "" if it is something
// else.
func addressIn(text string) string {
	parts := splitAddresses(text)
	for _, part := range parts {
		if !IsWebAddress(part) {
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
		if !IsWebAddress(part) && (!strings.Contains(part, ".") || strings.ContainsAny(part[:1], "/~.") || strings.Contains(part, `\`)) {
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

func IsWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && slices.Contains([]string{"http", "https", "feed"}, strings.ToLower(u.Scheme)) && u.Host != ""
}

func (s *subscribeDialog) Close() { s.dialog.Hide() }

// forget drops what was found or typed for another address. A password above all must not reach another host.
func (s *subscribeDialog) forget() {
	s.request.Stop()
	s.found = nil
	s.Choices.Hide()
	s.User.SetText("")
	s.Password.SetText("")
	s.Login.Hide()
	s.Page.SetEnabled(false)
	s.setMessage("")
}

func (s *subscribeDialog) setMessage(text string) { s.tell(text, widgets.Plain) }

// refuse says below the address why it was not added.
func (s *subscribeDialog) refuse(text string) { s.tell(text, widgets.Warning) }

func (s *subscribeDialog) tell(text string, style widgets.Style) {
	s.Message.SetText(text, style)
	s.AddButton.SetEnabled(true)
}

func (s *subscribeDialog) Submit() {
	if strings.TrimSpace(s.Address.Text) == "" {
		s.refuse(lang.L("Enter the address of a feed or a site."))
		return
	}
	if len(s.found) > 1 {
		s.addChosen()
		return
	}
	if several := severalIn(s.Address.Text); several != nil {
		s.addSeveral(several)
		return
	}
	s.discover()
}

func (s *subscribeDialog) TypedLogin() poller.Login {
	if !s.Login.Visible() {
		return poller.Login{}
	}
	return poller.Login{User: s.User.Text, Password: s.Password.Text}
}

// discover looks for feeds at the address.
func (s *subscribeDialog) discover() {
	typed, login := s.Address.Text, s.TypedLogin()
	s.busy(lang.L("Looking for feeds…"))
	type found struct {
		candidates []poller.Candidate
		err        error
	}
	async.Load(s.Shell.Jobs, &s.request, func(ctx context.Context) (found, error) {
		c, err := s.Shell.Home.Poller.Discover(ctx, typed, login)
		return found{c, err}, nil
	}, func(f found) {
		var duplicate *reader.DuplicateError
		switch {
		case s.Account != 0 && errors.As(f.err, &duplicate): // the account may have it as well
			s.add([]poller.Candidate{{URL: duplicate.Feed.URL}})
		case f.err != nil:
			s.ShowError(f.err)
		case len(f.candidates) == 1:
			s.add(f.candidates)
		default:
			s.offer(f.candidates)
		}
	})
}

func (s *subscribeDialog) busy(text string) {
	s.Message.SetText(text, widgets.Muted)
	s.AddButton.SetEnabled(false)
}

// ShowError tells why nothing was added.
func (s *subscribeDialog) ShowError(err error) {
	settings.OfferTrust(s.Shell.Jobs, s.Shell.Dialogs, s.Shell.Home, err, s.Shell.Fail, s.Submit)
	var fe *fetch.Error
	if errors.As(err, &fe) && fe.Code == fetch.Auth {
		text := language.Error(fe)
		if s.Login.Visible() {
			text = lang.L("This user name and password were not accepted. Check them and try again.")
		}
		s.Login.Show()
		s.refuse(text)
		s.Shell.Focus(s.User)
		return
	}
	s.Page.SetEnabled(s.Account == 0 && errors.Is(err, discover.ErrNoFeed) && errors.Is(err, parse.ErrWebPage))
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
		return lang.L("No feed was found there. Look for a link called RSS, Atom or Feed on the site and enter its address, or let Kairos read the page itself.")
	}
	return language.Error(err)
}

// offer asks which of several feeds to add.
func (s *subscribeDialog) offer(found []poller.Candidate) {
	s.found = found
	options := candidateNames(found)
	s.Choice.SetOptions(options)
	s.Choice.Checks[0].SetChecked(true)
	s.Choices.SetMinSize(fyne.NewSize(0, min(s.Choice.MinSize().Height, 220)))
	s.Choices.Show()
	s.setMessage(lang.L("{{.N}} feeds found. Choose the ones you want and press Add.", map[string]any{"N": len(found)}))
}

// candidateNames returns a name for each feed that is offered, no two alike.
func candidateNames(found []poller.Candidate) []string {
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = text.CutMiddle(c.Title, 44) + " – " + text.CutMiddle(c.URL, 44)
		if c.Title == "" || slices.Contains(names[:i], names[i]) {
			names[i] = c.URL
		}
	}
	return names
}

func (s *subscribeDialog) addChosen() {
	var chosen []poller.Candidate
	for _, i := range s.Choice.Chosen() {
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
	chosen := reader.Feed{Folder: strings.TrimSpace(s.Folder.Text), Account: s.Account}
	login := s.TypedLogin()
	type added struct {
		AddedFeed
		err error
	}
	async.Load(s.Shell.Jobs, &s.request, func(ctx context.Context) (a added, _ error) {
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
		if a.Feed.ID == 0 && a.err == nil {
			a.err = duplicate
		}
		return a, nil
	}, func(a added) {
		if a.err != nil {
			s.ShowError(a.err)
			settings.OfferPasswordFile(s.Shell.Dialogs, s.Shell.Home.Secrets, a.err, s.Shell.Fail, func() { s.add(candidates) })
			return
		}
		s.dialog.Hide()
		s.TellAdded(a.AddedFeed)
		s.Sidebar.ChooseFeed(a.Feed)
	})
}

// AddedFeed is a new subscription.
type AddedFeed struct {
	Feed    reader.Feed
	Outcome poller.Outcome
	later   error // why the server of its account is told later
	days    int   // older articles came in as read

	Followed *reader.Followed // of a list of feeds
}

// addOne subscribes to a feed, here or with an account.
func (s *subscribeDialog) addOne(ctx context.Context, c poller.Candidate, chosen reader.Feed, login poller.Login) (AddedFeed, error) {
	if chosen.Account == 0 {
		f, o, err := s.Shell.Home.Subscriptions.Add(ctx, c, chosen, login)
		if err != nil {
			return AddedFeed{Feed: f, Outcome: o}, err
		}
		if s.Archive.Checked {
			if err := s.Shell.Home.Poller.WantArchive(ctx, f.ID); err != nil {
				return AddedFeed{Feed: f, Outcome: o}, err
			}
		}
		if f.Source.IsList() && o.Result != poller.Failed {
			followed, err := s.Shell.Home.Poller.Followed(ctx, f.ID)
			return AddedFeed{Feed: f, Outcome: o, Followed: &followed}, err
		}
		days, err := s.Shell.Home.Store.Settings.Int(ctx, reader.SettingFirstUnreadDays, reader.DefaultFirstUnreadDays)
		return AddedFeed{Feed: f, Outcome: o, days: days}, err
	}
	chosen.URL = c.URL
	a, err := s.Shell.Home.Subscriptions.Accounts.SubscribeNow(ctx, chosen, cmp.Or(login, c.Login))
	return AddedFeed{Feed: a.Feed, Outcome: poller.Outcome{New: a.New, Unread: a.New}, later: a.Later}, err
}

// TellAdded tells how the first fetch of a new subscription went. Feeds that a list brought and that are paused can be resumed there.
func (a *Actions) TellAdded(one AddedFeed) {
	said := addedText(one)
	if one.Followed == nil || len(one.Followed.Resumable()) == 0 {
		a.Shell.Say(said)
		return
	}
	paused := one.Followed.Resumable()
	a.Shell.Dialogs.Show(&dialogs.Dialog{Title: lang.L("Add a feed"), Content: widgets.NewText(said, widgets.Plain), Width: 560,
		Buttons: []*dialogs.Button{{Text: lang.N("Resume these {{.PluralCount}} feeds", len(paused)), Do: func() {
			a.Shell.Dialogs.CloseTop()
			a.resumeImported(paused)
		}}, dialogs.Do(lang.L("Close"), a.Shell.Dialogs.CloseTop)}})
}

// addedText tells how the first fetch of a new subscription went.
func addedText(a AddedFeed) string {
	f, o := a.Feed, a.Outcome
	if a.later != nil {
		return language.Printer().Sentences(lang.L("Added {{.Feed}}.", map[string]any{"Feed": f.Title}), lang.L("The server will be told later."), language.Error(a.later))
	}
	if o.Result == poller.Failed {
		return language.Printer().Sentences(lang.L("Added {{.Feed}}.", map[string]any{"Feed": f.Title}), language.Printer().Message(o.Message))
	}
	if a.Followed != nil {
		return language.Printer().ListAdded(f.Title, a.Followed)
	}
	left := language.Printer().LeftOut(o.Message.Warnings)
	if o.New > 0 && o.Unread == 0 {
		articles := lang.N("{{.PluralCount}} articles", o.New)
		return language.Printer().Sentences(lang.N("Added {{.Feed}}: {{.Articles}}, none of the last {{.PluralCount}} days, so all are marked read.", a.days, map[string]any{"PluralCount": a.days, "Feed": f.Title, "Articles": articles}), left)
	}
	return language.Printer().Sentences(lang.L("Added {{.Feed}}: {{.Articles}}.", map[string]any{"Feed": f.Title, "Articles": language.Printer().FirstArticles(o.New, o.Unread)}), left)
}
