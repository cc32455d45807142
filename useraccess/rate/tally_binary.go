package rate

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"
)

// The stored form of a Tally where there are many: a feed's is read and written at every fetch, and
// all of them are read for every plan; JSON or reflection would take most of the time. It is
// little-endian: the version in one byte, At, the numbers, Followers.Last. Times are in Unix
// microseconds, 0 for none. From version 2 on the rhythm follows: how many events and weights there are,
// 16 bits each, the offset, the latest events, the weights. From version 3 on the waits follow, or
// nothing if none were counted. Before that Followers had two more numbers.
const (
	tallyVersion = 3
	tallyNumbers = 4*Hours + 3
	tallySize    = 1 + 8 + 8*tallyNumbers + 8
	rhythmSize   = 2 + 2 + 4 // without its lists
	waitsSize    = 8 * 2 * hazardBands
)

// numbers returns the places of a tally's numbers, in the order in which they are stored.
func (t *Tally) numbers() (all [tallyNumbers]*float64) {
	n := all[:0]
	for _, grid := range [...]*[2][Hours]float64{&t.Count, &t.Watch} {
		for d := range grid {
			for h := range grid[d] {
				n = append(n, &grid[d][h])
			}
		}
	}
	g := &t.Followers
	copy(all[len(n):], []*float64{&t.Recent.Count, &t.Recent.Watch, &g.Trace})
	return all
}

// oldNumbers returns how many numbers versions before 3 had between those of Recent and Followers.
func oldNumbers(version byte) int {
	if version < 3 {
		return 2
	}
	return 0
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (t Tally) MarshalBinary() ([]byte, error) {
	r := &t.Rhythm
	data := make([]byte, 0, tallySize+rhythmSize+4*len(r.Latest)+8*len(r.Weight))
	to := binary.LittleEndian
	data = append(data, tallyVersion)
	data = to.AppendUint64(data, uint64(toMicros(t.At)))
	for _, x := range t.numbers() {
		data = to.AppendUint64(data, math.Float64bits(*x))
	}
	data = to.AppendUint64(data, uint64(toMicros(t.Followers.Last)))
	data = to.AppendUint16(data, uint16(len(r.Latest)))
	data = to.AppendUint16(data, uint16(len(r.Weight)))
	data = to.AppendUint32(data, uint32(r.Offset))
	for _, at := range r.Latest {
		data = to.AppendUint32(data, uint32(at))
	}
	for _, w := range r.Weight {
		data = to.AppendUint64(data, math.Float64bits(w))
	}
	if t.Waits == (Waits{}) {
		return data, nil
	}
	for _, counts := range [...][hazardBands]float64{t.Waits.Came, t.Waits.Expected} {
		for _, x := range counts {
			data = to.AppendUint64(data, math.Float64bits(x))
		}
	}
	return data, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler. Version 1 had no rhythm.
func (t *Tally) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] < 1 || data[0] > tallyVersion || len(data) < tallySize+8*oldNumbers(data[0]) {
		return fmt.Errorf("not a tally of version 1 to %d: %d bytes", tallyVersion, len(data))
	}
	from, rest := binary.LittleEndian, data[1:]
	number := func() (x uint64) {
		x, rest = from.Uint64(rest), rest[8:]
		return x
	}
	*t = Tally{At: fromMicros(int64(number()))}
	for i, x := range t.numbers() {
		if i == tallyNumbers-1 {
			rest = rest[8*oldNumbers(data[0]):]
		}
		*x = math.Float64frombits(number())
	}
	t.Followers.Last = fromMicros(int64(number()))
	if data[0] >= 2 && !t.Rhythm.read(&rest) {
		return fmt.Errorf("a tally of version %d without its rhythm: %d bytes", data[0], len(data))
	}
	if data[0] >= 3 {
		t.Waits.read(&rest)
	}
	if len(rest) > 0 {
		return fmt.Errorf("a tally of version %d and %d bytes more", data[0], len(rest))
	}
	return nil
}

// read reads a rhythm and leaves what follows it; not ok if it is not whole.
func (r *Rhythm) read(data *[]byte) (ok bool) {
	from, rest := binary.LittleEndian, *data
	if len(rest) < rhythmSize {
		return false
	}
	latest, weights, offset := int(from.Uint16(rest)), int(from.Uint16(rest[2:])), int32(from.Uint32(rest[4:]))
	if rest = rest[rhythmSize:]; len(rest) < 4*latest+8*weights {
		return false
	}
	*data = rest[4*latest+8*weights:]
	if latest == 0 && weights == 0 {
		return true
	}
	r.Latest, r.Weight, r.Offset = make([]int32, latest), make([]float64, weights), offset
	for i := range r.Latest {
		r.Latest[i] = int32(from.Uint32(rest[4*i:]))
	}
	rest = rest[4*latest:]
	for i := range r.Weight {
		r.Weight[i] = math.Float64frombits(from.Uint64(rest[8*i:]))
	}
	return true
}

// read reads waits, if there are any, and leaves what follows them.
func (w *Waits) read(data *[]byte) {
	if len(*data) < waitsSize {
		return
	}
	for _, counts := range [...]*[hazardBands]float64{&w.Came, &w.Expected} {
		for k := range counts {
			counts[k] = math.Float64frombits(binary.LittleEndian.Uint64(*data))
			*data = (*data)[8:]
		}
	}
}

func toMicros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
