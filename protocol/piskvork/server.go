// Package piskvork is the text protocol of the Gomocup tournament, which Piskvork and most
// managers of the line games speak, with the additions of Yixin-Board and its relatives.
//
// Sources: the protocol's description (plastovicka.github.io/protocl2en.htm), the Yixin
// protocol, and recordings of what the managers really send. Commands, INFO keys and DONE
// may be in either case. Points are x,y from 0 at the upper left; Yixin-Board writes row
// and column, which is a reflection that both sides see alike.
package piskvork

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

// Serve plays for a manager until END, the end of r, a failing w, or ctx is done. It
// returns at once then, also from the middle of a search. Each line of an answer is one
// call of w.Write.
func Serve(ctx context.Context, s *protocol.Session, r io.Reader, w io.Writer) error {
	lines := make(chan inputLine, 64)
	ended, quit, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	defer close(quit)
	go readLines(r, lines, ended, quit)
	go func() {
		sv := &server{s: s, w: w, threads: 1}
		defer s.Abandon()
		done <- sv.loop(ctx, lines)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	case <-ended:
	}
	select {
	case err := <-done:
		return err
	case <-time.After(protocol.LastWord):
		return nil
	}
}

// server is one conversation.
type server struct {
	s     *protocol.Session
	w     io.Writer
	err   error // of the first write that failed
	ended bool  // END came

	size     int    // of the last START
	mask     int64  // INFO rule
	named    string // INFO game, when it was the last to say
	reading  bool   // INFO five_at_four
	free     bool   // INFO tournament_rule 0
	trouble  error  // why what is asked for is not played
	yixin    bool   // the client speaks Yixin's dialect
	gui      bool   // it asked for YXSHOWINFO: unknown commands are passed over
	report   report // what is told of searches
	avoid    []game.Point
	captured *[4]int // INFO captured by owner, for the next BOARD
	threads  int
	memory   int64 // INFO max_memory
	hash     int64 // INFO hash_size, in bytes
	nodes    int64 // INFO max_node
	weaker   int64 // 100 - INFO strength

	block *request // it waits for DONE
	path  bool     // the next line is a file's name
	held  *request // it waits for the search to stop
	asked question // what the running search is for
	note  string   // told with the next search
}

// request is a command with what belongs to it.
type request struct {
	command *command
	name    string // in upper case
	args    string // the rest of its line
	at      time.Time
	tokens  []string // of the block up to DONE
	bad     int      // tokens and lines that could not be read
}

// question says how the answer of a search is written.
type question uint8

const (
	move question = iota
	swap2Board
	swap2Step1
	swap2Step2
	swap2Step3
)

func (sv *server) loop(ctx context.Context, lines <-chan inputLine) error {
	for !sv.ended && sv.err == nil {
		run := sv.s.Searching()
		if r := sv.held; r != nil && run == nil {
			sv.held = nil
			sv.perform(r)
			continue
		}
		in := lines
		if sv.held != nil {
			in = nil // what comes later must wait too
		}
		var done <-chan protocol.Answer
		var news <-chan struct{}
		if run != nil {
			done, news = run.Done, run.News
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l, ok := <-in:
			if !ok {
				return nil
			}
			sv.line(l)
		case <-news:
			sv.tell(run)
		case a := <-done:
			sv.tell(run)
			sv.answer(a)
		}
	}
	return sv.err
}

// reply writes one line.
func (sv *server) reply(format string, args ...any) {
	if sv.err != nil {
		return
	}
	_, sv.err = io.WriteString(sv.w, printable(fmt.Sprintf(format, args...))+"\n")
}

