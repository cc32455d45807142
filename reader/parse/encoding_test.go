package parse

import (
	"context"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

func titled(encoding, title string) []byte {
	return []byte(`<?xml version="1.0" encoding="` + encoding + `"?><rss><channel><title>` + title + `</title></channel></rss>`)
}

func TestEncodings(t *testing.T) {
	wide := func(s []byte) []byte {
		out := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(string(s))) {
			out = append(out, byte(u), byte(u>>8))
		}
		return out
	}
	ebcdic, err := charmap.CodePage037.NewEncoder().Bytes(titled("cp037", "Ubung"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body []byte
		http string
		want string
	}{
		"utf-8":                      {titled("utf-8", "Übung"), "", "Übung"},
		"latin":                      {titled("iso-8859-1", "\xdcbung"), "", "Übung"},
		"utf-8 declared as latin":    {titled("iso-8859-1", "Übung"), "", "Übung"},
		"one bad byte":               {titled("utf-8", "Übung it\x92s"), "", "Übung it’s"},
		"HTTP charset":               {titled("", "\xcf\xf0\xe8"), "text/xml; charset=windows-1251", "При"},
		"HTTP charset in quotes":     {titled("", "\xcf\xf0\xe8"), "text/xml;charset = 'windows-1251'", "При"},
		"unknown HTTP charset":       {titled("windows-1251", "\xcf\xf0\xe8"), "text/xml; charset=x-mine", "При"},
		"koi8":                       {titled("koi8-r", "\xf0\xd2\xc9"), "text/xml; charset=iso-8859-1", "При"},
		"by the name of IANA":        {titled("cp437", "\x9abung"), "", "Übung"},
		"ebcdic":                     {ebcdic, "", "Ubung"},
		"utf-16":                     {wide(titled("utf-16", "Übung")), "", "Übung"},
		"utf-16 without mark":        {wide(titled("utf-16", "Übung"))[2:], "", "Übung"},
		"utf-16 declared, but utf-8": {titled("utf-16", "Übung"), "", "Übung"},
		"utf-16 declared, but latin": {titled("utf-16", "\xdcbung"), "", "Übung"},
		"shift jis":                  {titled("shift_jis", "\x93\xfa\x96{"), "", "日本"},
		"iso-2022-jp":                {titled("iso-2022-jp", "\x1b$BF|K\\\x1b(B"), "", "日本"},
		"C1":                         {titled("utf-8", "it\u0092s"), "", "it’s"},
		"C1 of no character":         {titled("utf-8", "a\u0081b\u009dc"), "", "abc"},
		"C1 as a reference":          {titled("utf-8", "it&#146;s &#x81;"), "", "it’s"},
		"unknown":                    {titled("x-mine", "a\x93b"), "", "a“b"},
		"cut within a character":     {titled("utf-8", "Übung")[:len(titled("utf-8", "Ü"))-len("</title></channel></rss>")], "", ""},
	} {
		f, err := Parse(context.Background(), c.body, Options{ContentType: c.http})
		if c.want == "" && err != nil {
			continue
		}
		if err != nil || f.Title != c.want {
			t.Errorf("%s: %v %+v, want %q", name, err, f, c.want)
		}
	}
}

// prose is a sentence or two in languages that had encodings of their own, by those
// encodings.
var prose = map[string]string{
	"windows-1251 koi8-r iso-8859-5 ibm866": "Сегодня утром читатели снова открыли окно и увидели новости, которых ещё вчера не было.",
	"shift_jis euc-jp":                      "今日の朝、読者は窓を開けて、昨日はまだなかった新しい記事を見ました。とても楽しかったです。",
	"gb18030":                               "今天早上读者打开窗口，看到了昨天还没有的新闻。这是一个很好的开始，大家都来说一说自己的生活。",
	"big5":                                  "今天早上讀者打開窗口，看到了昨天還沒有的新聞。這是一個很好的開始，大家都來說一說自己的生活。",
	"euc-kr":                                "오늘 아침 독자는 창을 열고 어제까지 없던 새로운 소식을 보았습니다. 정말 즐거운 하루가 시작되었다고 말했다.",
	"windows-1253":                          "Σήμερα το πρωί οι αναγνώστες άνοιξαν το παράθυρο και είδαν νέα που χθες δεν υπήρχαν ακόμη.",
	"windows-1255":                          "הבוקר פתחו הקוראים את החלון וראו חדשות שאתמול עוד לא היו שם, וכולם שמחו מאוד.",
	"windows-1256":                          "في هذا الصباح فتح القراء النافذة ورأوا الأخبار الجديدة التي لم تكن هناك بالأمس، وفرح الجميع.",
	"windows-874":                           "เช้าวันนี้ผู้อ่านเปิดหน้าต่างและเห็นข่าวใหม่ที่เมื่อวานยังไม่มี ทุกคนมีความสุขมาก",
	"windows-1250 iso-8859-2":               "Dziś rano czytelnicy znów otworzyli okno i zobaczyli wiadomości, których wczoraj jeszcze nie było, więc się ucieszyli.",
	"windows-1254":                          "Bu sabah okuyucular pencereyi açtılar ve dün olmayan yeni haberleri gördüler; herkes çok sevindi, işte böyle başladı.",
	"windows-1252":                          "Ce matin les lecteurs ont rouvert la fenêtre et découvert des nouvelles qui n’étaient pas là hier, à leur grande joie.",
}

// TestDetect reads prose without a declared encoding, and with the one that servers
// declare for everything.
func TestDetect(t *testing.T) {
	for labels, text := range prose {
		for _, label := range strings.Fields(labels) {
			e, err := htmlindex.Get(label)
			if err != nil {
				t.Fatal(err)
			}
			body, err := e.NewEncoder().String(text)
			if err != nil {
				t.Fatalf("%s: %v", label, err)
			}
			want := strings.TrimSpace(text)
			declared := []string{"", "utf-8"}
			if label != "windows-1252" && label != "windows-1250" && label != "iso-8859-2" && label != "windows-1254" {
				declared = append(declared, "iso-8859-1")
			}
			for _, d := range declared {
				if got, warning := decode(titled(d, body), ""); !strings.Contains(string(got), want) || warning == nil {
					t.Errorf("%s declared as %q: %s, warning %v", label, d, got, warning)
				}
			}
			if got, warning := decode(titled(label, body), ""); !strings.Contains(string(got), want) || warning != nil {
				t.Errorf("%s: %s, warning %v", label, got, warning)
			}
		}
	}
}

func TestFixDoubleUTF8(t *testing.T) {
	double := func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			b.WriteRune(windows1252Rune(c))
		}
		return b.String()
	}
	for _, s := range []string{"it’s", "5 €", "“so”", "Übung macht größere Meister", "日本語の新聞", "😀", "a – b"} {
		if got := string(fixDoubleUTF8([]byte(double(s)))); got != s {
			t.Errorf("%q becomes %q, want %q", double(s), got, s)
		}
		if got := string(fixDoubleUTF8([]byte(double(double(s))))); got != s {
			t.Errorf("%q, encoded three times, becomes %q", s, got)
		}
		if got := string(fixDoubleUTF8([]byte(s))); got != s {
			t.Errorf("%q is right and becomes %q", s, got)
		}
	}
	for _, s := range []string{"un café\u00a0» et", "NÃO, AMANHÃ”", "Ã©", "â la carte, â„ not", "voilà\u00a0» là\u00a0» déjà\u00a0»"} {
		if got := string(fixDoubleUTF8([]byte(s))); got != s {
			t.Errorf("%q is meant so and becomes %q", s, got)
		}
	}
}

