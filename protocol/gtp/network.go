package gtp

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// Network is what answers kata-raw-nn.
type Network interface {
	// Evaluate asks about a position whose komi includes points for a handicap, turned by
	// one of eight symmetries, with a share from 0 to 1 of an optimistic policy.
	Evaluate(p *weiqi.Position, komi float64, symmetry int, optimism float32) (*weiqi.Verdict, error)
}

var errRaw = errors.New("expected a symmetry from 0 to 7 or all, after a colour if need be, and an optimism from 0 to 1")

// rawNN writes what the network says of the present position, in KataGo's form:
//
//	kata-raw-nn [COLOR] SYMMETRY|all [OPTIMISM]
func (sv *server) rawNN(args []string) (string, error) {
	g := sv.counter()
	if g == nil {
		return "", errUnknown
	}
	p, rec := g.Position(), sv.s.Game().Record()
	side := p.Side()
	if len(args) > 0 {
		if c, err := ParseColor(args[0]); err == nil {
			side, args = c, args[1:]
		}
	}
	if len(args) < 1 || len(args) > 2 {
		return "", errRaw
	}
	from, to := 0, 8
	if !strings.EqualFold(args[0], "all") {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 0 || n > 7 {
			return "", errRaw
		}
		from, to = n, n+1
	}
	optimism := 0.0
	if len(args) == 2 {
		x, err := strconv.ParseFloat(args[1], 32)
		if err != nil || !(x >= 0 && x <= 1) {
			return "", errRaw
		}
		optimism = x
	}
	komi := rec.Variant.Komi + float64(p.Rules().BonusFor(weiqi.Handicap(rec)))
	if side != p.Side() { // whose turn it is not: as if nothing had been played
		fresh, err := weiqi.Replay(&game.Record{Variant: rec.Variant, Setup: setupOf(p, side)})
		if err != nil {
			return "", err
		}
		p = fresh.Position()
	}
	p = p.Clone()
	var b strings.Builder
	for s := from; s < to; s++ {
		v, err := sv.o.Network.Evaluate(p, komi, s, float32(optimism))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "symmetry %d\n", s)
		writeVerdict(&b, p, v)
	}
	return b.String(), nil
}

// setupOf returns the stones of a position as a beginning.
func setupOf(p *weiqi.Position, side game.Color) game.Setup {
	s := game.Setup{ToMove: side}
	for y := range p.Size() {
		for x := range p.Size() {
			switch q := game.At(x, y); p.At(q) {
			case game.Black:
				s.Black = append(s.Black, q)
			case game.White:
				s.White = append(s.White, q)
			}
		}
	}
	return s
}

// writeVerdict writes all numbers as White sees them.
func writeVerdict(b *strings.Builder, p *weiqi.Position, v *weiqi.Verdict) {
	win, loss, sign := v.Win, v.Loss, float32(1)
	if p.Side() == game.Black {
		win, loss, sign = loss, win, -1
	}
	fmt.Fprintf(b, "whiteWin %.6f\nwhiteLoss %.6f\nnoResult %.6f\n", win, loss, v.NoResult)
	fmt.Fprintf(b, "whiteLead %.3f\nwhiteScoreSelfplay %.3f\nwhiteScoreSelfplaySq %.3f\n", sign*v.Lead, sign*v.Score, v.ScoreSq)
	fmt.Fprintf(b, "varTimeLeft %.3f\nshorttermWinlossError %.3f\nshorttermScoreError %.3f\npolicy\n", v.VarianceTime, v.ValueError, v.ScoreError)
	chance := func(q game.Point) {
		if v.Policy[q] < 0 {
			b.WriteString("    NAN ")
		} else {
			fmt.Fprintf(b, "%8.6f ", v.Policy[q])
		}
	}
	for y := range p.Size() {
		for x := range p.Size() {
			chance(game.At(x, y))
		}
		b.WriteByte('\n')
	}
	b.WriteString("policyPass ")
	chance(game.Pass)
	b.WriteString("\nwhiteOwnership\n")
	for y := range p.Size() {
		for x := range p.Size() {
			fmt.Fprintf(b, "%9.7f ", sign*v.Owner[game.At(x, y)])
		}
		b.WriteByte('\n')
	}
}
