package app

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"kairos/poller"
)

// statusBar is the line at the bottom: what the poller does and will do, and
// what was just done with an offer to undo it.
type statusBar struct {
	w     *window
	pane  fyne.CanvasObject
	text  *widget.Label
	note  *widget.Label
	undo  *widget.Button
	jobs  *fyne.Container // what is under way and can be cancelled
	notes int             // said so far
	about string          // what the poller says, under a link that is hovered over
}

func newStatusBar(w *window) *statusBar {
	s := &statusBar{w: w, text: widget.NewLabel(""), note: widget.NewLabel(""), jobs: container.NewHBox()}
	s.text.Truncation = fyne.TextTruncateEllipsis
	s.text.SizeName, s.note.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText
	s.undo = widget.NewButton(lang.L("Undo"), w.undoLast)
	s.undo.Importance = widget.LowImportance
	s.undo.Hide()
	s.pane = container.NewBorder(widget.NewSeparator(), nil, nil, container.NewHBox(newSpace(s.undo.MinSize().Height), s.jobs, s.note, s.undo), s.text)
	return s
}

// hover shows where a link leads.
func (s *statusBar) hover(link string) {
	if link == "" {
		link = s.about
	}
	s.text.SetText(link)
}

// say tells the person something that needs no answer.
func (w *window) say(text string) {
	w.status.note.SetText(text)
	w.status.undo.Hide()
	w.status.fade()
}

// offerUndo tells what was done and offers to undo it.
func (w *window) offerUndo(text string) {
	w.status.note.SetText(text)
	w.status.undo.Show()
	w.status.fade()
}

// noteStays is how long a note is shown.
const noteStays = 20 * time.Second

// fade takes the note away after a while; undo stays possible.
func (s *statusBar) fade() {
	s.notes++
	number := s.notes
	time.AfterFunc(noteStays, func() {
		if s.w.ctx.Err() != nil {
			return
		}
		s.w.do(func() {
			if s.notes == number {
				s.note.SetText("")
				s.undo.Hide()
			}
		})
	})
}

// reloadStatus renews what the poller says.
func (w *window) reloadStatus() {
	ask(w, &w.wantStatus, w.home.Poller.Status, func(s poller.Status) {
		w.status.about = statusText(s, w.now())
		if w.status.text.Text != w.status.about {
			w.status.text.SetText(w.status.about)
		}
		if saver := lang.L("Battery saver: {{.State}}", map[string]any{"State": saverText(s.Budget)}); w.saver.Text != saver {
			w.saver.SetText(saver)
		}
		w.pictures.set(w.pictures.load, s.Budget.Saving())
		if s.Busy > 0 {
			// What is in flight changes without a commit.
			time.AfterFunc(500*time.Millisecond, func() { w.do(w.reloadStatus) })
		}
	})
}

// saverText is for the toolbar, where there is room for one reason; the line at the
// bottom has them all.
func saverText(b poller.Budget) string {
	why := b.Reasons()
	switch {
	case b.Saver == poller.SaverOff:
		return lang.L("off")
	case b.Saver == poller.SaverOn:
		return lang.L("on")
	case len(why) > 1:
		return lang.L("automatic ({{.Why}}, …)", map[string]any{"Why": spoken(why[0])})
	case len(why) == 1:
		return lang.L("automatic ({{.Why}})", map[string]any{"Why": spoken(why[0])})
	}
	return lang.L("automatic")
}

// savingText says why fewer fetches are made, if they are.
func savingText(b poller.Budget) string {
	switch why := b.Reasons(); {
	case len(why) > 0:
		return spoken(strings.Join(why, ", "))
	case b.Saving():
		return lang.L("battery saver")
	}
	return ""
}

