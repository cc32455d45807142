package reader

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"kairos/reader/imports"
	"kairos/reader/opml"
)

// Imports stores what other readers have left, and takes it back. One import runs at a time.
type Imports struct {
	db   *database
	turn *sync.Mutex // held by what changes imports
}

// ImportReport is what an import did.
type ImportReport struct {
	ID     int64          `json:"id"` // 0: it has added nothing, and there is nothing to take back
	At     time.Time      `json:"at"`
	Reader imports.Reader `json:"reader"`
	Path   string         `json:"path"`

	Source imports.Counts `json:"source"` // by the source's own marks
	Read   imports.Counts `json:"read"`   // of it, as it was read
	Stored imports.Counts `json:"stored"` // new here: feeds, articles, and marks, also on articles that were known

	KnownFeeds    int `json:"knownFeeds"`    // subscribed to already
	KnownArticles int `json:"knownArticles"` // stored already, or deleted here
	Repeated      int `json:"repeated"`      // twice in the source
	Empty         int `json:"empty"`         // without title, link and text
	Unfollowed    int `json:"unfollowed"`    // neither starred nor labeled, of feeds not subscribed to
	BadDates      int `json:"badDates"`      // articles dated before 1970, or after the import

	Refused  []opml.Refusal    `json:"refused,omitempty"`
	Warnings []opml.Warning    `json:"warnings,omitempty"`
	Problems []imports.Problem `json:"problems,omitempty"`

	Ordered bool `json:"ordered,omitempty"` // the source has an order of its feeds: that of the ids of Added
	Undone  bool `json:"undone,omitempty"`  // and is being deleted

	NewLabels []int64 `json:"newLabels,omitempty"` // ids of labels that were made

	Added  []int64         `json:"-"` // feeds that are new
	Local  []int64         `json:"-"` // of these, paused: of this computer or its network
	Paused []int64         `json:"-"` // of the others that are new, those that the source has paused
	Merged []int64         `json:"-"` // known feeds that got articles
	Logins []ImportedLogin `json:"-"` // of added feeds, to be stored by the caller
}

// Feeds are the subscriptions that an import has brought or added articles to.
func (r *ImportReport) Feeds() []int64 {
	all := slices.Sorted(slices.Values(append(append([]int64{}, r.Added...), r.Merged...)))
	return slices.Compact(all)
}

// ImportOptions say how to import.
type ImportOptions struct {
	Now   time.Time
	Local bool // do not pause feeds of this computer and its network

	// Progress is told how many articles were read; may be nil.
	Progress func(articles int)
	// Parts are what else belongs to the import, stored with it until ImportHooks.Apply has stored each where it belongs. May be nil.
	Parts iter.Seq2[ImportPart, error]
	Hooks ImportHooks
}

// ImportPart is a part of an import that another room stores.
type ImportPart struct{ Name, Content string }

// ImportHooks do what belongs to an import elsewhere, when all of it is there. Each is called again if the program ends before it has
// returned. Each may be nil.
type ImportHooks struct {
	// Apply stores a part. Of one that has changed something it returns what Revert needs to take that back; "" if there is nothing.
	Apply func(ctx context.Context, tx *sql.Tx, id int64, part ImportPart) (undo string, err error)
	// Revert takes back what Apply has done. The content of the part is what that has returned.
	Revert func(ctx context.Context, tx *sql.Tx, part ImportPart) error
	// Finish is called last.
	Finish func(ctx context.Context, done ImportReport, watched time.Time) error
}

// ErrImportRunning says that another import is under way.
var ErrImportRunning = errors.New("another import is under way")

// Run imports a source. Nothing of it is seen until all was read: then its feeds come at once, and what it knows of feeds that
// were subscribed to follows within moments. An article that is stored already gets the marks that the source has for it, and
// loses none; one that was deleted stays so. If ctx ends before, or something fails, nothing has changed. Errors:
// ErrImportRunning, the store's.
func (i Imports) Run(ctx context.Context, source *imports.Source, o ImportOptions) (ImportReport, error) {
	if !i.turn.TryLock() {
		return ImportReport{}, ErrImportRunning
	}
	defer i.turn.Unlock()
	s := &importer{db: i.db, source: source, options: o, feeds: map[string]*importFeed{}}
	err := s.stage(ctx)
	if err == nil {
		err = s.switchIn(ctx)
	}
	if err != nil {
		return ImportReport{}, fmt.Errorf("import: %w", errors.Join(err, i.discardSoon(ctx, s.report.ID)))
	}
	// It is there. What remains is done later if ctx ends now.
	if err := i.complete(ctx, s.report.ID, o.Hooks); err != nil && ctx.Err() == nil {
		return s.report, fmt.Errorf("import: %w", err)
	}
	return s.report, i.dropEmpty(ctx, &s.report)
}

