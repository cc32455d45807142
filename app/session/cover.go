package session

// Cover is a page that has the place of the list and the article.
type Cover int

// The pages.
const (
	NoCover Cover = iota
	AttentionPage
	InsightsPage
	WelcomePage
	AwayPage
)

// Cover is the page that is shown: that of the place, else the welcome page while there is nothing to list.
func (s *Session) Cover() Cover {
	switch {
	case s.Place.Key == Away:
		return AwayPage
	case s.Place.Key == Attention:
		return AttentionPage
	case s.Place.Key == Insights:
		return InsightsPage
	case s.Empty:
		return WelcomePage
	}
	return NoCover
}

// ListsArticles reports whether the place has articles rather than a page, be there any or not.
func (s *Session) ListsArticles() bool {
	return s.Place.Key != Attention && s.Place.Key != Insights && s.Place.Key != Away
}
