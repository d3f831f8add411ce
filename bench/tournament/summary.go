package tournament

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"tengen/bench/tournament/stats"
)

// Summary is what the games of a match say: made from them alone, whatever the order in
// which they ended.
type Summary struct {
	Conf  *Config
	Names []string
	Games []Game // by number
	Void  int
	Pairs map[[2]int]stats.Penta // of two engines that met in pairs, the lower number first
	Rows  []Row                  // best first
	Cross [][]stats.WLD          // by engine, as the row's sees it
	Ends  map[End]int
	Test  *stats.Verdict // of the SPRT, if there is one
}

// Row is one engine's part of a match.
type Row struct {
	Engine   int
	Name     string
	Games    stats.WLD
	AsBlack  stats.WLD
	Elo      stats.Estimate
	Lost     map[End]int // how its lost games ended
	Late     int         // moves beyond the limit that were forgiven
	Moves    int
	Mean     time.Duration // a move
	Longest  time.Duration
	Latency  time.Duration // median of what we measured minus what the engine said; NoLatency if it said nothing
	Memory   int64         // bytes
	CPU      time.Duration
	PerMove  int64 // nodes
	DepthSum int
	Told     int // moves of which the engine told a depth
}

// NoLatency stands where it is not known.
const NoLatency = time.Duration(-1 << 62)

