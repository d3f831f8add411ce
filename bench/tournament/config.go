// Package tournament plays matches between programs and between engines of this process:
// paired openings, a referee of our own for every game, a clock that trusts nobody, and a
// journal from which an interrupted match goes on.
//
// Read Run for the course of a match and game.play for that of one game. The journal is
// the truth: tables, ratings and reports are made from its lines alone, so that they are
// the same after any number of interruptions. The habits are those of runners of other
// games (cutechess-cli, fastchess, c-gomoku-cli, gomill's ringmaster); PROTOCOLS says what
// the programs expect.
package tournament

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/openings/rule"
)

// Config is a match: everything that is said of it before it begins. Its TOML form is
// what -dump prints. A time is in seconds.
type Config struct {
	Event       string  `toml:"event,omitempty" json:",omitempty"`
	Game        string  `toml:"game"`                                    // as game.ParseRule reads it
	BoardSize   int     `toml:"boardsize"`                               // points a side
	Komi        float64 `toml:"komi,omitempty" json:",omitempty"`        // Go
	Rules       string  `toml:"rules,omitempty" json:",omitempty"`       // Go: the rule set
	FreeOpening bool    `toml:"freeopening,omitempty" json:",omitempty"` // pente without its opening rule
	FiveAtFour  bool    `toml:"fiveatfour,omitempty" json:",omitempty"`  // renju: the other reading of a straight four
	OpeningRule string  `toml:"openingrule,omitempty" json:",omitempty"` // as rule.Find reads it; the players make the openings
	Swap2       bool    `toml:"swap2,omitempty" json:",omitempty"`       // another word for the opening rule swap2

	Format      string `toml:"format"` // RoundRobin, Gauntlet or Swiss
	Rounds      int    `toml:"rounds"` // of the whole schedule
	Games       int    `toml:"games"`  // an encounter of two engines has in a round
	Repeat      bool   `toml:"repeat"` // each opening twice, the colours swapped
	Concurrency int    `toml:"concurrency" json:"-"`

	Openings  Openings `toml:"openings,omitempty" json:",omitempty"`
	Transform bool     `toml:"transform,omitempty" json:",omitempty"`

	Draw       DrawRule   `toml:"draw,omitempty" json:",omitempty"`
	Resign     ResignRule `toml:"resign,omitempty" json:",omitempty"`
	DrawAfter  int        `toml:"drawafter,omitempty" json:",omitempty"` // stones on the board
	Proven     int64      `toml:"proven,omitempty" json:",omitempty"`    // nodes of a search for a win by fours
	SPRT       *SPRT      `toml:"sprt,omitempty" json:",omitempty"`
	FatalError bool       `toml:"fatalerror,omitempty" json:"-"` // a crash ends the match

	SendByBoard bool `toml:"sendbyboard,omitempty" json:",omitempty"`
	Suspend     bool `toml:"suspend,omitempty" json:",omitempty"`  // who waits is stopped
	Affinity    bool `toml:"affinity,omitempty" json:",omitempty"` // a processor for each game
	Log         bool `toml:"log,omitempty" json:"-"`               // every line to and from the programs

	Out    string `toml:"out,omitempty" json:"-"` // the folder
	PGN    string `toml:"pgn,omitempty" json:"-"`
	SGF    string `toml:"sgf,omitempty" json:"-"`
	SQLite string `toml:"sqlite,omitempty" json:"-"`

	Each    Engine   `toml:"each,omitempty" json:"-"`
	Engines []Engine `toml:"engine"`
}

// The formats of a match.
const (
	RoundRobin = "round-robin" // all against all
	Gauntlet   = "gauntlet"    // the first against the others
	Swiss      = "swiss"       // in each round, those who have done about equally well
)

