package verbs

import (
	"time"

	"kairos/app/text"
	"kairos/poller/schedule"
)

// nextReason is why the next fetch is planned: a sentence, its code and the values of that.
type nextReason struct {
	NextReason       string        `json:"nextReason"`
	NextReasonCode   schedule.Code `json:"nextReasonCode"`
	NextReasonValues reasonValues  `json:"nextReasonValues"`
}

// reasonValues are the values of a reason; those that it does not have are left out.
type reasonValues struct {
	Visit    string           `json:"visit,omitempty"`   // when the user is expected
	Purpose  schedule.Purpose `json:"purpose,omitempty"` // without a visit
	Posts    float64          `json:"posts,omitempty"`   // articles expected
	Every    float64          `json:"everySeconds,omitempty"`
	Days     int              `json:"days,omitempty"`
	Times    int              `json:"times,omitempty"` // a day
	Failures int              `json:"failures,omitempty"`
	Ago      float64          `json:"agoSeconds,omitempty"`
}

func toNextReason(r schedule.Reason, zone *time.Location) nextReason {
	return nextReason{text.English().Reason(r, zone), r.Code, toReasonValues(r)}
}

func toReasonValues(r schedule.Reason) reasonValues {
	v := reasonValues{Purpose: r.Purpose, Posts: r.Posts, Every: r.Every.Seconds(), Days: r.Days, Times: r.Times, Failures: r.Failures, Ago: r.Ago.Seconds()}
	if !r.Visit.IsZero() {
		v.Visit = stamp(r.Visit)
	}
	return v
}
