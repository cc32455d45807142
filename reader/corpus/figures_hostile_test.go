package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"testing"
	"time"
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
	mutate(seeds, mutantCount(), r.survive)
	return line{developed: known.String(), held: fmt.Sprintf("%v mutants", r), met: known.good == known.all && r.good == r.all, missed: append(known.missed, r.missed...)}
}

// mutantCount is 100,000 with KAIROS_SOAK=1, else fewer.
func mutantCount() int {
	if os.Getenv("KAIROS_SOAK") != "" {
		return 100000
	}
	return 5000
}

// TestMutants does the same without a corpus, with the feeds of package parse.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: long with -race, and it has no goroutines")
	}
	const folder = "../parse/testdata/feeds"
	var seeds []file
	for _, e := range must(os.ReadDir(folder)) {
		seeds = append(seeds, file{e.Name(), must(os.ReadFile(filepath.Join(folder, e.Name())))})
	}
	var r result
	mutate(seeds, mutantCount(), r.survive)
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

// pieces are inserted into mutants.
var pieces = [][]byte{[]byte("<item>"), []byte("</item>"), []byte("<entry>"), []byte("<![CDATA["), []byte("]]>"), []byte("<!--"), []byte("-->"),
	[]byte("&"), []byte("&#0;"), []byte("<"), []byte(">"), []byte("</"), []byte("\""), []byte("'"), []byte("\x00"), []byte("\xff\xfe"), []byte("<?xml"),
	[]byte("<!DOCTYPE x ["), []byte("]>"), []byte(" xmlns:x='"), []byte("{"), []byte("}"), []byte("["), []byte("\\"), []byte(","), []byte("<a:b:c/>"),
	[]byte("xml:base='//x/'"), []byte("<channel>"), []byte("</channel>"), []byte("<html>"), []byte("<img src="), []byte("<noscript>"), []byte("<video>")}

// mutate calls f with n mutants of seeds, always the same ones.
func mutate(seeds []file, n int, f func(name string, body []byte)) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		seed := seeds[rng.IntN(len(seeds))]
		body := bytes.Clone(seed.body)
		for range 1 + rng.IntN(8) {
			body = mutant(rng, body, seeds[rng.IntN(len(seeds))].body)
		}
		f(fmt.Sprintf("mutant %d of %s", i, seed.name), body)
	}
}

// mutant changes one thing in a body.
func mutant(rng *rand.Rand, body, other []byte) []byte {
	if len(body) == 0 {
		return other
	}
	at := rng.IntN(len(body))
	end := min(len(body), at+1+rng.IntN(64))
	switch rng.IntN(7) {
	case 0:
		body[at] ^= 1 << rng.IntN(8)
		return body
	case 1:
		return append(body[:at:at], body[end:]...)
	case 2:
		return append(body[:end:end], bytes.Repeat(body[at:end], 1+rng.IntN(40))...)
	case 3:
		return body[:at]
	case 4:
		from := rng.IntN(len(other) + 1)
		return append(body[:at:at], other[from:min(len(other), from+4096)]...)
	default:
		piece := bytes.Repeat(pieces[rng.IntN(len(pieces))], 1+rng.IntN(3))
		return append(append(body[:at:at], piece...), body[at:]...)
	}
}
