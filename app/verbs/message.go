package verbs

import (
	"kairos/app/text"
	"kairos/poller"
)

// messageLine is a message for JSON: its sentence, code and values.
type messageLine struct {
	Said   string          `json:"said,omitempty"`
	Code   string          `json:"saidCode,omitempty"`
	Values *poller.Message `json:"saidValues,omitempty"`
}

func toMessageLine(m poller.Message) messageLine {
	if m.IsZero() {
		return messageLine{}
	}
	return messageLine{text.English().Message(m), m.Reason(), &m}
}
