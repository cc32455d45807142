package text

// scripts names scripts by the names of package glyphs.
var scripts = table[string]{
	"chinese": "Chinese", "japanese": "Japanese", "korean": "Korean", "arabic": "Arabic", "urdu": "Urdu", "hebrew": "Hebrew", "thai": "Thai", "devanagari": "Devanagari",
	"bengali": "Bengali", "tamil": "Tamil", "telugu": "Telugu", "georgian": "Georgian", "armenian": "Armenian", "khmer": "Khmer",
}

// MissingFonts tells that no installed font has some scripts, and which packages of the system have them, none if that is not known.
func (p *Printer) MissingFonts(names, packages []string) string {
	told := make([]string, len(names))
	for i, name := range names {
		told[i] = say(p, scripts, name, nil)
	}
	v := V{"Script": p.List(told), "Scripts": p.List(told), "Package": p.List(packages), "Packages": p.List(packages)}
	switch {
	case len(names) == 1 && len(packages) == 0:
		return p.L("No font for {{.Script}} is installed, so its letters cannot be shown. Install one and start Kairos again.", v)
	case len(names) == 1:
		return p.L("No font for {{.Script}} is installed, so its letters cannot be shown. Install the package {{.Package}} and start Kairos again.", v)
	case len(packages) == 0:
		return p.L("No fonts for {{.Scripts}} are installed, so their letters cannot be shown. Install them and start Kairos again.", v)
	}
	return p.L("No fonts for {{.Scripts}} are installed, so their letters cannot be shown. Install the packages {{.Packages}} and start Kairos again.", v)
}
