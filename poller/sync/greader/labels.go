package greader

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"kairos/poller/sync"
	"kairos/poller/sync/call"
)

// tag is a label or a folder: the protocol calls both by names of one kind.
type tag struct {
	ID   string `json:"id"`
	Type string `json:"type"` // folder or tag; servers that keep no labels, or do not say which they are, have no tag
}

// Labels implements sync.Labeler. FreshRSS keeps labels; others do if they say that some of their tags are none of their folders.
func (c *Client) Labels(ctx context.Context) (names []string, keeps bool, err error) {
	folders := map[string]bool{}
	_, err = c.stream(ctx, "tag/list", nil, func(s *call.Stream) error {
		return s.Object(map[string]func() error{"tags": func() error {
			return call.Each(s, maxTags, func(t tag) error {
				_, name, found := strings.Cut(t.ID, "/label/")
				if !found || name == "" {
					return nil
				}
				if t.Type == "tag" {
					names = append(names, name)
				} else {
					folders[name] = true
				}
				return s.KeepText(name)
			})
		}})
	})
	if err != nil {
		return nil, false, fmt.Errorf("list labels: %w", err)
	}
	keeps = len(names) > 0 || c.dialect() == freshRSSDialect
	names = slices.DeleteFunc(names, func(name string) bool { return folders[name] }) // its list would be the folder's
	c.mu.Lock()
	c.labels = names
	c.mu.Unlock()
	return names, keeps, nil
}

// Labeled implements sync.Labeler.
func (c *Client) Labeled(ctx context.Context, label string) (ids []string, whole bool, err error) {
	list, err := c.ids(ctx, url.Values{"s": {labels + label}})
	if err != nil {
		return nil, false, fmt.Errorf("list labeled articles: %w", err)
	}
	return list.ids, list.whole, nil
}

// SetLabel implements sync.Labeler. FreshRSS says OK to a new label that is called as a folder is, and makes none: whether there is one
// is looked at once.
func (c *Client) SetLabel(ctx context.Context, ids []string, label string, on bool) error {
	if err := c.tag(ctx, ids, labels+label, on); err != nil || !on || c.hasLabel(label) {
		return err
	}
	if _, _, err := c.Labels(ctx); err != nil {
		return err
	}
	if !c.hasLabel(label) {
		return &sync.Error{Code: sync.Rejected, Host: c.caller.Host(), Err: fmt.Errorf("there is no label %q", label)}
	}
	return nil
}

// hasLabel reports whether the last list of labels has one.
func (c *Client) hasLabel(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Contains(c.labels, name)
}
