// Package terminal is a game between a person and the engine as text: a board drawn with
// letters, moves by their names, and a prompt that says what may be answered.
//
// It reads a line only when it is the person's turn, so that a whole game may be written
// into its input beforehand, and ends with its input.
package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/openings/rule"
	"tengen/protocol"
)

// Options say what is played, and against what.
type Options struct {
	Variant game.Variant
	Rule    *rule.Rule    // of the opening, nil for none
	You     rule.Player   // First begins, with Black
	Level   int64         // of the engine, 0 to 100; see protocol.StrengthNodes
	Time    time.Duration // for a move of the engine and for a hint
	Nodes   int64         // likewise, 0 for any number
	Seed    uint64        // of what is drawn in an opening
}

// MaxLevel plays without holding back.
const MaxLevel = 100

// Play plays games until the input ends or the person leaves. Its error is ctx's when that
// has ended, or one of reading or writing.
func Play(ctx context.Context, s *protocol.Session, in io.Reader, out io.Writer, o Options) error {
	t := &table{s: s, o: o, out: bufio.NewWriter(out), lines: make(chan string)}
	done := make(chan struct{})
	defer close(done)
	go t.read(in, done)
	defer s.Abandon()
	s.Clock.SetTurn(o.Time.Milliseconds())
	t.level(o.Level)
	if err := t.begin(nil); err != nil {
		return err
	}
	t.say("You are the %s. Type help for the commands.", map[rule.Player]string{rule.First: "first player, with Black", rule.Second: "second player, with White"}[o.You])
	err := t.play(ctx)
	if errors.Is(err, errLeave) {
		err = nil
	}
	if moves := t.moves(); moves != "" {
		t.say("moves: %s", moves)
	}
	return errors.Join(err, t.out.Flush())
}

// errLeave ends the play.
var errLeave = errors.New("left")

// choice is one that was taken in the opening.
type choice struct {
	by rule.Player
	rule.Choice
}

type table struct {
	s       *protocol.Session
	o       Options
	out     *bufio.Writer
	lines   chan string // closed at the end of the input
	readErr error       // why it ended, if not well; set before lines is closed
	asked   uint64      // how often the engine was asked in an opening

	opening  *rule.Opening // nil without a rule
	taken    []choice
	resigned bool // the person has given up
	gaveUp   bool // the engine has
	drawn    string
	named    bool // renju's opening has been named
}

// read hands on the lines of the input.
func (t *table) read(in io.Reader, done <-chan struct{}) {
	defer close(t.lines)
	sc := bufio.NewScanner(in)
	for sc.Scan() {
		select {
		case t.lines <- sc.Text():
		case <-done:
			return
		}
	}
	t.readErr = sc.Err()
}

// say writes a line. An error of writing is found when it is flushed.
func (t *table) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

func (t *table) level(n int64) {
	t.o.Level = n
	t.s.Clock.Nodes = t.o.Nodes
	if s := protocol.StrengthNodes(n); s > 0 && (t.o.Nodes == 0 || s < t.o.Nodes) {
		t.s.Clock.Nodes = s
	}
}

// begin starts a game with some choices of its opening.
func (t *table) begin(taken []choice) error {
	t.taken, t.resigned, t.gaveUp, t.drawn, t.named = nil, false, false, "", false
	if t.o.Rule == nil {
		return t.s.Start(t.o.Variant)
	}
	var err error
	if t.opening, err = rule.New(t.o.Rule, t.o.Variant); err != nil {
		return err
	}
	for _, c := range taken {
		if err := t.take(c.Choice); err != nil {
			return err
		}
	}
	return t.s.Set(t.opening.Record().Clone())
}

// take takes a choice in the opening.
func (t *table) take(c rule.Choice) error {
	by := t.opening.Turn()
	if err := t.opening.Do(c); err != nil {
		return err
	}
	t.taken = append(t.taken, choice{by, c})
	return t.s.Set(t.opening.Record().Clone())
}

func (t *table) inOpening() bool { return t.opening != nil && !t.opening.Done() }

// color is the person's.
func (t *table) color() game.Color {
	black := rule.First
	if t.opening != nil {
		black = t.opening.Black()
	}
	if t.o.You == black {
		return game.Black
	}
	return game.White
}

