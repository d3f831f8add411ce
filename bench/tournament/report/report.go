// Package report makes a page of a match: one HTML file that needs nothing else, no network
// and no file beside it, with tables, courses and every game on a board.
//
// Everything is computed here and from the journal alone, captures by the referee; the
// script of the page only filters the list and puts given stones on given points. What comes
// from programs (names, last words) goes through html/template, and the page's policy lets
// no other script run than the one that is written here.
package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/bench/tournament"
	"tengen/bench/tournament/stats"
	"tengen/engine/game"
	"tengen/protocol/record"
)

var (
	//go:embed page.html
	html string
	//go:embed page.css
	style string
	//go:embed page.js
	script string

	page = template.Must(template.New("page").Funcs(template.FuncMap{
		"add": func(a, b float64) float64 { return a + b }, "inc": func(i int) int { return i + 1 },
	}).Parse(html))
)

// Limits of what one file holds: games beyond them are listed without their moves.
const (
	mostGames = 5000
	mostMoves = 400_000 // some 10 MB
	mostCross = 40      // engines in the crosstable
)

// HTML writes the page of a match.
func HTML(w io.Writer, p *tournament.Played) error {
	return page.Execute(w, newView(p, mostGames, mostMoves))
}

// view is what the page shows, ready to be written.
type view struct {
	Policy template.HTML
	Style  template.CSS
	Script template.JS

	Title    string
	Sub      string
	Score    *score // of a match of two
	Verdict  string
	Good     bool // the verdict is H1
	Facts    []fact
	Standing []standing
	Axis     []tick
	Zero     float64
	Cross    *cross
	Charts   []*chart
	Causes   []string
	Ended    []ended
	Time     []timeUse
	Engines  []player
	Board    board
	Kept     int // games with moves
	Cut      int // without
	Data     data
}

type fact struct{ What, Is string }

// score is the headline of a match of two.
type score struct {
	A, B                string
	PointsA, PointsB    string
	Wins, Losses, Draws int
	Elo, Normalized     string
	LOS                 string
	Pairs               string
}

// standing is an engine's row of the table, with its bar in a picture of barWidth.
type standing struct {
	Place           int
	Engine          int
	Name            string
	Games           stats.WLD
	Score, Elo      string
	Low, High       string
	AsBlack         string
	From, To, Value float64
	OpenLow         bool // the interval has no end there
	OpenHigh        bool
}

const barWidth = 220

type cross struct {
	Numbers []int
	Rows    []crossRow
	Left    int // engines that are not in it
	Paired  bool
}

type crossRow struct {
	Place  int
	Engine int
	Name   string
	Cells  []cell
}

type cell struct {
	Self   bool
	Met    bool
	Foe    int
	Label  string // "a against b: ..."
	Points string
	Games  stats.WLD
	Shade  int    // -3 lost to 3 won
	Penta  string // frequencies
	Bars   []bar
}

type bar struct{ X, Y, H float64 }

// ended is how an engine's games ended.
type ended struct {
	Name   string
	Causes []cause // as in the heading
}

type cause struct {
	Won, Lost, Drawn int
	Fault            bool // and it lost by it
}

type timeUse struct {
	Name                               string
	Moves                              int
	Mean, Longest                      string
	Late                               int
	Latency, Memory, CPU, Depth, Nodes string
}

type player struct {
	Name, Speaks, Command, Limits, Options string
}

// board is the empty board, drawn once: stones come from the script.
type board struct {
	Side    float64
	Grid    string
	Rim     string
	Stars   []xyText
	Letters []xyText
}

type xyText struct {
	X, Y float64
	Text string
}

// data is what the script is told.
type data struct {
	Names   []string `json:"names"`
	Size    int      `json:"size"`
	Columns string   `json:"columns"`
	Cell    int      `json:"cell"`
	Margin  int      `json:"margin"` // left of the first column
	Top     int      `json:"top"`    // above the first row
	Win     int      `json:"win"`    // values beyond most announce a win in so many plies
	Most    int      `json:"most"`
	Games   []replay `json:"games"`
}

