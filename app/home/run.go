package home

import (
	"context"
	"errors"
	"sync"
	"time"

	"kairos/poller"
	"kairos/poller/power"
	"kairos/poller/presence"
	"kairos/reader"
	"kairos/useraccess/rate"
)

// Run fetches and syncs in the background, indexes new articles and maintains the data folder, until ctx
// ends.
func (h *Home) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var indexing sync.WaitGroup
	indexing.Go(func() { h.Store.Search.Index(ctx, h.logger) })
	defer indexing.Wait()
	defer stop()
	var first sync.Once
	known := make(chan struct{})
	onBattery := false
	go power.Watch(ctx, time.Minute, func(s power.State) {
		h.setPower(s)
		if onBattery && s.Battery.Known && !s.Battery.On {
			h.noteSign(ctx, rate.Plugged)
		}
		onBattery = s.Battery.Known && s.Battery.On
		first.Do(func() { close(known) })
	})
	<-known // before the first fetch; this takes two seconds at most
	var beside sync.WaitGroup
	beside.Go(func() {
		if err := h.Subscriptions.moveLogins(ctx); err != nil && ctx.Err() == nil {
			h.logger.Warn("move passwords from addresses into the keyring", "err", err)
		}
	})
	beside.Go(func() {
		if err := h.Imports.recover(ctx); err != nil && ctx.Err() == nil {
			h.logger.Error("complete an import that was interrupted", "err", err)
		}
	})
	beside.Go(func() { h.maintain(ctx) })
	beside.Go(func() { h.Duplicates.run(ctx) })
	beside.Go(func() { h.Snoozes.run(ctx) })
	beside.Go(func() { h.endUnread(ctx) })
	beside.Go(func() { presence.Watch(ctx, func(kind rate.Sign) { h.noteSign(ctx, kind) }) })
	beside.Go(func() { h.Subscriptions.Accounts.Keeper.Run(ctx) })
	beside.Go(func() { h.Destinations.Keeper.Run(ctx) })
	defer beside.Wait()
	return h.Poller.Run(ctx)
}

// noteSign tells the poller of a sign that the user may be about to come.
func (h *Home) noteSign(ctx context.Context, kind rate.Sign) {
	h.logger.Info("presence", "sign", kind)
	if err := h.Poller.NoteSign(ctx, kind); err != nil && ctx.Err() == nil {
		h.logger.Error("presence", "err", err)
	}
}

// ReadPower tells the poller about battery and network once; Run does so all the time.
func (h *Home) ReadPower(ctx context.Context) { h.setPower(power.Read(ctx)) }

func (h *Home) setPower(s power.State) {
	h.logger.Info("power", "battery", s.Battery, "saver", s.Saver, "metered", s.Metered, "network", s.Network)
	if s.Network {
		h.Subscriptions.Accounts.Keeper.Connected()
	}
	h.Destinations.Keeper.SetNetwork(s.Network)
	h.Poller.SetPowerState(poller.PowerState{Battery: s.Battery.On, PowerSaver: s.Saver.On, Metered: s.Metered.On, NoNetwork: !s.Network})
}

const (
	// maintainFirst leaves the start of the program alone.
	maintainFirst = 3 * time.Minute
	// maintainEvery is short because timers stand still while the machine sleeps.
	maintainEvery = time.Hour
)

// maintain does the daily and weekly work, until ctx ends.
func (h *Home) maintain(ctx context.Context) {
	timer := time.NewTimer(maintainFirst)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if err := errors.Join(h.Disk.daily(ctx), h.Backups.weekly(ctx), h.Updates().weekly(ctx), h.Disk.check(ctx)); err != nil && ctx.Err() == nil {
			h.logger.Error("maintenance", "err", err)
			if errors.Is(err, reader.ErrDamaged) && h.OnDamage != nil {
				h.OnDamage(err)
			}
		}
		timer.Reset(maintainEvery)
	}
}
