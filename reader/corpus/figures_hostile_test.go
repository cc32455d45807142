package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/metrics"
	"testing"
	"time"

	"kairos/reader/readertest"
)

// Limits of one input.
const (
	maxTime   = 2 * time.Second
	maxMemory = 250 << 20 // bytes
)

// hostile counts the inputs of the hostile set and the mutants of feeds that cause no
// crash, no hang and do not take too much memory.
func hostile(t *testing.T) line {
	inputs := load(t, "hostile")
	seeds := append(load(t, "feedparser", "jsonfeed", "netnewswire"), inputs...)
	for _, f := range load(t, "realworld") {
		if len(f.body) < 40<<10 {
			seeds = append(seeds, f)
		}
	}
	var r result
	for _, f := range inputs {
		r.survive(f.name, f.body)
		r.survive(f.name+" as a body", []byte(feedsWith(string(f.body))[1]))
	}
	known := r
	r = result{}
	mutate(seeds, readertest.MutantCount(), r.survive)
	return line{developed: known.String(), held: fmt.Sprintf("%v mutants", r), met: known.good == known.all && r.good == r.all, missed: append(known.missed, r.missed...)}
}

// TestMutants does the same without a corpus, with the feeds of package parse.
func TestMutants(t *testing.T) {
	readertest.SkipWithRace(t)
	const folder = "../parse/testdata/feeds"
	var seeds []file
	for _, e := range must(os.ReadDir(folder)) {
		seeds = append(seeds, file{e.Name(), must(os.ReadFile(filepath.Join(folder, e.Name())))})
	}
	var r result
	mutate(seeds, readertest.MutantCount(), r.survive)
	for _, m := range r.missed {
		t.Error(m)
	}
}

// survive reads one input and counts whether it kept the limits.
func (r *result) survive(name string, body []byte) {
	var panicked any
	start, before := time.Now(), allocated()
	func() {
		defer func() { panicked = recover() }()
		_, _ = read(body)
	}()
	took, used := time.Since(start), allocated()-before
	r.count(panicked == nil && took < maxTime && used < maxMemory, "%s: panic %v, %v, %d MB", name, panicked, took, used>>20)
}

// allocated returns how many bytes this process has allocated so far, which is more
// than it holds at any time.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// mutate calls f with n mutants of seeds, always the same ones.
func mutate(seeds []file, n int, f func(name string, body []byte)) {
	bodies := make([][]byte, len(seeds))
	for i, s := range seeds {
		bodies[i] = s.body
	}
	readertest.Mutate(bodies, n, func(i, seed int, body []byte) {
		f(fmt.Sprintf("mutant %d of %s", i, seeds[seed].name), body)
	})
}
