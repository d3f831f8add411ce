package gtp

import (
	"errors"
	"fmt"
	"strings"

	"tengen/engine/game"
)

// analyzeCommands lists what GoGui may show: a kind of picture, its title, its command.
func (sv *server) analyzeCommands([]string) (string, error) {
	var lines []string
	for _, l := range []string{
		"gfx/Candidates/tengen-candidates",
		"gfx/Forbidden Points/tengen-forbidden",
		"gfx/Territory/tengen-territory",
		"string/Win Rate/tengen-win_rate",
		"plist/Legal Moves/gogui-rules_legal_moves",
		"plist/Legal Moves/tengen-legal_moves",
		"plist/Final Status List/final_status_list %s",
		"string/Final Score/final_score",
		"string/Final Result/gogui-rules_final_result",
		"string/Explain Last Move/gomill-explain_last_move",
		"string/Show Board/showboard",
		"string/Rules/kata-get-rules",
		"none/Set Rules/kata-set-rules %s",
		"none/Clear Cache/clear_cache",
	} {
		name, _, _ := strings.Cut(l[strings.LastIndex(l, "/")+1:], " ")
		if sv.find(name) != nil {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n"), nil
}

// gameIDs are how the line games are called to GoGui.
var gameIDs = [game.NumRules]string{
	"Gomoku", "Standard Gomoku", "Renju", "Caro", "Caro Six", "Omok", "Pente", "Keryo", "Go",
}

func (sv *server) gameID([]string) (string, error) { return gameIDs[sv.s.Variant().Rule], nil }

func (sv *server) title([]string) (string, error) {
	return "tengen: " + gameIDs[sv.s.Variant().Rule], nil
}

var signs = [...]byte{game.Black: 'X', game.White: 'O', game.Empty: '.', game.Wall: '#'}

// rulesBoard draws the rows from the top.
func (sv *server) rulesBoard([]string) (string, error) {
	g, size := sv.s.Game(), sv.size()
	var b strings.Builder
	for y := range size {
		if y > 0 {
			b.WriteByte('\n')
		}
		for x := range size {
			if x > 0 {
				b.WriteByte(' ')
			}
			b.WriteByte(signs[g.At(game.At(x, y))])
		}
	}
	return b.String(), nil
}

// legalMoves lists the points that the side to move may play; none when the game is over.
func (sv *server) legalMoves([]string) (string, error) {
	g := sv.s.Game()
	var qs []game.Point
	for q := range sv.points() {
		if q != game.Pass && g.Legal(q) == nil {
			qs = append(qs, q)
		}
	}
	return vertices(qs, sv.size()), nil
}

func (sv *server) capturedCount([]string) (string, error) {
	g := sv.s.Game()
	return fmt.Sprintf("%d %d", g.Captured(game.Black), g.Captured(game.White)), nil
}

func (sv *server) finalResult([]string) (string, error) {
	r := sv.s.Game().Result()
	switch r.Outcome {
	case game.Open:
		return "", errors.New("the game is not over")
	case game.Draw:
		return "Draw: " + r.Reason, nil
	}
	return r.Outcome.String() + ": " + r.Reason, nil
}

// The colours of GoGui's pictures. A mark would cover its label, a coloured point does not.
const (
	red   = "#e08080"
	green = "#40c040"
	pale  = "#c0e0c0"
)

// showForbidden marks the points that the side to move may not play on.
func (sv *server) showForbidden([]string) (string, error) {
	g := sv.s.Game()
	var qs []game.Point
	var why []string
	if !sv.over() {
		for q := range sv.points() {
			var i *game.Illegal
			if g.At(q) == game.Empty && errors.As(g.Legal(q), &i) {
				qs, why = append(qs, q), append(why, i.Rule)
			}
		}
	}
	var b strings.Builder
	for k, q := range qs {
		fmt.Fprintf(&b, "COLOR %s %s\nLABEL %[2]s %s\n", red, Vertex(q, sv.size()), map[string]string{
			"overline": "6", "double four": "44", "double three": "33"}[why[k]])
	}
	fmt.Fprintf(&b, "TEXT forbidden to %s: %d", colorWord(g.ToMove()), len(qs))
	return b.String(), nil
}

// showCandidates labels the best moves with their chances.
func (sv *server) showCandidates([]string) (string, error) {
	return sv.showLines(func(lines []game.Info) string {
		var b strings.Builder
		for k, i := range lines {
			color := green
			if k > 0 {
				color = pale
			}
			v := Vertex(i.PV[0], sv.size())
			if i.PV[0] != game.Pass {
				fmt.Fprintf(&b, "COLOR %s %s\nLABEL %s %.0f\n", color, v, v, 100*winRate(i.Value))
			}
		}
		fmt.Fprintf(&b, "TEXT %s", sv.chances(lines))
		return b.String()
	})
}

func (sv *server) showWinRate([]string) (string, error) {
	return sv.showLines(sv.chances)
}

// chances says how the side to move stands.
func (sv *server) chances(lines []game.Info) string {
	if len(lines) == 0 {
		return "nothing is known of this position"
	}
	i := lines[0]
	return fmt.Sprintf("%s %.1f %%, value %s, depth %d, pv %s", colorWord(sv.report.color), 100*winRate(i.Value),
		game.ValueString(i.Value), i.Depth, vertices(i.PV[:min(len(i.PV), 10)], sv.size()))
}

// showBoard draws the board for people.
func (sv *server) showBoard([]string) (string, error) {
	g, size := sv.s.Game(), sv.size()
	letters := "\n  "
	for x := range size {
		letters += " " + Vertex(game.At(x, 0), size)[:1]
	}
	var b strings.Builder
	b.WriteString(letters)
	last := sv.s.Last()
	for y := range size {
		fmt.Fprintf(&b, "\n%2d", size-y)
		open := byte(' ')
		for x := range size {
			q := game.At(x, y)
			switch {
			case q == last:
				open = '('
			case open == '(':
				open = ')'
			default:
				open = ' '
			}
			b.WriteByte(open)
			b.WriteByte(signs[g.At(q)])
		}
		if open == '(' {
			b.WriteString(")")
		} else {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d", size-y)
	}
	b.WriteString(letters)
	fmt.Fprintf(&b, "\n%s, %s to move", gameIDs[sv.s.Variant().Rule], colorWord(g.ToMove()))
	if sv.isGo() {
		fmt.Fprintf(&b, ", komi %v", sv.s.Variant().Komi)
	}
	if sv.isGo() || sv.exists(captures) {
		fmt.Fprintf(&b, "\ncaptured by black %d, by white %d", g.Captured(game.Black), g.Captured(game.White))
	}
	if r := g.Result(); r.Outcome != game.Open {
		fmt.Fprintf(&b, "\n%s: %s", r.Outcome, r.Reason)
	}
	return b.String(), nil
}