func newView(p *tournament.Played, mostGames, mostMoves int) *view {
	c := &p.Conf
	s := tournament.Summarize(c, p.Names, p.Games)
	v := &view{Style: template.CSS(style), Script: template.JS(script)}
	v.Policy = template.HTML(fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '%s'; script-src '%s'">`,
		hash(style), hash(script)))
	v.head(p, s)
	v.standing(s)
	v.cross(s)
	if len(p.Names) == 2 {
		d := courseOfTwo(p)
		v.chart(d.eloChart(p.Names[0], p.Names[1]))
		if c.SPRT != nil {
			v.chart(d.llrChart(c.SPRT, c.Repeat))
		}
	} else {
		v.chart(courseOfMany(p, s))
	}
	v.ends(s)
	v.time(s)
	for i := range min(len(c.Engines), len(p.Names)) {
		v.Engines = append(v.Engines, describe(p.Names[i], &c.Engines[i]))
	}
	v.board(c.Variant())
	v.games(s, mostGames, mostMoves)
	return v
}

// hash names a text in a policy.
func hash(s string) string {
	h := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(h[:])
}

func (v *view) chart(c *chart) {
	if c != nil {
		v.Charts = append(v.Charts, c)
	}
}

// gameNames are the games in full.
var gameNames = map[game.Rule]string{
	game.Freestyle: "Freestyle gomoku", game.Standard: "Standard gomoku", game.Renju: "Renju", game.Caro: "Caro",
	game.CaroSix: "Caro (overlines win)", game.Omok: "Omok", game.Pente: "Pente", game.Keryo: "Keryo-Pente", game.Weiqi: "Go",
}

func (v *view) head(p *tournament.Played, s *tournament.Summary) {
	c := &p.Conf
	variant := c.Variant()
	what := fmt.Sprintf("%s %d×%d", gameNames[variant.Rule], variant.Size, variant.Size)
	v.Title = c.Event
	if v.Title == "" {
		v.Title = fmt.Sprintf("%s: %d engines", what, len(p.Names))
		if len(p.Names) == 2 {
			v.Title = p.Names[0] + " – " + p.Names[1]
		}
	}
	v.Sub = fmt.Sprintf("%s · %s", what, count(len(p.Games), "game"))
	if s.Void > 0 {
		v.Sub += fmt.Sprintf(", %d of them void", s.Void)
	}
	add := func(what, format string, args ...any) {
		v.Facts = append(v.Facts, fact{what, fmt.Sprintf(format, args...)})
	}
	if len(p.Names) == 2 {
		v.score(s)
	}
	format := map[string]string{tournament.RoundRobin: "all against all", tournament.Gauntlet: "the first against the others",
		tournament.Swiss: "Swiss"}[c.Format]
	if len(p.Names) == 2 {
		format = "a match of two"
	}
	add("Format", "%s, %s of %s", format, count(c.Rounds, "round"), count(c.Games, "game"))
	if variant.Rule == game.Weiqi {
		rules := c.Rules
		if rules == "" {
			rules = "French"
		}
		add("Rules", "%s, komi %g", rules, c.Komi)
	}
	var rules []string
	if c.FreeOpening {
		rules = append(rules, "free opening")
	}
	if c.FiveAtFour {
		rules = append(rules, "other reading of the straight four")
	}
	if len(rules) > 0 {
		add("Rules", "%s", strings.Join(rules, ", "))
	}
	switch {
	case c.OpeningRule != "" || c.Swap2:
		add("Openings", "%s, by the players", cmp.Or(c.OpeningRule, "swap2"))
	case c.Openings.File != "":
		add("Openings", "%s, %s%s", c.Openings.File, c.Openings.Order, map[bool]string{true: ", turned and mirrored"}[c.Transform])
	default:
		add("Openings", "the empty board")
	}
	add("Colours", "%s", map[bool]string{true: "each opening twice, colours swapped", false: "by turns"}[c.Repeat])
	if t := c.SPRT; t != nil {
		add("Test", "SPRT elo0 %g, elo1 %g, alpha %g, beta %g, %s", t.Elo0, t.Elo1, t.Alpha, t.Beta, t.Model)
		v.Verdict = typeset(s.Test.String())
		v.Good = s.Test.Decision == stats.AcceptH1
	}
	if a := adjudication(c); a != "" {
		add("Adjudication", "%s", a)
	}
	var other []string
	if c.SendByBoard {
		other = append(other, "positions sent by BOARD")
	}
	if c.Suspend {
		other = append(other, "waiting engines suspended")
	}
	if c.Affinity {
		other = append(other, "a processor for each game")
	}
	if len(other) > 0 {
		add("Runner", "%s", strings.Join(other, ", "))
	}
	if len(p.Games) > 0 {
		first, last := p.Games[0].Began, p.Games[0].Began
		for i := range p.Games {
			g := &p.Games[i]
			if g.Began.Before(first) {
				first = g.Began
			}
			if end := g.Began.Add(time.Duration(g.Took * float64(time.Second))); end.After(last) {
				last = end
			}
		}
		const format = "2006-01-02 15:04"
		add("Played", "%s to %s", first.Format(format), last.Format(format))
	}
}

