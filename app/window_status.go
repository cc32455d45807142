package app

import (
	"cmp"
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
	"kairos/app/async"
	"kairos/app/language"
	"kairos/app/shell"
	"kairos/app/text"
	"kairos/app/widgets"
	"kairos/poller"
	"kairos/reader/content"
)

// statusBar is the line at the bottom: what the poller does and will do, and the last message, with a button to undo
// what it is about, or to do something else about it.
type statusBar struct {
	shell     *shell.Shell
	pane      fyne.CanvasObject
	state     *widgets.TapLabel // of the poller, or the address of a link under the mouse
	message   *widgets.LineLabel
	action    *widgets.Button // of the message
	undoes    bool            // it undoes the last action
	downloads *fyne.Container // that are under way and can be canceled
	line      *fyne.Container // of all of these
	fonts     *fontHint       // above the line
	updates   *updateHint     // above the line
	advice    *adviceHint     // above the line
	messages  int             // shown so far
	stateText string          // what the poller does
	budgeted  bool            // it says how many planned fetches were used
	link      string          // under the mouse, in its place; "" is none
	offline   bool            // there is no network
	trouble   bool            // an account could not be synced
	damaged   bool            // nothing is fetched, because the database is damaged
	request   async.Request
	onStatus  func(poller.Status) // told about each new status
}

// newStatusBar returns the bar; resized is called when the lines above it have appeared or gone.
func newStatusBar(sh *shell.Shell, resized func()) *statusBar {
	s := &statusBar{shell: sh, state: widgets.NewTapLabel(), message: widgets.NewLineLabel(""), downloads: widgets.NewProgressRows(), onStatus: func(poller.Status) {}}
	s.state.Truncation, s.message.Truncation = fyne.TextTruncateEllipsis, fyne.TextTruncateEllipsis
	s.state.SizeName, s.message.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText
	s.fonts, s.updates = newFontHint(sh, resized), newUpdateHint(sh, resized)
	s.advice = newAdviceHint(sh, resized)
	s.action = widgets.NewButton(lang.L("Undo"), sh.UndoLast)
	s.action.Importance = widget.LowImportance
	s.action.Hide()
	s.line = container.New(statusLayout{s}, s.state, s.message, s.action, s.downloads)
	s.pane = container.NewBorder(container.NewVBox(s.fonts.pane, s.updates.pane, s.advice.pane, widget.NewSeparator()), nil, nil, nil, s.line)
	return s
}

// statusLayout puts the state before the message. Where there is no room for both, the message takes the place of all.
type statusLayout struct{ s *statusBar }

// progressGap is between the message with its button and what is under way.
const progressGap = 24

// labelLeast is the width below which a label says nothing.
const labelLeast = 60

// stateLeast is the width below which the state says nothing.
const stateLeast = 200

func (l statusLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	right := size.Width
	for _, o := range []fyne.CanvasObject{l.s.downloads, l.s.action} { // the latter belongs to the message
		least := o.MinSize()
		if !o.Visible() || least.Width == 0 {
			continue
		}
		if right < size.Width {
			right -= progressGap
		}
		if o == l.s.downloads { // its rows are cut short, and leave half to a message
			least.Width = min(least.Width, size.Width)
			if l.s.message.Text != "" {
				least.Width = min(least.Width, size.Width/2)
			}
		}
		right -= least.Width
		o.Move(fyne.NewPos(right, (size.Height-least.Height)/2))
		o.Resize(least)
	}
	place := func(o fyne.CanvasObject, from, to float32) {
		high := o.MinSize().Height
		o.Move(fyne.NewPos(from, (size.Height-high)/2))
		o.Resize(fyne.NewSize(max(0, to-from), high))
	}
	l.s.state.Hidden = right < labelLeast // Fyne would draw all of it where it has no room
	if l.s.message.Text == "" {
		place(l.s.message, right, right)
		place(l.s.state, 0, right)
		return
	}
	said := widgets.LabelWidth(&l.s.message.Label)
	if right-said < stateLeast {
		said, l.s.state.Hidden = right, true
	}
	place(l.s.message, right-said, right)
	place(l.s.state, 0, right-said)
}