// Engine is one player. What is empty comes from Config.Each.
type Engine struct {
	Name      string            `toml:"name,omitempty" json:",omitempty"`
	Command   string            `toml:"cmd,omitempty" json:",omitempty"`
	Dir       string            `toml:"dir,omitempty" json:",omitempty"`
	Proto     string            `toml:"proto,omitempty" json:",omitempty"` // Piskvork, GTP or Inside
	TC        string            `toml:"tc,omitempty" json:",omitempty"`    // match/turn+increment
	ST        float64           `toml:"st,omitempty" json:",omitempty"`    // a move
	Nodes     int64             `toml:"nodes,omitempty" json:",omitempty"`
	Depth     int               `toml:"depth,omitempty" json:",omitempty"`
	Thread    int               `toml:"thread,omitempty" json:",omitempty"`
	MaxMemory int64             `toml:"maxmemory,omitempty" json:",omitempty"` // bytes
	Tolerance float64           `toml:"tolerance,omitempty" json:",omitempty"`
	Option    map[string]string `toml:"option,omitempty" json:",omitempty"` // INFO lines, or GTP commands
}

// How an engine is spoken to.
const (
	Piskvork = "piskvork"
	GTP      = "gtp"
	Inside   = "tengen" // the engine of this program, without a process
)

// Openings say where games begin.
type Openings struct {
	File  string `toml:"file,omitempty" json:",omitempty"`
	Type  string `toml:"type,omitempty" json:",omitempty"`  // offset, pos, sgf, psq; known by the file if empty
	Order string `toml:"order,omitempty" json:",omitempty"` // sequential or random
	Seed  uint64 `toml:"srand,omitempty" json:",omitempty"`
}

// DrawRule calls a game drawn when, from a move on, both players have thought for so many
// moves each that the value is within the score.
type DrawRule struct {
	MoveNumber int `toml:"movenumber,omitempty"`
	MoveCount  int `toml:"movecount,omitempty"`
	Score      int `toml:"score,omitempty"`
}

// ResignRule gives a game to a player when the other has thought for so many moves that
// the value is below minus the score; when TwoSided, the winner must have thought so too.
type ResignRule struct {
	MoveCount int  `toml:"movecount,omitempty"`
	Score     int  `toml:"score,omitempty"`
	TwoSided  bool `toml:"twosided,omitempty"`
}

// SPRT ends a match of two when one of two hypotheses is accepted.
type SPRT struct {
	Elo0  float64 `toml:"elo0"`
	Elo1  float64 `toml:"elo1"`
	Alpha float64 `toml:"alpha,omitempty"`
	Beta  float64 `toml:"beta,omitempty"`
	Model string  `toml:"model,omitempty"` // logistic or normalized
}

// Default returns the settings of a match of which nothing was said.
func Default() Config {
	return Config{
		Game: game.Freestyle.String(), Format: RoundRobin,
		Rounds: 1, Games: 2, Repeat: true, Concurrency: 1,
	}
}

// ReadTOML reads a match as -dump prints it. A key that does not exist is an error that
// names it.
func ReadTOML(r io.Reader) (Config, error) {
	c := Default()
	meta, err := toml.NewDecoder(r).Decode(&c)
	if err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return c, fmt.Errorf("line %d: %s", at.Position.Line, at.Message)
		}
		return c, err
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return c, fmt.Errorf("unknown key %q", keys[0].String())
	}
	return c, nil
}

// WriteTOML prints what ReadTOML reads.
func (c *Config) WriteTOML(w io.Writer) error {
	e := toml.NewEncoder(w)
	e.Indent = ""
	return e.Encode(c)
}

