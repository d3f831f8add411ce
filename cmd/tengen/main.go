// Command tengen is the engine with everything around it, by sub-command. Without one,
// or with one it does not know, it speaks the piskvork protocol like pbrain-tengen.
package main

import (
	"fmt"
	"io"
	"os"

	"tengen/protocol/brain"
)

// command is one sub-command. run gets the arguments behind its name and returns the
// exit status: 0 well, 1 failed, 2 used wrongly.
type command struct {
	name, what string
	run        func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

var commands = []command{
	{"analysis", "KataGo's JSON protocol for analyses of Go, for KaTrain and others", analyze},
	{"bench", "how fast the engine is, and its signature", benchmark},
	{"book", "opening books: build, extend, query, export, verify", bookCommand},
	{"check", "whether an engine keeps its protocol, point by point", checkEngine},
	{"convert", "game files from one format to another", convert},
	{"gtp", "the Go Text Protocol on stdin and stdout, for GUIs and matches", speakGTP},
	{"match", "tournaments of engines: paired games, a referee, statistics, resume", playMatch},
	{"opengen", "balanced random openings, with a report of how balanced they are", openGen},
	{"play", "a game against the engine in the terminal", playGame},
	{"render", "a position as an SVG or PNG picture", render},
	{"report", "the tables and the page of a match, anew from its journal", reportMatch},
	{"selfplay", "games of the engine with itself, for training", selfPlay},
	{"solve", "forced wins by fours and threes, with proofs that can be checked", solve},
	{"stats", "Elo, SPRT and ratings from results", statistics},
	{"train", "learn an evaluation from games of self-play", learn},
}

func main() {
	if len(os.Args) > 1 {
		for _, c := range commands {
			if c.name == os.Args[1] {
				os.Exit(c.run(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
			}
		}
		switch os.Args[1] {
		case "help", "-h", "-help", "--help":
			usage(os.Stdout)
			return
		}
	}
	brain.Main()
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: tengen [command] [arguments]\n\nWithout a command tengen speaks the piskvork protocol on stdin and stdout.\n\nCommands (tengen command -h says more):")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.what)
	}
}
