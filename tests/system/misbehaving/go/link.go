package main

import (
	"context"
	"fmt"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	arenav1 "caravanarena/arena/v1"
)

// link is one connection to the arena.
type link struct {
	stream     grpc.BidiStreamingClient[arenav1.PlayRequest, arenav1.PlayResponse]
	cancel     context.CancelFunc
	assignment uint32
	heard      []*arenav1.ServerMessage
	waiting    []*arenav1.ServerMessage
	// end is how the arena has ended the connection, in one line; empty if it has not.
	end string
}

// dial opens a connection, and nothing is said yet.
func (v *visit) dial(parent context.Context, options ...grpc.DialOption) *link {
	options = append(options, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDisableRetry())
	channel, err := grpc.NewClient(v.address, options...)
	check(err)
	call, cancel := context.WithCancel(parent)
	call = metadata.AppendToOutgoingContext(call, "authorization", "Bearer "+v.token)
	stream, err := arenav1.NewPlayServiceClient(channel).Play(call)
	check(err)
	_, _ = stream.Header() // who writes earlier may miss why he is refused
	l := &link{stream: stream, cancel: cancel}
	v.links = append(v.links, l)
	return l
}

// seated is a connection that has taken the seat of one match, which has begun.
func (v *visit) seated(parent context.Context, options ...grpc.DialOption) *link {
	l := v.dial(parent, options...)
	l.say(hello(nil))
	l.takeOneSeat()
	return l
}

// hello is a valid introduction, changed by `change` unless that is nil.
func hello(change func(*arenav1.Hello)) *arenav1.ClientMessage {
	h := &arenav1.Hello{
		LowestProtocol:  1,
		HighestProtocol: 1,
		Games:           []*arenav1.GameSupport{{Game: "caravan"}},
		Language:        "go",
	}
	if change != nil {
		change(h)
	}
	return &arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Hello{Hello: h}}
}

// takeOneSeat takes the seat of one match and of no other; the match has begun.
func (l *link) takeOneSeat() {
	for message := l.hear(); message != nil; message = l.hear() {
		if assigned := message.GetAssigned(); assigned != nil {
			l.assignment = assigned.GetAssignment()
			l.say(
				&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Capacity{Capacity: &arenav1.Capacity{}}},
				&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Ready{Ready: &arenav1.Ready{Assignment: l.assignment}}},
			)
		} else if message.GetMatchStarted() != nil {
			return
		}
	}
}

// say sends one frame. Whether it arrives shows in what the arena says.
func (l *link) say(messages ...*arenav1.ClientMessage) {
	_ = l.stream.Send(&arenav1.PlayRequest{Messages: messages})
}

// answer answers with a place in the list of actions.
func (l *link) answer(decision, index uint32) {
	l.say(answerTo(l.assignment, decision, index))
}

func answerTo(assignment, decision, index uint32) *arenav1.ClientMessage {
	answer := &arenav1.Answer{
		Assignment: assignment, Decision: decision, Choice: &arenav1.Answer_Index{Index: index},
	}
	return &arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Answer{Answer: answer}}
}

// hear is the next message, a ping answered; nil when the connection has ended.
func (l *link) hear() *arenav1.ServerMessage {
	for len(l.waiting) == 0 {
		frame, err := l.stream.Recv()
		if err != nil {
			l.note(err)
			return nil
		}
		l.waiting = frame.GetMessages()
	}
	message := l.waiting[0]
	l.waiting = l.waiting[1:]
	l.heard = append(l.heard, message)
	if ping := message.GetPing(); ping != nil {
		l.say(&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Pong{Pong: &arenav1.Pong{Id: ping.GetId()}}})
	}
	return message
}

// nextDecision is the next decision; nil when the match or the connection has ended.
func (l *link) nextDecision() *arenav1.Decision {
	for message := l.hear(); message != nil && message.GetMatchEnded() == nil; message = l.hear() {
		if decision := message.GetDecision(); decision != nil {
			return decision
		}
	}
	return nil
}

// hearAll listens until the arena has ended the connection.
func (l *link) hearAll() {
	for l.hear() != nil {
		continue
	}
}

// leave leaves as it should.
func (l *link) leave() {
	_ = l.stream.CloseSend()
	l.hearAll()
}

func (l *link) note(err error) {
	said, _ := status.FromError(err)
	if err.Error() == "EOF" {
		said = status.New(codes.OK, "")
	}
	l.end = fmt.Sprintf("%s: %s", statusName(said.Code()), said.Message())
	if said.Code() == codes.DeadlineExceeded {
		l.end = statusName(said.Code()) // the library has several words for it
	}
	for _, message := range l.heard {
		if goodbye := message.GetGoodbye(); goodbye != nil {
			code := strings.TrimPrefix(goodbye.GetCode().String(), "CODE_")
			l.end = fmt.Sprintf("%s %s: %s", statusName(said.Code()), code, goodbye.GetSentence())
		}
	}
}

// statusName is the name of a status as its definition has it: INVALID_ARGUMENT, where the library says InvalidArgument.
func statusName(code codes.Code) string {
	var name strings.Builder
	for place, letter := range code.String() {
		if place > 0 && letter >= 'A' && letter <= 'Z' && code != codes.OK {
			name.WriteByte('_')
		}
		name.WriteRune(letter)
	}
	return strings.ToUpper(name.String())
}
