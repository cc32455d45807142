package rate

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// A tally survives the binary form; other data are rejected.
func TestTallyBinary(t *testing.T) {
	var regular Tally
	for d := range 20 {
		day := epoch.AddDate(0, 0, d)
		regular.Learn(&AccessPrior, time.FixedZone("", 7200), day, day.AddDate(0, 0, 1), day.Add(9*time.Hour))
	}
	feed := tallyWithBurst(12)
	feed.Learn(&FeedPrior, nil, feed.At, feed.At.Add(5*time.Hour), feed.At.Add(time.Hour))
	if feed.Own == (Own{}) || regular.Waits == (Waits{}) {
		t.Fatal("nothing was learned that is the source's own")
	}
	both := regular
	both.Own = feed.Own
	for _, y := range []Tally{{}, tallyWithBurst(12), regular, feed, both} {
		data, err := y.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got Tally
		if err := got.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(got, y) {
			t.Errorf("%v: %+v, want %+v", err, got, y)
		}
		for _, bad := range [][]byte{nil, data[:len(data)-1], append(data, 0), append([]byte{9}, data[1:]...)} {
			if err := got.UnmarshalBinary(bad); err == nil {
				t.Errorf("%d bytes are accepted", len(bad))
			}
		}
	}
}

// Tallies stored before anything of the source's own was learned can be read: their rhythm was followed by the waits, if there were any.
func TestTallyBinaryOfVersion3(t *testing.T) {
	waiting := tallyWithBurst(12)
	waiting.Waits.Came[3], waiting.Waits.Expected[7] = 2, 5
	for _, y := range []Tally{tallyWithBurst(12), waiting} {
		data, err := y.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		flags := tallySize + rhythmSize // the byte that was not there
		old := slices.Concat([]byte{3}, data[1:flags], data[flags+1:])
		var got Tally
		if err := got.UnmarshalBinary(old); err != nil || !reflect.DeepEqual(got, y) {
			t.Errorf("%v: %+v, want %+v", err, got, y)
		}
	}
}

// A tally stored before rhythms were learned can be read.
func TestTallyBinaryOfVersion1(t *testing.T) {
	y := tallyWithBurst(12)
	data, err := y.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	followers := tallySize - 16 // two numbers stood before them
	old := slices.Concat([]byte{1}, data[1:followers], make([]byte, 16), data[followers:tallySize])
	var got Tally
	if err := got.UnmarshalBinary(old); err != nil || !reflect.DeepEqual(got, y) {
		t.Errorf("%v: %+v, want %+v", err, got, y)
	}
	if err := got.UnmarshalBinary(append(old, 0)); err == nil {
		t.Error("a byte more is accepted")
	}
}
