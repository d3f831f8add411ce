package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"tengen/bench/tournament/stats"
	"tengen/protocol/record"
)

const statsUsage = `usage: tengen stats penta A B C D E [flags]   pairs of games by points: 0, 1/2, 1, 1 1/2, 2
       tengen stats wld W L D [flags]         games won, lost and drawn
       tengen stats ratings [flags] FILE...   games of several engines

A file of games is SGF or psq, or a text with a line for each game: the first player, the
second, and 1-0, 0-1 or 1/2-1/2; or for several: first, second, wins, losses, draws. Fields
are parted by blanks, or by commas where names have blanks. - is the standard input.
With -elo1 (and -elo0) a sequential test is judged. Intervals are of 95 %. Flags:
`

// statistics is `tengen stats`.
func statistics(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("tengen stats", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, statsUsage)
		f.PrintDefaults()
	}
	var test stats.SPRT
	f.Float64Var(&test.Elo0, "elo0", 0, "the difference that the test is to reject")
	f.Float64Var(&test.Elo1, "elo1", 0, "the difference that the test is to accept")
	f.Float64Var(&test.Alpha, "alpha", 0.05, "how often elo1 may be accepted where elo0 is true")
	f.Float64Var(&test.Beta, "beta", 0.05, "how often elo0 may be accepted where elo1 is true")
	f.Func("model", "what elo0 and elo1 are: logistic (default) or normalized Elo", func(s string) (err error) {
		test.Model, err = stats.ParseModel(s)
		return err
	})
	anchor := f.String("anchor", "", "engine whose rating is 0 (default: their mean is)")
	asJSON := f.Bool("json", false, "write JSON")
	args, err := interspersed(f, args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	set := map[string]bool{}
	f.Visit(func(f *flag.Flag) { set[f.Name] = true })
	fail := func(status int, err error) int {
		fmt.Fprintln(stderr, "tengen stats:", err)
		return status
	}
	if len(args) == 0 {
		f.Usage()
		return 2
	}
	what, args := args[0], args[1:]
	testing := false
	for _, name := range []string{"elo0", "elo1", "alpha", "beta", "model"} {
		testing = testing || set[name]
		if set[name] && what == "ratings" {
			return fail(2, fmt.Errorf("-%s is for penta and wld", name))
		}
	}
	if testing && !set["elo1"] {
		return fail(2, errors.New("a test needs -elo1"))
	}
	if set["anchor"] && what != "ratings" {
		return fail(2, errors.New("-anchor is for ratings"))
	}
	if testing {
		if err := test.Check(); err != nil {
			return fail(2, err)
		}
	}

	var out bytes.Buffer
	switch what {
	case "penta", "wld":
		counts, err := parseCounts(what, args)
		if err != nil {
			return fail(2, err)
		}
		m := ofMatch(counts, testing, test)
		if *asJSON {
			err = writeJSON(&out, m)
		} else {
			m.print(&out)
		}
		if err != nil {
			return fail(1, err)
		}
	case "ratings":
		if len(args) == 0 {
			return fail(2, errors.New("no file of games"))
		}
		var table stats.Crosstable
		for _, name := range args {
			left, err := readGames(&table, name, stdin)
			if err != nil {
				return fail(1, fmt.Errorf("%s: %w", name, strip(err)))
			}
			if left > 0 {
				fmt.Fprintf(stderr, "tengen stats: %s: games without a result, left out: %d\n", name, left)
			}
		}
		ratings, err := table.Ratings(*anchor)
		if err != nil {
			return fail(1, err)
		}
		if *asJSON {
			err = writeJSON(&out, ofTable(&table, ratings))
		} else {
			printRatings(&out, &table, ratings)
		}
		if err != nil {
			return fail(1, err)
		}
	default:
		return fail(2, fmt.Errorf("unknown calculation %q (penta, wld or ratings)", what))
	}
	if _, err := out.WriteTo(stdout); err != nil {
		return fail(1, err)
	}
	return 0
}