func adjudication(c *tournament.Config) string {
	var a []string
	if c.DrawAfter > 0 {
		a = append(a, fmt.Sprintf("drawn at %d stones", c.DrawAfter))
	}
	if d := c.Draw; d.MoveCount > 0 {
		a = append(a, fmt.Sprintf("drawn from move %d when both say within %d for %d moves", d.MoveNumber, d.Score, d.MoveCount))
	}
	if r := c.Resign; r.MoveCount > 0 {
		a = append(a, fmt.Sprintf("lost at −%d for %d moves%s", r.Score, r.MoveCount, map[bool]string{true: ", both agreeing"}[r.TwoSided]))
	}
	if c.Proven > 0 {
		a = append(a, fmt.Sprintf("won by a proven win by fours (%d nodes)", c.Proven))
	}
	return strings.Join(a, "; ")
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func points(w stats.WLD) string { return strconv.FormatFloat(w.Points(), 'f', -1, 64) }

func (v *view) score(s *tournament.Summary) {
	w := s.Cross[0][1]
	if w.Games() == 0 {
		return
	}
	h := &score{A: s.Names[0], B: s.Names[1], PointsA: points(w), PointsB: points(w.Reversed()), Wins: w.Wins, Losses: w.Losses, Draws: w.Draws}
	elo, normalized, los := w.Elo(), w.NormalizedElo(), w.LOS()
	if p := s.Pairs[[2]int{0, 1}]; p.Pairs() > 0 {
		elo, normalized, los = p.Elo(), p.NormalizedElo(), p.LOS()
		h.Pairs = fmt.Sprint([5]int(p))
	}
	h.Elo, h.Normalized, h.LOS = typeset(elo.String()), typeset(normalized.String()), fmt.Sprintf("%.1f %%", 100*los)
	v.Score = h
}

func percent(w stats.WLD) string {
	if w.Games() == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*w.Points()/float64(w.Games()))
}

// elo writes a whole number of Elo with its sign.
func elo(x float64) string {
	return typeset(fmt.Sprintf("%+.0f", x+0))
}

// typeset puts the signs of print for those of a terminal.
func typeset(s string) string {
	return strings.NewReplacer("-", "−", "Inf", "∞", "inf", "∞").Replace(s)
}

func (v *view) standing(s *tournament.Summary) {
	var all []stats.Estimate
	for _, r := range s.Rows {
		if r.Games.Games() > 0 {
			all = append(all, r.Elo)
		}
	}
	lo, hi := around(all, 1.15)
	x := scale{lo, hi, 6, barWidth - 6}
	v.Zero = x.at(0)
	for _, t := range ticks(lo, hi, 4) {
		v.Axis = append(v.Axis, tick{x.at(t), number(t)})
	}
	for i, r := range s.Rows {
		v.Standing = append(v.Standing, standing{
			Place: i + 1, Engine: r.Engine, Name: r.Name, Games: r.Games, Score: percent(r.Games), Elo: elo(r.Elo.Value),
			Low: elo(r.Elo.Low), High: elo(r.Elo.High), AsBlack: percent(r.AsBlack),
			From: round(x.at(r.Elo.Low)), To: round(x.at(r.Elo.High)), Value: round(x.at(r.Elo.Value)),
			OpenLow: r.Elo.Low < lo, OpenHigh: r.Elo.High > hi,
		})
	}
}

func round(x float64) float64 { f, _ := strconv.ParseFloat(coord(x), 64); return f }

