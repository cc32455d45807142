package content

import "testing"

func TestLeadPicture(t *testing.T) {
	origin := Origin{Base: "https://a.test/"}
	for in, want := range map[string]string{
		"": "", "<p>Words": "", `<p>One <img src="/a.png?x=1&amp;y=2" alt="a > b"> two <img src="/b.png">`: "https://a.test/a.png?x=1&y=2",
		`<img alt="x" src="b.jpg">`: "https://a.test/b.jpg", `<p>&lt;img src="x"&gt;</p>`: "",
		`<img alt="&quot; src=&quot;c"><img src="d.gif">`: "https://a.test/d.gif",
	} {
		if got := LeadPicture(Sanitize(in, origin)); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for _, broken := range []string{"<img ", `<img src="`, `<img src="x`, "<img <img >"} {
		LeadPicture(broken)
	}
}
