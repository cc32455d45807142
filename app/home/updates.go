package home

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kairos/poller"
	"kairos/reader"
	"kairos/reader/parse"
)

// releasesFeed is where below the website the feed of Kairos's own releases lies, an entry for each version with its number as the
// title.
const releasesFeed = "/releases.atom"

const (
	// SettingUpdates is the setting "Look for a new version every week": "on" or "off", the default.
	SettingUpdates = "home.updates"

	settingUpdatesAsked = "home.updates.asked" // when, Unix time
	settingUpdatesFound = "home.updates.found" // the newest version, a blank, and the address of its page
	settingUpdatesAway  = "home.updates.away"  // the version that the user does not want to be told about again

	updatesEvery = 7 * 24 * time.Hour
)

// Release is a version that the feed of releases reports.
type Release struct {
	Version string // 1.2.3; "" if there is none
	Page    string // its address, may be ""
}

// Updates looks for newer versions of Kairos, if the user wants that.
type Updates struct {
	store  *reader.Store
	poller *poller.Poller
	now    func() time.Time
}

// Updates returns what looks for newer versions.
func (h *Home) Updates() Updates { return Updates{h.Store, h.Poller, h.Now} }

// weekly makes one request a week for the feed of releases if the user wants that, whether or not it is answered; none while
// there is no website, no network or one that is metered.
func (u Updates) weekly(ctx context.Context) error {
	if Website == "" {
		return nil
	}
	wanted, err := u.store.Settings.Get(ctx, SettingUpdates, off)
	if err != nil || wanted != on {
		return err
	}
	budget, err := u.poller.Budget(ctx)
	if err != nil || budget.Power.Metered || budget.Power.NoNetwork {
		return err
	}
	asked, err := u.store.Settings.Int(ctx, settingUpdatesAsked, 0)
	if err != nil {
		return err
	}
	now := u.now()
	if since := now.Sub(time.Unix(int64(asked), 0)); since >= 0 && since < updatesEvery { // below 0 the clock was set back
		return nil
	}
	if err := u.store.Settings.Set(ctx, settingUpdatesAsked, strconv.FormatInt(now.Unix(), 10)); err != nil {
		return err
	}
	body, contentType, from, err := u.poller.Page(ctx, 0, Website+releasesFeed)
	if err != nil {
		return err
	}
	feed, err := parse.Parse(ctx, body, parse.Options{URL: from, ContentType: contentType, Now: now})
	if err != nil {
		return err
	}
	newest := newestRelease(feed)
	if newest.Version == "" {
		return nil
	}
	return u.store.Settings.Set(ctx, settingUpdatesFound, newest.Version+" "+newest.Page)
}

// releaseTitle is the title of a version for all, not of one to be tried out.
var releaseTitle = regexp.MustCompile(`^(?:Kairos )?v?(\d{1,6}\.\d{1,6}\.\d{1,6})$`)

func newestRelease(feed *parse.Feed) (newest Release) {
	for _, a := range feed.Articles {
		if found := releaseTitle.FindStringSubmatch(a.Title); found != nil && newerThan(found[1], newest.Version) {
			newest = Release{found[1], a.Link}
		}
	}
	return newest
}

// newerThan compares versions of the form 1.2.3; "" is the oldest.
func newerThan(a, b string) bool {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		n, _ := strconv.Atoi(x)
		m, _ := strconv.Atoi(y)
		return cmp.Compare(n, m)
	}) > 0
}

// Newer returns the newest version that was found, if it is newer than this one and the user has not put it away.
func (u Updates) Newer(ctx context.Context) (Release, error) {
	var values [3]string
	for i, key := range []string{SettingUpdates, settingUpdatesFound, settingUpdatesAway} {
		var err error
		if values[i], err = u.store.Settings.Get(ctx, key, ""); err != nil {
			return Release{}, err
		}
	}
	version, page, _ := strings.Cut(values[1], " ")
	if values[0] != on || version == values[2] || !newerThan(version, Version) {
		return Release{}, nil
	}
	return Release{version, page}, nil
}

// PutAway notes that the user does not want to be told about a version again.
func (u Updates) PutAway(ctx context.Context, version string) error {
	return u.store.Settings.Set(ctx, settingUpdatesAway, version)
}
