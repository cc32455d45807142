package story

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// reportTemplates are reports that offices, exchanges and leagues fill in, one for each place or name: title, then text. In
// brackets stands what is filled in.
var reportTemplates = [][2]string{
	{"Weather in [place]", "In [place] it will be [sky] today with temperatures between [n] and [n] degrees. The wind blows from the [side] at [n] kilometres an hour. The chance of rain is [n] per cent."},
	{"[place] forecast: [sky], high of [n]", "Today: [sky], high near [n]. [Side] wind around [n] mph. Tonight: mostly [sky], low around [n]. [Side] wind [n] to [n] mph. Tomorrow: [sky], high near [n]."},
	{"[sky2] warning for [place]", "The weather service has issued a [sky2] warning for the district of [place] until [n] o'clock. Gusts of up to [nn] kilometres an hour are possible. Residents are asked to close their windows and to stay at home if they can."},
	{"[name] shares close up [d] per cent", "Shares of [name] closed at [nn].[n] on [day], up [d] per cent from the day before. The stock has a market value of [n] billion and pays a dividend of [d] per cent. Analysts rate it a buy."},
	{"[name] reports quarterly results", "[name] reported a profit of [nn] million for the third quarter, up from [nn] million a year earlier. Revenue rose by [d] per cent to [nnn] million. For the whole year the company expects revenue of [nnnn] million."},
	{"[name] ([caps]) price target raised to [nn]", "Analysts at [name] have raised their price target for [name] to [nn] from [nn]. They keep their rating of hold. The stock traded at [nn].[n] on [day], [d] per cent below its high of the last 52 weeks."},
	{"[place] beat [place] [k]-[k]", "[place] beat [place] [k]-[k] on [day] evening in front of [nnnn] spectators. [person] scored in the [n]th minute and [person] in the [n]th. [place] are [k]th in the league with [n] points."},
	{"[place] [k], [place] [k]", "Goals: [k]-0 [person] ([n].), [k]-[k] [person] ([n].). Yellow cards: [person], [person]. Spectators: [nnnn]. Referee: [person]."},
	{"M [k].[k] - [n] km [side] of [place]", "A magnitude [k].[k] earthquake was recorded [n] km [side] of [place] at a depth of [n] km. Did you feel it? Report it to the office. Preliminary data may change."},
	{"Crash on the road to [place]", "Two cars collided on the road to [place] on [day] at [n] o'clock. One person was slightly hurt and taken to hospital. The road was closed for [n] minutes. The police put the damage at [nnnn] and ask for witnesses."},
	{"Obituary: [person]", "[person], [n], of [place], died on [day] at home. Born in [place], [person] worked for [n] years at [name]. A service will be held on [day] at [n] o'clock. In lieu of flowers the family asks for donations."},
	{"Property sold in [place] for [nnnn]00", "A house with [k] bedrooms in [place] has been sold for [nnnn]00. The house was built in 19[n] and has a living area of [nnn] square metres. The average price in the neighbourhood is [nnnn] a square metre."},
	{"[name] is hiring: engineer in [place]", "[name] is looking for an engineer in [place]. You have [k] years of experience, you work well in a team and you speak English. We offer a competitive salary, flexible hours and [n] days of holiday. Apply by [day]."},
	{"[name] [k].[k].[k] released", "Version [k].[k].[k] of [name] is out. It fixes [n] bugs and updates the translations. All users are encouraged to update. The sources and checksums are on the usual mirrors."},
	{"[place] [k].[k] released", "The developers of [place] have published version [k].[k]. It brings [feature], bug fixes and better performance. Everybody is advised to upgrade soon. The new version can be downloaded from the site of the project, and packages for the usual distributions are there. The list of all changes is in the repository."},
	{"Wetter in [place]", "In [place] wird es heute [sky] bei Temperaturen zwischen [n] und [n] Grad. Der Wind weht mit [n] Kilometern pro Stunde aus [side]. Die Wahrscheinlichkeit für Regen liegt bei [n] Prozent."},
	{"Unfall auf der Straße nach [place]", "Auf der Straße nach [place] sind am [day] gegen [n] Uhr zwei Autos zusammengestoßen. Eine Person wurde leicht verletzt und ins Krankenhaus gebracht. Die Polizei schätzt den Schaden auf [nnnn] Euro und sucht Zeugen."},
	{"[place]今日天气", "[place]今天[天],最高气温[n]度,最低气温[k]度,[风]风[k]级,降水概率百分之[n]。空气质量良好,适合户外活动。"},
	{"[place]队[k]比[k]战胜[place]队", "[place]队周六晚间在主场以[k]比[k]战胜[place]队,观众[nnnn]人。上半场双方均无建树,下半场主队连续进球。赛后主队排名第[k]位,积[n]分。"},
	{"The [who] [did] the [thing] [where]", "The [who] [did] the [thing] [where]. Then the [who] [did] a [thing] [where], and the [who] [did] the [thing]. Nobody knew why the [who] [did] the [thing] [where]."},
	{"[Who] [did] [n] [thing]s", "A [who] [did] [n] [thing]s [where] on [day]. The [who] said that the [thing] was [sky]. Another [who] [did] the [thing] [where]."},
}

