package verbs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller/insights"
)

// insightsVerb tells what was achieved.
type insightsVerb struct{ *env }

func (v insightsVerb) command() *cobra.Command {
	var days int
	var folder string
	c := &cobra.Command{Use: "insights", Short: "Show how many articles were ready when you came, and how well Kairos predicts", Args: cobra.NoArgs,
		Long: "Shows how many of the articles you opened, and of all new ones, were ready (fetched before you came), the\n" +
			"mean over your feeds and those that post seldom, and how late (after being posted) the others were, beside equal intervals and the best\n" +
			"instants in hindsight with the same number of requests; and how well your visits and new articles were predicted.\n" +
			"--csv writes your history as tables that `kairos lab` replays, and these shares.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if days < 1 || days > insights.MostDays {
				return noDays(strconv.Itoa(days))
			}
			return v.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				if cmd.Flags().Changed("csv") {
					return v.export(ctx, h, folder)
				}
				return v.show(ctx, h, days)
			})
		}}
	c.Flags().IntVar(&days, "days", insights.MostDays, "the last `N` days")
	c.Flags().StringVar(&folder, "csv", "", "write posts, visits, fetches and rates as tables into the folder `DIR`")
	c.MarkFlagsMutuallyExclusive("days", "csv")
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) && invalid.GetFlag().Name == "days" {
			return noDays(invalid.GetValue())
		}
		return err
	})
	return c
}

// noDays tells that a text is no number of days that can be looked at.
func noDays(text string) error {
	return fmt.Errorf("--days must be 1 to %d, not %s: older fetches are kept as sums only", insights.MostDays, text)
}

type insightFigures struct {
	Ready    float64 `json:"ready"`       // %
	Late     float64 `json:"lateSeconds"` // from being posted to being fetched, mean of the articles not ready
	Requests int     `json:"requests"`
}

// insightShare is of some of the articles.
type insightShare struct {
	Articles int     `json:"articles"`
	Feeds    int     `json:"feeds,omitempty"`
	Ready    float64 `json:"ready"`          // %
	Timer    float64 `json:"equalIntervals"` // %
}

// insightShares are null where too few articles are known.
type insightShares struct {
	Opened *insightShare `json:"opened"`    // here, one by one
	ByFeed *insightShare `json:"byFeed"`    // means over feeds
	Slow   *insightShare `json:"slowFeeds"` // that post fewer than 0.3 articles a day
}

// insightPredictions are how what was predicted fits what came.
type insightPredictions struct {
	Predicted []insightDay  `json:"predictedDays"`
	ByDay     []insightBand `json:"visitsByHour"`
	BySince   []insightBand `json:"visitsBySince"`
	FitVisits insightFit    `json:"visitFit"`
	Fit       insightFit    `json:"articleFit"`
}

// insightBand is of visits that plans were made for: sums over plans, each of which foresees a day.
type insightBand struct {
	From     float64  `json:"fromHours"`
	To       *float64 `json:"toHours"` // null: none
	Expected float64  `json:"expected"`
	Came     int      `json:"came"`
}

func toBands(bands []insights.Band) []insightBand {
	all := []insightBand{}
	for _, b := range bands {
		one := insightBand{From: b.From, Expected: b.Expected, Came: b.Came}
		if !math.IsInf(b.To, 1) {
			one.To = &b.To
		}
		all = append(all, one)
	}
	return all
}

type insightNote struct {
	Code     insights.Code `json:"code"`
	At       string        `json:"at"`
	Until    string        `json:"until"`
	Count    int           `json:"count"`
	Sentence string        `json:"sentence"`
}

type insightFit struct {
	Code     insights.FitCode `json:"code"`
	Expected float64          `json:"expected"`
	Came     int              `json:"came"`
	Miss     float64          `json:"meanMissPerDay"`
}

type insightDay struct {
	Since            string  `json:"since"`
	Until            string  `json:"until"`
	ExpectedVisits   float64 `json:"expectedVisits"`
	Visits           int     `json:"visits"`
	ExpectedArticles float64 `json:"expectedArticles"`
	Articles         int     `json:"articles"`
}

