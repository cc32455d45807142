package reader

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Account is a server whose feeds are read here. Its user's password is in the system's keyring.
type Account struct {
	ID     int64
	Kind   string // the protocol
	Name   string
	URL    string
	User   string
	Paused bool
	Added  time.Time
}

const accountColumns = "id, kind, name, url, user, paused, added"

func scanAccount(row interface{ Scan(...any) error }) (a Account, err error) {
	var added int64
	err = row.Scan(&a.ID, &a.Kind, &a.Name, &a.URL, &a.User, &a.Paused, &added)
	a.Added = time.Unix(added, 0).UTC()
	return a, err
}

// List returns the accounts in the order they were added.
func (a Accounts) List(ctx context.Context) ([]Account, error) {
	return Collect(ctx, a.db.read, "list accounts", func(row *sql.Rows, one *Account) (err error) {
		*one, err = scanAccount(row)
		return err
	}, "SELECT "+accountColumns+" FROM account WHERE removed = 0 ORDER BY id")
}

// Get returns an account. Errors: ErrUnknown.
func (a Accounts) Get(ctx context.Context, id int64) (Account, error) {
	return GetAccount(ctx, a.db.read, id)
}

// GetAccount is Accounts.Get within a transaction. Errors: ErrUnknown.
func GetAccount(ctx context.Context, q Querier, id int64) (Account, error) {
	a, err := scanAccount(q.QueryRowContext(ctx, "SELECT "+accountColumns+" FROM account WHERE id = ? AND removed = 0", id))
	if errors.Is(err, sql.ErrNoRows) {
		return a, ErrUnknown
	}
	if err != nil {
		return a, fmt.Errorf("read account: %w", classify(err))
	}
	return a, nil
}

// AddAccount stores a new account and returns its id. An account that was removed takes up what was left of it. Errors:
// ErrAccountExists.
func AddAccount(ctx context.Context, tx *sql.Tx, a Account, now time.Time) (int64, error) {
	const same = " FROM account WHERE kind = ?1 AND url = ?2 AND user = ?3 AND "
	var exists bool
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1"+same+"removed = 0)", a.Kind, a.URL, a.User).Scan(&exists); err != nil {
		return 0, fmt.Errorf("add account: %w", err)
	}
	if exists {
		return 0, ErrAccountExists
	}
	done, err := tx.ExecContext(ctx, "INSERT INTO account (kind, name, url, user, paused, added) VALUES (?, ?, ?, ?, ?, ?)",
		a.Kind, cmp.Or(a.Name, a.URL), a.URL, a.User, a.Paused, now.Unix())
	if err != nil {
		return 0, fmt.Errorf("add account: %w", err)
	}
	id, err := done.LastInsertId()
	if err != nil {
		return 0, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT id"+same+"removed <> 0 ORDER BY id", a.Kind, a.URL, a.User)
	if err != nil {
		return 0, fmt.Errorf("add account: %w", err)
	}
	before, err := scanIDs(nil, rows)
	if err != nil {
		return 0, fmt.Errorf("add account: %w", err)
	}
	for _, old := range before {
		if err := takeUpAccount(ctx, tx, old, id); err != nil {
			return 0, fmt.Errorf("add account: %w", err)
		}
	}
	return id, nil
}

// takeUpAccount gives what is left of a removed account to another one.
func takeUpAccount(ctx context.Context, tx *sql.Tx, old, id int64) error {
	if err := forgetServer(ctx, tx, old); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "UPDATE OR IGNORE feed SET account = ?2, same = ?4 || substr(same, length(?3) + 1) WHERE account = ?1",
		old, id, accountPrefix(old), accountPrefix(id))
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, "UPDATE feed SET kept = ?2 WHERE kept = ?1", old, id); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM account WHERE id = ?", old)
	return err
}

// UpdateAccount stores what the user can change of an account: its name and whether it is paused. Errors: ErrUnknown.
func UpdateAccount(ctx context.Context, tx *sql.Tx, a Account) error {
	done, err := tx.ExecContext(ctx, "UPDATE account SET name = ?, paused = ? WHERE id = ? AND removed = 0",
		cmp.Or(a.Name, a.URL), a.Paused, a.ID)
	return expectChange(done, err, "update account")
}

// MoveAccount makes an account one of another protocol, at another address or of another user. Errors: ErrAccountExists, ErrUnknown.
func MoveAccount(ctx context.Context, tx *sql.Tx, a Account) error {
	var exists bool
	err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM account WHERE kind = ? AND url = ? AND user = ? AND removed = 0 AND id <> ?)",
		a.Kind, a.URL, a.User, a.ID).Scan(&exists)
	switch {
	case err != nil:
		return fmt.Errorf("move account: %w", err)
	case exists:
		return ErrAccountExists
	}
	done, err := tx.ExecContext(ctx, "UPDATE account SET kind = ?, url = ?, user = ? WHERE id = ? AND removed = 0", a.Kind, a.URL, a.User, a.ID)
	return expectChange(done, err, "move account")
}

