package useraccess

import (
	"context"
	"math"
	"time"

	"kairos/useraccess/rate"
)

// NextVisit returns when the next visit is expected, as learned.
func (l *Log) NextVisit(ctx context.Context, now time.Time) (time.Time, error) {
	o, err := l.Outlook(ctx, now)
	if err != nil {
		return time.Time{}, err
	}
	return NextVisit(o, now), nil
}

const (
	visitStep  = 10 * time.Minute
	visitAfter = 30 * time.Minute   // what comes before is the visit of now
	visitLast  = 7 * 24 * time.Hour // whoever comes less often is expected by then
)

// NextVisit returns the instant by which the next visit has come as probably as not: half an hour to a week after now, to the ten
// minutes.
func NextVisit(o rate.Outlook, now time.Time) time.Time {
	from := now.Add(visitAfter).Truncate(visitStep).Add(visitStep)
	expected := 0.0
	starts := o.Starts(from, visitStep, int(visitLast/visitStep), now.Location())
	for k, perHour := range starts {
		if expected += perHour * visitStep.Hours(); expected >= math.Ln2 {
			return from.Add(time.Duration(k+1) * visitStep)
		}
	}
	return from.Add(visitLast)
}
