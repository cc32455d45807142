package content

import xhtml "golang.org/x/net/html"

// fold is an open <details>.
type fold struct {
	open    bool // what is in it is shown at first
	started bool // its summary stands above what follows
	summary bool // its summary is being read
}

// maxFolds bounds how deep <details> are folded. Deeper ones are shown.
const maxFolds = 8

func (b *builder) startFold(t xhtml.Token) {
	b.flush()
	n := len(b.folds)
	switch {
	case t.Data == "details" && n == maxFolds:
		b.deeper++
	case t.Data == "details":
		b.folds = append(b.folds, fold{open: attribute(t, "open") != ""})
	case n > 0 && b.deeper == 0 && !b.folds[n-1].started:
		b.folds[n-1].summary = true
		b.addStyle(Bold, 1)
	default:
		b.addStyle(Bold, 1)
	}
}

func (b *builder) endFold(name string) {
	b.flush()
	n := len(b.folds)
	switch {
	case name == "summary":
		b.addStyle(Bold, -1)
		if n > 0 && b.deeper == 0 {
			b.folds[n-1].summary = false
		}
	case b.deeper > 0:
		b.deeper--
	case n > 0:
		b.folds = b.folds[:n-1]
	}
}

func (b *builder) inSummary() bool {
	n := len(b.folds)
	return n > 0 && b.deeper == 0 && b.folds[n-1].summary && !b.folds[n-1].started
}

// putInFold gives a block its depth. One that has no summary above it gets an empty one.
func (b *builder) putInFold(k *Block) {
	for i := range b.folds {
		f := &b.folds[i]
		if f.started {
			continue
		}
		f.started = true
		if k.Kind == Summary && i == len(b.folds)-1 {
			k.Fold, k.Open = i, f.open
			return
		}
		b.blocks = append(b.blocks, Block{Kind: Summary, Quote: k.Quote, Indent: k.Indent, Fold: i, Open: f.open})
	}
	k.Fold = len(b.folds)
}
