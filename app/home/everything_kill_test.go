package home_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/app/home"
	"kairos/app/home/hometest"
	"kairos/reader/readertest"
)

// importerOf is the environment variable that makes the test binary the process that imports an export and is killed: its folder, and
// that of the export.
const importerOf = "KAIROS_TEST_IMPORTER"

const exportKills = 6 // unless KAIROS_SOAK is set

func init() { home.Victims[importerOf] = importUntilKilled }

// importUntilKilled imports and takes back again and again, and prints what it begins.
func importUntilKilled(what string) error {
	ctx := context.Background()
	dir, export, _ := strings.Cut(what, "\n")
	h, err := home.Open(ctx, dir, home.Options{Now: func() time.Time { return hometest.Noon }})
	if err != nil {
		return err
	}
	for {
		fmt.Println("import")
		source, err := h.Imports.Open(ctx, export, "")
		if err != nil {
			return err
		}
		done, err := h.Imports.Run(ctx, source, false, func(int) { fmt.Println("staged") })
		if err != nil {
			return err
		}
		source.Close()
		fmt.Println("undo")
		if err := h.Imports.Undo(ctx, done.ID); err != nil {
			return err
		}
	}
}

// An import of an export, and its undoing, are killed at random instants: all of it is there, or nothing, as the files say that are
// exported then.
func TestKilledImportOfAnExport(t *testing.T) {
	readertest.SkipWithRace(t)
	kills, seed := exportKills, uint64(time.Now().UnixNano())
	if os.Getenv("KAIROS_SOAK") != "" {
		kills = 100
	}
	if s, err := strconv.ParseUint(os.Getenv("KAIROS_SEED"), 10, 64); err == nil {
		seed = s
	}
	t.Logf("%d kills; KAIROS_SEED=%d", kills, seed)
	r, dir, out, data := rand.New(rand.NewPCG(seed, 2)), t.TempDir(), filepath.Join(t.TempDir(), "out"), t.TempDir()
	if _, err := lived(t, 8, 900).Everything.Export(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	exported := 0
	contents := func(h *home.Home) map[string]string {
		t.Helper()
		exported++
		to := filepath.Join(dir, fmt.Sprint(exported))
		if _, err := h.Everything.Export(t.Context(), to, nil); err != nil {
			t.Fatal(err)
		}
		return files(t, to)
	}
	openData := func() *home.Home {
		t.Helper()
		h, err := home.Open(t.Context(), data, home.Options{Now: func() time.Time { return hometest.Noon }})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	h := openData()
	hometest.Many{Feeds: 3, Articles: 60, URL: func(i int) string { return fmt.Sprintf("https://host%d.test/feed?n=%d", i%7, i) }}.Write(t.Context(), t, h)
	nothing := contents(h)
	done := importExport(t, h, out)
	all := contents(h)
	if err := h.Imports.Undo(t.Context(), done.ID); err != nil {
		t.Fatal(err)
	}
	h.Close()
	seen := map[string]int{}
	for range kills {
		readertest.KillOnce(t, importerOf, data+"\n"+out, r, 12, func(line string) {
			if strings.HasPrefix(line, "broken") {
				t.Error(line)
			}
		})
		h := openData()
		if err := home.RecoverImports(&h.Imports, t.Context()); err != nil {
			t.Fatal(err)
		}
		switch got := contents(h); {
		case maps.Equal(got, nothing):
			seen["nothing"]++
		case maps.Equal(got, all):
			seen["all"]++
			list, err := h.Imports.List(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			if err := h.Imports.Undo(t.Context(), list[0].ID); err != nil {
				t.Fatal(err)
			}
			compareFiles(t, nothing, contents(h))
		default:
			t.Error("neither all nor nothing is there. Beside all:")
			compareFiles(t, all, got)
		}
		if err := h.Close(); err != nil || t.Failed() {
			t.Fatal(err)
		}
	}
	t.Log(seen)
}
