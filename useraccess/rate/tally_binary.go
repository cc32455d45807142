package rate

import (
	"encoding/binary"
	"fmt"
	"time"
)

// tallyBinary is the stored form of a Tally where there are many: a feed's is read and written at
// every fetch, and JSON would take most of the time. Times are in Unix microseconds, 0 for none.
type tallyBinary struct {
	Version      uint8
	At           int64
	Count, Watch [2][Hours]float64
	Recent       [2]float64
	Followers    [3]float64 // count, events, trace
	Last         int64
}

const tallyVersion = 1

// MarshalBinary implements encoding.BinaryMarshaler.
func (t Tally) MarshalBinary() ([]byte, error) {
	return binary.Append(nil, binary.LittleEndian, tallyBinary{
		Version: tallyVersion, At: toMicros(t.At), Count: t.Count, Watch: t.Watch,
		Recent:    [2]float64{t.Recent.Count, t.Recent.Watch},
		Followers: [3]float64{t.Followers.Count, t.Followers.Events, t.Followers.Trace}, Last: toMicros(t.Followers.Last),
	})
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (t *Tally) UnmarshalBinary(data []byte) error {
	var b tallyBinary
	if n, err := binary.Decode(data, binary.LittleEndian, &b); err != nil || n != len(data) || b.Version != tallyVersion {
		return fmt.Errorf("not a tally of version %d: %d bytes", tallyVersion, len(data))
	}
	*t = Tally{At: fromMicros(b.At), Count: b.Count, Watch: b.Watch}
	t.Recent.Count, t.Recent.Watch = b.Recent[0], b.Recent[1]
	t.Followers.Count, t.Followers.Events, t.Followers.Trace, t.Followers.Last = b.Followers[0], b.Followers[1], b.Followers[2], fromMicros(b.Last)
	return nil
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
