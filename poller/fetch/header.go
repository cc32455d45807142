package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// longestWait is the longest Retry-After that is honoured.
const longestWait = 24 * time.Hour

// validatorsOf reads the pair of a full answer: a missing one is dropped, not
// kept from before (both must come from the same answer).
func validatorsOf(h http.Header) Validators {
	return Validators{ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}
}

// merged returns v with what a 304 renews of it.
func (v Validators) merged(h http.Header) Validators {
	if tag := h.Get("ETag"); tag != "" {
		v.ETag = tag
	}
	if date := h.Get("Last-Modified"); date != "" {
		v.LastModified = date
	}
	return v
}

// set makes a request conditional; both are sent (RFC 9111 §4.3.1). What
// cannot stand in a header is left out: it would fail every request to come.
func (v Validators) set(h http.Header) {
	if v.ETag != "" && httpguts.ValidHeaderFieldValue(v.ETag) {
		h["If-None-Match"] = []string{v.ETag}
	}
	if v.LastModified != "" && httpguts.ValidHeaderFieldValue(v.LastModified) {
		h["If-Modified-Since"] = []string{v.LastModified}
	}
}

// maxAge returns for how much longer the answer is fresh: max-age, else
// Expires − Date (RFC 9111 §4.2.1), less Age. An Expires that cannot be read
// is in the past (§5.3), as is anything under no-cache or no-store. It is not said
// if the answer has none of these.
func maxAge(h http.Header, now time.Time) (left time.Duration, said bool) {
	age := seconds(h.Get("Age"))
	life := time.Duration(0)
	for _, d := range strings.Split(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(d), "=")
		switch strings.ToLower(name) {
		case "no-cache", "no-store":
			return 0, true
		case "max-age":
			if !said {
				life, said = seconds(strings.Trim(value, `"`)), true
			}
		}
	}
	if said {
		return max(0, life-age), true
	}
	if said = h.Get("Expires") != ""; !said {
		return 0, false
	}
	expires, err := http.ParseTime(h.Get("Expires"))
	if err != nil {
		return 0, true
	}
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		date = now
	}
	return max(0, expires.Sub(date)-age), true
}

// seconds reads delta-seconds; larger than 2³¹ counts as that (RFC 9111
// §1.2.2), anything else that is no number as 0.
func seconds(s string) time.Duration {
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

// retryAfter reads a Retry-After of either form (RFC 9110 §10.2.3), a day at
// most. It is 0 if there is none to go by: missing, zero, past, or nonsense.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	wait := seconds(value)
	if when, err := http.ParseTime(value); err == nil {
		wait = when.Sub(now)
	}
	return min(max(0, wait), longestWait)
}
