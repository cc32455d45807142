package text

import "kairos/app/player"

var playErrors = table[player.ErrorCode]{
	player.NotLoaded:     "mpv cannot load this file.",
	player.UnknownFormat: "mpv cannot play this file: its format is unknown.",
	player.NothingToPlay: "mpv finds neither sound nor video in this file.",
	player.NoSound:       "mpv cannot use the sound output of this computer.",
	player.NoVideo:       "mpv cannot open a window for the video.",
	player.Ended:         "mpv ended with an error.",
}

// maxSaid is the longest part of what a player says that is shown, in characters.
const maxSaid = 80

// playError describes why a file was not played.
func (p *Printer) playError(e *player.Error) string {
	switch {
	case e.Code == player.NotLoaded && e.Value != "":
		return p.L("mpv cannot load this file: {{.Said}}", V{"Said": CutMiddle(e.Value, maxSaid)})
	case e.Code == player.Ended && e.Value != "":
		return p.L("mpv ended with an error (exit status {{.Status}}).", V{"Status": e.Value})
	}
	return say(p, playErrors, e.Code)
}
