package settings

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"kairos/app/language"
	"kairos/app/widgets"
	"kairos/poller/preparer"
)

// preparingFields returns the controls of what is prepared before it is read: when, how much a day, and how much is kept.
func (d *settingsDialog) preparingFields() fyne.CanvasObject {
	s, err := d.Home.Preparer.Settings(d.Ctx)
	if err != nil {
		d.fail(err)
	}
	set := func(change func(*preparer.Settings)) {
		change(&s)
		now := s
		d.apply(func(ctx context.Context) error { return d.Home.Preparer.Set(ctx, now) })
	}
	mode := widgets.NewChoice([]widgets.Option{
		widgets.Opt(string(preparer.Off), lang.L("Off")),
		widgets.Opt(string(preparer.Auto), lang.L("Automatic: not on battery or a metered network")),
		widgets.Opt(string(preparer.Always), lang.L("Always")),
	}, string(s.Mode), func(value string) { set(func(s *preparer.Settings) { s.Mode = preparer.Mode(value) }) })
	daily := sizeChoice([]int{20, 50, 100, 250, 1000}, s.Megabytes, func(size string) string { return lang.L("{{.Size}} a day at most", map[string]any{"Size": size}) }, func(megabytes int) { set(func(s *preparer.Settings) { s.Megabytes = megabytes }) })
	disk := sizeChoice([]int{100, 250, 500, 1000, 5000}, s.Disk, func(size string) string { return lang.L("{{.Size}} on the disk at most", map[string]any{"Size": size}) }, func(megabytes int) { set(func(s *preparer.Settings) { s.Disk = megabytes }) })
	return widgets.NewColumn(6, mode, daily, disk)
}

// sizeChoice returns a choice of numbers of megabytes, each with a name; one that is set otherwise is among them.
func sizeChoice(sizes []int, now int, name func(size string) string, chosen func(megabytes int)) fyne.CanvasObject {
	var options []widgets.Option
	known := false
	add := func(size int) {
		options = append(options, widgets.Opt(strconv.Itoa(size), name(language.Printer().Size(int64(size)*1e6))))
		known = known || size == now
	}
	for _, size := range sizes {
		add(size)
	}
	if !known {
		add(now)
	}
	return widgets.NewChoice(options, strconv.Itoa(now), func(value string) {
		if n, err := strconv.Atoi(value); err == nil {
			chosen(n)
		}
	})
}
