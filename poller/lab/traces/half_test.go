package traces

import "testing"

// The halves share no user and no feed, and together have all of both.
func TestHalf(t *testing.T) {
	set := Synthetic()
	all := map[string]int{}
	for n := 1; n <= 2; n++ {
		half := set.Half(n)
		if half.End != set.End {
			t.Errorf("half %d ends at %d, all at %d", n, half.End, set.End)
		}
		for _, u := range half.Users {
			if all["user "+u.ID] != 0 || len(u.Feeds) == 0 {
				t.Errorf("user %s is in half %d and %d, with %d feeds", u.ID, all["user "+u.ID], n, len(u.Feeds))
			}
			all["user "+u.ID] = n
			for _, f := range u.Feeds {
				if k := "feed " + f.ID; all[k] != 0 && all[k] != n {
					t.Errorf("feed %s is in both halves", f.ID)
				} else {
					all[k] = n
				}
			}
		}
	}
	for _, u := range set.Users {
		if all["user "+u.ID] == 0 {
			t.Errorf("user %s is in no half", u.ID)
		}
	}
	if n := len(set.Users[0].Feeds); n < 2 {
		t.Fatalf("a set of %d feeds", n)
	}
}
