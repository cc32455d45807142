package reader

// searchSteps create the full-text index, the list of unindexed articles, and saved searches. The
// articles that are stored already start as unindexed.
var searchSteps = `
-- Words of articles, as reader/search writes them. The index keeps where they stand; the text
-- itself is in body.
` + searchTable + `;
CREATE TABLE search_waiting (
	id   INTEGER PRIMARY KEY, -- of an article that is new, edited, or gone
	turn INTEGER NOT NULL DEFAULT 0 -- counts later changes, so that they are not taken for indexed
);
INSERT INTO search_waiting (id) SELECT id FROM status;
` + changeTrigger("article_new", "INSERT ON article", "new") + `
` + changeTrigger("article_edited", "UPDATE OF title, author ON article", "new") + `
` + changeTrigger("article_gone", "DELETE ON article", "old") + `
` + changeTrigger("body_edited", "UPDATE OF html ON body", "new") + `
` + changeTrigger("status_deleted", "UPDATE OF deleted ON status", "new") + `
CREATE TABLE saved_search (
	id     INTEGER PRIMARY KEY AUTOINCREMENT,
	name   TEXT NOT NULL,
	search TEXT NOT NULL
);
`

// searchTable creates the index. It keeps no text (contentless): FTS5 could not read it from body,
// since it indexes what search.Fold makes of it, and a copy would double the file. The words are
// separated by blanks, which the ascii tokenizer splits fastest.
const searchTable = `CREATE VIRTUAL TABLE search USING fts5(title, author, text, tokenize = 'ascii', content = '', contentless_delete = 1)`

// symbolSteps note the articles that are indexed already: their words are indexed again, with symbols such as that of c++.
const symbolSteps = `
CREATE TABLE search_older (id INTEGER PRIMARY KEY); -- articles whose words an older version has indexed
INSERT INTO search_older (id) SELECT id FROM article;
`

// changeTrigger creates a trigger that notes an article as unindexed.
func changeTrigger(name, when, row string) string {
	return "CREATE TRIGGER " + name + " AFTER " + when + " BEGIN INSERT INTO search_waiting (id) VALUES (" + row +
		".id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;"
}
