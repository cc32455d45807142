package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller/preparer"
	"kairos/reader"
)

// takeVerb brings articles for reading without a network.
type takeVerb struct{ *env }

func (v takeVerb) command() *cobra.Command {
	estimate, files := false, false
	c := &cobra.Command{Use: "take [PLACE]", Short: "Bring unread articles whole, for reading without a network", Args: cobra.MaximumNArgs(1),
		Long: "Brings the full text and the pictures of all unread articles of a place, now. PLACE is all (as without it), a feed by its ID, address or title,\n" +
			"folder:PATH, account/ID/folder:PATH, starred, or label:NAME. What a server refuses is left out; the text of the feed is there.\n" +
			"Pictures come unless images are loaded by hand only. Only what is missing is brought: interrupted, it goes on from there\n" +
			"the next time. What could not be had is told by cause, and is:incomplete finds it; most of it is not asked for again for a day.",
		RunE: func(cmd *cobra.Command, args []string) error {
			place := "all"
			if len(args) > 0 {
				place = args[0]
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.take(ctx, h, place, estimate, files) })
		}}
	c.Flags().BoolVarP(&estimate, "estimate", "n", false, "only tell how much it would be")
	c.Flags().BoolVar(&files, "files", false, "what can be heard or seen, too")
	return c
}

// takeLine is what `take` prints in the end.
type takeLine struct {
	Articles int            `json:"articles"`
	Whole    int            `json:"whole"` // with all that was wanted
	Bytes    int64          `json:"bytes"`
	Left     int            `json:"left"`    // articles that are not whole
	Causes   map[string]int `json:"causes"`  // of these, by why
	Missing  int            `json:"missing"` // pictures
	ByHand   int            `json:"byHand"`  // articles with pictures that are loaded by hand only
	Files    int            `json:"files"`
	NoFiles  int            `json:"noFiles"` // that could not be had
	Untried  int            `json:"untried"` // articles, if it was interrupted
}

// takeEstimate is what `take --estimate` prints.
type takeEstimate struct {
	Articles  int            `json:"articles"` // of the place
	Whole     int            `json:"whole"`    // there already
	Lacking   int            `json:"lacking"`  // to be brought
	Requests  int            `json:"requests"`
	Bytes     int64          `json:"bytes"`
	Left      int            `json:"left"` // that cannot be brought now
	Causes    map[string]int `json:"causes"`
	ByHand    int            `json:"byHand"`
	Files     int            `json:"files"`
	FileBytes int64          `json:"fileBytes"`
}

// incompleteHint leads to the articles that are not whole.
const incompleteHint = `kairos articles --search "is:incomplete" lists them.`

func (v takeVerb) take(ctx context.Context, h *home.Home, place string, estimate, files bool) error {
	q, err := takeQuery(ctx, h, place)
	if err == nil {
		q, err = h.Duplicates.AsListed(ctx, q)
	}
	if err != nil {
		return err
	}
	ids, err := h.Store.Articles.IDs(ctx, q)
	if err != nil {
		return err
	}
	words := text.English()
	if estimate {
		e, err := h.Preparer.Estimate(ctx, ids)
		if err != nil {
			return err
		}
		return v.print(takeEstimate{e.Articles, e.Whole, e.Lacking(), e.Requests, e.Bytes, e.Left.Sum(), e.Left.Map(), e.ByHand, e.Files, e.FileSize}, "%s", withHint(words.TakeEstimate(e), e.Left))
	}
	trip := &preparer.Trip{}
	stop := v.showTrip(trip)
	err = h.Preparer.Take(ctx, ids, files, trip)
	stop()
	t := trip.Taken()
	line := takeLine{t.Articles, t.Whole, t.Bytes, t.Left.Sum(), t.Left.Map(), t.Missing, t.ByHand, t.Files, t.NoFiles, t.Articles - t.Done}
	if failed := v.print(line, "%s", withHint(words.Taken(t), t.Left)); failed != nil || err == nil {
		return failed
	}
	v.complain("%s", words.Error(err))
	return someFailed
}

func withHint(said string, left preparer.Causes) string {
	if left.Sum() == 0 {
		return said
	}
	return said + " " + incompleteHint
}

// showTrip shows on a terminal how far it has come, until stop is called.
func (v takeVerb) showTrip(trip *preparer.Trip) (stop func()) {
	bar := newProgress(v.env)
	if !bar.on {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				clearLine(v.err)
				return
			case <-tick.C:
				t := trip.Taken()
				clearLine(v.err)
				fmt.Fprintf(v.err, "%d of %d articles, %s", t.Done, t.Articles, text.English().Size(t.Bytes))
			}
		}
	}()
	return func() { close(done); <-ended }
}

// takeQuery is what a place names.
func takeQuery(ctx context.Context, h *home.Home, place string) (q reader.Query, err error) {
	q.View = reader.Unread
	if place == "starred" {
		q.View = reader.Starred
		return q, nil
	}
	if name, isLabel := strings.CutPrefix(place, "label:"); isLabel {
		labels, err := h.Store.Labels.List(ctx)
		if err != nil {
			return q, err
		}
		for _, l := range labels {
			if l.Name == name {
				q.View, q.Label = reader.All, l.ID
				return q, nil
			}
		}
		return q, fmt.Errorf("there is no label %q", name)
	}
	p, isPlace, err := parsePlace(place)
	if err != nil {
		return q, err
	}
	if !isPlace {
		f, err := findFeed(ctx, h, place)
		q.Feed = f.ID
		return q, err
	}
	if q.Folder = p.Path; p.Path != "" {
		q.Accounts = []int64{p.Account}
	}
	return q, nil
}
