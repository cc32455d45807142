package settings

import (
	"fyne.io/fyne/v2/lang"

	"kairos/app/widgets"
	"kairos/reader"
)

// limit is a limit of what is kept, and its name.
type limit struct {
	n    int
	name string
}

// NewDaysSelect returns a field for how many days articles are kept, at first days. For a feed
// it also offers the default of all feeds.
func NewDaysSelect(days int, forFeed bool, chosen func(int)) *widgets.Select {
	return newLimitSelect(append(unlimited(forFeed, lang.L("Default time"), lang.L("Forever")),
		limit{7, lang.L("One week")}, limit{30, lang.L("30 days")}, limit{90, lang.L("90 days")},
		limit{180, lang.L("Half a year")}, limit{365, lang.L("One year")}, limit{730, lang.L("Two years")}), days, chosen)
}

// NewNumberSelect is NewDaysSelect for how many articles of a feed are kept.
func NewNumberSelect(number int, forFeed bool, chosen func(int)) *widgets.Select {
	limits := unlimited(forFeed, lang.L("Default number"), lang.L("All"))
	for _, n := range []int{50, 100, 200, 500, 1000, 5000} {
		limits = append(limits, limit{n, lang.N("The newest {{.PluralCount}}", n)})
	}
	return newLimitSelect(limits, number, chosen)
}

// unlimited means no limit; for a feed, usual is that of all feeds.
func unlimited(forFeed bool, usual, all string) []limit {
	if forFeed {
		return []limit{{0, usual}, {reader.KeepAll, all}}
	}
	return []limit{{0, all}}
}

// newLimitSelect returns a field for one of limits. Another value, which a verb or an older
// version may have set, is offered too.
func newLimitSelect(limits []limit, value int, chosen func(int)) *widgets.Select {
	byName := map[string]int{}
	field := widgets.NewSelect(nil)
	for _, l := range limits {
		byName[l.name] = l.n
		field.Options = append(field.Options, l.name)
		if l.n == value {
			field.Selected = l.name
		}
	}
	if field.Selected == "" {
		field.Selected = lang.N("{{.PluralCount}}", value)
		byName[field.Selected] = value
		field.Options = append(field.Options, field.Selected)
	}
	field.OnChanged = func(name string) { chosen(byName[name]) }
	return field
}
