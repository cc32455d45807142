// Package home is the data folder and what lives in it: the store, the access
// log and the poller over both. The window and the verbs do everything through
// it.
package home

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"kairos/app/secret"
	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/power"
	"kairos/reader"
	"kairos/reader/picture"
	"kairos/useraccess"
)

// AppID names Kairos to the desktop.
const AppID = "org.kairos.Reader"

// Version is set when a release is linked.
var Version = "0.1.0"

// keepRemoved is how long an unsubscribed feed can be brought back whole.
const keepRemoved = 24 * time.Hour

// Home is an open data folder.
type Home struct {
	Dir     string
	Store   *reader.Store
	Log     *useraccess.Log
	Poller  *poller.Poller
	Album   *picture.Album // the pictures of articles
	Secrets *secret.Secrets
	Now     func() time.Time

	logger   *slog.Logger
	cleaning sync.Mutex // one clean-up at a time

	// Show brings the window to the front with what a second start was given;
	// nil where there is no window.
	Show func(argument string)
}

// Options are what a Home needs from outside. Zero values get defaults.
type Options struct {
	Now    func() time.Time
	Logger *slog.Logger
	Client *fetch.Client
	Gentle bool // there is a window to paint
}

// rooms are the parts that keep tables in the file, besides the reader.
func rooms() []reader.Room {
	return []reader.Room{
		{Name: "useraccess", Steps: useraccess.Steps},
		{Name: "poller", Steps: poller.Steps},
	}
}

// DefaultDir is the platform's folder for Kairos's data.
func DefaultDir() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find your home folder: %w (name a folder with --data)", err)
	}
	switch runtime.GOOS {
	case "windows":
		if local := os.Getenv("LOCALAPPDATA"); local != "" {
			return filepath.Join(local, "Kairos"), nil
		}
		return filepath.Join(home, "AppData", "Local", "Kairos"), nil
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "Kairos"), nil
	}
	// The XDG base directory specification: a relative path is to be ignored.
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "kairos"), nil
	}
	return filepath.Join(home, ".local", "share", "kairos"), nil
}

// Open opens the data folder for writing; the caller owns it. Errors: those of
// reader.Open.
func Open(ctx context.Context, dir string, o Options) (*Home, error) {
	if o.Now == nil {
		o.Now = wallClock()
	}
	if err := reader.RemoveStaleRestores(dir); err != nil && o.Logger != nil {
		o.Logger.Warn("remains of a restore", "err", err)
	}
	store, err := reader.Open(ctx, dir, o.Now(), rooms()...)
	if err != nil {
		return nil, err
	}
	h := build(dir, store, o)
	err = store.Write(ctx, func(tx *sql.Tx) error { return reader.PurgeFeeds(ctx, tx, o.Now().Add(-keepRemoved)) })
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return h, nil
}

// OpenReadOnly opens the data folder for reading, also beside its owner. Errors:
// those of reader.OpenReadOnly.
func OpenReadOnly(ctx context.Context, dir string, o Options) (*Home, error) {
	if o.Now == nil {
		o.Now = wallClock()
	}
	store, err := reader.OpenReadOnly(ctx, dir, rooms()...)
	if err != nil {
		return nil, err
	}
	h := build(dir, store, o)
	h.ReadPower(ctx)
	return h, nil
}

func build(dir string, store *reader.Store, o Options) *Home {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	h := &Home{Dir: dir, Store: store, Log: useraccess.New(store), Secrets: secret.New(dir), Now: o.Now, logger: o.Logger}
	h.Poller = poller.New(store, h.Log, poller.Options{
		Version: Version, Now: o.Now, Logger: o.Logger, Client: o.Client, Icons: true, Gentle: o.Gentle,
		Secrets: h.Secrets.Load,
	})
	h.Album = picture.NewAlbum(picture.NewCache(filepath.Join(dir, "pictures"), picture.DefaultCacheSize, o.Now), o.Logger)
	return h
}

// Run fetches in the background, indexes what has come, and keeps the data folder in order,
// until ctx ends.
func (h *Home) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var indexing sync.WaitGroup
	indexing.Go(func() { h.Store.Search.Index(ctx, h.logger) })
	defer indexing.Wait()
	defer stop()
	var first sync.Once
	known := make(chan struct{})
	go power.Watch(ctx, time.Minute, func(s power.State) {
		h.setPower(s)
		first.Do(func() { close(known) })
	})
	<-known // before the first fetch; it takes two seconds at the most
	var beside sync.WaitGroup
	beside.Go(func() { h.fetchPages(ctx) })
	beside.Go(func() { h.keepHouse(ctx) })
	defer beside.Wait()
	return h.Poller.Run(ctx)
}

// ReadPower tells the poller once what the machine has to spend, for programs that do not
// run it.
func (h *Home) ReadPower(ctx context.Context) { h.setPower(power.Read(ctx)) }

func (h *Home) setPower(s power.State) {
	h.logger.Info("supply", "battery", s.Battery, "saver", s.Saver, "metered", s.Metered, "network", s.Network)
	h.Poller.SetPowerState(poller.PowerState{Battery: s.Battery.On, PowerSaver: s.Saver.On, Metered: s.Metered.On, NoNetwork: !s.Network})
}

// Close closes the file.
func (h *Home) Close() error { return h.Store.Close() }

// SetAside renames a file that cannot be used, so that a fresh one can be made
// beside it, and returns the name it was given.
func SetAside(dir string, now time.Time) (string, error) {
	path := filepath.Join(dir, reader.FileName)
	to := path + now.Format(".aside-20060102-150405")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("set the old file aside: %w", err)
		}
	}
	return to, nil
}
