package piskvork

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tengen/engine"
	"tengen/protocol"
)

var clock = regexp.MustCompile(`n/ms [0-9]+ tm [0-9]+`) // what is told of time

// A game with counted nodes is the same in a process of its own and after any other games in
// one process: two programs of a match are then the same player, whatever their names. The
// searches before that count nothing fill the caches, which counted ones do without.
func TestSameGameAfterAnyHistory(t *testing.T) {
	const (
		counted = "INFO max_node 500\nINFO max_depth 0\nINFO rule 1\n"
		opening = "7,7,1\n8,6,2\n9,9,1\n"
	)
	answer := func(c *conversation, command string) (told, move string) {
		t.Helper()
		c.send(command)
		for {
			l := c.line()
			if !aside(l) {
				return told, l
			}
			told += clock.ReplaceAllString(l, "") + "\n"
		}
	}
	play := func(c *conversation, settings string, moves int) (all []string) {
		t.Helper()
		c.send(settings)
		if _, s := answer(c, "START 15\n"); s != "OK" {
			c.fail("START: %q", s)
		}
		told, move := answer(c, "SWAP2BOARD\n"+strings.NewReplacer(",1\n", "\n", ",2\n", "\n").Replace(opening)+"DONE\n")
		all = append(all, told+move)
		board := opening
		for i := range moves {
			told, move := answer(c, "BOARD\n"+board+"DONE\n")
			all = append(all, told+move)
			board += fmt.Sprintf("%s,%d\n", move, 2-i%2)
		}
		return all
	}
	begin := func(t *testing.T) *conversation {
		return serve(t, protocol.NewSession(protocol.Maker{Referee: engine.Replay, Engine: engine.New}))
	}
	const moves = 12
	want := play(begin(t), counted, moves)
	if !strings.Contains(strings.Join(want, ""), "depth") {
		t.Fatalf("nothing is told of the searches: %q", want)
	}
	for name, before := range map[string]func(*conversation){
		"the same game":  func(c *conversation) { play(c, counted, moves) },
		"another rule":   func(c *conversation) { play(c, "INFO max_node 300\nINFO rule 4\n", 6) },
		"without counts": func(c *conversation) { play(c, "INFO rule 1\nINFO max_depth 3\n", 8) },
		"a search given up": func(c *conversation) {
			c.send("INFO rule 1\nINFO timeout_turn 100000\nSTART 15\n")
			c.line()
			c.send("BOARD\n" + opening + "DONE\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := begin(t)
			before(c)
			for again := range 2 {
				got := play(c, "INFO timeout_turn 100000\n"+counted, moves)
				if !slices.Equal(got, want) {
					c.fail("game %d: %q, alone %q", again+1, got, want)
				}
			}
		})
	}
}