func (v *view) cross(s *tournament.Summary) {
	rows := s.Rows[:min(len(s.Rows), mostCross)]
	c := &cross{Left: len(s.Rows) - len(rows), Paired: s.Conf.Repeat}
	for i, a := range rows {
		c.Numbers = append(c.Numbers, i+1)
		row := crossRow{Place: i + 1, Engine: a.Engine, Name: a.Name}
		for _, b := range rows {
			row.Cells = append(row.Cells, crossCell(s, a.Engine, b.Engine))
		}
		c.Rows = append(c.Rows, row)
	}
	v.Cross = c
}

func crossCell(s *tournament.Summary, a, b int) cell {
	w := s.Cross[a][b]
	c := cell{Self: a == b, Met: w.Games() > 0, Foe: b, Games: w, Points: points(w)}
	if !c.Met {
		return c
	}
	c.Shade = int(7*w.Score()) - 3
	c.Shade = max(-3, min(3, c.Shade))
	c.Label = fmt.Sprintf("%s against %s: %d wins, %d losses, %d draws", s.Names[a], s.Names[b], w.Wins, w.Losses, w.Draws)
	p, ok := s.Pairs[[2]int{min(a, b), max(a, b)}]
	if !ok {
		return c
	}
	if a > b {
		slices.Reverse(p[:])
	}
	c.Penta = strings.Trim(fmt.Sprint([5]int(p)), "[]")
	c.Label += fmt.Sprintf("; pairs with 0, ½, 1, 1½, 2 points: %s", strings.Join(strings.Fields(c.Penta), ", "))
	most := slices.Max(p[:])
	for i, n := range p {
		h := round(16 * float64(n) / float64(most))
		c.Bars = append(c.Bars, bar{X: float64(i * 10), Y: 17 - h, H: h + 1})
	}
	return c
}

// causes are in this order, the faults last.
var causes = []tournament.End{tournament.Five, tournament.Captures, tournament.Count, tournament.Full, tournament.Resigned,
	tournament.Adjudicated, tournament.Forbidden, tournament.Illegal, tournament.Timeout, tournament.Crash, tournament.Void}

// fault reports whether the loser has broken a rule or fallen over.
func fault(e tournament.End) bool {
	switch e {
	case tournament.Illegal, tournament.Timeout, tournament.Crash, tournament.Forbidden:
		return true
	}
	return false
}

func (v *view) ends(s *tournament.Summary) {
	seen := slices.Collect(maps.Keys(s.Ends))
	slices.SortFunc(seen, func(a, b tournament.End) int {
		return cmp.Or(slices.Index(causes, a)-slices.Index(causes, b), cmp.Compare(a, b))
	})
	column := map[tournament.End]int{}
	for i, e := range seen {
		column[e] = i
		v.Causes = append(v.Causes, string(e))
	}
	byEngine := make([][]cause, len(s.Names))
	for i := range byEngine {
		byEngine[i] = make([]cause, len(seen))
	}
	for i := range s.Games {
		g := &s.Games[i]
		black, white, ok := g.Points()
		if !ok {
			continue
		}
		for k, e := range []int{g.Black, g.White} {
			c := &byEngine[e][column[g.End]]
			switch []int{black, white}[k] {
			case 2:
				c.Won++
			case 1:
				c.Drawn++
			case 0:
				c.Lost++
				c.Fault = fault(g.End)
			}
		}
	}
	for _, r := range s.Rows {
		v.Ended = append(v.Ended, ended{r.Name, byEngine[r.Engine]})
	}
}

func (v *view) time(s *tournament.Summary) {
	or := func(ok bool, text string) string {
		if !ok {
			return "–"
		}
		return text
	}
	for _, r := range s.Rows {
		v.Time = append(v.Time, timeUse{
			Name: r.Name, Moves: r.Moves, Mean: or(r.Moves > 0, span(r.Mean)), Longest: or(r.Moves > 0, span(r.Longest)), Late: r.Late,
			Latency: or(r.Latency != tournament.NoLatency, span(r.Latency)),
			Memory:  or(r.Memory > 0, fmt.Sprintf("%d MB", r.Memory>>20)),
			CPU:     or(r.CPU > 0, span(r.CPU)),
			Depth:   or(r.Told > 0, fmt.Sprintf("%.1f", float64(r.DepthSum)/float64(max(1, r.Told)))),
			Nodes:   or(r.PerMove > 0, big(r.PerMove)),
		})
	}
}

