package reader

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kairos/reader/readertest"
)

const (
	upkeepRows               = 300 // of a generation, a kilobyte each
	upkeepKills, manyUpkeeps = 10, 300
)

// upkeepRooms are the tables of the process that is killed: in every other life with a step that the file has not seen.
func upkeepRooms(life int) []Room {
	steps := []string{"CREATE TABLE generation (id INTEGER PRIMARY KEY, number INTEGER, text TEXT); CREATE TABLE ballast (id INTEGER PRIMARY KEY, text TEXT)"}
	for n := range life / 2 {
		steps = append(steps, fmt.Sprintf("ALTER TABLE generation ADD COLUMN c%d INTEGER NOT NULL DEFAULT %[1]d; UPDATE generation SET text = text || 'x'", n))
	}
	return []Room{{"upkeep", steps}}
}

// keepUpUntilKilled changes all rows at once, backs up, restores, compacts and rewrites the file, and prints which numbers the rows
// may have from then on.
func keepUpUntilKilled(what string) {
	var dir string
	var seed uint64
	var life, number int
	if _, err := fmt.Sscan(what, &dir, &seed, &life); err != nil {
		panic(err)
	}
	ctx, r, now := context.Background(), rand.New(rand.NewPCG(seed, uint64(life))), epoch.Add(time.Duration(life)*time.Hour)
	fmt.Println("opening")
	s, err := Open(ctx, dir, now, upkeepRooms(life)...)
	backup, inBackup := filepath.Join(dir, "the.kairos"), 0
	if err == nil {
		err = s.Read().QueryRow("SELECT coalesce(max(number), 0) FROM generation").Scan(&number)
	}
	for err == nil {
		now = now.Add(time.Second)
		switch n := r.IntN(7); {
		case n < 2 || number == 0:
			number++
			fmt.Println("may", number)
			err = s.Write(ctx, func(tx *sql.Tx) error { return nextGeneration(tx, number) })
			fmt.Println("is", number)
		case n == 2:
			_, err = s.Backups.Create(ctx, backup, now)
			inBackup = number
		case n == 3 && inBackup > 0:
			fmt.Println("may", inBackup)
			_, err = s.Backups.Restore(ctx, backup, now, upkeepRooms(life)...)
			number = inBackup
			fmt.Println("is", number)
		case n == 6 && inBackup > 0:
			fmt.Println("damaging", inBackup)
			if err = errors.Join(s.Close(), damageHeader(dir)); err == nil {
				_, err = RestoreDamaged(ctx, dir, backup, now, upkeepRooms(life)...)
			}
			if number = inBackup; err == nil {
				fmt.Println("is", number)
				s, err = Open(ctx, dir, now, upkeepRooms(life)...)
			}
		case n == 4:
			err = s.Storage.Compact(ctx)
		case n == 5: // all of the file is rewritten
			if _, err = s.db.write.ExecContext(ctx, "DELETE FROM ballast; PRAGMA auto_vacuum = NONE; VACUUM; INSERT INTO ballast (text) SELECT text FROM generation; DELETE FROM ballast"); err == nil {
				err = s.Storage.Compact(ctx)
			}
		}
	}
	fmt.Println("failed", err)
}

// brokenHeader is in the place of the header of a file that cannot be opened.
var brokenHeader = bytes.Repeat([]byte{0xff}, 100)

