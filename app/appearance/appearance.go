// Package appearance asks the desktop how people want programs to look: with more contrast, larger text, without motion.
// Whether dark or light is Fyne's to ask.
package appearance

// Wishes is what the desktop says. The zero value wishes for nothing; TextScale is then 0.
type Wishes struct {
	Contrast  bool    // more than usual
	Still     bool    // nothing moves that need not
	TextScale float64 // how many times larger than usual text is; 0 and 1 are as usual
}

// Text is never smaller or larger than this, whatever the desktop says.
const (
	leastScale = 0.5
	mostScale  = 3
)

// scale is a scale within its bounds, 0 for what is no scale.
func scale(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(max(x, leastScale), mostScale)
}
