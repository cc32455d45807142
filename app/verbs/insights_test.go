package verbs

import (
	"database/sql"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/poller/lab/traces"
	"kairos/reader/readertest"
)

// withHistory makes a data folder with five weeks of two feeds, fetched every six hours, and visits in
// the morning and in the evening.
func withHistory(t *testing.T) (c *command, now time.Time) {
	t.Helper()
	c = newCommand(t)
	now = time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	c.now = func() time.Time { return now }
	h, err := home.Open(t.Context(), c.dir, home.Options{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	start := now.AddDate(0, 0, -35)
	var visits []time.Time
	err = h.Store.Write(t.Context(), func(tx *sql.Tx) error {
		exec := func(query string, args ...any) {
			if err == nil {
				_, err = tx.Exec(query, args...)
			}
		}
		for feed := 1; feed <= 2; feed++ {
			exec("INSERT INTO feed (id, url, same, title, added) VALUES (?1, 'http://a.test/' || ?1, 'a' || ?1, 'Feed, ' || ?1, ?2)", feed, start.Unix())
		}
		for k, at := 0, start; at.Before(now); k, at = k+1, at.Add(6*time.Hour) {
			for feed := 1; feed <= 2; feed++ {
				reason := "plan"
				if k == 0 {
					reason = "first"
				} else {
					exec("INSERT INTO status (feed, key, published, seen) VALUES (?, ?, ?, ?)", feed, k, at.Add(-time.Hour).Unix(), at.Unix())
				}
				exec(`INSERT INTO ledger (subject, at, reason, why, background, result, status, new, bytes, took, said)
					VALUES (?, ?, ?, '', 1, 'stored', 200, 1, 100, 5, '')`, feed, at.Unix(), reason)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for d := range 35 {
		day := start.AddDate(0, 0, d).Truncate(24 * time.Hour)
		visits = append(visits, day.Add(7*time.Hour+30*time.Minute).In(time.FixedZone("", 7200)), day.Add(17*time.Hour+20*time.Minute).In(time.FixedZone("", 7200)))
	}
	if _, err := h.Log.Import(t.Context(), visits, now); err != nil {
		t.Fatal(err)
	}
	return c, now
}

func TestInsights(t *testing.T) {
	c, _ := withHistory(t)
	out := c.do("insights")
	for _, want := range []string{"When you opened Kairos, ", " of new articles were ready", "A timer that makes as many requests would have had ",
		"Kairos notes which articles you open", "The mean over your feeds: ", "times the requests for this.", "known only afterwards: 100 % ready.", " visits, ", "Kairos needs a week of predictions"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	line := c.one("insights", "--days", "7")
	keys(t, "insights", line, "days from to known visits articles actual opened byFeed slowFeeds equalIntervals hindsight timerMultiple failedRequests readyWithLost probablyLost predictedDays visitsByHour visitsBySince visitFit articleFit notes")
	actual := line["actual"].(map[string]any)
	if line["known"] != true || line["days"] != 7.0 || line["visits"] != 13.0 || line["readyWithLost"] != actual["ready"] || actual["requests"] != 54.0 || actual["ready"] != 75.0 {
		t.Errorf("%v", line)
	}
	for _, args := range []string{"--days 0", "--days 31", "--days x", "--csv= ", "--days 3 --csv x", "x"} {
		if r := c.try(append([]string{"insights"}, strings.Split(args, " ")...)...); r.code == 0 || r.err == "" || r.out != "" || strings.Contains(r.err, "strconv") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := c.try("insights", "--days", "x"); r.code != exitUsage || r.err != "kairos: --days must be 1 to 30, not x: older fetches are kept as sums only\n" {
		t.Errorf("%+v", r)
	}
	empty := newCommand(t)
	if r := empty.try("insights", "--json"); r.code != 0 || objects(t, r.out)[0]["known"] != false || objects(t, r.out)[0]["actual"] != nil {
		t.Errorf("%+v", r)
	}
}

// The tables are the lab's own format: it replays one's own life, and reads what was stored.
func TestInsightsTables(t *testing.T) {
	readertest.SkipWithRace(t)
	c, now := withHistory(t)
	dir := filepath.Join(c.cwd, "life", "tables")
	c.do("insights", "--csv", "life/tables")
	at := func(name string) string { return filepath.Join(dir, name) }
	set, err := traces.Read(traces.Files{Posts: at("posts.csv"), Access: at("access.csv"), Users: at("users.csv")})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.ReadAwake(at("awake.csv")); err != nil {
		t.Fatal(err)
	}
	u := set.Users[0]
	if len(set.Users) != 1 || len(u.Accesses) != 70 || len(u.Feeds) != 2 || len(u.Feeds[0].Posts) != 4*35-1 || time.Unix(u.Accesses[0], 0).In(u.Zone).Hour() != 9 {
		t.Errorf("%d users, %d accesses, %d feeds", len(set.Users), len(u.Accesses), len(u.Feeds))
	}
	if last := u.Feeds[1].Posts[len(u.Feeds[1].Posts)-1]; last != now.Add(-7*time.Hour).Unix() {
		t.Errorf("the last post was at %s", time.Unix(last, 0))
	}
	replayed := c.lines("lab", "--posts", at("posts.csv"), "--access", at("access.csv"), "--users", at("users.csv"), "--weeks", "2", "--budgets", "2", "--policies", "uniform,exact")
	if len(replayed) != 2 || replayed[0]["user"] != user || replayed[1]["posts"].(float64) < 100 {
		t.Errorf("%v", replayed)
	}
	for name, want := range map[string]string{"fetches.csv": "feed_id,unix_seconds,reason,result,status,new,bytes", "feeds.csv": "feed_id,title,url", "rates.csv": "rate,feed_id,unix_seconds,per_hour",
		"ready.csv": "of,articles,feeds,ready,equal_intervals"} {
		f, err := os.Open(at(name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil || len(rows) < 3 || strings.Join(rows[0], ",") != want {
			t.Errorf("%s: %v (%v)", name, rows[:min(2, len(rows))], err)
		}
		if x, err := strconv.ParseFloat(rows[1][len(rows[1])-1], 64); name == "rates.csv" && (err != nil || x <= 0) {
			t.Errorf("%s: %v", name, rows[1])
		}
	}
	// What is there is replaced, whatever it is but a folder; other files stay.
	c.file("life/tables/posts.csv", "old")
	c.file("life/tables/other", "mine")
	if got := c.one("insights", "--csv", "life/tables"); got["rows"].(float64) < 300 || got["folder"] != dir {
		t.Errorf("%v", got)
	}
	if text, err := os.ReadFile(at("posts.csv")); err != nil || !strings.HasPrefix(string(text), "feed_id,unix_seconds\n1,") {
		t.Errorf("%.60s (%v)", text, err)
	}
	if _, err := os.Stat(at("other")); err != nil {
		t.Error(err)
	}
}

func TestInsightsTablesWhereTheyCannotBe(t *testing.T) {
	c, _ := withHistory(t)
	c.file("file", "a file")
	if err := os.MkdirAll(filepath.Join(c.cwd, "partly", "fetches.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{"file": "is a file, not a folder", "file/below": "cannot use the folder: " + filepath.Join(c.cwd, "file", "below") + ": This is not a folder.", "partly": "fetches.csv is a folder"} {
		r := c.try("insights", "--csv", folder)
		if r.code == 0 || !strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 || r.out != "" {
			t.Errorf("%s: %+v", folder, r)
		}
	}
	if _, err := os.Stat(filepath.Join(c.cwd, "partly", "posts.csv")); err == nil {
		t.Error("some of the tables were written")
	}
	empty := newCommand(t)
	if r := empty.try("insights", "--csv", "none"); r.code != 0 || !strings.Contains(r.err, "no visits or no articles are known yet") {
		t.Errorf("%+v", r)
	}
}
