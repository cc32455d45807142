package reader

// importSteps store what was imported of other readers, and what is on its way in.
//
// The feeds of an import are hidden until all of it is there (feed.removed = hiddenFeed). Articles of a feed that is subscribed
// already wait under a hidden feed of their own, its stand-in. So what a killed import leaves is never seen, and switching it in
// takes a moment, however many articles it has.
const importSteps = `
CREATE TABLE import (
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	at      INTEGER NOT NULL,
	watched INTEGER NOT NULL DEFAULT 0, -- until when the other reader fetched
	state   INTEGER NOT NULL, -- importState
	report  TEXT    NOT NULL  -- ImportReport as JSON
);
CREATE TABLE import_feed (
	import  INTEGER NOT NULL REFERENCES import(id) ON DELETE CASCADE,
	feed    INTEGER NOT NULL, -- brought by the import; 0: it had nothing new of the known one
	known   INTEGER NOT NULL DEFAULT 0, -- the feed that the articles of this stand-in go to; 0: it is none
	same    TEXT    NOT NULL, -- feed.same once it is there
	removed INTEGER NOT NULL  -- feed.removed once it is there; of a stand-in, what that of the known feed was
);
CREATE INDEX import_feed_import ON import_feed (import);
CREATE TABLE import_range ( -- articles that were stored: all of these ids that were first seen at the time of the import
	import INTEGER NOT NULL REFERENCES import(id) ON DELETE CASCADE,
	first  INTEGER NOT NULL,
	last   INTEGER NOT NULL
);
CREATE INDEX import_range_import ON import_range (import);
CREATE TABLE import_mark ( -- marks to be set, and then those that were
	import  INTEGER NOT NULL REFERENCES import(id) ON DELETE CASCADE,
	article INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	read    INTEGER NOT NULL,
	starred INTEGER NOT NULL,
	PRIMARY KEY (import, article)
) WITHOUT ROWID;
CREATE INDEX import_mark_article ON import_mark (article);
CREATE TABLE import_label (
	import  INTEGER NOT NULL REFERENCES import(id) ON DELETE CASCADE,
	article INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	name    TEXT    NOT NULL,
	label   INTEGER NOT NULL DEFAULT 0, -- once it is put
	PRIMARY KEY (import, article, name)
) WITHOUT ROWID;
CREATE INDEX import_label_article ON import_label (article);
`

// importPartSteps store what else an export of Kairos has: what is put away or was played, and what other rooms store of it.
const importPartSteps = `
CREATE TABLE import_part (
	import  INTEGER NOT NULL REFERENCES import(id) ON DELETE CASCADE,
	place   INTEGER NOT NULL, -- in the order in which they are stored
	name    TEXT    NOT NULL,
	done    INTEGER NOT NULL DEFAULT 0, -- 1: it is stored, and content is what takes it back
	content TEXT    NOT NULL,
	PRIMARY KEY (import, place)
) WITHOUT ROWID;
CREATE TABLE import_snooze ( -- of new articles, until the import is switched in
	import  INTEGER NOT NULL REFERENCES import(id) ON DELETE CASCADE,
	article INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	since   INTEGER NOT NULL,
	until   INTEGER NOT NULL,
	visit   INTEGER NOT NULL,
	back    INTEGER NOT NULL,
	PRIMARY KEY (import, article)
) WITHOUT ROWID;
CREATE INDEX import_snooze_article ON import_snooze (article);
CREATE TABLE import_playback ( -- to be stored, and then what was
	import   INTEGER NOT NULL REFERENCES import(id) ON DELETE CASCADE,
	article  INTEGER NOT NULL REFERENCES status(id) ON DELETE CASCADE,
	url      TEXT    NOT NULL,
	position INTEGER NOT NULL,
	length   INTEGER NOT NULL,
	heard    INTEGER NOT NULL,
	queued   INTEGER NOT NULL,
	saved    TEXT    NOT NULL,
	PRIMARY KEY (import, article, url)
) WITHOUT ROWID;
CREATE INDEX import_playback_article ON import_playback (article);
`

// hiddenFeed is the value of feed.removed for a feed that an import has not switched in, or that is being taken back.
const hiddenFeed = -3

// importState is how far an import is.
type importState int

const (
	importStaged   importState = iota // nothing of it is seen
	importSwitched                    // its feeds are there; articles of known feeds and their marks follow
	importDone
	importUndone // hidden again, and being deleted
)
