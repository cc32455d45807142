// Package readertest holds what the tests of package reader and its subpackages share:
// the corpus of other people's documents and a measure of hostile input.
package readertest

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// SkipWithRace leaves a test out of the run with the race detector: it slows tenfold what one goroutine or a killed process
// computes, and finds nothing there. .ci/check runs each test that calls it without the detector.
func SkipWithRace(t testing.TB) {
	t.Helper()
	if race {
		t.Skip("skipped: long with -race, and it has no races to find")
	}
}

// CorpusFiles returns the files of some folders of the corpus by their path below
// KAIROS_CORPUS. It skips the test where there is no corpus.
func CorpusFiles(t testing.TB, folders ...string) map[string][]byte {
	t.Helper()
	root := os.Getenv("KAIROS_CORPUS")
	if root == "" {
		t.Skip("skipped: no corpus")
	}
	files := map[string][]byte{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasSuffix(path, "SOURCE.md") {
				return err
			}
			files[strings.TrimPrefix(path, root+"/")], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// Growth returns how many times as long f takes for eight times the input: the
// least of a few ratios, since a loaded machine only makes them larger.
func Growth(f func(size int)) float64 {
	const small = 12000
	least := math.Inf(1)
	for range 12 {
		start := time.Now()
		f(small)
		middle := time.Now()
		f(8 * small)
		least = min(least, float64(time.Since(middle))/float64(max(middle.Sub(start), 200*time.Microsecond)))
		if least < 16 {
			break
		}
	}
	return least
}
