package rate

import (
	"encoding/binary"
	"fmt"
	"time"
)

// tallyBinary is the stored form of a Tally where there are many: a feed's is read and written at
// every fetch, and JSON would take most of the time. Times are in Unix microseconds, 0 for none. From
// version 2 on the rhythm follows: rhythmBinary, the latest events, the weights.
type tallyBinary struct {
	Version      uint8
	At           int64
	Count, Watch [2][Hours]float64
	Recent       [2]float64
	Followers    [3]float64 // count, events, trace
	Last         int64
}

// rhythmBinary is a Rhythm but for its lists.
type rhythmBinary struct {
	Latest, Weight uint16 // number of each
	Offset         int32
}

const tallyVersion = 2

// MarshalBinary implements encoding.BinaryMarshaler.
func (t Tally) MarshalBinary() ([]byte, error) {
	data, err := binary.Append(nil, binary.LittleEndian, tallyBinary{
		Version: tallyVersion, At: toMicros(t.At), Count: t.Count, Watch: t.Watch,
		Recent:    [2]float64{t.Recent.Count, t.Recent.Watch},
		Followers: [3]float64{t.Followers.Count, t.Followers.Events, t.Followers.Trace}, Last: toMicros(t.Followers.Last),
	})
	r := &t.Rhythm
	for _, part := range []any{rhythmBinary{uint16(len(r.Latest)), uint16(len(r.Weight)), r.Offset}, r.Latest, r.Weight} {
		if err == nil {
			data, err = binary.Append(data, binary.LittleEndian, part)
		}
	}
	return data, err
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler. Version 1 had no rhythm.
func (t *Tally) UnmarshalBinary(data []byte) error {
	var b tallyBinary
	n, err := binary.Decode(data, binary.LittleEndian, &b)
	if err != nil || b.Version < 1 || b.Version > tallyVersion {
		return fmt.Errorf("not a tally of version 1 to %d: %d bytes", tallyVersion, len(data))
	}
	*t = Tally{At: fromMicros(b.At), Count: b.Count, Watch: b.Watch}
	t.Recent.Count, t.Recent.Watch = b.Recent[0], b.Recent[1]
	t.Followers.Count, t.Followers.Events, t.Followers.Trace, t.Followers.Last = b.Followers[0], b.Followers[1], b.Followers[2], fromMicros(b.Last)
	rest := data[n:]
	if b.Version >= 2 {
		if rest, err = t.Rhythm.read(rest); err != nil {
			return fmt.Errorf("a tally of version %d without its rhythm: %d bytes", b.Version, len(data))
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("a tally of version %d and %d bytes more", b.Version, len(rest))
	}
	return nil
}

// read reads a rhythm and returns what follows it.
func (r *Rhythm) read(data []byte) (rest []byte, err error) {
	var b rhythmBinary
	n, err := binary.Decode(data, binary.LittleEndian, &b)
	if err != nil || b.Latest == 0 && b.Weight == 0 {
		return data[n:], err
	}
	data = data[n:]
	r.Latest, r.Weight, r.Offset = make([]int32, b.Latest), make([]float64, b.Weight), b.Offset
	for _, list := range []any{r.Latest, r.Weight} {
		if n, err = binary.Decode(data, binary.LittleEndian, list); err != nil {
			return data, err
		}
		data = data[n:]
	}
	return data, nil
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