// fillIn deals what stands in the brackets of a template.
func fillIn(random *rand.Rand, template string, place string) string {
	pick := func(list string) string { all := strings.Fields(list); return all[random.IntN(len(all))] }
	name := func() string {
		return pick("Bel Cor Tor Mar Sil Ast Run Vel Hak Os Quo Lin Dar Fen Gal") + pick("mar vana den low va oria dale ten mont by brück ford lin nesse port")
	}
	var b strings.Builder
	first := true
	for template != "" {
		before, rest, found := strings.Cut(template, "[")
		b.WriteString(before)
		if !found {
			break
		}
		var what string
		what, template, _ = strings.Cut(rest, "]")
		switch what {
		case "place":
			if first && place != "" {
				b.WriteString(place)
				first = false
				break
			}
			b.WriteString(name())
		case "name":
			b.WriteString(name() + pick("soft tech bank foods air motors"))
		case "person":
			b.WriteString(pick("Ann Ben Clara Dov Ela Finn Greta Hugo Ines Jan Kira Leo") + " " + name())
		case "caps":
			b.WriteString(strings.ToUpper(name()[:4]))
		case "who":
			b.WriteString(pick("keeper baker sailor teacher mayor gardener painter miller"))
		case "Who":
			b.WriteString(pick("Keeper Baker Sailor Teacher Mayor Gardener Painter Miller"))
		case "did":
			b.WriteString(pick("counted painted carried mended lost found sold hid"))
		case "thing":
			b.WriteString(pick("lamp boat basket ladder barrel kettle bridge clock"))
		case "where":
			b.WriteString("by the " + pick("harbour river market church mill station garden hill"))
		case "sky":
			b.WriteString(pick("sunny cloudy rainy windy foggy"))
		case "feature":
			b.WriteString(pick("colors export layers scripting") + " and " + pick("tables printing filters search"))
		case "sky2":
			b.WriteString(pick("storm flood heat frost"))
		case "side":
			b.WriteString(pick("north south east west"))
		case "Side":
			b.WriteString(pick("North South East West"))
		case "day":
			b.WriteString(pick("Monday Tuesday Wednesday"))
		case "天":
			b.WriteString(pick("晴 多云 小雨 阴"))
		case "风":
			b.WriteString(pick("东 南 西 北"))
		case "k":
			fmt.Fprint(&b, 1+random.IntN(9))
		case "d":
			fmt.Fprintf(&b, "%d.%d", random.IntN(9), random.IntN(10))
		default: // n, nn, nnn: a number of so many digits
			digits := len(what) + 1
			if what == "n" {
				digits = 2
			}
			low := 1
			for range digits - 1 {
				low *= 10
			}
			fmt.Fprint(&b, low+random.IntN(9*low))
		}
	}
	return b.String()
}

// Reports of one template about different places are no story, as numerous as they are.
func TestReportsOfOneTemplate(t *testing.T) {
	random := rand.New(rand.NewPCG(33, 1))
	wrong, pairs := 0, 0
	for _, template := range reportTemplates {
		type report struct {
			title string
			*Profile
		}
		var all []report
		for len(all) < 40 {
			place := fillIn(random, "[place]", "")
			title, text := fillIn(random, template[0], place), fillIn(random, template[1], place)
			if !slices.ContainsFunc(all, func(r report) bool { return r.title == title }) {
				all = append(all, report{title, NewProfile(title, text)})
			}
		}
		for i, a := range all {
			for _, b := range all[:i] {
				pairs++
				if isCandidate(a.Profile, b.Profile) && Alike(a.Profile, b.Profile) {
					wrong++
					t.Logf("%q and %q: %+v, %+v", b.title, a.title, compareProfiles(a.Profile, b.Profile), align(a.leadWords, b.leadWords))
				}
			}
		}
	}
	t.Logf("%d of %d pairs are taken for a story", wrong, pairs)
	if wrong > pairs/1000 {
		t.Error("too many")
	}
}
