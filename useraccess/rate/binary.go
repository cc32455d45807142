package rate

import (
	"encoding/binary"
	"fmt"
	"time"
)

// tallyBinary is a Tally as it is stored where there are many: a feed's is read and written
// at each fetch, and JSON takes longer than all else. Times are in Unix microseconds, 0 for
// none.
type tallyBinary struct {
	Version      uint8
	At           int64
	Count, Watch [2][Hours]float64
	Recent       [2]float64
	Again        [3]float64
	Last         int64
}

const tallyVersion = 1

// MarshalBinary is encoding.BinaryMarshaler.
func (t Tally) MarshalBinary() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, tallyBinary{
		Version: tallyVersion, At: micros(t.At), Count: t.Count, Watch: t.Watch,
		Recent: [2]float64{t.Recent.Count, t.Recent.Watch},
		Again:  [3]float64{t.Again.Count, t.Again.Events, t.Again.Trace}, Last: micros(t.Again.Last),
	})
}

// UnmarshalBinary is encoding.BinaryUnmarshaler.
func (t *Tally) UnmarshalBinary(data []byte) error {
	var b tallyBinary
	if n, err := binary.Decode(data, binary.LittleEndian, &b); err != nil || n != len(data) || b.Version != tallyVersion {
		return fmt.Errorf("%d bytes are not a tally", len(data))
	}
	*t = Tally{At: ofMicros(b.At), Count: b.Count, Watch: b.Watch}
	t.Recent.Count, t.Recent.Watch = b.Recent[0], b.Recent[1]
	t.Again.Count, t.Again.Events, t.Again.Trace, t.Again.Last = b.Again[0], b.Again[1], b.Again[2], ofMicros(b.Last)
	return nil
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func ofMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
