package session

import "testing"

// A place with a page shows that, also while there is nothing to list; any other place welcomes a new user.
func TestCover(t *testing.T) {
	s := New(all, NewMarks(nil, nil))
	for _, tt := range []struct {
		place Place
		empty bool
		want  Cover
	}{
		{all, false, NoCover}, {all, true, WelcomePage},
		{Place{Key: Insights}, false, InsightsPage}, {Place{Key: Insights}, true, InsightsPage},
		{Place{Key: Attention}, true, AttentionPage}, {folder, false, NoCover},
	} {
		s.Choose(tt.place)
		s.Empty = tt.empty
		if got := s.Cover(); got != tt.want || s.ListsArticles() == (got == InsightsPage || got == AttentionPage) {
			t.Errorf("%s, empty %t: %v, lists articles: %t", tt.place.Key, tt.empty, got, s.ListsArticles())
		}
	}
}
