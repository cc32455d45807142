package reader

// accountSteps tell the feeds of this computer from those of accounts: servers that are synced with. Everything that was stored
// before belongs to this computer, account 0.
//
// What the server has of each mark and of each feed's title and folder is stored beside ours. What is to be sent is where they
// differ, so no way of marking an article can forget to say so, and a mark that is taken back is not sent at all.
//
// status.account below zero is the account whose server had the article under this key until its feed vanished there.
const accountSteps = `
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
ALTER TABLE feed ADD COLUMN account INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feed ADD COLUMN remote  TEXT NOT NULL DEFAULT ''; -- the server's id; '' if the server does not have the feed
ALTER TABLE feed ADD COLUMN server_title  TEXT; -- NULL: unknown
ALTER TABLE feed ADD COLUMN server_folder TEXT; -- NULL: unknown
CREATE INDEX feed_account ON feed (account) WHERE account <> 0;
ALTER TABLE status ADD COLUMN account INTEGER NOT NULL DEFAULT 0; -- whose server has the article under this key; 0: none
ALTER TABLE status ADD COLUMN server_read    INTEGER NOT NULL DEFAULT 0; -- 2: unknown
ALTER TABLE status ADD COLUMN server_starred INTEGER NOT NULL DEFAULT 0; -- 2: unknown
CREATE UNIQUE INDEX status_synced    ON status (account, key) WHERE account <> 0;
CREATE INDEX status_synced_unread    ON status (account, key) WHERE account <> 0 AND read = 0;
CREATE INDEX status_synced_starred   ON status (account, key) WHERE account <> 0 AND starred = 1;
CREATE INDEX status_outbox           ON status (account) WHERE account <> 0 AND (read <> server_read OR starred <> server_starred);
`

// keptFeedSteps store from which account a feed was kept when that was removed: added again, it has the feed again.
const keptFeedSteps = `ALTER TABLE feed ADD COLUMN kept INTEGER NOT NULL DEFAULT 0; -- id of an account, 0: none`

// carrierSteps gave each account a row among the feeds, below zero, which the poller planned by. The poller has replaced these rows
// by subjects of its own.
const carrierSteps = `INSERT INTO feed (id, url, same, title, paused, added, account, removed)
	SELECT -id, url, '@' || id || ' ', name, paused, added, id, -2 FROM account WHERE removed = 0`

// serverUnknown is the state of a mark at the server while it is not known: a request to set it is under way, or had no answer.
// It differs from every mark, so the mark stays in the outbox.
const serverUnknown = 2