func (t *table) over() bool {
	return !t.inOpening() && (t.resigned || t.gaveUp || t.s.Game().Result().Outcome != game.Open)
}

func (t *table) yours() bool {
	switch {
	case t.over():
		return true // to say what is next
	case t.inOpening():
		return t.opening.Turn() == t.o.You
	}
	return t.s.Game().ToMove() == t.color()
}

func (t *table) play(ctx context.Context) error {
	for {
		if !t.yours() {
			if err := t.engine(ctx); err != nil {
				return err
			}
			continue
		}
		t.show()
		if err := t.out.Flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			t.say("")
			return ctx.Err()
		case l, ok := <-t.lines:
			if !ok {
				t.say("")
				return cmp.Or(t.readErr, errLeave)
			}
			if err := t.obey(ctx, strings.TrimSpace(l)); err != nil {
				return err
			}
		}
	}
}

// show draws what has changed, and asks.
func (t *table) show() {
	if b := t.board(); b != t.drawn {
		t.drawn = b
		fmt.Fprint(t.out, "\n"+b)
	}
	g := t.s.Game()
	if p, ok := rule.PatternOf(g.Record()); ok && !t.named && t.o.Variant.Rule == game.Renju {
		t.named = true
		t.say("opening %s %s, %s", p.Code, p.Name, p.English)
	}
	switch {
	case t.over():
		fmt.Fprintf(t.out, "%s; new, undo or quit> ", t.result())
	case t.inOpening():
		side, ways, _ := strings.Cut(t.opening.Prompt(), ": ")
		fmt.Fprintf(t.out, "%s (you): %s> ", side, ways)
	default:
		fmt.Fprintf(t.out, "%v (you) to move> ", t.color())
	}
}

func (t *table) result() string {
	r := t.s.Game().Result()
	you := "you lose"
	switch {
	case t.resigned:
		return "you have resigned"
	case t.gaveUp:
		return "tengen resigns, you win"
	case r.Outcome == game.Draw:
		return "draw: " + r.Reason
	case r.Outcome == game.WinFor(t.color()):
		you = "you win"
	}
	return fmt.Sprintf("%v, %s: %s", r.Outcome, you, r.Reason)
}

const help = `A move is a point (H8)%s. Besides:
  hint         what the engine would do
  undo         takes your last move and the answer back
  level N      strength of the engine from now on, 0 to 100
  board        draws the board
  moves        the moves so far
  resign, new, quit
X is Black, O White, brackets mark the last stone, ! a forbidden point.
`

const openingHelp = `In the opening: points (H8 I9 J10), with a number behind them where one is to be declared
(J10 4), swap to change sides, stay not to.
`

// obey does what a line says. Its error ends the play.
func (t *table) obey(ctx context.Context, l string) error {
	word, arg, _ := strings.Cut(strings.ToLower(l), " ")
	arg = strings.TrimSpace(arg)
	switch word {
	case "":
	case "quit", "exit":
		return errLeave
	case "help", "?":
		fmt.Fprintf(t.out, help, map[bool]string{true: " or pass"}[t.o.Variant.Rule == game.Weiqi])
		if t.opening != nil {
			fmt.Fprint(t.out, openingHelp)
		}
	case "board":
		t.drawn = ""
	case "moves":
		t.say("moves: %s", t.moves())
	case "new":
		return t.begin(nil)
	case "level":
		n, err := strconv.ParseInt(arg, 10, 64)
		switch {
		case arg == "":
			t.say("level %d", t.o.Level)
		case err != nil || n < 0 || n > MaxLevel:
			t.say("a level is 0 to %d", MaxLevel)
		default:
			t.level(n)
		}
	case "undo":
		return t.undo()
	case "hint":
		if t.over() {
			t.say("the game is over")
			return nil
		}
		return t.hint(ctx)
	case "resign":
		switch {
		case t.over():
			t.say("the game is over")
		case t.inOpening():
			t.say("not in the opening")
		default:
			t.resigned = true
		}
	default:
		t.move(l)
	}
	return nil
}

