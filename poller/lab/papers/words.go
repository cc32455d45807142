package papers

import (
	"fmt"
	"slices"
	"strings"

	"kairos/poller/lab"
)

// The sentences of the page follow the numbers: what a table shows is said by the functions here, which look at it.

// userNames names users by their places: "u2, u3 and u5", or "all six".
func userNames(places []int) string {
	if len(places) == heParkerUsers {
		return "all six"
	}
	names := make([]string, len(places))
	for i, u := range places {
		names[i] = fmt.Sprintf("u%d", u+1)
	}
	return and(names)
}

// and joins words: "a", "a and b", "a, b and c".
func and(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// leastOf says which row is the least in sum and for which users: "alike in sum; alike for u1, delay ∛ for u2 and u3". Ties
// count for both.
func leastOf(rows []string, value func(row, user int) float64) string {
	sums := make([]float64, len(rows))
	users := make([][]int, len(rows))
	for u := range heParkerUsers {
		least := value(0, u)
		for r := range rows {
			sums[r] += value(r, u)
			least = min(least, value(r, u))
		}
		for r := range rows {
			if value(r, u) == least {
				users[r] = append(users[r], u)
			}
		}
	}
	var by []string
	for r, name := range rows {
		if len(users[r]) > 0 {
			by = append(by, fmt.Sprintf("%s for %s", name, userNames(users[r])))
		}
	}
	return fmt.Sprintf("%s in sum; %s", rows[slices.Index(sums, slices.Min(sums))], strings.Join(by, ", "))
}

// shareOf says how large one row is beside another: "0.92 in sum, 0.43 to 1.70 by user, less for 3 of 6".
func shareOf(one, other func(user int) float64) string {
	sum, all, less := 0.0, 0.0, 0
	var ratios []float64
	for u := range heParkerUsers {
		sum, all = sum+one(u), all+other(u)
		if one(u) < other(u) {
			less++
		}
		if other(u) > 0 {
			ratios = append(ratios, one(u)/other(u))
		}
	}
	return fmt.Sprintf("%s in sum, %s by user, less for %d of %d", lab.FormatNumber(sum/all, 2), rangeOf(ratios), less, heParkerUsers)
}

// rangeOf says from where to where numbers reach: "0.43 to 1.70".
func rangeOf(x []float64) string {
	if len(x) == 0 {
		return "none"
	}
	lo, hi := lab.FormatNumber(slices.Min(x), 2), lab.FormatNumber(slices.Max(x), 2)
	if lo == hi {
		return lo
	}
	return lo + " to " + hi
}
