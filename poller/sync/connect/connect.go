// Package connect finds out what kind of server an address belongs to, and opens it.
package connect

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"kairos/poller/fetch"
	"kairos/poller/sync"
	"kairos/poller/sync/call"
	"kairos/poller/sync/greader"
	"kairos/poller/sync/miniflux"
	"kairos/poller/sync/ttrss"
	"kairos/reader/localnet"
)

// Kind is a protocol. It is stored, so its text stays the same in every version.
type Kind string

// The protocols.
const (
	Miniflux     Kind = "miniflux"
	GoogleReader Kind = "greader"
	TinyTinyRSS  Kind = "ttrss"
)

// Kinds are all protocols.
var Kinds = []Kind{Miniflux, GoogleReader, TinyTinyRSS}

// Refreshes reports whether servers of a kind can be told when to fetch their feeds: their service is a sync.Refresher.
func (k Kind) Refreshes() bool { return k == Miniflux || k == TinyTinyRSS }

// TellsHealth reports whether servers of a kind tell how they fare with fetching their feeds (sync.Health). Google Reader had nothing
// of the kind, and FreshRSS has added nothing.
func (k Kind) TellsHealth() bool { return k == Miniflux || k == TinyTinyRSS }

// Edits reports whether feeds can be renamed and moved at servers of a kind: their service is a sync.Editor.
func (k Kind) Edits() bool { return k != TinyTinyRSS }

// ErrKind says that a stored kind is none of these.
var ErrKind = errors.New("unknown kind of server")

// service is what both clients are.
type service interface {
	sync.Service
	Check(ctx context.Context) error
}

// Open returns the service of a kind at base. It sends nothing.
func Open(kind Kind, base, user, password string, client *fetch.Client) (sync.Service, error) {
	return open(kind, base, user, password, client)
}

func open(kind Kind, base, user, password string, client *fetch.Client) (service, error) {
	switch kind {
	case Miniflux:
		return miniflux.New(base, user, password, client)
	case GoogleReader:
		return greader.New(base, user, password, client)
	case TinyTinyRSS:
		return ttrss.New(base, user, password, client)
	}
	return nil, fmt.Errorf("%w: %q", ErrKind, kind)
}

// Server is what Find has found.
type Server struct {
	Kind Kind
	Base string
}

// Find finds the server behind what a person has typed, and logs in. No password is sent to an address that does not
// answer as such a server does, unless the person says of which kind it is, and over plain HTTP only where the person wrote so.
// kind is "" where Find is to find that out. Errors: *sync.Error.
func Find(ctx context.Context, kind Kind, address, user, password string, client *fetch.Client) (Server, error) {
	bases, err := candidateBases(address, client)
	if err != nil {
		return Server{}, err
	}
	var refused, last error
	for _, s := range bases {
		if kind != "" && kind != s.Kind {
			continue
		}
		if err := s.probe(ctx, client); err != nil && (kind == "" || !isNoAPI(err)) {
			last = preferred(last, err)
			continue
		}
		service, err := open(s.Kind, s.Base, user, password, client)
		if err == nil {
			err = service.Check(ctx)
		}
		if err == nil || ctx.Err() != nil {
			return s, err
		}
		refused = preferred(refused, err)
	}
	if refused != nil {
		return Server{}, refused
	}
	if bases[0].isAssumedPlain(address) && wantsTLS(last) {
		return Find(ctx, kind, "https://"+strings.TrimSpace(address), user, password, client)
	}
	return Server{}, last
}

// isAssumedPlain reports whether the person who typed address left open whether the connection is to be encrypted, and it was not.
func (s Server) isAssumedPlain(address string) bool {
	return strings.HasPrefix(s.Base, "http://") && !strings.Contains(address, "://")
}

// wantsTLS reports whether a server may have failed because it was not spoken to by TLS: most answer with 400 then, others not in HTTP.
func wantsTLS(err error) bool {
	var e *fetch.Error
	return errors.As(err, &e) && (e.Code == fetch.Reset || e.Code == fetch.Protocol || e.Status == http.StatusBadRequest)
}

func isNoAPI(err error) bool {
	var e *sync.Error
	return errors.As(err, &e) && e.Code == sync.NoAPI
}

// preferred returns the error that tells more: that nothing was found tells least.
func preferred(before, now error) error {
	if before != nil && (isNoAPI(now) || !isNoAPI(before)) {
		return before
	}
	return now
}

// Where the interface of Google Reader lies below the address of a server, and where Tiny Tiny RSS often does.
const (
	freshRSS    = "/api/greader.php"
	tinyTinyRSS = "/tt-rss"
)

// tails are what people copy with an address.
var tails = []string{"/reader/api/0", "/accounts/ClientLogin", "/v1", "/i", "/i/index.php", "/p/i", "/unread", "/login", "/accounts/login", "/api", "/index.php", "/prefs.php"}

func candidateBases(address string, client *fetch.Client) ([]Server, error) {
	address = strings.TrimSpace(address)
	typed := address
	if !strings.Contains(address, "://") {
		scheme := "https://"
		if host, _, _ := strings.Cut(address, "/"); isOwnNetwork(host) && client.Trusted(fetch.Host("https://"+host)) == "" {
			scheme = "http://"
		}
		address = scheme + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, call.NoAddress(typed)
	}
	u.RawQuery, u.Fragment, u.User = "", "", nil
	base := strings.TrimRight(u.String(), "/")
	if before, _, found := strings.Cut(base, freshRSS); found {
		return []Server{{GoogleReader, before + freshRSS}}, nil
	}
	for _, tail := range tails {
		base = strings.TrimSuffix(base, tail)
	}
	return []Server{
		{Miniflux, base}, {GoogleReader, base + freshRSS}, {GoogleReader, base + "/p" + freshRSS}, {GoogleReader, base},
		{TinyTinyRSS, base}, {TinyTinyRSS, base + tinyTinyRSS},
	}, nil
}

// isOwnNetwork reports whether a host (with or without a port) can only be in one's own network, where servers seldom have
// certificates.
func isOwnNetwork(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return localnet.Host(host)
}

// probe returns nil if the address answers as a server of its kind does to somebody who has not logged in.
func (s Server) probe(ctx context.Context, client *fetch.Client) error {
	caller, err := call.New(s.Base, client)
	if err != nil {
		return err
	}
	path := "/reader/api/0/user-info"
	switch s.Kind {
	case TinyTinyRSS:
		return ttrss.IsServer(ctx, caller)
	case Miniflux:
		path = "/v1/me"
	}
	answer, err := caller.Do(ctx, http.MethodGet, path, nil)
	if !call.IsStatus(err, http.StatusUnauthorized, http.StatusForbidden) {
		if err == nil { // a page for everybody
			err = &sync.Error{Code: sync.NoAPI, Host: s.Base, Status: answer.Status}
		}
		return err
	}
	return nil
}
