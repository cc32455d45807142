package synctest

import (
	"encoding/json"
	"html"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ttrssRequest is an operation and what it is told.
type ttrssRequest struct {
	Op, SID, User, Password string
	Feed                    json.Number `json:"feed_id"`
	View                    string      `json:"view_mode"`
	Since                   int64       `json:"since_id"`
	Skip, Limit             int
	Content                 bool   `json:"show_content"`
	Article                 string `json:"article_id"`
	Articles                string `json:"article_ids"`
	Field, Mode             int
	URL                     string `json:"feed_url"`
	Category                int    `json:"category_id"`
}

// ttrss adds the API of Tiny Tiny RSS. The number of a folder is its place in the list, whose first has the feeds of none.
func (f *Fake) ttrss(mux *http.ServeMux) {
	operations := map[string]func(r ttrssRequest) (content any, failure string){
		"login": func(r ttrssRequest) (any, string) {
			if r.User != "anna" || r.Password != FakePassword {
				return nil, "LOGIN_ERROR"
			}
			return object{"session_id": f.Session(), "api_level": 23}, ""
		},
		"getCategories": func(ttrssRequest) (any, string) {
			list := []object{{"id": 0, "title": "Uncategorized"}, {"id": -1, "title": "Special"}}
			for i, name := range f.categories[1:] {
				list = append(list, object{"id": i + 1, "title": name})
			}
			return list, ""
		},
		"getFeeds": func(ttrssRequest) (any, string) {
			list := []object{}
			for _, one := range f.feeds {
				list = append(list, object{"id": one.id, "feed_url": one.url, "title": one.title, "cat_id": f.addCategory(one.category) - 1,
					"last_updated": f.now().Unix(), "last_error": one.message})
			}
			return list, ""
		},
		"subscribeToFeed": func(r ttrssRequest) (any, string) {
			return object{"status": object{"code": 1, "feed_id": f.subscribe(r.URL, f.categories[r.Category]).id}}, ""
		},
		"updateFeed": func(ttrssRequest) (any, string) { return object{"status": "OK"}, "" },
		"unsubscribeFeed": func(r ttrssRequest) (any, string) {
			one := f.feed(r.Feed.String())
			if one == nil {
				return nil, "E_OPERATION_FAILED"
			}
			f.unsubscribe(one)
			return object{"status": "OK"}, ""
		},
		"getHeadlines": func(r ttrssRequest) (any, string) { return f.headlines(r), "" },
		"getArticle": func(r ttrssRequest) (any, string) {
			list := []object{}
			for _, e := range f.numbered(r.Article) {
				list = append(list, ttrssArticle(e, true))
			}
			return list, ""
		},
		"getUnread": func(ttrssRequest) (any, string) {
			n := 0
			for _, e := range f.entries {
				if !e.Read {
					n++
				}
			}
			return object{"unread": n}, ""
		},
		"updateArticle": func(r ttrssRequest) (any, string) {
			chosen := f.numbered(r.Articles)
			for _, e := range chosen {
				if e.Changed = f.now(); r.Field == 0 {
					e.Starred = r.Mode == 1
				} else {
					e.Read = r.Mode == 0
				}
			}
			return object{"status": "OK", "updated": len(chosen)}, ""
		},
	}
	mux.HandleFunc("POST /api/{$}", func(w http.ResponseWriter, r *http.Request) {
		var sent ttrssRequest
		_ = json.NewDecoder(r.Body).Decode(&sent)
		do, failure := operations[sent.Op], "NOT_LOGGED_IN"
		status, content := 0, any(nil)
		switch {
		case sent.Op == "isLoggedIn":
			content, failure = object{"status": sent.SID == f.Session()}, ""
		case sent.Op != "login" && sent.SID != f.Session():
		case do == nil:
			failure = "UNKNOWN_METHOD"
		default:
			content, failure = do(sent)
		}
		if failure != "" {
			status, content = 1, object{"error": failure}
		}
		answer(w, 200, struct { // in the order of the real one, which no map has
			Seq     int `json:"seq"`
			Status  int `json:"status"`
			Content any `json:"content"`
		}{0, status, content})
	})
}

func (f *Fake) numbered(ids string) (list []*Entry) {
	wanted := strings.Split(ids, ",")
	for _, e := range f.entries {
		if slices.Contains(wanted, strconv.FormatInt(e.ID, 10)) {
			list = append(list, e)
		}
	}
	return list
}

// headlines lists articles by their dates, the newest first, in parts of at most 200.
func (f *Fake) headlines(r ttrssRequest) []object {
	chosen := slices.DeleteFunc(slices.Clone(f.entries), func(e *Entry) bool {
		return r.View == "unread" && e.Read || r.Feed == "-1" && !e.Starred || e.ID <= r.Since
	})
	slices.SortStableFunc(chosen, func(a, b *Entry) int { return b.Published.Compare(a.Published) })
	if r.Feed == "-6" {
		chosen = slices.DeleteFunc(chosen, func(e *Entry) bool { return !e.Read || f.now().Sub(e.Changed) > 24*time.Hour })
		slices.SortStableFunc(chosen, func(a, b *Entry) int { return b.Changed.Compare(a.Changed) })
	}
	chosen = chosen[min(r.Skip, len(chosen)):]
	list := []object{}
	for _, e := range chosen[:min(r.Limit, 200, len(chosen))] {
		list = append(list, ttrssArticle(e, r.Content))
	}
	return list
}

func ttrssArticle(e *Entry, content bool) object {
	o := object{"id": e.ID, "feed_id": strconv.FormatInt(e.Feed, 10), "title": html.EscapeString(e.Title), "link": e.Link, "unread": !e.Read, "marked": e.Starred,
		"updated": e.Published.Unix(), "attachments": []object{}}
	if content {
		o["content"] = e.HTML
	}
	return o
}
