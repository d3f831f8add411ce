package gtp

import (
	"errors"
	"strconv"
	"strings"

	"tengen/engine/game"
	"tengen/protocol"
	"tengen/protocol/process"
)

// scope says in which games a command exists. Clients take a program that lists a ruler's
// commands for a ruler, and one that lists a handicap for a program of Go.
type scope uint8

const (
	every scope = iota
	goOnly
	linesOnly
	captures  // line games with captures
	forbidden // line games with forbidden points
	networks  // Go with a network
)

type command struct {
	name string
	in   scope
	run  func(sv *server, args []string) (string, error)
}

// table is the commands in the order of list_commands. A function fills it, since some
// commands look into it.
var table []command

func init() {
	table = []command{
		{"protocol_version", every, func(*server, []string) (string, error) { return "2", nil }},
		{"name", every, func(*server, []string) (string, error) { return "tengen", nil }},
		{"version", every, func(*server, []string) (string, error) { return protocol.Version(), nil }},
		{"known_command", every, (*server).knownCommand},
		{"list_commands", every, (*server).listCommands},
		{"quit", every, func(sv *server, _ []string) (string, error) { sv.ended = true; return "", nil }},
		{"boardsize", every, (*server).boardSize},
		{"rectangular_boardsize", every, (*server).boardSize},
		{"clear_board", every, (*server).clearBoard},
		{"komi", every, (*server).komi},
		{"get_komi", every, (*server).getKomi},
		{"play", every, (*server).play},
		{"genmove", every, (*server).genMove},
		{"reg_genmove", every, (*server).regGenMove},
		{"undo", every, (*server).undo},
		{"fixed_handicap", goOnly, (*server).fixedHandicap},
		{"place_free_handicap", goOnly, (*server).placeFreeHandicap},
		{"set_free_handicap", goOnly, (*server).setFreeHandicap},
		{"set_position", every, (*server).setPosition},
		{"loadsgf", every, (*server).loadSGF},
		{"printsgf", every, (*server).printSGF},
		{"showboard", every, (*server).showBoard},
		{"final_score", every, (*server).finalScore},
		{"final_status_list", goOnly, (*server).finalStatusList},
		{"final_status", goOnly, (*server).finalStatus},
		{"unconditional_status", goOnly, (*server).unconditionalStatus},

		{"time_settings", every, (*server).timeSettings},
		{"time_left", every, (*server).timeLeft},
		{"kgs-time_settings", every, (*server).namedTimeSettings},
		{"kata-time_settings", every, (*server).namedTimeSettings},
		{"kata-list_time_settings", every, func(*server, []string) (string, error) { return strings.Join(timings, " "), nil }},

		{"kgs-rules", goOnly, (*server).setRules},
		{"kgs-genmove_cleanup", goOnly, (*server).genMoveCleanup},
		{"kata-get-rules", goOnly, (*server).getRules},
		{"kata-set-rules", goOnly, (*server).setRules},

		{"lz-analyze", every, func(sv *server, args []string) (string, error) { return sv.analyze(args, leela) }},
		{"kata-analyze", every, func(sv *server, args []string) (string, error) { return sv.analyze(args, kata) }},
		{"lz-genmove_analyze", every, func(sv *server, args []string) (string, error) { return sv.genMoveAnalyze(args, leela) }},
		{"kata-raw-nn", networks, (*server).rawNN},
		{"kata-genmove_analyze", every, func(sv *server, args []string) (string, error) { return sv.genMoveAnalyze(args, kata) }},
		{"stop", every, nothing}, // an analysis has ended with its line
		{"clear_cache", every, func(sv *server, _ []string) (string, error) { sv.s.Forget(); return "", nil }},
		{"cputime", every, cpuTime},

		{"gomill-cpu_time", every, cpuTime},
		{"gomill-describe_engine", every, func(*server, []string) (string, error) { return "tengen " + protocol.Version(), nil }},
		{"gomill-explain_last_move", every, func(sv *server, _ []string) (string, error) { return sv.said, nil }},

		{"gogui-analyze_commands", every, (*server).analyzeCommands},
		{"gogui-interrupt", every, nothing}, // says that the comment is understood
		{"gogui-play_sequence", every, (*server).playSequence},
		{"gogui-setup", every, (*server).setPosition},
		{"gogui-setup_player", every, (*server).setupPlayer},
		{"gogui-title", every, (*server).title},
		{"gogui-rules_game_id", linesOnly, (*server).gameID},
		{"gogui-rules_board", linesOnly, (*server).rulesBoard},
		{"gogui-rules_board_size", linesOnly, func(sv *server, _ []string) (string, error) { return strconv.Itoa(sv.size()), nil }},
		{"gogui-rules_legal_moves", linesOnly, (*server).legalMoves},
		{"gogui-rules_side_to_move", linesOnly, func(sv *server, _ []string) (string, error) { return colorWord(sv.s.Game().ToMove()), nil }},
		{"gogui-rules_captured_count", captures, (*server).capturedCount},
		{"gogui-rules_final_result", linesOnly, (*server).finalResult},

		{"tengen-forbidden", forbidden, (*server).showForbidden},
		{"tengen-candidates", every, (*server).showCandidates},
		{"tengen-win_rate", every, (*server).showWinRate},
		{"tengen-territory", goOnly, (*server).showTerritory},
		{"tengen-legal_moves", goOnly, (*server).legalMoves},
		{"tengen-book", linesOnly, (*server).useBook},
	}
}

