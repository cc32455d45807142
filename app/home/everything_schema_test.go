package home_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kairos/app/home"
	"kairos/reader/readertest"
)

// What becomes of a table or column when everything is exported.
const (
	exported = "exported"
	derived  = "found again from what is exported"
	account  = "of an account or a service that is set up again: its password is in the keyring"
	computer = "of this computer: requests, caches, what is under way"
	past     = "a record of what was planned and fetched"
	never    = "deleted, forgotten or secret: it is not to be handed on"
)

// exportOf is what becomes of every table, or of those of its columns that share no other's fate. A new one has to be added here, and
// if it is the user's, to the export (everything.go, reader/archive_read.go) and its import (reader/import_own.go).
var exportOf = map[string]string{
	"feed": exported, "feed.id": derived, "feed.same": derived, "feed.removed": exported, "feed.login": never,
	"feed.account": exported, "feed.remote": account, "feed.server_title": account, "feed.server_folder": account, "feed.kept": account,
	"status": exported, "status.id": derived, "status.story": derived, "status.account": account, "status.server_read": account, "status.server_starred": account,
	"article": exported, "article.id": derived, "article.digest": derived,
	"body": exported, "body.id": derived, "full_text": exported, "full_text.id": derived, "enclosure": exported, "chapters": exported, "chapters.id": derived,
	"setting": exported, // by settingKinds
	"label":   exported, "label.id": derived, "label.same": derived, "labelled": exported, "rule": exported, "rule.id": derived,
	"saved_search": exported, "saved_search.id": derived, "snooze": exported, "folder": exported, "playback": exported, "list_feed": exported, "kept_link": exported,
	"story": derived, "story_key": derived, "search_waiting": derived, "trash": never,
	"import": computer, "import_feed": computer, "import_range": computer, "import_mark": computer, "import_label": computer,
	"import_part": computer, "import_snooze": computer, "import_playback": computer,
	"migration": computer, "sqlite_sequence": computer, "sqlite_stat1": computer, "sqlite_stat4": computer,
	"account": account, "destination": account, "delivery": past, "sync": account, "sync_refused": account, "sync_returned": account, "sync_health": account, "server_label": account, "refresh": account, // with the server
	"access": exported, "access.id": derived, "access_tally": derived, "awake": exported, "learning_pause": exported, "learning_pause.aside": never,
	"opening": exported, "access_hint": exported, "access_hint.id": derived, "reading": exported, "interest": exported, "presence": exported,
	"liking": exported, "ignored_feature": exported,
	"subject": derived, "cycle": derived, "agenda": derived, "icon": computer, "feed_icon": computer, "robots": computer, "host": computer, "bucket": computer,
	"mention": past, "expectation": past, "foreseen": past, "saving": past, "ledger": past, "ledger_day": past, "older": past,
	"lack": computer, "prepared": computer, "prepared_picture": computer, "prepared_file": computer, "prepare_opened": past, "prepare_worth": past, "prepare_host": computer,
	"prepare_feed": past, "prepare_feed.feed": exported, "prepare_feed.episodes": exported,
	// Of what is known of a feed's document, what was learned is in learned.csv.
	"poll": computer,
}

func TestEveryTableIsExportedOrSaid(t *testing.T) {
	h := openFolder(t, t.TempDir())
	rows, err := h.Store.Read().Query(`SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'search%'
		UNION ALL SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.name IN ('search_waiting')`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	used := map[string]bool{}
	var columns int
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		columns++
		if exportOf[table] == "" && !used[table] {
			t.Errorf("nothing says what becomes of the table %s when everything is exported", table)
		}
		used[table], used[table+"."+column] = true, true
		if is := exportOf[table+"."+column]; is == "" && exportOf[table] == exported && !columnsExported[table+"."+column] {
			t.Errorf("nothing says what becomes of the column %s.%s", table, column)
		}
	}
	if err := rows.Err(); err != nil || columns < 200 {
		t.Fatal(columns, err)
	}
	for name := range exportOf {
		if !used[name] {
			t.Errorf("there is no %s", name)
		}
	}
	for name := range columnsExported {
		if !used[name] {
			t.Errorf("there is no column %s", name)
		}
	}
}

// columnsExported are the columns of exported tables that are exported.
var columnsExported = func() map[string]bool {
	all := map[string]bool{}
	for table, columns := range map[string]string{
		"feed":            "url title own_title site folder weight every paused full_text added icon notify keep_days keep_number interest quiet end_days end_number source",
		"status":          "feed key published seen read starred deleted listed hidden ended",
		"article":         "title link author summary categories",
		"body":            "html",
		"full_text":       "html at shown",
		"enclosure":       "article url type length seconds",
		"chapters":        "address html at",
		"setting":         "key value",
		"label":           "name color",
		"labelled":        "label article",
		"rule":            "place enabled body",
		"saved_search":    "name search",
		"snooze":          "article since until visit back",
		"folder":          "account path quiet end_days end_number position",
		"playback":        "article url position length heard queued saved",
		"list_feed":       "list same feed",
		"kept_link":       "link at",
		"access":          "at zone until source",
		"awake":           "at since until final",
		"learning_pause":  "since until forgotten",
		"opening":         "at feed",
		"access_hint":     "given zone minute days",
		"reading":         "feed article at evidence",
		"interest":        "feed read passed at",
		"presence":        "at kind zone expected",
		"liking":          "article feed at more",
		"ignored_feature": "kind text",
	} {
		for column := range strings.FieldsSeq(columns) {
			all[table+"."+column] = true
		}
	}
	return all
}()

// settingName is what the names of settings look like.
var settingName = regexp.MustCompile(`^(app|reader|poller|notify|share|look|view|home|useraccess|handon|sync)\.[a-zA-Z_.]+$`)

// The constants of the program that name settings are known to the export.
func TestEverySettingIsExportedOrSaid(t *testing.T) {
	readertest.SkipWithRace(t)
	found := 0
	for _, room := range []string{"app", "reader", "poller", "useraccess"} {
		err := filepath.WalkDir(filepath.Join("..", "..", room), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range file.Decls {
				consts, is := d.(*ast.GenDecl)
				if !is || consts.Tok != token.CONST {
					continue
				}
				ast.Inspect(consts, func(n ast.Node) bool {
					literal, is := n.(*ast.BasicLit)
					if !is || literal.Kind != token.STRING {
						return true
					}
					key, err := strconv.Unquote(literal.Value)
					if err != nil || !settingName.MatchString(key) || strings.HasSuffix(key, ".") {
						return true
					}
					found++
					if !home.IsKnownSetting(key) {
						t.Errorf("%s: what becomes of the setting %q when everything is exported? Say so in everything_settings.go", name, key)
					}
					return true
				})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 40 {
		t.Errorf("only %d settings were found", found)
	}
}
