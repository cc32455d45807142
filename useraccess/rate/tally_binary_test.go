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
	for _, y := range []Tally{{}, tallyWithBurst(12), regular} {
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
