package program

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app"
	"kairos/app/async"
	"kairos/app/home"
	"kairos/app/owner"
	"kairos/app/preferences"
	"kairos/app/verbs"
	"kairos/reader"
)

// program is one run of Kairos with a window.
type program struct {
	ctx    context.Context
	stop   context.CancelFunc
	app    fyne.App
	loop   *async.Loop // Fyne's
	prefs  *preferences.Preferences
	wishes *wishes
	logger *slog.Logger
	dir    string
	own    *owner.Owner
	start  home.Start // what it was started for
	hidden bool       // the window is not shown at the start

	home     *home.Home
	win      *app.Window
	opening  *opening   // of the data folder, while it takes long
	started  bool       // Fyne's loop runs
	services int        // that run beside the window
	ended    chan error // receives each service's error when it has ended
}

// run opens the data folder, shows the window until the program ends, and then waits for everything that runs.
func (p *program) run() error {
	ctx, stop := context.WithCancel(p.ctx)
	defer stop()
	p.ctx, p.stop, p.ended = ctx, stop, make(chan error, 2)
	err := p.open()
	if err != nil {
		p.showOpenError(err)
	}
	if !p.hidden && !slices.ContainsFunc(p.app.Driver().AllWindows(), isDrawn) {
		p.logger.Error("the window", "err", errNotDrawn)
		stop()
		return errors.Join(err, errNotDrawn, p.end())
	}
	p.app.Lifecycle().SetOnStarted(p.serve)
	go func() {
		<-ctx.Done()
		p.loop.Do(p.app.Quit)
	}()
	stopWithCompositor(ctx, stop)
	stopped := takeStoppedHook(p.app)
	p.app.Run()
	stop()
	stopped()
	return p.end()
}

// takeStoppedHook returns the function that Fyne runs when it stops, and keeps Fyne from running it: Fyne 2.8.1 runs it
// from another goroutine on the loop that is ending, and if the loop ends first, App.Run never returns.
func takeStoppedHook(a fyne.App) func() {
	l, ok := a.Lifecycle().(interface {
		OnStopped() func()
		SetOnStoppedHookExecuted(func())
	})
	if !ok || l.OnStopped() == nil {
		return func() {}
	}
	stopped := l.OnStopped()
	l.SetOnStoppedHookExecuted(nil)
	return stopped
}

// showOpenError shows why the data folder cannot be opened.
func (p *program) showOpenError(err error) {
	showOpenError(p.app, p.loop.Do, p.dir, err, wayOut{
		retry: p.open,
		startFresh: func() error {
			if _, err := home.SetAside(p.dir, time.Now()); err != nil {
				return err
			}
			return p.open()
		},
		contents: func() (backup, left reader.BackupContents, err error) { return home.ContentsOfDamaged(p.ctx, p.dir) },
		restore: func() (string, error) {
			backup, err := home.LastBackup(p.dir)
			if err != nil {
				return "", err
			}
			return p.broughtBack(home.RestoreDamaged(p.ctx, p.dir, backup, time.Now()))
		},
		salvage: func() (string, error) {
			said, err := p.broughtBack(home.Salvage(p.ctx, p.dir, time.Now()))
			if errors.Is(err, home.ErrNoBackup) {
				return lang.L("All of the database can be read. Nothing was changed."), nil
			}
			return said, err
		},
	})
}

// broughtBack tells what has been restored or salvaged.
func (p *program) broughtBack(c reader.BackupContents, aside string, err error) (string, error) {
	if err != nil {
		p.logger.Error("restore", "err", err)
		return "", err
	}
	return broughtBackText(c, aside), nil
}

// open opens the data folder and creates the window. If it takes long, another window says so meanwhile.
func (p *program) open() error {
	if p.own == nil {
		own, err := owner.Acquire(p.dir)
		if err != nil {
			return err
		}
		p.own = own
	}
	if p.start.Repair {
		p.start.Repair = false
		return reader.ErrDamaged
	}
	o := newOpening(p.ctx, p.dir, home.Options{Logger: p.logger, Gentle: true})
	select {
	case <-o.ended:
		return p.opened(o)
	case <-o.long:
	}
	p.opening = o
	win := newCopyingWindow(p.app, o, p.stop, func() {
		p.opening = nil
		if err := p.opened(o); err != nil {
			p.showOpenError(err)
		}
	})
	if !p.hidden {
		win.Show()
	}
	return nil
}

// opened creates the window of the data folder.
func (p *program) opened(o *opening) error {
	if o.err != nil {
		return o.err
	}
	p.home = o.home
	p.win = app.New(p.ctx, p.app, p.loop, p.home, p.prefs, p.stop)
	p.win.OnRescale(p.wishes.rescaler())
	if !p.hidden {
		p.win.Show()
	}
	if p.started {
		p.serve()
	}
	return nil
}

// serve starts what runs beside the window. It does nothing until Fyne's loop runs and the data folder is open.
func (p *program) serve() {
	p.started = true
	if p.home == nil {
		return
	}
	p.services = 2
	go func() { p.ended <- verbs.Serve(p.ctx, p.own, p.home) }()
	go func() { p.ended <- p.home.Run(p.ctx) }()
	p.win.Start(p.start, owner.SenderOf(p.ctx).Token)
}

// fit makes the window smaller where the screen has no room for it.
func (p *program) fit() {
	if p.win != nil {
		p.win.FitScreen()
	}
}

// endWithin is how long the end of the program waits for what ought to end by itself. What is stored is whole at any moment.
const endWithin = 2 * time.Second

// end waits for the services and closes the data folder. What does not end in time ends with the process.
func (p *program) end() error {
	if p.win != nil {
		p.win.Close() // here, on the window's goroutine
	}
	ended := make(chan error, 1)
	go func() { ended <- p.close() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(endWithin):
		stacks := make([]byte, 64<<10)
		p.logger.Error("the end of the program", "err", errStuck, "stacks", string(stacks[:runtime.Stack(stacks, true)]))
		return nil
	}
}

var errStuck = errors.New("something still runs")

// close waits for the services and closes the data folder.
func (p *program) close() error {
	var err error
	for range p.services {
		err = errors.Join(err, <-p.ended)
	}
	if p.win != nil {
		p.win.Wait()
	}
	if p.opening != nil {
		<-p.opening.ended
		p.home = p.opening.home
	}
	if p.home != nil {
		err = errors.Join(err, p.home.Close())
	}
	if p.own != nil {
		err = errors.Join(err, p.own.Close())
	}
	return err
}

// openLog opens the log in the data folder, unless it would be one of root's that its user cannot write to. Without a log the
// program runs as well.
func openLog(dir string) (*slog.Logger, func()) {
	name := filepath.Join(dir, "kairos.log")
	if os.Getuid() == 0 && owner.Foreign(dir) != nil {
		return slog.New(slog.DiscardHandler), func() {}
	}
	f, err := openLogFile(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "kairos: no log:", err)
		return slog.New(slog.DiscardHandler), func() {}
	}
	return slog.New(slog.NewTextHandler(f, nil)), func() { f.Close() }
}
