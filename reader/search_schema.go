package reader

// searchSteps are the index of words, what is not in it yet, and saved searches. The old
// articles of a store are simply not indexed yet.
var searchSteps = `
-- Words of articles, as reader/search writes them. Where they stand is enough to find
-- an article; what they say is in body already.
` + searchTable + `;
CREATE TABLE search_waiting (
	id   INTEGER PRIMARY KEY, -- of an article that is new, edited, or gone
	turn INTEGER NOT NULL DEFAULT 0 -- counts the changes since, so that none is taken for indexed
);
INSERT INTO search_waiting (id) SELECT id FROM status;
` + noteChange("article_new", "INSERT ON article", "new") + `
` + noteChange("article_edited", "UPDATE OF title, author ON article", "new") + `
` + noteChange("article_gone", "DELETE ON article", "old") + `
` + noteChange("body_edited", "UPDATE OF html ON body", "new") + `
` + noteChange("status_deleted", "UPDATE OF deleted ON status", "new") + `
CREATE TABLE saved_search (
	id     INTEGER PRIMARY KEY AUTOINCREMENT,
	name   TEXT NOT NULL,
	search TEXT NOT NULL
);
`

// searchTable is the index of words. It keeps no text (contentless): FTS5 could not
// take it from body, as it indexes what search.Fold makes of it, and a copy would
// double the file. The words are parted by blanks, which the tokenizer called ascii
// does with the least ado.
const searchTable = `CREATE VIRTUAL TABLE search USING fts5(title, author, text, tokenize = 'ascii', content = '', contentless_delete = 1)`

// noteChange is a trigger that notes an article as not yet indexed.
func noteChange(name, when, row string) string {
	return "CREATE TRIGGER " + name + " AFTER " + when + " BEGIN INSERT INTO search_waiting (id) VALUES (" + row +
		".id) ON CONFLICT (id) DO UPDATE SET turn = turn + 1; END;"
}
