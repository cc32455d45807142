package verbs

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/poller"
	"kairos/poller/preparer"
	"kairos/poller/schedule"
	"kairos/reader"
)

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
		return 0, fmt.Errorf("%q is not a weight; use low, normal, high or a number above 0 and up to 1000", text)
	}
	return w, nil
}

// parseInterest reads how probably an article of a feed is read: a number, a percentage, or 0 for what is learned.
func parseInterest(text string) (float64, error) {
	if text == "auto" || text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	q, err := strconv.ParseFloat(number, 64)
	if percent {
		q /= 100
	}
	if err != nil || !(q > 0) || q > 1 {
		return 0, fmt.Errorf("%q is not an interest; use auto, or how much of the feed you read: a number above 0 and up to 1, or a percentage", text)
	}
	return q, nil
}

// propertyHelp lists the properties of a feed with their values.
const propertyHelp = `  title=TEXT     as it is listed; empty: as the feed says
  url=ADDRESS    of the feed
  folder=NAME    "News" or "News/Local"; empty: no folder
  weight=N       low, normal, high, or a number above 0 and up to 1000
  interest=Q     how much of it you read: above 0 and up to 1, or a percentage; auto: learned
  every=D        longest interval between fetches, 30m to 7d; 0: as it is planned
  paused=SWITCH  on or off
  fulltext=SWITCH
                 on or off: articles are read whole from their pages
  episodes=N     so many of the next episodes are brought before they are played, up to 50; 0: none
  quiet=SWITCH   on or off: not in All, Unread and Today
  unread-ends=WHEN
                 when unread articles count as read: 7d after a week, 20 beyond the newest 20, newer when a newer one
                 comes, 7d,20 both, never; default: as the folder or all
  account=NAME   the account it belongs to, or its ID; 0: this computer`

// setVerb changes properties of a feed.
type setVerb struct{ *env }

func (v setVerb) command() *cobra.Command {
	var bringBack bool
	c := &cobra.Command{Use: "set FEED key=value…", Short: "Change a feed: title, url, folder, weight, interest, every, paused, fulltext, episodes, quiet, unread-ends or account",
		Long: "Changes properties of a feed, the quiet and unread-ends of a folder (folder:\"News/Local\", account/2/folder:News), or the\n" +
			"unread-ends of all feeds that have none of their own (all). " + feedHelp + "\n\n" + propertyHelp,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if place, ok, err := parsePlace(args[0]); ok || err != nil {
				if err != nil {
					return err
				}
				return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error { return v.setPlace(ctx, h, place, args[1:], bringBack) })
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				f, err := findFeed(ctx, h, args[0])
				if err != nil {
					return err
				}
				id := f.ID
				episodes, err := h.Preparer.Episodes(ctx, id)
				if err != nil {
					return err
				}
				var told changedKeys
				for _, pair := range args[1:] {
					key, _, _ := strings.Cut(pair, "=")
					told = append(told, key)
					if err := v.set(ctx, h, &f, &episodes, pair); err != nil {
						return err
					}
				}
				if f.Folder, err = typedFolder(ctx, h, f.Account, f.Folder); err != nil {
					return err
				}
				if id, err = v.move(ctx, h, f); err != nil {
					return err
				}
				f.ID = id
				if err := h.Subscriptions.Update(ctx, f, nil); err != nil {
					return err
				}
				if err := h.Preparer.SetEpisodes(ctx, id, episodes); err != nil {
					return err
				}
				f, err = h.Store.Feeds.Get(ctx, id)
				if err != nil {
					return err
				}
				ended, err := endBySet(ctx, h, told, reader.EndsChoice{Feed: id, Ends: f.Ends}, bringBack)
				if err != nil {
					return err
				}
				return v.printFeed(f, episodes, told, ended)
			})
		}}
	c.Flags().BoolVar(&bringBack, "bring-back", false, "with unread-ends: what expired before and would not expire by this is unread again")
	return c
}

// move moves a feed to the account it is to have, 0 for this computer, and returns the id it has there.
func (v setVerb) move(ctx context.Context, h *home.Home, f reader.Feed) (int64, error) {
	now, err := h.Store.Feeds.Get(ctx, f.ID)
	if err != nil || now.Account == f.Account {
		return f.ID, err
	}
	id, err := h.Subscriptions.Accounts.MoveFeed(ctx, f.ID, f.Account)
	return id, unknown("account", strconv.FormatInt(f.Account, 10), err)
}

func (v setVerb) printFeed(f reader.Feed, episodes int, told changedKeys, ended endedBySet) error {
	every := ""
	if f.Every > 0 {
		every = f.Every.String()
	}
	return v.print(struct {
		ID       int64   `json:"id"`
		Title    string  `json:"title"`
		URL      string  `json:"url"`
		Folder   string  `json:"folder"`
		Weight   float64 `json:"weight"`
		Interest float64 `json:"interest"` // 0: learned
		Every    string  `json:"every"`
		Paused   bool    `json:"paused"`
		FullText bool    `json:"fulltext"`
		Episodes int     `json:"episodes"`
		Quiet    bool    `json:"quiet"`
		Ends     string  `json:"unreadEnds"`
		Account  int64   `json:"account"`
		endedBySet
	}{f.ID, f.Title, f.URL, f.Folder, f.Weight, f.Interest, every, f.Paused, f.FullText, episodes, f.Quiet, endsText(f.Ends), f.Account, ended}, "%d  %s%s%s", f.ID, f.Title, told.feedText(f, episodes), told.text(f.Quiet, f.Ends, "unread articles end as the folder says, or all")+ended.text())
}

func (v setVerb) set(ctx context.Context, h *home.Home, f *reader.Feed, episodes *int, pair string) error {
	key, value, ok := strings.Cut(pair, "=")
	if !ok {
		return fmt.Errorf("%q is not key=value", pair)
	}
	var err error
	switch key {
	case "title":
		f.OwnTitle = value
	case "url":
		if file, ok := v.file(value); ok {
			value = file
		}
		f.URL, err = poller.Address(value)
	case "folder":
		f.Folder = value
	case "weight":
		f.Weight, err = parseWeight(value)
	case "interest":
		f.Interest, err = parseInterest(value)
	case "every":
		f.Every, err = parseEvery(value)
	case "paused":
		f.Paused, err = parseSwitch(value)
	case "fulltext":
		f.FullText, err = parseSwitch(value)
	case "episodes":
		*episodes, err = parseEpisodes(value)
	case "quiet":
		f.Quiet, err = parseSwitch(value)
	case "unread-ends":
		f.Ends, err = parseEnds(value)
	case "account":
		f.Account, err = accountID(ctx, h, value)
	default:
		err = fmt.Errorf("a feed has no property %q; there are title, url, folder, weight, interest, every, paused, fulltext, episodes, quiet, unread-ends and account", key)
	}
	return err
}

func parseEpisodes(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > preparer.MostEpisodes {
		return 0, fmt.Errorf("%q is no number of episodes; use 0 to %d", text, preparer.MostEpisodes)
	}
	return n, nil
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
		return 0, fmt.Errorf("%q is not an interval; use 30m to 7d, or 0 for automatic", text)
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
	return false, fmt.Errorf("%q is not valid; use on or off", text)
}

func parseIDs(texts []string) (ids []int64, err error) {
	for _, text := range texts {
		id, err := parseID(text)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// joinIDs returns IDs with blanks between them.
func joinIDs(ids []int64) string { return strings.Trim(fmt.Sprint(ids), "[]") }

func parseID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, fmt.Errorf("%q is not the ID of a feed or article", text)
	}
	return id, nil
}
