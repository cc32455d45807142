package app

import (
	"context"
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"kairos/app/home/hometest"
	"kairos/app/look"
	"kairos/app/preferences"
	"kairos/app/session"
)

// BenchmarkManyFolders measures how long the window's goroutine shows another state of 10,000 feeds, in 200 folders and in
// 5,000, open and collapsed, and how long it makes the menu of the folders that one can be moved into.
func BenchmarkManyFolders(b *testing.B) {
	for _, folders := range []int{200, 5000} {
		for _, collapsed := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d folders, collapsed %v", folders, collapsed), func(b *testing.B) {
				ctx, stop := context.WithCancel(b.Context())
				h := hometest.Open(ctx, b)
				hometest.Many{Feeds: 10_000, Articles: 10_000, Folders: folders, URL: func(i int) string { return fmt.Sprint("http://127.0.0.1:9/many/", i) }}.Write(ctx, b, h)
				a := test.NewTempApp(b)
				a.Settings().SetTheme(look.New(look.Light))
				todo := make(chan func(), 1000)
				w := newWindowWith(ctx, a, h, preferences.Read(ctx, h.Dir, a.Preferences()), func(f func()) { todo <- f })
				w.win.Resize(fyne.NewSize(1200, 780))
				defer func() {
					stop()
					w.shell.Wait()
					h.Close()
				}()
				w.library.Reload()
				for len(w.library.Feeds) == 0 {
					(<-todo)()
				}
				if collapsed {
					for _, f := range w.library.Feeds {
						w.sidebar.Collapsed[f.Folder] = true
					}
				}
				b.Run("show", func(b *testing.B) {
					for b.Loop() {
						w.sidebar.Show(w.library.Snapshot)
					}
				})
				b.Run("move to", func(b *testing.B) {
					for b.Loop() {
						w.sidebar.MoveMenuOf(session.FolderPlace("Folder 7", "Folder 7", false))
					}
				})
			})
		}
	}
}
