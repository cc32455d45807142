package poller

import (
	"encoding/json"
	"fmt"
	"strings"

	"kairos/poller/schedule"
)

// Cause holds the values that belong to the reason of a request (Outcome.Reason). Manual and
// first fetches and probes have none.
type Cause struct {
	schedule.Reason        // of a background fetch
	Site            string `json:"site,omitempty"` // whose icon, picture, page or file it was for
	Text            string `json:"text,omitempty"` // a sentence that an earlier version stored
}

// stored writes a cause as the ledger keeps it.
func (c Cause) stored() (string, error) {
	switch {
	case c == (Cause{}):
		return "", nil
	case c.Text != "":
		return c.Text, nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("store why a request was made: %w", err)
	}
	return string(text), nil
}

// readCause reads a cause from the ledger.
func readCause(stored string) (c Cause) {
	if strings.HasPrefix(stored, "{") && json.Unmarshal([]byte(stored), &c) == nil {
		return c
	}
	return Cause{Text: stored}
}
