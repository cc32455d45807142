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
		FROM ledger WHERE result IN ('stored', 'unchanged') AND status IN (200, 304) AND reason NOT IN ('icon', 'picture', 'file', 'page', 'refresh') GROUP BY feed) l
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
`, `
CREATE TABLE subject ( -- what is polled: each feed is one, and each account
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, since the ledger outlives it
	feed    INTEGER UNIQUE REFERENCES feed(id) ON DELETE CASCADE,
	account INTEGER UNIQUE REFERENCES account(id) ON DELETE CASCADE,
	CHECK ((feed IS NULL) <> (account IS NULL))
);
-- Accounts were feeds below zero until now. A feed keeps its number, and what belongs to an account follows the last of the feeds.
INSERT INTO sqlite_sequence SELECT 'subject', sum(seq) FROM sqlite_sequence WHERE name IN ('feed', 'account') HAVING count(*) > 0;
INSERT INTO subject (id, feed) SELECT id, id FROM feed WHERE id > 0;
INSERT INTO subject (id, account) SELECT ` + lastFeed + ` + id, id FROM account WHERE removed = 0;
CREATE TRIGGER subject_feed AFTER INSERT ON feed BEGIN INSERT INTO subject (feed) VALUES (new.id); END;
CREATE TRIGGER subject_account AFTER INSERT ON account BEGIN INSERT INTO subject (account) VALUES (new.id); END;
CREATE TRIGGER subject_account_removed AFTER UPDATE OF removed ON account WHEN new.removed <> 0 BEGIN DELETE FROM subject WHERE account = new.id; END;

ALTER TABLE ledger RENAME COLUMN feed TO subject;
UPDATE ledger SET subject = ` + lastFeed + ` - subject WHERE subject < 0;
ALTER TABLE ledger_day RENAME COLUMN feed TO subject;
UPDATE ledger_day SET subject = ` + lastFeed + ` - subject WHERE subject < 0;

ALTER TABLE poll RENAME TO poll_before;
CREATE TABLE poll ( -- what is known of a subject
	subject       INTEGER PRIMARY KEY REFERENCES subject(id) ON DELETE CASCADE,
	address       TEXT    NOT NULL DEFAULT '', -- what the rest belongs to
	etag          TEXT    NOT NULL DEFAULT '',
	modified      TEXT    NOT NULL DEFAULT '',
	digest        INTEGER NOT NULL DEFAULT 0,  -- of the last body
	tried         INTEGER NOT NULL DEFAULT 0,  -- last attempt
	fetched       INTEGER NOT NULL DEFAULT 0,  -- last time the server answered with the feed or a 304
	failures      INTEGER NOT NULL DEFAULT 0,  -- in a row
	since         INTEGER NOT NULL DEFAULT 0,  -- the first of them
	said          TEXT    NOT NULL DEFAULT '', -- the last of them, for people
	not_before    INTEGER NOT NULL DEFAULT 0,  -- back-off or Retry-After
	floor         INTEGER NOT NULL DEFAULT 0,  -- max-age, seconds
	gone          INTEGER NOT NULL DEFAULT 0,  -- 410: never ask again by itself
	upto          INTEGER NOT NULL DEFAULT 0,  -- postings observed up to here
	tally         TEXT    NOT NULL DEFAULT '',
	answered      TEXT    NOT NULL DEFAULT '', -- address the validators came from
	ttl           INTEGER NOT NULL DEFAULT 0,  -- seconds between fetches the feed asks for
	skip_hours    INTEGER NOT NULL DEFAULT 0,  -- a bit each, UTC
	skip_days     INTEGER NOT NULL DEFAULT 0,  -- a bit each, Sunday first
	posted        INTEGER NOT NULL DEFAULT 0,  -- the last posting known
	moving_to     TEXT    NOT NULL DEFAULT '', -- a permanent redirect seen
	moving_since  INTEGER NOT NULL DEFAULT 0,  -- first
	moving_times  INTEGER NOT NULL DEFAULT 0,  -- in a row
	hub           TEXT    NOT NULL DEFAULT '', -- WebSub
	fault         TEXT    NOT NULL DEFAULT '', -- what kind the last failure was
	shown         INTEGER NOT NULL DEFAULT 0,  -- items of the last document
	keeps         REAL    NOT NULL DEFAULT 0,  -- items its documents show, on average
	turnover      INTEGER NOT NULL DEFAULT 0,  -- schedule.Turnover
	lost          REAL    NOT NULL DEFAULT 0,  -- articles probably lost, the last time
	lost_from     INTEGER NOT NULL DEFAULT 0,
	lost_to       INTEGER NOT NULL DEFAULT 0,
	documents     REAL    NOT NULL DEFAULT 0,  -- answers with a document (schedule.Answers)
	not_modified  REAL    NOT NULL DEFAULT 0,  -- 304s
	document_size REAL    NOT NULL DEFAULT 0,  -- mean, as sent, bytes
	connects      REAL    NOT NULL DEFAULT 0   -- share of requests that opened a connection
);
INSERT INTO poll SELECT CASE WHEN feed > 0 THEN feed ELSE ` + lastFeed + ` - feed END, address, etag, modified, digest, tried, fetched, failures, since, said,
	not_before, floor, gone, upto, tally, answered, ttl, skip_hours, skip_days, posted, moving_to, moving_since, moving_times, hub, fault,
	shown, keeps, turnover, lost, lost_from, lost_to, documents, not_modified, document_size, connects FROM poll_before;
