package home

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The clock has no monotonic reading, which stands still while the machine sleeps.
func TestClockIsTheWallClock(t *testing.T) {
	if now := wallClock()(); strings.Contains(now.String(), "m=") || time.Since(now).Abs() > time.Minute {
		t.Error(now)
	}
}

func TestClockFollowsTheTimeZone(t *testing.T) {
	const zones = "/usr/share/zoneinfo/"
	file := filepath.Join(t.TempDir(), "localtime")
	travel := func(name string) {
		t.Helper()
		if _, err := os.Stat(zones + name); err != nil {
			t.Skip("skipped: no zone database")
		}
		os.Remove(file)
		if err := os.Symlink(zones+name, file); err != nil {
			t.Skip("skipped: no links:", err)
		}
	}
	travel("Europe/Berlin")
	z := &timeZone{file: file}
	now := noon
	if loc := z.at(now); loc != time.Local {
		t.Errorf("zone at first: %v", loc)
	}
	travel("Asia/Tokyo")
	if loc := z.at(now.Add(zoneAge / 2)); loc != time.Local {
		t.Errorf("zone a moment later: %v", loc)
	}
	now = now.Add(zoneAge)
	if loc := z.at(now); loc.String() != "Asia/Tokyo" || now.In(loc).Hour() != 21 {
		t.Errorf("zone in Tokyo: %v", loc)
	}
	travel("America/New_York")
	if loc := z.at(now.Add(-time.Hour)); loc.String() != "America/New_York" {
		t.Errorf("zone in New York, with the clock set back: %v", loc)
	}
	os.Remove(file)
	if err := os.WriteFile(file, []byte("not a zone"), 0o600); err != nil {
		t.Fatal(err)
	}
	if loc := z.at(now.Add(time.Hour)); loc.String() != "America/New_York" {
		t.Errorf("zone with a damaged file: %v", loc)
	}
	os.Remove(file)
	if loc := z.at(now.Add(2 * time.Hour)); loc.String() != "America/New_York" {
		t.Errorf("zone without the file: %v", loc)
	}
}
