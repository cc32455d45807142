package rate

// Share counts how often a user reads a feed: Offered is the number of accesses at which it had an
// unread article, Opened the number of those at which one was opened.
type Share struct {
	Offered float64 `json:"offered"`
	Opened  float64 `json:"opened"`
}

const (
	// shareFloor is the least share, of the mean of all feeds: an ignored feed is still fetched.
	shareFloor = 0.1
	// The prior before anything is known: a mean of three in ten, worth four accesses.
	shareMean     = 0.3
	shareStrength = 4.0
	// minFeedsToFit is the number of feeds with data from which on the strength is fitted.
	minFeedsToFit = 5
	// Bounds of a fitted strength, in accesses: a few feeds may look more alike or more different
	// than they are, and looking too much alike would stop the learning for good.
	maxStrength, minStrength = 100.0, 0.5
)

// ShareMemory is the weight that a past access keeps in a feed's share at the next one: an access
// counts half after some 70 more, about a week at ten a day.
const ShareMemory = 0.99

// AfterOffer returns the share after one more access at which the feed had an unread article.
func (s Share) AfterOffer() Share {
	return Share{Offered: float64(s.Offered*ShareMemory) + 1, Opened: s.Opened * ShareMemory}
}

// AfterOpening returns the share after an article was opened at that access.
func (s Share) AfterOpening() Share { return Share{Offered: s.Offered, Opened: s.Opened + 1} }

// Shares returns, for each feed, the posterior mean of the share of accesses at which it is read,
// under a Beta prior fitted to all feeds by moments. No share is below a tenth of their mean.
func Shares(obs []Share) []float64 {
	mean, strength := fitBeta(obs)
	out, sum := make([]float64, len(obs)), 0.0
	for i, o := range obs {
		o = o.clamped()
		out[i] = (mean*strength + o.Opened) / (strength + o.Offered)
		sum += out[i]
	}
	floor := shareFloor * sum / float64(max(1, len(obs)))
	for i := range out {
		out[i] = max(floor, out[i])
	}
	return out
}

// clamped makes sure that 0 ≤ Opened ≤ Offered.
func (s Share) clamped() Share {
	s.Offered = max(0, s.Offered)
	s.Opened = min(max(0, s.Opened), s.Offered)
	return s
}

// fitBeta returns the mean and the strength α+β of the Beta prior. The variance between feeds is the
// variance of their shares beyond chance (the moments of the Beta–binomial, feeds weighted by
// their offers).
func fitBeta(obs []Share) (mean, strength float64) {
	var offered, opened, squares float64
	feeds := 0
	for _, o := range obs {
		o = o.clamped()
		offered, opened, squares = offered+o.Offered, opened+o.Opened, squares+o.Offered*o.Offered
		if o.Offered > 0 {
			feeds++
		}
	}
	mean = (shareMean*shareStrength + opened) / (shareStrength + offered)
	if feeds < minFeedsToFit {
		return mean, shareStrength
	}
	spread := 0.0
	for _, o := range obs {
		if o = o.clamped(); o.Offered > 0 {
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
		return mean, maxStrength
	}
	return mean, min(maxStrength, max(minStrength, 1/between-1))
}
