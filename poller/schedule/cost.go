package schedule

// Tariff says what fetches take out of the budget. The unit is a usual fetch: one that opens a connection and brings a document of
// usualDocument bytes.
type Tariff struct {
	// Bytes is the share of a usual fetch that goes by bytes. The rest every fetch takes, whatever it brings: a server has been
	// asked, a radio has been awake. 0: every fetch costs 1.
	Bytes float64
}

// Bytes that fetches take beside the document itself.
const (
	// usualDocument is the size of a usual document as sent: the mean of 511 real feeds, compressed.
	usualDocument = 6800
	// headerBytes are those of a request and its answer.
	headerBytes = 500
	// connectionBytes are those of opening a TLS connection, most of them certificates and post-quantum keys.
	connectionBytes = 6000
	usualBytes      = usualDocument + headerBytes + connectionBytes
)

// Bounds of the cost of a fetch. A 304 on a connection that is open anyway takes a twentieth of the bytes, but a server sees a
// request as any other, so no feed is asked more than four times as often for being cheap. A podcast's feed of a megabyte
// takes as much as a hundred usual ones; at more than four it would hardly be fetched any more, though it is
// read like others.
const (
	LeastCost = 0.25
	MostCost  = 4
)

// Cost returns what the next fetch of a feed that posts so often an hour is expected to take out of the budget.
func (t Tariff) Cost(a Answers, perHour float64) float64 {
	if t.Bytes == 0 {
		return 1
	}
	a.mend()
	size, opened := a.Size, a.Opened
	if a.Full == 0 {
		size = usualDocument
	}
	if a.Full+a.NotModified == 0 {
		opened = 1
	}
	return t.of(a.fullShare(perHour)*size + opened*connectionBytes)
}

// Spent returns what a fetch has taken out of the budget.
func (t Tariff) Spent(one Answer) float64 {
	bytes := float64(max(one.Bytes, 0))
	if one.Opened {
		bytes += connectionBytes
	}
	return t.of(bytes)
}

// of returns the cost of a fetch of so many bytes beside the headers, within the bounds.
func (t Tariff) of(bytes float64) float64 {
	return min(max(1-t.Bytes+t.Bytes*(bytes+headerBytes)/usualBytes, LeastCost), MostCost)
}

// Charge sets what a fetch of the feed is expected to take out of the budget by a tariff.
func (f *Feed) Charge(t Tariff) { f.Cost = t.Cost(f.Answers, f.Posts.PerHour()) }
