package parse

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// language tells what text of a language looks like: its commonest characters
// beyond ASCII, their share in ordinary prose, and the encodings it was written in
// before UTF-8, the more usual ones first.
type language struct {
	common    string
	share     float64
	encodings string
}

// languages are those with an encoding of their own in the table of browsers. The
// libraries that detect encodings know one script well and miss another; measured
// by the commonest letters, every wrong encoding falls far behind the right one.
var languages = []language{
	{"のにはをたがでてとしれさいるなもあっかこくまうらりすそけどんーイスンルトリ、。", 0.5, "shift_jis euc-jp"},
	{"的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说", 0.2, "gb18030"},
	{"的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說", 0.2, "big5"},
	{"이다는의에을가고하지한로은기사도를어리자서인대나있시정제일해스수라과장보", 0.25, "euc-kr"},
	{"оеаинтсрвлкмдпуяыьгз", 0.8, "windows-1251 koi8-r iso-8859-5 ibm866"},
	{"аоіиненвртслкдмпуяьзй", 0.8, "windows-1251 koi8-u"},
	{"αοιετσνηυρπκμλςωόίάέή", 0.8, "windows-1253"},
	{"יוהלאתרמבשנדחכקעפםן", 0.8, "windows-1255"},
	{"اليمنرتوبدعسفهكحقةأ", 0.8, "windows-1256"},
	{"านรอกเงมยลวดท่สต้ะปบคหแจพชขใ็ไผ์ิีุูั", 0.8, "windows-874"},
	{"éèàêçùâîôûëïœ’«»", 0.9, "windows-1252"},
	{"üäößÜÄÖ„“–", 0.9, "windows-1252"},
	{"íóáéñúü¿¡ãçêõâ", 0.9, "windows-1252"},
	{"åäöøæéÅÄÖØÆ", 0.9, "windows-1252"},
	{"ąęłóśżćńźŁŚŻ„”", 0.9, "windows-1250 iso-8859-2"},
	{"íáěéšřčžýůúďťňČŠŘŽľô", 0.9, "windows-1250 iso-8859-2"},
	{"áéőíóöűúüÁÉŐÖ", 0.9, "windows-1250 iso-8859-2"},
	{"ıüğşçöİĞŞÇÖÜ", 0.9, "windows-1254"},
}

// maxSample is how much text an encoding is detected by, in bytes.
const maxSample = 64 << 10

// detect guesses the encoding of text that is not UTF-8; nil where there is too
// little to tell. notLatin leaves out the encodings of Latin letters. confidence
// goes from 0 to 1.
func detect(body []byte, notLatin bool) (best encoding.Encoding, confidence float64) {
	text := nonASCIIWords(body)
	if len(text) < 8 {
		return nil, 0
	}
	for _, l := range languages {
		if notLatin && l.isLatin() {
			continue
		}
		for _, label := range strings.Fields(l.encodings) {
			e, _ := htmlindex.Get(label)
			if s := l.score(e, text); s > confidence {
				best, confidence = e, s
			}
		}
	}
	if confidence < 0.3 {
		return nil, 0
	}
	return best, confidence
}

func (l language) isLatin() bool {
	r, _ := utf8.DecodeRuneInString(l.common)
	return unicode.Is(unicode.Latin, r) || unicode.IsPunct(r)
}

// score tells how much text, read as e, looks like the language, from 0 to 1. It is
// 0 where characters come out that nobody writes, or letters of different scripts
// and cases in one word.
func (l language) score(e encoding.Encoding, text []byte) float64 {
	plain, err := e.NewDecoder().Bytes(text)
	if err != nil {
		return 0
	}
	var high, common, wrong, mixed, words int
	before := ' '
	for _, r := range string(plain) {
		letter := unicode.In(r, unicode.L, unicode.M)
		switch {
		case r == utf8.RuneError, r >= utf8.RuneSelf && r < 0xa0, r >= 0x2500 && r < 0x2600, unicode.Is(unicode.Co, r):
			wrong++ // controls, box drawing, private use
		case r >= utf8.RuneSelf && (letter || before != ' ' && isSymbol(r)):
			high++
			if strings.ContainsRune(l.common, r) {
				common++
			}
		}
		switch {
		case !letter:
			r = ' '
		case before == ' ':
			words++
		case (r < utf8.RuneSelf) != (before < utf8.RuneSelf), unicode.IsUpper(r) && unicode.IsLower(before):
			mixed++
		}
		before = r
	}
	switch {
	case high == 0, wrong*50 > high,
		l.hasOwnAlphabet() && (mixed*10 > high || words*2 > high),
		l.isLatin() && mixed*2 < high:
		return 0
	}
	return min(1, float64(common)/float64(high)/l.share)
}

// isSymbol recognizes characters that do not stand within a word.
func isSymbol(r rune) bool {
	return unicode.In(r, unicode.N, unicode.S) || r > 0xa0 && r < 0xc0 && !strings.ContainsRune("«»·", r)
}

// hasOwnAlphabet recognizes the scripts whose letters do not stand among Latin ones.
func (l language) hasOwnAlphabet() bool {
	r, _ := utf8.DecodeRuneInString(l.common)
	return unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic, unicode.Thai)
}

// nonASCIIWords returns the words with bytes beyond ASCII, without markup.
func nonASCIIWords(body []byte) []byte {
	const blank = " \t\r\n<>"
	var text []byte
	for len(body) > 0 && len(text) < maxSample {
		i := bytes.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf })
		if i < 0 {
			break
		}
		body = body[1+bytes.LastIndexAny(body[:i], blank):]
		end := bytes.IndexAny(body, blank)
		if end < 0 {
			end = len(body)
		}
		text = append(append(text, body[:end]...), ' ')
		body = body[end:]
	}
	return text
}
