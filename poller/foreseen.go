package poller

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"kairos/poller/schedule"
	"kairos/reader"
)

// Foreseen is which visits a plan was made for: those that the outlook expected of the day after it, given when the last one was.
type Foreseen struct {
	At, Last time.Time // Last is the last visit known then; zero if there was none
	// Visits are those expected in each of ForeseenBins.
	Visits []float64
}

// ForeseenBins are the bins of a Foreseen, one after the other: most is told about the first hours, in which visits follow the last one.
func ForeseenBins() (bins []time.Duration) {
	for range 16 {
		bins = append(bins, 15*time.Minute)
	}
	for range 20 {
		bins = append(bins, time.Hour)
	}
	return bins
}

const (
	// foreseenKept is how long it is kept what plans were made for, as long as the ledger.
	foreseenKept = 31 * day
	// foreseenEvery is how often it is stored, unless there was a visit since.
	foreseenEvery = time.Hour
)

// foresee returns which visits a plan is made for.
func foresee(in *schedule.Inputs) Foreseen {
	bins := ForeseenBins()
	f := Foreseen{At: in.Now, Last: in.Access.Last, Visits: make([]float64, len(bins))}
	perHour := in.Access.Sample(in.Now, bins[0], int(day/bins[0]), in.Now.Location())
	for i, bin := range bins {
		n := int(bin / bins[0])
		for _, x := range perHour[:n] {
			f.Visits[i] += x * bins[0].Hours()
		}
		f.Visits[i], perHour = math.Round(f.Visits[i]*1e5)/1e5, perHour[n:]
	}
	return f
}

// lastKnown is the last visit that a plan knows, in Unix seconds; 0 if there was none.
func lastKnown(in *schedule.Inputs) int64 {
	if in.Access.Last.IsZero() {
		return 0
	}
	return in.Access.Last.Unix()
}

// foreseenAt is of which plan it was stored last what it was made for.
type foreseenAt struct {
	at   time.Time
	last int64 // visit known then
}

// isNew reports whether that of a plan is to be stored, and takes it to be.
func (f *foreseenAt) isNew(in *schedule.Inputs) bool {
	last := lastKnown(in)
	if f.last == last && !f.at.After(in.Now) && in.Now.Sub(f.at) < foreseenEvery {
		return false
	}
	f.at, f.last = in.Now, last
	return true
}

// AllForeseen reads which visits the plans since a time were made for, oldest first. What cannot be read is left out.
func AllForeseen(ctx context.Context, store *reader.Store, since time.Time) (all []Foreseen, err error) {
	rows, err := store.Read().QueryContext(ctx, "SELECT at, last, visits FROM foreseen WHERE at >= ? ORDER BY at", since.Unix())
	if err != nil {
		return nil, fmt.Errorf("read which visits were foreseen: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var at, last int64
		var visits []byte
		if err := rows.Scan(&at, &last, &visits); err != nil {
			return nil, fmt.Errorf("read which visits were foreseen: %w", err)
		}
		f := Foreseen{At: time.Unix(at, 0)}
		if last > 0 {
			f.Last = time.Unix(last, 0)
		}
		if json.Unmarshal(visits, &f.Visits) == nil && len(f.Visits) == len(ForeseenBins()) {
			all = append(all, f)
		}
	}
	return all, rows.Err()
}
