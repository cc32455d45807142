package search

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var zone = time.FixedZone("here", 2*3600)

// today is in the middle of a day.
var today = time.Date(2026, 3, 31, 15, 30, 0, 0, zone)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, zone) }

func one(terms ...Term) Clause { return terms }

func word(text string) Term { return Term{Text: text, Prefix: true} }

func TestParse(t *testing.T) {
	cases := map[string][]Clause{
		"":                            nil,
		"   ":                         nil,
		"river flood":                 {one(word("river")), one(word("flood"))},
		"Río":                         {one(word("rio"))},
		`"river  flood"`:              {one(Term{Text: "river flood"})},
		`“river flood”`:               {one(Term{Text: "river flood"})},
		"-flood":                      {one(Term{Text: "flood", Prefix: true, Not: true})},
		`-"big flood"`:                {one(Term{Text: "big flood", Not: true})},
		"well-known":                  {one(Term{Text: "well known", Prefix: true})},
		"title:river":                 {one(Term{Kind: Title, Text: "river", Prefix: true})},
		`TITLE:"the river"`:           {one(Term{Kind: Title, Text: "the river"})},
		"author:Ann":                  {one(Term{Kind: Author, Text: "ann", Prefix: true})},
		`feed:"City  News"`:           {one(Term{Kind: Feed, Text: "city news", Whole: true})},
		"-feed:news":                  {one(Term{Kind: Feed, Text: "news", Not: true})},
		"folder:Ça":                   {one(Term{Kind: Folder, Text: "ca"})},
		"is:unread":                   {one(Term{Kind: Unread})},
		"-is:Starred":                 {one(Term{Kind: Starred, Not: true})},
		"is:read":                     {one(Term{Kind: Read})},
		"before:2026-01-31":           {one(Term{Kind: Before, Day: day(2026, 1, 31)})},
		"after:2026/1/2":              {one(Term{Kind: After, Day: day(2026, 1, 2)})},
		"after:2026-03":               {one(Term{Kind: After, Day: day(2026, 3, 1)})},
		"before:2026":                 {one(Term{Kind: Before, Day: day(2026, 1, 1)})},
		"since:yesterday":             {one(Term{Kind: After, Day: day(2026, 3, 30)})},
		"until:Today":                 {one(Term{Kind: Before, Day: day(2026, 3, 31)})},
		"newer:7d":                    {one(Term{Kind: After, Day: day(2026, 3, 24)})},
		"newer_than:2w":               {one(Term{Kind: After, Day: day(2026, 3, 17)})},
		"-older:1m":                   {one(Term{Kind: Before, Day: day(2026, 3, 3), Not: true})}, // there is no February 31
		"older_than:-1y":              {one(Term{Kind: Before, Day: day(2025, 3, 31)})},
		"intitle:river":               {one(Term{Kind: Title, Text: "river", Prefix: true})},
		"is:begun -is:heard":          {one(Term{Kind: Begun}), one(Term{Kind: Heard, Not: true})},
		"NOT flood river":             {one(Term{Text: "flood", Prefix: true, Not: true}), one(word("river"))},
		`river AND NOT "big flood"`:   {one(word("river")), one(Term{Text: "big flood", Not: true})},
		"river OR NOT is:read":        {one(word("river"), Term{Kind: Read, Not: true})},
		"!flood !is:read a != b!":     {one(Term{Text: "flood", Prefix: true, Not: true}), one(Term{Kind: Read, Not: true}), one(word("a")), one(word("b"))},
		"NOT -flood":                  {one(word("flood"))},
		"river NOT":                   {one(word("river")), one(word("not"))},
		"not river and dam":           {one(word("not")), one(word("river")), one(word("and")), one(word("dam"))},
		"AND river":                   {one(word("and")), one(word("river"))},
		"river OR flood dam":          {one(word("river"), word("flood")), one(word("dam"))},
		"a1b OR is:starred OR feed:x": {one(word("a1b"), Term{Kind: Starred}, Term{Kind: Feed, Text: "x"})},
		"c":                           {one(word("c"))},
		"th":                          {one(word("th"))},
		`"c"`:                         {one(Term{Text: "c"})},
		"don't":                       {one(Term{Text: "don t"})},
		"東京都":                         {one(Term{Text: "東京 京都"})},
		"東":                           {one(Term{Text: "東¦"})},
		"A股":                          {one(Term{Text: "a 股", Prefix: true})},
		"go语言":                        {one(Term{Text: "go 语言"})},
		"语言go":                        {one(Term{Text: "语言 言 go"})},
		"!!! ??":                      {Clause{}},
		"C++":                         {one(word("c＋＋"))},
		`"C#"`:                        {one(Term{Text: "c＃"})},
		".NET":                        {one(word("．net"))},
		"@name #tag":                  {one(word("＠name")), one(word("＃tag"))},
		"-title:c++":                  {one(Term{Kind: Title, Text: "c＋＋", Prefix: true, Not: true})},
		"node.js 3.5 a@b.test":        {one(Term{Text: "node js"}), one(Term{Text: "3 5"}), one(Term{Text: "a b test", Prefix: true})},
		`"modern C++17"`:              {one(Term{Text: "modern c 17", WithSymbols: []string{"c＋＋"}})},
		"#c#":                         {one(Term{Text: "c", Prefix: true, WithSymbols: []string{"＃c", "c＃"}})},
		// Unknown operators are words.
		`"river flood`:                      {one(word("river")), one(word("flood"))},
		`river "`:                           {one(word("river"))},
		`"`:                                 {Clause{}},
		`""`:                                {Clause{}},
		`say"so"now`:                        {one(word("say")), one(Term{Text: "so"}), one(word("now"))},
		`feed:"open`:                        {one(Term{Kind: Feed, Text: "open"})},
		"-":                                 {Clause{}},
		"- river":                           {one(word("river"))},
		"feed:":                             {one(word("feed"))},
		"feed: river":                       {one(word("feed")), one(word("river"))},
		"is:blue":                           {one(Term{Text: "is blue", Prefix: true})},
		"before:tomorrow":                   {one(Term{Text: "before tomorrow", Prefix: true})},
		"before:7x":                         {one(Term{Text: "before 7x"})},
		"newer:d":                           {one(Term{Text: "newer d"})},
		"before:2026-02-31":                 {one(Term{Text: "before 2026 02 31"})},
		"colour:red":                        {one(Term{Text: "colour red", Prefix: true})},
		"OR":                                {one(word("or"))},
		"OR river":                          {one(word("or")), one(word("river"))},
		"river OR":                          {one(word("river")), one(word("or"))},
		"river OR OR flood":                 {one(word("river")), one(word("or"), word("flood"))},
		"river or flood":                    {one(word("river")), one(word("or")), one(word("flood"))},
		"NEAR(river flood, 3)":              {one(Term{Text: "near river", Prefix: true}), one(word("flood")), one(word("3"))},
		"{title text}: river* ^dam + x AND": {one(word("title")), one(word("text")), one(word("river")), one(word("dam")), one(word("x")), one(word("and"))},
	}
	for text, want := range cases {
		if d := cmp.Diff(want, Parse(text, today).Clauses); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestParseLimits(t *testing.T) {
	if n := len(Parse(strings.Repeat("word ", 10_000), today).Clauses); n != maxTerms {
		t.Errorf("%d terms", n)
	}
	q := Parse(strings.Repeat("w", 1<<20), today)
	if n := len(q.Clauses[0][0].Text); n > maxPhrase+10 {
		t.Errorf("a phrase of %d bytes", n)
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"!?":                    "",
		"C++, C# (.NET) @you":   " c c net you c＋＋ c¦ c＃ ．net n¦ ne¦ ＠you y¦ yo¦ ",
		"a.b...c 1+1 .5 #5":     " a b c 1 1 5 5 a¦ b¦ c¦ 1＋ 1¦ 5¦ ＃5 ",
		"The River":             " the river t¦ th¦ r¦ ri¦ ",
		"Ça va, Élodie?":        " ca va elodie c¦ ca¦ v¦ va¦ e¦ el¦ ",
		"e\u0301te\u0301 Ete":   " ete ete e¦ et¦ ",
		"Straße Łódź Ørsted":    " strasse lodz orsted s¦ st¦ l¦ lo¦ o¦ or¦ ",
		"ﬁne ＡＢ１":               " fine ab1 f¦ fi¦ a¦ ab¦ ",
		"don't":                 " don t d¦ do¦ t¦ ",
		"so\u00adfort x\u200dy": " sofort xy s¦ so¦ x¦ xy¦ ",
		"Ёлка Май":              " елка маи е¦ ел¦ м¦ ма¦ ",
		"東京都":                   " 東京 京都 都 東¦ 京¦ 都¦ ",
		"ｶﾞｽ":                   " ガス ス ガ¦ ス¦ ",
		"한국어":                   " 한국 국어 어 한¦ 국¦ 어¦ ",
		"한국":                    " 한국 국 한¦ 국¦ ",
		"ที่":                   " ที ี่ ่ ท¦ ี¦ ่¦ ",
		"使用Go语":                 " 使用 用 go 语 使¦ 用¦ g¦ go¦ 语¦ ",
		"😀 ok":                  " 😀 ok 😀¦ o¦ ok¦ ",
		"हिन्दी":                " हिन्दी ह¦ हि¦ ",
		"a\xffb \x00c":          " ab c a¦ ab¦ c¦ ",
	} {
		if got := FoldName(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestFoldText(t *testing.T) {
	if got, want := Fold("The 東京"), " the 東京 京 東¦ 京¦ "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFoldLimits(t *testing.T) {
	for _, text := range []string{strings.Repeat("word ", 1<<20), strings.Repeat("東", 1<<20), strings.Repeat("x", 1<<22), strings.Repeat("é", 1<<20)} {
		if n := len(FoldName(text)); n > 2*maxFold {
			t.Errorf("%d bytes", n)
		}
	}
}

func TestMatch(t *testing.T) {
	text := Text{Title: FoldName("Hochwasser an der Donau"), Author: FoldName("Zoë Müller"),
		Body: Fold("Der Pegel stieg rasch. 東京都知事は語った。ภาษาไทยง่าย A股市场 Wi-Fi don't C++17, C# and .NET by @ann_b #golang; node.js")}
	for query, want := range map[string]bool{
		"donau":              true,
		"c++":                true,
		"C#":                 true,
		"f#":                 false,
		"d++":                false,
		".net":               true,
		".donau":             false,
		"#go":                true,
		"#net":               false,
		"@ann":               true,
		"@zoe":               false,
		"net":                true,
		"node.js":            true,
		`"c++ 17"`:           true,
		`"f# 17"`:            false,
		"title:c++":          false,
		"don":                true,
		"onau":               false,
		`"dona"`:             false,
		"pegel zoe":          true,
		"muller":             true,
		"pegel fehlt":        false,
		"fehlt OR pegel":     true,
		"-pegel":             false,
		"-fehlt":             true,
		"pegel -fehlt":       true,
		`"pegel stieg"`:      true,
		`"stieg pegel"`:      false,
		"title:pegel":        false,
		"title:hoch":         true,
		"author:zoe":         true,
		"author:donau":       false,
		"知事":                 true,
		"京都知":                true,
		"事":                  true,
		"東知":                 false,
		"語った":                true,
		"ไทย":                true,
		"A股":                 true,
		"wi-fi":              true,
		"don't":              true,
		"d":                  true,
		"q":                  false,
		"do":                 true,
		`"do"`:               false,
		"pe":                 false,
		"wi":                 true,
		"title:wi":           false,
		"title:do":           true,
		`"donau zoe"`:        false, // title and author are separate
		`"fi don" -rasch`:    false,
		`"markt" OR "市场 wi"`: true,
	} {
		words, rest := Parse(query, today).Split()
		if len(rest) > 0 {
			t.Errorf("%s: %v is not words", query, rest)
		}
		if got := words.Match(text); got != want {
			t.Errorf("%s: %t, want %t", query, got, want)
		}
	}
}

func TestExpression(t *testing.T) {
	for query, want := range map[string]string{
		"":                          "",
		"river":                     `("river" *)`,
		"river OR flood dam":        `("river" * OR "flood" *) AND ("dam" *)`,
		`river -"big flood" -a1b`:   `(("river" *)) NOT ("big flood" OR "a1b" *)`,
		"-river":                    "",
		"c title:th":                `(("c" OR "c¦")) AND (title : ("th" OR "th¦"))`,
		"title:river author:ann":    `(title : "river" *) AND (author : "ann" *)`,
		"is:unread river feed:news": `("river" *)`,
	} {
		words, _ := Parse(query, today).Split()
		if got := words.Expression(); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	words, _ := Parse("-river -dam", today).Split()
	if got := words.Unwanted().Expression(); got != `("river" * OR "dam" *)` {
		t.Errorf("the unwanted words are %s", got)
	}
}

func TestSplit(t *testing.T) {
	words, rest := Parse("river -dam is:unread flood OR is:starred a1b OR -c1d", today).Split()
	if len(words.All) != 1 || len(words.None) != 1 || len(rest) != 3 {
		t.Errorf("%+v and %+v", words, rest)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{`a "b c" -d OR feed:"x y" is:unread before:2026-01-31`, `-"`, `""""`, `-- - -"-`, "title::x", "OR OR", `feed:"`, `"東京" ¦ \x00`, "“„«", "c++ #a .b+ 東#x", "é\u0301-\u0301"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, rest := Parse(text, today).Split()
		for _, c := range append(words.All, rest...) {
			for _, term := range c {
				if term.isWords() && (term.Text == "" || strings.ContainsAny(term.Text, "\"\x00")) {
					t.Errorf("%q gives %+v", text, term)
				}
			}
		}
		// A text has every word of its own.
		if w, open, withSymbols := phrase(text, false); w != "" && len(text) < maxPhrase/4 {
			x := Text{Body: Fold(text)}
			if !x.has(Term{Text: w, Prefix: open, WithSymbols: withSymbols}) {
				t.Errorf("%q: %q is not in %q", text, w, x.Body)
			}
		}
	})
}