// insightLine is what `insights` prints. Figures are null where nothing is known.
type insightLine struct {
	Days     int             `json:"days"`
	From     string          `json:"from"`
	To       string          `json:"to"`
	Known    bool            `json:"known"`
	Visits   int             `json:"visits"`
	Articles int             `json:"articles"`
	Actual   *insightFigures `json:"actual"`
	insightShares
	Equal     *insightFigures `json:"equalIntervals"`
	Hindsight *insightFigures `json:"hindsight"`
	Multiple  *float64        `json:"timerMultiple"` // null also if no timer would have matched it
	Failed    int             `json:"failedRequests"`
	Spared    insightSpared   `json:"notModified"`
	OfAll     *float64        `json:"readyWithLost"` // as actual.ready since that counts the articles probably lost
	Lost      int             `json:"probablyLost"`
	LostFeeds int             `json:"probablyLostFeeds"`
	insightPredictions
	Notes []insightNote `json:"notes"`
}

// insightSpared is what answers without a document have spared.
type insightSpared struct {
	Answers int   `json:"answers"` // 304
	Bytes   int64 `json:"savedBytes"`
}

func (v insightsVerb) show(ctx context.Context, h *home.Home, days int) error {
	r, err := h.Insights.Realized(ctx, days)
	if err != nil {
		return err
	}
	c, err := h.Insights.Calibration(ctx, days)
	if err != nil {
		return err
	}
	costs, err := h.Insights.Costs(ctx, days)
	if err != nil {
		return err
	}
	total := costs.Total()
	if v.json {
		line := toInsightLine(&r, &c, h.Now())
		line.Spared = insightSpared{total.NotModified, total.Spared}
		return v.print(line, "")
	}
	p := text.English()
	lines := []string{p.OpenedReady(&r), p.Ready(&r), p.AgainstTimer(&r), p.ByFeed(&r), p.AgainstHindsight(&r)}
	if r.Known {
		lines = append(lines, p.Counted(&r), p.ProbablyLost(&r), p.VisitFit(c.Visits), p.VisitBands(&c), p.ArticleFit(c.Articles))
	}
	lines = append(lines, p.Spared(&total))
	for _, n := range r.Notes {
		lines = append(lines, p.InsightNote(n, h.Now()))
	}
	for _, line := range lines {
		if line != "" {
			fmt.Fprintln(v.out, line)
		}
	}
	return nil
}

func toInsightLine(r *insights.Realized, c *insights.Calibration, now time.Time) insightLine {
	l := insightLine{Days: r.Asked, From: stamp(r.From), To: stamp(r.To), Known: r.Known, Visits: r.Visits, Articles: r.Posts, Failed: r.Failed,
		Lost: r.Lost, LostFeeds: r.LostFeeds, Notes: []insightNote{}}
	if r.Known {
		l.Actual, l.Equal, l.Hindsight = toFigures(r.Actual), toFigures(r.EqualIntervals), toFigures(r.Hindsight)
		l.OfAll = &l.Actual.Ready
		l.insightShares = insightShares{toShare(&r.Opened), toShare(&r.ByFeed), toShare(&r.Slow)}
		if r.TellsMultiple() && r.Multiple > 0 {
			l.Multiple = &r.Multiple
		}
	}
	l.insightPredictions = insightPredictions{Predicted: []insightDay{}, ByDay: toBands(c.ByDay), BySince: toBands(c.BySince),
		FitVisits: toFit(c.Visits), Fit: toFit(c.Articles)}
	for _, d := range c.Days {
		l.Predicted = append(l.Predicted, insightDay{stamp(d.Since), stamp(d.Until), d.ExpectedVisits, d.Visits, d.ExpectedArticles, d.Articles})
	}
	for _, n := range r.Notes {
		l.Notes = append(l.Notes, insightNote{n.Code, stamp(n.At), stamp(n.Until), n.Count, strings.TrimSpace(text.English().InsightNote(n, now))})
	}
	return l
}

func toFigures(f insights.Figures) *insightFigures {
	return &insightFigures{f.Ready, f.Late.Seconds(), f.Requests}
}

// toShare returns nil if there are too few articles.
func toShare(s *insights.Share) *insightShare {
	if !s.Known() {
		return nil
	}
	return &insightShare{s.Articles, s.Feeds, s.Ready, s.Timer}
}

func toFit(f insights.Fit) insightFit { return insightFit{f.Code, f.Expected, f.Came, f.Miss} }
