package home

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/readertest"
)

const (
	sources   = 30 // feeds there are to subscribe to
	inWindow  = 20 // items a document shows
	someKills = 25 // unless KAIROS_SOAK is set
	manyKills = 300
)

func sourceAddress(i int) string { return fmt.Sprintf("http://feed%d.test/%d", i, i) }

// source is a feed that changes at nearly every request and records what it has sent.
type source struct {
	version int            // its newest item
	scheme  int            // of the names of its items
	whole   map[string]int // by ETag: the version that was sent whole under it
}

// web serves the sources.
type web struct {
	mu      sync.Mutex
	r       *rand.Rand
	sources map[string]*source
}

func (w *web) serve(out http.ResponseWriter, r *http.Request) {
	i, _ := strconv.Atoi(strings.Trim(r.URL.Path, "/"))
	w.mu.Lock()
	s := w.sources[sourceAddress(i)]
	if w.r.IntN(4) > 0 {
		s.version += 1 + w.r.IntN(3)
	}
	if w.r.IntN(20) == 0 {
		s.scheme++
	}
	tag := fmt.Sprintf(`"%d-%d"`, s.version, s.scheme)
	cut := w.r.IntN(12) == 0
	same := r.Header.Get("If-None-Match") == tag
	if !cut && !same {
		s.whole[tag] = s.version
	}
	body := s.document(i)
	w.mu.Unlock()

	out.Header().Set("ETag", tag)
	switch {
	case same:
		out.WriteHeader(http.StatusNotModified)
	case cut:
		out.Header().Set("Content-Length", strconv.Itoa(len(body)))
		fmt.Fprint(out, body[:len(body)*2/3])
		out.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	default:
		fmt.Fprint(out, body)
	}
}

