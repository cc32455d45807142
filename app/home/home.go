// Package home opens the data folder and hands out its parts: the store, the access log, the poller
// over both, and small types for what changes several of them at once. The window and the verbs
// share it.
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
	"kairos/poller/insights"
	"kairos/poller/likely"
	"kairos/poller/preparer"
	accounts "kairos/poller/sync"
	"kairos/reader"
	"kairos/reader/imports"
	"kairos/reader/picture"
	"kairos/useraccess"
)

// AppID is the name of Kairos for the desktop.
const AppID = "org.kairos.Reader"

// keepRemoved is how long an unsubscribed feed can be restored with its articles.
const keepRemoved = 24 * time.Hour

// Home is the parts of an open data folder.
type Home struct {
	Dir      string
	Store    *reader.Store
	Log      *useraccess.Log
	Poller   *poller.Poller
	Album    *picture.Album     // pictures of articles
	Preparer *preparer.Preparer // brings articles before they are read
	Secrets  *secret.Secrets
	Now      func() time.Time

	Subscriptions Subscriptions
	Marks         Marks
	Rules         Rules
	SavedSearches SavedSearches
	Duplicates    Duplicates
	FullText      FullText
	Chapters      Chapters
	Exports       Exports
	Everything    Everything
	Imports       Imports
	Backups       Backups
	Disk          Disk
	Visits        Visits
	Insights      *insights.Insights
	Likely        *likely.Likely
	Snoozes       Snoozes
	Column        Column
	Destinations  Destinations
	Certificates  Certificates

	// Show brings the window to the front for a second start; nil without a window.
	Show func(SecondStart)

	// OnDamage is told about damage that the maintenance of the file meets; nil: the log is.
	OnDamage func(err error)

	logger *slog.Logger
}

// SecondStart is what a start of the program finds out whose data folder is in use.
type SecondStart struct {
	Start
	Version string // its version if that is another one, else ""
	Token   string // its activation token, or ""
}

// Start is what the program is started for.
type Start struct {
	Argument string // an address or a file to open, or ""
	Command  string // one of StartCommands, or ""
	Repair   bool   // the database is damaged: what brings it back is offered before it is opened
}

// StartCommands are what the desktop entry offers beside opening the window.
var StartCommands = []string{StartAdd, StartRefresh, StartSaver}

const (
	StartAdd     = "add-feed"
	StartRefresh = "refresh"
	StartSaver   = "battery-saver"
)

// Options are optional settings; zero values are replaced by defaults.
type Options struct {
	Now    func() time.Time
	Logger *slog.Logger
	Client *fetch.Client
	Gentle bool // leave the processor to the window

	Copying reader.Progress // of the copy of a file that an older version wrote; may be nil

	Servers Servers         // finds and opens servers to sync with
	Places  *imports.Places // where other readers keep their data; nil: the usual folders
	Keyring secret.Keyring  // for passwords; nil: the desktop's
}

// rooms are the packages besides reader that have tables in the file.
func rooms() []reader.Room {
	return []reader.Room{
		{Name: "useraccess", Steps: useraccess.Steps},
		{Name: "poller", Steps: poller.Steps},
		{Name: "sync", Steps: accounts.Steps},
	}
}

// DefaultDir returns the platform's folder for the data of Kairos.
func DefaultDir() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find your home folder: %w (choose a folder with --data)", err)
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
	// By the XDG base directory specification a relative path is ignored.
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "kairos"), nil
	}
	return filepath.Join(home, ".local", "share", "kairos"), nil
}

// Open opens the data folder for writing; the caller must own it. Errors: those of reader.Open.
func Open(ctx context.Context, dir string, o Options) (*Home, error) {
	if o.Now == nil {
		o.Now = wallClock()
	}
	if err := reader.RemoveStale(dir, filepath.Join(dir, backupsFolder)); err != nil && o.Logger != nil {
		o.Logger.Warn("remove files left by a backup or a restore", "err", err)
	}
	if err := removeCopies(dir); err != nil && o.Logger != nil {
		o.Logger.Warn("remove files left by an import", "err", err)
	}
	store, err := reader.OpenTelling(ctx, dir, o.Now(), o.Copying, rooms()...)
	if err != nil {
		return nil, err
	}
	h := build(dir, store, o)
	if err := h.Certificates.load(ctx); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	err = store.Write(ctx, func(tx *sql.Tx) error { return reader.PurgeFeeds(ctx, tx, o.Now().Add(-keepRemoved)) })
	if err == nil {
		err = h.Snoozes.wakeDue(ctx, false)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return h, nil
}

// OpenReadOnly opens the data folder for reading, which is possible besides its owner. Errors:
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
	if err := h.Certificates.load(ctx); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	h.ReadPower(ctx)
	return h, nil
}

