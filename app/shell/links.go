package shell

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/text"
	"kairos/reader"
	"kairos/reader/content"
)

// OpenLink opens a link of the web or a mail address in the program that the desktop has for it, and reports whether that
// worked; else the user is told. A page of the web is kept for later while there is no network.
func (s *Shell) OpenLink(link string) bool {
	if s.Home != nil && s.Home.Poller.NoNetwork() && strings.HasPrefix(link, "http") && !content.IsLocal(link) {
		s.keepLink(link)
		return true
	}
	return s.OpenNow(link)
}

// keepLink keeps a page to be opened once there is a network.
func (s *Shell) keepLink(link string) {
	s.Used()
	keep := func(ctx context.Context) error {
		return s.Home.Store.WriteAside(ctx, func(tx *sql.Tx) error { return reader.KeepLink(ctx, tx, link, s.Now()) })
	}
	drop := func(ctx context.Context) error {
		return s.Home.Store.WriteAside(ctx, func(tx *sql.Tx) error { return reader.DropLinks(ctx, tx, link) })
	}
	s.Work(keep, func(err error) {
		if err != nil {
			s.Fail(err)
			return
		}
		s.AddUndoRedo(lang.L("There is no network. The page is kept for later."), drop, keep)
	})
}

// OpenNow is OpenLink whether there is a network or not.
func (s *Shell) OpenNow(link string) bool {
	s.Used()
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		s.Say(lang.L("This link cannot be opened: {{.Address}}", map[string]any{"Address": text.CutMiddle(link, 32)}))
		return false
	}
	if u.Scheme == "mailto" {
		u = content.MailLink(u)
	}
	if err := s.App.OpenURL(u); err != nil {
		s.Say(lang.L("The browser could not be opened: {{.Why}}", map[string]any{"Why": text.WithoutStop(language.Error(err))}))
		return false
	}
	return true
}

// OpenPath opens a file or a folder in the program that the desktop has for it, and reports whether that worked; else the
// user is told.
func (s *Shell) OpenPath(path string) bool {
	path = "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // of Windows, too
	if err := s.App.OpenURL(&url.URL{Scheme: "file", Path: path}); err != nil {
		s.Fail(err)
		return false
	}
	return true
}
