// Package filechooser asks for files and folders by the dialogs of the desktop: its portal on Linux, those of the
// system on Windows and macOS.
package filechooser

import (
	"context"
	"errors"
)

// ErrUnsupported says that this desktop has no such dialog.
var ErrUnsupported = errors.New("this desktop has no dialog for files")

// Request says what to ask for.
type Request struct {
	Title  string
	Parent string // the window the dialog belongs to, as the portal names it; "" for none
	Save   bool   // a file to write, which may not exist; the dialog asks before one is replaced
	Name   string // suggested, of a file to write
	Folder string // where the dialog starts, "" where the desktop thinks fit

	// Extensions are those of the files that are offered, such as ".opml", and Kind says what they are. None offers all
	// files. Other files can be chosen, too.
	Extensions []string
	Kind, All  string
}

// Choose asks for a file and returns its path, "" if the user cancels. Canceling ctx closes the dialog where the
// desktop allows it. Errors: ErrUnsupported, ctx's.
func Choose(ctx context.Context, r Request) (string, error) { return choose(ctx, r) }
