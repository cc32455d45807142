package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"kairos/app/widgets"
	"kairos/reader"
)

// NewEndsFields returns fields for when unread articles end, at first e. Those of a feed or folder also offer what is chosen around
// it. chosen is called with each choice.
func NewEndsFields(e reader.Ends, within bool, chosen func(reader.Ends)) (days, number *widgets.Select) {
	spans := append(unlimited(within, lang.L("Default time"), lang.L("Never by age")), limit{1, lang.L("After one day")})
	for _, n := range []int{2, 3, 7, 14, 30, 90} {
		spans = append(spans, limit{n, lang.N("After {{.PluralCount}} days", n)})
	}
	numbers := append(unlimited(within, lang.L("Default number"), lang.L("Never by number")), limit{1, lang.L("When a newer one comes")})
	for _, n := range []int{5, 10, 20, 50, 100} {
		numbers = append(numbers, limit{n, lang.N("Beyond the newest {{.PluralCount}}", n)})
	}
	days = newLimitSelect(spans, e.Days, func(n int) {
		e.Days = n
		chosen(e)
	})
	number = newLimitSelect(numbers, e.Number, func(n int) {
		e.Number = n
		chosen(e)
	})
	return days, number
}

// unreadEnds are the fields of the general setting.
func (d *settingsDialog) unreadEnds() fyne.CanvasObject {
	days, number := NewEndsFields(d.ends, false, func(e reader.Ends) {
		d.apply(func(ctx context.Context) error {
			if err := d.Home.Subscriptions.SetEnds(ctx, e); err != nil {
				return err
			}
			_, err := d.Home.EndUnread(ctx)
			return err
		})
	})
	return container.NewGridWithColumns(2, days, number)
}
