package reader

// steps create the reader's tables. status holds the identity and the status of an article and
// outlives the article itself, so that one that was read, deleted or cleaned up does not come back
// as new. body is a table of its own so that lists never read it.
var steps = []string{`
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
CREATE INDEX status_newest  ON status (published DESC, id DESC, feed, read, starred) WHERE deleted = 0;
CREATE INDEX status_feed    ON status (feed, published DESC, id DESC) WHERE deleted = 0;
CREATE INDEX status_unread  ON status (feed, published) WHERE read = 0 AND deleted = 0;
CREATE INDEX status_starred ON status (published DESC, id DESC) WHERE starred = 1 AND deleted = 0;
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
CREATE INDEX enclosure_article ON enclosure (article);
CREATE TABLE setting (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;
`, `
ALTER TABLE feed ADD COLUMN icon TEXT NOT NULL DEFAULT ''; -- address of a picture the feed names
`, `
CREATE INDEX status_deleted ON status (feed, published) WHERE deleted = 1;
`, `
ALTER TABLE feed ADD COLUMN notify INTEGER NOT NULL DEFAULT 0; -- whether the desktop tells of its new articles
`, `
CREATE TABLE full_text (
	id   INTEGER PRIMARY KEY REFERENCES article(id) ON DELETE CASCADE,
	html TEXT    NOT NULL, -- sanitised
	at   INTEGER NOT NULL  -- when the page was fetched
);
`, searchSteps, keepSteps, ruleSteps, storySteps, countSteps, labelSteps, fullTextSteps, playbackSteps, savedFileSteps, manySteps, accountSteps, carrierSteps, interestSteps, viewSteps, categorySteps, quietSteps, snoozeSteps, endSteps, importSteps, alikeSteps, keptLinkSteps, sourceSteps, chapterSteps, incompleteSteps, destinationSteps, symbolSteps, importPartSteps, folderOrderSteps, playingTimeSteps, incompletePageSteps, listViewSteps, serverLabelSteps, keptFeedSteps}

const interestSteps = `ALTER TABLE feed ADD COLUMN interest REAL NOT NULL DEFAULT 0; -- as the user says; 0: learned`

const categorySteps = `ALTER TABLE article ADD COLUMN categories TEXT NOT NULL DEFAULT ''; -- a line each`

// manySteps create the indexes that keep choosing from growing with what is stored: the newest unread articles are read off
// in their order, and neither a folder's feeds nor the unsubscribed ones are looked for among all.
const manySteps = `
CREATE INDEX status_unread_newest ON status (published DESC, id DESC, feed) WHERE read = 0 AND deleted = 0;
CREATE INDEX feed_removed ON feed (id) WHERE removed <> 0;
CREATE INDEX feed_folder ON feed (folder);
`
