package handoff

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"kairos/poller/sync/call"
	"kairos/reader"
	"kairos/reader/content"
)

// linkding speaks the REST API of Linkding (https://linkding.link/api/), with a token of the user.
type linkding struct {
	caller  *call.Caller
	options Options
}

// What Linkding stores at most, in letters.
const (
	maxTitle       = 500
	maxAddress     = 2000
	maxDescription = 500
)

func newLinkding(d reader.Destination, s Secret, around Surroundings) (*linkding, error) {
	caller, err := call.New(d.Address, around.Client)
	if err != nil {
		return nil, err
	}
	caller.Authorize = func(r *http.Request) { r.Header.Set("Authorization", "Token "+s.Password) }
	return &linkding{caller, OptionsOf(d)}, nil
}

// Check implements Receiver: it asks for one tag.
func (l *linkding) Check(ctx context.Context) error {
	var tags []struct{}
	return readMember(ctx, l.caller, http.MethodGet, "/api/tags/?limit=1", nil, "results", &tags)
}

// Deliver implements Receiver. A bookmark that is there already stays as it is: Linkding would replace its title and tags.
func (l *linkding) Deliver(ctx context.Context, a Article) error {
	address := addressOf(a)
	if address == "" || len(address) > maxAddress {
		return &Error{Code: NoAddress}
	}
	var known *struct{ ID int64 }
	if err := readMember(ctx, l.caller, http.MethodGet, "/api/bookmarks/check/?"+url.Values{"url": {address}}.Encode(), nil, "bookmark", &known); err != nil || known != nil {
		return err
	}
	bookmark := struct {
		URL         string   `json:"url"`
		Title       string   `json:"title"`
		Description string   `json:"description"`
		Tags        []string `json:"tag_names"`
		Unread      bool     `json:"unread"`
	}{address, content.Cut(a.Title, maxTitle), content.Cut(content.Text(a.HTML, maxDescription), maxDescription), []string{}, l.options.Unread}
	for _, tag := range tagsOf(a.Labels) {
		bookmark.Tags = append(bookmark.Tags, strings.ReplaceAll(tag, " ", "-"))
	}
	var id int64
	if err := readMember(ctx, l.caller, http.MethodPost, "/api/bookmarks/?disable_scraping=1", call.JSON(bookmark), "id", &id); err != nil {
		return err
	}
	if id == 0 {
		return l.caller.Garbled("no bookmark in the answer")
	}
	return nil
}
