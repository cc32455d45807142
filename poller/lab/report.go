package lab

import (
	"encoding/json"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// Report is a paper's table as replayed.
type Report struct {
	rows  []any // as JSON
	parts []part
}

// part is one table of it.
type part struct {
	title string
	heads [][]string
	lines [][]string
	says  []string // what the paper reports, and what to know in comparing
}

// WriteJSON writes the rows, a JSON object a line.
func (r *Report) WriteJSON(out io.Writer) error {
	enc := json.NewEncoder(out)
	for _, row := range r.rows {
		if err := enc.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// WriteTable writes the tables for people.
func (r *Report) WriteTable(out io.Writer) error {
	var text strings.Builder
	for i, p := range r.parts {
		if i > 0 {
			text.WriteString("\n")
		}
		text.WriteString(p.title + "\n")
		w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
		t := table{w: w}
		for _, line := range append(p.heads, p.lines...) {
			t.line("%s\t", strings.Join(line, "\t"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
		for _, say := range p.says {
			text.WriteString(say + "\n")
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// known is a figure as JSON has it: what is not known, or infinite, is null.
type known float64

// MarshalJSON writes a number or null.
func (k known) MarshalJSON() ([]byte, error) {
	if x := float64(k); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return json.Marshal(x)
	}
	return []byte("null"), nil
}

// geometric is the geometric mean of ratios.
func geometric(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios))) // NaN of none
}
