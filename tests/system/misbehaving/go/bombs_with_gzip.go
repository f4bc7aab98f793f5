package main

import (
	"context"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding/gzip"

	arenav1 "caravanarena/arena/v1"
)

// Send a debug line of 64 MiB, compressed to a few kilobytes.
func init() {
	zoo["bombs_with_gzip"] = func(v *visit) {
		l := v.seated(context.Background(), grpc.WithDefaultCallOptions(grpc.UseCompressor(gzip.Name)))
		decision := l.nextDecision()
		debug := &arenav1.Debug{
			Assignment: l.assignment, Decision: decision.GetDecision(), Text: strings.Repeat("x", 64<<20),
		}
		l.say(&arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Debug{Debug: debug}})
		l.hearAll()
	}
}
