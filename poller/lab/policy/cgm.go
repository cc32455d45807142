package policy

import "kairos/poller/lab/published"

// Cho & Garcia-Molina's policies (2003), at equal intervals, on posterior rates.
var (
	// CGMAge minimizes the age of the oldest unfetched post.
	CGMAge = Recipe{Rates: Posterior, Split: splitByLaw(&published.AgeLaw)}.Policy("cgm-age")
	// CGMFreshness maximizes the share of time in which nothing is unfetched.
	CGMFreshness = Recipe{Rates: Posterior, Split: splitByLaw(&published.FreshnessLaw)}.Policy("cgm-freshness")
)
