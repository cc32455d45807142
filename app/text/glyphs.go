package text

// scripts names scripts by the names of package glyphs.
var scripts = table[string]{
	"chinese": "Chinese", "japanese": "Japanese", "korean": "Korean", "arabic": "Arabic", "urdu": "Urdu", "hebrew": "Hebrew", "thai": "Thai", "devanagari": "Devanagari",
	"bengali": "Bengali", "tamil": "Tamil", "telugu": "Telugu", "georgian": "Georgian", "armenian": "Armenian", "khmer": "Khmer",
}

// MissingFont tells that no installed font has a script, and which package of the system has one, "" if that is not known.
func (p *Printer) MissingFont(script, pkg string) string {
	v := V{"Script": say(p, scripts, script, nil), "Package": pkg}
	if pkg == "" {
		return p.L("No font for {{.Script}} is installed, so its letters cannot be shown. Install one and start Kairos again.", v)
	}
	return p.L("No font for {{.Script}} is installed, so its letters cannot be shown. Install the package {{.Package}} and start Kairos again.", v)
}
