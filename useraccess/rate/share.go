package rate

// Share is what is known of how much of a feed its user reads: of the accesses at
// which it had an unread article (Offered), at how many one was opened (Opened).
type Share struct {
	Offered float64 `json:"offered"`
	Opened  float64 `json:"opened"`
}

const (
	shareFloor = 0.1 // of the mean of all feeds: what was passed over stays worth a look
	// Before anything is known: three of ten, worth four accesses a feed.
	shareMean     = 0.3
	shareStrength = 4.0
	fewShares     = 5 // feeds with data below which the strength is not fitted
	// What a fit may come to, in accesses: a handful of feeds can look more alike than
	// they are or more unlike, and the first would stop learning for good.
	strongest, weakest = 100.0, 0.5
)

// ShareMemory is the weight a past access keeps in a feed's share at the next
// one: habits of some 70 accesses ago, about a week at ten a day, count half.
const ShareMemory = 0.99

// AfterOffer is the share after one more access at which the feed had an unread article.
func (s Share) AfterOffer() Share {
	return Share{Offered: float64(s.Offered*ShareMemory) + 1, Opened: s.Opened * ShareMemory}
}

// AfterOpening is the share once an article was opened at that access.
func (s Share) AfterOpening() Share { return Share{Offered: s.Offered, Opened: s.Opened + 1} }

// Shares is, for each feed, the posterior mean of the share at which it is read,
// under a Beta prior fitted to all of them by moments. No share is below a tenth of
// their mean.
func Shares(obs []Share) []float64 {
	mean, strength := fitBeta(obs)
	out, sum := make([]float64, len(obs)), 0.0
	for i, o := range obs {
		o = o.sane()
		out[i] = (mean*strength + o.Opened) / (strength + o.Offered)
		sum += out[i]
	}
	floor := shareFloor * sum / float64(max(1, len(obs)))
	for i := range out {
		out[i] = max(floor, out[i])
	}
	return out
}

// sane keeps the numbers what they mean: 0 ≤ opened ≤ offered.
func (s Share) sane() Share {
	s.Offered = max(0, s.Offered)
	s.Opened = min(max(0, s.Opened), s.Offered)
	return s
}

// fitBeta is the mean and strength α+β of the Beta prior. The variance between
// feeds is what their shares vary more than chance would have them (the moments of the
// Beta–binomial, feeds weighted by their offers).
func fitBeta(obs []Share) (mean, strength float64) {
	var offered, opened, squares float64
	feeds := 0
	for _, o := range obs {
		o = o.sane()
		offered, opened, squares = offered+o.Offered, opened+o.Opened, squares+o.Offered*o.Offered
		if o.Offered > 0 {
			feeds++
		}
	}
	mean = (shareMean*shareStrength + opened) / (shareStrength + offered)
	if feeds < fewShares {
		return mean, shareStrength
	}
	spread := 0.0
	for _, o := range obs {
		if o = o.sane(); o.Offered > 0 {
			d := o.Opened/o.Offered - mean
			spread += o.Offered * d * d
		}
	}
	// E spread = v·[chance·(F−1) + between·(offered − Σn²/offered)], v = mean(1−mean).
	v := mean * (1 - mean)
	room := offered - squares/offered
	if v <= 0 || room <= 0 {
		return mean, shareStrength
	}
	between := (spread/v - float64(feeds-1)) / (room - float64(feeds-1))
	if !(between > 0) {
		return mean, strongest
	}
	return mean, min(strongest, max(weakest, 1/between-1))
}