// Finish fills in what was left out and says what is wrong with the rest. It may be
// called again.
func (c *Config) Finish() error {
	which, err := game.ParseRule(c.Game)
	if err != nil {
		return err
	}
	if c.BoardSize == 0 {
		c.BoardSize = map[game.Rule]int{game.Pente: 19, game.Keryo: 19, game.Weiqi: 9}[which]
		if c.BoardSize == 0 {
			c.BoardSize = 15
		}
	}
	if c.Openings.Seed == 0 {
		c.Openings.Seed = 1
	}
	if c.Openings.Order == "" {
		c.Openings.Order = "sequential"
	}
	switch c.Openings.Order {
	case "sequential", "random":
	default:
		return fmt.Errorf("openings: order=%s is neither sequential nor random", c.Openings.Order)
	}
	if c.Swap2 {
		if c.OpeningRule != "" && !strings.EqualFold(c.OpeningRule, swap2) {
			return fmt.Errorf("swap2 and the opening rule %s exclude each other", c.OpeningRule)
		}
		c.OpeningRule, c.Swap2 = swap2, false
	}
	if c.OpeningRule != "" {
		r, err := rule.Find(c.OpeningRule)
		if err != nil {
			return err
		}
		c.OpeningRule = r.Name
		if err := r.For(c.Variant()); err != nil {
			return err
		}
	}
	if _, err := engine.Referee(c.Variant()); err != nil {
		return err
	}
	switch {
	case c.Format != RoundRobin && c.Format != Gauntlet && c.Format != Swiss:
		return fmt.Errorf("format %q is none of %s, %s, %s", c.Format, RoundRobin, Gauntlet, Swiss)
	case c.Rounds < 1 || c.Rounds > 1_000_000:
		return fmt.Errorf("rounds %d", c.Rounds)
	case c.Games < 1 || c.Games > 10_000_000:
		return fmt.Errorf("games %d", c.Games)
	case c.Concurrency < 1 || c.Concurrency > 4096:
		return fmt.Errorf("concurrency %d", c.Concurrency)
	case len(c.Engines) < 2:
		return fmt.Errorf("%d engines; a match has two at least", len(c.Engines))
	case len(c.Engines) > 1000:
		return fmt.Errorf("%d engines", len(c.Engines))
	case c.SPRT != nil && len(c.Engines) != 2:
		return errors.New("sprt is for two engines")
	case c.OpeningRule != "" && c.Openings.File != "":
		return fmt.Errorf("by the opening rule %s the players make the openings; none are read from a file", c.OpeningRule)
	case c.Proven > 0 && which == game.Weiqi:
		return errors.New("proven: there are no wins by fours in Go")
	}
	if s := c.SPRT; s != nil {
		if s.Alpha == 0 {
			s.Alpha = 0.05
		}
		if s.Beta == 0 {
			s.Beta = 0.05
		}
		if s.Model == "" {
			s.Model = "logistic"
		}
		switch {
		case s.Model != "logistic" && s.Model != "normalized":
			return fmt.Errorf("sprt: model=%s is neither logistic nor normalized", s.Model)
		case !(s.Elo1 > s.Elo0):
			return fmt.Errorf("sprt: elo1=%g must be above elo0=%g", s.Elo1, s.Elo0)
		case !(s.Alpha > 0 && s.Alpha < 0.5 && s.Beta > 0 && s.Beta < 0.5):
			return fmt.Errorf("sprt: alpha=%g and beta=%g must be between 0 and 0.5", s.Alpha, s.Beta)
		}
	}
	for i := range c.Engines {
		if err := c.Engines[i].finish(c, which); err != nil {
			return fmt.Errorf("engine %d: %w", i+1, err)
		}
	}
	c.Each = Engine{}
	return nil
}

// finish takes what an engine does not say from Each.
func (e *Engine) finish(c *Config, which game.Rule) error {
	or(&e.Command, c.Each.Command)
	or(&e.Dir, c.Each.Dir)
	or(&e.Proto, c.Each.Proto)
	if e.TC == "" && e.ST == 0 {
		e.TC, e.ST = c.Each.TC, c.Each.ST
	}
	or(&e.Nodes, c.Each.Nodes)
	or(&e.Depth, c.Each.Depth)
	or(&e.Thread, c.Each.Thread)
	or(&e.MaxMemory, c.Each.MaxMemory)
	or(&e.Tolerance, c.Each.Tolerance)
	for k, v := range c.Each.Option {
		if _, own := e.Option[k]; !own {
			if e.Option == nil {
				e.Option = map[string]string{}
			}
			e.Option[k] = v
		}
	}
	switch {
	case e.Proto != "":
	case which == game.Weiqi:
		e.Proto = GTP
	default:
		e.Proto = Piskvork
	}
	switch {
	case e.Proto != Piskvork && e.Proto != GTP && e.Proto != Inside:
		return fmt.Errorf("proto=%s is none of %s, %s, %s", e.Proto, Piskvork, GTP, Inside)
	case e.Proto == Piskvork && which == game.Weiqi:
		return errors.New("proto=piskvork does not know Go")
	case e.Proto == Inside && e.Command != "":
		return fmt.Errorf("cmd=%s: proto=%s runs no command", e.Command, Inside)
	case e.Proto != Inside && e.Command == "":
		return errors.New("cmd= is missing")
	case e.Nodes < 0 || e.Depth < 0 || e.Thread < 0 || e.MaxMemory < 0 || e.ST < 0 || !(e.Tolerance >= 0) || e.Tolerance > 1e6:
		return errors.New("a limit is negative")
	case bySwap2(c.OpeningRule) && e.Proto == GTP:
		return errors.New("swap2 needs SWAP2BOARD, which GTP has not")
	case c.OpeningRule != "" && !bySwap2(c.OpeningRule) && e.Proto != Inside:
		return fmt.Errorf("proto=%s has no word for the opening rule %s; proto=%s knows it", e.Proto, c.OpeningRule, Inside)
	}
	if _, err := splitCommand(e.Command); err != nil {
		return err
	}
	if e.Proto == Inside {
		p, err := newInside(engine.Options{}, e.Option)
		if err != nil {
			return err
		}
		p.Close()
	}
	_, err := e.clock()
	return err
}