// interspersed parses flags before, between and behind the other arguments, which it returns. A
// negative number is no flag.
func interspersed(f *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		if _, err := strconv.Atoi(args[0]); err == nil {
			rest, args = append(rest, args[0]), args[1:]
			continue
		}
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if args = f.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, nil
}

func parseCounts(what string, args []string) ([]int, error) {
	if want := map[string]int{"penta": 5, "wld": 3}[what]; len(args) != want {
		return nil, fmt.Errorf("%s needs %d numbers, not %d", what, want, len(args))
	}
	counts := make([]int, len(args))
	for i, s := range args {
		n, err := stats.ParseCount(s)
		if err != nil {
			return nil, err
		}
		counts[i] = n
	}
	return counts, nil
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// match is what is said of the games of two engines.
type match struct {
	Pairs         *stats.Penta   `json:"pairs,omitempty"`
	Games         *stats.WLD     `json:"games,omitempty"`
	Points        float64        `json:"points"`
	Score         float64        `json:"score"`
	Elo           stats.Estimate `json:"elo"`
	NormalizedElo stats.Estimate `json:"normalizedElo"`
	LOS           float64        `json:"los"`
	DrawRatio     float64        `json:"drawRatio"`
	SPRT          *test          `json:"sprt,omitempty"`
}

type test struct {
	Elo0    float64       `json:"elo0"`
	Elo1    float64       `json:"elo1"`
	Alpha   float64       `json:"alpha"`
	Beta    float64       `json:"beta"`
	Model   string        `json:"model"`
	Verdict stats.Verdict `json:"verdict"`
}

// ofMatch takes five counts for pairs and three for wins, losses and draws.
func ofMatch(counts []int, testing bool, s stats.SPRT) match {
	var m match
	var v stats.Verdict
	if len(counts) == 5 {
		p := stats.Penta(counts)
		m = match{&p, nil, p.Points(), p.Score(), p.Elo(), p.NormalizedElo(), p.LOS(), p.DrawRatio(), nil}
		v = s.Test(p)
	} else {
		w := stats.WLD{Wins: counts[0], Losses: counts[1], Draws: counts[2]}
		m = match{nil, &w, w.Points(), w.Score(), w.Elo(), w.NormalizedElo(), w.LOS(), w.DrawRatio(), nil}
		v = s.TestGames(w)
	}
	for _, x := range []*float64{&m.Score, &m.LOS, &m.DrawRatio} {
		*x = math.Round(*x*1e4) / 1e4
	}
	if testing {
		m.SPRT = &test{s.Elo0, s.Elo1, s.Alpha, s.Beta, s.Model.String(), v}
	}
	return m
}

func (m match) print(w io.Writer) {
	games, of := 0, "games"
	if m.Pairs != nil {
		games, of = 2*m.Pairs.Pairs(), "pairs"
		fmt.Fprintf(w, "pairs  %d (%s)\n", m.Pairs.Pairs(), strings.Trim(fmt.Sprint(*m.Pairs), "[]"))
	} else {
		games = m.Games.Games()
		fmt.Fprintf(w, "games  %d (%d-%d-%d)\n", games, m.Games.Wins, m.Games.Losses, m.Games.Draws)
	}
	fmt.Fprintf(w, "score  %.2f %% (%.1f of %d)\n", 100*m.Score, m.Points, games)
	fmt.Fprintf(w, "Elo    %v\n", m.Elo)
	fmt.Fprintf(w, "nElo   %v\n", m.NormalizedElo)
	fmt.Fprintf(w, "LOS    %.2f %%\n", 100*m.LOS)
	fmt.Fprintf(w, "draws  %.2f %% of the %s\n", 100*m.DrawRatio, of)
	if t := m.SPRT; t != nil {
		fmt.Fprintf(w, "SPRT   %v (elo0 %v, elo1 %v, alpha %v, beta %v, %s)\n", t.Verdict, t.Elo0, t.Elo1, t.Alpha, t.Beta, t.Model)
	}
}

// readGames adds the games of a file to the table. It returns how many had no result.
func readGames(table *stats.Crosstable, name string, stdin io.Reader) (left int, err error) {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, record.MaxFile+1))
	if err != nil {
		return 0, err
	}
	if len(data) > record.MaxFile {
		return 0, fmt.Errorf("more than %d bytes", record.MaxFile)
	}
	format, err := record.Detect(name, data)
	if err != nil || format != record.SGF && format != record.PSQ {
		return 0, table.Read(bytes.NewReader(data))
	}
	trees, err := record.Read(format, data, record.Options{})
	if err != nil {
		return 0, err
	}
	for i, t := range trees {
		settle(t)
		var w stats.WLD
		switch result := strings.ToUpper(t.Result); {
		case strings.HasPrefix(result, "B+"):
			w.Wins = 1
		case strings.HasPrefix(result, "W+"):
			w.Losses = 1
		case result == "0" || result == "DRAW":
			w.Draws = 1
		default:
			left++
			continue
		}
		switch {
		case t.Black == "" || t.White == "":
			return left, fmt.Errorf("game %d does not name both players", i+1)
		case t.Black == t.White:
			return left, fmt.Errorf("game %d: %q plays itself", i+1, t.Black)
		}
		table.Add(t.Black, t.White, w)
	}
	return left, nil
}

