package useraccess

import (
	"context"
	"time"
)

// NextVisit returns when the next visit is expected, as learned: the one that the plan and Insights name, too.
func (l *Log) NextVisit(ctx context.Context, now time.Time) (time.Time, error) {
	o, err := l.Outlook(ctx, now)
	if err != nil {
		return time.Time{}, err
	}
	return o.Next(now, now.Location()), nil
}