func (s *source) document(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<rss version="2.0"><channel><title>Feed %d</title>`, i)
	for n := s.version; n > max(0, s.version-inWindow); n-- {
		fmt.Fprintf(&b, `<item><guid isPermaLink="false">%d/%d</guid><title>Item %d</title><pubDate>%s</pubDate><description>%s</description></item>`,
			s.scheme, n, n, noon.Add(time.Duration(n-100_000)*time.Minute).Format(time.RFC1123Z), strings.Repeat("words ", 5+n%7*100))
	}
	b.WriteString(`</channel></rss>`)
	return b.String()
}

// witness records what victims have printed.
type witness struct {
	*testing.T
	dir   string
	web   *web
	there map[string]bool            // addresses that were imported
	shown map[string]int             // by address: a version all of which was stored
	marks map[string]map[string]bool // by article and flag: the values it may have
}

// A process is killed at random instants while it imports, fetches and reads. Each time the file is
// intact, no article is stored twice, none is missing that the ledger or the validators count as
// stored, and no mark is lost that was shown.
func TestKilledAtAnyInstant(t *testing.T) {
	readertest.SkipWithRace(t)
	seed, kills := uint64(time.Now().UnixNano()), someKills
	if os.Getenv("KAIROS_SOAK") != "" {
		kills = manyKills
	}
	if s, err := strconv.ParseUint(os.Getenv("KAIROS_SEED"), 10, 64); err == nil {
		seed = s
	}
	t.Logf("%d kills; KAIROS_SEED=%d has the same ones tried, as far as instants can be had again", kills, seed)
	r := rand.New(rand.NewPCG(seed, 0))
	w := &web{r: rand.New(rand.NewPCG(seed, 1)), sources: map[string]*source{}}
	for i := range sources {
		w.sources[sourceAddress(i)] = &source{whole: map[string]int{}}
	}
	server := httptest.NewServer(http.HandlerFunc(w.serve))
	defer server.Close()
	see := &witness{T: t, dir: filepath.Join(t.TempDir(), "data"), web: w,
		there: map[string]bool{}, shown: map[string]int{}, marks: map[string]map[string]bool{}}
	for life := range kills {
		what := fmt.Sprintf("%s %s %d %d", see.dir, server.Listener.Addr(), seed, life)
		see.kill(what, r.IntN(60), time.Duration(r.Int64N(int64(30*time.Millisecond))))
		see.check(life%2 == 0)
		if t.Failed() {
			t.Fatalf("after kill %d of %d", life+1, kills)
		}
	}
	see.report()
}

// kill starts a victim, records its output, and kills it some time after a number of lines.
func (see *witness) kill(what string, lines int, after time.Duration) {
	see.Helper()
	ctx, cancel := context.WithTimeout(see.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), victimOf+"="+what)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		see.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		see.Fatal(err)
	}
	kill := func() { cmd.Process.Kill() } //nolint:errcheck // it may have ended
	if lines == 0 {
		after *= 10 // while it opens the file
		time.AfterFunc(after, kill)
	}
	said := 0
	for in := bufio.NewScanner(out); in.Scan(); {
		see.note(in.Text())
		if said++; said == lines {
			time.AfterFunc(after, kill)
		}
	}
	cmd.Wait() //nolint:errcheck // it was killed
	if ctx.Err() != nil {
		see.Error("it said too little within a minute")
	}
}

// note records a line.
func (see *witness) note(line string) {
	see.Helper()
	words := strings.Fields(line)
	switch words[0] {
	case "imported":
		for _, address := range words[1:] {
			see.there[address] = true
		}
	case "fetched":
		if len(words) == 3 { // an answer that broke off has no ETag
			see.shown[words[1]] = max(see.shown[words[1]], see.version(words[1], words[2]))
		}
	case "marking", "marked":
		for _, id := range words[3:] {
			key := words[1] + " " + id
			switch {
			case words[0] == "marked":
				see.marks[key] = map[string]bool{words[2]: true}
			case see.marks[key] == nil: // what it was before nobody has said
				see.marks[key] = map[string]bool{"true": true, "false": true}
			default:
				see.marks[key][words[2]] = true
			}
		}
	default:
		see.Errorf("the victim printed %q", line)
	}
}

// version returns the version that was sent completely under an ETag.
func (see *witness) version(address, tag string) int {
	see.Helper()
	see.web.mu.Lock()
	defer see.web.mu.Unlock()
	v, ok := see.web.sources[address].whole[tag]
	if !ok {
		see.Errorf("%s has validators %s of a version that was never sent completely", address, tag)
	}
	return v
}

// check examines the data folder, opened for writing or only for reading.
func (see *witness) check(write bool) {
	see.Helper()
	var store *reader.Store
	err := reader.ErrOlder
	if !write {
		store, err = reader.OpenReadOnly(see.Context(), see.dir, rooms()...)
	}
	if errors.Is(err, reader.ErrOlder) || errors.Is(err, reader.ErrNone) { // killed while it was made
		store, err = reader.Open(see.Context(), see.dir, noon, rooms()...)
	}
	if err != nil {
		see.Fatal(err)
	}
	defer store.Close()
	db := store.Read()
	for _, pragma := range []string{"integrity_check", "foreign_key_check"} {
		for _, row := range see.rows(db, "PRAGMA "+pragma) {
			if row != "ok" {
				see.Errorf("%s: %s", pragma, row)
			}
		}
	}
	see.checkArticles(db)
	for key, may := range see.marks {
		flag, id, _ := strings.Cut(key, " ")
		is := see.rows(db, "SELECT CASE "+flag+" WHEN 0 THEN 'false' ELSE 'true' END FROM status WHERE id = "+id)
		if len(is) != 1 || !may[is[0]] {
			see.Errorf("article %s: %s is %v, was shown as %v", id, flag, is, may)
			continue
		}
		see.marks[key] = map[string]bool{is[0]: true}
	}
}

func (see *witness) checkArticles(db *sql.DB) {
	see.Helper()
	there := map[string]bool{}
	for _, address := range see.rows(db, "SELECT url FROM feed") {
		there[address] = true
		stored := map[int]bool{}
		for _, title := range see.rows(db, "SELECT a.title FROM article a JOIN status USING (id) JOIN feed f ON f.id = feed WHERE url = ?", address) {
			n, _ := strconv.Atoi(strings.TrimPrefix(title, "Item "))
			if stored[n] {
				see.Errorf("%s has the article %s twice", address, title)
			}
			stored[n] = true
		}
		new := see.rows(db, `SELECT coalesce((SELECT sum(new) FROM ledger WHERE subject = i.id), 0) +
			coalesce((SELECT sum(new) FROM ledger_day WHERE subject = i.id), 0) FROM feed f JOIN subject i ON i.feed = f.id WHERE url = ?`, address)
		if len(new) != 1 || new[0] != strconv.Itoa(len(stored)) {
			see.Errorf("%s has %d articles, by the ledger %v", address, len(stored), new)
		}
		versions := []int{see.shown[address]}
		for _, tag := range see.rows(db, "SELECT etag FROM poll JOIN subject i ON i.id = subject JOIN feed f ON f.id = i.feed WHERE url = ? AND etag <> ''", address) {
			versions = append(versions, see.version(address, tag))
		}
		for _, v := range versions {
			for n := v; n > max(0, v-inWindow); n-- {
				if !stored[n] {
					see.Errorf("%s: item %d of the stored version %d is missing", address, n, v)
				}
			}
		}
	}
	for address := range see.there {
		if !there[address] {
			see.Errorf("%s was imported, but is missing", address)
		}
	}
}

// rows returns the values of a query's first column as text.
func (see *witness) rows(db *sql.DB, query string, args ...any) (values []string) {
	see.Helper()
	rows, err := db.QueryContext(see.Context(), query, args...)
	if err != nil {
		see.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			see.Fatal(err)
		}
		values = append(values, v)
	}
	if err := rows.Err(); err != nil {
		see.Fatal(err)
	}
	return values
}

// report logs how much there was to lose.
func (see *witness) report() {
	offered := 0
	for _, s := range see.web.sources {
		offered += s.version
	}
	see.Logf("%d feeds imported, %d of them seen stored, %d items offered, %d marks", len(see.there), len(see.shown), offered, len(see.marks))
	if len(see.there) < sources/2 || len(see.shown) < sources/3 || len(see.marks) < someKills {
		see.Error("too little was done to be lost")
	}
}
