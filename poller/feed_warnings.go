package poller

import (
	"fmt"
	"strings"

	"kairos/reader/parse"
)

// warningSentences words the warnings of a feed in English. It goes once outcomes
// are facts: app/text words parse.Warning in every language.
func warningSentences(warnings []parse.Warning) string {
	var sentences []string
	for _, w := range warnings {
		sentences = append(sentences, warningSentence(w))
	}
	return strings.Join(sentences, " ")
}

func warningSentence(w parse.Warning) string {
	kept := fmt.Sprintf("%d complete %s kept", w.Articles, plural(w.Articles, "article was", "articles were"))
	if w.Unread > 0 {
		kept += fmt.Sprintf(", one that breaks off after %s was left out", byteCount(w.Unread))
	}
	switch w.Code {
	case parse.TooLarge:
		return fmt.Sprintf("The feed is too large: its first %d %s kept, %s behind them were not read.",
			w.Articles, plural(w.Articles, "article was", "articles were"), byteCount(w.Unread))
	case parse.Truncated:
		if w.Total > 0 {
			return fmt.Sprintf("Only a part of the feed was read, %s of %s: %s.", byteCount(w.Read), byteCount(w.Total), kept)
		}
		return fmt.Sprintf("Only a part of the feed was read, the first %s: %s.", byteCount(w.Read), kept)
	case parse.EndsEarly:
		return fmt.Sprintf("The feed ends early: %s.", kept)
	case parse.MarkupRepaired:
		return fmt.Sprintf("The feed's markup is broken and was mended: %s.", strings.Join(repairs(w), ", "))
	case parse.DamagedArticles:
		return fmt.Sprintf("%d %s broken beyond mending and left out.", w.Articles, plural(w.Articles, "article is", "articles are"))
	case parse.EncodingGuessed:
		return fmt.Sprintf("It does not say its encoding truly; %s was assumed.", w.Encoding)
	case parse.EncodingCorrected:
		return fmt.Sprintf("It says to be %s and is not; %s was assumed.", w.Declared, w.Encoding)
	case parse.NotQuiteUTF8:
		return fmt.Sprintf("It is not quite UTF-8: %d %s read as Windows-1252.", w.Bytes, plural(w.Bytes, "byte was", "bytes were"))
	}
	return w.String()
}

func repairs(w parse.Warning) (faults []string) {
	count := func(n int, one, many string) {
		if n > 0 {
			faults = append(faults, fmt.Sprintf("%d %s", n, plural(n, one, many)))
		}
	}
	count(w.MissingEndTags, "end tag was missing", "end tags were missing")
	count(w.MisplacedTags, "tag stood where none belongs", "tags stood where none belongs")
	count(w.Unescaped, "< or & was not escaped", "< or & were not escaped")
	if w.TextBefore > 0 {
		faults = append(faults, byteCount(w.TextBefore)+" of other text stood before it")
	}
	return faults
}

func byteCount(n int64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d %s", n, plural(int(n), "byte", "bytes"))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
