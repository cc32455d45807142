package reading

import (
	"net/url"
	"path"
	"time"

	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/language"
	"kairos/reader"
)

// filesOf returns the files of an article, of which so much was played and one may be playing, as the article view lists them.
func filesOf(files []reader.Enclosure, played map[string]reader.Playback, now nowPlaying) []article.File {
	out := make([]article.File, 0, len(files))
	for _, f := range files {
		file := article.File{URL: f.URL, Name: fileName(f.URL, f.URL), Details: fileKind(f), Plays: plays(f)}
		if f.Length > 0 {
			file.Details += " · " + language.Printer().Size(f.Length)
		}
		if file.Plays {
			one := played[f.URL]
			actions, details := playActions(one, f.URL == now.url, now.paused)
			file.Actions, file.Length, file.Duration = actions, playingTime(f, one), duration(f, one)
			for _, detail := range []string{file.Length, details} {
				if detail != "" {
					file.Details += " · " + detail
				}
			}
		}
		out = append(out, file)
	}
	return out
}

// duration is how long a file plays, 0 if that is not known. The player knows it better than the feed.
func duration(f reader.Enclosure, p reader.Playback) time.Duration {
	if p.Length > 0 {
		return p.Length
	}
	return time.Duration(f.Seconds) * time.Second
}

// playingTime tells how long a file plays, or still does.
func playingTime(f reader.Enclosure, p reader.Playback) string {
	whole, left := duration(f, p), time.Duration(0)
	if 0 < p.Position && p.Position < whole {
		left = whole - p.Position
	}
	return language.Printer().PlayingTimeLeft(whole, left)
}

// mediaClass is the first part of a file's media type, such as "audio/". If the feed does not tell it, it is guessed
// from the address.
func mediaClass(f reader.Enclosure) string {
	if first, _ := path.Split(f.Type); first != "" && first != "application/" {
		return first
	}
	u, err := url.Parse(f.URL)
	if err != nil {
		return ""
	}
	switch path.Ext(u.Path) {
	case ".mp3", ".m4a", ".m4b", ".ogg", ".oga", ".opus", ".aac", ".flac", ".wav":
		return "audio/"
	case ".mp4", ".m4v", ".webm", ".mov", ".mkv", ".ogv", ".avi":
		return "video/"
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif":
		return "image/"
	}
	return ""
}

func plays(f reader.Enclosure) bool { return mediaClass(f) == "audio/" || mediaClass(f) == "video/" }

func fileKind(f reader.Enclosure) string {
	switch mediaClass(f) {
	case "audio/":
		return lang.L("Audio")
	case "video/":
		return lang.L("Video")
	case "image/":
		return lang.L("Image")
	}
	if f.Type != "" {
		return f.Type
	}
	return lang.L("File")
}
