package app

import (
	"net/url"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/text"
)

// openLink opens a link of the web or a mail address in the program that the desktop has for it.
func (e *env) openLink(link string) { e.tryLink(link) }

// tryLink opens a link as openLink does, and reports whether that worked; else the user is told.
func (e *env) tryLink(link string) bool {
	e.used()
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		e.say(lang.L("This link cannot be opened: {{.Address}}", map[string]any{"Address": shortName(link)}))
		return false
	}
	if err := e.app.OpenURL(u); err != nil {
		e.say(lang.L("The browser could not be opened: {{.Why}}", map[string]any{"Why": text.WithoutStop(errorText(err))}))
		return false
	}
	return true
}

// openPath opens a file or a folder in the program that the desktop has for it, and reports whether that worked; else the
// user is told.
func (e *env) openPath(path string) bool {
	path = "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // of Windows, too
	if err := e.app.OpenURL(&url.URL{Scheme: "file", Path: path}); err != nil {
		e.say(errorText(err))
		return false
	}
	return true
}
