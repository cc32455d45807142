package synctest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

type object = map[string]any

// miniflux adds the interface of Miniflux.
func (f *Fake) miniflux(mux *http.ServeMux) {
	handle := func(pattern string, do func(w http.ResponseWriter, r *http.Request)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if user, password, _ := r.BasicAuth(); user != "anna" || password != FakePassword {
				answer(w, http.StatusUnauthorized, object{"error_message": "Access Unauthorized"})
				return
			}
			do(w, r)
		})
	}
	gone := func(w http.ResponseWriter) {
		answer(w, http.StatusNotFound, object{"error_message": "resource not found"})
	}
	handle("GET /v1/me", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, object{"id": 1, "username": "anna"}) })
	handle("GET /v1/feeds", func(w http.ResponseWriter, _ *http.Request) {
		list := []object{}
		for _, one := range f.feeds {
			list = append(list, f.minifluxFeed(one))
		}
		answer(w, 200, list)
	})
	handle("POST /v1/feeds", func(w http.ResponseWriter, r *http.Request) {
		var sent struct {
			URL      string `json:"feed_url"`
			Category int    `json:"category_id"`
		}
		_ = json.NewDecoder(r.Body).Decode(&sent)
		answer(w, http.StatusCreated, object{"feed_id": f.subscribe(sent.URL, f.categories[sent.Category-1]).id})
	})
	handle("/v1/feeds/{id}", func(w http.ResponseWriter, r *http.Request) {
		one := f.feed(r.PathValue("id"))
		var sent struct {
			Title    string `json:"title"`
			Category int    `json:"category_id"`
		}
		switch {
		case one == nil:
			gone(w)
		case r.Method == http.MethodDelete:
			f.unsubscribe(one)
			w.WriteHeader(http.StatusNoContent)
		case r.Method == http.MethodPut:
			_ = json.NewDecoder(r.Body).Decode(&sent)
			if one.title = cmp.Or(sent.Title, one.title); sent.Category > 0 {
				one.category = f.categories[sent.Category-1]
			}
			answer(w, http.StatusCreated, f.minifluxFeed(one))
		default:
			answer(w, 200, f.minifluxFeed(one))
		}
	})
	handle("GET /v1/categories", func(w http.ResponseWriter, _ *http.Request) {
		list := []object{}
		for i, name := range f.categories {
			list = append(list, object{"id": i + 1, "title": name})
		}
		answer(w, 200, list)
	})
	handle("POST /v1/categories", func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ Title string }
		_ = json.NewDecoder(r.Body).Decode(&sent)
		answer(w, http.StatusCreated, object{"id": f.addCategory(sent.Title), "title": sent.Title})
	})
	handle("PUT /v1/categories/{id}", func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ Title string }
		_ = json.NewDecoder(r.Body).Decode(&sent)
		n, _ := strconv.Atoi(r.PathValue("id"))
		if n < 1 || n > len(f.categories) || slices.Contains(f.categories, sent.Title) {
			answer(w, http.StatusBadRequest, object{"error_message": "This category already exists."})
			return
		}
		for _, one := range f.feeds {
			if one.category == f.categories[n-1] {
				one.category = sent.Title
			}
		}
		f.categories[n-1] = sent.Title
		answer(w, http.StatusCreated, object{"id": n, "title": sent.Title})
	})
	handle("GET /v1/entries", func(w http.ResponseWriter, r *http.Request) {
		list := []object{}
		found, total := f.minifluxEntries(r.URL.Query())
		for _, e := range found {
			list = append(list, minifluxEntry(e))
		}
		answer(w, 200, object{"total": total, "entries": list})
	})
	handle("GET /v1/entries/{id}", func(w http.ResponseWriter, r *http.Request) {
		for _, e := range f.entries {
			if strconv.FormatInt(e.ID, 10) == r.PathValue("id") {
				answer(w, 200, minifluxEntry(e))
				return
			}
		}
		gone(w)
	})
	handle("PUT /v1/entries", func(w http.ResponseWriter, r *http.Request) {
		var sent struct {
			IDs     []int64 `json:"entry_ids"`
			Status  string  `json:"status"`
			Starred *bool   `json:"starred"`
		}
		_ = json.NewDecoder(r.Body).Decode(&sent)
		for _, e := range f.entries {
			if !slices.Contains(sent.IDs, e.ID) {
				continue
			}
			if e.Changed = f.now(); sent.Status != "" {
				e.Read = sent.Status == "read"
			}
			if sent.Starred != nil {
				e.Starred = *sent.Starred
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})
}

func (f *Fake) minifluxFeed(one *fakeFeed) object {
	return object{"id": one.id, "feed_url": one.url, "site_url": "", "title": one.title,
		"checked_at": f.now(), "parsing_error_count": one.failures, "parsing_error_message": one.message,
		"category": object{"id": f.addCategory(one.category), "title": one.category}}
}

func minifluxEntry(e *Entry) object {
	status := "unread"
	if e.Read {
		status = "read"
	}
	return object{"id": e.ID, "feed_id": e.Feed, "status": status, "starred": e.Starred, "title": e.Title, "url": e.Link, "content": e.HTML,
		"published_at": e.Published, "created_at": e.Created, "changed_at": e.Changed, "enclosures": []object{}}
}

// minifluxEntries filters as the parameters of Miniflux say. total is how many there are without the limit.
func (f *Fake) minifluxEntries(q url.Values) (found []*Entry, total int) {
	number := func(key string, or int64) int64 {
		if n, err := strconv.ParseInt(q.Get(key), 10, 64); err == nil {
			return n
		}
		return or
	}
	list := slices.DeleteFunc(slices.Clone(f.entries), func(e *Entry) bool {
		return q.Get("status") == "unread" && e.Read || q.Get("status") == "read" && !e.Read || q.Get("starred") == "true" && !e.Starred ||
			e.ID >= number("before_entry_id", 1<<60) || e.ID <= number("after_entry_id", 0) ||
			!e.Published.After(time.Unix(number("published_after", -1<<40), 0)) || !e.Changed.After(time.Unix(number("changed_after", -1<<40), 0)) ||
			!e.Changed.Before(time.Unix(number("changed_before", 1<<40), 0))
	})
	slices.SortFunc(list, func(a, b *Entry) int { return int(a.ID - b.ID) })
	if q.Get("direction") == "desc" {
		slices.Reverse(list)
	}
	return list[:min(int(number("limit", 100)), len(list))], len(list)
}
