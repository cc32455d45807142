package settings

import (
	"context"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/article"
	"kairos/app/home"
	"kairos/app/language"
	"kairos/app/session"
	"kairos/app/widgets"
	"kairos/reader"
)

func (d *settingsDialog) readingPage() fyne.CanvasObject {
	mark := widgets.NewChoice([]widgets.Option{
		widgets.Opt(MarkAtOnce, lang.L("When opened")),
		widgets.Opt(MarkLater, lang.L("After two seconds")),
		widgets.Opt(MarkNever, lang.L("By hand only")),
	}, d.stored[MarkOnOpen], func(value string) {
		d.set(MarkOnOpen, value)
		d.View.SetMarkOnOpen(value)
	})
	scrolling := checkbox(lang.L("Mark what I scroll past as read"), d.stored[MarkOnScroll] == "on", func(on bool) {
		d.set(MarkOnScroll, map[bool]string{true: "on", false: "off"}[on])
		d.View.SetMarkOnScroll(on)
	})
	_, days := d.number(d.firstDays, 0, 36500, func(n int) {
		d.apply(func(ctx context.Context) error {
			return d.Home.Store.Settings.Set(ctx, reader.SettingFirstUnreadDays, strconv.Itoa(n))
		})
	})
	layout := widgets.NewChoice([]widgets.Option{
		widgets.Opt(string(session.Columns), lang.L("Three columns")),
		widgets.Opt(string(session.Wide), lang.L("List above the article")),
		widgets.Opt(string(session.Combined), lang.L("Articles one below the other")),
	}, string(d.View.Layout()), func(value string) { d.View.SetLayout(session.Layout(value)) })
	rows := widgets.NewChoice([]widgets.Option{
		widgets.Opt(RowsCompact, lang.L("Compact rows")),
		widgets.Opt(RowsNormal, lang.L("Normal rows")),
		widgets.Opt(RowsPictures, lang.L("Rows with pictures")),
	}, d.View.Rows(), d.View.SetRows)
	order, group, hide := d.listOrder()
	return widgets.Rows(
		widgets.SettingRow(lang.L("Layout"), layout, ""),
		widgets.SettingRow(lang.L("Rows"), rows, ""),
		widgets.SettingRow(lang.L("Text size"), d.slider(article.MinSize, article.MaxSize, 1, func(st *article.Style) *float32 { return &st.Size }, points), ""),
		widgets.SettingRow(lang.L("Column width"), d.slider(article.MinMeasure, article.MaxMeasure, 1, func(st *article.Style) *float32 { return &st.Measure }, characters), ""),
		widgets.SettingRow(lang.L("Line spacing"), d.slider(article.MinLeading, article.MaxLeading, 0.1, func(st *article.Style) *float32 { return &st.Leading }, times), ""),
		widgets.SettingRow(lang.L("Typeface"), d.typeface(), ""),
		widgets.SettingRow(lang.L("Images"), checkbox(lang.L("Load images automatically"), d.View.LoadsImages(), d.View.SetLoadsImages),
			lang.L("Not while battery saver is on. Click a placeholder to load its image anyway.")),
		widgets.SettingRow(lang.L("Mark as read"), mark, ""),
		widgets.SettingRow("", scrolling, lang.L("In the layout of articles one below the other.")),
		widgets.SettingRow(lang.L("Sort and group"), order, ""),
		widgets.SettingRow("", group, ""),
		widgets.SettingRow("", hide, lang.L("Starred articles are always shown.")),
		widgets.SettingRow(lang.L("After an absence"), checkbox(lang.L("Show what came while I was away"), d.stored[home.SettingAway] == "on", func(on bool) {
			d.set(home.SettingAway, map[bool]string{true: "on", false: "off"}[on])
		}), lang.L("One page, when you were away for longer than is usual for you, and at least a day.")),
		widgets.SettingRow(lang.L("Unread articles expire"), d.unreadEnds(), lang.L("They then count as read and are listed under Expired unread. Starred and labeled articles never expire. Feeds and folders can differ.")),
		widgets.SettingRow(lang.L("New feeds"), days.Container, lang.L("When you add a feed, articles older than this many days are marked read. Of those without a date, the first 200 stay unread.")))
}

// listOrder returns the controls of the timeline's order.
func (d *settingsDialog) listOrder() (order, group, hide fyne.CanvasObject) {
	sortedBy, groupedBy, hidesRead := d.View.Order()
	groups := widgets.NewChoice([]widgets.Option{
		widgets.Opt(GroupNone, lang.L("Do not group")), widgets.Opt(GroupByDay, lang.L("Group by day")), widgets.Opt(GroupByFeed, lang.L("Group by feed")),
	}, groupedBy, d.View.SetGroup)
	groups.Name = lang.L("Grouping")
	order = widgets.NewChoice([]widgets.Option{
		widgets.Opt(SortNewest, lang.L("Newest first")), widgets.Opt(SortOldest, lang.L("Oldest first")), widgets.Opt(SortLikely, lang.L("Likely first")),
	}, sortedBy, d.View.SetSort)
	return order, groups, checkbox(lang.L("Hide read articles"), hidesRead, d.View.SetHideRead)
}

// slider returns a slider for one number of the typography, which stands beside it as say words it.
func (d *settingsDialog) slider(least, most, step float64, of func(*article.Style) *float32, say func(float64) string) fyne.CanvasObject {
	style := d.View.Style()
	s := widgets.NewSlider(least, most)
	s.Step = step
	s.SetValue(float64(*of(&style)))
	value := widgets.NewCaption(say(s.Value), widgets.Label)
	s.OnChanged = func(now float64) {
		style := d.View.Style()
		*of(&style) = float32(now)
		d.View.SetStyle(style)
		value.SetText(say(now), widgets.Label)
	}
	return widgets.NewValued(sliderValueWidth, s, value)
}

// sliderValueWidth has room for what a slider says.
const sliderValueWidth = 140

func points(x float64) string { return language.Printer().Decimal(x, 0) }

func characters(em float64) string {
	perEm, err := strconv.ParseFloat(lang.X("characters.em", "1.92"), 64) // of running text in the language of the window
	if err != nil {
		perEm = 1
	}
	return lang.L("about {{.N}} characters", map[string]any{"N": int(math.Round(em*perEm/5) * 5)})
}

func times(x float64) string { return language.Printer().Decimal(x, 1) }

// typeface chooses the typeface of articles.
func (d *settingsDialog) typeface() fyne.CanvasObject {
	const sans, serif, family, other = "sans", "serif", "family", "other"
	style := d.View.Style()
	options := []widgets.Option{widgets.Opt(sans, lang.L("Sans serif")), widgets.Opt(serif, lang.L("Serif"))}
	now := sans
	switch {
	case style.Family != "":
		now, options = family, append(options, widgets.Opt(family, style.Family))
	case style.Serif:
		now = serif
	}
	return widgets.NewChoice(append(options, widgets.Opt(other, lang.L("Installed font…"))), now, func(value string) {
		switch value {
		case sans, serif:
			style := d.View.Style().WithTypeface(nil)
			style.Serif = value == serif
			d.View.SetStyle(style)
		case other:
			ChooseFont(d.Settings, d.rebuild)
		}
	})
}
