package reader

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"time"

	"kairos/reader/parse"
)

// prose generates articles as long as those of real feeds, with words as frequent as real ones
// (Zipf's law). One article in twenty is in Chinese characters.
type prose struct {
	random *rand.Rand
	words  []string
	share  []float64 // of all words up to this one
}

// vocabulary is the number of words. The commonest have one syllable.
const vocabulary = 80_000

func newProse() *prose {
	p := &prose{random: rand.New(rand.NewPCG(6, 4))}
	seen := map[string]bool{}
	for sum := 0.0; len(p.words) < vocabulary; {
		word := p.invent(1 + int(math.Log2(float64(len(p.words)+2)))/5)
		if seen[word] && len(p.words) > 50 {
			continue
		}
		seen[word] = true
		p.words = append(p.words, word)
		sum += 1 / math.Pow(float64(len(p.words))+1.7, 1.05)
		p.share = append(p.share, sum)
	}
	return p
}

func (p *prose) invent(syllables int) string {
	pick := func(of string) string {
		all := strings.Split(of, " ")
		return all[p.random.IntN(len(all))]
	}
	var b strings.Builder
	for range syllables {
		b.WriteString(pick("b br c ch d dr f g gr h j k l m n p pr qu r s sh st t th tr v w z ") + pick("a e i o u ea ou ai") + pick("  n r s t l nd ck m"))
	}
	return b.String()
}

func (p *prose) text(words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(p.words[sort.SearchFloat64s(p.share, p.random.Float64()*p.share[len(p.share)-1])])
		b.WriteByte(' ')
	}
	return b.String()
}

func (p *prose) chinese(characters int) string {
	text := make([]rune, characters)
	for i := range text {
		text[i] = '一' + rune(3000*math.Pow(p.random.Float64(), 3))
	}
	return string(text)
}

// articles returns n articles of one feed, an hour apart, the newest published at last.
func (p *prose) articles(n int, last time.Time) []parse.Article {
	all := make([]parse.Article, n)
	for i := range all {
		length := int(math.Exp(math.Log(250) + 0.9*p.random.NormFloat64())) // median 250, mean 375
		length = min(max(length, 10), 5000)
		write := p.text
		if p.random.IntN(20) == 0 {
			write = p.chinese
		}
		title, text := write(8), write(length)
		all[i] = parse.Article{Key: fmt.Sprint(p.random.Uint64()), Title: title, Author: p.text(2), HTML: "<p>" + text + "</p>",
			Summary: text[:min(len(text), 300)], Published: last.Add(-time.Duration(i) * time.Hour)}
	}
	return all
}
