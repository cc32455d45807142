package hometest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"kairos/app/home"
	"kairos/app/secret"
	accounts "kairos/poller/sync"
	"kairos/reader/parse"
)

// Server is a server with one feed and two articles, in memory.
type Server struct {
	mu           sync.Mutex
	Subscribed   []accounts.Feed
	Stored       []accounts.Article
	Fault        error
	AcceptsFeeds bool // else it accepts no new ones

	Refreshed func(feed string) error // is told to fetch a feed; nil: it cannot be told
}

// refresher is a server that can be told when to fetch.
type refresher struct{ *Server }

// Refresh implements accounts.Refresher.
func (s refresher) Refresh(_ context.Context, feed string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Refreshed(feed)
}

// NewServer returns a server.
func NewServer() *Server {
	return &Server{Subscribed: []accounts.Feed{{ID: "1", URL: "https://a.test/feed", Title: "A", Folder: "News"}}, Stored: []accounts.Article{
		{Feed: "1", Item: parse.Item{ID: "10", Title: "First", Link: "https://a.test/1", HTML: "<p>One</p>", Published: time.Date(2026, 3, 1, 0, 0, 1, 0, time.UTC)}},
		{Feed: "1", Item: parse.Item{ID: "11", Title: "Second", Link: "https://a.test/2", HTML: "<p>Two</p>", Published: time.Date(2026, 3, 2, 0, 0, 1, 0, time.UTC)}}}}
}

// Feeds implements accounts.Service.
func (s *Server) Feeds(context.Context) ([]accounts.Feed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.Subscribed), s.Fault
}

// Page implements accounts.Service.
func (s *Server) Page(context.Context, string, time.Time) (accounts.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return accounts.Page{Articles: slices.Clone(s.Stored)}, s.Fault
}

// Difference implements accounts.Service.
func (s *Server) Difference(context.Context, time.Time) (accounts.Difference, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return accounts.Difference{Now: time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC), Articles: slices.Clone(s.Stored)}, s.Fault
}

// Marks implements accounts.Service.
func (s *Server) Marks(context.Context) (m accounts.Marks, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.Whole = true
	for _, a := range s.Stored {
		if !a.Read {
			m.Unread = append(m.Unread, a.ID)
		}
		if a.Starred {
			m.Starred = append(m.Starred, a.ID)
		}
	}
	return m, s.Fault
}

// Articles implements accounts.Service.
func (s *Server) Articles(_ context.Context, ids []string, page func([]accounts.Article) error) error {
	s.mu.Lock()
	found := slices.DeleteFunc(slices.Clone(s.Stored), func(a accounts.Article) bool { return !slices.Contains(ids, a.ID) })
	s.mu.Unlock()
	return page(found)
}

func (s *Server) set(ids []string, do func(*accounts.Article)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.Stored {
		if slices.Contains(ids, s.Stored[i].ID) {
			do(&s.Stored[i])
		}
	}
	return s.Fault
}

// SetRead implements accounts.Service.
func (s *Server) SetRead(_ context.Context, ids []string, read bool) error {
	return s.set(ids, func(a *accounts.Article) { a.Read = read })
}

// SetStarred implements accounts.Service.
func (s *Server) SetStarred(_ context.Context, ids []string, starred bool) error {
	return s.set(ids, func(a *accounts.Article) { a.Starred = starred })
}

// Subscribe implements accounts.Service.
func (s *Server) Subscribe(_ context.Context, url, title, folder string) (accounts.Feed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.AcceptsFeeds {
		f := accounts.Feed{ID: fmt.Sprint(100 + len(s.Subscribed)), URL: url, Title: cmp.Or(title, "Subscribed"), Folder: folder}
		s.Subscribed = append(s.Subscribed, f)
		s.Stored = append(s.Stored, accounts.Article{Feed: f.ID, Item: parse.Item{ID: f.ID + "0", Title: "New", HTML: "<p>New</p>", Published: time.Date(2026, 3, 3, 0, 0, 1, 0, time.UTC)}})
		return f, nil
	}
	return accounts.Feed{}, &accounts.Error{Code: accounts.Rejected, Host: "rss.test", Status: 400}
}

// Unsubscribe implements accounts.Service.
func (s *Server) Unsubscribe(_ context.Context, feed string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Subscribed = slices.DeleteFunc(s.Subscribed, func(f accounts.Feed) bool { return f.ID == feed })
	return s.Fault
}

// Edit implements accounts.Service.
func (s *Server) Edit(_ context.Context, feed string, change accounts.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.Subscribed {
		if s.Subscribed[i].ID == feed {
			if change.Title != nil {
				s.Subscribed[i].Title = *change.Title
			}
			if change.Folder != nil {
				s.Subscribed[i].Folder = *change.Folder
			}
		}
	}
	return s.Fault
}

// Accounts are the options of a data folder whose accounts are at this server, where ann's password is "secret".
func (s *Server) Accounts(keyring secret.Keyring) home.Options {
	return home.Options{Keyring: keyring, Servers: home.Servers{
		Find: func(_ context.Context, _ string, typed home.Login) (kind, url string, err error) {
			if typed.Password != "secret" {
				return "", "", &accounts.Error{Code: accounts.Refused, Host: "rss.test", Status: 401}
			}
			return "memory", "https://" + typed.Address + "/", nil
		},
		Open: func(kind, url, user, password string) (accounts.Service, error) {
			if kind != "memory" || url != "https://rss.test/" || user != "ann" || password != "secret" {
				return nil, fmt.Errorf("opened %s at %s for %s", kind, url, user)
			}
			if s.Refreshed != nil {
				return refresher{s}, nil
			}
			return s, nil
		}}}
}

// Change does something with what the server has.
func (s *Server) Change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// Ring is a keyring in memory.
type Ring struct {
	mu    sync.Mutex
	Items map[string]string
	Err   error // of storing
}

// NewRing returns an empty keyring.
func NewRing() *Ring { return &Ring{Items: map[string]string{}} }

// Set implements secret.Keyring.
func (r *Ring) Set(_, user, password string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Err == nil {
		r.Items[user] = password
	}
	return r.Err
}

// Get implements secret.Keyring.
func (r *Ring) Get(_, user string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.Items[user]; ok {
		return p, nil
	}
	return "", keyring.ErrNotFound
}

// Delete implements secret.Keyring.
func (r *Ring) Delete(_, user string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.Items, user)
	return nil
}