// strip takes the file's name off an error that will be printed behind it.
func strip(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

type tableOfGames struct {
	Ratings []stats.Rating `json:"ratings"`
	Games   []meeting      `json:"games"`
}

type meeting struct {
	First  string `json:"first"`
	Second string `json:"second"`
	stats.WLD
}

func ofTable(table *stats.Crosstable, ratings []stats.Rating) tableOfGames {
	t := tableOfGames{ratings, []meeting{}}
	for i, a := range ratings {
		for _, b := range ratings[i+1:] {
			if w := table.Between(a.Name, b.Name); w.Games() > 0 {
				t.Games = append(t.Games, meeting{a.Name, b.Name, w})
			}
		}
	}
	return t
}

func printRatings(out io.Writer, table *stats.Crosstable, ratings []stats.Rating) {
	if len(ratings) == 0 {
		fmt.Fprintln(out, "no games")
		return
	}
	groups := ratings[len(ratings)-1].Group > 0
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "#\tElo\tlow\thigh\tgames\tscore\tW-L-D\t")
	if groups {
		fmt.Fprint(w, "group\t")
	}
	fmt.Fprintln(w, "  engine")
	for i, r := range ratings {
		e := strings.Fields(strings.NewReplacer("[", "", "]", "", ",", "").Replace(r.Elo.String()))
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%d\t%.1f %%\t%s\t", i+1, e[0], e[1], e[2], r.Games.Games(), 100*r.Games.Score(), wld(r.Games))
		if groups {
			fmt.Fprintf(w, "%d\t", r.Group+1)
		}
		fmt.Fprintf(w, "  %s\n", r.Name)
	}
	w.Flush()
	if groups {
		fmt.Fprintln(out, "Engines of different groups have no opponents in common and cannot be compared.")
	}
	fmt.Fprintln(out)
	w = tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "W-L-D\t")
	for i := range ratings {
		fmt.Fprintf(w, "%d\t", i+1)
	}
	fmt.Fprintln(w)
	for i, a := range ratings {
		fmt.Fprintf(w, "%d\t", i+1)
		for j, b := range ratings {
			cell := "."
			if g := table.Between(a.Name, b.Name); i != j && g.Games() > 0 {
				cell = wld(g)
			}
			fmt.Fprintf(w, "%s\t", cell)
		}
		fmt.Fprintf(w, "  %s\n", a.Name)
	}
	w.Flush()
}

func wld(w stats.WLD) string { return fmt.Sprintf("%d-%d-%d", w.Wins, w.Losses, w.Draws) }
