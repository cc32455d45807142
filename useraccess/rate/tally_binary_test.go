package rate

import "testing"

// A tally survives the binary form; other data are rejected.
func TestTallyBinary(t *testing.T) {
	for _, y := range []Tally{{}, tallyWithBurst(12)} {
		data, err := y.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got Tally
		if err := got.UnmarshalBinary(data); err != nil || got != y {
			t.Errorf("%v: %+v, want %+v", err, got, y)
		}
		for _, bad := range [][]byte{nil, data[:len(data)-1], append(data, 0), append([]byte{9}, data[1:]...)} {
			if err := got.UnmarshalBinary(bad); err == nil {
				t.Errorf("%d bytes are accepted", len(bad))
			}
		}
	}
}
