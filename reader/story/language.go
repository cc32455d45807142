package story

import (
	"math/bits"
	"strings"
)

// languages is a set of languages.
type languages uint16

const (
	english languages = 1 << iota
	german
	french
	spanish
	italian
	dutch
	portuguese
	swedish
	unspaced // any that is written without spaces
)

// stopWords are the words that stand in every text of a language and say nothing of what is told. They also tell the language.
var stopWords = wordsOf(map[languages]string{
	english: `a about after again all also an and any are as at back be because been before being between both but by can could
		did do does down during each even ever every few first for from get got had has have he her here hers him his how i if in
		into is it its just last least less like made make many may me might more most much must my near new next no nor not now of
		off on once one only onto or other our out over own per said same say says she should since so some still such take than that
		the their them then there these they this those though three through to today too two under until up upon us very was way we
		week well were what when where whether which while who whom whose why will with within without would year years yesterday yet
		you your s t re ve ll don isn didn won day days time`,
	german: `ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bereits bis bisher da
		dabei damit dann daran darauf darf das dass dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch
		dort durch ein eine einem einen einer eines einige er erst es etwa etwas fast für gegen gibt hat hatte hatten haben habe
		heute hier ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jahr jahre jahren jede jedem jeden jeder jetzt kann
		kein keine keinen können könnte laut mehr mit muss müssen nach nicht nichts noch nun nur ob oder ohne rund sagte sagt schon
		sehr sei sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte sowie statt über um und uns unter viel viele
		vom von vor war waren was weil weiter welche wenn wer werden wie wieder will wir wird wo wurde wurden zu zum zur zwei zwischen
		tag tage uhr`,
	french: `à après au aussi autre aux avant avec avoir bien ce ces cet cette ceux comme contre dans de depuis des deux dont du
		elle elles en encore entre est et été être eu fait il ils je jour la le les leur leurs lors lui mais même moins ne nous on ont
		ou où par pas plus pour près qu que qui sa sans se selon ses si son sont sous sur tous tout toute très un une vers vous y d l
		c s n j m`,
	spanish: `a al ante antes años así aún cada como con contra cual cuando de del desde después día donde dos durante e el ella
		ellos en entre era es esa ese eso esta está estaba estado estas este esto estos fue fueron ha había han hasta hay la las le
		les lo los más me mi mientras muy no nos o otra otro para pero por porque que qué se según ser si sí sido sin sobre son su
		sus también tan tiene todo todos tras un una uno y ya`,
	italian: `a ad ai al alla alle anche ancora anni che chi ci come con contro cosa così da dal dalla dei del della delle di dopo
		dove due e è ed era essere fa fino gli ha hanno i il in io la le lo loro ma nel nella no non o ogni per perché più prima qui
		quando quella questo se sei senza si sia sono su sua suo tra tutti un una uno`,
	dutch: `aan af al als bij daar dan dat de deze die dit door dus een en er geen had heeft het hij hoe hun ik in is ja jaar je
		kan maar meer men met na naar niet nog nu of om omdat onder ook op over te tegen tot uit van veel voor was wat we werd wie
		wij wordt zal ze zegt zich zij zijn zo zonder zou`,
	portuguese: `a ao aos as até com como contra da das de depois do dos e é ela ele em entre era essa esse está este eu foi foram há
		isso já mais mas me mesmo muito na não nas no nos o os ou para pela pelo por porque quando que quem são se sem ser seu sobre
		sua também tem um uma`,
	swedish: `att av bara blev blir då de del den det detta dig din du där efter ej eller en ett från för ha hade han har hon här i
		icke inte jag kan man med men mot mycket när nu och om på sin sina ska som så till under ut var vara vi vid är över`,
})

func wordsOf(lists map[languages]string) map[string]languages {
	all := map[string]languages{}
	for language, list := range lists {
		for word := range strings.FieldsSeq(list) {
			all[word] |= language
		}
	}
	return all
}

// chineseStops are characters of pairs that say nothing.
const chineseStops = "的了在是和有也就都而及与或等这那他她它们个中上下不之其被把为于将已并对从到后前时说称"

// dates are the names of days and months, by which the titles of a series differ.
var dates = fields(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
	october november december montag dienstag mittwoch donnerstag freitag samstag sonntag sonnabend januar februar märz mai juni
	juli oktober dezember lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre
	octobre novembre décembre lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
	septiembre octubre noviembre diciembre 周一 周二 周三 周四 周五 周六 周日`)

func fields(list string) map[string]bool {
	all := map[string]bool{}
	for _, one := range strings.Fields(list) {
		all[one] = true
	}
	return all
}

const (
	// leastStops is how many words of a language a text must have to be taken for one in it.
	leastStops = 3
	// maxStop is the length of the longest of them.
	maxStop = 12
)

// stopCounts are the numbers of stop words, by language.
type stopCounts [16]int

func (c *stopCounts) add(of languages) {
	for set := uint16(of); set != 0; set &= set - 1 {
		c[bits.TrailingZeros16(set)]++
	}
}

// languageOf returns the language that has the most of the words that say nothing; 0 if that is open.
func languageOf(texts ...[]token) languages {
	var counts stopCounts
	pairs, all := 0, 0
	for _, tokens := range texts {
		for _, t := range tokens {
			all++
			if t.pair {
				pairs++
			}
			counts.add(t.stops)
		}
	}
	if pairs > all/2 {
		return unspaced
	}
	best, most, second := 0, 0, 0
	for i, n := range counts {
		if n > most {
			best, most, second = i, n, most
		} else if n > second {
			second = n
		}
	}
	if most < leastStops || most == second {
		return 0
	}
	return 1 << best
}

// isStop reports whether a word says nothing in a language. Where the language is open those of all languages say nothing.
func (t *token) isStop(language languages) bool {
	switch {
	case t.pair:
		return strings.ContainsAny(t.text, chineseStops)
	case t.digits:
		return false
	case language == 0:
		return t.stops != 0 || len(t.text) == 1
	}
	return t.stops&language != 0 || len(t.text) == 1
}