// Describe implements describe.Describer.
func (l statusLayout) Describe() describe.Node {
	return describe.Node{Node: accessible.Node{Role: accessible.RoleStatusBar, Name: lang.L("Status")}, Holds: true}
}

func (l statusLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(stateLeast, max(l.s.action.MinSize().Height, l.s.downloads.MinSize().Height))
}

// hover shows the address of the link under the mouse, or what the poller does if it is "".
func (s *statusBar) hover(link string) {
	s.link = link
	s.showState()
}

func (s *statusBar) showState() {
	s.state.Hint = ""
	if s.link == "" && s.budgeted {
		s.state.Hint = lang.L("First fetches and those by hand do not count.")
	}
	if text := cmp.Or(s.link, s.stateText); s.state.Text != text {
		s.state.SetText(text)
	}
}

// say shows a message that needs no answer.
func (s *statusBar) say(text string) {
	s.action.Hide()
	s.setMessage(text)
	s.fade()
}

// show is say without a screen reader saying it.
func (s *statusBar) show(text string) {
	s.action.Hide()
	s.message.SetText(text)
	s.line.Refresh()
	s.fade()
}

// retract removes a message if it is still the one shown.
func (s *statusBar) retract(text string) {
	if s.message.Text == text {
		s.say("")
	}
}

// addDownload shows how far a download has come.
func (s *statusBar) addDownload(row fyne.CanvasObject) {
	s.downloads.Add(row)
	s.line.Refresh()
}

func (s *statusBar) removeDownload(row fyne.CanvasObject) {
	s.downloads.Remove(row)
	s.line.Refresh()
}

// setMessage shows a message and gives it the room it needs.
func (s *statusBar) setMessage(text string) {
	s.message.SetText(text)
	s.shell.Announce(text)
	s.line.Refresh()
}

// offer shows a message with a button that does something about it. Both leave when it is pressed.
func (s *statusBar) offer(text, button string, do func()) {
	s.undoes = false
	s.showAction(text, button, func() {
		s.show("")
		do()
	})
}

func (s *statusBar) showAction(text, button string, do func()) {
	s.action.OnTapped = do
	s.action.SetText(button)
	s.action.Show()
	s.setMessage(text)
	s.fade()
}

// offerUndo shows a message about what was done, with a button to undo it.
func (s *statusBar) offerUndo(text string) {
	s.undoes = true
	s.showAction(text, lang.L("Undo"), s.shell.UndoLast)
}

// withdrawUndo removes such a message if it is still shown.
func (s *statusBar) withdrawUndo() {
	if s.undoes && s.action.Visible() {
		s.show("")
	}
}

// fade removes the message after a while; undo stays possible by key and menu.
func (s *statusBar) fade() {
	s.messages++
	number := s.messages
	time.AfterFunc(shell.MessageStays, func() {
		if s.shell.Ctx.Err() != nil {
			return
		}
		s.shell.Do(func() {
			if s.messages == number {
				s.action.Hide()
				s.setMessage("")
			}
		})
	})
}

// pollStatusEvery is how often the status is read while fetches are under way: they end without a commit.
const pollStatusEvery = 500 * time.Millisecond

// reload shows what the poller does now.
func (s *statusBar) reload() {
	async.Load(s.shell.Jobs, &s.request, s.load, func(status activityStatus) {
		s.stateText, s.trouble, s.damaged = status.text(s.shell.Now()), status.trouble(), status.damaged()
		s.budgeted = status.PerDay > 0
		s.showState()
		s.offline = status.Offline
		s.onStatus(status.Status)
		s.updates.show(status.newer)
		if status.Busy > 0 || status.syncing() > 0 {
			time.AfterFunc(pollStatusEvery, func() { s.shell.Do(s.reload) })
		}
	})
}

func (s *statusBar) load(ctx context.Context) (status activityStatus, err error) {
	if status.Status, err = s.shell.Home.Poller.Status(ctx); err == nil {
		status.accounts, err = s.shell.Home.Subscriptions.Accounts.List(ctx)
	}
	if err == nil {
		status.newer, err = s.shell.Home.Updates().Newer(ctx)
	}
	return status, err
}

