package verbs

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/report"
	"kairos/poller/schedule"
	"kairos/reader/content"
)

// feedLine is a feed as `feeds` prints it.
type feedLine struct {
	ID     int64   `json:"id"`
	Title  string  `json:"title"`
	URL    string  `json:"url"`
	Site   string  `json:"site"`
	Folder string  `json:"folder"`
	Weight float64 `json:"weight"`
	feedInterest
	Account    int64  `json:"account"` // 0: this computer fetches it
	Unread     int    `json:"unread"`
	Articles   int    `json:"articles"`
	LastFetch  string `json:"lastFetch"`
	LastResult string `json:"lastResult"`
	NextFetch  string `json:"nextFetch"`
	nextReason
	Error     string `json:"error"`
	Since     string `json:"since"` // first of the failures in a row
	Faults    int    `json:"faults"`
	Advice    string `json:"advice"`
	Attention bool   `json:"attention"`

	ErrorCode   string          `json:"errorCode,omitempty"`
	ErrorValues *poller.Message `json:"errorValues,omitempty"`
	AdviceCode  report.Advice   `json:"adviceCode,omitempty"`

	NextCode   report.NextCode   `json:"nextCode"`
	Asks       []string          `json:"asks"`
	Limits     []limitLine       `json:"limits"`
	Keeps      string            `json:"keeps"`
	GapSeconds float64           `json:"gapSeconds"`
	GapCause   schedule.GapCause `json:"gapCause"`
	Moving     string            `json:"moving,omitempty"`
	Hub        string            `json:"hub"`
	Push       *planShare        `json:"push,omitempty"` // what push would save
	Plan       planShare         `json:"plan"`
	FetchCost  *float64          `json:"fetchCost"` // in usual fetches, while battery saver is on; null if not known yet
	Loss       *lossLine         `json:"loss,omitempty"`
	Month      ledgerSum         `json:"ledger30"`
	*postedLine
	Ledger []ledgerLine `json:"ledger,omitempty"` // only with IDs
	Paused bool         `json:"paused,omitempty"`
	List   bool         `json:"list,omitempty"` // of feeds, which is followed
	feedPlaces
}

// postedLine is what a feed of an account has posted, with IDs only, and when its server fetched it last.
type postedLine struct {
	LastArticle   string  `json:"lastArticle"`
	Articles30    int     `json:"articles30"`
	PerDay        float64 `json:"articlesPerDay"`
	ServerFetched string  `json:"serverFetched"` // empty where the server does not tell
}

func toPostedLine(r *report.Report) *postedLine {
	if r.Posted == nil {
		return nil
	}
	l := &postedLine{LastArticle: stamp(r.Posted.Newest), Articles30: r.Posted.Articles, PerDay: r.Posted.PerDay}
	if r.State.There != nil {
		l.ServerFetched = stamp(r.State.There.Checked)
	}
	return l
}

// feedPlaces is where the articles of a feed are listed, and when unread ones end: by its own choice, its folder's or that of all.
type feedPlaces struct {
	Quiet bool   `json:"quiet,omitempty"`
	Ends  string `json:"unreadEnds,omitempty"`
}

// feedInterest is how probably an article of a feed is read, and what that was learned from.
type feedInterest struct {
	Interest    float64 `json:"interest"`
	InterestSet bool    `json:"interestSet"` // by the user
	Read        float64 `json:"read"`        // articles, older ones counting less
	Passed      float64 `json:"passed"`      // passed over one by one
}

// planShare is the plan for a feed.
type planShare struct {
	Fetches float64 `json:"fetchesPerDay"`
	Delay   float64 `json:"delay"` // expected, h per day
}

// lossLine is when articles of a feed were probably lost.
type lossLine struct {
	From     string          `json:"from"`
	To       string          `json:"to"`
	Articles int             `json:"articles"` // about
	Shows    int             `json:"shows"`
	Help     report.LossHelp `json:"help"`
	Every    float64         `json:"everySeconds,omitempty"`
	Text     string          `json:"text"`
}

func toLossLine(r *report.Report) *lossLine {
	l := r.Loss
	if l == nil {
		return nil
	}
	return &lossLine{stamp(l.From), stamp(l.To), l.Articles, l.Shows, l.Help, l.Every.Seconds(), text.English().Loss(l, r.At)}
}

// ledgerSum sums up the last 30 days of a feed.
type ledgerSum struct {
	Fetches   int   `json:"fetches"`
	WithNew   int   `json:"withNew"`
	Unchanged int   `json:"unchanged"`
	Failed    int   `json:"faults"`
	NotAsked  int   `json:"notAsked"`
	Articles  int   `json:"articles"`
	Bytes     int64 `json:"bytes"`

	NotModified int `json:"notModified"` // answers 304

	ByReason map[poller.Code]int `json:"byReason"`
}

// limitLine is something that the server of a feed or its document asks for.
type limitLine struct {
	Code    report.LimitCode `json:"code"`
	Host    string           `json:"host,omitempty"`
	Until   string           `json:"until,omitempty"`
	Asked   float64          `json:"askedSeconds,omitempty"`
	Granted float64          `json:"grantedSeconds,omitempty"`
	Hours   []int            `json:"hours,omitempty"` // of UTC
	Days    []time.Weekday   `json:"days,omitempty"`  // of UTC, Sunday is 0
}