DROP TABLE poll_before;

CREATE TABLE cycle_now (
	subject INTEGER PRIMARY KEY REFERENCES subject(id) ON DELETE CASCADE,
	every   INTEGER NOT NULL, -- days
	at      TEXT    NOT NULL, -- JSON, bins of the cycle
	delay   REAL    NOT NULL, -- hours a day
	saving  REAL    NOT NULL
);
INSERT INTO cycle_now SELECT CASE WHEN feed > 0 THEN feed ELSE ` + lastFeed + ` - feed END, every, at, delay, saving FROM cycle;
DROP TABLE cycle;
ALTER TABLE cycle_now RENAME TO cycle;

CREATE TABLE agenda_now ( -- what is planned for each subject
	subject  INTEGER PRIMARY KEY REFERENCES subject(id) ON DELETE CASCADE,
	next     INTEGER NOT NULL, -- the first of its instants
	instants BLOB    NOT NULL  -- in order of time (appendInstants), or JSON of the rows that they once were
);
INSERT INTO agenda_now SELECT CASE WHEN feed > 0 THEN feed ELSE ` + lastFeed + ` - feed END, next, instants FROM agenda;
DROP TABLE agenda;
ALTER TABLE agenda_now RENAME TO agenda;
CREATE INDEX agenda_next ON agenda (next);

CREATE TABLE mention_now ( -- links in other feeds to articles of a feed that were not known
	subject INTEGER NOT NULL REFERENCES subject(id) ON DELETE CASCADE,
	link    TEXT    NOT NULL,
	at      INTEGER NOT NULL,
	came    INTEGER, -- whether the next fetch of the feed brought the article; NULL before that
	PRIMARY KEY (subject, link)
) WITHOUT ROWID;
INSERT INTO mention_now SELECT feed, link, at, came FROM mention;
DROP TABLE mention;
ALTER TABLE mention_now RENAME TO mention;
CREATE INDEX mention_open ON mention (subject) WHERE came IS NULL;

CREATE TABLE bucket_now ( -- what is kept of each budget (plan.Bucket)
	account INTEGER PRIMARY KEY, -- to whose server it belongs; 0: to this computer
	per_day REAL    NOT NULL,
	days    REAL    NOT NULL,
	at      INTEGER NOT NULL -- ms
);
INSERT INTO bucket_now SELECT 0, per_day, days, at FROM bucket;
INSERT INTO bucket_now SELECT account, CASE WHEN per_day > 0 THEN per_day ELSE -per_day * 8 * (SELECT count(*) FROM feed
	WHERE account = refresh.account AND removed = 0 AND remote <> '') END, days, at * 1000 FROM refresh WHERE at <> 0;
