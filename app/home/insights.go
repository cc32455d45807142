package home

import (
	"context"

	"kairos/poller"
)

// realised tells the poller what was realised in the last days.
func (h *Home) realised(ctx context.Context, days int) (poller.Realised, error) {
	r, err := h.Insights.Realised(ctx, days)
	if err != nil || !r.Known {
		return poller.Realised{}, err
	}
	return poller.Realised{Days: r.Days(), Visits: r.Visits, Posts: r.Posts, Ready: r.Actual.Ready / 100, Wait: r.Actual.Wait,
		Fetches: r.RequestsPerDay()}, nil
}
