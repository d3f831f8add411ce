package tournament

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// Parse reads a command line of c-gomoku-cli's and cutechess-cli's grammar: options that
// begin with a dash, some of them with key=value words behind them. A first word without
// a dash names a TOML file, which the options then change. dump tells that the settings
// are to be printed and nothing played.
func Parse(args []string) (c Config, dump bool, err error) {
	c = Default()
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		f, err := os.Open(args[0])
		if err != nil {
			return c, false, err
		}
		defer f.Close()
		if c, err = ReadTOML(f); err != nil {
			return c, false, fmt.Errorf("%s: %w", args[0], err)
		}
		args = args[1:]
	}
	for len(args) > 0 {
		name := "-" + strings.TrimLeft(args[0], "-")
		if !strings.HasPrefix(args[0], "-") {
			return c, false, fmt.Errorf("%q is not an option", args[0])
		}
		end := slices.IndexFunc(args[1:], isOption)
		if end < 0 {
			end = len(args) - 1
		}
		values := args[1 : 1+end]
		args = args[1+end:]
		if name == "-dump" {
			dump = true
			continue
		}
		if err := c.option(name, values); err != nil {
			return c, false, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, dump, nil
}

// isOption reports whether a word begins an option; a negative number does not.
func isOption(s string) bool {
	return len(s) > 1 && s[0] == '-' && (s[1] < '0' || s[1] > '9') && s[1] != '.'
}

var gomocupRules = map[string]game.Rule{
	"0": game.Freestyle, "1": game.Standard, "4": game.Renju, "8": game.CaroSix, "9": game.Caro,
}

// option sets one option.
func (c *Config) option(name string, values []string) error {
	switch name {
	case "-engine":
		var e Engine
		if err := keys(values, e.set); err != nil {
			return err
		}
		c.Engines = append(c.Engines, e)
		return nil
	case "-each":
		return keys(values, c.Each.set)
	case "-openings":
		return keys(values, func(k, v string) error {
			switch k {
			case "file":
				return text(&c.Openings.File, v)
			case "type", "format":
				return text(&c.Openings.Type, v)
			case "order":
				return text(&c.Openings.Order, v)
			case "srand":
				return number(&c.Openings.Seed, v)
			}
			return errKey
		})
	case "-sprt":
		c.SPRT = &SPRT{}
		return keys(values, func(k, v string) error {
			switch k {
			case "elo0":
				return number(&c.SPRT.Elo0, v)
			case "elo1":
				return number(&c.SPRT.Elo1, v)
			case "alpha":
				return number(&c.SPRT.Alpha, v)
			case "beta":
				return number(&c.SPRT.Beta, v)
			case "model":
				return text(&c.SPRT.Model, v)
			}
			return errKey
		})
	case "-draw":
		return keys(values, func(k, v string) error {
			switch k {
			case "movenumber":
				return number(&c.Draw.MoveNumber, v)
			case "movecount":
				return number(&c.Draw.MoveCount, v)
			case "score":
				return number(&c.Draw.Score, v)
			}
			return errKey
		})
	case "-resign":
		return keys(values, func(k, v string) error {
			switch k {
			case "movecount":
				return number(&c.Resign.MoveCount, v)
			case "score":
				return number(&c.Resign.Score, v)
			case "twosided":
				return truth(&c.Resign.TwoSided, v)
			}
			return errKey
		})
	}
	if to := c.flag(name); to != nil {
		switch {
		case len(values) == 0:
			*to = true
			return nil
		case len(values) == 1:
			return truth(to, values[0])
		}
		return fmt.Errorf("what is %q?", values[1])
	}
	switch name {
	case "-norepeat":
		c.Repeat = false
		return none(values)
	case "-gauntlet":
		c.Format = Gauntlet
		return none(values)
	case "-swiss":
		c.Format = Swiss
		return none(values)
	case "-loseonly", "-sample", "-msg":
		return errors.New("is c-gomoku-cli's; there is nothing like it here (-log keeps every line)")
	}
	if len(values) != 1 {
		return fmt.Errorf("takes one value, not %d", len(values))
	}
	v := values[0]
	switch name {
	case "-event":
		c.Event = v
	case "-rule":
		r, ok := gomocupRules[v]
		if !ok {
			return fmt.Errorf("%s is none of Gomocup's rules 0, 1, 4, 8, 9; -game takes a name", v)
		}
		c.Game = r.String()
	case "-game":
		c.Game = v
	case "-opening-rule", "-openingrule":
		return text(&c.OpeningRule, v)
	case "-rules":
		c.Rules = v
	case "-boardsize":
		return number(&c.BoardSize, v)
	case "-komi":
		return number(&c.Komi, v)
	case "-format":
		c.Format = v
	case "-tournament":
		c.Format = v
	case "-rounds":
		return number(&c.Rounds, v)
	case "-games":
		return number(&c.Games, v)
	case "-concurrency":
		return number(&c.Concurrency, v)
	case "-drawafter":
		return number(&c.DrawAfter, v)
	case "-proven":
		return number(&c.Proven, v)
	case "-srand":
		return number(&c.Openings.Seed, v)
	case "-out":
		c.Out = v
	case "-pgn":
		c.PGN = v
	case "-sgf":
		c.SGF = v
	case "-sqlite":
		c.SQLite = v
	default:
		return errors.New("unknown option")
	}
	return nil
}

// flag returns the setting that an option without a value turns on.
func (c *Config) flag(name string) *bool {
	switch name {
	case "-repeat":
		return &c.Repeat
	case "-transform":
		return &c.Transform
	case "-swap2":
		return &c.Swap2
	case "-freeopening":
		return &c.FreeOpening
	case "-fiveatfour":
		return &c.FiveAtFour
	case "-sendbyboard":
		return &c.SendByBoard
	case "-suspend":
		return &c.Suspend
	case "-affinity":
		return &c.Affinity
	case "-fatalerror":
		return &c.FatalError
	case "-log", "-debug":
		return &c.Log
	}
	return nil
}

// set sets what is said of an engine.
func (e *Engine) set(k, v string) error {
	if o, ok := strings.CutPrefix(k, "option."); ok && o != "" {
		if e.Option == nil {
			e.Option = map[string]string{}
		}
		e.Option[o] = v
		return nil
	}
	switch k {
	case "name":
		return text(&e.Name, v)
	case "cmd":
		return text(&e.Command, v)
	case "dir":
		return text(&e.Dir, v)
	case "proto":
		return text(&e.Proto, v)
	case "tc":
		return text(&e.TC, v)
	case "st":
		return number(&e.ST, v)
	case "nodes":
		return number(&e.Nodes, v)
	case "depth":
		return number(&e.Depth, v)
	case "thread", "threads":
		return number(&e.Thread, v)
	case "maxmemory":
		return number(&e.MaxMemory, v)
	case "tolerance":
		return number(&e.Tolerance, v)
	}
	return errKey
}

var errKey = errors.New("unknown key")

// keys hands on each key=value word; a word alone is a key without a value.
func keys(words []string, set func(k, v string) error) error {
	for _, w := range words {
		k, v, _ := strings.Cut(w, "=")
		if err := set(k, v); err == errKey {
			return fmt.Errorf("unknown key %q", k)
		} else if err != nil {
			return fmt.Errorf("%s: %w", k, err)
		}
	}
	return nil
}

func text(to *string, v string) error {
	*to = v
	if v == "" {
		return errors.New("has no value")
	}
	return nil
}

func number[T int | int64 | uint64 | float64](to *T, v string) (err error) {
	switch to := any(to).(type) {
	case *int:
		*to, err = strconv.Atoi(v)
	case *int64:
		*to, err = strconv.ParseInt(v, 10, 64)
	case *uint64:
		*to, err = strconv.ParseUint(v, 10, 64)
	case *float64:
		*to, err = strconv.ParseFloat(v, 64)
	}
	if err != nil {
		return fmt.Errorf("%q is not a number that it takes", v)
	}
	return nil
}

func truth(to *bool, v string) (err error) {
	if v == "" {
		v = "true"
	}
	if *to, err = strconv.ParseBool(v); err != nil {
		return fmt.Errorf("%q is neither true nor false", v)
	}
	return nil
}

func none(values []string) error {
	if len(values) > 0 {
		return fmt.Errorf("takes no value, and here stands %q", values[0])
	}
	return nil
}
