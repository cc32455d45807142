package home

import (
	"context"
	"database/sql"
	"log/slog"
	"sync/atomic"
	"time"

	"kairos/reader"
)

// Duplicates sets how stories that several feeds carry are listed, and has them found.
type Duplicates struct {
	store  *reader.Store
	logger *slog.Logger

	wanted  chan struct{} // has a value when run is to look for stories
	running atomic.Bool   // run does
}

// Set stores the settings and then looks for such stories among the stored articles. That takes
// some seconds for 100,000 articles; if ctx ends, the rest is done later in the background.
func (d *Duplicates) Set(ctx context.Context, s reader.DedupeSettings) error {
	err := d.store.Write(ctx, func(tx *sql.Tx) error { return reader.SetDedupe(ctx, tx, s) })
	if err != nil {
		return err
	}
	_, err = d.store.Duplicates.Find(ctx)
	return err
}

// findNew has the stories found among articles that have just come many at once: in the background, or now if nothing runs there.
// It never fails: what is not found now is found later.
func (d *Duplicates) findNew(ctx context.Context) {
	select {
	case d.wanted <- struct{}{}:
	default:
	}
	if !d.running.Load() {
		d.find(ctx)
	}
}

// run finds stories where findNew was called, and the rest of what was interrupted, until ctx ends.
func (d *Duplicates) run(ctx context.Context) {
	d.running.Store(true)
	defer d.running.Store(false)
	rest := time.NewTimer(maintainFirst)
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wanted:
		case <-rest.C:
		}
		d.find(ctx)
		rest.Reset(maintainEvery)
	}
}

func (d *Duplicates) find(ctx context.Context) {
	if _, err := d.store.Duplicates.Find(ctx); err != nil && ctx.Err() == nil {
		d.logger.Error("find stories", "err", err)
	}
}

// AsListed returns a query whose stories are listed once, if the user wants that: what it lists is as many as the sidebar counts.
func (d *Duplicates) AsListed(ctx context.Context, q reader.Query) (reader.Query, error) {
	s, err := d.store.Duplicates.Settings(ctx)
	q.Dedupe = s.Once
	return q, err
}
