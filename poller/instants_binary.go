package poller

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"kairos/poller/schedule"
)

// The stored form of a feed's instants, which are read and written for every plan and at every fetch: JSON would take most of
// the time. It is the version in one byte, how many there are, their times in order, which is all that most readers want: the seconds
// since the one before (the first: since 1970). Then for each the value, and the reason: the length of its code and the code, the time of
// the visit in Unix seconds (0: none), the posts, Every and Ago in ns, days, failures, the purpose, as its code, and times a day. Value
// and posts are 64-bit floats, little-endian; all else are varints. Version 1 had no purpose, and 2 no times.
const instantsVersion = 3

// appendInstants appends the stored form of instants of one feed, sorted by time.
func appendInstants(data []byte, instants []Instant) []byte {
	data = binary.AppendUvarint(append(data, instantsVersion), uint64(len(instants)))
	last := int64(0)
	for i := range instants {
		at := instants[i].At.Unix()
		data, last = binary.AppendVarint(data, at-last), at
	}
	for i := range instants {
		at, r := &instants[i], &instants[i].Reason
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(at.Value))
		data = binary.AppendUvarint(data, uint64(len(r.Code)))
		data = append(data, r.Code...)
		data = binary.AppendVarint(data, unix(r.Visit))
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(r.Posts))
		for _, n := range [...]int64{int64(r.Every), int64(r.Ago), int64(r.Days), int64(r.Failures)} {
			data = binary.AppendVarint(data, n)
		}
		data = binary.AppendUvarint(data, uint64(len(r.Purpose)))
		data = append(data, r.Purpose...)
		data = binary.AppendVarint(data, int64(r.Times))
	}
	return data
}

// leastStored is how many bytes an instant takes at least.
const leastStored = 8 + 1 + 1 + 8 + 4

var errInstants = errors.New("instants are not as they are stored")

// readInstants appends the instants of a feed whose stored form is given.
func readInstants(instants []Instant, feed int64, data []byte) ([]Instant, error) {
	begin := len(instants)
	instants, rest, err := readTimes(instants, feed, data)
	if err != nil || rest == nil {
		return instants, err
	}
	from := decoder{data: rest}
	for i := range instants[begin:] {
		at := &instants[begin+i]
		r := &at.Reason
		at.Value = from.float()
		r.Code, r.Visit, r.Posts = codeOf(from.text()), instant(from.varint()), from.float()
		r.Every, r.Ago = time.Duration(from.varint()), time.Duration(from.varint())
		r.Days, r.Failures = int(from.varint()), int(from.varint())
		if data[0] > 1 {
			r.Purpose = purposeOf(from.text())
		}
		if data[0] > 2 {
			r.Times = int(from.varint())
		}
	}
	if from.failed || len(from.data) > 0 {
		return instants[:begin], fmt.Errorf("%w: feed %d", errInstants, feed)
	}
	return instants, nil
}

// readTimes appends the instants of a feed whose stored form is given, with their times only, and returns what tells the rest;
// nil if they are whole.
func readTimes(instants []Instant, feed int64, data []byte) (_ []Instant, rest []byte, err error) {
	if len(data) > 0 && data[0] == '[' {
		instants, err = readInstantsJSON(instants, feed, data)
		return instants, nil, err
	}
	begin, last := len(instants), int64(0)
	if len(data) > 0 && data[0] >= 1 && data[0] <= instantsVersion {
		from := decoder{data: data[1:]}
		n := from.varuint()
		for range min(n, uint64(len(data))) {
			last += from.varint()
			instants = append(instants, Instant{Feed: feed, At: time.Unix(last, 0)})
		}
		if !from.failed && n <= uint64(len(data)) {
			return instants, from.data, nil
		}
	}
	return instants[:begin], nil, fmt.Errorf("%w: feed %d", errInstants, feed)
}

// codeOf is a code without memory of its own if it is known.
func codeOf(text []byte) schedule.Code { return known(schedule.Codes, text) }

func purposeOf(text []byte) schedule.Purpose { return known(schedule.Purposes, text) }

func known[T ~string](all []T, text []byte) T {
	for _, c := range all {
		if string(c) == string(text) {
			return c
		}
	}
	return T(text)
}

// decoder takes numbers off data. Once there is too little of it, all are 0.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) take(n int) []byte {
	if d.failed = d.failed || n < 0 || n > len(d.data); d.failed {
		d.data = nil
		return make([]byte, 8)
	}
	taken := d.data[:n]
	d.data = d.data[n:]
	return taken
}

func (d *decoder) varint() int64 {
	x, n := binary.Varint(d.data)
	if n <= 0 {
		n = -1
	}
	d.take(n)
	return x
}

func (d *decoder) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8)))
}

func (d *decoder) varuint() uint64 {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		n = -1
	}
	d.take(n)
	return x
}

func (d *decoder) text() []byte {
	n := d.varuint()
	if n > uint64(len(d.data)) {
		return d.take(-1)
	}
	return d.take(int(n))
}

// readInstantsJSON reads what was moved from the table instant, a row of which this once was.
func readInstantsJSON(instants []Instant, feed int64, data []byte) ([]Instant, error) {
	var rows []struct {
		At           int64
		Code         schedule.Code
		Why          string
		Value, Posts float64
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		return instants, fmt.Errorf("%w: feed %d: %w", errInstants, feed, err)
	}
	for _, row := range rows {
		instants = append(instants, Instant{Feed: feed, At: time.Unix(row.At, 0), Value: row.Value, Reason: readReason(row.Code, row.Why, row.Posts)})
	}
	return instants, nil
}

// readReason reads a reason as rows held it. An earlier version stored a sentence, of
// which the code and the posts remain.
func readReason(code schedule.Code, why string, posts float64) schedule.Reason {
	var r schedule.Reason
	if err := json.Unmarshal([]byte(why), &r); err != nil || r.Code == "" {
		return schedule.Reason{Code: code, Posts: posts}
	}
	return r
}
