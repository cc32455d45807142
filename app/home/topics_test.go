package home

import (
	"net/url"
	"testing"
)

func TestStarterFeeds(t *testing.T) {
	list, err := starterFeeds()
	if err != nil || len(list.Refused) != 0 || len(list.Warnings) != 0 {
		t.Fatal(err, list.Refused, list.Warnings)
	}
	seen := map[string]bool{}
	for _, f := range list.Feeds {
		u, err := url.Parse(f.URL)
		if err != nil || u.Scheme != "https" || u.Host == "" || seen[f.URL] || f.Site == "" || f.Folder == "" {
			t.Errorf("%+v", f)
		}
		seen[f.URL] = true
	}
	topics, err := Topics()
	if err != nil || len(topics) < 5 {
		t.Fatal(topics, err)
	}
	h := openHome(t, t.TempDir(), clockAt(noon))
	done, err := h.Subscriptions.AddTopics(t.Context(), []string{topics[0].Name, topics[3].Name, "no such"})
	if err != nil || len(done.Added) != len(topics[0].Feeds)+len(topics[3].Feeds) {
		t.Errorf("%+v, %v", done, err)
	}
	feeds, err := h.Store.Feeds.List(t.Context())
	if err != nil || len(feeds) != len(done.Added) {
		t.Errorf("%d feeds, %v", len(feeds), err)
	}
}
