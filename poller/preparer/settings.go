package preparer

import (
	"context"
	"database/sql"
	"strconv"

	"kairos/reader"
	"kairos/reader/picture"
)

// Mode says when articles are prepared.
type Mode string

// The modes.
const (
	Off    Mode = "off"
	Auto   Mode = "auto"   // not on battery, with battery saver or on a metered network
	Always Mode = "always" // there, too
)

const (
	settingMode      = "poller.prepare"
	settingMegabytes = "poller.prepare.megabytes"
	settingDisk      = "poller.prepare.disk"

	// defaultMegabytes is how many megabytes a day may be spent without a setting.
	defaultMegabytes = 100
	// defaultDisk is how many megabytes all that was prepared may take on the disk without a setting.
	defaultDisk = picture.DefaultCacheSize / megabyte
	megabyte    = 1_000_000
	// leastDisk is the least that can be set.
	leastDisk = 20
	// requestsPerMegabyte is how many requests may be made for each megabyte a day.
	requestsPerMegabyte = 10
)

// Settings say what may be prepared and spent.
type Settings struct {
	Mode      Mode
	Megabytes int // a day
	Disk      int // megabytes
}

// bytesPerDay is how many bytes may be spent a day.
func (s Settings) bytesPerDay() int64 { return int64(s.Megabytes) * megabyte }

// requestsPerDay is how many requests may be made a day.
func (s Settings) requestsPerDay() int { return requestsPerMegabyte * s.Megabytes }

// DiskBytes is how much all that was prepared may take on the disk.
func (s Settings) DiskBytes() int64 { return int64(s.Disk) * megabyte }

// Settings returns what is set.
func (p *Preparer) Settings(ctx context.Context) (s Settings, err error) {
	mode, err := p.o.Store.Settings.Get(ctx, settingMode, string(Auto))
	if err == nil {
		s.Megabytes, err = p.o.Store.Settings.Int(ctx, settingMegabytes, defaultMegabytes)
	}
	if err == nil {
		s.Disk, err = p.o.Store.Settings.Int(ctx, settingDisk, defaultDisk)
	}
	if s.Mode = Mode(mode); s.Mode != Off && s.Mode != Always {
		s.Mode = Auto
	}
	s.Megabytes, s.Disk = min(max(s.Megabytes, 0), 1<<20), min(max(s.Disk, leastDisk), 1<<20)
	return s, err
}

// Set changes what is set, and obeys it at once.
func (p *Preparer) Set(ctx context.Context, s Settings) error {
	s.Disk = max(s.Disk, leastDisk)
	err := p.o.Store.Write(ctx, func(tx *sql.Tx) error {
		for key, value := range map[string]string{settingMode: string(s.Mode), settingMegabytes: strconv.Itoa(s.Megabytes), settingDisk: strconv.Itoa(s.Disk)} {
			if err := reader.SetSetting(ctx, tx, key, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.nextLook = p.o.Now()
	p.mu.Unlock()
	return p.trim(ctx, s)
}