// saverText is the state of battery saver for the toolbar, which has room for one reason. The status bar shows them
// all.
func saverText(b poller.Budget) string {
	if why := b.SavingReasons(); len(why) > 1 {
		return lang.L("automatic ({{.Why}}, …)", map[string]any{"Why": language.Printer().SavingReason(why[0])})
	}
	return language.Printer().Saver(b)
}

// savingText tells why fewer fetches are made, "" if they are not.
func savingText(s poller.Status) string {
	if !s.Budget.Reduced(s.Feeds) {
		return ""
	}
	if why := language.Printer().SavingReasons(s.Budget); why != "" {
		return why
	}
	return lang.L("battery saver")
}

// statusText tells what is being fetched, what is fetched next and why, and how much of the budget is used.
func statusText(s poller.Status, now time.Time) string {
	var parts []string
	clock := func(t time.Time) string { return language.Printer().Clock(t.In(now.Location())) }
	switch {
	case !s.StoreFailure.IsZero():
		parts = append(parts, lang.L("Fetching has stopped: {{.Why}}", map[string]any{"Why": text.WithoutStop(language.Printer().Message(s.StoreFailure))}))
	case s.Offline:
		parts = append(parts, lang.L("Offline; fetching resumes when the network is back"))
	case s.Busy > 0:
		parts = append(parts, doingText(s))
	}
	switch {
	case s.PerDay == 0 && !s.Budget.Paused():
		return lang.L("Nothing to fetch")
	case s.PerDay == 0:
		parts = append(parts, lang.L("Fetching is paused"))
	}
	if !s.NextAt.IsZero() && s.PerDay > 0 {
		at := clock(s.NextAt)
		if s.NextAt.Sub(now) > 20*time.Hour {
			at = language.Printer().WeekdayClock(s.NextAt.In(now.Location()))
		}
		reason := s.NextReason
		if reason.Visit.Before(s.NextAt) { // put off by an error, it comes too late for that visit
			reason.Visit = time.Time{}
		}
		parts = append(parts, language.Printer().NextFetchOf(content.Cut(s.NextFeed, longestTitle), at, reason, now.Location()))
	}
	if s.PerDay > 0 {
		parts = append(parts, usedText(s, clock))
	}
	return strings.Join(parts, statusGap)
}

// longestTitle is how many characters of a feed's title the status bar shows at most: what follows matters more.
const longestTitle = 24

// usedText tells how many fetches of the budget were used in the last 24 hours, and why the budget is small.
func usedText(s poller.Status, clock func(time.Time) string) string {
	used := lang.L("{{.Used}} of {{.N}} planned fetches used in 24 hours", map[string]any{"Used": s.Spent, "N": s.PerDay})
	if s.Spent > s.PerDay { // some rolled over from the day before
		used = lang.L("{{.Used}} planned fetches used in 24 hours, {{.Left}} more saved up", map[string]any{"Used": s.Spent, "Left": s.Left})
	}
	if s.Left <= 0 {
		used = lang.L("All planned fetches used; next one at {{.Time}}", map[string]any{"Time": clock(s.MoreAt)})
	}
	if why := savingText(s); why != "" {
		used = lang.L("{{.Text}} ({{.Why}})", map[string]any{"Text": used, "Why": why})
	}
	return used
}

// doingText tells what is being fetched and why.
func doingText(s poller.Status) string {
	feeds := map[string]any{"Feeds": language.Printer().Feeds(s.Busy)}
	switch s.BusyReason {
	case poller.TopUp:
		return lang.L("Checking for new articles: {{.Feeds}}", feeds)
	case poller.Presence:
		return lang.L("Preparing for your visit: {{.Feeds}}", feeds)
	case poller.CatchUp:
		return lang.L("Catching up: {{.Feeds}}", feeds)
	case poller.Burst:
		return lang.L("Checking busy feeds: {{.Feeds}}", feeds)
	case poller.Probe:
		return lang.L("Checking whether the network or a website is back")
	case poller.First:
		return lang.L("Fetching {{.Feeds}} for the first time", feeds)
	}
	return lang.L("Fetching {{.Feeds}}", feeds)
}
