package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"time"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol/process"
)

// The limits under which the nodes of a search make a signature: enough to pass through
// every step of it, little enough to be a test.
const (
	signatureDepth = 6
	signatureNodes = 200_000
	signatureGo    = 100 // playouts
	// A small table: what a short search touches of it is in memory soon.
	signatureMemory = 64 << 20
)

// SignatureLimits returns the limits of the signature.
func SignatureLimits(r game.Rule) game.Limits {
	if r == game.Weiqi {
		return game.Limits{Nodes: signatureGo}
	}
	return game.Limits{Depth: signatureDepth, Nodes: signatureNodes}
}

// playoutNodes is of how many nodes of a line game one playout of Go takes the place: it
// takes about as long.
const playoutNodes = 500

// searchLimits returns the limits of a search, whether they are those of the signature, and
// the depth whose time is taken.
func (s *Settings) searchLimits(r game.Rule) (lim game.Limits, signature bool, depth int) {
	lim = s.Limits
	switch {
	case lim.Nodes == 0 && lim.Depth == 0 && lim.Hard == 0:
		return SignatureLimits(r), s.Threads == 1 && s.Memory == signatureMemory, signatureDepth
	case r == game.Weiqi && lim.Hard == 0: // a tree has no depth to end at
		lim.Depth, lim.Nodes = 0, max(lim.Nodes/playoutNodes, signatureGo)
	}
	depth = signatureDepth
	if lim.Depth > 0 {
		depth = lim.Depth
	}
	return lim, false, depth
}

// outcome is what came of one search, or of several together.
type outcome struct {
	counters game.Counters
	time     time.Duration
	cpu      time.Duration // what the process took of the processors' time
	toDepth  time.Duration // when the depth was reached, or the search had nothing more to find
	choice   game.Choice
}

func (o *outcome) add(p *outcome) {
	o.counters.Add(&p.counters)
	o.time += p.time
	o.cpu += p.cpu
	o.toDepth += p.toDepth
}

// speed returns nodes per second.
func (o *outcome) speed() float64 { return float64(o.counters.Nodes) / o.time.Seconds() }

// over returns how many times as fast as another it was, by the processors' time where the
// system tells it.
func (o *outcome) over(p *outcome) float64 {
	if o.cpu > 0 && p.cpu > 0 {
		return float64(o.counters.Nodes) / o.cpu.Seconds() / (float64(p.counters.Nodes) / p.cpu.Seconds())
	}
	return o.speed() / p.speed()
}

// think searches one position with empty tables.
func think(ctx context.Context, e engine.Engine, rec *game.Record, lim game.Limits, depth int) (outcome, error) {
	e.Forget()
	return thinkOn(ctx, e, rec, lim, depth)
}

// thinkOn is think for an engine that remembers what it searched before.
func thinkOn(ctx context.Context, e engine.Engine, rec *game.Record, lim game.Limits, depth int) (o outcome, err error) {
	start, used := time.Now(), process.CPU()
	reached := false
	o.choice, err = e.Think(ctx, rec, lim, func(i game.Info) {
		if !reached && !i.Last && i.Depth >= depth {
			reached, o.toDepth = true, time.Since(start)
		}
	})
	o.time, o.cpu = time.Since(start), process.CPU()-used
	if !reached {
		o.toDepth = o.time
	}
	if c, ok := e.(engine.Counted); ok {
		o.counters = c.Counters()
	}
	if o.counters.Nodes == 0 {
		o.counters.Nodes = o.choice.Info.Nodes
	}
	if err == nil {
		err = ctx.Err()
	}
	return o, err
}

