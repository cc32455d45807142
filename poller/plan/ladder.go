package plan

// rung is a frequency on the ladder 1/7, 1/6 … 1/2, 1, 2, 3 … fetches per period: m ≥ 1 is m
// fetches every period, 0 is one every 2 periods, −1 one every 3, and so on.
type rung int

// baseRung is the rung that every feed gets as long as the budget reaches.
const baseRung = rung(2 - 7)

// everyRung returns the rung of one fetch every k periods, k ≥ 1.
func everyRung(k int) rung { return rung(2 - k) }

// every returns the number of periods of the rung's cycle, fetches that of its fetches.
func (r rung) every() int   { return max(1, 2-int(r)) }
func (r rung) fetches() int { return max(1, int(r)) }

// frequency returns the fetches per period.
func (r rung) frequency() float64 { return float64(r.fetches()) / float64(r.every()) }

// step returns the difference to the next rung, in fetches per period.
func (r rung) step() float64 {
	if k := r.every(); k > 2 {
		return 1 / float64(k*(k-1))
	}
	return (r + 1).frequency() - r.frequency()
}
