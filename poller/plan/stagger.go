package plan

import "math"

// stagger chooses, for every feed with a cycle of several periods (days), the day of the cycle on
// which it is fetched, so that the fullest day has as few requests as possible: short cycles
// first; a feed keeps its day if that stays within the budget. It returns the number of requests
// on the fullest day.
func stagger(feeds []Feed, cycles []Cycle, bins int, budget float64) (fullest int) {
	longest, base := 1, 0
	for i := range cycles {
		longest = max(longest, cycles[i].Every)
		if cycles[i].Every == 1 {
			base += len(cycles[i].At) * max(1, feeds[i].Requests)
		}
	}
	load := make([]int, staggerDays(longest))
	for k := 2; k <= longest; k++ {
		for i := range cycles {
			if cycles[i].Every != k {
				continue
			}
			day, requests := feeds[i].Day, max(1, feeds[i].Requests)
			if day < 0 || day >= k || base+fullestDay(load, day, k)+requests > fetchesPerDay(budget) {
				day = emptiestDay(load, k)
			}
			for d := day; d < len(load); d += k {
				load[d] += requests
			}
			cycles[i].At[0] = cycles[i].At[0]%bins + day*bins
		}
	}
	return base + fullestDay(load, 0, 1)
}

// fetchesPerDay returns how many fetches a single day may have.
func fetchesPerDay(budget float64) int {
	return max(1, int(math.Min(budget+roundingSlack, math.MaxInt32)))
}

// staggerDays returns a number of days after which all cycles up to the longest repeat; for very
// long ones, enough days for them to coincide.
func staggerDays(longest int) int {
	if longest <= 7 {
		return 420
	}
	return max(840, 4*longest)
}

// fullestDay returns the largest load of every k-th day from day on.
func fullestDay(load []int, day, k int) (most int) {
	for d := day; d < len(load); d += k {
		most = max(most, load[d])
	}
	return most
}

// emptiestDay returns the day of a cycle of k days whose fullest day is the least full.
func emptiestDay(load []int, k int) (best int) {
	least, sum := -1, 0
	for day := range k {
		m, s := 0, 0
		for d := day; d < len(load); d += k {
			m, s = max(m, load[d]), s+load[d]
		}
		if least < 0 || m < least || m == least && s < sum {
			best, least, sum = day, m, s
		}
	}
	return best
}