func nothing(*server, []string) (string, error) { return "", nil }

// exists reports whether a command is one of the game that is played.
func (sv *server) exists(in scope) bool {
	r := sv.s.Variant().Rule
	switch in {
	case goOnly:
		return r == game.Weiqi
	case networks:
		return r == game.Weiqi && sv.o.Network != nil
	case linesOnly:
		return r != game.Weiqi
	case captures:
		return r == game.Pente || r == game.Keryo
	case forbidden:
		return r == game.Renju || r == game.Omok
	}
	return true
}

// find returns the command of a name, nil if there is none.
func (sv *server) find(name string) *command {
	for i := range table {
		if c := &table[i]; c.name == name && sv.exists(c.in) {
			return c
		}
	}
	return nil
}

func (sv *server) knownCommand(args []string) (string, error) {
	return strconv.FormatBool(len(args) > 0 && sv.find(args[0]) != nil), nil
}

func (sv *server) listCommands([]string) (string, error) {
	var names []string
	for _, c := range table {
		if sv.exists(c.in) {
			names = append(names, c.name)
		}
	}
	return strings.Join(names, "\n"), nil
}

func (sv *server) isGo() bool { return sv.s.Variant().Rule == game.Weiqi }
func (sv *server) size() int  { return sv.s.Variant().Size }

var (
	errSize    = errors.New("unacceptable size")
	errSquare  = errors.New("unacceptable size: only square boards")
	errMove    = errors.New("invalid color or coordinate")
	errIllegal = errors.New("illegal move")
	errUndo    = errors.New("cannot undo")
	errStones  = errors.New("illegal position")
)

// boardSize begins a new game on a board of another size. Komi, rules and times stay.
func (sv *server) boardSize(args []string) (string, error) {
	var ns []int
	for _, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil {
			return "", errors.New("boardsize not an integer")
		}
		ns = append(ns, n)
	}
	switch {
	case len(ns) == 0:
		return "", errors.New("boardsize not an integer")
	case len(ns) > 2:
		return "", errSize
	case len(ns) == 2 && ns[0] != ns[1]:
		return "", errSquare
	}
	v := sv.s.Variant()
	v.Size = ns[0]
	if sv.newGame(v) != nil {
		return "", errSize
	}
	return "", nil
}

func (sv *server) clearBoard([]string) (string, error) { return "", sv.newGame(sv.s.Variant()) }

func (sv *server) newGame(v game.Variant) error {
	if err := sv.s.Start(v); err != nil {
		return err
	}
	sv.clocks.reset()
	sv.changed()
	return nil
}

// useBook takes a file of openings, or on for our own books, or off for none.
func (sv *server) useBook(args []string) (string, error) {
	if len(args) == 0 {
		return "", errors.New("a file, on or off")
	}
	return "", sv.s.UseBook(strings.Join(args, " "))
}

// changed forgets what was thought of another position.
func (sv *server) changed() { sv.report, sv.said = report{}, "" }

// set puts a position on the board.
func (sv *server) set(rec *game.Record) error {
	if err := sv.s.Set(rec); err != nil {
		return err
	}
	sv.changed()
	return nil
}

