// Command probed is Kairos with a probe that measures how long its window is held up: every few milliseconds it asks the
// goroutine of the window to do nothing, and notes how long it has waited. On SIGUSR1 it writes the longest wait since the
// last time to standard output, in microseconds, with and without the time in which other programs had the processor.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.4/glfw"

	_ "kairos/app/locale" // before Fyne
	"kairos/app/program"
	"kairos/app/verbs"
)

func main() {
	go probe(os.Getpid())
	os.Exit(verbs.Main(os.Args[1:], program.Open))
}

// between is the time between two requests; a wait longer than suspect is looked into.
const (
	between = 4 * time.Millisecond
	suspect = 30 * time.Millisecond
)

// holdup is the longest wait so far.
type holdup struct {
	wall, own time.Duration
	stack     []byte // of the window's goroutine meanwhile, every so often
}

// probe runs for ever. thread is the one of the window's goroutine: Fyne locks it to the main thread.
func probe(thread int) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	for fyne.CurrentApp() == nil {
		time.Sleep(between)
	}
	longest := holdup{}
	stack := make([]byte, 1<<20)
	for {
		done := make(chan struct{})
		begun, waited := time.Now(), queued(thread)
		fyne.Do(func() { close(done) })
		var stacks [][]byte
		for waiting := true; waiting; {
			select {
			case <-done:
				waiting = false
			case <-time.After(time.Millisecond):
				wake() // until it has run: the loop may wait for events again first
				if lasts := time.Since(begun) - (queued(thread) - waited); lasts >= suspect*time.Duration(len(stacks)+1) && len(stacks) < 10 {
					stacks = append(stacks, bytes.Clone(mainStack(stack[:runtime.Stack(stack, true)])))
				}
			}
		}
		wall := time.Since(begun)
		if own := wall - (queued(thread) - waited); own > longest.own {
			longest = holdup{wall, own, bytes.Join(stacks, []byte("\n\n"))}
		}
		select {
		case <-asked:
			if longest.own > suspect && os.Getenv("KAIROS_STACKS") != "" {
				fmt.Printf("%s\n", longest.stack)
			}
			fmt.Printf("holdup %d %d\n", longest.wall.Microseconds(), longest.own.Microseconds())
			longest = holdup{}
		case <-time.After(between):
		}
	}
}

// wake ends the loop's wait for events, if there is a loop: GLFW panics before it starts and after it has ended.
func wake() {
	defer func() { recover() }()
	glfw.PostEmptyEvent()
}

// mainStack cuts the first goroutine's stack out.
func mainStack(all []byte) []byte {
	_, all, _ = bytes.Cut(all, []byte("goroutine 1 "))
	one, _, _ := bytes.Cut(all, []byte("\n\n"))
	return one
}

// queued is how long a thread was ready to run while others had the processor (schedstat of proc(5)).
func queued(thread int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/schedstat", thread))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	ns, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return time.Duration(ns)
}
