package session

// Step is a move from the current article to another one of the list.
type Step int

// The steps.
const (
	NoStep Step = iota
	ToNext
	ToPrevious
	ToNextUnread
)

// Postpone reports whether the list is still to come, and has a step wait for it. Only the last one waits.
func (l *List) Postpone(s Step) bool {
	if l.Awaited {
		l.postponed = s
	}
	return l.Awaited
}

// Postponed returns the step that has waited for the list, and forgets it.
func (l *List) Postponed() Step {
	s := l.postponed
	l.postponed = NoStep
	return s
}

// DropStep says that the user does something else than what waits for the list.
func (l *List) DropStep() { l.postponed = NoStep }
