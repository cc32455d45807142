package verbs

import (
	"encoding/json"
	"fmt"
	"time"
)

// print prints v as one line of JSON or, without --json, the text.
func (e *env) print(v any, format string, args ...any) error {
	if e.json {
		enc := json.NewEncoder(e.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	}
	_, err := fmt.Fprintf(e.out, format+"\n", args...)
	return err
}

// complain prints an error of one part.
func (e *env) complain(format string, args ...any) {
	fmt.Fprintf(e.err, "kairos: "+format+"\n", args...)
}

// stamp formats a time as RFC 3339; "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(time.RFC3339)
}
