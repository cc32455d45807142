package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kairos/app/home"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/discover"
)

// named is something that is named by its ID, its title or an address.
type named struct {
	id    int64
	title string
	also  []string // other names that count as a whole only
}

// find returns the one of a kind that a text names: by its ID, its whole title or address, or a part of the title that no other has.
func find(kind, text string, all []named) (int64, error) {
	if id, err := strconv.ParseInt(text, 10, 64); err == nil && slices.ContainsFunc(all, func(n named) bool { return n.id == id }) {
		return id, nil
	}
	typed := strings.ToLower(strings.TrimSpace(text))
	var whole, part []named
	for _, n := range all {
		title := strings.ToLower(n.title)
		if title == typed || slices.Contains(n.also, typed) {
			whole = append(whole, n)
		}
		if typed != "" && strings.Contains(title, typed) {
			part = append(part, n)
		}
	}
	if len(whole) == 0 {
		whole = part
	}
	switch len(whole) {
	case 0:
		return 0, fmt.Errorf("there is no %s %s", kind, quoted(text))
	case 1:
		return whole[0].id, nil
	}
	return 0, fmt.Errorf("%s may be one of %d %ss: %s. Give more of the title, or the ID", quoted(text), len(whole), kind, namesOf(whole))
}

// maxNames is how many of those that a text may name are listed.
const maxNames = 5

func namesOf(all []named) string {
	var names []string
	for _, n := range all[:min(len(all), maxNames)] {
		names = append(names, fmt.Sprintf("%d %s", n.id, content.Cut(n.title, 40)))
	}
	if len(all) > maxNames {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// quoted puts quotes around what is no number.
func quoted(text string) string {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text
	}
	return strconv.Quote(text)
}

// feedHelp says how verbs take feeds.
const feedHelp = "FEED is its ID, its address, its title, or a part of the title that no other has."

// findFeeds returns the IDs of the feeds that texts name.
func findFeeds(ctx context.Context, h *home.Home, texts ...string) (ids []int64, err error) {
	if len(texts) == 0 {
		return nil, nil
	}
	feeds, err := h.Store.Feeds.List(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]named, len(feeds))
	for i, f := range feeds {
		all[i] = named{f.ID, f.Title, []string{f.URL, f.Site}}
	}
	for _, text := range texts {
		if address, err := discover.Normalize(text); err == nil {
			f, err := h.Store.Feeds.ByURL(ctx, address)
			if err == nil {
				ids = append(ids, f.ID)
				continue
			}
			if !errors.Is(err, reader.ErrUnknown) {
				return nil, err
			}
		}
		id, err := find("feed", text, all)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// findFeed returns the feed that a text names.
func findFeed(ctx context.Context, h *home.Home, text string) (reader.Feed, error) {
	ids, err := findFeeds(ctx, h, text)
	if err != nil {
		return reader.Feed{}, err
	}
	f, err := h.Store.Feeds.Get(ctx, ids[0])
	return f, unknown("feed", text, err)
}

// accountID returns the ID of the account that a text names; 0 stands for this computer, as does "".
func accountID(ctx context.Context, h *home.Home, text string) (int64, error) {
	if text == "" || text == "0" {
		return 0, nil
	}
	a, err := findAccount(ctx, h, text)
	return a.ID, err
}

// findAccount returns the account that a text names.
func findAccount(ctx context.Context, h *home.Home, text string) (reader.Account, error) {
	accounts, err := h.Store.Accounts.List(ctx)
	if err != nil {
		return reader.Account{}, err
	}
	all := make([]named, len(accounts))
	for i, a := range accounts {
		all[i] = named{a.ID, a.Name, []string{a.URL}}
	}
	id, err := find("account", text, all)
	if err != nil {
		return reader.Account{}, err
	}
	a, err := h.Store.Accounts.Get(ctx, id)
	return a, unknown("account", text, err)
}