// dropEmpty forgets an import that has added nothing: there is nothing to take back.
func (i Imports) dropEmpty(ctx context.Context, r *ImportReport) error {
	if r.Stored != (imports.Counts{}) || len(r.NewLabels)+len(r.Added) > 0 || ctx.Err() != nil {
		return nil
	}
	var made bool
	err := i.db.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM import_range WHERE import = ?1) OR EXISTS (SELECT 1 FROM import_playback WHERE import = ?1)
		OR EXISTS (SELECT 1 FROM import_part WHERE import = ?1 AND (done = 0 OR content <> ''))`, r.ID).Scan(&made)
	if err != nil {
		return fmt.Errorf("import: %w", classify(err))
	}
	if made {
		return nil
	}
	id := r.ID
	r.ID = 0
	return i.discard(ctx, id, ImportHooks{})
}

// discardWithin is how long an import that has failed deletes what it has staged, since the program may be about to end.
const discardWithin = 5 * time.Second

// discardSoon deletes what was staged, as far as that takes no long time. The rest is never seen; Recover deletes it.
func (i Imports) discardSoon(ctx context.Context, id int64) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), discardWithin)
	defer stop()
	if err := i.discard(ctx, id, ImportHooks{}); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// Recover completes what a program that ended left of imports: it deletes what was not switched in, and finishes what was. It
// does nothing while an import runs.
func (i Imports) Recover(ctx context.Context, hooks ImportHooks) error {
	if i.db.write == nil || !i.turn.TryLock() {
		return nil
	}
	defer i.turn.Unlock()
	for state, do := range map[importState]func(ctx context.Context, id int64, hooks ImportHooks) error{
		importSwitched: i.complete, importStaged: i.discard, importUndone: i.discard,
	} {
		rows, err := i.db.read.QueryContext(ctx, "SELECT id FROM import WHERE state = ? ORDER BY id", state)
		if err != nil {
			return fmt.Errorf("read imports: %w", classify(err))
		}
		ids, err := scanIDs(nil, rows)
		if err != nil {
			return fmt.Errorf("read imports: %w", classify(err))
		}
		for _, id := range ids {
			if err := do(ctx, id, hooks); err != nil {
				return fmt.Errorf("complete import %d: %w", id, err)
			}
		}
	}
	return nil
}

// List returns the imports that can be undone, the newest first.
func (i Imports) List(ctx context.Context) ([]ImportReport, error) {
	rows, err := i.db.read.QueryContext(ctx, "SELECT id, state, report FROM import WHERE state <> ? ORDER BY id DESC", importStaged)
	if err != nil {
		return nil, fmt.Errorf("read imports: %w", classify(err))
	}
	defer rows.Close()
	var all []ImportReport
	for rows.Next() {
		var id int64
		var state importState
		var text string
		if err := rows.Scan(&id, &state, &text); err != nil {
			return nil, fmt.Errorf("read imports: %w", err)
		}
		one, err := readReport(id, text)
		if err != nil {
			return nil, err
		}
		one.Undone = state == importUndone
		all = append(all, one)
	}
	return all, classify(rows.Err())
}

func readReport(id int64, text string) (r ImportReport, err error) {
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return r, fmt.Errorf("read the report of import %d: %w", id, err)
	}
	r.ID = id
	return r, nil
}

// store stores how far an import is and what it did.
func (r *ImportReport) store(ctx context.Context, tx *sql.Tx, state importState) error {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("store the report of import %d: %w", r.ID, err)
	}
	_, err = tx.ExecContext(ctx, "UPDATE import SET state = ?, report = ? WHERE id = ?", state, string(text), r.ID)
	return err
}