// Summarize sums up games, given in the order in which they ended.
func Summarize(c *Config, names []string, games []Game) *Summary {
	s := &Summary{Conf: c, Names: names, Ends: map[End]int{}, Pairs: map[[2]int]stats.Penta{}}
	s.Games = slices.Clone(games)
	slices.SortFunc(s.Games, func(a, b Game) int { return a.ID - b.ID })
	n := len(names)
	s.Cross = make([][]stats.WLD, n)
	rows := make([]Row, n)
	lags := make([][]time.Duration, n)
	nodes := make([]int64, n)
	took := make([]time.Duration, n)
	for i := range n {
		s.Cross[i] = make([]stats.WLD, n)
		rows[i] = Row{Engine: i, Name: names[i], Lost: map[End]int{}}
	}
	for i := range s.Games {
		g := &s.Games[i]
		s.Ends[g.End]++
		b, w, ok := g.Points()
		if !ok {
			s.Void++
			continue
		}
		sides := [2]int{g.Black, g.White}
		for c, p := range [2]int{b, w} {
			me, foe := sides[c], sides[1-c]
			r := wld(p)
			s.Cross[me][foe] = s.Cross[me][foe].Plus(r)
			rows[me].Games = rows[me].Games.Plus(r)
			if c == 0 {
				rows[me].AsBlack = rows[me].AsBlack.Plus(r)
			}
			if p == 0 {
				rows[me].Lost[g.End]++
			}
			rows[me].Late += g.Late[c]
			rows[me].Memory = max(rows[me].Memory, g.Memory[c])
			rows[me].CPU += seconds(g.CPU[c])
		}
		first := 0 // the colour of the first move that was not given
		if toMove := g.Given % 2; toMove == 1 {
			first = 1
		}
		if strings.Contains(g.Setup, "white-to-move") {
			first = 1 - first
		}
		for k, ms := range g.Millis {
			r := &rows[sides[(first+k)%2]]
			d := time.Duration(ms) * time.Millisecond
			r.Moves++
			took[r.Engine] += d
			r.Longest = max(r.Longest, d)
			if k < len(g.Own) && g.Own[k] >= 0 {
				lags[r.Engine] = append(lags[r.Engine], d-time.Duration(g.Own[k])*time.Millisecond)
			}
			if k < len(g.Depths) && g.Depths[k] > 0 {
				r.DepthSum += g.Depths[k]
				r.Told++
				nodes[r.Engine] += g.Nodes[k]
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.Moves > 0 {
			r.Mean = took[i] / time.Duration(r.Moves)
		}
		if r.Told > 0 {
			r.PerMove = nodes[i] / int64(r.Told)
		}
		r.Latency = NoLatency
		if l := lags[i]; len(l) > 0 {
			slices.Sort(l)
			r.Latency = l[len(l)/2]
		}
	}
	s.pairs()
	s.rate(rows)
	if c.SPRT != nil {
		v := Decision(c, games)
		s.Test = &v
	}
	return s
}

func wld(points int) stats.WLD {
	return [3]stats.WLD{{Losses: 1}, {Draws: 1}, {Wins: 1}}[points]
}

// pairs counts the pairs of which both games are there. Void games make no pair.
func (s *Summary) pairs() {
	if !s.Conf.Repeat {
		return
	}
	first := map[int]*Game{}
	for i := range s.Games {
		g := &s.Games[i]
		if _, _, ok := g.Points(); !ok {
			continue
		}
		other, ok := first[g.Pair]
		if !ok {
			first[g.Pair] = g
			continue
		}
		lower := min(g.First, g.Second)
		points := 0
		for _, h := range []*Game{other, g} {
			b, w, _ := h.Points()
			if h.Black == lower {
				points += b
			} else {
				points += w
			}
		}
		key := [2]int{lower, max(g.First, g.Second)}
		p := s.Pairs[key]
		p[points]++
		s.Pairs[key] = p
	}
}

// rate ranks the engines: by their ratings, or by points where nobody has played yet.
func (s *Summary) rate(rows []Row) {
	var table stats.Crosstable
	for i := range s.Names {
		for j := range i {
			if s.Cross[j][i].Games() > 0 {
				table.Add(s.Names[j], s.Names[i], s.Cross[j][i])
			}
		}
	}
	if ratings, err := table.Ratings(""); err == nil {
		for _, r := range ratings {
			rows[slices.Index(s.Names, r.Name)].Elo = r.Elo
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		if c := cmp.Compare(b.Elo.Value, a.Elo.Value); c != 0 {
			return c
		}
		return cmp.Compare(b.Games.Points(), a.Games.Points())
	})
	s.Rows = rows
}

// Decision judges the test of a match of two by games in the order in which they ended.
// The first decision stands, whatever the games say that were still in progress then.
func Decision(c *Config, games []Game) stats.Verdict {
	t := newTrial(c)
	for i := range games {
		t.add(&games[i])
	}
	return t.verdict
}

// trial is a sequential test in progress.
type trial struct {
	paired  bool
	test    stats.SPRT
	open    map[int]int // by pair: the points of engine 0 in the game that is there
	pairs   stats.Penta
	games   stats.WLD
	verdict stats.Verdict
}

// Test returns the test as stats knows it.
func (s *SPRT) Test() stats.SPRT {
	model, _ := stats.ParseModel(s.Model) // Finish has looked
	return stats.SPRT{Elo0: s.Elo0, Elo1: s.Elo1, Alpha: s.Alpha, Beta: s.Beta, Model: model}
}

func newTrial(c *Config) *trial {
	t := &trial{paired: c.Repeat, open: map[int]int{}, test: c.SPRT.Test()}
	t.verdict = t.test.Test(stats.Penta{})
	return t
}

// add takes in a game and reports whether the test is decided.
func (t *trial) add(g *Game) bool {
	points, white, ok := g.Points()
	if !ok || t.verdict.Decision != stats.Continue {
		return t.verdict.Decision != stats.Continue
	}
	if g.White == 0 {
		points = white
	}
	if !t.paired {
		t.games = t.games.Plus(wld(points))
		t.verdict = t.test.TestGames(t.games)
	} else if other, ok := t.open[g.Pair]; ok {
		delete(t.open, g.Pair)
		t.pairs[points+other]++
		t.verdict = t.test.Test(t.pairs)
	} else {
		t.open[g.Pair] = points
	}
	return t.verdict.Decision != stats.Continue
}

// Line is the state of a match in one line.
func (s *Summary) Line() string {
	if len(s.Names) != 2 {
		return fmt.Sprintf("%d games, %s leads", len(s.Games), s.Rows[0].Name)
	}
	w := s.Cross[0][1]
	t := fmt.Sprintf("%s - %s: %d-%d-%d", s.Names[0], s.Names[1], w.Wins, w.Losses, w.Draws)
	if p := s.Pairs[[2]int{0, 1}]; p.Pairs() > 0 {
		t += fmt.Sprintf("  Elo %v", p.Elo())
	}
	if s.Test != nil {
		t += fmt.Sprintf("  %v", *s.Test)
	}
	return t
}

// Write writes the tables of a match. Times are left out where times is false: what is
// written is then the same each time a match of the same games is played.
func (s *Summary) Write(out io.Writer, times bool) error {
	v := s.Conf.Variant()
	fmt.Fprintf(out, "%v, %d games", v, len(s.Games))
	if s.Void > 0 {
		fmt.Fprintf(out, ", %d of them void", s.Void)
	}
	fmt.Fprint(out, "\n\n")

	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "#\tplayer\tgames\twins\tlosses\tdraws\tscore\tElo\t95 %\tas Black\t\n")
	for i, r := range s.Rows {
		fmt.Fprintf(w, "%d\t%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t\n", i+1, r.Name, r.Games.Games(), r.Games.Wins,
			r.Games.Losses, r.Games.Draws, percent(r.Games), elo(r.Elo.Value),
			elo(r.Elo.Low)+" "+elo(r.Elo.High), percent(r.AsBlack))
	}
	w.Flush()

	if len(s.Names) == 2 {
		g := s.Cross[0][1]
		fmt.Fprintf(out, "\n%s against %s: %d-%d-%d\n", s.Names[0], s.Names[1], g.Wins, g.Losses, g.Draws)
		if p := s.Pairs[[2]int{0, 1}]; p.Pairs() > 0 {
			fmt.Fprintf(out, "%d pairs %v: Elo %v, normalized %v, LOS %.1f %%\n", p.Pairs(), [5]int(p), p.Elo(),
				p.NormalizedElo(), 100*p.LOS())
		} else if g.Games() > 0 {
			fmt.Fprintf(out, "Elo %v, normalized %v, LOS %.1f %%\n", g.Elo(), g.NormalizedElo(), 100*g.LOS())
		}
		if s.Test != nil {
			fmt.Fprintf(out, "SPRT elo0=%g elo1=%g alpha=%g beta=%g (%s): %v\n", s.Conf.SPRT.Elo0, s.Conf.SPRT.Elo1,
				s.Conf.SPRT.Alpha, s.Conf.SPRT.Beta, s.Conf.SPRT.Model, *s.Test)
		}
	} else if len(s.Names) <= 20 {
		fmt.Fprintln(out)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(w, "points of\t")
		for i := range s.Rows {
			fmt.Fprintf(w, "%d\t", i+1)
		}
		fmt.Fprintln(w)
		for _, a := range s.Rows {
			fmt.Fprintf(w, "%s\t", a.Name)
			for _, b := range s.Rows {
				cell := ""
				if g := s.Cross[a.Engine][b.Engine]; g.Games() > 0 {
					cell = fmt.Sprintf("%s/%d", strconv.FormatFloat(g.Points(), 'f', -1, 64), g.Games())
				}
				fmt.Fprintf(w, "%s\t", cell)
			}
			fmt.Fprintln(w)
		}
		w.Flush()
	}

	fmt.Fprintf(out, "\nended by: %s\n", ends(s.Ends))
	if s.Conf.OpeningRule != "" {
		fmt.Fprintf(out, "%s: %s\n", s.Conf.OpeningRule, s.choices())
	}
	for _, r := range s.Rows {
		fmt.Fprintf(out, "%s lost by: %s\n", r.Name, ends(r.Lost))
	}
	if times {
		fmt.Fprintln(out)
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(w, "player\tmoves\tms a move\tlongest\tlate\tlatency\tMB\tCPU s\tdepth\tnodes a move\t\n")
		for _, r := range s.Rows {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t\n", r.Name, r.Moves, r.Mean.Milliseconds(),
				r.Longest.Milliseconds(), r.Late, known(r.Latency != NoLatency, "%d", r.Latency.Milliseconds()),
				known(r.Memory > 0, "%d", r.Memory>>20), known(r.CPU > 0, "%.1f", r.CPU.Seconds()),
				known(r.Told > 0, "%.1f", float64(r.DepthSum)/float64(max(1, r.Told))), known(r.PerMove > 0, "%d", r.PerMove))
		}
		w.Flush()
	}
	_, err := fmt.Fprintln(out)
	return err
}

