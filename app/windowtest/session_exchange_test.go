//go:build window

package windowtest

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// selected is the text of the clipboard as a program that is not Kairos gets it.
func (s *session) selected() string {
	text, _ := s.tool("xsel", "--output", "--clipboard")
	return text
}

// copyPaste pastes what another program has copied, and copies for others.
func (s *session) copyPaste() {
	feed := s.site()
	s.launch()
	s.inFront()
	kairos := s.installed()

	s.Log("an address of another program")
	before := s.shot("desktop")
	s.key("ctrl+n") // with nothing to offer, since nothing is copied yet
	s.until("the dialog asks", func() bool { return differing(before, s.shot("desktop-paste"), before.Bounds()) > 20000 })
	s.copied(feed)
	s.key("ctrl+a", "ctrl+v", "Return")
	s.until("it is subscribed to", func() bool { return len(kairos.verb("feeds")) == 1 })
	s.until("the window shows it", func() bool { return strings.Contains(s.title(), "The Session Gazette") }) // and not the dialog

	s.Log("and for another program, the link of an article")
	s.until("an article is open", func() bool {
		s.key("n")
		return kairos.number("unread", "feeds") < 3
	})
	s.copied("nothing")
	s.until("the link is copied", func() bool {
		s.key("c")
		return strings.HasPrefix(s.selected(), "http://gazette.test/story/")
	})

	s.Log("then its text")
	s.key("Right", "ctrl+a", "ctrl+c")
	s.until("the text is copied", func() bool { return strings.Contains(s.selected(), "What story number ") })
	s.quit()
	s.until("it outlives Kairos", func() bool { return strings.Contains(s.selected(), "What story number ") })
}

// copied has another program copy this text.
func (s *session) copied(text string) {
	s.Helper()
	s.background(text, "xclip", "-quiet", "-in", "-selection", "clipboard") // stays as long as the text is its own
	s.until("it is copied", func() bool { return s.selected() == text })
}

// drag drags two lists of feeds from the file manager into the window.
func (s *session) drag() {
	feed := s.site()
	if err := os.MkdirAll(filepath.Join(s.home, "lists"), 0o700); err != nil {
		s.Fatal(err)
	}
	s.list("lists/a list.opml", feed)
	s.list("lists/two.opml", feed+"?two")
	s.launch()
	s.inFront()
	s.run("thunar", filepath.Join(s.home, "lists"))
	var folder string
	s.until("the folder is shown", func() bool {
		ids, _ := s.tool("xdotool", "search", "--onlyvisible", "--name", "^lists - Thunar$")
		folder = strings.TrimSpace(ids)
		return folder != "" && !strings.Contains(folder, "\n")
	})
	s.xdotool("windowmove", folder, "10", strconv.Itoa(s.screen.Y/2), "windowactivate", folder)
	var file image.Point
	pane := image.Rect(190, s.screen.Y/2+140, 640, s.screen.Y-20)
	s.until("both files are selected", func() (there bool) {
		s.click(pane.Max.Sub(image.Pt(40, 40)), 1) // where there is none
		s.key("ctrl+a")
		file, there = selection(s.shot("desktop-drag"), pane)
		return there
	})
	kairos := s.installed()
	s.until("both are imported", func() bool { // what is let go before the program below has answered is not dropped
		s.xdotool("windowactivate", "--sync", folder)
		at := file
		s.xdotool("mousemove", strconv.Itoa(at.X), strconv.Itoa(at.Y), "mousedown", "1")
		target := image.Pt(s.screen.X/2, 200)
		for range 20 {
			at = at.Add(target.Sub(file).Div(20))
			s.xdotool("mousemove", strconv.Itoa(at.X), strconv.Itoa(at.Y))
		}
		s.shot("desktop-drag")
		s.xdotool("mouseup", "1")
		id := s.window()
		if id == "" { // the search meets a window that is just going
			return false
		}
		s.xdotool("windowactivate", "--sync", id)
		for range 20 { // each list is shown before it is imported
			s.key("Return")
			if len(kairos.verb("feeds")) == 2 {
				return true
			}
		}
		return false
	})
	s.xdotool("windowactivate", "--sync", folder)
	s.key("ctrl+w")
	s.inFront()
	s.quit()
}

// selection is a place in what is selected in a part of the screen, by the color that Adwaita gives it.
func selection(img image.Image, part image.Rectangle) (at image.Point, there bool) {
	for y := part.Max.Y - 1; y >= part.Min.Y; y-- {
		for x := part.Min.X; x < part.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 == 0x35 && g>>8 == 0x84 && b>>8 == 0xe4 {
				return image.Pt(x+8, y-8), true
			}
		}
	}
	return at, false
}

// inputMethod types Chinese, through ibus.
func (s *session) inputMethod() {
	defer func(with []string) { s.with = with }(s.with)
	s.with = append(slices.Clip(s.with), "XMODIFIERS=@im=ibus")
	s.background("", "ibus-daemon", "--xim", "--panel", "disable", "--config", "default")
	defer s.run("ibus", "exit")
	engine := func() bool {
		s.tool("ibus", "engine", "libpinyin") //nolint:errcheck // not there yet
		is, _ := s.tool("ibus", "engine")
		return strings.TrimSpace(is) == "libpinyin"
	}
	s.until("the method of input is chosen", engine)
	kairos := s.installed()
	kairos.verb("add", s.site())
	s.launch()
	s.inFront()
	s.until("the search has the text", func() bool {
		s.key("ctrl+f", "ctrl+a", "BackSpace")
		if !engine() {
			return false
		}
		s.xdotool("type", "--delay", "100", "nihao")
		s.key("space", "ctrl+a", "ctrl+c")
		return s.selected() == "你好"
	})
	s.shot("desktop-input-method")
	s.key("Escape", "Escape")
	s.quit()
}
