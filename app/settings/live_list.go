package settings

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"kairos/app/async"
)

// liveList is a list of cards that follows what it shows, as long as its page is shown.
type liveList[T any] struct {
	cardList
	load  func(ctx context.Context) ([]T, error)
	texts func(T) []string // what a card shows
	card  func(T) fyne.CanvasObject
	gone  func() bool // reports whether another page has taken the place of this one

	items   []T
	shown   []string // what the cards say; nil: they are to be made again
	request async.Request
	next    *time.Timer // of the next look
}

// lookEvery is how often a liveList looks how things stand.
const lookEvery = time.Second

// reload shows how things stand, now and then again and again.
func (l *liveList[T]) reload() {
	if l.next != nil {
		l.next.Stop()
	}
	jobs := l.settings.Jobs
	async.Load(jobs, &l.request, l.load, func(items []T) {
		if l.gone() {
			return
		}
		l.show(items)
		l.next = time.AfterFunc(lookEvery, func() {
			if jobs.Ctx.Err() == nil {
				jobs.Do(func() {
					if !l.gone() {
						l.reload()
					}
				})
			}
		})
	})
}

// renew is reload with cards that are made again: they show what is in force, also after an error.
func (l *liveList[T]) renew() {
	l.shown = nil
	l.reload()
}

// show lists items, unless they are shown as they are.
func (l *liveList[T]) show(items []T) {
	texts := []string{}
	for _, item := range items {
		texts = append(texts, l.texts(item)...)
	}
	if l.items = items; l.shown != nil && slices.Equal(texts, l.shown) {
		return
	}
	l.shown = texts
	listed := l.fill(func() {
		for _, item := range items {
			l.Add(l.card(item))
		}
	})
	l.Refresh()
	listed()
}
