package home

import (
	"context"

	"kairos/poller"
)

// realized tells the poller what was realized in the last days.
func (h *Home) realized(ctx context.Context, days int) (poller.Realized, error) {
	r, err := h.Insights.Realized(ctx, days)
	if err != nil || !r.Known {
		return poller.Realized{}, err
	}
	return poller.Realized{Days: r.Days(), Visits: r.Visits, Posts: r.Posts, Ready: r.Actual.Ready / 100, Late: r.Actual.MeanLate,
		Fetches: r.RequestsPerDay()}, nil
}
