package handoff

import (
	"context"
	"errors"

	"kairos/reader"
)

// ErrPlainHTTP says that a password would cross the internet unencrypted, which only the user can allow.
var ErrPlainHTTP = errors.New("the password would be sent unencrypted")

// ErrNoFolder says that the path of a folder is not absolute.
var ErrNoFolder = errors.New("not the whole path of a folder")

// Refusal is an article that a destination does not accept, and why.
type Refusal struct {
	Article int64
	Title   string
	Why     *Error
}

// Status is a destination and how it stands.
type Status struct {
	reader.Destination
	reader.DeliveryCounts
	Sending  bool      // now
	Trouble  *Error    // of the last failure; nil: none
	Refusals []Refusal // some of them
}

// maxRefusals is how many refused articles a status names.
const maxRefusals = 20

// Status returns how a destination stands.
func (e *Engine) Status(ctx context.Context, d reader.Destination) (s Status, err error) {
	s.Destination, s.Sending, s.Trouble = d, e.turns.Taken(d.ID), ErrorOf(d.Error)
	if s.DeliveryCounts, err = e.store.Destinations.Counts(ctx, d.ID); err != nil || s.Refused == 0 {
		return s, err
	}
	refused, err := e.store.Destinations.Refused(ctx, d.ID, maxRefusals)
	if err != nil {
		return s, err
	}
	for _, one := range refused {
		articles, err := e.store.Articles.Load(ctx, []int64{one.Article})
		if err != nil {
			return s, err
		}
		named := Refusal{Article: one.Article, Why: ErrorOf(one.Error)}
		if len(articles) > 0 {
			named.Title = articles[0].Title
		}
		s.Refusals = append(s.Refusals, named)
	}
	return s, nil
}
