package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// warnings are examples of what reader/parse and the poller say about what was
// taken all the same, one at least for each sentence that stands in their source.
var warnings = []string{
	"The feed is too large: its first 1 article was kept, 12 bytes behind them were not read.",
	"The feed is too large: its first 30000 articles were kept, 1.2 MB behind them were not read.",
	"Only a part of the feed was read, 2.0 MB of 31.5 MB: 3 complete articles were kept.",
	"Only a part of the feed was read, the first 1 byte: 1 complete article was kept.",
	"The feed ends early: 0 complete articles were kept, one that breaks off after 4.2 kB was left out.",
	"The feed's markup is broken and was mended: 1 end tag was missing, 1 tag stood where none belongs, 1 < or & was not escaped.",
	"The feed's markup is broken and was mended: 2 end tags were missing, 3 tags stood where none belongs, 4 < or & were not escaped, 12 bytes of other text stood before it.",
	"1 article is broken beyond mending and left out.",
	"7 articles are broken beyond mending and left out.",
	"It does not say its encoding truly; windows-1251 was assumed.",
	"It says to be windows-1252 and is not; koi8-r was assumed.",
	"It is not quite UTF-8: 1 byte was read as Windows-1252.",
	"It is not quite UTF-8: 3 bytes were read as Windows-1252.",
	"The feed has moved for good to example.org, which you have already: they are one now.",
	"The feed has moved for good to example.org.",
	// As they stand together on a feed's page and in a message.
	"The feed ends early: 3 complete articles were kept. The feed's markup is broken and was mended: 1 end tag was missing.",
	"12:00, by hand: 2 new (The feed's markup is broken and was mended: 1 end tag was missing).",
	"12:00, planned: nothing new (The feed ends early: 1 complete article was kept. It is not quite UTF-8: 1 byte was read as Windows-1252).",
}

// sentencesIn are the texts of four words and more in the source of a package that are
// said, and not an error's, which is never said as it stands but with what helps.
func sentencesIn(t *testing.T, pattern string) (found []string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no source in ", pattern)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && slices.Contains([]string{"errors.New", "fmt.Errorf", "regexp.MustCompile", "panic"}, nameOfCall(call)) {
				return false
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && l.Value[0] == '"' {
				if text, err := strconv.Unquote(l.Value); err == nil && len(strings.Fields(text)) > 3 {
					found = append(found, text)
				}
			}
			return true
		})
	}
	return found
}

func nameOfCall(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if of, ok := f.X.(*ast.Ident); ok {
			return of.Name + "." + f.Sel.Name
		}
	}
	return ""
}

var verb = regexp.MustCompile(`%(?:\.\d)?[a-z]`)

// Each warning in the source has its example, and each example is known: a new one fails
// here until it is in heard and in the catalogues.
func TestEachWarningIsSpoken(t *testing.T) {
	all := strings.Join(warnings, "\n")
	for _, pattern := range []string{"../poller/feed_warnings.go", "../poller/state_redirect.go"} {
		for _, text := range sentencesIn(t, pattern) {
			looks := verb.ReplaceAllString(regexp.QuoteMeta(text), `.+`)
			if !regexp.MustCompile(looks).MatchString(all) {
				t.Errorf("%s: %q has no example", pattern, text)
			}
		}
	}
	for _, w := range warnings {
		if got := spoken(w); got != w {
			t.Errorf("in English %q is %q", w, got)
		}
	}
	for _, name := range []string{"de", "zh_Hans"} {
		speak(t, name)
		english := regexp.MustCompile(`\b(?:the|was|were|and|kept|feeds?|not|article|byte|bytes)\b`)
		for _, w := range warnings {
			if got := spoken(w); got == w || english.MatchString(got) {
				t.Errorf("%s: %q is %q", name, w, got)
			}
		}
	}
}
