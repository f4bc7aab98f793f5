// Random is the smallest complete bot: it plays any legal action. Copy it to begin your own (docs/bots/go.md).
package main

import (
	"context"
	"errors"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	pb "caravanarena/arena/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// choose returns the place of the chosen action in the list of the legal ones.
func choose(decision *pb.Decision) uint32 {
	return rand.Uint32N(uint32(len(decision.LegalActions)))
}

// expect returns what the bot expects of the match: that it ends as it stands. Nobody is sent it before the end.
func expect(decision *pb.Decision) *pb.Evaluation {
	expected := &pb.Evaluation{Line: "as it stands"}
	for _, seat := range decision.View.GetCaravan().GetSeats() {
		expected.FinalScores = append(expected.FinalScores, seat.Score)
	}
	return expected
}

var pause = 100 * time.Millisecond // before the next connection

var hello = &pb.Hello{
	LowestProtocol: 1, HighestProtocol: 1, BotVersion: "1", Language: "go", Software: "grpc-go " + grpc.Version,
	Games:    []*pb.GameSupport{{Game: "caravan"}},
	Capacity: &pb.Capacity{Matches: 4, OpenDecisions: 1},
	Comeback: &pb.Hello_Claim{Claim: true}, // until the first welcome brings a token
}

func main() {
	log.SetFlags(0) // no time before each line
	for ; ; pause = min(2*pause, 10*time.Second) {
		if err := visit(); err != nil {
			log.Printf("No connection to the arena: %v", err)
		}
		time.Sleep(pause)
	}
}

// dial prepares a connection to the arena that the environment names. A Unix socket is never encrypted.
func dial() (*grpc.ClientConn, error) {
	address, authorities := os.Getenv("ARENA_ADDRESS"), os.Getenv("ARENA_TLS_CA")
	security, err := insecure.NewCredentials(), error(nil)
	switch {
	case address == "":
		err = errors.New("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it")
	case strings.HasPrefix(address, "unix:"):
	case authorities != "":
		security, err = credentials.NewClientTLSFromFile(authorities, "")
	case os.Getenv("ARENA_TLS") == "1":
		security = credentials.NewClientTLSFromCert(nil, "")
	}
	if err != nil {
		return nil, err
	}
	return grpc.NewClient(address, grpc.WithTransportCredentials(security), grpc.WithDisableRetry())
}

// visit plays over one connection until the arena says goodbye, or returns why the connection was lost.
func visit() error {
	channel, err := dial()
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
	defer channel.Close()
	call := context.Background()
	if token := os.Getenv("ARENA_TOKEN"); token != "" {
		call = metadata.AppendToOutgoingContext(call, "authorization", "Bearer "+token)
	}
	stream, err := pb.NewPlayServiceClient(channel).Play(call)
	if err != nil {
		return err
	}
	say := func(message *pb.ClientMessage) { // If it fails, Recv tells why.
		_ = stream.Send(&pb.PlayRequest{Messages: []*pb.ClientMessage{message}})
	}
	_, _ = stream.Header() // Wait for it: who writes earlier may miss why the arena refuses.
	say(&pb.ClientMessage{Kind: &pb.ClientMessage_Hello{Hello: hello}})
	for {
		frame, err := stream.Recv()
		if err != nil {
			return err
		}
		for _, message := range frame.Messages {
			switch kind := message.Kind.(type) { // nil if it comes from a newer arena
			case *pb.ServerMessage_Welcome:
				pause = 100 * time.Millisecond
				hello.Comeback = &pb.Hello_ResumeToken{ResumeToken: kind.Welcome.ResumeToken}
			case *pb.ServerMessage_Ping:
				say(&pb.ClientMessage{Kind: &pb.ClientMessage_Pong{Pong: &pb.Pong{Id: kind.Ping.Id}}})
			case *pb.ServerMessage_Assigned:
				ready := &pb.Ready{Assignment: kind.Assigned.Assignment}
				say(&pb.ClientMessage{Kind: &pb.ClientMessage_Ready{Ready: ready}})
			case *pb.ServerMessage_Decision:
				index := &pb.Answer_Index{Index: choose(kind.Decision)}
				answer := &pb.Answer{Assignment: kind.Decision.Assignment, Decision: kind.Decision.Decision, Choice: index}
				answer.Evaluation = expect(kind.Decision)
				say(&pb.ClientMessage{Kind: &pb.ClientMessage_Answer{Answer: answer}})
			case *pb.ServerMessage_Warning:
				log.Print(kind.Warning.Sentence)
			case *pb.ServerMessage_Goodbye:
				obey(kind.Goodbye)
				return nil
			}
		}
	}
}

// obey ends the program, unless the arena lets the bot come back.
func obey(goodbye *pb.Goodbye) {
	log.Print(goodbye.Sentence)
	switch {
	case goodbye.ComeBack:
		pause = max(pause, time.Duration(goodbye.ComeBackAfterMs)*time.Millisecond)
	case goodbye.Code == pb.Goodbye_CODE_DONE:
		os.Exit(0)
	default:
		os.Exit(3)
	}
}
