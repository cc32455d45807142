package poller

import (
	"database/sql"
	"fmt"
	"net/http"
	"testing"
	"time"

	"kairos/reader"
	"kairos/reader/rule"
)

func TestNoticesFollowTheTransaction(t *testing.T) {
	w := newWorld(t)
	n := 1
	w.web.on("/a", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(out, `<rss version="2.0"><channel><title>F</title>`)
		for i := range n {
			fmt.Fprintf(out, "<item><guid>%d</guid><title>Lamp %d</title></item>", i, i)
		}
		fmt.Fprint(out, "</channel></rss>")
	})
	f := w.subscribePaths("/a")[0]
	w.write(func(tx *sql.Tx) error {
		_, err := reader.SaveRule(t.Context(), tx, rule.Rule{Enabled: true, Actions: rule.Actions{Notify: true},
			Conditions: []rule.Condition{{Field: rule.Title, Pattern: "lamp [1-9]", Regexp: true}}})
		return err
	})
	var told []string
	stop := w.OnNotice(func(n reader.Notice) {
		rows, err := w.store.Articles.Load(t.Context(), n.Articles)
		for _, a := range rows {
			told = append(told, fmt.Sprintf("%t %s", a.Feed == f.ID && n.Feed == f.ID, a.Title))
		}
		if err != nil || len(rows) != len(n.Articles) {
			t.Errorf("told before they are stored: %v (%v)", rows, err)
		}
	})
	fetch := func() {
		w.clock.add(time.Hour)
		w.byHand(f.ID)
	}
	fetch()
	if len(told) != 0 {
		t.Errorf("told about %v", told)
	}
	n = 3
	fetch()
	fetch()
	if fmt.Sprint(told) != "[true Lamp 2 true Lamp 1]" {
		t.Errorf("told about %v", told)
	}
	stop()
	n = 4
	fetch()
	if len(told) != 2 {
		t.Errorf("told about %v", told)
	}
}
