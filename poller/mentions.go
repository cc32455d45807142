package poller

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
	"kairos/reader/content"
	"kairos/reader/parse"
)

// Bounds of what links tell. A feed full of links to a site raises no more than a few for it.
const (
	maxLinks     = 200      // that are looked at in the new articles of one document
	maxMentions  = 3        // of a feed a day
	maxMentioned = 20       // feeds that one document mentions
	mentionAge   = 2 * day  // of the article that links; older ones tell nothing of now
	mentionsKept = 90 * day // from which is learned how often they are right
	maxLink      = 500      // bytes
)

// mentions notes links to the sites of subscribed feeds in new articles of other feeds: whoever is linked to has probably posted.
// Nothing is fetched for them but what the plan finds worth it.
type mentions struct {
	signals *signals

	mu      sync.Mutex        // guards what follows
	sites   map[string][]site // by host
	version int               // of the feeds that they are of
}

// site is where the articles of a subscribed feed are.
type site struct {
	subject, feed int64
	path          string // with which their addresses begin; ends in a slash
}

// mention is a link to an article of a feed that is not known here.
type mention struct {
	of   site
	link string
}

// note stores what the articles of a feed that are new now mention, and returns the subjects mentioned.
func (m *mentions) note(ctx context.Context, tx *sql.Tx, feed int64, now time.Time) (mentioned []int64, err error) {
	sites, err := m.subscribed(ctx, tx)
	if err != nil || len(sites) == 0 {
		return nil, err
	}
	articles, err := reader.NewArticles(ctx, tx, feed, now, maxLinks)
	if err != nil {
		return nil, err
	}
	for _, found := range mentionsIn(sites, feed, articles, now) {
		if len(mentioned) == maxMentioned {
			break
		}
		is, err := found.store(ctx, tx, now)
		if err != nil {
			return nil, fmt.Errorf("store what links tell: %w", err)
		}
		if is && !slices.Contains(mentioned, found.of.subject) {
			mentioned = append(mentioned, found.of.subject)
		}
	}
	return mentioned, nil
}

// mentionsIn returns the links of recent articles to the sites of feeds on other hosts.
func mentionsIn(sites map[string][]site, feed int64, articles []parse.Article, now time.Time) (all []mention) {
	own := map[string]bool{}
	for host, some := range sites {
		own[host] = slices.ContainsFunc(some, func(s site) bool { return s.feed == feed })
	}
	left := maxLinks
	for i := range articles {
		a := &articles[i]
		if !a.Published.IsZero() && now.Sub(a.Published) > mentionAge {
			continue
		}
		links := content.Links(a.HTML, left)
		left -= len(links)
		for _, link := range append(links, a.Link) { // a link blog links by its articles' own addresses
			host, below, ok := splitLink(link)
			if !ok || own[host] {
				continue
			}
			if to := siteOf(sites[host], below); to.feed != 0 && to.feed != feed {
				all = append(all, mention{to, link})
			}
		}
	}
	return all
}

// siteOf returns the site that a path is below: that of the longest path; one of no feed if there is none, or several have the same.
func siteOf(sites []site, below string) (longest site) {
	for _, s := range sites {
		switch {
		case !strings.HasPrefix(below, s.path) || len(below) == len(s.path):
		case len(s.path) > len(longest.path):
			longest = s
		case s.path == longest.path:
			longest = site{path: s.path}
		}
	}
	return longest
}

// splitLink returns the host of an address, and its path; not ok if it is no page of the web.
func splitLink(link string) (host, below string, ok bool) {
	if len(link) > maxLink {
		return "", "", false
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return "", "", false
	}
	switch strings.ToLower(path.Ext(u.Path)) {
	case ".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".mp3", ".mp4", ".pdf", ".zip", ".xml", ".rss", ".atom":
		return "", "", false
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), u.EscapedPath(), true
}

