package text

import "kairos/app/share"

var shareErrors = table[share.ErrorCode]{
	share.NoName:             "Enter a name.",
	share.NoTarget:           "Enter a web address, or a command that begins with the name of a program.",
	share.NoPlaceholder:      "Write {url} where the link of the article goes.",
	share.UnknownPlaceholder: "“{{.Value}}” is not a placeholder. You can use {url}, {title}, {text}, {author}, {feed} and {labels}.",
	share.WrongAddress:       "Enter the whole address of a web site. The name of its server cannot be a placeholder.",
	share.OpenQuote:          "A quotation mark is never closed.",
	share.NoProgram:          "There is no program “{{.Value}}” on this computer.",
	share.ShellScript:        "“{{.Value}}” is a batch file, which could run commands from the titles of articles. Choose a program.",
	share.ProgramFailed:      "The program failed: {{.Value}}",
}

// shareError describes why an article could not be sent to a service.
func (p *Printer) shareError(e *share.Error) string {
	return say(p, shareErrors, e.Code, V{"Value": e.Value})
}