// RemoveAccount removes an account; nothing changes at its server. Its feeds are unsubscribed here, which RestoreAccount undoes, or stay
// as feeds of this computer, but for those that this computer may not fetch: then what was not sent is lost. Errors: ErrUnknown.
func RemoveAccount(ctx context.Context, tx *sql.Tx, id int64, keepFeeds bool, now time.Time) error {
	done, err := tx.ExecContext(ctx, "UPDATE account SET removed = ? WHERE id = ? AND removed = 0", now.Unix(), id)
	if err := expectChange(done, err, "remove account"); err != nil {
		return err
	}
	if keepFeeds {
		if err := forgetServer(ctx, tx, id); err != nil {
			return err
		}
		return keepAccountFeeds(ctx, tx, id, now)
	}
	if _, err := tx.ExecContext(ctx, "UPDATE feed SET removed = ?2 WHERE account = ?1 AND removed = 0", id, now.Unix()); err != nil {
		return fmt.Errorf("remove account: %w", err)
	}
	return nil
}

// RestoreAccount undoes RemoveAccount where the feeds were not kept, with what was not sent, until PurgeFeeds has deleted them. Errors:
// ErrUnknown, also where the account was added again since.
func RestoreAccount(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, "UPDATE feed SET removed = 0 WHERE account = ?1 AND removed = (SELECT removed FROM account WHERE id = ?1 AND removed <> 0)", id)
	if err != nil {
		return fmt.Errorf("restore account: %w", err)
	}
	done, err := tx.ExecContext(ctx, `UPDATE account AS a SET removed = 0 WHERE id = ? AND removed <> 0
		AND NOT EXISTS (SELECT 1 FROM account b WHERE b.kind = a.kind AND b.url = a.url AND b.user = a.user AND b.removed = 0)`, id)
	return expectChange(done, err, "restore account")
}

// forgetServer forgets what the server of a removed account had of its feeds and articles.
func forgetServer(ctx context.Context, tx *sql.Tx, account int64) error {
	for _, q := range []string{
		"UPDATE status SET account = 0 WHERE account IN (?1, -?1) AND account <> 0",
		"UPDATE feed SET remote = '', server_title = NULL, server_folder = NULL WHERE account = ?1",
	} {
		if _, err := tx.ExecContext(ctx, q, account); err != nil {
			return fmt.Errorf("forget the server of an account: %w", err)
		}
	}
	return nil
}

func keepAccountFeeds(ctx context.Context, tx *sql.Tx, account int64, now time.Time) error {
	var server string
	if err := tx.QueryRowContext(ctx, "SELECT url FROM account WHERE id = ?", account).Scan(&server); err != nil {
		return fmt.Errorf("keep the feeds of an account: %w", err)
	}
	rows, err := tx.QueryContext(ctx, "SELECT id FROM feed WHERE account = ? AND removed = 0", account)
	if err != nil {
		return fmt.Errorf("keep the feeds of an account: %w", err)
	}
	feeds, err := scanIDs(nil, rows)
	if err != nil {
		return fmt.Errorf("keep the feeds of an account: %w", err)
	}
	for _, feed := range feeds {
		f, err := GetFeed(ctx, tx, feed)
		switch {
		case err != nil:
			return err
		case ServerAddress(server, f.URL) == "": // of an earlier version, too
			err = Unsubscribe(ctx, tx, feed, now)
		default:
			var here int64
			if here, err = MoveFeed(ctx, tx, feed, 0); err == nil {
				_, err = tx.ExecContext(ctx, "UPDATE feed SET kept = ?2 WHERE id = ?1", here, account)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// AccountToRecheck reports whether what is stored of an account may not be what was synced last, as after a backup was restored.
func AccountToRecheck(ctx context.Context, q Querier, id int64) (recheck bool, err error) {
	err = q.QueryRowContext(ctx, "SELECT recheck FROM account WHERE id = ?", id).Scan(&recheck)
	if err != nil {
		return false, fmt.Errorf("read account: %w", classify(err))
	}
	return recheck, nil
}

// SetAccountToRecheck sets what AccountToRecheck reports.
func SetAccountToRecheck(ctx context.Context, tx *sql.Tx, id int64, recheck bool) error {
	_, err := tx.ExecContext(ctx, "UPDATE account SET recheck = ?2 WHERE id = ?1 AND recheck <> ?2", id, recheck)
	if err != nil {
		return fmt.Errorf("update account: %w", err)
	}
	return nil
}
