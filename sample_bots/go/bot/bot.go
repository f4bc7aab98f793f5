// Package bot is what any bot needs: it keeps a session at the arena alive over its connections, and asks the program
// for nothing but its choices. Nothing of a game is in it. The protocol is told in docs/protocol.md.
package bot

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	arenav1 "caravanarena/arena/v1"
)

// Bot is what a program says about itself, and how it chooses.
type Bot struct {
	// Name stands before each line on standard error.
	Name string
	// Version is the label of this program; a changed one is a new bot version.
	Version string
	// Games are the ids of the games it plays.
	Games []string
	// Matches is how many it takes on at once.
	Matches uint32
	// Choose answers a decision. It is called for one decision at a time, all matches taken together, in a goroutine of
	// its own: pings are answered while it thinks.
	Choose func(*arenav1.Decision) *arenav1.Action
}

// Exit codes of the program.
const (
	exitDone    = 0 // it has left in good order, or the arena has shut down
	exitUsage   = 2 // the environment does not say where the arena is
	exitRefused = 3 // the arena does not want this bot like this; starting it again would not help
)

const (
	firstPause = 100 * time.Millisecond
	lastPause  = 10 * time.Second
	// leavingAttempts is how often a bot that is to leave tries to come back to its running matches.
	leavingAttempts = 5
)

// Run plays at the arena that the environment names until the arena says goodbye for good, and returns the exit code of
// the program. After SIGINT or SIGTERM it takes no new matches and leaves when the running ones are over; a second signal
// ends the program at once.
func (b Bot) Run() int {
	logger := log.New(os.Stderr, b.Name+": ", 0)
	arena, err := endpointFromEnvironment()
	if err != nil {
		logger.Print(err)
		return exitUsage
	}
	leave, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(leave, stop) // The next signal has its usual effect.
	return play(leave, newSession(b, logger), arena)
}

// play goes from connection to connection until there is a reason to end the program.
func play(leave context.Context, s *session, at endpoint) int {
	pause, failures := firstPause, 0
	for {
		end := s.visit(leave, at)
		if end.final {
			return end.exit
		}
		failures++
		if s.welcomed {
			pause, failures = firstPause, 0
		}
		if leave.Err() != nil && (s.idle() || failures >= leavingAttempts) {
			return exitDone
		}
		wait := max(pause, end.pause)
		s.log.Printf("%s Trying again in %v.", end.why, wait)
		sleep(leave, wait)
		pause = min(2*pause, lastPause)
	}
}

// sleep ends early when the bot is asked to leave, but not once it has been.
func sleep(leave context.Context, wait time.Duration) {
	var asked <-chan struct{}
	if leave.Err() == nil {
		asked = leave.Done()
	}
	select {
	case <-time.After(wait):
	case <-asked:
	}
}
