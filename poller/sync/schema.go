package sync

// Steps create the table of what is known of each account's synchronization. Its articles and marks are the reader's.
var Steps = []string{`
CREATE TABLE sync (
	account    INTEGER PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
	phase      TEXT    NOT NULL DEFAULT '',
	cursor     TEXT    NOT NULL DEFAULT '', -- of the first synchronisation
	back       INTEGER NOT NULL DEFAULT 0,  -- how far it goes back
	stored     INTEGER NOT NULL DEFAULT 0,  -- articles it has stored
	since      INTEGER NOT NULL DEFAULT 0,  -- ns of the server's clock: where the next difference begins
	listed     INTEGER NOT NULL DEFAULT 0,  -- last list of the feeds
	missing    INTEGER NOT NULL DEFAULT 0,  -- since when many feeds are missing at the server, 0 if they are not; of an earlier version how many lists
	reconciled INTEGER NOT NULL DEFAULT 0,  -- last full reconciliation
	tried      INTEGER NOT NULL DEFAULT 0,
	synced     INTEGER NOT NULL DEFAULT 0,
	failures   INTEGER NOT NULL DEFAULT 0,  -- in a row
	not_before INTEGER NOT NULL DEFAULT 0,
	error      TEXT    NOT NULL DEFAULT ''  -- JSON, of the last failure
);
CREATE TABLE sync_refused ( -- feeds that the server did not accept
	feed INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	at   INTEGER NOT NULL
);
`, `
CREATE TABLE sync_returned ( -- feeds that came back, whose articles may have other ids at the server now
	feed INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE
);
`, `
CREATE TABLE sync_health ( -- how servers that tell fare with fetching their feeds
	feed     INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	account  INTEGER NOT NULL,
	checked  INTEGER NOT NULL, -- when the server fetched it last
	failures INTEGER NOT NULL, -- in a row
	since    INTEGER NOT NULL, -- the first of them, 0 if not known
	message  TEXT    NOT NULL  -- the server's words for the last of them
);
`, `
ALTER TABLE sync_refused ADD COLUMN error TEXT NOT NULL DEFAULT ''; -- JSON: why
`}
