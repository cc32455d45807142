package text

import "kairos/reader/archive"

var archiveErrors = table[archive.ErrorCode]{
	archive.NotAnArchive: "This is not an export of Kairos.",
	archive.Newer:        "A newer version of Kairos wrote this export.",
	archive.Damaged:      "The file is damaged at byte {{.Offset}}.",
	archive.TooLarge:     "An article at byte {{.Offset}} is larger than {{.Size}}.",
	archive.NotEmpty:     "This folder is not empty. Choose a new one.",
}

// archiveError describes why an export cannot be written or read.
func (p *Printer) archiveError(e *archive.Error) string {
	return say(p, archiveErrors, e.Code, V{"Offset": e.Offset, "Size": p.Size(archive.MaxArticle)})
}
