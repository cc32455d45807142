// Package app is the window: three panes to read in, and what belongs around
// them. It shows what home holds and calls back into it; the work is done off
// the window's goroutine, which owns everything the window shows.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"

	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/look"
	"kairos/app/owner"
	"kairos/app/verbs"
	"kairos/assets"
)

// Open opens the window on the data folder dir and returns when the program
// ends. If another Kairos has the folder, it is asked to show its window
// instead. argument is an address or a file to begin with, or "".
func Open(ctx context.Context, dir, argument string, hidden bool) (err error) {
	defer func() { err = screenless(recover(), err) }()
	own, err := own(ctx, dir, argument, hidden)
	if own == nil && err == nil || errors.Is(err, errNotShown) {
		return err
	}
	// A folder that cannot be owned is told of in the window.
	p := &program{ctx: ctx, app: fyneapp.NewWithID(home.AppID), dir: dir, own: own, argument: argument, hidden: hidden}
	p.app.SetIcon(fyne.NewStaticResource("kairos.png", assets.Icon))
	p.app.Settings().SetTheme(look.New(look.Variants[p.app.Preferences().String(prefLook)]))
	if err := language.Choose(p.app.Preferences().String(prefLanguage)); err != nil {
		fyne.LogError("the language cannot be chosen", err) // English is spoken then
	}
	return p.run()
}

// screenless is the error for a panic of Fyne where it finds no screen; any other goes on.
func screenless(panicked any, err error) error {
	switch {
	case panicked == nil:
		return err
	case strings.Contains(fmt.Sprint(panicked), "GLFW library is not initialized"):
		return errors.New("there is no screen to show the window on; the verbs work without one (kairos --help)")
	}
	panic(panicked)
}

// own makes this process the owner of the data folder. A nil owner without an
// error means that another Kairos has it and was told what is wanted.
func own(ctx context.Context, dir, argument string, hidden bool) (*owner.Owner, error) {
	if hidden {
		own, err := owner.Take(dir)
		if errors.Is(err, owner.ErrOwned) {
			return nil, nil
		}
		return own, err
	}
	args := []string{"show"}
	if argument != "" {
		args = append(args, argument)
	}
	own, code, err := owner.TakeOrSend(ctx, dir, args, io.Discard, os.Stderr)
	if own == nil && err == nil && code != 0 {
		return nil, errNotShown
	}
	return own, err
}

var errNotShown = errors.New("the running Kairos has no window to show")

// program is one run of Kairos with a window.
type program struct {
	ctx      context.Context
	stop     context.CancelFunc
	app      fyne.App
	dir      string
	own      *owner.Owner
	argument string
	hidden   bool

	home    *home.Home
	win     *window
	started bool       // Fyne's loop runs
	ended   chan error // of the services
	count   int        // of the services
}

// run opens the data folder and shows the window until the program ends, then
// lets everything that runs come to its end.
func (p *program) run() error {
	ctx, stop := context.WithCancel(p.ctx)
	defer stop()
	p.ctx, p.stop, p.ended = ctx, stop, make(chan error, 2)
	logger, closeLog := openLog(p.dir)
	defer closeLog()

	open := func() error { return p.open(logger) }
	if err := open(); err != nil {
		trouble(p.app, p.dir, err, open, func() error {
			if _, err := home.SetAside(p.dir, time.Now()); err != nil {
				return err
			}
			return open()
		})
	}
	p.app.Lifecycle().SetOnStarted(p.start)
	go func() {
		<-ctx.Done()
		fyne.Do(p.app.Quit)
	}()
	last := takeLast(p.app)
	p.app.Run()
	stop()
	last()
	return p.end()
}

// takeLast takes over what Fyne 2.7.1 has another goroutine do on its loop while that ends.
// Where the loop is faster, it is never done, and App.Run never returns.
func takeLast(a fyne.App) func() {
	l, ok := a.Lifecycle().(interface {
		OnStopped() func()
		SetOnStoppedHookExecuted(func())
	})
	if !ok || l.OnStopped() == nil {
		return func() {}
	}
	last := l.OnStopped()
	l.SetOnStoppedHookExecuted(nil)
	return last
}

// open opens the data folder and makes the window.
func (p *program) open(logger *slog.Logger) error {
	if p.own == nil {
		own, err := owner.Take(p.dir)
		if err != nil {
			return err
		}
		p.own = own
	}
	h, err := home.Open(p.ctx, p.dir, home.Options{Logger: logger, Gentle: true})
	if err != nil {
		return err
	}
	p.home = h
	p.win = newWindow(p.ctx, p.app, h)
	p.win.closing.end = p.stop
	h.Show = func(argument string) { fyne.Do(func() { p.win.show(argument) }) }
	if !p.hidden {
		p.win.win.Show()
	}
	if p.started {
		p.start()
	}
	return nil
}

// start begins what runs behind the window, once Fyne's loop runs and the data
// folder is open.
func (p *program) start() {
	p.started = true
	if p.home == nil {
		return
	}
	p.count = 2
	go func() { p.ended <- verbs.Serve(p.ctx, p.own, p.home) }()
	go func() { p.ended <- p.home.Run(p.ctx) }()
	p.win.geometry.fitScreen()
	p.win.started(p.argument)
}

// end waits for what runs and closes the data folder.
func (p *program) end() error {
	var err error
	for range p.count {
		err = errors.Join(err, <-p.ended)
	}
	if p.win != nil {
		p.win.Wait()
	}
	if p.home != nil {
		err = errors.Join(err, p.home.Close())
	}
	if p.own != nil {
		err = errors.Join(err, p.own.Close())
	}
	return err
}

// maxLog is when the log starts anew.
const maxLog = 4 << 20

// openLog opens the log in the data folder, where details go that people are
// spared. Without one the program runs as well.
func openLog(dir string) (*slog.Logger, func()) {
	name := filepath.Join(dir, "kairos.log")
	if info, err := os.Stat(name); err == nil && info.Size() > maxLog {
		os.Rename(name, name+".old") //nolint:errcheck // the log then simply goes on
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, "kairos: no log:", err)
		return slog.New(slog.DiscardHandler), func() {}
	}
	return slog.New(slog.NewTextHandler(f, nil)), func() { f.Close() }
}
