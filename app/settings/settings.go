// Package settings is the settings of Kairos: their pages, the rules, the storage page with its
// backups, and the shortcuts. It knows the window only through a Host.
package settings

import (
	"context"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"kairos/app/article"
	"kairos/app/async"
	"kairos/app/autostart"
	"kairos/app/dialogs"
	"kairos/app/home"
	"kairos/app/keys"
	"kairos/app/language"
	"kairos/app/preferences"
	"kairos/app/session"
	"kairos/app/widgets"
)

// Preferences that are needed before the data folder is open.
const (
	PrefTheme    = "look"     // a key of look.Variants, "" to follow the system
	PrefLanguage = "language" // as in language.Known, "" to follow the system
	PrefScale    = "scale"    // of the window, as a multiple of what the system wants; 0 for 1
)

// MarkOnOpen is the stored setting of when an article that is opened is marked read.
const MarkOnOpen = "app.open_marks"

// Values of MarkOnOpen.
const (
	MarkAtOnce = string(session.MarkAtOnce)
	MarkLater  = string(session.MarkLater)
	MarkNever  = string(session.MarkNever)
)

// MarkOnScroll is the stored setting of whether articles that are scrolled past in the combined layout are marked read:
// "on" or "off".
const MarkOnScroll = "app.scroll_marks"

// KeepRunning is the stored setting of what closing the window does: with "yes" Kairos keeps
// fetching, with "no" it ends, and with "" it asks.
const KeepRunning = "app.keep_running"

// Which articles come first in the timeline, as View names them.
const (
	SortNewest = ""
	SortOldest = "oldest"
	SortLikely = "likely"
)

// Groups of the timeline, as View names them.
const (
	GroupNone   = ""
	GroupByDay  = "day"
	GroupByFeed = "feed"
)

// How much a row of the list shows, as View names it.
const (
	RowsNormal   = ""
	RowsCompact  = "compact"
	RowsPictures = "pictures"
)

// Host is what the settings need of the window. All fields but Rescale are set.
type Host struct {
	*async.Jobs
	App         fyne.App
	Home        *home.Home
	Dialogs     *dialogs.Stack
	Preferences preferences.Values
	Keys        widgets.Keys // receives the keys that the settings do not use

	Say          func(text string)                                       // shows a message in the status bar
	StoreSetting func(key, value string, done func(error))               // in the order of the calls
	AddUndo      func(what string, undo func(ctx context.Context) error) // offers to undo an action
	Undo         func()                                                  // undoes the last action
	SendTest     func(ctx context.Context) error                         // shows a notification
	SyncAccount  func(id int64)                                          // syncs an account now and tells how that went
	OnClose      func()                                                  // the settings were closed
	Restart      func()                                                  // ends Kairos and starts it again
	Rescale      func(scale float64)                                     // sets PrefScale and draws the window at it; nil: the environment decides
	OnRestore    func()                                                  // a backup has replaced everything
	OnDedupe     func()                                                  // the settings of duplicate stories have changed
	OnSharing    func()                                                  // the services to share with have changed

	View      View
	Shortcuts Shortcuts
}

// View is how the window shows lists and articles. Setting anything stores it.
type View interface {
	Style() article.Style
	SetStyle(article.Style)
	SetMarkOnOpen(when string) // does not store it
	SetMarkOnScroll(on bool)   // does not store it
	Layout() session.Layout
	SetLayout(session.Layout)
	Order() (sort, group string, hideRead bool)
	SetSort(string)
	SetGroup(string)
	SetHideRead(bool)
	Rows() string // how much a row of the list shows: RowsNormal, RowsCompact or RowsPictures
	SetRows(string)
	LoadsImages() bool
	SetLoadsImages(bool)
}

// Shortcuts are the commands of the window and their keys.
type Shortcuts struct {
	Groups    []CommandGroup
	Map       keys.Map
	Changed   func()        // stores and binds Map
	Capturing func(on bool) // while on, keys run no commands
}

// CommandGroup is a group of commands with a heading.
type CommandGroup struct {
	Name     string
	Commands []Command
}

// Command is a command of the window.
type Command struct{ ID, Title string }

// Settings opens the settings of a window.
type Settings struct{ Host }

// New returns the settings of a window.
func New(h Host) *Settings { return &Settings{h} }

// SetAutostart makes Kairos start at login with the data folder dir, or not any more.
func SetAutostart(dir string, on bool) error {
	exe, args, err := command(dir)
	if err != nil {
		return err
	}
	return autostart.Set(on, exe, args...)
}

// AllowBackground asks the desktop, where it wants to be asked, to let Kairos run on without its window.
func AllowBackground(dir string) error {
	exe, args, err := command(dir)
	if err != nil {
		return err
	}
	return autostart.AllowBackground(exe, args...)
}

// command is what starts Kairos with the data folder dir.
func command(dir string) (exe string, args []string, err error) {
	if usual, err := home.DefaultDir(); err != nil || usual != dir {
		args = []string{"--data", dir}
	}
	exe, err = os.Executable()
	return exe, args, err
}

// focus gives the focus to an object of the window.
func (s *Settings) focus(o fyne.Focusable) { s.Dialogs.Canvas().Focus(o) }

// iconButton returns a button of a list's row, which shows an icon; name says what it does for whoever cannot see that, and
// about to what.
func (s *Settings) iconButton(icon fyne.Resource, name, about string, do func()) *widgets.DialogButton {
	b := widgets.NewDialogButton("", func() { s.Keys.Used(); do() })
	b.Name, b.About = name, about
	b.Icon, b.Importance = icon, widget.LowImportance
	return b
}

func errorText(err error) string { return language.Printer().Error(err) }

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
