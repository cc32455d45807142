package rate

import "math"

// Kernels are spread by their standard deviation in minutes: as sharp as a cron job, a habit, an
// inclination; within the hour as sharp as a cron job or a slow one. Their density falls like that
// of the logistic distribution, so that a stray event is not impossible.
var (
	dayKernels  = [...][]float64{kernel(4, dayMinutes), kernel(12, dayMinutes), kernel(40, dayMinutes)}
	hourKernels = [...][]float64{kernel(1.5, hourMinutes), kernel(5, hourMinutes)}
	// binKernels are dayKernels as parts of an event's mass in the bins of a Rate around its own, by
	// the minute of the event within its bin.
	binKernels = [len(dayKernels)][binMinutes][]float64{binned(dayKernels[0], 4), binned(dayKernels[1], 12), binned(dayKernels[2], 40)}
)

// fadedDays and fadedMinutes are what is left of an event's weight after so many days and minutes, by
// memory.
var fadedDays, fadedMinutes = faded(latestFor/dayMinutes+1, dayMinutes), faded(dayMinutes, 1)

func faded(n, minutes int) (left [len(memories)][]float64) {
	for m := range left {
		for k := range n {
			left[m] = append(left[m], math.Exp2(-float64(k*minutes)/memories[m]))
		}
	}
	return left
}

// fading returns 2^(−age/half-life) of a memory, for an age in minutes.
func fading(memory int, age int32) float64 {
	days, minutes := age/dayMinutes, age%dayMinutes
	if uint(days) >= uint(len(fadedDays[memory])) || minutes < 0 {
		return math.Exp2(-float64(age) / memories[memory])
	}
	return fadedDays[memory][days] * fadedMinutes[memory][minutes]
}

// kernel returns the mass per minute on a circle, by the distance from the event in minutes, of mass 1.
func kernel(sd float64, circle int) []float64 {
	k, sum := make([]float64, circle/2+1), 0.0
	scale := sd * math.Sqrt(3) / math.Pi
	for d := range k {
		c := math.Cosh(float64(d) / 2 / scale)
		k[d] = 1 / (c * c)
		sum += 2 * k[d]
	}
	sum -= k[0] + k[circle/2]
	for d := range k {
		k[d] /= sum
	}
	return k
}

// binned returns the masses of a kernel in bins of binMinutes, from some bins before that of the event
// to as many after it, by the event's minute within its bin. Together they are 1.
func binned(k []float64, sd float64) (out [binMinutes][]float64) {
	reach := int(6*sd)/binMinutes + 1
	for minute := range out {
		mass, sum := make([]float64, 2*reach+1), 0.0
		for j := range mass {
			for m := range binMinutes {
				d := (j-reach)*binMinutes + m - minute
				mass[j] += k[max(d, -d)]
			}
			sum += mass[j]
		}
		for j := range mass {
			mass[j] /= sum
		}
		out[minute] = mass
	}
	return out
}
