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
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// choose returns the place of the chosen action in the list of the legal ones.
func choose(decision *pb.Decision) uint32 {
	return rand.Uint32N(uint32(len(decision.LegalActions)))
}

const firstPause, lastPause = 100 * time.Millisecond, 10 * time.Second

var pause = firstPause // before the next connection

var hello = &pb.Hello{
	LowestProtocol: 1, HighestProtocol: 1, BotVersion: "1", Language: "go", Software: "grpc-go " + grpc.Version,
	Games:    []*pb.GameSupport{{Game: "caravan"}},
	Capacity: &pb.Capacity{Matches: 4, OpenDecisions: 1},
	Comeback: &pb.Hello_Claim{Claim: true}, // until the first welcome brings a token
}

func main() {
	address := os.Getenv("ARENA_ADDRESS")
	for security := securityFor(address); ; pause = min(2*pause, lastPause) {
		lost := visit(address, security)
		switch log.Print(lost); status.Code(lost) {
		case codes.Unauthenticated, codes.PermissionDenied, codes.FailedPrecondition, codes.InvalidArgument,
			codes.Unimplemented:
			os.Exit(3)
		}
		time.Sleep(pause)
	}
}

// securityFor tells how the connection is encrypted, a Unix socket never. It ends the program if the settings are wrong.
func securityFor(address string) credentials.TransportCredentials {
	authorities := os.Getenv("ARENA_TLS_CA")
	switch {
	case address == "":
		log.Print("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.")
		os.Exit(2)
	case strings.HasPrefix(address, "unix:"), authorities == "" && os.Getenv("ARENA_TLS") != "1":
		return insecure.NewCredentials()
	case authorities == "":
		return credentials.NewClientTLSFromCert(nil, "")
	}
	security, err := credentials.NewClientTLSFromFile(authorities, "")
	if err != nil {
		log.Print("ARENA_TLS_CA cannot be used: ", err)
		os.Exit(2)
	}
	return security
}

// visit plays over one connection and returns why it has ended.
func visit(address string, security credentials.TransportCredentials) error {
	channel, err := grpc.NewClient(address, grpc.WithTransportCredentials(security), grpc.WithDisableRetry())
	if err != nil {
		return err
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
				pause = firstPause
				hello.Comeback = &pb.Hello_ResumeToken{ResumeToken: kind.Welcome.ResumeToken}
			case *pb.ServerMessage_Ping:
				say(&pb.ClientMessage{Kind: &pb.ClientMessage_Pong{Pong: &pb.Pong{Id: kind.Ping.Id}}})
			case *pb.ServerMessage_Assigned:
				ready := &pb.Ready{Assignment: kind.Assigned.Assignment}
				say(&pb.ClientMessage{Kind: &pb.ClientMessage_Ready{Ready: ready}})
			case *pb.ServerMessage_Decision:
				answer := &pb.Answer{Assignment: kind.Decision.Assignment, Decision: kind.Decision.Decision}
				answer.Choice = &pb.Answer_Index{Index: choose(kind.Decision)}
				say(&pb.ClientMessage{Kind: &pb.ClientMessage_Answer{Answer: answer}})
			case *pb.ServerMessage_Warning:
				log.Print(kind.Warning.Sentence)
			case *pb.ServerMessage_Goodbye:
				return obey(kind.Goodbye)
			}
		}
	}
}

// obey returns what the arena says if the bot may come back, and else ends the program.
func obey(goodbye *pb.Goodbye) error {
	switch {
	case goodbye.ComeBack && goodbye.Code != pb.Goodbye_CODE_REPLACED:
		pause = max(pause, time.Duration(goodbye.ComeBackAfterMs)*time.Millisecond)
	case goodbye.Code == pb.Goodbye_CODE_DONE, goodbye.Code == pb.Goodbye_CODE_SHUTTING_DOWN:
		log.Print(goodbye.Sentence)
		os.Exit(0)
	default:
		log.Print(goodbye.Sentence)
		os.Exit(3)
	}
	if goodbye.Code == pb.Goodbye_CODE_RESUME_INVALID {
		hello.Comeback = &pb.Hello_Claim{Claim: true}
	}
	return errors.New(goodbye.Sentence)
}
