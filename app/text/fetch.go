package text

import "kairos/poller/fetch"

var fetchErrors = table[fetch.Code]{
	fetch.Protocol:        "{{.Host}} sent an answer that makes no sense.",
	fetch.BadAddress:      "“{{.Text}}” is not a web address.",
	fetch.DNS:             "No server named {{.Host}} was found.",
	fetch.Offline:         "There is no network connection.",
	fetch.Refused:         "{{.Host}} refused the connection.",
	fetch.Timeout:         "{{.Host}} did not answer in time.",
	fetch.TooSlow:         "{{.Host}} sends too slowly.",
	fetch.TLS:             "No secure connection to {{.Host}} could be made.",
	fetch.Reset:           "The connection to {{.Host}} broke off.",
	fetch.RedirectLoop:    "{{.Host}} redirects in a circle.",
	fetch.Auth:            "{{.Host}} wants a user name and a password ({{.Status}}).",
	fetch.Gone:            "{{.Host}} says that there is no longer anything at this address ({{.Status}}).",
	fetch.ClientError:     "{{.Host}} refused the request ({{.Status}}).",
	fetch.Busy:            "{{.Host}} is busy ({{.Status}}).",
	fetch.ServerError:     "{{.Host}} reported an internal error ({{.Status}}).",
	fetch.Portal:          "{{.Host}} lets only browsers in ({{.Status}}).",
	fetch.Waiting:         "{{.Host}} asked Kairos to wait another {{.Span}}.",
	fetch.Canceled:        "The request was canceled.",
	fetch.Unwritable:      "The file could not be written.",
	fetch.LocalAddress:    "{{.Host}} is in your local network, and feeds from the web must not lead there.",
	fetch.ResolvesLocally: "The name {{.Host}} leads into your local network, and feeds from the web must not lead there.",
}

// FetchError describes why a request brought nothing.
func (p *Printer) FetchError(e *fetch.Error) string {
	v := V{"Host": e.Host, "Status": e.Status, "Span": p.Span(e.RetryAfter), "Text": e.Address}
	if e.Host == "" {
		v["Host"] = p.L("The server")
	}
	switch {
	case e.Code == fetch.TLS && e.Certificate != "":
		return p.certificate(e.Certificate, e.Changed, v["Host"].(string), "")
	case e.Code == fetch.ClientError && e.Status == 403:
		return p.L("{{.Host}} does not allow access (403).", v)
	case e.Code == fetch.ClientError && e.Status == 404:
		return p.L("There is nothing at this address (404).", v)
	case e.Code == fetch.Busy && e.RetryAfter > 0:
		return p.L("{{.Host}} asked Kairos to wait {{.Span}} ({{.Status}}).", v)
	case e.Code == fetch.Portal && e.Status == 511:
		return p.L("The network asks you to sign in first (511).")
	}
	return say(p, fetchErrors, e.Code, v)
}
