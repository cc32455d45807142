package poller

import (
	"encoding/json"
	"fmt"
	"strings"

	"kairos/poller/schedule"
)

// Cause is what belongs to the code that says why a request was made (Outcome.Reason). The
// user's hand, a first fetch and a probe have nothing to add.
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
