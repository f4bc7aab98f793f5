package bot

import (
	"fmt"
	"log"

	"google.golang.org/grpc"

	arenav1 "caravanarena/arena/v1"
)

// protocol is the version of play.proto that this package speaks.
const protocol = 1

// session is one presence of the bot at the arena, over one or more connections. It belongs to one goroutine, and what
// it does with a message never waits: what it has to say stands in outbox until the connection takes it.
type session struct {
	bot     Bot
	log     *log.Logger
	thinker thinker

	welcomed    bool   // on the present connection, or else the last one
	leaving     bool   // the arena is to be asked for no more matches
	resumeToken string // of the last welcome
	untold      uint32 // assignments that go on and that the arena has not told anew yet
	seats       map[uint32]*seat
	questions   []*arenav1.Decision // those that the thinker has not taken yet
	outbox      []*arenav1.ClientMessage
}

// seat is one assignment, from `assigned` on until it is over or forfeited.
type seat struct {
	match string
	open  *arenav1.Decision // the decision to be answered; nil if there is none
}

func newSession(b Bot, logger *log.Logger) *session {
	return &session{bot: b, log: logger, thinker: startThinker(b.Choose), seats: map[uint32]*seat{}}
}

// idle tells whether nothing is running, also nothing that the arena has still to tell.
func (s *session) idle() bool {
	return len(s.seats) == 0 && s.untold == 0
}

// begin says hello on a new connection. What was not said on the one before is forgotten: after the welcome the arena
// asks again whatever is open.
func (s *session) begin() {
	s.outbox = []*arenav1.ClientMessage{{Kind: &arenav1.ClientMessage_Hello{Hello: s.hello()}}}
}

func (s *session) hello() *arenav1.Hello {
	hello := &arenav1.Hello{
		LowestProtocol:  protocol,
		HighestProtocol: protocol,
		BotVersion:      s.bot.Version,
		Capacity:        s.capacity(),
		Language:        "go",
		Software:        "grpc-go " + grpc.Version,
	}
	for _, game := range s.bot.Games {
		hello.Games = append(hello.Games, &arenav1.GameSupport{Game: game})
	}
	if s.resumeToken != "" {
		hello.Comeback = &arenav1.Hello_ResumeToken{ResumeToken: s.resumeToken}
	} else {
		hello.Comeback = &arenav1.Hello_Claim{Claim: true} // What an earlier run of this program has left behind.
	}
	return hello
}

func (s *session) capacity() *arenav1.Capacity {
	if s.leaving {
		return &arenav1.Capacity{OpenDecisions: 1}
	}
	return &arenav1.Capacity{Matches: s.bot.Matches, OpenDecisions: 1}
}

// leave asks the arena for no more matches, at the latest with the next welcome.
func (s *session) leave() {
	s.leaving = true
	s.say(&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Capacity{Capacity: s.capacity()}})
}

// say puts a message into the outbox, unless it is too early for any but hello.
func (s *session) say(message *arenav1.ClientMessage) {
	if s.welcomed {
		s.outbox = append(s.outbox, message)
	}
}

// hear does what a message of the arena asks for. A kind that this program does not know is nil here, and ignored.
func (s *session) hear(message *arenav1.ServerMessage) {
	switch kind := message.GetKind().(type) {
	case *arenav1.ServerMessage_Welcome:
		s.welcome(kind.Welcome)
	case *arenav1.ServerMessage_Ping:
		pong := &arenav1.Pong{Id: kind.Ping.GetId()}
		s.say(&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Pong{Pong: pong}})
	case *arenav1.ServerMessage_Assigned:
		s.assigned(kind.Assigned)
	case *arenav1.ServerMessage_Decision:
		s.asked(kind.Decision)
	case *arenav1.ServerMessage_DecisionClosed:
		s.closed(kind.DecisionClosed)
	case *arenav1.ServerMessage_AnswerIgnored:
		s.report(kind.AnswerIgnored.GetAssignment(), kind.AnswerIgnored.GetSentence())
	case *arenav1.ServerMessage_SeatEnded:
		s.report(kind.SeatEnded.GetAssignment(), kind.SeatEnded.GetEnding().GetSentence())
		delete(s.seats, kind.SeatEnded.GetAssignment())
	case *arenav1.ServerMessage_MatchEnded:
		delete(s.seats, kind.MatchEnded.GetAssignment())
	case *arenav1.ServerMessage_Withdrawn:
		s.report(kind.Withdrawn.GetAssignment(), kind.Withdrawn.GetSentence())
		delete(s.seats, kind.Withdrawn.GetAssignment())
	case *arenav1.ServerMessage_Warning:
		s.log.Print(kind.Warning.GetSentence())
	case *arenav1.ServerMessage_Draining:
		s.log.Printf("The arena shuts down within %d ms.", kind.Draining.GetWithinMs())
	}
}

