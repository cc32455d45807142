package reader

// viewSteps define what SQL of other rooms may ask of the reader's tables: these views, and nothing else. Where nothing of theirs is
// joined, functions of this package answer. A view is changed by a step of its own.
const viewSteps = `
CREATE VIEW reader_feed AS -- the subscriptions
	SELECT f.id, f.account, f.remote, f.url, ` + feedTitle + ` AS title, f.own_title, f.site, f.weight, f.interest, f.every, f.paused, f.login, f.added
	FROM feed f WHERE f.removed = 0;
CREATE VIEW reader_title AS -- of every feed that is stored, subscribed to or not
	SELECT f.id, ` + feedTitle + ` AS title FROM feed f;
CREATE VIEW reader_account AS -- the accounts
	SELECT id, name, url, paused FROM account WHERE removed = 0;
CREATE VIEW reader_article AS -- every article that was ever stored, also what was deleted or cleaned up since
	SELECT id, feed, published, seen, deleted FROM status;
`

// listViewSteps let others ask which subscriptions are lists of feeds that are followed.
const listViewSteps = `
DROP VIEW reader_feed;
CREATE VIEW reader_feed AS -- the subscriptions
	SELECT f.id, f.account, f.remote, f.url, ` + feedTitle + ` AS title, f.own_title, f.site, f.weight, f.interest, f.every, f.paused, f.login, f.added,
		CASE WHEN json_valid(f.source) THEN json_extract(f.source, '$.list') IS NOT NULL ELSE 0 END AS list -- a list of feeds that is followed
	FROM feed f WHERE f.removed = 0;
`