func or[T comparable](v *T, other T) {
	var zero T
	if *v == zero {
		*v = other
	}
}

// Variant returns the game that is played.
func (c *Config) Variant() game.Variant {
	which, _ := game.ParseRule(c.Game) // Finish has looked
	v := game.Variant{
		Rule: which, Size: c.BoardSize, Komi: c.Komi, Ruleset: c.Rules,
		FreeOpening: c.FreeOpening, FiveAtFour: c.FiveAtFour,
	}
	if r, err := rule.Find(c.OpeningRule); err == nil {
		v = r.Variant(v)
	}
	return v
}

const swap2 = "swap2"

// bySwap2 reports whether an opening goes by the stones and choices of Swap2, for which
// piskvork has a command.
func bySwap2(name string) bool { return name == swap2 || name == "swap2-pente" }

// fingerprint tells matches apart: it covers all that decides which games are played.
func (c *Config) fingerprint() string {
	b, err := json.Marshal(c) // a struct, and maps by their sorted keys
	if err != nil {
		panic(err) // there is nothing in it that cannot be written
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:8])
}

// Folder returns where the match is kept.
func (c *Config) Folder() string {
	if c.Out != "" {
		return c.Out
	}
	return "match-" + c.fingerprint()[:8]
}

// clock is a time control, in seconds; zero is without limit.
type clock struct{ match, turn, increment float64 }

// clock reads tc and st.
func (e *Engine) clock() (clock, error) {
	if e.TC == "" {
		return clock{turn: e.ST}, nil
	}
	if e.ST != 0 {
		return clock{}, errors.New("tc= and st= exclude each other")
	}
	var t clock
	rest, inc, has := strings.Cut(e.TC, "+")
	match, turn, both := strings.Cut(rest, "/")
	read := func(to *float64, s string) bool {
		v, err := strconv.ParseFloat(s, 64)
		*to = v
		return err == nil && v >= 0 && v <= 1e6 && !math.IsNaN(v)
	}
	if !read(&t.match, match) || both && !read(&t.turn, turn) || has && !read(&t.increment, inc) {
		return clock{}, fmt.Errorf("tc=%s is not match/turn+increment in seconds", e.TC)
	}
	return t, nil
}

// splitCommand cuts a command into words: blanks part them, quotes of either kind keep
// them, a backslash before a blank, a quote or a backslash takes that character's meaning.
func splitCommand(s string) (words []string, err error) {
	var word []byte
	in, quote := false, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte(` \"'`, s[i+1]) >= 0:
			i++
			word, in = append(word, s[i]), true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word = append(word, c)
		case c == '"' || c == '\'':
			quote, in = c, true
		case c == ' ' || c == '\t':
			if in {
				words, word, in = append(words, string(word)), nil, false
			}
		default:
			word, in = append(word, c), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("cmd=%s: a quote is not closed", s)
	}
	if in {
		words = append(words, string(word))
	}
	return words, nil
}

// names returns the engines' names: those told, else the programs' own, made different
// where they are not.
func names(engines []Engine, about []string) []string {
	var out []string
	for i, e := range engines {
		n := e.Name
		if n == "" && i < len(about) {
			n = about[i]
		}
		if n == "" {
			n = e.Proto
		}
		base := n
		for k := 2; slices.Contains(out, n); k++ {
			n = fmt.Sprintf("%s-%d", base, k)
		}
		out = append(out, n)
	}
	return out
}
