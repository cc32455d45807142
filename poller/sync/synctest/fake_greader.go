package synctest

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The streams of the protocol that a fake server has.
const (
	streamRead    = "user/-/state/com.google/read"
	streamStarred = "user/-/state/com.google/starred"
	streamLabel   = "user/-/label/"
	itemID        = "tag:google.com,2005:reader/item/"
)

// greader adds the interface of Google Reader.
func (f *Fake) greader(mux *http.ServeMux) {
	mux.HandleFunc("POST /accounts/ClientLogin", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("Email") != "anna" || r.FormValue("Passwd") != FakePassword {
			http.Error(w, "Error=BadAuthentication", http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, "SID=%[1]s\nLSID=null\nAuth=%[1]s\n", f.Session())
	})
	handle := func(method, path string, do func(w http.ResponseWriter, r *http.Request)) {
		mux.HandleFunc(method+" /reader/api/0/"+path, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Header.Get("Authorization") != "GoogleLogin auth="+f.Session():
				http.Error(w, "Unauthorized!", http.StatusUnauthorized)
			case method == http.MethodPost && r.FormValue("T") != f.Token():
				http.Error(w, "Invalid token", http.StatusUnauthorized)
			default:
				do(w, r)
			}
		})
	}
	handle("GET", "user-info", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, object{"userName": "anna"}) })
	handle("GET", "token", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, f.Token()) })
	handle("GET", "subscription/list", func(w http.ResponseWriter, _ *http.Request) {
		list := []object{}
		for _, one := range f.feeds {
			list = append(list, object{"id": fmt.Sprintf("feed/%d", one.id), "title": one.title, "url": one.url,
				"categories": []object{{"id": streamLabel + one.category, "label": one.category}}})
		}
		answer(w, 200, object{"subscriptions": list})
	})
	handle("GET", "tag/list", func(w http.ResponseWriter, _ *http.Request) {
		list := []object{{"id": streamStarred}}
		for _, name := range f.categories {
			list = append(list, object{"id": streamLabel + name, "type": "folder"})
		}
		for _, name := range f.labels {
			list = append(list, object{"id": streamLabel + name, "type": "tag"})
		}
		answer(w, 200, object{"tags": list})
	})
	handle("POST", "subscription/quickadd", func(w http.ResponseWriter, r *http.Request) {
		one := f.subscribe(r.FormValue("quickadd"), "")
		answer(w, 200, object{"numResults": 1, "streamId": fmt.Sprintf("feed/%d", one.id)})
	})
	handle("POST", "subscription/edit", func(w http.ResponseWriter, r *http.Request) {
		one := f.feed(r.FormValue("s"))
		switch {
		case one == nil:
			http.Error(w, "Bad Request!", http.StatusBadRequest)
			return
		case r.FormValue("ac") == "unsubscribe":
			f.unsubscribe(one)
		default:
			one.title = cmp.Or(r.FormValue("t"), one.title)
			if label, found := strings.CutPrefix(r.FormValue("a"), streamLabel); found {
				one.category = label
				f.addCategory(label)
			}
		}
		_, _ = io.WriteString(w, "OK")
	})
	handle("GET", "stream/items/ids", func(w http.ResponseWriter, r *http.Request) { f.itemIDs(w, r.URL.Query()) })
	handle("POST", "stream/items/contents", func(w http.ResponseWriter, r *http.Request) {
		list := []object{}
		for _, e := range f.chosen(r) {
			list = append(list, f.item(e))
		}
		answer(w, 200, object{"items": list})
	})
	handle("POST", "edit-tag", func(w http.ResponseWriter, r *http.Request) {
		for _, e := range f.chosen(r) {
			e.Changed = f.now()
			for key, on := range map[string]bool{"a": true, "r": false} {
				switch r.FormValue(key) {
				case streamRead:
					e.Read = on
				case streamStarred:
					e.Starred = on
				default:
					if name, found := strings.CutPrefix(r.FormValue(key), streamLabel); found && f.addLabel(name) {
						e.label(name, on)
					}
				}
			}
		}
		_, _ = io.WriteString(w, "OK")
	})
}

// Session and Token are what the server gives after a login; nothing of them may be stored.
func (f *Fake) Session() string { return fmt.Sprintf("anna/5e5510a%d", f.session) }

// Token is what a change has to show.
func (f *Fake) Token() string { return fmt.Sprintf("70ce4%d", f.session) }

func (f *Fake) chosen(r *http.Request) (list []*Entry) {
	for _, e := range f.entries {
		if slices.Contains(r.Form["i"], itemID+fmt.Sprintf("%016x", e.ID)) {
			list = append(list, e)
		}
	}
	return list
}

func (f *Fake) item(e *Entry) object {
	categories := []string{"user/1/state/com.google/reading-list"}
	if e.Read {
		categories = append(categories, "user/1/state/com.google/read")
	}
	if e.Starred {
		categories = append(categories, "user/1/state/com.google/starred")
	}
	return object{"id": itemID + fmt.Sprintf("%016x", e.ID), "title": e.Title, "published": e.Published.Unix(),
		"crawlTimeMsec": strconv.FormatInt(e.Created.UnixMilli(), 10), "alternate": []object{{"href": e.Link}},
		"summary": object{"content": e.HTML}, "categories": categories, "origin": object{"streamId": fmt.Sprintf("feed/%d", e.Feed)}}
}

// itemIDs lists ids, the newest first, in pages.
func (f *Fake) itemIDs(w http.ResponseWriter, q url.Values) {
	after, _ := strconv.ParseInt(q.Get("ot"), 10, 64)
	before, _ := strconv.ParseInt(q.Get("c"), 10, 64)
	limit, _ := strconv.Atoi(q.Get("n"))
	label, labeled := strings.CutPrefix(q.Get("s"), streamLabel)
	refs, more := []object{}, ""
	for _, e := range slices.Backward(f.entries) {
		switch {
		case q.Get("s") == streamRead && !e.Read, q.Get("s") == streamStarred && !e.Starred, q.Get("xt") == streamRead && e.Read,
			labeled && !slices.Contains(e.Labels, label), before > 0 && e.ID >= before, !e.Published.After(time.Unix(after, 0)):
			continue
		case len(refs) == limit:
			more = fmt.Sprint(refs[len(refs)-1]["id"])
		default:
			refs = append(refs, object{"id": strconv.FormatInt(e.ID, 10)})
			continue
		}
		break
	}
	list := object{"itemRefs": refs}
	if more != "" {
		list["continuation"] = more
	}
	answer(w, 200, list)
}
