package readertest

import (
	"bytes"
	"math/rand/v2"
	"os"
)

// pieces are inserted into mutants.
var pieces = [][]byte{[]byte("<item>"), []byte("</item>"), []byte("<entry>"), []byte("<![CDATA["), []byte("]]>"), []byte("<!--"), []byte("-->"),
	[]byte("&"), []byte("&#0;"), []byte("<"), []byte(">"), []byte("</"), []byte("\""), []byte("'"), []byte("\x00"), []byte("\xff\xfe"), []byte("<?xml"),
	[]byte("<!DOCTYPE x ["), []byte("]>"), []byte(" xmlns:x='"), []byte("{"), []byte("}"), []byte("["), []byte("\\"), []byte(","), []byte("<a:b:c/>"),
	[]byte("xml:base='//x/'"), []byte("<channel>"), []byte("</channel>"), []byte("<html>"), []byte("<img src="), []byte("<noscript>"), []byte("<video>")}

// MutantCount is 100,000 with KAIROS_SOAK=1, else fewer.
func MutantCount() int {
	if os.Getenv("KAIROS_SOAK") != "" {
		return 100000
	}
	return 5000
}

// Mutate calls f with n mutants of seeds, always the same ones: with the number of the
// mutant and that of its seed.
func Mutate(seeds [][]byte, n int, f func(i, seed int, body []byte)) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		seed := rng.IntN(len(seeds))
		body := bytes.Clone(seeds[seed])
		for range 1 + rng.IntN(8) {
			body = mutant(rng, body, seeds[rng.IntN(len(seeds))])
		}
		f(i, seed, body)
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