// statusText says what is left of the budget, when more comes free, and what is
// fetched next and why.
func statusText(s poller.Status, now time.Time) string {
	var parts []string
	clock := func(t time.Time) string { return t.In(now.Location()).Format(clockLayout) }
	switch {
	case s.Held != "":
		parts = append(parts, lang.L("Nothing is fetched for now: {{.Why}}", map[string]any{"Why": unstopped(spoken(s.Held))}))
	case s.Offline:
		parts = append(parts, lang.L("No network; fetching goes on when it is back"))
	case s.Busy > 0:
		parts = append(parts, doingText(s))
	}
	switch {
	case s.PerDay == 0 && s.Budget.Normal != "0":
		return lang.L("Nothing to fetch yet")
	case s.PerDay == 0:
		parts = append(parts, lang.L("Fetching is paused"))
	case s.Left > 0:
		parts = append(parts, lang.L("{{.N}} fetches left, {{.Budget}}", map[string]any{"N": s.Left, "Budget": budgetText(s)}))
	default:
		parts = append(parts, lang.L("All fetches spent, {{.Budget}}; the next at {{.Time}}",
			map[string]any{"Budget": budgetText(s), "Time": clock(s.MoreAt)}))
	}
	if !s.NextAt.IsZero() && s.PerDay > 0 {
		at := clock(s.NextAt)
		if s.NextAt.Sub(now) > 20*time.Hour {
			at = weekdayClock(s.NextAt.In(now.Location()))
		}
		parts = append(parts, lang.L("next {{.Feed}} at {{.Time}}, {{.Why}}", map[string]any{"Feed": s.NextFeed, "Time": at, "Why": spoken(s.NextWhy)}))
	}
	return strings.Join(parts, "  ·  ")
}

// budgetText is how many fetches there are a day, and why they are few.
func budgetText(s poller.Status) string {
	if why := savingText(s.Budget); why != "" {
		return lang.L("{{.N}} a day ({{.Why}})", map[string]any{"N": s.PerDay, "Why": why})
	}
	return lang.L("{{.N}} a day", map[string]any{"N": s.PerDay})
}

// doingText says what is being fetched and why, for whoever has not asked for it.
func doingText(s poller.Status) string {
	feeds := map[string]any{"Feeds": feedsText(s.Busy)}
	switch s.Doing {
	case poller.TopUp:
		return lang.L("Looking for what is new since you were here: {{.Feeds}}", feeds)
	case poller.CatchUp:
		return lang.L("Catching up: {{.Feeds}}", feeds)
	case poller.Burst:
		return lang.L("Much is being posted: looking at {{.Feeds}}", feeds)
	case poller.Probe:
		return lang.L("Trying whether the network is back")
	case poller.First:
		return lang.L("Fetching {{.Feeds}} for the first time", feeds)
	}
	return lang.L("Fetching {{.Feeds}}", feeds)
}

// watchOutcomes tells of fetches as they come.
func (w *window) watchOutcomes() {
	stop := w.home.Poller.Tell(func(o poller.Outcome) {
		if o.Result == poller.Fault && (o.Reason == poller.Manual || o.Reason == poller.First) {
			w.do(func() { w.say(lang.L("{{.Feed}}: {{.Said}}", map[string]any{"Feed": o.Title, "Said": spoken(o.Said)})) })
		}
	})
	defer stop()
	<-w.ctx.Done()
}

// undoStack is what can be undone, the last thing first.
type undoStack []undoable

type undoable struct {
	what string
	undo func(ctx context.Context) error
}

// maxUndo is how far back undo goes.
const maxUndo = 50

// done remembers something that can be undone and says so.
func (w *window) done(what string, undo func(ctx context.Context) error) {
	w.undo = append(w.undo, undoable{what, undo})
	w.undo = w.undo[max(0, len(w.undo)-maxUndo):]
	w.offerUndo(what)
}

func (w *window) undoLast() {
	if len(w.undo) == 0 {
		w.say(lang.L("There is nothing to undo."))
		return
	}
	last := w.undo[len(w.undo)-1]
	w.undo = w.undo[:len(w.undo)-1]
	w.work(last.undo, func(err error) {
		if err != nil {
			w.say(errorText(err))
			return
		}
		w.say(lang.L("Undone: {{.What}}", map[string]any{"What": last.what}))
	})
}