// damageHeader makes a closed file unreadable.
func damageHeader(dir string) error {
	f, err := os.OpenFile(filepath.Join(dir, FileName), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(brokenHeader, 0)
	return errors.Join(err, f.Close())
}

// mendUpkeep restores the backup of a file that was damaged when the process was killed.
func mendUpkeep(t *testing.T, dir string, life int) {
	t.Helper()
	header := make([]byte, len(brokenHeader))
	f, err := os.Open(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.ReadFull(f, header); err != nil || !bytes.Equal(header, brokenHeader) {
		return
	}
	aside, err := RestoreDamaged(t.Context(), dir, filepath.Join(dir, "the.kairos"), epoch.Add(time.Duration(life)*time.Hour+30*time.Minute), upkeepRooms(life)...)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(aside); err != nil || !bytes.HasPrefix(kept, brokenHeader) {
		t.Errorf("the damaged file was not kept (%v)", err)
	}
}

// nextGeneration replaces all rows by those of a number.
func nextGeneration(tx *sql.Tx, number int) error {
	_, err := tx.Exec(`DELETE FROM generation;
		INSERT INTO generation (number, text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT ?, hex(randomblob(500)) FROM n`, upkeepRows, number)
	return err
}

// Backups, restores, also of damaged files, compaction, the rewriting of the file and migrations are killed at random instants. Each time the file is sound
// and whole, as it was before or after what was under way, a backup is complete, and the next start removes what is left over.
func TestKilledUpkeepLosesNothing(t *testing.T) {
	readertest.SkipWithRace(t)
	kills, seed := killsOf(t, upkeepKills, manyUpkeeps)
	r, dir, may, left := rand.New(rand.NewPCG(seed, 0)), t.TempDir(), []int{0}, 0
	for life := range kills {
		may = killUpkeep(t, fmt.Sprintf("%s %d %d", dir, seed, life), r, may)
		if parts, _ := filepath.Glob(filepath.Join(dir, partPrefix+"*")); len(parts) > 0 {
			left++
		}
		may = checkUpkeep(t, dir, life, may)
		if t.Failed() {
			t.Fatalf("after kill %d", life+1)
		}
	}
	t.Logf("%d generations; %d kills left a part of a backup", may[0], left)
}

// killUpkeep starts the process and kills it. It returns the numbers that the rows may have.
func killUpkeep(t *testing.T, what string, r *rand.Rand, may []int) []int {
	t.Helper()
	readertest.KillOnce(t, "READER_TEST_UPKEEP", what, r, 12, func(line string) {
		word, rest, _ := strings.Cut(line, " ")
		number, _ := strconv.Atoi(rest)
		switch word {
		case "may", "damaging":
			may = append(may, number)
		case "is":
			may = []int{number}
		case "failed":
			t.Error(rest)
		}
	})
	return may
}

// checkUpkeep opens what is there and returns the number that its rows have.
func checkUpkeep(t *testing.T, dir string, life int, may []int) []int {
	t.Helper()
	if err := RemoveStale(dir, dir); err != nil {
		t.Fatal(err)
	}
	mendUpkeep(t, dir, life)
	backup := filepath.Join(dir, "the.kairos")
	if _, err := CheckBackup(t.Context(), backup, upkeepRooms(life)...); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the backup: %v", err)
	}
	s, err := Open(t.Context(), dir, epoch.Add(time.Duration(life)*time.Hour), upkeepRooms(life)...)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var rows, least, most int
	checkIntegrity(t, s)
	if err := s.Read().QueryRow("SELECT count(*), coalesce(min(number), 0), coalesce(max(number), 0) FROM generation").Scan(&rows, &least, &most); err != nil {
		t.Fatal(err)
	}
	if least != most || rows != upkeepRows && most > 0 || !slices.Contains(may, most) {
		t.Errorf("%d rows of %d to %d; they may be of %v", rows, least, most, may)
	}
	all, _ := os.ReadDir(dir)
	for _, one := range all {
		name := one.Name()
		if strings.HasPrefix(name, FileName+".") { // set aside, or before a migration
			content, _ := os.ReadFile(filepath.Join(dir, name))
			damaged := bytes.HasPrefix(content, brokenHeader)
			if _, err := CheckBackup(t.Context(), filepath.Join(dir, name), upkeepRooms(life)...); err != nil && !damaged && !strings.HasSuffix(name, ".part") {
				t.Errorf("%s: %v", name, err)
			}
			os.Remove(filepath.Join(dir, name))
		} else if name != FileName && name != FileName+"-wal" && name != FileName+"-shm" && name != filepath.Base(backup) {
			t.Errorf("%s is left", name)
		}
	}
	return []int{most}
}
