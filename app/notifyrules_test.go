package app

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kairos/reader"
)

func TestNoticesAreGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		notices := make(chan reader.Notice)
		told := make(chan []reader.Notice, 10)
		go gatherNotices(ctx, notices, func(_ context.Context, came []reader.Notice) { told <- came })
		start := time.Now()
		for i := range int64(3) {
			notices <- reader.Notice{Feed: i, Articles: []int64{i}}
			<-time.After(4 * time.Second)
		}
		if came := <-told; len(came) != 3 || time.Since(start) != 13*time.Second {
			t.Errorf("after %v: %v", time.Since(start), came)
		}
		stop()
		synctest.Wait()
	})
}

func TestWhatRulesTellOf(t *testing.T) {
	w, _ := newTestWindow(t)
	ids := append([]int64{}, w.timeline.ids...)
	said := func(came ...reader.Notice) string {
		n, err := w.noticeByRules(t.Context(), came)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(n.Title + "\n" + n.Body)
	}
	set := func(key, value string) {
		if err := w.home.Store.Settings.Set(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	first := reader.Notice{Feed: 1, Articles: ids[:1]}
	all := []reader.Notice{{Feed: 1, Articles: ids[:2]}, {Feed: 2, Articles: ids[2:]}}
	if got := said(first); got != "1 new article\nFeed 0: Article 0 of feed 0" {
		t.Errorf("of one: %q", got)
	}
	if got := said(all...); !strings.HasPrefix(got, "6 new articles\nFeed 0: Article 0 of feed 0\n") || !strings.HasSuffix(got, "\nand 3 more") {
		t.Errorf("of six: %q", got)
	}
	set(settingNotifyNames, "off")
	if got := said(all...); got != "6 new articles\nin 2 feeds" {
		t.Errorf("without names: %q", got)
	}
	f, err := w.home.Store.Feeds.Get(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	f.Notify = true
	if err := w.home.Update(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	if got := said(all...); got != "2 new articles\nin 1 feed" {
		t.Errorf("of a feed that is told of anyway: %q", got)
	}
	for key, value := range map[string]string{settingNotify: notifyNone, settingQuietFrom: "00:00"} {
		set(key, value)
		set(settingQuietTo, "23:59")
		if got := said(all...); got != "" {
			t.Errorf("with %s %q: %q", key, value, got)
		}
		set(settingNotify, notifyChosen)
	}
}
