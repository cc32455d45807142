package rate

import "math"

// What the population does, by hours since the last event (rows, ageNodes) and by events a day (columns, classNodes): logarithms of the
// rate relative to the usual one, linear between the nodes by the logarithms of both. Succession tells what they were fitted to. What few
// events tell was smoothed, and no source is expected to come back oftener than usual for having been silent for ten times as long as usual.
var (
	ageNodes   = [...]float64{.1, .3, 1, 3, 8, 16, 32, 64, 128, 256, 512, 1024}
	classNodes = [...]float64{.01, .04, .15, .5, 1.5, 5, 15, 50}

	// silentLogs holds if there was no event since the last known one.
	silentLogs = [len(ageNodes)][len(classNodes)]float64{
		{4.03, 3.33, 2.63, 1.94, 1.27, 0.65, 0.09, -0.41},
		{3.45, 2.75, 2.06, 1.40, 0.83, 0.37, 0.02, -0.23},
		{2.83, 2.17, 1.50, 0.88, 0.43, 0.18, 0.01, -0.09},
		{2.10, 1.57, 1.00, 0.49, 0.15, 0.10, 0.07, -0.02},
		{1.22, 0.90, 0.54, 0.24, 0.07, 0.02, 0.05, 0.04},
		{0.25, 0.27, 0.23, 0.11, 0.03, -0.01, 0.10, 0.14},
		{-0.67, -0.34, -0.01, -0.13, -0.32, -0.26, 0.04, 0.14},
		{-1.27, -0.91, -0.32, -0.30, -0.22, -0.03, 0.13, 0.20},
		{-1.24, -0.95, -0.20, -0.17, 0.05, 0.15, 0.21, 0.32},
		{-0.55, -0.50, -0.26, 0.01, 0.00, 0.00, 0.00, 0.00},
		{0.36, -1.04, -0.92, -0.58, -0.19, 0.00, 0.00, 0.00},
		{1.96, -1.04, -0.92, -0.98, -0.90, 0.00, 0.00, 0.00},
	}
	// sinceLogs holds whatever has come since.
	sinceLogs = [len(ageNodes)][len(classNodes)]float64{
		{3.99, 3.36, 2.75, 2.12, 1.47, 0.80, 0.20, -0.33},
		{3.46, 2.85, 2.28, 1.74, 1.10, 0.44, 0.03, -0.10},
		{2.91, 2.35, 1.78, 1.26, 0.62, 0.11, -0.09, 0.02},
		{2.28, 1.83, 1.22, 0.64, 0.13, -0.07, -0.03, 0.02},
		{1.44, 1.16, 0.68, 0.21, -0.01, -0.04, 0.01, 0.02},
		{0.45, 0.50, 0.43, 0.20, 0.12, 0.01, -0.07, 0.02},
		{-0.47, -0.03, 0.40, 0.24, 0.05, -0.01, -0.04, 0.03},
		{-1.03, -0.51, 0.20, 0.05, -0.03, -0.07, 0.01, 0.05},
		{-1.01, -0.71, 0.12, -0.11, -0.15, -0.10, -0.16, -0.07},
		{-0.50, -0.34, 0.08, -0.10, -0.07, -0.11, 0.00, 0.00},
		{0.02, -0.24, -0.03, 0.43, 0.00, 0.00, 0.00, 0.00},
		{0.65, -0.24, -0.36, -0.09, 0.00, 0.00, 0.00, 0.00},
	}

	// suddenLogs is by how much a burst raises the logarithm, so many hours ahead.
	suddenNodes = [...]float64{.5, 3, 12, 48}
	suddenLogs  = [len(suddenNodes)]float64{.50, .24, .14, .05}
)

// typical is what sources of one class do, by ageNodes.
type typical struct{ silent, since [len(ageNodes)]float64 }

// typicalOf returns what sources with so many events a day do.
func typicalOf(perDay float64) (c typical) {
	k, share := locate(classNodes[:], perDay)
	for i := range ageNodes {
		c.silent[i] = mix(silentLogs[i][k], silentLogs[i][k+1], share)
		c.since[i] = mix(sinceLogs[i][k], sinceLogs[i][k+1], share)
	}
	return c
}

// log returns the logarithm of the rate relative to the usual one so many hours after the last known event, of which a share was not
// looked at.
func (c *typical) log(age, unseen float64) float64 {
	k, share := locate(ageNodes[:], age)
	return mix(mix(c.silent[k], c.silent[k+1], share), mix(c.since[k], c.since[k+1], share), unseen)
}

// suddenLog returns what is left of a burst of 1 so many hours ahead.
func suddenLog(hours float64) float64 {
	k, share := locate(suddenNodes[:], hours)
	return mix(suddenLogs[k], suddenLogs[k+1], share)
}

func mix(a, b, share float64) float64 { return a + share*(b-a) }

// locate returns the node before x, never the last one, and how far x is on the way to the next by logarithms; outside of the nodes the
// nearest end.
func locate(nodes []float64, x float64) (k int, share float64) {
	last := len(nodes) - 1
	switch {
	case !(x > nodes[0]):
		return 0, 0
	case x >= nodes[last]:
		return last - 1, 1
	}
	for x >= nodes[k+1] {
		k++
	}
	return k, math.Log(x/nodes[k]) / math.Log(nodes[k+1]/nodes[k])
}