func build(dir string, store *reader.Store, o Options) *Home {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Client == nil {
		o.Client = fetch.New(fetch.Options{Version: Version, Website: Website, Now: o.Now})
	}
	h := &Home{Dir: dir, Store: store, Log: useraccess.New(logFile{store}), Secrets: secret.New(dir), Now: o.Now, logger: o.Logger}
	if o.Keyring != nil {
		h.Secrets = secret.In(dir, o.Keyring)
	}
	h.Visits = Visits{store: store, log: h.Log, now: o.Now}
	h.Certificates = Certificates{store, o.Client}
	servers := newAccounts(h, o)
	h.Column.home = h
	h.Album = picture.NewAlbum(picture.NewCache(filepath.Join(dir, "pictures"), picture.DefaultCacheSize, o.Now), o.Logger)
	h.Poller = poller.New(store, h.Log, poller.Options{
		Version: Version, Website: Website, Now: o.Now, Logger: o.Logger, Client: o.Client, Icons: true, Gentle: o.Gentle,
		Secrets: h.Secrets.Load, Learning: h.Visits.learning, Realized: h.realized, Accounts: servers.Engine,
		Prepare: poller.Preparing{Album: h.Album, Files: filepath.Join(dir, "files"), Pictures: h.loadsPictures, Column: h.Column.now,
			Chances: func(ctx context.Context, ids []int64) (map[int64]float64, error) { return h.Likely.Chances(ctx, ids) }},
	})
	h.Preparer = h.Poller.Preparer()
	h.Destinations = newDestinations(h, o)
	maintenance := new(sync.Mutex) // held while the file is replaced or compacted
	h.Subscriptions = Subscriptions{store: store, poller: h.Poller, secrets: h.Secrets, now: o.Now}
	servers.poller = h.Poller
	h.Subscriptions.Accounts = servers
	h.Marks, h.Rules, h.SavedSearches = Marks{store, Labels{store}}, Rules{store, o.Now}, SavedSearches{store}
	h.Duplicates = Duplicates{store: store, logger: o.Logger, wanted: make(chan struct{}, 1)}
	h.Chapters = Chapters{store: store, poller: h.Poller, now: o.Now}
	h.FullText = FullText{store: store, poller: h.Poller, preparer: h.Preparer, now: o.Now}
	h.Exports = Exports{store: store, now: o.Now}
	h.Imports = Imports{dir: dir, store: store, poller: h.Poller, log: h.Log, visits: &h.Visits, subscriptions: &h.Subscriptions, now: o.Now, places: o.Places}
	h.Backups = Backups{dir: dir, store: store, poller: h.Poller, certificates: &h.Certificates, now: o.Now, maintenance: maintenance}
	h.Disk = Disk{dir: dir, store: store, now: o.Now, logger: o.Logger, maintenance: maintenance}
	h.Visits.poller = h.Poller
	h.Snoozes = Snoozes{store: store, log: h.Log, now: o.Now, logger: o.Logger}
	h.Visits.snoozes = &h.Snoozes
	h.Insights = insights.New(store, h.Log, o.Now)
	h.Likely = likely.New(store, h.Log, h.Poller.Interests, o.Now)
	h.Visits.insights, h.Backups.insights = h.Insights, h.Insights
	h.Everything = Everything{store: store, log: h.Log, poller: h.Poller, preparer: h.Preparer, now: o.Now}
	h.Imports.forgetInsights = h.Insights.Forget
	h.Imports.stories, h.Backups.stories = &h.Duplicates, &h.Duplicates
	return h
}

// SettingPictures says whether images are loaded automatically: "on" or "off".
const SettingPictures = "view.article.pictures"

// loadsPictures reports whether images are loaded automatically.
func (h *Home) loadsPictures(ctx context.Context) (bool, error) {
	value, err := h.Store.Settings.Get(ctx, SettingPictures, "on")
	return value != "off", err
}

// Close closes the file.
func (h *Home) Close() error { return h.Store.Close() }

// SetAside renames a file that cannot be used, so that a new one can be created, and returns its
// new name.
func SetAside(dir string, now time.Time) (string, error) {
	path := filepath.Join(dir, reader.FileName)
	to := path + now.Format(".aside-20060102-150405")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("rename the old file: %w", err)
		}
	}
	return to, nil
}
