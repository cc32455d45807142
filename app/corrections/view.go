// Package corrections lists what the user corrected of what Kairos learned of their visits: hints of when they read, periods
// that do not count, and how much of a feed they read. Each has a button to take it back, and whatever is done here can be undone.
package corrections

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/reader"
	"kairos/useraccess"
)

// Host is what a view needs of where it stands. All fields but Focused are set.
type Host struct {
	*async.Jobs
	Home    *home.Home
	Changed func()      // what is learned has changed; loads the view again
	Fail    func(error) // tells why it could not be
	AddUndo func(what string, undo func(ctx context.Context) error)
	Focused func(o fyne.CanvasObject) // a button got the focus; may be nil
	Empty   string                    // is said where nothing is corrected; "" hides the view then
}

// View is the list. It is hidden while nothing is corrected.
type View struct {
	Host
	Content *fyne.Container
	request async.Request
	inForce inForce
}

// inForce is what is corrected.
type inForce struct {
	hints     []useraccess.Hint
	forgotten []useraccess.Forgotten
	interests []reader.Feed // of which the user said how much they read
}

// New returns a view that shows nothing before Load.
func New(h Host) *View {
	v := &View{Host: h, Content: widgets.NewColumn(2)}
	v.Content.Hide()
	return v
}

// Load reads what is corrected and shows it; done, if not nil, is called then.
func (v *View) Load(done func()) {
	async.Load(v.Jobs, &v.request, func(ctx context.Context) (c inForce, err error) {
		if c.hints, err = v.Home.Log.Hints(ctx); err != nil {
			return c, err
		}
		if c.forgotten, err = v.Home.Log.Forgotten(ctx); err != nil {
			return c, err
		}
		c.interests, err = v.Home.Store.Feeds.List(ctx)
		c.interests = slices.DeleteFunc(c.interests, func(f reader.Feed) bool { return f.Interest == 0 })
		return c, err
	}, func(c inForce) {
		v.show(c)
		if done != nil {
			done()
		}
	})
}

func (v *View) show(c inForce) {
	v.inForce = c
	words := language.Printer()
	v.Content.RemoveAll()
	for _, h := range c.hints {
		v.add(lang.L("You said you read at {{.Hint}}", map[string]any{"Hint": words.Hint(h)}), lang.L("Remove"), func() { v.RemoveHint(h) })
	}
	for _, f := range c.forgotten {
		v.add(words.Forgotten(f, v.Home.Now()), lang.L("Count again"), func() { v.Restore(f) })
	}
	for _, f := range c.interests {
		v.add(lang.L("You said that you read {{.Percent}} of “{{.Feed}}”", map[string]any{"Percent": words.Percent(f.Interest), "Feed": f.Title}), lang.L("Remove"),
			func() { v.LearnInterest(f) })
	}
	if len(v.Content.Objects) == 0 && v.Empty != "" {
		v.Content.Add(widgets.NewText(v.Empty, widgets.Muted))
	}
	v.Content.Hidden = len(v.Content.Objects) == 0
	v.Content.Refresh()
}

func (v *View) add(text, button string, takeBack func()) {
	b := widgets.NewDialogButton(button, takeBack)
	b.OnFocus = func() {
		if v.Focused != nil {
			v.Focused(b)
		}
	}
	v.Content.Add(container.NewBorder(nil, nil, nil, b, widgets.NewInset(widgets.NewText(text, widgets.Plain))))
}

// AddHint adds a hint and then calls done; with an error it adds none.
func (v *View) AddHint(h useraccess.Hint, done func(error)) {
	v.change(done, func(ctx context.Context) (err error) {
		h, err = v.Home.Visits.AddHint(ctx, h)
		return err
	}, func() string {
		return lang.L("Hint added: {{.Hint}}", map[string]any{"Hint": language.Printer().Hint(h)})
	},
		func(ctx context.Context) error { return v.Home.Visits.RemoveHint(ctx, h.ID) })
}

// RemoveHint removes a hint.
func (v *View) RemoveHint(h useraccess.Hint) {
	v.change(v.told, func(ctx context.Context) error { return v.Home.Visits.RemoveHint(ctx, h.ID) },
		func() string {
			return lang.L("Hint removed: {{.Hint}}", map[string]any{"Hint": language.Printer().Hint(h)})
		},
		func(ctx context.Context) error { return v.Home.Visits.RestoreHint(ctx, h) })
}

// LearnInterest learns again how much of a feed is read, in place of what the user said.
func (v *View) LearnInterest(f reader.Feed) {
	set := func(ctx context.Context, interest float64) error {
		now, err := v.Home.Store.Feeds.Get(ctx, f.ID)
		if err != nil {
			return err
		}
		now.Interest = interest
		return v.Home.Subscriptions.Update(ctx, now, nil)
	}
	v.change(v.told, func(ctx context.Context) error { return set(ctx, 0) },
		func() string { return lang.L("Changed the properties of {{.Feed}}", map[string]any{"Feed": f.Title}) },
		func(ctx context.Context) error { return set(ctx, f.Interest) })
}

// Forget makes a period count no more and then calls done; with an error it goes on counting.
func (v *View) Forget(from, to time.Time, done func(error)) {
	n := 0
	v.change(done, func(ctx context.Context) (err error) {
		n, err = v.Home.Visits.Forget(ctx, from, to)
		return err
	}, func() string { return lang.N("{{.PluralCount}} visits were forgotten.", n) }, func(ctx context.Context) error {
		_, err := v.Home.Visits.Restore(ctx, from)
		return err
	})
}

// Restore makes a forgotten period count again.
func (v *View) Restore(f useraccess.Forgotten) {
	n := 0
	v.change(v.told, func(ctx context.Context) (err error) {
		n, err = v.Home.Visits.Restore(ctx, f.From)
		return err
	}, func() string { return lang.N("{{.PluralCount}} visits count again.", n) }, func(ctx context.Context) error {
		_, err := v.Home.Visits.Forget(ctx, f.From, f.To)
		return err
	})
}

// told tells why something could not be.
func (v *View) told(err error) {
	if err != nil {
		v.Fail(err)
	}
}

// change changes what is corrected and calls done, tells the host, which loads the view again, and offers to undo it; said
// words what was done.
func (v *View) change(done func(error), do func(ctx context.Context) error, said func() string, undo func(ctx context.Context) error) {
	v.Work(do, func(err error) {
		if done(err); err != nil {
			return
		}
		v.AddUndo(said(), func(ctx context.Context) error {
			err := undo(ctx)
			v.Do(v.Changed)
			return err
		})
		v.Changed()
	})
}
