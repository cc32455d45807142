package scrape

import (
	"strings"
	"testing"
)

// The examples of RFC 9309 §2.2, §5.
func TestRobots(t *testing.T) {
	const file = "\ufeff# a comment\nUser-agent: *\nDisallow: /private/ # not this\nDisallow: *.gif$\nAllow: /private/open\nDisallow: /publications/*/draft\n\n" +
		"User-Agent: foobot/2.1\nuser-agent: barbot\nDisallow: /\nAllow: /example/page.html\nAllow: /example/allowed.gif\n\nUser-agent: quxbot\n\nUser-agent: evilbot\nDisallow:\n"
	for _, c := range []struct {
		product, path string
		want          bool
	}{
		{"Kairos", "/", true}, {"Kairos", "/private/x", false}, {"Kairos", "/private/open/x", true}, {"Kairos", "/a.gif", false}, {"Kairos", "/a.gif?x", true},
		{"Kairos", "/publications/7/draft", false}, {"Kairos", "/robots.txt", true}, {"FooBot", "/", false}, {"FooBot", "/example/page.html", true},
		{"barbot", "/private/x", false}, {"quxbot", "/private/x", true}, {"evilbot", "/", true},
	} {
		if got := ParseRobots([]byte(file), c.product).Allow(c.path); got != c.want {
			t.Errorf("%s %s: %v", c.product, c.path, got)
		}
	}
	for _, file := range []string{"", "<html>no</html>", strings.Repeat("Disallow: /\n", 100), "User-agent: *\nDisallow:"} {
		if !ParseRobots([]byte(file), "Kairos").Allow("/x") {
			t.Errorf("%.30q forbids", file)
		}
	}
}

func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a*$", "/xay")
	f.Fuzz(func(t *testing.T, file, path string) { ParseRobots([]byte(file), "Kairos").Allow(path) })
}
