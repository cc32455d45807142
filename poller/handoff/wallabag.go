package handoff

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	gosync "sync"
	"time"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
	"kairos/reader"
	"kairos/reader/content"
)

// wallabag speaks the API of Wallabag 2 (https://app.wallabag.it/api/doc), with a token that it gets for the user's name and password
// and for an API client of theirs (RFC 6749 § 4.3), and renews (§ 6).
type wallabag struct {
	login, api *call.Caller
	user       string
	secret     Secret
	options    Options
	now        func() time.Time

	mu     gosync.Mutex // guards what follows
	tokens tokens
}

// tokens are what a login has brought.
type tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Seconds int    `json:"expires_in"`

	expires time.Time
}

const (
	// earlyRenewal is how long before its end a token is renewed: a request takes a while.
	earlyRenewal = time.Minute
	// maxContent is how many bytes of text go along. Servers take forms of some megabytes.
	maxContent = 2 << 20
)

func newWallabag(d reader.Destination, s Secret, around Surroundings) (*wallabag, error) {
	login, err := call.New(d.Address, around.Client)
	if err != nil {
		return nil, err
	}
	api, err := call.New(d.Address, around.Client)
	if err != nil {
		return nil, err
	}
	w := &wallabag{login: login, api: api, user: d.User, secret: s, options: OptionsOf(d), now: around.Now}
	api.Authorize = func(r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		r.Header.Set("Authorization", "Bearer "+w.tokens.Access)
	}
	return w, nil
}

// Check implements Receiver: it logs in.
func (w *wallabag) Check(ctx context.Context) error {
	w.forgetToken()
	return w.authorize(ctx)
}

// Deliver implements Receiver. Wallabag fetches the page itself, unless the text goes along: where the user wants that, and where it
// cannot reach the page.
func (w *wallabag) Deliver(ctx context.Context, a Article) error {
	address, withText := addressOf(a), w.options.Content || content.IsLocal(a.Link) || a.Link == ""
	if address == "" {
		return &Error{Code: NoAddress}
	}
	there, err := w.has(ctx, address)
	if err != nil || there {
		return err
	}
	form := url.Values{"url": {address}, "title": {a.Title}}
	if len(a.Labels) > 0 {
		form.Set("tags", strings.Join(tagsOf(a.Labels), ","))
	}
	if a.Author != "" {
		form.Set("authors", a.Author)
	}
	if !a.Published.IsZero() {
		form.Set("published_at", a.Published.UTC().Format(time.RFC3339))
	}
	if withText && a.HTML != "" && len(a.HTML) <= maxContent {
		form.Set("content", a.HTML)
	}
	var id int64
	if err := w.ask(ctx, http.MethodPost, "/api/entries.json", call.Form(form), "id", &id); err != nil {
		return err
	}
	if id == 0 {
		return w.api.Garbled("no entry in the answer")
	}
	return nil
}

// has reports whether there is an entry of an address. What it is answered is its number, or whether there is one.
func (w *wallabag) has(ctx context.Context, address string) (bool, error) {
	var exists any
	path := "/api/entries/exists.json?" + url.Values{"return_id": {"1"}, "url": {address}}.Encode()
	if err := w.ask(ctx, http.MethodGet, path, nil, "exists", &exists); err != nil {
		return false, err
	}
	switch found := exists.(type) {
	case bool:
		return found, nil
	case float64:
		return found != 0, nil
	}
	return false, nil
}

// ask sends a request and reads one member of the answer. A token that has ended before its time is replaced once.
func (w *wallabag) ask(ctx context.Context, method, path string, body *call.Body, member string, into any) error {
	for again := false; ; again = true {
		if err := w.authorize(ctx); err != nil {
			return err
		}
		err := readMember(ctx, w.api, method, path, body, member, into)
		if again || !call.IsStatus(err, http.StatusUnauthorized) {
			return err
		}
		w.forgetToken()
	}
}

func (w *wallabag) forgetToken() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens = tokens{}
}

// authorize gets a token unless there is one.
func (w *wallabag) authorize(ctx context.Context) error {
	w.mu.Lock()
	known := w.tokens
	w.mu.Unlock()
	if known.Access != "" && w.now().Before(known.expires) {
		return nil
	}
	if known.Refresh != "" {
		err := w.getToken(ctx, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {known.Refresh}})
		if fault := asError(err); fault == nil || fault.Server.Code != sync.Refused {
			return err
		}
	}
	return w.getToken(ctx, url.Values{"grant_type": {"password"}, "username": {w.user}, "password": {w.secret.Password}})
}

// getToken asks for a token by one grant. What it does not accept it answers with 400 (RFC 6749 § 5.2).
func (w *wallabag) getToken(ctx context.Context, grant url.Values) error {
	grant.Set("client_id", w.options.ClientID)
	grant.Set("client_secret", w.secret.ClientSecret)
	answer, err := w.login.Do(ctx, http.MethodPost, "/oauth/v2/token", call.Form(grant))
	var got tokens
	if err == nil {
		err = w.login.Decode(answer, &got)
	}
	if call.IsStatus(err, http.StatusBadRequest, http.StatusUnauthorized) {
		if fault := asError(err); fault.Server.Code == sync.Rejected {
			fault.Server.Code = sync.Refused
		}
	}
	if err != nil {
		return err
	}
	if got.Access == "" {
		return w.login.Garbled("no token in the answer")
	}
	got.expires = w.now().Add(time.Duration(min(max(got.Seconds, 0), 365*24*3600))*time.Second - earlyRenewal)
	if !got.expires.After(w.now()) {
		got.expires = w.now().Add(earlyRenewal)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens = got
	return nil
}

// readMember sends a request and reads one member of the object that is the answer.
func readMember(ctx context.Context, c *call.Caller, method, path string, body *call.Body, member string, into any) error {
	_, err := c.Stream(ctx, method, path, body, func(s *call.Stream) error {
		return s.Field(member, func() error { return s.Decode(into) })
	})
	return err
}

// addressOf returns the address under which a service stores an article: its link, else what identifies it, if that is an address.
func addressOf(a Article) string {
	for _, address := range []string{a.Link, a.ID} {
		if u, err := url.Parse(address); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
			return address
		}
	}
	return ""
}

// tagsOf returns labels as services of the web can store them, where a comma stands between two tags.
func tagsOf(labels []string) []string {
	tags := make([]string, len(labels))
	for i, l := range labels {
		tags[i] = strings.Join(strings.Fields(strings.ReplaceAll(l, ",", " ")), " ")
	}
	return tags
}
