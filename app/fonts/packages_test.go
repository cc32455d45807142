package fonts

import "testing"

func TestPackages(t *testing.T) {
	for _, c := range []struct{ release, script, want string }{
		{"NAME=\"Debian GNU/Linux\"\nID=debian\n", "chinese", "fonts-noto-cjk"},
		{"ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "thai", "fonts-noto-core"},
		{"ID=fedora\n", "korean", "google-noto-sans-cjk-fonts"}, {"ID=\"rhel\"\nID_LIKE=\"fedora\"\n", "hebrew", "google-noto-sans-hebrew-fonts"},
		{"ID=manjaro\nID_LIKE=arch\n", "japanese", "noto-fonts-cjk"}, {"ID=alpine", "arabic", "font-noto-arabic"},
		{"ID=fedora", "urdu", "google-noto-sans-arabic-fonts"},
		{"ID=nixos\n", "chinese", ""}, {"", "chinese", ""},
	} {
		if got := packageOf(c.release, c.script); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.release, c.script, got, c.want)
		}
	}
}
