package poller

// Steps create and change the tables of the poller, one migration each.
var Steps = []string{`
CREATE TABLE poll (
	feed       INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	address    TEXT    NOT NULL DEFAULT '', -- what the rest belongs to
	etag       TEXT    NOT NULL DEFAULT '',
	modified   TEXT    NOT NULL DEFAULT '',
	digest     INTEGER NOT NULL DEFAULT 0,  -- of the last body
	tried      INTEGER NOT NULL DEFAULT 0,  -- last attempt
	fetched    INTEGER NOT NULL DEFAULT 0,  -- last time the server answered with the feed or a 304
	failures   INTEGER NOT NULL DEFAULT 0,  -- in a row
	since      INTEGER NOT NULL DEFAULT 0,  -- the first of them
	said       TEXT    NOT NULL DEFAULT '', -- the last of them, for people
	not_before INTEGER NOT NULL DEFAULT 0,  -- back-off or Retry-After
	floor      INTEGER NOT NULL DEFAULT 0,  -- seconds between fetches the server asks for
	gone       INTEGER NOT NULL DEFAULT 0,  -- 410: never ask again by itself
	upto       INTEGER NOT NULL DEFAULT 0,  -- postings observed up to here
	tally      TEXT    NOT NULL DEFAULT ''
);
CREATE TABLE ledger (
	id         INTEGER PRIMARY KEY,
	feed       INTEGER NOT NULL,
	at         INTEGER NOT NULL,
	reason     TEXT    NOT NULL,
	why        TEXT    NOT NULL,
	background INTEGER NOT NULL, -- counts for the budget
	result     TEXT    NOT NULL,
	status     INTEGER NOT NULL,
	new        INTEGER NOT NULL,
	bytes      INTEGER NOT NULL,
	took       INTEGER NOT NULL, -- ms
	said       TEXT    NOT NULL
);
CREATE INDEX ledger_at ON ledger (at, background);
CREATE INDEX ledger_feed ON ledger (feed, at);
CREATE TABLE ledger_day (
	feed    INTEGER NOT NULL,
	day     TEXT    NOT NULL, -- UTC
	fetches INTEGER NOT NULL,
	faults  INTEGER NOT NULL,
	new     INTEGER NOT NULL,
	bytes   INTEGER NOT NULL,
	PRIMARY KEY (feed, day)
) WITHOUT ROWID;
CREATE TABLE cycle (
	feed   INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	every  INTEGER NOT NULL, -- days
	at     TEXT    NOT NULL, -- JSON, bins of the cycle
	delay  REAL    NOT NULL, -- hours a day
	saving REAL    NOT NULL
);
CREATE TABLE instant (
	feed    INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
	at      INTEGER NOT NULL,
	code    TEXT    NOT NULL,
	why     TEXT    NOT NULL,
	value   REAL    NOT NULL, -- weighted hours of delay it saves
	posts   REAL    NOT NULL, -- expected
	PRIMARY KEY (feed, at)
) WITHOUT ROWID;
CREATE INDEX instant_at ON instant (at);
CREATE TABLE host (
	host  TEXT PRIMARY KEY,
	until INTEGER NOT NULL
) WITHOUT ROWID;
`, `
CREATE TABLE bucket ( -- what is kept of the budget (plan.Bucket)
	one     INTEGER PRIMARY KEY CHECK (one = 1),
	per_day REAL    NOT NULL,
	days    REAL    NOT NULL,
	at      INTEGER NOT NULL -- ms
);
`, `
ALTER TABLE poll ADD COLUMN answered   TEXT    NOT NULL DEFAULT ''; -- address the validators came from
ALTER TABLE poll ADD COLUMN ttl        INTEGER NOT NULL DEFAULT 0;  -- seconds between fetches the feed asks for, floor being max-age
ALTER TABLE poll ADD COLUMN skip_hours INTEGER NOT NULL DEFAULT 0;  -- a bit each, UTC
ALTER TABLE poll ADD COLUMN skip_days  INTEGER NOT NULL DEFAULT 0;  -- a bit each, Sunday first
ALTER TABLE poll ADD COLUMN posted     INTEGER NOT NULL DEFAULT 0;  -- the last posting known
`, `
ALTER TABLE host ADD COLUMN bare    INTEGER NOT NULL DEFAULT 0; -- 429s in a row that did not say for how long
ALTER TABLE host ADD COLUMN refused INTEGER NOT NULL DEFAULT 0; -- 429s of the group of this name
ALTER TABLE host ADD COLUMN at      INTEGER NOT NULL DEFAULT 0; -- the last of them
`, `
ALTER TABLE poll ADD COLUMN moving_to    TEXT    NOT NULL DEFAULT ''; -- a permanent redirect seen
ALTER TABLE poll ADD COLUMN moving_since INTEGER NOT NULL DEFAULT 0;  -- first
ALTER TABLE poll ADD COLUMN moving_times INTEGER NOT NULL DEFAULT 0;  -- in a row
`, `
ALTER TABLE poll ADD COLUMN hub   TEXT NOT NULL DEFAULT ''; -- WebSub
ALTER TABLE poll ADD COLUMN fault TEXT NOT NULL DEFAULT ''; -- what kind the last fault was
CREATE INDEX ledger_sum ON ledger (feed, reason, result, at, new, bytes); -- holds all that is summed
`, `
CREATE TABLE icon (
	id       INTEGER PRIMARY KEY,
	source   TEXT    NOT NULL UNIQUE,     -- the root of a site, or the picture a feed names
	tried    INTEGER NOT NULL,
	address  TEXT    NOT NULL DEFAULT '', -- where it was found, which the validators belong to
	etag     TEXT    NOT NULL DEFAULT '',
	modified TEXT    NOT NULL DEFAULT '',
	changed  INTEGER NOT NULL DEFAULT 0,  -- when the picture did
	png      BLOB                         -- NULL: there is none
);
CREATE INDEX icon_tried ON icon (tried);
CREATE TABLE feed_icon (
	feed  INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	tried INTEGER NOT NULL,
	icon  INTEGER REFERENCES icon(id) ON DELETE SET NULL -- NULL: there is none
);
`, `
ALTER TABLE poll ADD COLUMN shown     INTEGER NOT NULL DEFAULT 0; -- items of the last document
ALTER TABLE poll ADD COLUMN keeps     REAL    NOT NULL DEFAULT 0; -- items its documents show, on average
ALTER TABLE poll ADD COLUMN turnover  INTEGER NOT NULL DEFAULT 0; -- schedule.Turnover
ALTER TABLE poll ADD COLUMN lost      REAL    NOT NULL DEFAULT 0; -- articles probably lost, the last time
ALTER TABLE poll ADD COLUMN lost_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE poll ADD COLUMN lost_to   INTEGER NOT NULL DEFAULT 0;
`, `
CREATE TABLE expectation ( -- of the first plan of a day
	day      TEXT    PRIMARY KEY, -- on the wall clock
	since    INTEGER NOT NULL,
	until    INTEGER NOT NULL,
	visits   REAL    NOT NULL,
	articles REAL    NOT NULL
) WITHOUT ROWID;
`, `
CREATE TABLE saving ( -- when battery saver was in force
	since INTEGER PRIMARY KEY,
	until INTEGER NOT NULL -- 0 while it lasts
);
`, `
ALTER TABLE ledger ADD COLUMN requests INTEGER NOT NULL DEFAULT 1; -- several where an account was synced
CREATE INDEX ledger_requests ON ledger (at) WHERE requests > 1;
`, `
CREATE TABLE refresh ( -- servers of accounts that are told when to fetch
	account INTEGER PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
	per_day INTEGER NOT NULL, -- 0: not told, -1: the usual number for each feed
	days    REAL    NOT NULL DEFAULT 0, -- what is kept of the budget (plan.Bucket)
	at      INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE refresh_feed (
	feed       INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	tried      INTEGER NOT NULL,
	fetched    INTEGER NOT NULL,
	failures   INTEGER NOT NULL, -- in a row
	not_before INTEGER NOT NULL
);
`, `
CREATE TABLE agenda ( -- what is planned for each feed
	feed     INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	next     INTEGER NOT NULL, -- the first of its instants
	instants BLOB    NOT NULL  -- in order of time (appendInstants), or JSON of the rows that they once were
);
CREATE INDEX agenda_next ON agenda (next);
INSERT INTO agenda SELECT feed, min(at), json_group_array(json_object('at', at, 'code', code, 'why', why, 'value', value, 'posts', posts))
	FROM (SELECT * FROM instant ORDER BY feed, at) GROUP BY feed;
DROP TABLE instant;
`, `
ALTER TABLE poll ADD COLUMN documents     REAL NOT NULL DEFAULT 0; -- answers with a document (schedule.Answers)
ALTER TABLE poll ADD COLUMN not_modified  REAL NOT NULL DEFAULT 0; -- 304s
ALTER TABLE poll ADD COLUMN document_size REAL NOT NULL DEFAULT 0; -- mean, as sent, bytes
ALTER TABLE poll ADD COLUMN connects      REAL NOT NULL DEFAULT 0; -- share of requests that opened a connection
UPDATE poll SET documents = l.documents * l.share, not_modified = l.not_modified * l.share, document_size = l.size, connects = 1
	FROM (SELECT feed, sum(status = 200) AS documents, sum(status = 304) AS not_modified, coalesce(avg(CASE WHEN status = 200 THEN bytes END), 0) AS size,
			min(1.0, 16.0 / count(*)) AS share
		FROM ledger WHERE result IN ('stored', 'unchanged') AND status IN (200, 304) AND reason NOT IN ` + auxiliaryCodes + ` GROUP BY feed) l
	WHERE l.feed = poll.feed;
ALTER TABLE ledger ADD COLUMN cost REAL; -- taken out of the budget; NULL: as much as requests
CREATE INDEX ledger_cost ON ledger (at) WHERE cost IS NOT NULL;
DROP INDEX ledger_sum;
CREATE INDEX ledger_sum ON ledger (feed, reason, result, at, new, bytes, status);
`, `
ALTER TABLE host ADD COLUMN pace        INTEGER NOT NULL DEFAULT 0; -- ms between requests to the group of this name that its server asks for
ALTER TABLE host ADD COLUMN paced_until INTEGER NOT NULL DEFAULT 0;
`, `
CREATE TABLE mention ( -- links in other feeds to articles of a feed that were not known
	feed INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
	link TEXT    NOT NULL,
	at   INTEGER NOT NULL,
	came INTEGER, -- whether the next fetch of the feed brought the article; NULL before that
	PRIMARY KEY (feed, link)
) WITHOUT ROWID;
CREATE INDEX mention_open ON mention (feed) WHERE came IS NULL;
`, `
CREATE TABLE foreseen ( -- which visits plans were made for
	at     INTEGER PRIMARY KEY, -- when
	last   INTEGER NOT NULL,    -- the last visit known then, 0 if there was none
	visits TEXT    NOT NULL     -- those expected of the day after it, as JSON, by bins (ForeseenBins)
);
`}
