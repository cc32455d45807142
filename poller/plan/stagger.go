package plan

// stagger chooses, for every feed with a cycle of several periods (days), the day of the cycle on
// which it is fetched, so that the fullest day costs as little as possible: short cycles
// first; a feed keeps its day if that stays within the budget. It returns what the fullest day
// costs.
func stagger(feeds []Feed, cycles []Cycle, bins int, budget float64) (fullest float64) {
	longest, base := 1, 0.0
	for i := range cycles {
		longest = max(longest, cycles[i].Every)
		if cycles[i].Every == 1 {
			base += float64(len(cycles[i].At)) * costOrOne(feeds[i].Cost)
		}
	}
	load := make([]float64, staggerDays(longest))
	for k := 2; k <= longest; k++ {
		for i := range cycles {
			if cycles[i].Every != k {
				continue
			}
			day, cost := feeds[i].Day, costOrOne(feeds[i].Cost)
			if day < 0 || day >= k || base+fullestDay(load, day, k)+cost > mostPerDay(budget) {
				day = emptiestDay(load, k)
			}
			for d := day; d < len(load); d += k {
				load[d] += cost
			}
			cycles[i].At[0] = cycles[i].At[0]%bins + day*bins
		}
	}
	return base + fullestDay(load, 0, 1)
}

// mostPerDay returns what a single day may cost: no more than the budget, but always one fetch.
func mostPerDay(budget float64) float64 { return max(1, budget) + roundingSlack }

// staggerDays returns a number of days after which all cycles up to the longest repeat; for very
// long ones, enough days for them to coincide.
func staggerDays(longest int) int {
	if longest <= 7 {
		return 420
	}
	return max(840, 4*longest)
}

// fullestDay returns the largest load of every k-th day from day on.
func fullestDay(load []float64, day, k int) (most float64) {
	for d := day; d < len(load); d += k {
		most = max(most, load[d])
	}
	return most
}

// emptiestDay returns the day of a cycle of k days whose fullest day is the least full.
func emptiestDay(load []float64, k int) (best int) {
	least, sum := -1.0, 0.0
	for day := range k {
		m, s := 0.0, 0.0
		for d := day; d < len(load); d += k {
			m, s = max(m, load[d]), s+load[d]
		}
		if least < 0 || m < least || m == least && s < sum {
			best, least, sum = day, m, s
		}
	}
	return best
}