// span writes a time with the unit that fits.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "−" + span(-d)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 10*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// big writes a number in thousands or millions where it is large.
func big(n int64) string {
	switch f := float64(n); {
	case f >= 1e9:
		return fmt.Sprintf("%.1fG", f/1e9)
	case f >= 1e6:
		return fmt.Sprintf("%.1fM", f/1e6)
	case f >= 1e4:
		return fmt.Sprintf("%.0fk", f/1e3)
	}
	return strconv.FormatInt(n, 10)
}

// describe says what an engine was and what it was given.
func describe(name string, e *tournament.Engine) player {
	p := player{Name: name, Speaks: e.Proto, Command: e.Command}
	var l []string
	add := func(ok bool, format string, args ...any) {
		if ok {
			l = append(l, fmt.Sprintf(format, args...))
		}
	}
	add(e.TC != "", "tc=%s", e.TC)
	add(e.ST != 0, "st=%g", e.ST)
	add(e.Nodes != 0, "nodes=%d", e.Nodes)
	add(e.Depth != 0, "depth=%d", e.Depth)
	add(e.Thread != 0, "thread=%d", e.Thread)
	add(e.MaxMemory != 0, "maxmemory=%d", e.MaxMemory)
	add(e.Tolerance != 0, "tolerance=%g", e.Tolerance)
	p.Limits = strings.Join(l, " ")
	var options []string
	for _, k := range slices.Sorted(maps.Keys(e.Option)) {
		options = append(options, k+"="+e.Option[k])
	}
	p.Options = strings.Join(options, " ")
	return p
}

// The board's picture: so many units from line to line, and from the edge to the first.
const (
	cellUnits   = 40
	marginUnits = 46
)

func (v *view) board(variant game.Variant) {
	n := variant.Size
	far := float64(marginUnits + (n-1)*cellUnits)
	b := board{Side: far + marginUnits - 10}
	at := func(i int) float64 { return float64(marginUnits + i*cellUnits) }
	var grid strings.Builder
	for i := range n {
		fmt.Fprintf(&grid, "M%g %gH%gM%g %gV%g", at(0), at(i)-10, far, at(i), at(0)-10, far-10)
	}
	b.Grid = grid.String()
	b.Rim = fmt.Sprintf("M%g %gH%gV%gH%gZ", at(0), at(0)-10, far, far-10, at(0))
	for _, q := range stars(n) {
		b.Stars = append(b.Stars, xyText{X: at(q[0]), Y: at(q[1]) - 10})
	}
	var columns strings.Builder
	for i := range n {
		name := record.Name(game.At(i, n-1), variant)
		letter := strings.TrimSuffix(name, "1")
		columns.WriteString(strings.ToLower(letter))
		b.Letters = append(b.Letters, xyText{at(i), far + 26, letter}, xyText{18, at(i) - 4, strconv.Itoa(n - i)})
	}
	v.Board = b
	v.Data.Size, v.Data.Columns, v.Data.Cell, v.Data.Margin, v.Data.Top = n, columns.String(), cellUnits, marginUnits, marginUnits-10
	v.Data.Win, v.Data.Most = game.Win, game.MaxValue
}

// stars are the points that boards have dots on.
func stars(n int) (qs [][2]int) {
	if n < 7 {
		return nil
	}
	e := 3
	if n < 13 {
		e = 2
	}
	on := []int{e, n - 1 - e}
	if n%2 == 1 {
		on = []int{e, n / 2, n - 1 - e}
	}
	for _, y := range on {
		for _, x := range on {
			if side := (x == n/2) != (y == n/2); !side || n%2 == 0 || n >= 19 {
				qs = append(qs, [2]int{x, y})
			}
		}
	}
	return qs
}

func (v *view) games(s *tournament.Summary, mostGames, mostMoves int) {
	v.Data.Names = s.Names
	v.Data.Games = []replay{}
	for i := range s.Games {
		g := &s.Games[i]
		r := outline(g)
		if s.Conf.Openings.File == "" {
			r.Opening = 0
		}
		if i < mostGames && r.Plies <= mostMoves {
			mostMoves -= r.Plies
			r.fill(g, s.Conf.Variant())
			v.Kept++
		} else {
			v.Cut++
		}
		v.Data.Games = append(v.Data.Games, r)
	}
}
