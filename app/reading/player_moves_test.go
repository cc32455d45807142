package reading

import "testing"

// The next speed is one of the list, also from one that mpv was set to by its own keys.
func TestNextSpeed(t *testing.T) {
	for _, c := range []struct{ from, direction, want float64 }{
		{1, 1, 1.1}, {1, -1, 0.9}, {1.1, 1, 1.25}, {1.1000000000000001, -1, 1}, {1.37, 1, 1.5}, {1.37, -1, 1.25},
		{2, 1, 2}, {3, 1, 3}, {3, -1, 2}, {0.8, -1, 0.8}, {0.5, -1, 0.5}, {0.5, 1, 0.8},
	} {
		if got := nextSpeed(c.from, c.direction); got != c.want {
			t.Errorf("from %v by %v: %v, want %v", c.from, c.direction, got, c.want)
		}
	}
}