// welcome begins the session, or goes on with it. All matches that go on are told anew behind this message, so those
// known so far are forgotten.
func (s *session) welcome(welcome *arenav1.Welcome) {
	if len(s.seats) > 0 && !welcome.GetResumed() {
		s.log.Print("The arena does not know this session any more; its matches are void and cost nothing.")
	}
	clear(s.seats)
	s.questions = nil
	s.untold = welcome.GetAssignments()
	s.resumeToken = welcome.GetResumeToken()
	s.welcomed = true
	if s.leaving {
		s.leave()
	}
	s.log.Printf("%s plays in session %s.", welcome.GetBotVersion(), welcome.GetSession())
}

// forget lets go of all seats.
func (s *session) forget() {
	s.untold = 0
	clear(s.seats)
}

// assigned takes a seat. For one that is told anew and has begun `ready` is not needed, and does no harm.
func (s *session) assigned(assigned *arenav1.Assigned) {
	if s.untold > 0 {
		s.untold--
	}
	s.seats[assigned.GetAssignment()] = &seat{match: assigned.GetMatch()}
	ready := &arenav1.Ready{Assignment: assigned.GetAssignment()}
	s.say(&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Ready{Ready: ready}})
}

func (s *session) asked(decision *arenav1.Decision) {
	if seat := s.seats[decision.GetAssignment()]; seat != nil {
		seat.open = decision
		s.questions = append(s.questions, decision)
	}
}

func (s *session) closed(closed *arenav1.DecisionClosed) {
	s.report(closed.GetAssignment(), closed.GetSentence())
	seat := s.seats[closed.GetAssignment()]
	if seat != nil && seat.open.GetDecision() == closed.GetDecision() {
		seat.open = nil
	}
}

// isOpen tells whether the arena waits for the answer to this very message. One that was told anew is another.
func (s *session) isOpen(decision *arenav1.Decision) bool {
	seat := s.seats[decision.GetAssignment()]
	return seat != nil && seat.open == decision
}

// nextQuestion is what the thinker should think about next; nil if there is nothing.
func (s *session) nextQuestion() *arenav1.Decision {
	for len(s.questions) > 0 && !s.isOpen(s.questions[0]) {
		s.questions = s.questions[1:]
	}
	if len(s.questions) == 0 {
		return nil
	}
	return s.questions[0]
}

// answer says what the thinker has found, unless nobody waits for it any more.
func (s *session) answer(found thought) {
	if !s.isOpen(found.decision) {
		return
	}
	s.seats[found.decision.GetAssignment()].open = nil
	answer := &arenav1.Answer{
		Assignment: found.decision.GetAssignment(),
		Decision:   found.decision.GetDecision(),
		Choice:     &arenav1.Answer_Action{Action: found.action},
	}
	s.say(&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Answer{Answer: answer}})
}

// report puts news about a seat into one line.
func (s *session) report(assignment uint32, sentence string) {
	match := fmt.Sprintf("assignment %d", assignment)
	if seat := s.seats[assignment]; seat != nil {
		match = seat.match
	}
	s.log.Printf("%s: %s", match, sentence)
}
