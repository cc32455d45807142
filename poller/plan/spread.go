package plan

import "math"

// spread gives every feed with a cycle of several periods the day of the cycle
// on which it is fetched, so that the fullest day is as empty as can be: short
// cycles first, each keeping the day it had if that stays within the budget.
// It returns the fullest day's fetches.
func spread(feeds []Feed, cycles []Cycle, bins int, budget float64) (fullest int) {
	longest, base := 1, 0
	for i := range cycles {
		longest = max(longest, cycles[i].Every)
		if cycles[i].Every == 1 {
			base += len(cycles[i].At)
		}
	}
	load := make([]int, window(longest))
	for k := 2; k <= longest; k++ {
		for i := range cycles {
			if cycles[i].Every != k {
				continue
			}
			day := feeds[i].Day
			if day < 0 || day >= k || base+peak(load, day, k)+1 > perDay(budget) {
				day = emptiest(load, k)
			}
			for d := day; d < len(load); d += k {
				load[d]++
			}
			cycles[i].At[0] = cycles[i].At[0]%bins + day*bins
		}
	}
	return base + peak(load, 0, 1)
}

// perDay is how many fetches a single day may hold.
func perDay(budget float64) int { return max(1, int(math.Min(budget+tiny, math.MaxInt32))) }

// window is a number of days after which all cycles up to the longest repeat, or
// for very long ones enough to see them meet.
func window(longest int) int {
	if longest <= 7 {
		return 420
	}
	return max(840, 4*longest)
}

func peak(load []int, day, k int) (most int) {
	for d := day; d < len(load); d += k {
		most = max(most, load[d])
	}
	return most
}

func emptiest(load []int, k int) (best int) {
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