func toLimitLine(l report.Limit) limitLine {
	return limitLine{l.Code, l.Host, stamp(l.Until), l.Asked.Seconds(), l.Granted.Seconds(), l.Hours, l.Days}
}

// ledgerLine is one fetch of the ledger.
type ledgerLine struct {
	Time   string        `json:"time"`
	Reason poller.Code   `json:"reason"`
	Why    string        `json:"why"`
	Result poller.Result `json:"result"`
	Status int           `json:"status"`
	New    int           `json:"new"`
	Bytes  int64         `json:"bytes"`
	Took   int64         `json:"ms"`
	messageLine
}

// feedsVerb lists feeds.
type feedsVerb struct{ *env }

func (v feedsVerb) command() *cobra.Command {
	var ends bool
	c := &cobra.Command{Use: "feeds [FEED…]", Short: "List feeds, or show some in full",
		Long: "Lists the feeds with their last result and next fetch, and those that need attention (gone, failing for\n" +
			"30 days, or given up by the server of their account). With FEEDs it shows everything about these feeds, with the\n" +
			"limits of their servers and the fetches of the last 30 days. " + feedHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.reading(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.show(ctx, h, args, ends) })
		}}
	c.Flags().BoolVar(&ends, "unread-ends", false, "only feeds whose unread articles expire: count as read by themselves")
	return c
}

func (v feedsVerb) show(ctx context.Context, h *home.Home, named []string, ends bool) error {
	ids, err := findFeeds(ctx, h, named...)
	if err != nil {
		return err
	}
	reports, err := report.All(ctx, h.Poller)
	if err != nil {
		return err
	}
	places, err := placesOf(ctx, h, reports)
	if err != nil {
		return err
	}
	if ends {
		reports = slices.DeleteFunc(reports, func(r report.Report) bool { return !places[r.Feed.ID].ends.Any() })
	}
	articles, err := h.Store.Feeds.ArticleCounts(ctx)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return v.list(reports, articles, places)
	}
	unread := map[int64]int{}
	for _, r := range reports {
		unread[r.Feed.ID] = r.Feed.Unread
	}
	for _, id := range ids {
		if _, known := unread[id]; !known {
			return fmt.Errorf("there is no feed %d", id)
		}
	}
	for i, id := range ids {
		r, err := report.Feed(ctx, h.Poller, id)
		if err != nil {
			return err
		}
		r.Feed.Unread = unread[id]
		if i > 0 && !v.json {
			fmt.Fprintln(v.out)
		}
		if err := v.print(places[id].line(r, articles[id]), "%s", fullText(r, articles[id])+places[id].text()); err != nil {
			return err
		}
	}
	return nil
}

// list prints all feeds, and as text those that need attention once more.
func (v feedsVerb) list(reports []report.Report, articles map[int64]int, places map[int64]feedPlace) error {
	for _, r := range reports {
		place := places[r.Feed.ID]
		if err := v.print(place.line(r, articles[r.Feed.ID]), "%s", shortText(r, articles[r.Feed.ID])+place.text()); err != nil {
			return err
		}
	}
	attention := slices.DeleteFunc(reports, func(r report.Report) bool { return r.Trouble == nil || !r.Trouble.Attention })
	if v.json || len(attention) == 0 {
		return nil
	}
	p := text.English()
	fmt.Fprint(v.out, "\nNeeds attention:\n")
	for _, r := range attention {
		fmt.Fprintf(v.out, "%4d  %s: %s\n      %s %s\n", r.Feed.ID, content.Cut(r.Feed.Title, 40), p.TroubleSince(r.Trouble, r.At), p.Message(r.Trouble.Message), p.Advice(r.Trouble.Advice))
	}
	return nil
}