DROP TABLE bucket;
ALTER TABLE bucket_now RENAME TO bucket;
INSERT INTO poll (subject, address, tried, failures, not_before) -- the times of refresh_feed were those they were for, 10 minutes later
	SELECT r.feed, 'account ' || f.account, max(r.tried - 600, 0), r.failures, max(r.not_before - 600, 0) FROM refresh_feed r JOIN feed f ON f.id = r.feed WHERE true
	ON CONFLICT DO UPDATE SET address = excluded.address, tried = excluded.tried, failures = excluded.failures, not_before = excluded.not_before;
DROP TABLE refresh_feed;
ALTER TABLE refresh DROP COLUMN days;
ALTER TABLE refresh DROP COLUMN at;

DELETE FROM feed WHERE id < 0;
`, `
CREATE TABLE prepared ( -- articles that were brought whole before they were read, or tried to be
	article   INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	feed      INTEGER NOT NULL,
	at        INTEGER NOT NULL,
	page      INTEGER NOT NULL,           -- preparer.PageResult; not 0: it was asked for and is not again
	done      INTEGER NOT NULL,           -- pictures were, too
	chance    REAL    NOT NULL,           -- that it is read, as known then
	pictures  INTEGER NOT NULL,
	missing   INTEGER NOT NULL,           -- pictures that could not be had
	bytes     INTEGER NOT NULL,           -- on the wire
	text_size INTEGER NOT NULL DEFAULT 0  -- of the text that is stored, bytes
);
CREATE INDEX prepared_at ON prepared (at);
CREATE TABLE prepared_picture ( -- files of the cache that articles need
	file    TEXT    NOT NULL,
	article INTEGER NOT NULL REFERENCES prepared(article) ON DELETE CASCADE,
	PRIMARY KEY (article, file)
) WITHOUT ROWID;
CREATE TABLE prepare_opened ( -- articles that were opened
	article INTEGER PRIMARY KEY,
	feed    INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	whole   INTEGER NOT NULL -- with text and pictures, without a request
);
CREATE INDEX prepare_opened_at ON prepare_opened (at);
CREATE TABLE prepare_worth ( -- prepare.History, a day each
	day      TEXT    NOT NULL, -- UTC
	bin      INTEGER NOT NULL,
	articles INTEGER NOT NULL,
	bytes    INTEGER NOT NULL,
	opened   REAL    NOT NULL,
	whole    REAL    NOT NULL,
	PRIMARY KEY (day, bin)
) WITHOUT ROWID;
CREATE TABLE prepare_feed (
	feed     INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	asked    REAL    NOT NULL, -- for the full text of an article
	kept     REAL    NOT NULL, -- the text of the feed
	offered  INTEGER NOT NULL,
	failures INTEGER NOT NULL, -- pages in a row in which no article was found
	told     INTEGER NOT NULL,
	page     REAL    NOT NULL, -- mean size of pages, bytes (prepare.Cost)
	pages    REAL    NOT NULL,
	picture  REAL    NOT NULL,
	pictures REAL    NOT NULL
);
CREATE TABLE prepare_host ( -- hosts that have refused
	host  TEXT    PRIMARY KEY,
	until INTEGER NOT NULL
) WITHOUT ROWID;
`, olderSteps, `
CREATE TABLE prepared_file ( -- what can be heard or seen without a network
	path    TEXT    PRIMARY KEY, -- in the folder of files
	article INTEGER NOT NULL,
	at      INTEGER NOT NULL
) WITHOUT ROWID;
ALTER TABLE prepare_feed ADD COLUMN episodes INTEGER NOT NULL DEFAULT 0; -- the next ones are brought before they are played
`, robotsSteps,
	`CREATE TRIGGER subject_account_restored AFTER UPDATE OF removed ON account WHEN old.removed <> 0 AND new.removed = 0 BEGIN INSERT INTO subject (account) VALUES (new.id); END;`}

// lastFeed is the largest id that a feed ever had.
const lastFeed = "(SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'feed')"
