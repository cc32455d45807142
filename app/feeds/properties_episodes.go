package feeds

import (
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"kairos/app/widgets"
)

// episodeNumbers are the numbers of episodes that can be chosen to be brought before they are played.
var episodeNumbers = []int{0, 1, 2, 3, 5, 10, 20}

// makeEpisodes makes the choice of how many episodes are brought before they are played, for feeds that have some.
func (p *propertiesDialog) makeEpisodes() {
	has, err := p.Shell.Home.Preparer.HasEpisodes(p.Shell.Ctx, p.Feed.ID)
	if err == nil {
		p.episodesBefore, err = p.Shell.Home.Preparer.Episodes(p.Shell.Ctx, p.Feed.ID)
	}
	if err != nil || !has && p.episodesBefore == 0 {
		return
	}
	p.episodes = widgets.NewSelect(nil)
	numbers := episodeNumbers
	if !slices.Contains(numbers, p.episodesBefore) {
		numbers = append(slices.Clone(numbers), p.episodesBefore)
	}
	for _, n := range numbers {
		p.episodes.Options = append(p.episodes.Options, episodesName(n))
	}
	p.episodes.SetSelected(episodesName(p.episodesBefore))
}

func episodesName(n int) string {
	if n == 0 {
		return lang.L("Load when they are played")
	}
	return lang.N("Bring the next {{.PluralCount}}, not on metered networks", n)
}

// storeEpisodes stores what was chosen.
func (p *propertiesDialog) storeEpisodes(ctx context.Context) error {
	if p.episodes == nil {
		return nil
	}
	for _, n := range append(slices.Clone(episodeNumbers), p.episodesBefore) {
		if n != p.episodesBefore && p.episodes.Selected == episodesName(n) {
			return p.Shell.Home.Preparer.SetEpisodes(ctx, p.Feed.ID, n)
		}
	}
	return nil
}