func toFeedLine(r report.Report, articles int) feedLine {
	f := r.Feed
	l := feedLine{ID: f.ID, Title: f.Title, URL: f.URL, Site: f.Site, Folder: f.Folder, Weight: f.Weight, feedInterest: feedInterest{r.Interest.Chance, r.Interest.Own, r.Interest.Read, r.Interest.Passed}, Account: f.Account, Unread: f.Unread,
		Articles: articles, Paused: f.Paused, List: r.IsList(), LastFetch: stamp(r.State.Fetched), LastResult: text.English().LastResult(&r),
		NextFetch: stamp(r.Next.At), nextReason: toNextReason(r.Next.Reason, r.At.Location()), Error: text.English().Message(r.State.Message),
		NextCode: r.Next.Code, Asks: []string{}, Limits: []limitLine{}, Keeps: text.English().Gap(r.Gap), GapSeconds: r.Gap.Length.Seconds(), GapCause: r.Gap.Cause,
		Moving: text.English().Redirect(r.Redirect, r.At), Plan: planShare(r.Share), Month: ledgerSum(r.Month)}
	l.Loss, l.postedLine = toLossLine(&r), toPostedLine(&r)
	if r.Cost > 0 {
		l.FetchCost = &r.Cost
	}
	for _, limit := range r.Limits {
		l.Asks, l.Limits = append(l.Asks, text.English().Limit(limit, r.At)), append(l.Limits, toLimitLine(limit))
	}
	if l.Month.ByReason == nil {
		l.Month.ByReason = map[poller.Code]int{}
	}
	if m := r.State.Message; !m.IsZero() {
		l.ErrorCode, l.ErrorValues = m.Reason(), &m
	}
	if t := r.Trouble; t != nil {
		l.Since, l.Faults, l.Advice, l.AdviceCode, l.Attention = stamp(t.Since), t.Failures, text.English().Advice(t.Advice), t.Advice, t.Attention
	}
	if p := r.Push; p != nil {
		l.Hub, l.Push = p.Hub, &planShare{p.Fetches, p.Delay}
	}
	for _, d := range slices.Backward(r.Days) {
		for _, o := range d.Lines {
			l.Ledger = append(l.Ledger, ledgerLine{stamp(o.At), o.Reason, text.English().Cause(o.Reason, o.Cause, r.At.Location()), o.Result, o.Status, o.New, o.Bytes, o.Took.Milliseconds(), toMessageLine(o.Message)})
		}
	}
	return l
}

// shortText describes a feed in a list.
func shortText(r report.Report, articles int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%4d  %-40s %5d unread of %d", r.Feed.ID, content.Cut(r.Feed.Title, 40), r.Feed.Unread, articles)
	if r.Feed.Folder != "" {
		fmt.Fprintf(&b, "  [%s]", r.Feed.Folder)
	}
	fmt.Fprintf(&b, "\n      last  %s\n      next  %s", text.English().LastResult(&r), text.English().NextFetch(&r))
	if t := r.Trouble; t != nil {
		fmt.Fprintf(&b, "\n      %s", text.English().TroubleSince(t, r.At))
	}
	return b.String()
}

// fullText describes a feed in full.
func fullText(r report.Report, articles int) string {
	var b strings.Builder
	f := r.Feed
	fmt.Fprintf(&b, "%d  %s\n%s\n\n", f.ID, f.Title, f.URL)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	row("Site", f.Site)
	row("Folder", f.Folder)
	if r.IsList() {
		row("Feeds", text.English().Followed(r.Followed))
		row("Changes", strings.ReplaceAll(text.English().ListChanges(&r), "\n", " "))
		row("Notes", fmt.Sprintf("%d unread of %d", f.Unread, articles))
	} else {
		row("Articles", fmt.Sprintf("%d unread of %d", f.Unread, articles))
		row("Interest", text.English().Interest(r.Interest))
	}
	row("Last fetch", text.English().LastResult(&r))
	if t := r.Trouble; t != nil {
		row("Problem", text.English().TroubleSince(t, r.At)+": "+text.English().Message(t.Message))
		row("What to do", text.English().Advice(t.Advice))
	}
	amount, newest := text.English().Posted(r.Posted, r.At)
	row("Last article", newest)
	row("Posts", amount)
	row("Next fetch", text.English().NextFetch(&r))
	if f.Account == 0 {
		fetchRows(row, r)
	}
	w.Flush() //nolint:errcheck // a strings.Builder takes everything
	printLedger(&b, r)
	return strings.TrimRight(b.String(), "\n")
}

// fetchRows adds what is known of the fetches of a feed from here.
func fetchRows(row func(name, value string), r report.Report) {
	row("Plan", text.English().PlannedFetches(&r))
	row("", text.English().FetchCost(&r))
	row("Lost", text.English().Loss(r.Loss, r.At))
	for i, l := range r.Limits {
		row([]string{"Limits", ""}[min(i, 1)], text.English().Limit(l, r.At))
	}
	row([]string{"Limits", ""}[min(len(r.Limits), 1)], text.English().Gap(r.Gap))
	row("Redirect", text.English().Redirect(r.Redirect, r.At))
	if p := r.Push; p != nil {
		row("Hub", p.Hub)
		row("", text.English().Push(p))
	}
	sum := text.English().LedgerSum(r.Month)
	if r.IsList() {
		sum = text.English().LooksSum(r.Month)
	}
	row(fmt.Sprintf("%d days", poller.LedgerDays), sum)
	row("", text.English().LedgerReasons(r.Month))
}

// printLedger prints the fetches of a report, the newest first.
func printLedger(out io.Writer, r report.Report) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, d := range slices.Backward(r.Days) {
		for i, o := range d.Lines {
			if i == 0 {
				fmt.Fprintf(w, "\n%s\n", d.Date.Format("Monday, 2 January"))
			}
			at := o.At.In(r.At.Location()).Format(time.TimeOnly)
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", at, o.Reason, text.English().OutcomeOf(&r, &o), text.English().Size(o.Bytes), text.English().Cause(o.Reason, o.Cause, r.At.Location()))
		}
	}
	w.Flush() //nolint:errcheck // a strings.Builder takes everything
}