// search is the suite of that name. With one thread each position is searched twice: with
// the table alone, which is repeatable and makes the signature, and with the caches behind
// it, as in a game; which comes first changes.
func search(ctx context.Context, s *Settings, r *Report) error {
	var alone, both outcome // of the line games
	for _, g := range s.Games {
		s.step("search " + g.String())
		ps, err := Positions(g)
		if err != nil {
			return err
		}
		one, two, signature, err := s.searchGame(ctx, g, ps, true)
		if err != nil {
			return err
		}
		r.addSearch(g.String(), s, g, &one, &two)
		if signature != 0 {
			if old, ok := r.Signature[g.String()]; ok && old != signature {
				return fmt.Errorf("%v: the search is not repeatable: signature %d, then %d", g, old, signature)
			}
			r.Signature[g.String()] = signature
		}
		if g != game.Weiqi {
			alone.add(&one)
			both.add(&two)
		}
	}
	if len(s.lines()) > 1 {
		r.addSearch("line games", s, game.Freestyle, &alone, &both)
	}
	r.note("search: nodes of the threat search are counted; \"caches\" are the table's second tier (proofs, deep entries), " +
		"\"speed with caches\" is nodes/s with them over nodes/s without. A node of Go is a playout.")
	return nil
}

// searchGame searches the positions of one game: with the table alone and, if asked for,
// with the caches. With several threads, and in Go, there is only one way.
func (s *Settings) searchGame(ctx context.Context, g game.Rule, ps []Position, caches bool) (alone, both outcome, signature int64, err error) {
	lim, isSignature, depth := s.searchLimits(g)
	e, err := s.engine(ps[0].Record.Variant, s.Threads)
	if err != nil {
		return alone, both, 0, err
	}
	repeatable, cached := lim, lim
	if repeatable.Nodes == 0 {
		repeatable.Nodes = math.MaxInt64
	}
	cached.Caches = true
	sum := fnv.New32a()
	for i, p := range ps {
		for k := range 2 {
			var o outcome
			switch {
			case (i+k)%2 == 0 && (s.Threads == 1 || g == game.Weiqi):
				o, err = think(ctx, e, p.Record, repeatable, depth)
				alone.add(&o)
				binary.Write(sum, binary.LittleEndian, []int32{int32(o.choice.Point), int32(o.choice.Info.Value)})
			case (i+k)%2 == 1 && caches && g != game.Weiqi:
				o, err = think(ctx, e, p.Record, cached, depth)
				both.add(&o)
			}
			if err != nil {
				return alone, both, 0, fmt.Errorf("position %d: %w", i+1, err)
			}
		}
	}
	switch {
	case !isSignature:
	case g == game.Weiqi:
		signature = int64(sum.Sum32())
	default:
		signature = alone.counters.Nodes
	}
	return alone, both, signature, nil
}

// addSearch adds the figures of a game. alone are searches without caches, both those
// with them; one of the two may not have taken place.
func (r *Report) addSearch(row string, s *Settings, g game.Rule, alone, both *outcome) {
	add := func(name, unit string, b Better, v float64) { r.add("search", row, name, unit, b, v) }
	share := func(a, b int64) float64 { return 100 * float64(a) / float64(b) } // NaN of nothing
	main := alone
	if alone.time == 0 {
		main = both
	}
	_, _, depth := s.searchLimits(g)
	add("nodes", "", Neither, float64(main.counters.Nodes))
	add("speed", "nodes/s", More, main.speed())
	if s.Threads == 1 && main.cpu > 0 { // what other work on the machine disturbs less
		add("by processor time", "nodes/s", More, float64(main.counters.Nodes)/main.cpu.Seconds())
	}
	if g != game.Weiqi {
		add(fmt.Sprintf("to depth %d", depth), "ms", Less, ms(main.toDepth))
	}
	c := &main.counters
	add("table hits", "%", Neither, share(c.Hits, c.Probes))
	add("threat nodes", "%", Neither, share(c.ThreatNodes, c.Nodes))
	if c.ThreatSearches > 0 {
		add("threat time", "%", Neither, 100*c.ThreatTime.Seconds()/(main.time.Seconds()*float64(s.Threads)))
	}
	if both.counters.Probes == 0 {
		return
	}
	c = &both.counters
	add("deep hits", "%", Neither, share(c.DeepHits, c.DeepProbes))
	add("proof hits", "%", Neither, share(c.ProofHits, c.ProofProbes))
	add("written", "% of nodes", Neither, share(c.Written, c.Nodes))
	if main == alone {
		add("speed with caches", "ratio", More, both.over(alone))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
