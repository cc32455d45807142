package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// maxRetryAfter is the longest Retry-After that is honored.
const maxRetryAfter = 24 * time.Hour

// readValidators returns the validators of a full answer. Both are of the same answer: a missing one is not kept from the
// answer before.
func readValidators(h http.Header) Validators {
	return Validators{ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}
}

// renewed returns v with the validators that a 304 replaces.
func (v Validators) renewed(h http.Header) Validators {
	if tag := h.Get("ETag"); tag != "" {
		v.ETag = tag
	}
	if date := h.Get("Last-Modified"); date != "" {
		v.LastModified = date
	}
	return v
}

// setConditions makes a request conditional on both validators (RFC 9111 §4.3.1). One that is not valid in a header is left
// out, as every request to come would fail.
func (v Validators) setConditions(h http.Header) {
	if v.ETag != "" && httpguts.ValidHeaderFieldValue(v.ETag) {
		h["If-None-Match"] = []string{v.ETag}
	}
	if v.LastModified != "" && httpguts.ValidHeaderFieldValue(v.LastModified) {
		h["If-Modified-Since"] = []string{v.LastModified}
	}
}

// maxAge returns for how much longer the answer is fresh: max-age, else Expires − Date (RFC 9111 §4.2.1), less Age. It is 0
// for an Expires that cannot be parsed (§5.3), and for no-cache and no-store. ok is false if the answer has none of these.
func maxAge(h http.Header, now time.Time) (left time.Duration, ok bool) {
	age := parseSeconds(h.Get("Age"))
	lifetime := time.Duration(0)
	for _, d := range strings.Split(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(d), "=")
		switch strings.ToLower(name) {
		case "no-cache", "no-store":
			return 0, true
		case "max-age":
			if !ok {
				lifetime, ok = parseSeconds(strings.Trim(value, `"`)), true
			}
		}
	}
	if ok {
		return max(0, lifetime-age), true
	}
	if h.Get("Expires") == "" {
		return 0, false
	}
	expires, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return 0, true
	}
	return max(0, expires.Sub(dateOf(h, now))-age), true
}

// dateOf returns when an answer was sent, by the clock of its server, which its other dates are of; now if it does not say.
func dateOf(h http.Header, now time.Time) time.Time {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return date
	}
	return now
}

// parseSeconds parses delta-seconds. More than 2³¹ counts as 2³¹ (RFC 9111 §1.2.2), and what is not a number as 0.
func parseSeconds(s string) time.Duration {
	const most = 1 << 31
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > most {
		n = most
	}
	return time.Duration(n) * time.Second
}

// parseRetryAfter parses a Retry-After of either form (RFC 9110 §10.2.3), of a day at most. It is 0 if there is none, or one
// that is zero, past or malformed.
func parseRetryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	wait := parseSeconds(value)
	if when, err := http.ParseTime(value); err == nil {
		wait = when.Sub(dateOf(h, now))
	}
	return min(max(0, wait), maxRetryAfter)
}
