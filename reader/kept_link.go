package reader

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

const keptLinkSteps = `
CREATE TABLE kept_link ( -- pages that the user wanted to open in the browser while there was no network
	link TEXT    PRIMARY KEY,
	at   INTEGER NOT NULL
) WITHOUT ROWID;
`

// KeepLink keeps the address of a page that is to be opened in the browser once there is a network.
func KeepLink(ctx context.Context, tx *sql.Tx, link string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO kept_link (link, at) VALUES (?, ?) ON CONFLICT DO NOTHING", link, now.Unix()); err != nil {
		return fmt.Errorf("keep a link: %w", err)
	}
	return nil
}

// DropLinks forgets addresses that were kept.
func DropLinks(ctx context.Context, tx *sql.Tx, links ...string) error {
	for _, link := range links {
		if _, err := tx.ExecContext(ctx, "DELETE FROM kept_link WHERE link = ?", link); err != nil {
			return fmt.Errorf("drop a kept link: %w", err)
		}
	}
	return nil
}

// KeptLinks returns the addresses that were kept, the oldest first.
func (a Articles) KeptLinks(ctx context.Context) ([]string, error) {
	return Collect(ctx, a.db.read, "read kept links", func(row *sql.Rows, link *string) error {
		return row.Scan(link)
	}, "SELECT link FROM kept_link ORDER BY at, link")
}
