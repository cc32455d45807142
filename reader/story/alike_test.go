package story

import (
	"strings"
	"testing"
)

const quake = "A magnitude 6.2 earthquake struck off the coast of Corvana early on Tuesday, cutting power to the port town of Belmar."

func TestProfileIsBounded(t *testing.T) {
	huge := strings.Repeat("Belmar without power 6.2 漢字 ", 40_000)
	for _, p := range []*Profile{NewProfile(huge, huge), NewProfile("", ""), NewProfile("\xff\xfe", strings.Repeat("\xff", 1<<20)), NewProfile("!!!", "...")} {
		if len(p.lead) > 2*(maxTitleBytes+leadWords) || len(p.shingles) > maxTextWords || len(p.Keys()) > keyWords+keyShingles {
			t.Errorf("%d words, %d shingles, %d keys", len(p.lead), len(p.shingles), len(p.Keys()))
		}
	}
	if empty := NewProfile("", ""); Alike(empty, empty) || len(empty.Keys()) != 0 {
		t.Error("articles without words are alike")
	}
}

func TestOtherLanguagesAreNotAlike(t *testing.T) {
	one := NewProfile("Kestrel 4.2.9 closes KES-2031", "The developers of Kestrel have closed the hole KES-2031 with the versions 4.2.9 and 3.8.17 of the server.")
	other := NewProfile("Kestrel 4.2.9 schließt KES-2031", "Die Entwickler von Kestrel haben mit den Versionen 4.2.9 und 3.8.17 des Servers die Lücke KES-2031 geschlossen.")
	if one.language != english || other.language != german || Alike(one, other) {
		t.Errorf("%v and %v are alike: %v", one.language, other.language, Alike(one, other))
	}
}

func TestColumnsAreNotAlike(t *testing.T) {
	for _, titles := range [][2]string{
		{"Open thread 412", "Open thread 413"}, {"Weather for Tuesday", "Weather for Wednesday"}, {"tern 2.14.1 released", "tern 2.14.2 released"},
	} {
		if Alike(NewProfile(titles[0], quake), NewProfile(titles[1], quake)) {
			t.Errorf("%q are alike", titles)
		}
	}
	if !Alike(NewProfile("Earthquake off Corvana", quake), NewProfile("Belmar without power after earthquake", quake)) {
		t.Error("the same text under other titles is not alike")
	}
}

func FuzzAlike(f *testing.F) {
	f.Add("Magnitude 6.2 earthquake", quake, "漢字かな\xff", "x.y,1.2,")
	f.Fuzz(func(t *testing.T, titleA, textA, titleB, textB string) {
		a, b := NewProfile(titleA, textA), NewProfile(titleB, textB)
		if Alike(a, b) != Alike(b, a) {
			t.Error("the order counts")
		}
		if len(a.Keys()) > keyWords+keyShingles {
			t.Errorf("%d keys", len(a.Keys()))
		}
	})
}

func BenchmarkProfile(b *testing.B) {
	text := strings.Repeat(quake+" The tremor was recorded at a depth of 21 kilometres, and Mayor Ines Tavora said two people had been hurt. ", 8)
	for b.Loop() {
		NewProfile("Magnitude 6.2 earthquake strikes off Corvana coast", text).Keys()
	}
}

func BenchmarkAlike(b *testing.B) {
	text := strings.Repeat(quake+" The tremor was recorded at a depth of 21 kilometres, and Mayor Ines Tavora said two people had been hurt. ", 8)
	one, other := NewProfile("Magnitude 6.2 earthquake strikes off Corvana coast", text), NewProfile("Strong quake hits Corvana", text)
	for b.Loop() {
		Alike(one, other)
	}
}
