package parse

import "strings"

// zones are the abbreviations of time zones, in minutes east of UTC. Where two zones
// share one, RFC 822 §5 decides, then what more feeds mean.
var zones = map[string]int{
	"z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60,
	"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
	"akst": -540, "akdt": -480, "hst": -600, "ast": -240, "adt": -180, "nst": -210, "ndt": -150,
	"et": -300, "ct": -360, "mt": -420, "pt": -480,
	"bst": 60, "ist": 330, "cet": 60, "cest": 120, "mez": 60, "mesz": 120, "met": 60, "mest": 120,
	"eet": 120, "eest": 180, "msk": 180, "msd": 240, "trt": 180, "sast": 120, "wat": 60, "cat": 120, "eat": 180,
	"pkt": 300, "sgt": 480, "hkt": 480, "awst": 480, "jst": 540, "kst": 540, "acst": 570, "acdt": 630,
	"aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780, "brt": -180, "brst": -120, "art": -180, "clt": -240,
	"a": -60, "m": -720, "n": 60, "y": 720,
}

// months are the beginnings of the names of months in the languages of feeds.
var months = []struct {
	starts string
	month  int
}{
	{"jan ene gen янв ιαν oca sty led tammi ocak", 1},
	{"feb fév fev fevr févr фев φεβ şub lut úno helmi", 2},
	{"már mar mär mrz maa мар μαρ μάρ mars březen maalis", 3},
	{"ápr apr avr abr апр απρ nis kwi dub huhti", 4},
	{"máj may mai mei mag maj мая май μαϊ μαι μάι kvě touko", 5},
	{"jún juin jun giu июн ιουν ιούν haz cze červen kesä", 6},
	{"júl juil jul lug июл ιουλ ιούλ tem lip červenec heinä", 7},
	{"aug aoû aou ago авг αυγ αύγ ağu sie srp elo", 8},
	{"sep set сен σεπ eyl wrz zář syys", 9},
	{"oct okt ott out окт οκτ eki paź říj loka", 10},
	{"nov ноя νοε νοέ kas lis listopad marras", 11},
	{"dec dez déc dic дек δεκ ara gru pro joulu", 12},
}

// monthOf returns the number of the month whose name begins a word, 0 for any other
// word. The longest beginning decides ("juillet" is not "juin", "červenec" not "červen").
func monthOf(w string) int {
	best, month := 0, 0
	for _, m := range months {
		for _, start := range strings.Fields(m.starts) {
			if len(start) > best && strings.HasPrefix(w, start) {
				best, month = len(start), m.month
			}
		}
	}
	return month
}
