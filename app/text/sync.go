package text

import "kairos/poller/sync"

var syncErrors = table[sync.Code]{
	sync.Unreachable: "{{.Host}} cannot be reached.",
	sync.Insecure:    "The certificate of {{.Host}} is not valid. Kairos did not send the password.",
	sync.Refused:     "{{.Host}} does not accept the user name and password.",
	sync.NoAPI:       "{{.Host}} does not answer like a server to sync with. Check the address.",
	sync.Busy:        "{{.Host}} is busy. Kairos tries again later.",
	sync.Faulty:      "{{.Host}} reported an internal error.",
	sync.Garbled:     "The answer of {{.Host}} is incomplete or unreadable.",
	sync.Rejected:    "{{.Host}} does not accept this change.",
}

// SyncError words why a server to sync with did not do what it was asked.
func (p *Printer) SyncError(e *sync.Error) string {
	host := e.Host
	if host == "" {
		host = p.L("The server")
	}
	return say(p, syncErrors, e.Code, V{"Host": host})
}
