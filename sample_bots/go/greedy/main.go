// Greedy is the yardstick among the sample bots: it always takes the next step of the job that pays best.
// docs/bots/greedy.md states its policy exactly.
package main

import (
	"os"

	"caravanarena/bot"

	arenav1 "caravanarena/arena/v1"
)

func main() {
	greedy := bot.Bot{
		Name:    "greedy",
		Version: "1",
		Games:   []string{"caravan"},
		Matches: 4,
		Choose:  choose,
	}
	os.Exit(greedy.Run())
}

func choose(decision *arenav1.Decision) *arenav1.Action {
	action := bestAction(decision.GetView().GetCaravan())
	return &arenav1.Action{Game: &arenav1.Action_Caravan{Caravan: action}}
}
