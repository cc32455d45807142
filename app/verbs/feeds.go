package verbs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/poller/schedule"
	"kairos/reader"
)

func (e *env) addCommand() *cobra.Command {
	var folder, weight string
	var list bool
	c := &cobra.Command{Use: "add URL…", Short: "Subscribe to feeds or the feeds of sites", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := parseWeight(weight)
			if err != nil {
				return err
			}
			return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				add := func(ctx context.Context, h *home.Home, address string) error {
					return e.addOne(ctx, h, address, reader.Feed{Folder: folder, Weight: w})
				}
				if list {
					add = e.listFeeds
				}
				return e.add(ctx, h, args, add)
			})
		}}
	c.Flags().StringVar(&folder, "folder", "", "put them into folder `F`")
	c.Flags().StringVar(&weight, "weight", "normal", "low, normal, high or a number")
	c.Flags().BoolVar(&list, "list", false, "only show which feeds there are")
	return c
}

// add does what is to be done with every address, also after one that fails.
func (e *env) add(ctx context.Context, h *home.Home, addresses []string, one func(context.Context, *home.Home, string) error) error {
	failed := false
	for _, address := range addresses {
		target := address
		if file, ok := e.file(address); ok {
			target = file
		}
		if err := one(ctx, h, target); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e.complain("%s: %s", address, errorText(err))
			failed = true
		}
	}
	if failed {
		return someFailed
	}
	return nil
}

// addOne subscribes the first feed of an address, if it can be fetched.
func (e *env) addOne(ctx context.Context, h *home.Home, address string, chosen reader.Feed) error {
	found, err := h.Poller.Discover(ctx, address, poller.Login{})
	if err != nil {
		return err
	}
	f, outcome, err := h.Subscriptions.Add(ctx, found[0], chosen, poller.Login{})
	if err != nil {
		return err
	}
	also := []alsoThere{}
	for _, other := range found[1:] {
		also = append(also, alsoThere{other.URL, other.Title})
		if !e.json {
			fmt.Fprintf(e.out, "also there: %s  %s\n", other.URL, other.Title)
		}
	}
	if outcome.Result != poller.Stored && outcome.Result != poller.Unchanged {
		err := fmt.Errorf("not subscribed to %s: %s", f.URL, text.English().Message(outcome.Message))
		return errors.Join(err, h.Subscriptions.Remove(ctx, f.ID))
	}
	return e.print(struct {
		ID    int64       `json:"id"`
		Title string      `json:"title"`
		URL   string      `json:"url"`
		New   int         `json:"new"`
		Also  []alsoThere `json:"also"`
	}{f.ID, f.Title, f.URL, outcome.New, also}, "%d  %s  %d articles", f.ID, f.Title, outcome.New)
}

// listFeeds shows the feeds of an address, the main one first.
func (e *env) listFeeds(ctx context.Context, h *home.Home, address string) error {
	found, err := h.Poller.Discover(ctx, address, poller.Login{})
	if err != nil {
		return err
	}
	for _, c := range found {
		if err := e.print(alsoThere{c.URL, c.Title}, "%s  %s", c.URL, c.Title); err != nil {
			return err
		}
	}
	return nil
}

// alsoThere is a feed of a site that was not taken.
type alsoThere struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

func parseWeight(text string) (float64, error) {
	switch text {
	case "low":
		return reader.WeightLow, nil
	case "normal", "":
		return reader.WeightNormal, nil
	case "high":
		return reader.WeightHigh, nil
	}
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || !(w > 0) || w > reader.MaxWeight {
		return 0, fmt.Errorf("%q is not a weight: give low, normal, high or a number above 0 up to 1000", text)
	}
	return w, nil
}

func (e *env) setCommand() *cobra.Command {
	return &cobra.Command{Use: "set ID key=value…", Short: "Change a feed: title, url, folder, weight, every, paused, fulltext",
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				f, err := h.Store.Feeds.Get(ctx, id)
				if err != nil {
					return unknown("feed", args[0], err)
				}
				for _, pair := range args[1:] {
					if err := e.setProperty(&f, pair); err != nil {
						return err
					}
				}
				if err := h.Subscriptions.Update(ctx, f, nil); err != nil {
					return err
				}
				f, err = h.Store.Feeds.Get(ctx, id)
				if err != nil {
					return err
				}
				return e.printProperties(f)
			})
		}}
}

func (e *env) printProperties(f reader.Feed) error {
	every := ""
	if f.Every > 0 {
		every = f.Every.String()
	}
	return e.print(struct {
		ID       int64   `json:"id"`
		Title    string  `json:"title"`
		URL      string  `json:"url"`
		Folder   string  `json:"folder"`
		Weight   float64 `json:"weight"`
		Every    string  `json:"every"`
		Paused   bool    `json:"paused"`
		FullText bool    `json:"fulltext"`
	}{f.ID, f.Title, f.URL, f.Folder, f.Weight, every, f.Paused, f.FullText}, "%d  %s", f.ID, f.Title)
}

func (e *env) setProperty(f *reader.Feed, pair string) error {
	key, value, ok := strings.Cut(pair, "=")
	if !ok {
		return fmt.Errorf("%q is not key=value", pair)
	}
	var err error
	switch key {
	case "title":
		f.OwnTitle = value
	case "url":
		if file, ok := e.file(value); ok {
			value = file
		}
		f.URL, err = poller.Address(value)
	case "folder":
		f.Folder = value
	case "weight":
		f.Weight, err = parseWeight(value)
	case "every":
		f.Every, err = parseEvery(value)
	case "paused":
		f.Paused, err = parseSwitch(value)
	case "fulltext":
		f.FullText, err = parseSwitch(value)
	default:
		err = fmt.Errorf("a feed has no %q: there are title, url, folder, weight, every, paused and fulltext", key)
	}
	return err
}

func parseEvery(text string) (time.Duration, error) {
	if text == "" || text == "0" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if days, isDays := strings.CutSuffix(text, "d"); isDays {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(n, 365)) * 24 * time.Hour
	}
	if err != nil || d < schedule.MinEvery || d > schedule.MaxEvery {
		return 0, fmt.Errorf("%q is not a time between fetches: give 30m to 7d, or 0 to leave it to the plan", text)
	}
	return d, nil
}

func parseSwitch(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "on", "yes", "true", "1":
		return true, nil
	case "off", "no", "false", "0", "":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither on nor off", text)
}

func parseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, fmt.Errorf("%q is not the number of a feed or article", text)
	}
	return id, nil
}

func (e *env) removeCommand() *cobra.Command {
	return &cobra.Command{Use: "remove ID", Short: "Unsubscribe a feed", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseID(args[0])
			if err != nil {
				return err
			}
			return e.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				f, err := h.Store.Feeds.Get(ctx, id)
				if err == nil {
					err = h.Subscriptions.Remove(ctx, id)
				}
				if err != nil {
					return unknown("feed", args[0], err)
				}
				return e.print(struct {
					ID    int64  `json:"id"`
					Title string `json:"title"`
				}{f.ID, f.Title}, "unsubscribed %s", f.Title)
			})
		}}
}
