package traces

import "hash/fnv"

// Half returns half 1 or 2 of the set: the users whose IDs hash to it, with those of their feeds that do. What
// was chosen by the replay of one half is measured on the other, whose people and feeds it has not seen.
// Users left without feeds are left out.
func (set *Set) Half(n int) *Set {
	half := &Set{End: set.End, Notes: set.Notes}
	for _, u := range set.Users {
		if halfOf(u.ID) != n {
			continue
		}
		feeds := u.Feeds
		u.Feeds = nil
		for _, f := range feeds {
			if halfOf(f.ID) == n {
				u.Feeds = append(u.Feeds, f)
			}
		}
		if len(u.Feeds) > 0 {
			half.Users = append(half.Users, u)
		}
	}
	return half
}

// halfOf is the half, 1 or 2, that an ID belongs to for ever.
func halfOf(id string) int {
	h := fnv.New32a()
	h.Write([]byte(id)) //nolint:errcheck // a hash cannot fail
	x := h.Sum32()
	x ^= x >> 16 // its low bits hardly depend on all of the text
	return 1 + int(x&1)
}