// Character references are read after the text was decoded.
func TestFixDoubleUTF8OfReferences(t *testing.T) {
	twice := strings.NewReplacer("’", "&#226;&#8364;&#8482;", "\u202e", "&#226;&#8364;&#174;")
	it, override := twice.Replace("it’s"), twice.Replace("gpj.\u202eexe")
	f := mustParse(t, `<rss version="2.0"><channel><title>`+it+override+`</title><item><title>`+it+override+`</title><author>`+it+override+
		`</author><category>`+it+override+`</category><description>`+it+" "+override+`</description></item></channel></rss>`)
	a := f.Articles[0]
	for what, got := range map[string]string{"the feed's title": f.Title, "the title": a.Title, "the author": a.Author, "the category": a.Categories[0]} {
		if want := "it’sgpj.exe"; got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	if want := "it’s gpj.exe"; a.Summary != want {
		t.Errorf("the summary is %q, want %q", a.Summary, want)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfe<\x00"), "")
	f.Add(titled("gb2312", "\xc4\xe3"), "text/xml; charset=big5")
	f.Add([]byte("caf\xe9 \xc3\xa2\xe2\x82\xac\xe2\x84\xa2 \xcf\xf0\xe8\xe2\xe5\xf2 \xcf\xf0\xe8\xe2\xe5\xf2"), "")
	f.Add([]byte("\xc3\x83\xc2\xa9\xc3\x83\xc2\xa9\xc3\x83\xc2\xa9\xc2\x81\xef\xbf\xbf\x00"), "")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text := Text(body, contentType)
		if !utf8.Valid(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		if i := firstForbidden(text); i < len(text) {
			t.Fatalf("%q has characters that XML forbids", text[i:])
		}
	})
}
