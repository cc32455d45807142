package article

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"kairos/reader/content"
)

// shownTimes is a text with what plays from a time in braces.
func shownTimes(runs []content.Run) string {
	var b strings.Builder
	for _, r := range runs {
		if strings.HasPrefix(r.Link, actionMark) {
			_, at := CutTime(r.Link)
			fmt.Fprintf(&b, "{%s=%d}", r.Text, int(at.Seconds()))
			continue
		}
		b.WriteString(r.Text)
	}
	return b.String()
}

func TestLinkTimes(t *testing.T) {
	f := File{URL: "https://x.example/1.mp3", Plays: true, Duration: 2 * time.Hour}
	for text, want := range map[string]string{
		"Notes: (00:00) Intro, (00:30) Swans, [01:10] Flood":  "Notes: ({00:00=0}) Intro, ({00:30=30}) Swans, [{01:10=70}] Flood",
		"1:02:03 End\n75:30 Later\n• 0:05 - Soon":             "{1:02:03=3723} End\n{75:30=4530} Later\n• {0:05=5} - Soon",
		"(10:00 - 12:30) A span （5：20）又":                      "({10:00=600} - 12:30) A span （{5：20=320}）又",
		"[00:10:00.500] Exact":                                "[{00:10:00=600}.500] Exact",
		"10:30 am we meet, (7:15 PM) 19:30 Uhr":               "10:30 am we meet, (7:15 PM) 19:30 Uhr",
		"20:15 Uhr\n12:30 h":                                  "20:15 Uhr\n12:30 h",
		"It is 10:30 now, John 3:16, 1:2, 12:75, (John 3:16)": "It is 10:30 now, John 3:16, 1:2, 12:75, (John 3:16)",
		"3:00:00 beyond the end":                              "3:00:00 beyond the end",
		"1:02:03:04 and 1234:56":                              "1:02:03:04 and 1234:56",
		"(4:5) (1:00 of it)":                                  "(4:5) (1:00 of it)",
		"":                                                    "",
	} {
		if got := shownTimes(linkTimes([]content.Run{{Text: text}}, f, false)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	styled := []content.Run{{Text: "0:"}, {Text: "30 Sw", Style: content.Bold}, {Text: "ans "}, {Text: "(1:00)", Link: "https://x.example/"}}
	if got := shownTimes(linkTimes(styled, f, false)); got != "{0:=30}{30=30} Swans (1:00)" {
		t.Errorf("styled: %q", got)
	}
	for text, want := range map[string]string{
		"1:05 Main part": "{1:05 Main part=65}", "1:05 " + strings.Repeat("long ", 30): "{1:05=65} " + strings.Repeat("long ", 30), "0:10 to (0:20)": "{0:10=10} to ({0:20=20})"} {
		if got := shownTimes(linkTimes([]content.Run{{Text: text}}, f, true)); got != want {
			t.Errorf("the item %q is %q", text, got)
		}
	}
	if got := shownTimes(linkTimes([]content.Run{{Text: "1:05 "}, {Text: "Main", Link: "https://x.example/"}}, f, true)); got != "{1:05=65} Main" {
		t.Errorf("a chapter with a link: %q", got)
	}
}

// A click on a time stamp plays from there, where there is something to play; a link with an action does that.
func TestTimesArePlayed(t *testing.T) {
	v, _ := openView(t, fyne.NewSize(480, 320))
	var done []string
	v.OnFile = func(action, url string) { done = append(done, action+" "+url) }
	v.OnLink = func(url string) { done = append(done, url) }
	body := content.Document{Blocks: []content.Block{{Runs: runs(run("Swans are at (0:30)."))},
		{Runs: []content.Run{{Text: "Chapters", Link: "https://x.example/c.json"}}},
		{Kind: content.Table, Rows: [][]content.Cell{{{Runs: runs(run("1:10"))}, {Runs: runs(run("Flood"))}}}}}}
	a := Article{Body: body, Files: []File{{URL: "https://x.example/1.mp3", Name: "1.mp3", Plays: true}}, Actions: map[string]string{"https://x.example/c.json": "chapters"}}
	tap := func(s string) { v.page.Tapped(&fyne.PointEvent{Position: place(t, v, s, false).AddXY(3, 0)}) }
	v.Display(a)
	tap("0:30")
	tap("Chapters")
	tap("1:10")
	want := "from https://x.example/1.mp3#t=30|chapters https://x.example/c.json|from https://x.example/1.mp3#t=70"
	if got := strings.Join(done, "|"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if body.Blocks[0].Runs[0].Link != "" || body.Blocks[2].Rows[0][0].Runs[0].Link != "" {
		t.Error("the article is changed")
	}
	done = nil
	v.Display(Article{Body: body})
	tap("0:30")
	tap("Chapters")
	if got := strings.Join(done, "|"); got != "https://x.example/c.json" {
		t.Errorf("without a file: %q", got)
	}
}

func FuzzLinkTimes(f *testing.F) {
	f.Add("(0:30) Swans\n1:02:03 – End", 5, true)
	f.Add("（5：20）", 1, false)
	f.Fuzz(func(t *testing.T, text string, cut int, item bool) {
		if cut = max(0, min(cut, len(text))); cut > 0 && cut < len(text) && text[cut]&0xc0 == 0x80 {
			return
		}
		parts := []content.Run{{Text: text[:cut]}, {Text: text[cut:], Style: content.Bold}}
		var b strings.Builder
		for _, r := range linkTimes(parts, File{URL: "https://x.example/"}, item) {
			b.WriteString(r.Text)
		}
		if b.String() != text {
			t.Errorf("%q is %q", text, b.String())
		}
	})
}
