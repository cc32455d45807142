package schedule

import "math"

// Answers is what was learned of how a feed's server answers: how often with a document and how often that nothing has
// changed (304), and how large documents are. Its zero value has seen no answer.
type Answers struct {
	Full        float64 // number of documents, recent ones counting more
	NotModified float64 // number of 304s, recent ones counting more
	Size        float64 // mean size of a document as sent, bytes, recent ones counting more
	Opened      float64 // share of the requests that opened a connection, recent ones counting more
}

// Answer is one of them.
type Answer struct {
	NotModified bool
	Bytes       int64 // of the body as sent
	Opened      bool  // a connection was opened for it, rather than one used that another fetch had opened
}

const (
	// answersKept is after how many answers an old one counts 1/e of a new one, which is within days for a feed that is fetched
	// every hour and within months for one that is fetched weekly: servers are rarely reconfigured.
	answersKept = 32
	// sizesKept is the same for the sizes of documents, which hardly differ from one to the next.
	sizesKept = 8
	// largestDocument bounds what one document counts, in bytes.
	largestDocument = 64 << 20
)

// Note learns from an answer.
func (a *Answers) Note(one Answer) {
	a.mend()
	opened := 0.0
	if one.Opened {
		opened = 1
	}
	n := a.Full + a.NotModified
	a.Opened += (opened - a.Opened) * max(1.0/answersKept, 1/(n+1))
	a.Full, a.NotModified = a.Full*(1-1.0/answersKept), a.NotModified*(1-1.0/answersKept)
	if one.NotModified {
		a.NotModified++
		return
	}
	size := float64(min(max(one.Bytes, 0), largestDocument))
	if a.Full == 0 {
		a.Size = size
	}
	a.Size += (size - a.Size) * max(1.0/sizesKept, 1/(a.Full+1))
	a.Full++
}

// mend replaces what no answers can have led to, as a damaged file may hold.
func (a *Answers) mend() {
	within := func(x *float64, most float64) {
		if !(*x >= 0 && *x <= most) {
			*x = 0
		}
	}
	within(&a.Full, answersKept)
	within(&a.NotModified, answersKept)
	within(&a.Size, largestDocument)
	within(&a.Opened, 1)
}

// What is assumed of a feed whose answers are not known yet, and for how many answers that counts.
const (
	assumedAnswers = 2
	// assumedValidators is the share of servers that answer 304 if nothing has changed.
	assumedValidators = 0.8
	// assumedGap is the time between two fetches, in hours.
	assumedGap = 6
)

// perFetch returns how many bytes of documents the next fetch is expected to bring.
func (a Answers) perFetch(perHour float64) float64 {
	a.mend()
	return a.fullShare(perHour) * a.Size
}

// fullShare returns the probability that the next answer is a document, for a feed that posts so often an hour.
func (a *Answers) fullShare(perHour float64) float64 {
	changed := 1.0
	if perHour >= 0 { // NaN is taken for a feed of which nothing is known
		changed = -math.Expm1(-perHour * assumedGap)
	}
	assumed := changed + (1-changed)*(1-assumedValidators)
	return (a.Full + assumedAnswers*assumed) / (a.Full + a.NotModified + assumedAnswers)
}
