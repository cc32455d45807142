-- A data folder of 2026-11-21: feeds, articles, marks, the log of accesses and the ledger.
CREATE TABLE migration (
	room   TEXT    NOT NULL,
	number INTEGER NOT NULL,
	at     INTEGER NOT NULL,
	PRIMARY KEY (room, number)
) WITHOUT ROWID;
CREATE TABLE feed (
	id        INTEGER PRIMARY KEY AUTOINCREMENT,
	url       TEXT    NOT NULL,
	same      TEXT    NOT NULL UNIQUE, -- key under which duplicates are recognised
	title     TEXT    NOT NULL DEFAULT '',
	own_title TEXT    NOT NULL DEFAULT '',
	site      TEXT    NOT NULL DEFAULT '',
	folder    TEXT    NOT NULL DEFAULT '',
	weight    REAL    NOT NULL DEFAULT 1,
	every     INTEGER NOT NULL DEFAULT 0, -- seconds
	paused    INTEGER NOT NULL DEFAULT 0,
	login     INTEGER NOT NULL DEFAULT 0,
	full_text INTEGER NOT NULL DEFAULT 0,
	added     INTEGER NOT NULL,
	removed   INTEGER NOT NULL DEFAULT 0 -- instant of unsubscribing; 0 while subscribed, -1 when purged
);
CREATE TABLE status (
	id        INTEGER PRIMARY KEY,
	feed      INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
	key       TEXT    NOT NULL,
	published INTEGER NOT NULL, -- the article's date, else when it was first seen
	seen      INTEGER NOT NULL,
	read      INTEGER NOT NULL DEFAULT 0,
	starred   INTEGER NOT NULL DEFAULT 0,
	deleted   INTEGER NOT NULL DEFAULT 0,
	UNIQUE (feed, key)
);
CREATE TABLE article (
	id      INTEGER PRIMARY KEY REFERENCES status(id) ON DELETE CASCADE,
	title   TEXT    NOT NULL,
	link    TEXT    NOT NULL,
	author  TEXT    NOT NULL,
	summary TEXT    NOT NULL,
	digest  INTEGER NOT NULL -- of title, link, author, body and enclosures: tells an edit
);
CREATE TABLE body (
	id   INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	html TEXT NOT NULL -- sanitised
);
CREATE TABLE enclosure (
	article INTEGER NOT NULL REFERENCES article(id) ON DELETE CASCADE,
	url     TEXT    NOT NULL,
	type    TEXT    NOT NULL,
	length  INTEGER NOT NULL
);
CREATE TABLE setting (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE access (
	id      INTEGER PRIMARY KEY,
	at      INTEGER NOT NULL UNIQUE,
	zone    INTEGER NOT NULL, -- wall clock minus UTC, seconds
	until   INTEGER NOT NULL  -- last use seen
);
CREATE TABLE share (
	feed     INTEGER PRIMARY KEY,
	offered  REAL    NOT NULL, -- accesses at which it had an unread article
	opened   REAL    NOT NULL, -- of these, those at which one was opened
	offer    INTEGER NOT NULL, -- the last access counted in each
	opening  INTEGER NOT NULL
);
CREATE TABLE access_tally (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	upto  INTEGER NOT NULL, -- observed up to here
	state TEXT    NOT NULL
);
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
, answered   TEXT    NOT NULL DEFAULT '', ttl        INTEGER NOT NULL DEFAULT 0, skip_hours INTEGER NOT NULL DEFAULT 0, skip_days  INTEGER NOT NULL DEFAULT 0, posted     INTEGER NOT NULL DEFAULT 0, moving_to    TEXT    NOT NULL DEFAULT '', moving_since INTEGER NOT NULL DEFAULT 0, moving_times INTEGER NOT NULL DEFAULT 0, hub   TEXT NOT NULL DEFAULT '', fault TEXT NOT NULL DEFAULT '');
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
CREATE TABLE host (
	host  TEXT PRIMARY KEY,
	until INTEGER NOT NULL
, bare    INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0, at      INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE bucket ( -- what is kept of the budget (plan.Bucket)
	one     INTEGER PRIMARY KEY CHECK (one = 1),
	per_day REAL    NOT NULL,
	days    REAL    NOT NULL,
	at      INTEGER NOT NULL -- ms
);
INSERT INTO migration (room, number, at) VALUES
	('poller', 1, 1772884800),
	('poller', 2, 1772884800),
	('poller', 3, 1772884800),
	('poller', 4, 1772884800),
	('poller', 5, 1772884800),
	('poller', 6, 1772884800),
	('reader', 1, 1772884800),
	('useraccess', 1, 1772884800);
INSERT INTO feed (id, url, same, title, own_title, site, folder, weight, every, paused, login, full_text, added, removed) VALUES
	(1, 'https://river.test/feed.xml', 'river.test/feed.xml', 'River news', 'My river', 'https://river.test/', 'News/Nature', 2.0, 21600, 0, 0, 1, 1771000000, 0),
	(2, 'https://日本.test/atom?a=b&c=d', '日本.test/atom?a=b&c=d', 'Ünïcödé „quoted“ ''single''', '', 'https://日本.test/', '', 0.5, 0, 1, 1, 0, 1771000001, 0),
	(3, 'https://gone.test/rss', 'gone.test/rss', 'Unsubscribed this morning', '', 'https://gone.test/', 'News', 1.0, 0, 0, 0, 0, 1771000002, 1772880000);
INSERT INTO status (id, feed, key, published, seen, read, starred, deleted) VALUES
	(1, 1, 'guid:flood-1', 1772700000, 1772700100, 1, 0, 0),
	(2, 1, 'guid:flood-2', 1772710000, 1772710100, 0, 1, 0),
	(3, 1, 'guid:deleted', 1772600000, 1772600100, 1, 0, 1),
	(4, 1, 'guid:hidden by a rule', 1772720000, 1772720100, 1, 0, 1),
	(5, 2, 'id:tag:日本.test,2026:1', 1772730000, 1772730100, 0, 0, 0),
	(6, 2, 'digest:5f3759df', 1772500000, 1772500100, 1, 1, 0),
	(7, 3, 'guid:of a feed unsubscribed', 1772740000, 1772740100, 0, 0, 0),
	(8, 1, 'guid:its text was cleaned up', 1760000000, 1760000100, 1, 0, 1);
INSERT INTO article (id, title, link, author, summary, digest) VALUES
	(1, 'The river rises', 'https://river.test/1', 'Ada', 'It rains.', 1234567890123456789),
	(2, 'The river falls', 'https://river.test/2', '', 'Dry again.', -987654321),
	(3, 'Deleted', 'https://river.test/3', '', '', 3),
	(4, 'Hidden advertisement', 'https://river.test/4', '', '', 4),
	(5, '川が増水', 'https://日本.test/1', '花子', '雨。', 5),
	(6, '', '', '', 'No title, no link', 6),
	(7, 'Last words', 'https://gone.test/7', '', '', 7);
INSERT INTO body (id, html) VALUES
	(1, '<p>The <b>river</b> rises &amp; rises.</p>'),
	(2, '<p>It falls.</p>
<p>It''s dry.</p>'),
	(3, ''),
	(4, '<p>Buy!</p>'),
	(5, '<p>川が増水した。</p>'),
	(6, '<p>No title.</p>'),
	(7, '<p>Farewell.</p>');
INSERT INTO enclosure (article, url, type, length) VALUES
	(2, 'https://river.test/2.jpg', 'image/jpeg', 2345),
	(2, 'https://river.test/2.mp3', 'audio/mpeg', 12345678);
INSERT INTO setting (key, value) VALUES
	('home.learn', 'on'),
	('poller.perDay', '4'),
	('reader.keepDays', '365');
INSERT INTO access (id, at, zone, until) VALUES
	(1, 1772700500, 3600, 1772701500),
	(2, 1772786900, 3600, 1772787000),
	(3, 1772873300, 3600, 1772873900);
INSERT INTO share (feed, offered, opened, offer, opening) VALUES
	(1, 12.5, 7.25, 3, 2),
	(2, 3.0, 0.0, 3, 0);
INSERT INTO poll (feed, address, etag, modified, digest, tried, fetched, failures, since, said, not_before, floor, gone, upto, tally, answered, ttl, skip_hours, skip_days, posted, moving_to, moving_since, moving_times, hub, fault) VALUES
	(1, 'https://river.test/feed.xml', '"abc"', 'Sat, 07 Mar 2026 10:00:00 GMT', 77, 1772880000, 1772880000, 0, 0, '', 0, 900, 0, 1772710000, '', 'https://river.test/feed.xml', 3600, 7, 1, 1772710000, 'https://new.river.test/', 1772790000, 2, 'https://hub.test/', ''),
	(2, 'https://日本.test/atom?a=b&c=d', '', '', 78, 1772870000, 1772600000, 3, 1772700000, 'the server answered 503', 1772890000, 0, 0, 1772600000, '', '', 0, 0, 0, 1772730000, '', 0, 0, '', 'server'),
	(3, 'https://gone.test/rss', '', '', 0, 1772870001, 1772870001, 1, 1772870001, 'gone', 0, 0, 1, 0, '', '', 0, 0, 0, 0, '', 0, 0, '', 'gone');
INSERT INTO ledger (id, feed, at, reason, why, background, result, status, new, bytes, took, said) VALUES
	(1, 1, 1772880000, 'plan', '', 1, 'new', 200, 2, 34567, 120, ''),
	(2, 2, 1772870000, 'asked', '', 0, 'fault', 503, 0, 12, 60, 'the server answered 503');
INSERT INTO ledger_day (feed, day, fetches, faults, new, bytes) VALUES
	(1, '2026-02-01', 4, 0, 3, 99999),
	(2, '2026-02-01', 2, 1, 0, 555);
INSERT INTO host (host, until, bare, refused, at) VALUES
	('日本.test', 1772890000, 1, 2, 1772870000);
INSERT INTO bucket (one, per_day, days, at) VALUES
	(1, 12.0, 1.25, 1772880000123);
INSERT INTO instant (feed, at, code, why, value, posts) VALUES
	(1, 1772888400, 'planned', '{"code":"planned"}', 1.5, 0.25),
	(1, 1772899200, 'burst', '', 0.0, 3.0),
	(2, 1772902800, 'retry', '', 0.125, 0.0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence (name, seq) VALUES
	('feed', 10);
CREATE INDEX status_newest  ON status (published DESC, id DESC, feed, read, starred) WHERE deleted = 0;
CREATE INDEX status_feed    ON status (feed, published DESC, id DESC) WHERE deleted = 0;
CREATE INDEX status_unread  ON status (feed, published) WHERE read = 0 AND deleted = 0;
CREATE INDEX status_starred ON status (published DESC, id DESC) WHERE starred = 1 AND deleted = 0;
CREATE INDEX enclosure_article ON enclosure (article);
CREATE INDEX ledger_at ON ledger (at, background);
CREATE INDEX ledger_feed ON ledger (feed, at);
CREATE INDEX instant_at ON instant (at);
CREATE INDEX ledger_sum ON ledger (feed, reason, result, at, new, bytes);
