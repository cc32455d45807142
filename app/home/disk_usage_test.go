package home

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUsageCountsEveryFileOnce(t *testing.T) {
	dir := t.TempDir()
	h := openHome(t, dir, clockAt(noon))
	withArticles(t, h)
	for name, n := range map[string]int{"pictures/ab/1": 1000, "kairos.db.20260307-120000.backup": 200, "backups/kairos-2026-03-01.kairos": 5000, "kairos.log": 30} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	u, err := h.Disk.Usage(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	if u.Cache != 1000 || u.Copies != 5200 || u.Other != 30 || u.Total() != u.Store.File+6230 || u.Store.File == 0 || len(u.Store.Feeds) != 1 {
		t.Errorf("%+v", u)
	}
}
