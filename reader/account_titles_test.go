package reader

import (
	"cmp"
	"database/sql"
	"strings"
	"testing"
)

// A title that a feed has at a server stays when the feed becomes one of this computer, unless it is the feed's own.
func TestServerTitleIsKept(t *testing.T) {
	ctx := t.Context()
	for _, how := range []string{"account removed", "moved", "merged"} {
		t.Run(how, func(t *testing.T) {
			s := open(t, t.TempDir())
			account := addAccount(t, s, "ann")
			titles := map[string]struct{ there, own, want string }{ // at the server, of the feed, afterwards
				"https://a.test/feed": {"QEMU mine", "QEMU", "QEMU mine"},
				"https://b.test/feed": {"Golem", "Golem", ""},
				"https://c.test/feed": {"https://c.test/feed", "C", ""}, // a server that has none of its own
				"https://d.test/feed": {"https://d.test/", "D", ""},
			}
			ids := map[string]int64{}
			for address, of := range titles {
				write(t, s, func(tx *sql.Tx) (err error) {
					site := strings.TrimSuffix(address, "feed")
					ids[address], err = AddServerFeed(ctx, tx, account, address, Feed{URL: address, Title: of.there, Site: site}, epoch)
					return err
				})
				if how == "merged" {
					subscribe(t, s, Feed{URL: address, Title: of.own})
				}
				if how != "account removed" {
					write(t, s, func(tx *sql.Tx) (err error) { ids[address], err = MoveFeed(ctx, tx, ids[address], 0); return err })
				}
			}
			if how == "account removed" {
				write(t, s, func(tx *sql.Tx) error { return RemoveAccount(ctx, tx, account, true, epoch) })
			}
			for address, of := range titles {
				before, err := s.Feeds.Get(ctx, ids[address])
				if err != nil || how != "merged" && before.Title != of.there {
					t.Errorf("%s before it is fetched: %q, %v", address, before.Title, err)
				}
				write(t, s, func(tx *sql.Tx) error { return DescribeFeed(ctx, tx, ids[address], of.own, "", "") })
				f, err := s.Feeds.Get(ctx, ids[address])
				if err != nil || f.OwnTitle != of.want || f.Title != cmp.Or(of.want, of.own) {
					t.Errorf("%s: title %q, of the user %q, %v", address, f.Title, f.OwnTitle, err)
				}
				write(t, s, func(tx *sql.Tx) error { return DescribeFeed(ctx, tx, f.ID, cmp.Or(of.want, "Renamed"), "", "") })
				if again, err := s.Feeds.Get(ctx, f.ID); err != nil || again.OwnTitle != of.want {
					t.Errorf("%s once its own title is known: of the user %q, %v", address, again.OwnTitle, err)
				}
			}
		})
	}
}
