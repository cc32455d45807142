package chart

import (
	"strings"
	"unicode/utf8"

	"kairos/app/accessible"
	"kairos/app/accessible/describe"
)

// mostTold is how many values of a chart are told; more are copied as a table.
const mostTold = 1000

// told is what the values of a plot are told as: a line for each that can be pointed to.
type told struct {
	of     Plot
	text   string
	starts []int // of the lines, in characters
}

// Describe implements describe.Describer: what the chart shows is read line by line, and what is pointed to is its value.
func (s *surface) Describe() describe.Node {
	n := describe.Node{Node: accessible.Node{Role: accessible.RoleChart, Name: s.chart.title, Description: s.chart.resting, States: accessible.Focusable | accessible.ReadOnly | accessible.MultiLine}}
	if s.plot == nil {
		return n
	}
	if _, y, _, _ := s.plot.axes(); n.Name == "" {
		n.Name = y.Name
	}
	s.tell()
	n.Text = &accessible.Text{Content: s.told.text, Caret: -1}
	stops := len(s.told.starts)
	if s.stop >= 0 && s.stop < stops {
		n.Text.Caret = s.told.starts[s.stop]
		n.Text.Select = [2]int{n.Text.Caret, n.Text.Caret}
		n.Value = &accessible.Value{Now: float64(s.stop), Max: float64(stops - 1), Step: 1, Text: s.plot.readout(s.stop)}
	}
	n.SelectText = func(_, to int) {
		stop := 0
		for stop+1 < stops && s.told.starts[stop+1] <= to {
			stop++
		}
		s.pinned = true
		s.point(stop)
	}
	return n
}

// tell describes the values, if it has not done so for this plot.
func (s *surface) tell() {
	if s.told.of == s.plot {
		return
	}
	var lines []string
	s.told = told{of: s.plot}
	at := 0
	for stop := range min(s.plot.stops(), mostTold) {
		line := strings.ReplaceAll(s.plot.readout(stop), "\n", " ")
		s.told.starts = append(s.told.starts, at)
		at += utf8.RuneCountInString(line) + 1
		lines = append(lines, line)
	}
	s.told.text = strings.Join(lines, "\n")
}
