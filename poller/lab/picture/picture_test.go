package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/wcharczuk/go-chart/v2/drawing"

	"kairos/poller/lab"
	"kairos/poller/ticks"
)

// run is what a replay might come to.
func run() []lab.Summary {
	all := []lab.Summary{{Policy: "fixed-60", OwnPace: true, Budget: 23.9, Ratio: math.NaN(), Readiness: ready(90)}}
	for i, b := range []float64{0.5, 4, 24} {
		x := float64(i)
		all = append(all,
			lab.Summary{Policy: "uniform", Budget: b, Ratio: 1, Readiness: ready(60 + 10*x)},
			lab.Summary{Policy: "exact", Budget: b, Ratio: 0.07 + 0.01*x, Readiness: ready(80 + 7*x)},
			lab.Summary{Policy: "he-parker", Budget: b, Ratio: math.Pow(10, x), Readiness: ready(70 + 8*x)},
			lab.Summary{Policy: "clairvoyant", Budget: b, Ratio: 0, Readiness: ready(100)})
	}
	return all
}

func decoded(t *testing.T, all []lab.Summary) image.Image {
	t.Helper()
	text, err := PNG(all)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds() != image.Rect(0, 0, width, height) {
		t.Fatalf("the picture is %v", img.Bounds())
	}
	return img
}

// count are the pixels of a color within a rectangle.
func count(img image.Image, c drawing.Color, in image.Rectangle) (n int) {
	want := color.NRGBA{R: c.R, G: c.G, B: c.B, A: 255}
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if color.NRGBAModel.Convert(img.At(x, y)) == want {
				n++
			}
		}
	}
	return n
}

// ready is the same share of all that is looked at.
func ready(share float64) lab.Readiness { return lab.Readiness{ReadyRead: share, ReadyByFeed: share} }

func TestEveryPolicyHasItsLine(t *testing.T) {
	img := decoded(t, run())
	left, right := image.Rect(0, 40, width/charts, height-legendHeight), image.Rect(width/charts, 40, 2*width/charts, height-legendHeight)
	key := image.Rect(0, height-legendHeight, width, height)
	for name, c := range map[string]drawing.Color{"exact": vermillion, "he-parker": sky, "uniform": black} {
		for part, in := range map[string]image.Rectangle{"delay": left, "read": right, "by feed": right.Add(image.Pt(width/charts, 0)), "legend": key} {
			least := 400
			if part == "legend" {
				least = 40
			}
			if n := count(img, c, in); n < least {
				t.Errorf("%s has %d pixels of its color in the part %s", name, n, part)
			}
		}
	}
	// A policy with its own pace is one dot, where it is ready; the clairvoyant's
	// delay of 0 has no place on the axis.
	if n := count(img, orange, left); n > 0 {
		t.Errorf("fixed-60 has %d pixels among the delays", n)
	}
	if n := count(img, orange, right); n < 50 || n > 400 {
		t.Errorf("fixed-60 has %d pixels where it is ready", n)
	}
	if n := count(img, gray, left); n > 40 { // letters have such pixels
		t.Errorf("the clairvoyant has %d pixels among the delays", n)
	}
}

// A greater delay stands higher: the line of he-parker rises to the right, the one
// of exact stays below uniform's.
func TestWhatIsGreaterStandsHigher(t *testing.T) {
	img := decoded(t, run())
	height := func(c drawing.Color, x0, x1 int) float64 {
		sum, n := 0, 0
		for y := 60; y < 620; y++ {
			k := count(img, c, image.Rect(x0, y, x1, y+1))
			sum, n = sum+k*y, n+k
		}
		return float64(sum) / float64(n)
	}
	if a, b := height(sky, 120, 300), height(sky, 500, 700); !(b < a-50) {
		t.Errorf("he-parker's line runs from %v to %v pixels from the top", a, b)
	}
	if a, b := height(vermillion, 300, 500), height(sky, 300, 500); !(a > b+50) {
		t.Errorf("exact stands at %v, he-parker at %v pixels from the top", a, b)
	}
}

func TestOddRuns(t *testing.T) {
	for name, all := range map[string][]lab.Summary{
		"as good as can be": {{Policy: "uniform", Budget: 1, Ratio: 1, Readiness: ready(100)}, {Policy: "uniform", Budget: 2, Ratio: 1, Readiness: ready(100)}},
		"nothing is ready":  {{Policy: "uniform", Budget: 1, Ratio: 1}, {Policy: "uniform", Budget: 1.01, Ratio: 1}},
		"nobody had delay":  {{Policy: "uniform", Budget: 1, Ratio: math.NaN(), Readiness: ready(99.99)}, {Policy: "uniform", Budget: 288, Ratio: math.NaN(), Readiness: ready(99)}},
		"a policy that rests": {{Policy: "indhist", OwnPace: true, Ratio: math.NaN(), Readiness: ready(3)}, {Policy: "uniform", Budget: 1, Ratio: 1, Readiness: ready(5)},
			{Policy: "uniform", Budget: 3, Ratio: 1, Readiness: ready(5)}},
		"far off": {{Policy: "uniform", Budget: 1e-3, Ratio: 1, Readiness: ready(5)}, {Policy: "x", Budget: 1e-3, Ratio: 1e9, Readiness: ready(5)}, {Policy: "uniform", Budget: 288, Ratio: 1, Readiness: ready(5)}},
	} {
		t.Run(name, func(t *testing.T) { decoded(t, all) })
	}
	for _, all := range [][]lab.Summary{nil, run()[:1]} {
		if _, err := PNG(all); err == nil {
			t.Error("nothing is drawn")
		}
	}
}

func TestCheck(t *testing.T) {
	good := func() lab.Options {
		return lab.Options{Budgets: []float64{1, 4}, Policies: []lab.Policy{{Name: "uniform"}, {Name: "exact"}}}
	}
	if err := Check(good()); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*lab.Options){
		"two budgets": func(o *lab.Options) { o.Budgets = []float64{4} },
		"of 0":        func(o *lab.Options) { o.Budgets = []float64{0, 4} },
		"uniform":     func(o *lab.Options) { o.Policies = o.Policies[1:] },
	} {
		o := good()
		change(&o)
		if err := Check(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check returned %v, want an error with %q", err, want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi     float64
		first, end float64
		n          int
	}{{0.07, 1, 0.05, 1, 5}, {0.05, 1, 0.05, 1, 5}, {0.3, 54, 0.2, 100, 9}, {1, 1, 1, 1, 1}, {0.1, 100, 0.1, 100, 10}} {
		got := ticks.Log(c.lo, c.hi)
		if len(got) != c.n || math.Abs(got[0]/c.first-1) > 1e-9 || math.Abs(got[len(got)-1]/c.end-1) > 1e-9 {
			t.Errorf("around %v … %v: %v", c.lo, c.hi, got)
		}
	}
}

func BenchmarkPicture(b *testing.B) {
	all := run()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := PNG(all); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFormatNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.061: "0.061", 0.1 + 0.2: "0.3", 2.5: "2.5", 99.9: "99.9", 10_000: "10000", 2e6: "2000000", 1e-4: "0.0001"} {
		if got := formatNumber(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}
