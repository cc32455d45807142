package content

import "testing"

func TestSanitizeAgain(t *testing.T) {
	for _, html := range []string{"", "<p>One &amp; two</p>", Sanitize(`<iframe src="https://www.youtube.com/embed/abc"></iframe><script>x</script>`, Origin{})} {
		if again := SanitizeAgain(html, Origin{}); again != html {
			t.Errorf("%q became %q", html, again)
		}
	}
	const hostile = `<p onclick="x()">One</p><script>x</script><a href="javascript:x">two</a>`
	if got := SanitizeAgain(hostile, Origin{}); got != Sanitize(hostile, Origin{}) || got == hostile {
		t.Errorf("%q", got)
	}
}