// printable keeps a line one line of ASCII.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// line takes one line of the manager.
func (sv *server) line(l inputLine) {
	word, rest, _ := strings.Cut(strings.ReplaceAll(l.text, "\t", " "), " ")
	name := strings.ToUpper(word)
	cmd := commands[name]
	if sv.path {
		sv.path = false
		if cmd == nil {
			return
		}
	}
	if cmd == nil && sv.block != nil {
		sv.feed(l)
		return
	}
	if name != "INFO" && l.long {
		sv.block = nil
		sv.reply("ERROR line too long")
		return
	}
	if cmd == nil {
		if !sv.gui {
			sv.reply("UNKNOWN command %.20s", name)
		}
		return
	}
	if !sv.yixin && name != "YXSTOP" && (word != name || strings.HasPrefix(name, "YX")) {
		sv.yixin = true
		sv.retune()
	}
	if sv.block != nil && !cmd.aside {
		sv.block = nil // DONE will not come
	}
	if cmd.replaces {
		sv.s.Abandon()
	}
	r := &request{command: cmd, name: name, args: strings.TrimSpace(rest), at: l.at}
	switch {
	case cmd.block:
		sv.block = r
		if r.args != "" {
			sv.feed(inputLine{text: r.args, at: l.at})
		}
	case cmd.path:
		sv.path = r.args == ""
	default:
		sv.perform(r)
	}
}

// feed adds a line to the open block. White space, not the line, separates tokens: some
// clients write the block on one line.
func (sv *server) feed(l inputLine) {
	b := sv.block
	if l.long {
		b.bad++
		return
	}
	parts := strings.Split(l.text, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	tokens := strings.Fields(strings.Join(parts, ",")) // "7, 7, 1" is one entry
	for i, t := range tokens {
		if !strings.EqualFold(t, "DONE") {
			if len(b.tokens) < game.NumPoints {
				b.tokens = append(b.tokens, t)
			} else {
				b.bad++
			}
			continue
		}
		sv.block = nil
		// A manager's clock may run since the first line, which can be a while ago, but
		// a human may also have typed the block.
		if late := l.at.Add(-500 * time.Millisecond); b.at.Before(late) {
			b.at = late
		}
		sv.perform(b)
		if rest := tokens[i+1:]; len(rest) > 0 {
			sv.line(inputLine{text: strings.Join(rest, " "), at: l.at})
		}
		return
	}
}

// perform does what a complete command asks for.
func (sv *server) perform(r *request) {
	defer func() {
		if recover() != nil {
			sv.reply("ERROR internal error")
		}
	}()
	if r.command.builds && sv.s.Searching() != nil && sv.sound(r) {
		sv.s.Stop()
		sv.held = r
		return
	}
	if r.command.run != nil {
		r.command.run(sv, r)
	}
}

// sound reports whether a command is worth a running search's end: a second TURN on an
// occupied point is not.
func (sv *server) sound(r *request) bool {
	if r.name != "TURN" {
		return true
	}
	q, ok := point(r.args)
	return ok && sv.s.Empty(q)
}

// retune lets what was told about the rules act.
func (sv *server) retune() {
	v, err := sv.variant(sv.size)
	switch {
	case sv.size == 0:
		err = nil
	case err == nil:
		err = sv.s.SetVariant(v)
	}
	sv.trouble = err
	sv.s.Continuous = sv.mask&2 != 0 && !(sv.mask == 2 && sv.yixin)
}

// variant returns the game that was asked for on a board.
func (sv *server) variant(size int) (game.Variant, error) {
	v := game.Variant{Size: size, FiveAtFour: sv.reading, FreeOpening: sv.free}
	if sv.named == "" {
		v.Rule = ruleOf(sv.mask, sv.yixin)
		return v, nil
	}
	r, err := game.ParseRule(sv.named)
	if err == nil && r == game.Weiqi {
		err = fmt.Errorf("go is not played by this protocol")
	}
	v.Rule = r
	return v, err
}

// ruleOf reads INFO rule, a sum of which managers send every combination: caro before
// renju before exactly five. Two is the continuous game, but renju in Yixin's dialect.
func ruleOf(mask int64, yixin bool) game.Rule {
	switch {
	case mask&8 != 0 && mask&1 != 0:
		return game.Caro
	case mask&8 != 0:
		return game.CaroSix
	case mask&4 != 0, mask == 2 && yixin:
		return game.Renju
	case mask&1 != 0:
		return game.Standard
	}
	return game.Freestyle
}
