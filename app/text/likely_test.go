package text

import (
	"slices"
	"testing"

	"kairos/poller"
	"kairos/poller/likely"
	"kairos/useraccess/taste"
)

func TestLikely(t *testing.T) {
	reason := likely.Reason{Chance: 0.724, Feed: poller.FeedInterest{Chance: 0.5, Read: 5, Passed: 5}, Features: []taste.Reason{
		{Feature: taste.Feature{Kind: taste.Author, Text: "jane doe"}, Effect: 0.2, Read: 6, Passed: 1},
		{Feature: taste.Feature{Kind: taste.Word, Text: "harbour"}, Effect: 0.1, Read: 5, Passed: 2, Asked: true},
		{Feature: taste.Feature{Kind: taste.Length, Text: taste.Short}, Effect: -0.1, Read: 1, Passed: 8},
		{Feature: taste.Feature{Kind: taste.Age, Text: taste.DaysOld}, Effect: -0.05, Read: 1, Passed: 2},
	}}
	want := []string{
		"Likely to be read: 72 %.",
		"You read about 5 of 10 of its articles.",
		"By Jane Doe: you read 6 of 7.",
		"As you asked: the word “harbour”.",
		"Short: you read 1 of 9.",
	}
	if got := English().Likely(reason, "Jane Doe"); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestLearnedNames(t *testing.T) {
	author := taste.Named{Feature: taste.Feature{Kind: taste.Author, Text: "bo weir"}, Written: "Bo Weir"}
	category := taste.Named{Feature: taste.Feature{Kind: taste.Category, Text: "rivers"}, Written: "Rivers"}
	read := taste.Weight{Mean: 1, Read: 6, Passed: 1}
	p := English()
	got := []string{p.Learned(taste.Learned{Named: author, Weight: read}), p.Learned(taste.Learned{Named: category, Weight: read}), p.Feature(author)}
	if want := []string{"By Bo Weir: you read 6 of 7. Likelier.", "Filed under “Rivers”: you read 6 of 7. Likelier.", "the author Bo Weir"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestEveryFeatureHasASentence(t *testing.T) {
	for _, code := range []string{taste.DaysOld, taste.WeeksOld, taste.Short, taste.Long, taste.Several, taste.Many} {
		if featureSentences[featureCode(code)] == "" {
			t.Errorf("%q has none", code)
		}
	}
}
