package home

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"kairos/poller/preparer"
	"kairos/reader"
	"kairos/reader/archive"
	"kairos/reader/rule"
)

// choicesMade are the choices of an export that were stored, since nothing had been chosen here.
type choicesMade struct {
	Rules    []int64           `json:"rules,omitempty"`
	Searches []int64           `json:"searches,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
	Folders  []archive.Folder  `json:"folders,omitempty"`
	Episodes []int64           `json:"episodes,omitempty"` // feeds
	Links    []string          `json:"links,omitempty"`
}

// applyChoices stores the choices of an export, and returns choicesMade as JSON; "" if none was made. What was chosen here stays.
func applyChoices(ctx context.Context, tx *sql.Tx, id int64, m archive.Manifest) (string, error) {
	made := choicesMade{Settings: map[string]string{}}
	for _, store := range []func(context.Context, *sql.Tx, *archive.Manifest) error{made.rules, made.searches, made.settings, made.feedSettings, made.folders, made.episodes, made.links} {
		if err := store(ctx, tx, &m); err != nil {
			return "", err
		}
	}
	for _, l := range m.Lists {
		list, err := reader.ImportedFeed(ctx, tx, id, l.Feed)
		if err == nil && list != 0 {
			err = reader.StoreListed(ctx, tx, list, l.Named)
		}
		if err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(made)
	if string(text) == "{}" {
		return "", err
	}
	return string(text), err
}

// rules stores the rules that are not there yet, and finds the ids of all.
func (c *choicesMade) rules(ctx context.Context, tx *sql.Tx, m *archive.Manifest) error {
	there, err := reader.ListRules(ctx, tx)
	if err != nil {
		return err
	}
	known := map[string]int64{}
	for _, one := range there {
		body, err := json.Marshal(one)
		if err != nil {
			return err
		}
		known[string(body)] = one.ID
	}
	labels, err := reader.ListLabels(ctx, tx)
	if err != nil {
		return err
	}
	var ids []int64
	for _, one := range m.Rules {
		id, isNew, err := storeRule(ctx, tx, one, known, labels)
		var unusable *rule.Error
		if err != nil && !errors.As(err, &unusable) {
			return err
		}
		if isNew {
			c.Rules = append(c.Rules, id)
		}
		ids = append(ids, id) // 0 of one that cannot be used
	}
	return reader.ImportedRules(ctx, tx, ids)
}

func storeRule(ctx context.Context, tx *sql.Tx, one archive.Rule, known map[string]int64, labels []reader.Label) (id int64, isNew bool, err error) {
	var body rule.Rule
	if err := json.Unmarshal(one.Body, &body); err != nil {
		return 0, false, &rule.Error{Code: rule.NoCondition, Condition: rule.WholeRule}
	}
	body.ID, body.Enabled = 0, one.Enabled
	if at := slices.IndexFunc(labels, func(l reader.Label) bool { return l.Same(one.Label) }); one.Label != "" && at >= 0 {
		body.Actions.Label = labels[at].ID
	}
	text, err := json.Marshal(body)
	if err != nil {
		return 0, false, err
	}
	if id := known[string(text)]; id != 0 {
		return id, false, nil
	}
	id, err = reader.SaveRule(ctx, tx, body)
	return id, err == nil, err
}

func (c *choicesMade) searches(ctx context.Context, tx *sql.Tx, m *archive.Manifest) error {
	for _, s := range m.Searches {
		id, err := reader.AddSearch(ctx, tx, reader.SavedSearch{Name: s.Name, Search: s.Search})
		if err != nil {
			return err
		}
		if id != 0 {
			c.Searches = append(c.Searches, id)
		}
	}
	return nil
}

func (c *choicesMade) settings(ctx context.Context, tx *sql.Tx, m *archive.Manifest) error {
	for key, value := range m.Settings {
		if kindOfSetting(key) != chosen {
			continue
		}
		if err := c.fill(ctx, tx, key, value); err != nil {
			return err
		}
	}
	return nil
}

func (c *choicesMade) fill(ctx context.Context, tx *sql.Tx, key, value string) error {
	filled, err := reader.FillSetting(ctx, tx, key, value)
	if filled {
		c.Settings[key] = value
	}
	return err
}

// feedSettings stores settings that are lists of feeds.
func (c *choicesMade) feedSettings(ctx context.Context, tx *sql.Tx, m *archive.Manifest) error {
	find := cached(reader.FindFeed)
	for key, addresses := range m.FeedSettings {
		if kindOfSetting(key) != listOfFeeds {
			continue
		}
		ids := []int64{}
		for _, address := range addresses {
			id, err := find(ctx, tx, address)
			if err != nil {
				return err
			}
			if id != 0 {
				ids = append(ids, id)
			}
		}
		text, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		if err := c.fill(ctx, tx, key, string(text)); err != nil {
			return err
		}
	}
	return nil
}

func (c *choicesMade) folders(ctx context.Context, tx *sql.Tx, m *archive.Manifest) error {
	for _, f := range m.Folders {
		filled, err := reader.FillFolder(ctx, tx, f)
		if err != nil {
			return err
		}
		if filled {
			c.Folders = append(c.Folders, f)
		}
	}
	return nil
}

func (c *choicesMade) episodes(ctx context.Context, tx *sql.Tx, m *archive.Manifest) error {
	for _, e := range m.Episodes {
		id, err := reader.FindFeed(ctx, tx, e.Feed)
		if err != nil {
			return err
		}
		if id == 0 || e.Number <= 0 {
			continue
		}
		filled, err := preparer.FillEpisodes(ctx, tx, id, e.Number)
		if err != nil {
			return err
		}
		if filled {
			c.Episodes = append(c.Episodes, id)
		}
	}
	return nil
}

func (c *choicesMade) links(ctx context.Context, tx *sql.Tx, m *archive.Manifest) error {
	for _, l := range m.Links {
		kept, err := reader.IsKept(ctx, tx, l.URL)
		if err == nil && !kept {
			c.Links = append(c.Links, l.URL)
			err = reader.KeepLink(ctx, tx, l.URL, l.At)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// revert takes back what was stored, but for what was changed since.
func (c *choicesMade) revert(ctx context.Context, tx *sql.Tx) error {
	var failed []error
	for _, id := range c.Rules {
		if _, err := reader.DeleteRule(ctx, tx, id); !errors.Is(err, reader.ErrUnknown) {
			failed = append(failed, err)
		}
	}
	for _, id := range c.Searches {
		if err := reader.DeleteSearch(ctx, tx, id); !errors.Is(err, reader.ErrUnknown) {
			failed = append(failed, err)
		}
	}
	for key, value := range c.Settings {
		failed = append(failed, reader.EmptySetting(ctx, tx, key, value))
	}
	for _, f := range c.Folders {
		failed = append(failed, reader.EmptyFolder(ctx, tx, f))
	}
	for _, feed := range c.Episodes {
		failed = append(failed, preparer.ClearEpisodes(ctx, tx, feed))
	}
	return errors.Join(append(failed, reader.DropLinks(ctx, tx, c.Links...))...)
}