// put plays a move. When a line game is over, its players may give up their turns: that is
// how managers that know no rule come to its end.
func (sv *server) put(c game.Color, q game.Point) error {
	err := sv.s.PlayAs(c, q)
	if err != nil && q == game.Pass && !sv.isGo() && sv.over() {
		rec := sv.s.Game().Record().Clone()
		rec.Moves = append(rec.Moves, game.Move{Color: c, Point: q})
		err = sv.s.Set(rec)
	}
	if err == nil {
		sv.report = report{}
	}
	return err
}

func (sv *server) over() bool { return sv.s.Game().Result().Outcome != game.Open }

// move reads a colour and a vertex.
func (sv *server) move(color, vertex string) (m game.Move, err error) {
	c, err1 := ParseColor(color)
	q, err2 := ParseVertex(vertex, sv.size())
	if err1 != nil || err2 != nil {
		return m, errMove
	}
	return game.Move{Color: c, Point: q}, nil
}

// moves reads pairs of a colour and a vertex.
func (sv *server) moves(args []string) ([]game.Move, error) {
	if len(args)%2 != 0 {
		return nil, errMove
	}
	var ms []game.Move
	for i := 0; i < len(args); i += 2 {
		m, err := sv.move(args[i], args[i+1])
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	return ms, nil
}

func (sv *server) play(args []string) (string, error) {
	if len(args) < 2 {
		return "", errMove
	}
	if _, err := ParseColor(args[0]); err == nil && strings.EqualFold(args[1], "resign") {
		return "", nil // the game is the manager's to end
	}
	m, err := sv.move(args[0], args[1])
	if err != nil {
		return "", err
	}
	if sv.put(m.Color, m.Point) != nil {
		return "", errIllegal
	}
	return "", nil
}

// playSequence plays all of its moves or none.
func (sv *server) playSequence(args []string) (string, error) {
	ms, err := sv.moves(args)
	if err != nil {
		return "", err
	}
	for n, m := range ms {
		if sv.put(m.Color, m.Point) != nil {
			for range n {
				sv.s.Undo()
			}
			return "", errIllegal
		}
	}
	return "", nil
}

func (sv *server) undo([]string) (string, error) {
	if sv.s.Undo() != nil {
		return "", errUndo
	}
	sv.report = report{}
	return "", nil
}

// setPosition puts stones on an empty board. There is no game before them.
func (sv *server) setPosition(args []string) (string, error) {
	ms, err := sv.moves(args)
	if err != nil {
		return "", err
	}
	rec := &game.Record{Variant: sv.s.Variant()}
	for _, m := range ms {
		if m.Point == game.Pass {
			return "", errMove
		}
		if m.Color == game.Black {
			rec.Setup.Black = append(rec.Setup.Black, m.Point)
		} else {
			rec.Setup.White = append(rec.Setup.White, m.Point)
		}
	}
	if sv.set(rec) != nil {
		return "", errStones
	}
	return "", nil
}

// setupPlayer says who is to move in a position that was put on the board.
func (sv *server) setupPlayer(args []string) (string, error) {
	if len(args) == 0 {
		return "", errColor
	}
	c, err := ParseColor(args[0])
	if err != nil {
		return "", err
	}
	rec := sv.s.Game().Record()
	if len(rec.Moves) > 0 {
		return "", sv.s.Game().SetToMove(c)
	}
	rec = rec.Clone()
	rec.Setup.ToMove = c
	return "", sv.set(rec)
}

// genMove asks for the move of a side, whose turn it need not be.
func (sv *server) genMove(args []string) (string, error) {
	return sv.think(args, job{plays: true}, nil)
}

func (sv *server) regGenMove(args []string) (string, error) {
	return sv.think(args, job{}, nil)
}

// think starts the search of a move. Where a line game is over there is none.
func (sv *server) think(args []string, j job, avoid []game.Point) (string, error) {
	if len(args) == 0 {
		return "", errColor
	}
	c, err := ParseColor(args[0])
	if err != nil {
		return "", err
	}
	if !sv.isGo() && sv.over() {
		if j.plays {
			sv.put(c, game.Pass)
		}
		return Vertex(game.Pass, 0), nil
	}
	j.color = c
	lim := sv.limits(c)
	lim.Avoid = avoid
	return "", sv.search(&j, lim)
}

func cpuTime(*server, []string) (string, error) {
	return strconv.FormatFloat(process.CPU().Seconds(), 'f', 3, 64), nil
}
