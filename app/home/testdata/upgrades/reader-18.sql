-- A data folder of 2026-11-23, 18:57: with accounts that have poll state, ledger and plan.
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
	removed   INTEGER NOT NULL DEFAULT 0 -- instant of unsubscribing; 0 while subscribed, -1 when purged, -2 for the carrier of an account
, icon TEXT NOT NULL DEFAULT '', notify INTEGER NOT NULL DEFAULT 0, keep_days   INTEGER NOT NULL DEFAULT 0, keep_number INTEGER NOT NULL DEFAULT 0, account INTEGER NOT NULL DEFAULT 0, remote  TEXT NOT NULL DEFAULT '', server_title  TEXT, server_folder TEXT, interest REAL NOT NULL DEFAULT 0);
CREATE TABLE status (
	id        INTEGER PRIMARY KEY,
	feed      INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
	key       TEXT    NOT NULL,
	published INTEGER NOT NULL, -- the article's date, else when it was first seen
	seen      INTEGER NOT NULL,
	read      INTEGER NOT NULL DEFAULT 0,
	starred   INTEGER NOT NULL DEFAULT 0,
	deleted   INTEGER NOT NULL DEFAULT 0, listed INTEGER NOT NULL DEFAULT 1, hidden INTEGER NOT NULL DEFAULT 0, story INTEGER NOT NULL DEFAULT 0, account INTEGER NOT NULL DEFAULT 0, server_read    INTEGER NOT NULL DEFAULT 0, server_starred INTEGER NOT NULL DEFAULT 0,
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
CREATE TABLE full_text (
	id   INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	html TEXT    NOT NULL, -- sanitised
	at   INTEGER NOT NULL  -- when the page was fetched
, shown INTEGER NOT NULL DEFAULT 1);
CREATE VIRTUAL TABLE search USING fts5(title, author, text, tokenize = 'ascii', content = '', contentless_delete = 1);
CREATE TABLE search_waiting (
	id   INTEGER PRIMARY KEY, -- of an article that is new, edited, or gone
	turn INTEGER NOT NULL DEFAULT 0 -- counts later changes, so that they are not taken for indexed
);
CREATE TABLE saved_search (
	id     INTEGER PRIMARY KEY AUTOINCREMENT,
	name   TEXT NOT NULL,
	search TEXT NOT NULL
);
CREATE TABLE trash ( -- deleted articles whose texts are still stored
	id    INTEGER PRIMARY KEY REFERENCES status(id) ON DELETE CASCADE,
	since INTEGER NOT NULL -- when they were first seen deleted
);
CREATE TABLE rule (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	place   INTEGER NOT NULL, -- in the order they are applied
	enabled INTEGER NOT NULL,
	body    TEXT    NOT NULL  -- JSON of rule.Rule
);
CREATE TABLE story (
	id    INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	link  INTEGER NOT NULL, -- numbers of package story; 0: recognises nothing
	title INTEGER NOT NULL
);
CREATE TABLE label (
	id    INTEGER PRIMARY KEY AUTOINCREMENT,
	name  TEXT    NOT NULL,
	same  TEXT    NOT NULL UNIQUE, -- the name without case and accents
	color INTEGER NOT NULL         -- number of a colour of the window
);
CREATE TABLE labelled (
	label   INTEGER NOT NULL REFERENCES label(id) ON DELETE CASCADE,
	article INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	PRIMARY KEY (label, article)
) WITHOUT ROWID;
CREATE TABLE playback (
	article  INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	url      TEXT    NOT NULL,
	position INTEGER NOT NULL DEFAULT 0, -- milliseconds
	length   INTEGER NOT NULL DEFAULT 0, -- milliseconds; 0: unknown
	heard    INTEGER NOT NULL DEFAULT 0,
	queued   INTEGER NOT NULL DEFAULT 0, saved TEXT NOT NULL DEFAULT '', -- place in the queue; 0: not in it
	PRIMARY KEY (article, url)
) WITHOUT ROWID;
CREATE TABLE account (
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, since passwords are stored elsewhere under it
	kind    TEXT    NOT NULL, -- the protocol
	name    TEXT    NOT NULL,
	url     TEXT    NOT NULL,
	user    TEXT    NOT NULL,
	paused  INTEGER NOT NULL DEFAULT 0,
	recheck INTEGER NOT NULL DEFAULT 0, -- what is stored may not be what was synced last: a backup was restored
	added   INTEGER NOT NULL,
	removed INTEGER NOT NULL DEFAULT 0 -- 0 while it is there
);
CREATE TABLE access (
	id      INTEGER PRIMARY KEY,
	at      INTEGER NOT NULL UNIQUE,
	zone    INTEGER NOT NULL, -- wall clock minus UTC, seconds
	until   INTEGER NOT NULL  -- last use seen
, source INTEGER NOT NULL DEFAULT 0);
CREATE TABLE access_tally (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	upto  INTEGER NOT NULL, -- observed up to here
	state TEXT    NOT NULL
);
CREATE TABLE awake (
	at    INTEGER PRIMARY KEY, -- the machine was awake from here, with a network and Kairos running
	since INTEGER NOT NULL,    -- and asleep from here to at
	until INTEGER NOT NULL,
	final INTEGER NOT NULL DEFAULT 0 -- nothing is known of the time after
);
CREATE TABLE learning_pause (
	since INTEGER PRIMARY KEY,
	until INTEGER NOT NULL -- 0 while it lasts
, forgotten INTEGER NOT NULL DEFAULT 0, aside TEXT NOT NULL DEFAULT '');
CREATE TABLE opening ( -- of articles
	at   INTEGER NOT NULL,
	feed INTEGER NOT NULL,
	PRIMARY KEY (at, feed)
) WITHOUT ROWID;
CREATE TABLE access_hint (
	id     INTEGER PRIMARY KEY,
	given  INTEGER NOT NULL,
	zone   INTEGER NOT NULL, -- wall clock minus UTC, seconds
	minute INTEGER NOT NULL, -- of the day
	days   INTEGER NOT NULL  -- of the week: bit 0 is Sunday
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
, answered   TEXT    NOT NULL DEFAULT '', ttl        INTEGER NOT NULL DEFAULT 0, skip_hours INTEGER NOT NULL DEFAULT 0, skip_days  INTEGER NOT NULL DEFAULT 0, posted     INTEGER NOT NULL DEFAULT 0, moving_to    TEXT    NOT NULL DEFAULT '', moving_since INTEGER NOT NULL DEFAULT 0, moving_times INTEGER NOT NULL DEFAULT 0, hub   TEXT NOT NULL DEFAULT '', fault TEXT NOT NULL DEFAULT '', shown     INTEGER NOT NULL DEFAULT 0, keeps     REAL    NOT NULL DEFAULT 0, turnover  INTEGER NOT NULL DEFAULT 0, lost      REAL    NOT NULL DEFAULT 0, lost_from INTEGER NOT NULL DEFAULT 0, lost_to   INTEGER NOT NULL DEFAULT 0, documents     REAL NOT NULL DEFAULT 0, not_modified  REAL NOT NULL DEFAULT 0, document_size REAL NOT NULL DEFAULT 0, connects      REAL NOT NULL DEFAULT 0);
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
, requests INTEGER NOT NULL DEFAULT 1, cost REAL);
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
CREATE TABLE host (
	host  TEXT PRIMARY KEY,
	until INTEGER NOT NULL
, bare    INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0, at      INTEGER NOT NULL DEFAULT 0, pace        INTEGER NOT NULL DEFAULT 0, paced_until INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE bucket ( -- what is kept of the budget (plan.Bucket)
	one     INTEGER PRIMARY KEY CHECK (one = 1),
	per_day REAL    NOT NULL,
	days    REAL    NOT NULL,
	at      INTEGER NOT NULL -- ms
);
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
CREATE TABLE feed_icon (
	feed  INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	tried INTEGER NOT NULL,
	icon  INTEGER REFERENCES icon(id) ON DELETE SET NULL -- NULL: there is none
);
CREATE TABLE expectation ( -- of the first plan of a day
	day      TEXT    PRIMARY KEY, -- on the wall clock
	since    INTEGER NOT NULL,
	until    INTEGER NOT NULL,
	visits   REAL    NOT NULL,
	articles REAL    NOT NULL
) WITHOUT ROWID;
CREATE TABLE saving ( -- when battery saver was in force
	since INTEGER PRIMARY KEY,
	until INTEGER NOT NULL -- 0 while it lasts
);
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
CREATE TABLE sync (
	account    INTEGER PRIMARY KEY REFERENCES account(id) ON DELETE CASCADE,
	phase      TEXT    NOT NULL DEFAULT '',
	cursor     TEXT    NOT NULL DEFAULT '', -- of the first synchronisation
	back       INTEGER NOT NULL DEFAULT 0,  -- how far it goes back
	stored     INTEGER NOT NULL DEFAULT 0,  -- articles it has stored
	since      INTEGER NOT NULL DEFAULT 0,  -- ns of the server's clock: where the next difference begins
	listed     INTEGER NOT NULL DEFAULT 0,  -- last list of the feeds
	missing    INTEGER NOT NULL DEFAULT 0,  -- lists in a row in which most feeds were missing
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
CREATE TABLE reading (
	feed     INTEGER NOT NULL,
	article  INTEGER NOT NULL,
	at       INTEGER NOT NULL,
	evidence INTEGER NOT NULL, -- 0: passed over, 1: read, 2: read elsewhere
	PRIMARY KEY (feed, article)
) WITHOUT ROWID;
CREATE TABLE interest ( -- what the readings of a feed add up to
	feed   INTEGER PRIMARY KEY,
	read   REAL    NOT NULL,
	passed REAL    NOT NULL,
	at     INTEGER NOT NULL -- the counts are as of then
);
CREATE TABLE presence ( -- signs that the user may be about to come
	at       INTEGER NOT NULL,
	kind     INTEGER NOT NULL, -- 0: unlock, 1: return, 2: resume, 3: plugged
	zone     INTEGER NOT NULL, -- wall clock minus UTC, seconds
	expected REAL    NOT NULL, -- accesses in the hour after it by what was known without signs
	PRIMARY KEY (at, kind)
) WITHOUT ROWID;
CREATE TABLE agenda ( -- what is planned for each feed
	feed     INTEGER PRIMARY KEY REFERENCES feed(id) ON DELETE CASCADE,
	next     INTEGER NOT NULL, -- the first of its instants
	instants BLOB    NOT NULL  -- in order of time (appendInstants), or JSON of the rows that they once were
);
CREATE TABLE mention ( -- links in other feeds to articles of a feed that were not known
	feed INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
	link TEXT    NOT NULL,
	at   INTEGER NOT NULL,
	came INTEGER, -- whether the next fetch of the feed brought the article; NULL before that
	PRIMARY KEY (feed, link)
) WITHOUT ROWID;
CREATE TABLE foreseen ( -- which visits plans were made for
	at     INTEGER PRIMARY KEY, -- when
	last   INTEGER NOT NULL,    -- the last visit known then, 0 if there was none
	visits TEXT    NOT NULL     -- those expected of the day after it, as JSON, by bins (ForeseenBins)
);
INSERT INTO migration (room, number, at) VALUES
	('poller', 1, 1772884800),
	('poller', 10, 1772884800),
	('poller', 11, 1772884800),
	('poller', 12, 1772884800),
	('poller', 13, 1772884800),
	('poller', 14, 1772884800),
	('poller', 15, 1772884800),
	('poller', 16, 1772884800),
	('poller', 17, 1772884800),
	('poller', 2, 1772884800),
	('poller', 3, 1772884800),
	('poller', 4, 1772884800),
	('poller', 5, 1772884800),
	('poller', 6, 1772884800),
	('poller', 7, 1772884800),
	('poller', 8, 1772884800),
	('poller', 9, 1772884800),
	('reader', 1, 1772884800),
	('reader', 10, 1772884800),
	('reader', 11, 1772884800),
	('reader', 12, 1772884800),
	('reader', 13, 1772884800),
	('reader', 14, 1772884800),
	('reader', 15, 1772884800),
	('reader', 16, 1772884800),
	('reader', 17, 1772884800),
	('reader', 18, 1772884800),
	('reader', 2, 1772884800),
	('reader', 3, 1772884800),
	('reader', 4, 1772884800),
	('reader', 5, 1772884800),
	('reader', 6, 1772884800),
	('reader', 7, 1772884800),
	('reader', 8, 1772884800),
	('reader', 9, 1772884800),
	('sync', 1, 1772884800),
	('useraccess', 1, 1772884800),
	('useraccess', 2, 1772884800),
	('useraccess', 3, 1772884800),
	('useraccess', 4, 1772884800),
	('useraccess', 5, 1772884800),
	('useraccess', 6, 1772884800),
	('useraccess', 7, 1772884800),
	('useraccess', 8, 1772884800),
	('useraccess', 9, 1772884800);
INSERT INTO feed (id, url, same, title, own_title, site, folder, weight, every, paused, login, full_text, added, removed, icon, notify, keep_days, keep_number, account, remote, server_title, server_folder, interest) VALUES
	(-1, 'https://flux.test/', '@1 ', 'Miniflux', '', '', '', 1.0, 0, 0, 0, 0, 1772600000, -2, '', 0, 0, 0, 1, '', NULL, NULL, 0.0),
	(-15, 'https://fresh.test/', '@15 ', 'FreshRSS', '', '', '', 1.0, 0, 1, 0, 0, 1772600000, -2, '', 0, 0, 0, 15, '', NULL, NULL, 0.0),
	(1, 'https://river.test/feed.xml', 'river.test/feed.xml', 'River news', 'My river', 'https://river.test/', 'News/Nature', 2.0, 21600, 0, 0, 1, 1771000000, 0, 'https://river.test/icon.png', 1, 90, -1, 0, '', NULL, NULL, 0.0),
	(11, 'https://other.test/rss', '@15 5', 'Of another account', '', '', '', 1.0, 0, 0, 0, 0, 1772600002, 0, '', 0, 0, 0, 15, '5', NULL, NULL, 0.0),
	(2, 'https://日本.test/atom?a=b&c=d', '日本.test/atom?a=b&c=d', 'Ünïcödé „quoted“ ''single''', '', 'https://日本.test/', '', 0.5, 0, 1, 1, 0, 1771000001, 0, '', 0, 0, 50, 0, '', NULL, NULL, 0.0),
	(3, 'https://gone.test/rss', 'gone.test/rss', 'Unsubscribed this morning', '', 'https://gone.test/', 'News', 1.0, 0, 0, 0, 0, 1771000002, 1772880000, '', 0, 0, 0, 0, '', NULL, NULL, 0.0),
	(4, 'https://blog.test/rss', '@1 blog.test/rss', 'A blog at the server', '', 'https://blog.test/', 'Blogs', 1.0, 0, 0, 0, 0, 1772600001, 0, '', 0, 0, 0, 1, '77', 'A blog at the server', 'Blogs', 0.0);
INSERT INTO status (id, feed, key, published, seen, read, starred, deleted, listed, hidden, story, account, server_read, server_starred) VALUES
	(1, 1, 'guid:flood-1', 1772700000, 1772700100, 1, 0, 0, 1, 0, 1, 0, 0, 0),
	(10, 4, '902', 1772760000, 1772760100, 0, 1, 0, 1, 0, 0, 1, 0, 2),
	(2, 1, 'guid:flood-2', 1772710000, 1772710100, 0, 1, 0, 1, 0, 0, 0, 0, 0),
	(3, 1, 'guid:deleted', 1772600000, 1772600100, 1, 0, 1, 0, 0, 0, 0, 0, 0),
	(4, 1, 'guid:hidden by a rule', 1772720000, 1772720100, 1, 0, 1, 1, 1, 0, 0, 0, 0),
	(5, 2, 'id:tag:日本.test,2026:1', 1772730000, 1772730100, 0, 0, 0, 1, 0, 1, 0, 0, 0),
	(6, 2, 'digest:5f3759df', 1772500000, 1772500100, 1, 1, 0, 0, 0, 0, 0, 0, 0),
	(7, 3, 'guid:of a feed unsubscribed', 1772740000, 1772740100, 0, 0, 0, 1, 0, 0, 0, 0, 0),
	(8, 1, 'guid:its text was cleaned up', 1760000000, 1760000100, 1, 0, 1, 0, 0, 0, 0, 0, 0),
	(9, 4, '901', 1772750000, 1772750100, 1, 0, 0, 1, 0, 0, 1, 0, 0);
INSERT INTO article (id, title, link, author, summary, digest) VALUES
	(1, 'The river rises', 'https://river.test/1', 'Ada', 'It rains.', 1234567890123456789),
	(10, 'Starred here, not told yet', 'https://blog.test/10', '', '', 10),
	(2, 'The river falls', 'https://river.test/2', '', 'Dry again.', -987654321),
	(3, 'Deleted', 'https://river.test/3', '', '', 3),
	(4, 'Hidden advertisement', 'https://river.test/4', '', '', 4),
	(5, '川が増水', 'https://日本.test/1', '花子', '雨。', 5),
	(6, '', '', '', 'No title, no link', 6),
	(7, 'Last words', 'https://gone.test/7', '', '', 7),
	(9, 'From the server', 'https://blog.test/9', 'Bob', '', 9);
INSERT INTO body (id, html) VALUES
	(1, '<p>The <b>river</b> rises &amp; rises.</p>'),
	(10, '<p>Ten</p>'),
	(2, '<p>It falls.</p>
<p>It''s dry.</p>'),
	(3, ''),
	(4, '<p>Buy!</p>'),
	(5, '<p>川が増水した。</p>'),
	(6, '<p>No title.</p>'),
	(7, '<p>Farewell.</p>'),
	(9, '<p>Nine</p>');
INSERT INTO enclosure (article, url, type, length) VALUES
	(2, 'https://river.test/2.jpg', 'image/jpeg', 2345),
	(2, 'https://river.test/2.mp3', 'audio/mpeg', 12345678);
INSERT INTO setting (key, value) VALUES
	('home.learn', 'on'),
	('poller.perDay', '4'),
	('reader.keepDays', '365');
INSERT INTO full_text (id, html, at, shown) VALUES
	(1, '<p>The whole story of the river and its flood.</p>', 1772800000, 0);
INSERT INTO search_waiting (id, turn) VALUES
	(10, 0),
	(2, 0),
	(5, 2),
	(6, 0),
	(7, 0),
	(9, 0);
INSERT INTO saved_search (id, name, search) VALUES
	(1, 'Floods', 'river -dry is:unread');
INSERT INTO trash (id, since) VALUES
	(3, 1772610000);
INSERT INTO rule (id, place, enabled, body) VALUES
	(1, 1, 1, '{"name":"No advertisements","conditions":[{"field":"title","operator":"contains","value":"advertisement"}],"actions":[{"kind":"hide"}]}');
INSERT INTO story (id, link, title) VALUES
	(1, 4611686018427387905, 42),
	(5, 4611686018427387905, 43);
INSERT INTO label (id, name, same, color) VALUES
	(1, 'Später', 'spater', 3),
	(2, 'For Ada', 'for ada', 0);
INSERT INTO labelled (label, article) VALUES
	(1, 2),
	(1, 5),
	(2, 2);
INSERT INTO playback (article, url, position, length, heard, queued, saved) VALUES
	(2, 'https://river.test/2.mp3', 61500, 1800000, 0, 1, '/home/ada/Music/2.mp3');
INSERT INTO account (id, kind, name, url, user, paused, recheck, added, removed) VALUES
	(1, 'miniflux', 'Miniflux', 'https://flux.test/', 'ada', 0, 0, 1772600000, 0),
	(15, 'greader', 'FreshRSS', 'https://fresh.test/', 'bob', 1, 0, 1772600000, 0),
	(16, 'greader', 'Left', 'https://left.test/', 'bob', 0, 0, 1772600000, 1772700000);
INSERT INTO access (id, at, zone, until, source) VALUES
	(1, 1772700500, 3600, 1772701500, 0),
	(2, 1772786900, 3600, 1772787000, 0),
	(3, 1772873300, 3600, 1772873900, 0);
INSERT INTO awake (at, since, until, final) VALUES
	(1772700000, 1772670000, 1772740000, 0),
	(1772786000, 1772740000, 1772826000, 1);
INSERT INTO learning_pause (since, until, forgotten, aside) VALUES
	(1771500000, 1771600000, 1, '{}');
INSERT INTO opening (at, feed) VALUES
	(1772700600, 1),
	(1772786950, 2);
INSERT INTO access_hint (id, given, zone, minute, days) VALUES
	(1, 1772700000, 3600, 460, 62);
INSERT INTO poll (feed, address, etag, modified, digest, tried, fetched, failures, since, said, not_before, floor, gone, upto, tally, answered, ttl, skip_hours, skip_days, posted, moving_to, moving_since, moving_times, hub, fault, shown, keeps, turnover, lost, lost_from, lost_to, documents, not_modified, document_size, connects) VALUES
	(-1, 'https://flux.test/', '', '', 0, 1772883000, 1772883000, 0, 0, '', 0, 0, 0, 1772883000, '{"At":"2026-03-07T11:00:00Z"}', '', 0, 0, 0, 1772760000, '', 0, 0, '', '', 0, 0.0, 0, 0.0, 0, 0, 0.0, 0.0, 0.0, 0.0),
	(-15, 'https://fresh.test/', '', '', 0, 1772883001, 0, 2, 1772880000, '{"code":"account"}', 1772890001, 0, 0, 0, '', '', 0, 0, 0, 0, '', 0, 0, '', '', 0, 0.0, 0, 0.0, 0, 0, 0.0, 0.0, 0.0, 0.0),
	(1, 'https://river.test/feed.xml', '"abc"', 'Sat, 07 Mar 2026 10:00:00 GMT', 77, 1772880000, 1772880000, 0, 0, '', 0, 900, 0, 1772710000, '', 'https://river.test/feed.xml', 3600, 7, 1, 1772710000, 'https://new.river.test/', 1772790000, 2, 'https://hub.test/', '', 10, 10.5, 86400, 1.5, 1772000000, 1772100000, 0.0, 0.0, 0.0, 0.0),
	(2, 'https://日本.test/atom?a=b&c=d', '', '', 78, 1772870000, 1772600000, 3, 1772700000, 'the server answered 503', 1772890000, 0, 0, 1772600000, '', '', 0, 0, 0, 1772730000, '', 0, 0, '', 'server', 5, 5.0, 0, 0.0, 0, 0, 0.0, 0.0, 0.0, 0.0),
	(3, 'https://gone.test/rss', '', '', 0, 1772870001, 1772870001, 1, 1772870001, 'gone', 0, 0, 1, 0, '', '', 0, 0, 0, 0, '', 0, 0, '', 'gone', 0, 0.0, 0, 0.0, 0, 0, 0.0, 0.0, 0.0, 0.0);
INSERT INTO ledger (id, feed, at, reason, why, background, result, status, new, bytes, took, said, requests, cost) VALUES
	(1, 1, 1772880000, 'plan', '', 1, 'new', 200, 2, 34567, 120, '', 1, NULL),
	(2, 2, 1772870000, 'asked', '', 0, 'fault', 503, 0, 12, 60, 'the server answered 503', 1, NULL),
	(3, -1, 1772883000, 'plan', '', 1, 'stored', 200, 1, 2000, 90, '', 3, NULL),
	(4, -15, 1772883001, 'plan', '', 1, 'fault', 401, 0, 0, 90, '', 1, NULL),
	(5, 4, 1772883002, 'refresh', '', 0, 'stored', 0, 0, 0, 20, '', 1, NULL),
	(6, -16, 1772650000, 'plan', '', 1, 'stored', 200, 4, 50, 90, '', 3, 2.5);
INSERT INTO ledger_day (feed, day, fetches, faults, new, bytes) VALUES
	(-1, '2026-02-01', 3, 0, 2, 4000),
	(-16, '2026-02-01', 5, 1, 2, 4000),
	(1, '2026-02-01', 4, 0, 3, 99999),
	(2, '2026-02-01', 2, 1, 0, 555);
INSERT INTO cycle (feed, every, at, delay, saving) VALUES
	(-1, 1, '[5, 60, 200]', 1.5, 0.25),
	(1, 1, '[3, 90]', 2.5, 0.5);
INSERT INTO host (host, until, bare, refused, at, pace, paced_until) VALUES
	('日本.test', 1772890000, 1, 2, 1772870000, 0, 0);
INSERT INTO bucket (one, per_day, days, at) VALUES
	(1, 12.0, 1.25, 1772880000123);
INSERT INTO icon (id, source, tried, address, etag, modified, changed, png) VALUES
	(1, 'https://river.test/icon.png', 1772000000, 'https://river.test/icon.png', '"i"', '', 1772000000, X'89504E470D0A1A0A');
INSERT INTO feed_icon (feed, tried, icon) VALUES
	(1, 1772000000, 1),
	(2, 1772000001, NULL);
INSERT INTO expectation (day, since, until, visits, articles) VALUES
	('2026-03-07', 1772838000, 1772924400, 2.5, 14.25);
INSERT INTO saving (since, until) VALUES
	(1772500000, 1772510000);
INSERT INTO refresh (account, per_day, days, at) VALUES
	(1, -1, 0.5, 1772880000),
	(15, 20, 0.0, 0);
INSERT INTO refresh_feed (feed, tried, fetched, failures, not_before) VALUES
	(4, 1772870000, 1772870000, 0, 0);
INSERT INTO sync (account, phase, cursor, back, stored, since, listed, missing, reconciled, tried, synced, failures, not_before, error) VALUES
	(1, '', '', 1764800000, 2, 1772860000000000000, 1772860000, 0, 1772800000, 1772860001, 1772860001, 0, 0, '');
INSERT INTO agenda (feed, next, instants) VALUES
	(-1, 1772890000, '[{"at":1772890000,"code":"plan","why":"","value":0.5,"posts":2}]'),
	(1, 1772888400, '[{"at":1772888400,"code":"planned","why":"{\"code\":\"planned\"}","value":1.5,"posts":0.25},{"at":1772899200,"code":"burst","why":"","value":0.0,"posts":3.0}]'),
	(2, 1772902800, '[{"at":1772902800,"code":"retry","why":"","value":0.125,"posts":0.0}]');
INSERT INTO mention (feed, link, at, came) VALUES
	(1, 'https://river.test/9', 1772870000, NULL),
	(2, 'https://日本.test/9', 1772860000, 1);
INSERT INTO foreseen (at, last, visits) VALUES
	(1772880000, 1772873300, '[0.5]');
INSERT INTO search (rowid, title, author, text) VALUES (1, 'river rise', 'ada', 'river rise');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence (name, seq) VALUES
	('account', 16), ('feed', 11), ('label', 13), ('rule', 12), ('saved_search', 11);
CREATE INDEX status_newest  ON status (published DESC, id DESC, feed, read, starred) WHERE deleted = 0;
CREATE INDEX status_feed    ON status (feed, published DESC, id DESC) WHERE deleted = 0;
CREATE INDEX status_unread  ON status (feed, published) WHERE read = 0 AND deleted = 0;
CREATE INDEX status_starred ON status (published DESC, id DESC) WHERE starred = 1 AND deleted = 0;
CREATE INDEX enclosure_article ON enclosure (article);
CREATE INDEX status_deleted ON status (feed, published) WHERE deleted = 1;
CREATE TRIGGER article_new AFTER INSERT ON article BEGIN INSERT INTO search_waiting (id) VALUES (new.id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;
CREATE TRIGGER article_edited AFTER UPDATE OF title, author ON article BEGIN INSERT INTO search_waiting (id) VALUES (new.id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;
CREATE TRIGGER article_gone AFTER DELETE ON article BEGIN INSERT INTO search_waiting (id) VALUES (old.id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;
CREATE TRIGGER body_edited AFTER UPDATE OF html ON body BEGIN INSERT INTO search_waiting (id) VALUES (new.id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;
CREATE TRIGGER status_deleted AFTER UPDATE OF deleted ON status BEGIN INSERT INTO search_waiting (id) VALUES (new.id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;
CREATE INDEX status_listed ON status (feed) WHERE listed = 1;
CREATE INDEX status_hidden ON status (published DESC, id DESC, feed) WHERE deleted = 1 AND hidden <> 0;
CREATE INDEX story_link  ON story (link)  WHERE link <> 0;
CREATE INDEX story_title ON story (title) WHERE title <> 0;
CREATE INDEX status_story ON status (story, id, feed, published, read) WHERE story <> 0 AND deleted = 0;
CREATE INDEX labelled_article ON labelled (article, label);
CREATE TRIGGER full_text_stored AFTER INSERT ON full_text BEGIN INSERT INTO search_waiting (id) VALUES (new.id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;
CREATE INDEX playback_queue ON playback (queued) WHERE queued <> 0;
CREATE INDEX status_unread_newest ON status (published DESC, id DESC, feed) WHERE read = 0 AND deleted = 0;
CREATE INDEX feed_removed ON feed (id) WHERE removed <> 0;
CREATE INDEX feed_folder ON feed (folder);
CREATE INDEX feed_account ON feed (account) WHERE account <> 0;
CREATE UNIQUE INDEX status_synced    ON status (account, key) WHERE account <> 0;
CREATE INDEX status_synced_unread    ON status (account, key) WHERE account <> 0 AND read = 0;
CREATE INDEX status_synced_starred   ON status (account, key) WHERE account <> 0 AND starred = 1;
CREATE INDEX status_outbox           ON status (account) WHERE account <> 0 AND (read <> server_read OR starred <> server_starred);
CREATE INDEX ledger_at ON ledger (at, background);
CREATE INDEX ledger_feed ON ledger (feed, at);
CREATE INDEX icon_tried ON icon (tried);
CREATE INDEX ledger_requests ON ledger (at) WHERE requests > 1;
CREATE INDEX reading_at ON reading (at);
CREATE INDEX agenda_next ON agenda (next);
CREATE INDEX ledger_cost ON ledger (at) WHERE cost IS NOT NULL;
CREATE INDEX ledger_sum ON ledger (feed, reason, result, at, new, bytes, status);
CREATE INDEX mention_open ON mention (feed) WHERE came IS NULL;
