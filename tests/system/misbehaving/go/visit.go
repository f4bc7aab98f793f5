package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	arenav1 "caravanarena/arena/v1"
)

// visit is all that one bot does at the arena.
type visit struct {
	address, token string
	// loot is the resume token of the honest bot, for who steals.
	loot  string
	links []*link
}

// report writes down what the arena has made of it, each incident once: a program may not write without bound.
func (v *visit) report() {
	said := struct {
		Ends      []string `json:"ends"`
		Incidents []string `json:"incidents"`
	}{[]string{}, []string{}}
	told := map[string]bool{}
	for _, l := range v.links {
		if l.end != "" {
			said.Ends = append(said.Ends, l.end)
		}
		for _, message := range l.heard {
			if line := incident(message); line != "" && !told[line] {
				told[line] = true
				said.Incidents = append(said.Incidents, line)
			}
		}
	}
	line, err := json.Marshal(said)
	check(err)
	_, _ = os.Stdout.Write(append(line, '\n'))
}

// incident is a message that says that something was wrong, in one line; empty for any other.
func incident(message *arenav1.ServerMessage) string {
	switch kind := message.GetKind().(type) {
	case *arenav1.ServerMessage_DecisionClosed:
		closed := kind.DecisionClosed
		return fmt.Sprintf("%s: %s", strings.TrimPrefix(closed.GetCause().String(), "CAUSE_"), closed.GetSentence())
	case *arenav1.ServerMessage_AnswerIgnored:
		ignored := kind.AnswerIgnored
		return fmt.Sprintf("%s: %s", strings.TrimPrefix(ignored.GetReason().String(), "REASON_"), ignored.GetSentence())
	case *arenav1.ServerMessage_Warning:
		warning := kind.Warning
		return fmt.Sprintf("%s: %s", strings.TrimPrefix(warning.GetCode().String(), "CODE_"), warning.GetSentence())
	}
	return ""
}

// check ends the program if something went wrong that is no part of the misbehaviour.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
