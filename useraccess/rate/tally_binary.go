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
// 16 bits each, the offset, the latest events, the weights. In version 3 the waits follow, or
// nothing if none were counted; before that Followers had two more numbers. From version 4 on there is a byte that says
// which follow: hasWaits, hasOwn, both or none.
const (
	tallyVersion = 4
	tallyNumbers = 4*Hours + 3
	tallySize    = 1 + 8 + 8*tallyNumbers + 8
	rhythmSize   = 2 + 2 + 4 // without its lists

	hasWaits, hasOwn = 1, 2
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
	has := len(data)
	data = append(data, 0)
	if t.Waits != (Waits{}) {
		data[has] |= hasWaits
		data = appendNumbers(data, t.Waits.Came[:], t.Waits.Expected[:])
	}
	if t.Own != (Own{}) {
		data[has] |= hasOwn
		data = appendNumbers(data, t.Own.Count[:], t.Own.Expected[:])
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
	has := byte(0)
	switch {
	case data[0] == 3 && len(rest) > 0:
		has = hasWaits
	case data[0] > 3 && len(rest) > 0:
		has, rest = rest[0], rest[1:]
	case data[0] > 3:
		return fmt.Errorf("a tally of version %d that ends with its rhythm", data[0])
	}
	if has&hasWaits > 0 && !readNumbers(&rest, t.Waits.Came[:], t.Waits.Expected[:]) ||
		has&hasOwn > 0 && !readNumbers(&rest, t.Own.Count[:], t.Own.Expected[:]) || has > hasWaits|hasOwn {
		return fmt.Errorf("a tally of version %d whose waits or own counts are not whole: %d bytes", data[0], len(data))
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

func appendNumbers(data []byte, lists ...[]float64) []byte {
	for _, list := range lists {
		for _, x := range list {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
	}
	return data
}

// readNumbers fills lists and leaves what follows them; not ok if they are not whole.
func readNumbers(data *[]byte, lists ...[]float64) (ok bool) {
	for _, list := range lists {
		if len(*data) < 8*len(list) {
			return false
		}
		for k := range list {
			list[k], *data = math.Float64frombits(binary.LittleEndian.Uint64(*data)), (*data)[8:]
		}
	}
	return true
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