// store stores a mention, unless the article is known or the feed was mentioned often enough today.
func (m mention) store(ctx context.Context, tx *sql.Tx, now time.Time) (is bool, err error) {
	if known, err := reader.HasArticle(ctx, tx, m.of.feed, m.link); err != nil || known {
		return false, err
	}
	done, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO mention (subject, link, at) SELECT ?1, ?2, ?3
		WHERE (SELECT count(*) FROM mention WHERE subject = ?1 AND at > ?4) < ?5`,
		m.of.subject, m.link, now.Unix(), now.Add(-day).Unix(), maxMentions)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n > 0, err
}

// subscribed returns the sites of the feeds that are fetched here.
func (m *mentions) subscribed(ctx context.Context, tx *sql.Tx) (map[string][]site, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	version := m.signals.version()
	if m.sites != nil && m.version == version {
		return m.sites, nil
	}
	rows, err := tx.QueryContext(ctx, "SELECT id, feed, site FROM "+polled+" WHERE site <> ''")
	if err != nil {
		return nil, fmt.Errorf("read the sites of the feeds: %w", err)
	}
	defer rows.Close()
	sites := map[string][]site{}
	for rows.Next() {
		var s site
		var address string
		if err := rows.Scan(&s.subject, &s.feed, &address); err != nil {
			return nil, fmt.Errorf("read the sites of the feeds: %w", err)
		}
		if host, below, ok := splitLink(address); ok && host != "" {
			s.path = strings.TrimSuffix(below, "/") + "/"
			sites[host] = append(sites[host], s)
		}
	}
	m.sites, m.version = sites, version
	return sites, rows.Err()
}

// resolveMentions notes which of the articles that were mentioned of a feed are among those that it has now brought, and forgets what
// is old.
func resolveMentions(ctx context.Context, tx *sql.Tx, subject int64, articles []parse.Article, now time.Time) error {
	var links []string
	rows, err := tx.QueryContext(ctx, "SELECT link FROM mention WHERE subject = ? AND came IS NULL", subject)
	if err == nil {
		for rows.Next() && err == nil {
			var link string
			err = rows.Scan(&link)
			links = append(links, link)
		}
		err = cmp.Or(err, rows.Err(), rows.Close())
	}
	for _, link := range links {
		came := slices.ContainsFunc(articles, func(a parse.Article) bool { return sameArticle(a.Link, link) })
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE mention SET came = ? WHERE subject = ? AND link = ?", came, subject, link)
		}
	}
	if err == nil && len(links) > 0 {
		_, err = tx.ExecContext(ctx, "DELETE FROM mention WHERE at < ?", now.Add(-mentionsKept).Unix())
	}
	if err != nil {
		return fmt.Errorf("learn from what links told: %w", err)
	}
	return nil
}

// sameArticle reports whether two addresses lead to the same page, whatever follows its path.
func sameArticle(a, b string) bool {
	hostA, pathA, okA := splitLink(a)
	hostB, pathB, okB := splitLink(b)
	return okA && okB && hostA == hostB && strings.TrimSuffix(pathA, "/") == strings.TrimSuffix(pathB, "/")
}

// How probable it is that a feed has posted of which an article is mentioned, before anything is known: most links lead to
// what is old. It weighs as much as a few mentions.
const (
	mentionChance = 0.25
	mentionWeight = 8
)

// addMentions adds to the feeds of a plan what is mentioned of them since they were fetched.
func (r *records) addMentions(ctx context.Context, in *schedule.Inputs) error {
	var right, all float64
	err := r.db.Row(ctx, "SELECT coalesce(sum(came), 0), count(came) FROM mention", nil, &right, &all)
	if err != nil {
		return fmt.Errorf("read what links tell: %w", err)
	}
	chance := (right + mentionChance*mentionWeight) / (all + mentionWeight)
	rows, err := r.db.Rows(ctx, "SELECT subject, count(*), max(at) FROM mention WHERE came IS NULL GROUP BY subject")
	if err != nil {
		return fmt.Errorf("read what links tell: %w", err)
	}
	defer rows.Close()
	told := map[int64]schedule.Mentioned{}
	for rows.Next() {
		var feed, at int64
		var times int
		if err := rows.Scan(&feed, &times, &at); err != nil {
			return fmt.Errorf("read what links tell: %w", err)
		}
		told[feed] = schedule.Mentioned{Posts: chance * float64(min(times, maxMentions)), At: instant(at)}
	}
	for i := range in.Feeds {
		in.Feeds[i].Mentioned = told[in.Feeds[i].ID]
	}
	return rows.Err()
}
