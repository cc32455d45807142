package verbs

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kairos/app/home"
	"kairos/app/text"
	"kairos/poller"
	"kairos/reader"
	"kairos/reader/discover"
	"kairos/reader/scrape"
)

// addVerb subscribes to feeds.
type addVerb struct{ *env }

func (v addVerb) command() *cobra.Command {
	var folder, weight string
	var account string
	var list, page bool
	var file passwordFile
	var certificate trustedCertificate
	c := &cobra.Command{Use: "add URL…", Short: "Subscribe to feeds, by their address or that of their site", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := parseWeight(weight)
			if err != nil {
				return err
			}
			return v.owning(cmd.Context(), func(ctx context.Context, h *home.Home) error {
				account, err := accountID(ctx, h, account)
				if err != nil {
					return err
				}
				folder, err := typedFolder(ctx, h, account, folder)
				if err != nil {
					return err
				}
				add := func(ctx context.Context, h *home.Home, address string) error {
					return file.keep(h, func() error { return v.subscribe(ctx, h, address, reader.Feed{Folder: folder, Weight: w}) })
				}
				switch {
				case list:
					add = v.list
				case page:
					add = func(ctx context.Context, h *home.Home, address string) error {
						return v.page(ctx, h, address, reader.Feed{Folder: folder, Weight: w})
					}
				case account != 0:
					add = func(ctx context.Context, h *home.Home, address string) error {
						return v.subscribeThere(ctx, h, address, reader.Feed{Folder: folder, Weight: w, Account: account})
					}
				}
				return v.each(ctx, h, args, func(ctx context.Context, h *home.Home, address string) error {
					return certificate.try(ctx, h, func() error { return add(ctx, h, address) })
				})
			})
		}}
	c.Flags().StringVar(&folder, "folder", "", "folder `F` for the feeds, such as News or News/Local")
	c.Flags().StringVar(&weight, "weight", "normal", "low, normal, high or a number")
	c.Flags().StringVar(&account, "account", "", "subscribe with the account `NAME` (or its ID) instead of on this computer")
	c.Flags().BoolVar(&page, "page", false, "read the page itself, which has no feed, in the surest way that is found")
	file.addFlag(c)
	certificate.addFlag(c)
	c.Flags().BoolVar(&list, "list", false, "only show the feeds that are found")
	return c
}

// each handles every address, also after one that failed.
func (v addVerb) each(ctx context.Context, h *home.Home, addresses []string, one func(context.Context, *home.Home, string) error) error {
	failed := false
	for _, address := range addresses {
		target := address
		if file, ok := v.file(address); ok {
			target = file
		}
		if err := one(ctx, h, target); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			v.complain("%s: %s", address, errorText(err))
			failed = true
		}
	}
	if failed {
		return someFailed
	}
	return nil
}

// subscribe subscribes to the main feed of an address, if it can be fetched.
func (v addVerb) subscribe(ctx context.Context, h *home.Home, address string, chosen reader.Feed) error {
	found, err := h.Poller.Discover(ctx, address, poller.Login{})
	if err != nil {
		return err
	}
	f, outcome, err := h.Subscriptions.Add(ctx, found[0], chosen, poller.Login{})
	if err != nil {
		return err
	}
	also := []otherFeed{}
	for _, other := range found[1:] {
		also = append(also, otherFeed{other.URL, other.Title})
		if !v.json {
			fmt.Fprintf(v.out, "also found: %s  %s\n", other.URL, other.Title)
		}
	}
	if outcome.Result != poller.Stored && outcome.Result != poller.Unchanged {
		if refused := outcome.Message.Fetch; refused != nil && refused.Fingerprint != "" {
			return errors.Join(refused, h.Subscriptions.Remove(ctx, f.ID))
		}
		err := fmt.Errorf("not subscribed to %s: %s", f.URL, text.English().Message(outcome.Message))
		return errors.Join(err, h.Subscriptions.Remove(ctx, f.ID))
	}
	left := text.English().LeftOut(outcome.Message.Warnings)
	if left != "" {
		v.complain("%s: %s", f.Title, left)
	}
	return v.print(struct {
		ID      int64       `json:"id"`
		Title   string      `json:"title"`
		URL     string      `json:"url"`
		New     int         `json:"new"`
		Also    []otherFeed `json:"also"`
		LeftOut string      `json:"leftOut,omitempty"` // what of the feed was not read
	}{f.ID, f.Title, f.URL, outcome.New, also, left}, "%d  %s  %s", f.ID, f.Title, text.English().FirstArticles(outcome.New, outcome.Unread))
}

// subscribeThere subscribes to the main feed of an address with an account, and syncs it.
func (v addVerb) subscribeThere(ctx context.Context, h *home.Home, address string, chosen reader.Feed) error {
	found, err := h.Poller.Discover(ctx, address, poller.Login{})
	var here *reader.DuplicateError
	switch {
	case errors.As(err, &here): // an account may have it, too
		chosen.URL = here.Feed.URL
	case err != nil:
		return err
	default:
		chosen.URL = found[0].URL
	}
	_, user, password := discover.SplitLogin(address)
	added, err := h.Subscriptions.Accounts.SubscribeNow(ctx, chosen, poller.Login{User: user, Password: password})
	if err != nil {
		return err
	}
	f := added.Feed
	came, later := text.English().Articles(added.New), ""
	if added.Later != nil {
		later = errorText(added.Later)
		came = "added; the server will be told later: " + later
	}
	return v.print(struct {
		ID    int64       `json:"id"`
		Title string      `json:"title"`
		URL   string      `json:"url"`
		New   int         `json:"new"`
		Also  []otherFeed `json:"also"`
		Later string      `json:"toldLater,omitempty"` // why the server does not know the feed yet
	}{f.ID, f.Title, f.URL, added.New, []otherFeed{}, later}, "%d  %s  %s", f.ID, f.Title, came)
}

// list prints the feeds of an address, the main one first.
func (v addVerb) list(ctx context.Context, h *home.Home, address string) error {
	found, err := h.Poller.Discover(ctx, address, poller.Login{})
	if err != nil {
		return err
	}
	for _, c := range found {
		if err := v.print(otherFeed{c.URL, c.Title}, "%s  %s", c.URL, c.Title); err != nil {
			return err
		}
	}
	return nil
}

// otherFeed is another feed of a site.
type otherFeed struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// page subscribes to a page without a feed.
func (v addVerb) page(ctx context.Context, h *home.Home, address string, chosen reader.Feed) error {
	page, err := h.Poller.OpenPage(ctx, address)
	if err != nil {
		return err
	}
	offers, err := page.Offers(ctx)
	if err != nil {
		return err
	}
	chosen.Source = reader.PageSource(offers[0].Recipe)
	f, outcome, err := h.Subscriptions.Add(ctx, poller.Candidate{URL: page.URL, Title: offers[0].Feed.Title}, chosen, poller.Login{})
	if err != nil {
		return err
	}
	return v.print(struct {
		ID     int64         `json:"id"`
		Title  string        `json:"title"`
		URL    string        `json:"url"`
		New    int           `json:"new"`
		Recipe scrape.Recipe `json:"recipe"`
	}{f.ID, f.Title, f.URL, outcome.New, offers[0].Recipe}, "%d: %s: %s: %s", f.ID, f.Title, text.English().FirstArticles(outcome.New, outcome.Unread), text.English().PageKind(offers[0].Recipe))
}