// choices tells by which choices the openings went, one decision after the other, and
// which colour then won.
func (s *Summary) choices() string {
	var steps []map[string]int
	colour := map[string]int{}
	for i := range s.Games {
		g := &s.Games[i]
		if g.Choices == "" {
			continue
		}
		colour[g.Outcome]++
		for k, c := range strings.Split(g.Choices, " / ") {
			if k == len(steps) {
				steps = append(steps, map[string]int{})
			}
			kind := c
			if n := len(strings.Fields(c)); strings.ContainsAny(c, "0123456789") {
				kind = fmt.Sprintf("%d points", n)
				if _, err := strconv.Atoi(c[strings.LastIndexByte(c, ' ')+1:]); err == nil {
					kind = fmt.Sprintf("%d points and a number", n-1)
				}
				kind = strings.Replace(kind, "1 points", "1 point", 1)
			}
			steps[k][kind]++
		}
	}
	var parts []string
	for k, kinds := range steps {
		var each []string
		names := slices.Sorted(maps.Keys(kinds))
		slices.SortStableFunc(names, func(a, b string) int { return kinds[b] - kinds[a] })
		for _, n := range names {
			each = append(each, fmt.Sprintf("%s %d", n, kinds[n]))
		}
		parts = append(parts, fmt.Sprintf("%d. %s", k+1, strings.Join(each, ", ")))
	}
	return fmt.Sprintf("%s; won by Black %d, by White %d, drawn %d", strings.Join(parts, "; "),
		colour["1-0"], colour["0-1"], colour["1/2"])
}

func known(ok bool, format string, v any) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

func percent(w stats.WLD) string {
	if w.Games() == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*w.Points()/float64(w.Games()))
}

func elo(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%+.0f", x), ".") }

// ends lists what ended games, the most frequent first.
func ends(of map[End]int) string {
	var list []End
	for e := range of {
		list = append(list, e)
	}
	if len(list) == 0 {
		return "-"
	}
	slices.SortFunc(list, func(a, b End) int {
		return cmp.Or(of[b]-of[a], cmp.Compare(a, b))
	})
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %d", e, of[e])
	}
	return b.String()
}
