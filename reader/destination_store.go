package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// destinationSteps store where starred articles are sent, and each delivery: one article for one destination. A row of delivery
// stays when the article has arrived, so nothing is sent twice.
const destinationSteps = `
CREATE TABLE destination (
	id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, since passwords are stored elsewhere under it
	kind       TEXT    NOT NULL,
	name       TEXT    NOT NULL,
	address    TEXT    NOT NULL, -- of the server, or the path of a folder
	user       TEXT    NOT NULL DEFAULT '',
	options    TEXT    NOT NULL DEFAULT '', -- as poller/handoff writes them
	starred    INTEGER NOT NULL, -- 1: each article that is starred goes there
	paused     INTEGER NOT NULL DEFAULT 0,
	added      INTEGER NOT NULL,
	failures   INTEGER NOT NULL DEFAULT 0, -- in a row
	tried      INTEGER NOT NULL DEFAULT 0,
	not_before INTEGER NOT NULL DEFAULT 0,
	error      TEXT    NOT NULL DEFAULT '' -- of the last failure, as poller/handoff writes it
);
CREATE TABLE delivery (
	destination INTEGER NOT NULL REFERENCES destination(id) ON DELETE CASCADE,
	article     INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	asked       INTEGER NOT NULL DEFAULT 0, -- 1: by hand, so it does not depend on the star
	noticed     INTEGER NOT NULL DEFAULT 0, -- when the program saw it first; 0: not yet
	begun       INTEGER NOT NULL DEFAULT 0, -- 1: an attempt has no certain end, so it may have arrived
	attempts    INTEGER NOT NULL DEFAULT 0,
	not_before  INTEGER NOT NULL DEFAULT 0,
	refused     INTEGER NOT NULL DEFAULT 0, -- 1: not tried again by itself
	error       TEXT    NOT NULL DEFAULT '',
	delivered   INTEGER NOT NULL DEFAULT 0, -- when it arrived
	PRIMARY KEY (destination, article)
) WITHOUT ROWID;
CREATE INDEX delivery_article ON delivery (article);
CREATE INDEX delivery_open ON delivery (destination, refused, attempts, noticed) WHERE delivered = 0;
`

// Destination is where starred articles are sent: a service of the web, or a folder. Its password or token is in the system's keyring.
type Destination struct {
	ID      int64
	Kind    string
	Name    string
	Address string // of the server, or the path of the folder
	User    string
	Options string // as the kind of destination writes them
	Starred bool   // each article that is starred goes there
	Paused  bool
	Added   time.Time
	DestinationState
}

// DestinationState is how the last attempts to reach a destination ended.
type DestinationState struct {
	Failures  int // in a row
	Tried     time.Time
	NotBefore time.Time // when it may be tried again, unless by hand
	Error     string    // of the last failure, as it was stored; empty after a success
}

// Destinations lists where starred articles are sent.
type Destinations struct{ db *database }

const destinationColumns = "id, kind, name, address, user, options, starred, paused, added, failures, tried, not_before, error"

func scanDestination(row interface{ Scan(...any) error }) (d Destination, err error) {
	var added, tried, notBefore int64
	err = row.Scan(&d.ID, &d.Kind, &d.Name, &d.Address, &d.User, &d.Options, &d.Starred, &d.Paused, &added, &d.Failures, &tried, &notBefore, &d.Error)
	d.Added, d.Tried, d.NotBefore = time.Unix(added, 0).UTC(), instantOf(tried), instantOf(notBefore)
	return d, err
}

// List returns the destinations in the order they were added.
func (d Destinations) List(ctx context.Context) ([]Destination, error) {
	return Collect(ctx, d.db.read, "list destinations", func(row *sql.Rows, one *Destination) (err error) {
		*one, err = scanDestination(row)
		return err
	}, "SELECT "+destinationColumns+" FROM destination ORDER BY id")
}

// Get returns a destination. Errors: ErrUnknown.
func (d Destinations) Get(ctx context.Context, id int64) (Destination, error) {
	return GetDestination(ctx, d.db.read, id)
}

// GetDestination is Destinations.Get within a transaction. Errors: ErrUnknown.
func GetDestination(ctx context.Context, q Querier, id int64) (Destination, error) {
	d, err := scanDestination(q.QueryRowContext(ctx, "SELECT "+destinationColumns+" FROM destination WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		return d, ErrUnknown
	}
	if err != nil {
		return d, fmt.Errorf("read destination: %w", classify(err))
	}
	return d, nil
}

// AddDestination stores a new destination and returns its id. What is starred already does not go there by itself.
func AddDestination(ctx context.Context, tx *sql.Tx, d Destination, now time.Time) (int64, error) {
	done, err := tx.ExecContext(ctx, "INSERT INTO destination (kind, name, address, user, options, starred, paused, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		d.Kind, d.Name, d.Address, d.User, d.Options, d.Starred, d.Paused, now.Unix())
	if err != nil {
		return 0, fmt.Errorf("add destination: %w", err)
	}
	return done.LastInsertId()
}

// UpdateDestination stores what the user can change of a destination. Errors: ErrUnknown.
func UpdateDestination(ctx context.Context, tx *sql.Tx, d Destination) error {
	done, err := tx.ExecContext(ctx, "UPDATE destination SET name = ?, user = ?, options = ?, starred = ?, paused = ? WHERE id = ?",
		d.Name, d.User, d.Options, d.Starred, d.Paused, d.ID)
	return expectChange(done, err, "change destination")
}

// SetDestinationState stores how an attempt to reach a destination ended. Errors: ErrUnknown.
func SetDestinationState(ctx context.Context, tx *sql.Tx, id int64, s DestinationState) error {
	done, err := tx.ExecContext(ctx, "UPDATE destination SET failures = ?, tried = ?, not_before = ?, error = ? WHERE id = ?",
		s.Failures, secondsOf(s.Tried), secondsOf(s.NotBefore), s.Error, id)
	return expectChange(done, err, "store the state of a destination")
}

// RemoveDestination removes a destination. What is there stays there; what waits is not sent. Errors: ErrUnknown.
func RemoveDestination(ctx context.Context, tx *sql.Tx, id int64) error {
	done, err := tx.ExecContext(ctx, "DELETE FROM destination WHERE id = ?", id)
	return expectChange(done, err, "remove destination")
}
