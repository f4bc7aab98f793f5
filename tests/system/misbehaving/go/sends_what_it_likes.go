package main

import (
	"context"

	"google.golang.org/protobuf/encoding/protowire"
)

// Send groups, deep nesting and fields of the wrong type: all of it is unknown to the arena, none of it unreadable.
func init() {
	zoo["sends_what_it_likes"] = func(v *visit) {
		l := v.seated(context.Background())
		for decision := l.nextDecision(); decision != nil; decision = l.nextDecision() {
			odd := answerTo(l.assignment, decision.GetDecision(), 0)
			var bytes []byte
			for depth := range protowire.Number(50) {
				bytes = protowire.AppendTag(bytes, 1_000+depth, protowire.StartGroupType)
			}
			for depth := range protowire.Number(50) {
				bytes = protowire.AppendTag(bytes, 1_049-depth, protowire.EndGroupType)
			}
			bytes = protowire.AppendTag(bytes, 4, protowire.VarintType) // field 4 of the message is an answer
			bytes = protowire.AppendVarint(bytes, 7)
			odd.ProtoReflect().SetUnknown(bytes)
			l.say(odd)
		}
		l.leave()
	}
}
