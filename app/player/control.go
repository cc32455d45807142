package player

import (
	"encoding/json"
	"net"
	"os"
	"sync"
	"time"
)

// Control pauses, moves in and ends what plays. Its zero value belongs to a file that is not played yet; it is handed to Play or
// PlayFile once. Its methods may be called by any goroutine at any time: before the player is there they do nothing, but for Seek, Skip,
// SetSpeed and SetVolume.
type Control struct {
	mu      sync.Mutex
	conn    net.Conn    // to the player; nil while none runs
	process *os.Process // the player
	loaded  bool        // the file plays, or is paused
	seeks   bool        // to where, once it is loaded
	to      time.Duration
	by      time.Duration // how far it is to be skipped then
	speed   float64       // 0: as the player is set
	volume  float64       // 0: as the player is set
	stopped bool          // it was asked to end
}

// sendWithin is how long a command may wait for a player that does not read.
const sendWithin = 100 * time.Millisecond

// Pause pauses, or goes on.
func (c *Control) Pause(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send("set_property", "pause", on)
}

// Seek goes to a position.
func (c *Control) Seek(to time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.to, c.seeks, c.by = to, !c.loaded, 0
	if c.loaded {
		c.send("seek", to.Seconds(), "absolute")
	}
}

// Skip goes forward, or back if by is negative, no further than to the ends of the file.
func (c *Control) Skip(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.loaded {
		c.by += by
		return
	}
	c.send("seek", by.Seconds(), "relative")
}

// SetSpeed sets how fast it plays; 1 is as it was recorded. The pitch stays the same.
func (c *Control) SetSpeed(speed float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.speed = speed
	c.send("set_property", "speed", speed)
}

// SetVolume sets how loud it plays, in percent.
func (c *Control) SetVolume(percent float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.volume = percent
	c.send("set_property", "volume", percent)
}

// Stop ends the player; the second time by force.
func (c *Control) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped && c.process != nil {
		c.process.Kill() //nolint:errcheck // it has ended
	}
	c.stopped = true
	c.send("quit")
}

// begin is called when the player runs, load when its file plays, and end when it has ended; that reports whether it was asked to.
func (c *Control) begin(conn net.Conn, process *os.Process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.process = conn, process
	if c.speed > 0 {
		c.send("set_property", "speed", c.speed)
	}
	if c.volume > 0 {
		c.send("set_property", "volume", c.volume)
	}
	if c.stopped {
		c.send("quit")
	}
}

func (c *Control) load() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.loaded && c.seeks {
		c.send("seek", c.to.Seconds(), "absolute")
	}
	if !c.loaded && c.by != 0 {
		c.send("seek", c.by.Seconds(), "relative")
	}
	c.loaded, c.seeks, c.by = true, false, 0
}

func (c *Control) end() (asked bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn, c.process = nil, nil
	return c.stopped
}

// send sends a command of mpv's protocol. A player that does not take it has ended or hangs: Stop ends it by force.
func (c *Control) send(command ...any) {
	if c.conn == nil {
		return
	}
	line, err := json.Marshal(map[string]any{"command": command})
	if err == nil {
		c.conn.SetWriteDeadline(time.Now().Add(sendWithin)) //nolint:errcheck // writing fails as well
		c.conn.Write(append(line, '\n'))                    //nolint:errcheck // see above
	}
}
