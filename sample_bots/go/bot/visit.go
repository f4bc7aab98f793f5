package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	arenav1 "caravanarena/arena/v1"
)

const (
	// silence of this length means that the connection is dead: the arena pings every 15 s.
	silence = 40 * time.Second
	// goodbyeWithin is how long the bot waits for the goodbye after half-closing, and for the end of the call after it.
	goodbyeWithin = 10 * time.Second
)

// end is how a connection ended.
type end struct {
	final bool // the program ends, with this code
	exit  int

	why   string // otherwise it comes back, after this pause at the earliest
	pause time.Duration
}

// visit is one connection of the session.
type visit struct {
	*session
	connection *connection
	at         endpoint
	patience   *time.Timer
	halfClosed bool
	goodbye    *arenav1.Goodbye // nil until it is said
}

// visit serves one connection from hello to its end.
func (s *session) visit(leave context.Context, at endpoint) end {
	s.welcomed = false
	s.leaving = leave.Err() != nil
	v := &visit{session: s, at: at}
	connection, err := connect(v.mayGiveUp(leave), at)
	if err != nil {
		return v.lost(err)
	}
	defer connection.close()
	v.connection = connection
	v.begin()
	return v.talk(leave)
}

// mayGiveUp is done when there is no reason to go on connecting: the bot is to leave, and holds no seat.
func (v *visit) mayGiveUp(leave context.Context) context.Context {
	if v.idle() {
		return leave
	}
	return context.Background()
}

// talk handles whatever happens next, until the call has ended.
func (v *visit) talk(leave context.Context) end {
	asked := leave.Done()
	v.patience = time.NewTimer(silence)
	defer v.patience.Stop()
	for {
		v.halfCloseIfDone()
		out, frame := v.nextFrame()
		think, question := v.nextThought()
		select {
		case frame, more := <-v.connection.frames:
			if !more {
				return v.ended(v.connection.err)
			}
			v.hearFrame(frame)
		case out <- frame:
			v.outbox = v.outbox[len(frame.GetMessages()):]
		case think <- question:
			v.questions = v.questions[1:]
		case found := <-v.thinker.thoughts:
			v.answer(found)
		case <-asked:
			asked = nil
			v.leave()
		case <-v.patience.C:
			return v.ended(fmt.Errorf("nothing was heard for %v", silence))
		}
	}
}

// nextFrame gathers what is to be said. The channel is nil, never ready, if that is nothing.
func (v *visit) nextFrame() (chan<- *arenav1.PlayRequest, *arenav1.PlayRequest) {
	if len(v.outbox) == 0 || v.halfClosed {
		return nil, nil
	}
	messages := v.outbox[:min(len(v.outbox), frameMessages)]
	return v.connection.out, &arenav1.PlayRequest{Messages: messages}
}

// nextThought is what to think about. The channel is nil, never ready, if that is nothing.
func (v *visit) nextThought() (chan<- *arenav1.Decision, *arenav1.Decision) {
	question := v.nextQuestion()
	if question == nil {
		return nil, nil
	}
	return v.thinker.questions, question
}

func (v *visit) halfCloseIfDone() {
	if v.leaving && v.welcomed && v.idle() && len(v.outbox) == 0 && !v.halfClosed {
		v.halfClosed = true
		close(v.connection.out)
		v.patience.Reset(goodbyeWithin)
	}
}

// hearFrame handles each message in order; after a goodbye none counts, only the end of the call is waited for.
func (v *visit) hearFrame(frame *arenav1.PlayResponse) {
	for _, message := range frame.GetMessages() {
		if v.goodbye != nil {
			return
		}
		v.goodbye = message.GetGoodbye()
		v.hear(message)
	}
	if v.goodbye != nil {
		v.patience.Reset(goodbyeWithin)
	} else if !v.halfClosed {
		v.patience.Reset(silence)
	}
}

func (v *visit) ended(err error) end {
	switch {
	case v.goodbye != nil:
		return v.afterGoodbye()
	case v.halfClosed && v.idle():
		return end{final: true, exit: exitDone}
	default:
		return v.lost(err)
	}
}

func (v *visit) afterGoodbye() end {
	code := v.goodbye.GetCode()
	v.log.Printf("The arena says goodbye: %s", v.goodbye.GetSentence())
	shutsDown := code == arenav1.Goodbye_CODE_SHUTTING_DOWN
	if shutsDown || code == arenav1.Goodbye_CODE_RESUME_INVALID {
		v.forget() // What has not ended is void, or belongs to another bot.
	}
	if code == arenav1.Goodbye_CODE_RESUME_INVALID {
		v.resumeToken = ""
	}
	switch {
	case code == arenav1.Goodbye_CODE_DONE, shutsDown && v.leaving:
		return end{final: true, exit: exitDone}
	case code == arenav1.Goodbye_CODE_REPLACED:
		return end{final: true, exit: exitRefused}
	case v.goodbye.GetComeBack():
		pause := time.Duration(v.goodbye.GetComeBackAfterMs()) * time.Millisecond
		return end{why: "The arena lets the bot come back.", pause: pause}
	case shutsDown:
		return end{final: true, exit: exitDone}
	default:
		return end{final: true, exit: exitRefused}
	}
}

// lost is the end of a connection without a goodbye. Some statuses another attempt would only meet again.
func (v *visit) lost(err error) end {
	if errors.Is(err, io.EOF) {
		return end{why: "The arena ended the connection without a goodbye."}
	}
	why := status.Convert(err)
	switch why.Code() {
	case codes.Unauthenticated, codes.PermissionDenied, codes.FailedPrecondition, codes.InvalidArgument,
		codes.Unimplemented:
		v.log.Printf("The arena at %s refuses this bot: %v: %s", v.at.address, why.Code(), why.Message())
		return end{final: true, exit: exitRefused}
	}
	return end{why: fmt.Sprintf("No connection to the arena at %s (%s).", v.at.address, why.Message())}
}