// move takes a move, or a choice in the opening.
func (t *table) move(l string) {
	switch {
	case t.over():
		t.say("the game is over")
		return
	case t.inOpening():
		before := t.color()
		c, err := rule.ParseChoice(l, t.o.Variant.Size)
		if err == nil {
			err = t.take(c)
		}
		if err != nil {
			t.say("no: %v", err)
		}
		t.tell(before)
		return
	}
	q, err := t.point(l)
	if err != nil {
		t.say("no: %v; help lists the commands", err)
		return
	}
	if err := t.s.Play(q); err != nil {
		t.say("no: %s: %s", t.name(q), strings.TrimPrefix(err.Error(), "illegal move: "))
	}
}

// engine lets the engine do what it is its turn to do.
func (t *table) engine(ctx context.Context) error {
	if t.inOpening() {
		a, err := t.wait(ctx, t.open())
		t.s.Abandon()
		if err != nil {
			return err
		}
		c, before := a.Opening(), t.color()
		if err := t.take(c); err != nil {
			return err
		}
		t.say("tengen: %s", c.Text(t.o.Variant.Size))
		t.tell(before)
		return nil
	}
	a, err := t.wait(ctx, t.s.Think(t.limits()))
	if err != nil {
		return err
	}
	if a.Choice.Resign {
		t.s.Abandon()
		t.gaveUp = true
		return nil
	}
	t.s.Finish(a)
	t.say("tengen: %s", t.name(a.Points[0]))
	return nil
}

// hint says what the engine would do at its best.
func (t *table) hint(ctx context.Context) error {
	nodes := t.s.Clock.Nodes
	t.s.Clock.Nodes = t.o.Nodes
	defer func() { t.s.Clock.Nodes = nodes }()
	defer t.s.Abandon()
	if t.inOpening() {
		a, err := t.wait(ctx, t.open())
		if err == nil {
			c := a.Opening()
			t.say("hint: %s", c.Text(t.o.Variant.Size))
		}
		return err
	}
	a, err := t.wait(ctx, t.s.Think(t.limits()))
	if err == nil {
		t.say("hint: %s (%s)", t.name(a.Points[0]), game.ValueString(a.Choice.Info.Value))
	}
	return err
}

// open asks the engine for a choice. What it draws is drawn by the seed, each time anew.
func (t *table) open() *protocol.Search {
	t.asked++
	return t.s.Open(t.opening, t.limits(), rand.New(rand.NewPCG(t.o.Seed, t.asked)))
}

// tell says which colour the person has, if it has changed.
func (t *table) tell(before game.Color) {
	if c := t.color(); c != before {
		t.say("You have %v now.", c)
	}
}

func (t *table) limits() game.Limits { return t.s.Limits(time.Now()) }

// wait returns the answer of a search.
func (t *table) wait(ctx context.Context, r *protocol.Search) (protocol.Answer, error) {
	if err := t.out.Flush(); err != nil {
		return protocol.Answer{}, err
	}
	select {
	case <-ctx.Done():
		t.say("")
		return protocol.Answer{}, ctx.Err()
	case a := <-r.Done:
		return a, a.Err
	}
}

// undo goes back to before the person's last move, or choice in the opening.
func (t *table) undo() error {
	if t.resigned || t.gaveUp {
		t.resigned, t.gaveUp = false, false
		if t.s.Game().ToMove() == t.color() {
			return nil
		}
	}
	if t.opening == nil || t.opening.Done() {
		given := 0
		if t.opening != nil {
			given = len(t.opening.Record().Moves)
		}
		moves := t.s.Game().Record().Moves
		for i := len(moves) - 1; i >= given; i-- {
			if moves[i].Color == t.color() {
				for range len(moves) - i {
					if err := t.s.Undo(); err != nil {
						return err
					}
				}
				return nil
			}
		}
	}
	for i := len(t.taken) - 1; i >= 0; i-- {
		if t.taken[i].by == t.o.You {
			return t.begin(t.taken[:i:i])
		}
	}
	t.say("no: you have not moved yet")
	return nil
}

// moves returns the moves so far by their names.
func (t *table) moves() string {
	if t.s.Game() == nil {
		return ""
	}
	var names []string
	for _, m := range t.s.Game().Record().Moves {
		names = append(names, t.name(m.Point))
	}
	return strings.Join(names, " ")
}
