package text

import (
	"strings"
	"testing"
	"time"

	"kairos/poller"
	"kairos/poller/fetch"
	"kairos/poller/report"
	"kairos/reader/parse"
)

func TestFetchErrors(t *testing.T) {
	worded(t, func(p *Printer, c fetch.Code) string {
		return p.FetchError(&fetch.Error{Code: c, Host: "example.org", Status: 500})
	})
	for _, c := range []struct {
		e    fetch.Error
		want string
	}{
		{fetch.Error{Code: fetch.DNS, Host: "a.example"}, "No server named a.example was found."},
		{fetch.Error{Code: fetch.ServerError, Host: "a.example", Status: 500}, "a.example reported an internal error (500)."},
		{fetch.Error{Code: fetch.ClientError, Host: "a.example", Status: 403}, "a.example does not allow access (403)."},
		{fetch.Error{Code: fetch.ClientError, Host: "a.example", Status: 404}, "There is nothing at this address (404)."},
		{fetch.Error{Code: fetch.ClientError, Host: "a.example", Status: 451}, "a.example refused the request (451)."},
		{fetch.Error{Code: fetch.Busy, Host: "a.example", Status: 503}, "a.example is busy (503)."},
		{fetch.Error{Code: fetch.Busy, Host: "a.example", Status: 429, RetryAfter: 2 * time.Hour}, "a.example asked Kairos to wait 2 h (429)."},
		{fetch.Error{Code: fetch.Waiting, Host: "a.example", RetryAfter: 20 * time.Minute}, "a.example asked Kairos to wait another 20 min."},
		{fetch.Error{Code: fetch.Portal, Host: "a.example", Status: 511}, "The network asks you to sign in first (511)."},
		{fetch.Error{Code: fetch.BadAddress, Address: "ftp://a"}, "“ftp://a” is not a web address."},
		{fetch.Error{Code: fetch.Timeout}, "The server did not answer in time."},
	} {
		if got := English().Error(&c.e); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestMessages(t *testing.T) {
	worded(t, func(p *Printer, c poller.FileErrorCode) string {
		return p.fileError(&poller.FileError{Code: c, Path: "/a"})
	})
	worded(t, func(p *Printer, c poller.MessageCode) string {
		return p.Message(poller.Message{Code: c, Address: "http://a.example/"})
	})
	dead := poller.Message{Code: poller.RequestFailed, Fetch: &fetch.Error{Code: fetch.DNS, Host: "a.example"}}
	for _, c := range []struct {
		m    poller.Message
		want string
	}{
		{poller.Message{}, ""},
		{dead, "No server named a.example was found."},
		{poller.Message{Code: poller.NotAFeed, Parse: &parse.Error{Code: parse.WebPage}}, "This is a web page, not a feed."},
		{poller.Message{Code: poller.JustChecked, Ago: 20 * time.Second}, "Checked 20 s ago."},
		{poller.Message{Code: poller.JustChecked, Ago: 20 * time.Second, Last: &dead}, "Checked 20 s ago. No server named a.example was found."},
		{poller.Message{Code: poller.OtherMessage, Text: "No such file."}, "No such file."},
		{poller.Message{Code: "of a later version"}, "The fetch failed."},
	} {
		if got := English().Message(c.m); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	at := time.Date(2026, 3, 3, 8, 0, 0, 0, time.UTC)
	missing := poller.Message{Code: poller.RequestFailed, Fetch: &fetch.Error{Code: fetch.ClientError, Host: "a.example", Status: 404}}
	cut := poller.Message{Code: poller.FeedRepaired, Warnings: []parse.Warning{{Code: parse.EncodingGuessed, Encoding: "UTF-8"}}}
	for _, c := range []struct {
		o            poller.Outcome
		want, german string
	}{
		{poller.Outcome{Result: poller.Stored, New: 2, Updated: 1}, "2 new, 1 edited", "2 neu, 1 geändert"},
		{poller.Outcome{Result: poller.Stored, New: 2}, "2 new", "2 neu"},
		{poller.Outcome{Result: poller.Stored}, "nothing new", "nichts Neues"},
		{poller.Outcome{Result: poller.Unchanged, Status: 304}, "unchanged (304)", "unverändert (304)"},
		{poller.Outcome{Result: poller.Unchanged, Status: 200}, "unchanged (same content)", "unverändert (gleicher Inhalt)"},
		{poller.Outcome{Result: poller.Failed, Message: missing}, "There is nothing at this address (404).", "Unter dieser Adresse gibt es nichts (404)."},
		{poller.Outcome{Reason: poller.Icon, Result: poller.Stored}, "an icon", "ein Symbol"},
		{poller.Outcome{Reason: poller.Icon, Result: poller.None}, "the page that may name it", "die Seite, die es nennen könnte"},
		{poller.Outcome{Reason: poller.Picture, Result: poller.Stored}, "a picture", "ein Bild"},
		{poller.Outcome{Reason: poller.File, Result: poller.Stored, Bytes: 31e6}, "a file of 31 MB", "eine Datei von 31 MB"},
	} {
		if got := English().Outcome(&c.o); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := printers(t)["de"].Outcome(&c.o); got != c.german {
			t.Errorf("%q, want %q", got, c.german)
		}
	}
	for _, c := range []struct {
		last poller.Outcome
		want string
	}{
		{poller.Outcome{}, "Never fetched yet."},
		{poller.Outcome{At: at, Reason: poller.Manual, Result: poller.Unchanged, Status: 304}, "08:00, by hand: unchanged (304)."},
		{poller.Outcome{At: at, Reason: poller.Planned, Result: poller.Stored, New: 3, Message: cut}, "08:00, planned: 3 new (" + strings.TrimSuffix(English().ParseWarning(cut.Warnings[0]), ".") + ")."},
		{poller.Outcome{At: at, Reason: poller.Retry, Result: poller.Failed, Message: missing}, "08:00, trying again: There is nothing at this address (404)."},
	} {
		if got := English().LastResult(&report.Report{At: at, Last: c.last}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	worded(t, (*Printer).fetchReason)
}
