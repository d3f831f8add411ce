package tournament

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tengen/engine/game"
	"tengen/protocol/record"
)

// Tree returns a game with its players, its result, and what the players said of each move.
func (g *Game) Tree(c *Config, names []string) (*record.Tree, error) {
	rec, err := g.Record(c.Variant())
	if err != nil {
		return nil, err
	}
	t, err := record.FromRecord(rec)
	if err != nil {
		return nil, err
	}
	t.Black, t.White = names[g.Black], names[g.White]
	side := map[string]string{"1-0": "B+", "0-1": "W+"}[g.Outcome]
	switch {
	case g.Outcome == "1/2":
		t.Result = "0"
	case g.Outcome == "*":
		t.Result = "Void"
	case g.End == Count:
		t.Result = g.Detail
	case g.End == Resigned:
		t.Result = side + "Resign"
	case g.End == Timeout:
		t.Result = side + "Time"
	case g.End == Illegal || g.End == Forbidden || g.End == Crash:
		t.Result = side + "Forfeit"
	default:
		t.Result = side
	}
	if v := c.Variant(); v.Rule == game.Weiqi {
		t.Komi, t.HasKomi = v.Komi, true
	}
	if c.Event != "" {
		t.Root.Put("EV", simple(c.Event))
	}
	t.Root.Put("RO", fmt.Sprintf("%d (%d)", g.Round+1, g.ID+1))
	t.Root.Put("DT", g.Began.Format("2006-01-02"))
	t.Root.Comment = strings.TrimSpace(fmt.Sprintf("%s %s", g.End, g.Detail))
	if g.Choices != "" {
		t.Root.Comment += "\n" + c.OpeningRule + ": " + g.Choices
	}
	line, err := t.Line()
	if err != nil {
		return nil, err
	}
	for k, n := range line[1:] {
		k -= g.Given
		if k < 0 || k >= len(g.Millis) {
			continue
		}
		n.Put("MS", strconv.FormatInt(g.Millis[k], 10))
		if g.Values[k] != NoValue {
			n.Comment = fmt.Sprintf("%s depth %d nodes %d", game.ValueString(g.Values[k]), g.Depths[k], g.Nodes[k])
		}
	}
	return t, nil
}

// simple makes a text fit for a property of SGF.
func simple(s string) string {
	return strings.NewReplacer(`\`, `\\`, "]", `\]`, "\n", " ", "\r", " ").Replace(s)
}

// WriteGame writes a game into the folder of a match: as SGF, and as psq where it is a
// line game that began with an empty board.
func WriteGame(folder string, c *Config, names []string, g *Game) error {
	t, err := g.Tree(c, names)
	if err != nil {
		return err
	}
	dir := filepath.Join(folder, "games")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := filepath.Join(dir, fmt.Sprintf("%06d", g.ID+1))
	formats := []record.Format{record.SGF}
	if c.Variant().Rule != game.Weiqi && g.Setup == "" {
		formats = append(formats, record.PSQ)
	}
	for _, f := range formats {
		var b bytes.Buffer
		if err := record.Write(&b, f, []*record.Tree{t}, record.Options{}); err != nil {
			return err
		}
		if err := os.WriteFile(name+"."+f.String(), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// WriteSGF writes all games as one collection.
func (s *Summary) WriteSGF(w io.Writer) error {
	var trees []*record.Tree
	for i := range s.Games {
		t, err := s.Games[i].Tree(s.Conf, s.Names)
		if err != nil {
			return err
		}
		trees = append(trees, t)
	}
	if len(trees) == 0 {
		return nil
	}
	return record.Write(w, record.SGF, trees, record.Options{})
}

// WriteCSV writes a line for each game.
func (s *Summary) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	w.Write([]string{"game", "round", "pair", "opening", "symmetry", "black", "white", "result", "end", "detail",
		"given", "moves", "seconds", "late black", "late white", "choices"})
	for i := range s.Games {
		g := &s.Games[i]
		w.Write([]string{strconv.Itoa(g.ID + 1), strconv.Itoa(g.Round + 1), strconv.Itoa(g.Pair + 1),
			strconv.Itoa(g.Slot.Opening + 1), strconv.Itoa(g.Symmetry), s.Names[g.Black], s.Names[g.White],
			g.Outcome, string(g.End), g.Detail, strconv.Itoa(g.Given), g.Moves,
			strconv.FormatFloat(g.Took, 'f', 3, 64), strconv.Itoa(g.Late[0]), strconv.Itoa(g.Late[1]), g.Choices})
	}
	w.Flush()
	return w.Error()
}

// WritePGN writes the results as games of chess without moves, which BayesElo and Ordo
// rate. Who was Black here is White there: the one who begins.
func (s *Summary) WritePGN(w io.Writer) (err error) {
	for i := range s.Games {
		g := &s.Games[i]
		result := map[string]string{"1/2": "1/2-1/2"}[g.Outcome]
		if result == "" {
			result = g.Outcome
		}
		quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
		_, err = fmt.Fprintf(w, "[Event \"%s\"]\n[Round \"%d\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Result \"%s\"]\n\n%s\n\n",
			quote.Replace(s.Conf.Event), g.Round+1, quote.Replace(s.Names[g.Black]), quote.Replace(s.Names[g.White]), result, result)
		if err != nil {
			return err
		}
	}
	return err
}

// WriteJSON writes the tables for programs.
func (s *Summary) WriteJSON(w io.Writer) error {
	type cell struct {
		Against             string
		Wins, Losses, Draws int
		Pairs               *[5]int `json:",omitempty"` // by the points of the one with the lower number
	}
	type row struct {
		Name                string
		Wins, Losses, Draws int
		Elo                 any
		Against             []cell
		LostBy              map[End]int
		Late                int
		Moves               int
		MeanMillis          int64
		LongestMillis       int64
		LatencyMillis       *int64 `json:",omitempty"`
		Memory              int64
		CPUSeconds          float64
	}
	out := struct {
		Game      string
		BoardSize int
		Games     int
		Void      int
		Ends      map[End]int
		SPRT      any `json:",omitempty"`
		Players   []row
	}{Game: s.Conf.Game, BoardSize: s.Conf.BoardSize, Games: len(s.Games), Void: s.Void, Ends: s.Ends}
	if s.Test != nil {
		out.SPRT = s.Test
	}
	for _, r := range s.Rows {
		o := row{Name: r.Name, Wins: r.Games.Wins, Losses: r.Games.Losses, Draws: r.Games.Draws, Elo: r.Elo,
			LostBy: r.Lost, Late: r.Late, Moves: r.Moves, MeanMillis: r.Mean.Milliseconds(),
			LongestMillis: r.Longest.Milliseconds(), Memory: r.Memory, CPUSeconds: r.CPU.Seconds()}
		if r.Latency != NoLatency {
			ms := r.Latency.Milliseconds()
			o.LatencyMillis = &ms
		}
		for j, g := range s.Cross[r.Engine] {
			if g.Games() == 0 {
				continue
			}
			c := cell{Against: s.Names[j], Wins: g.Wins, Losses: g.Losses, Draws: g.Draws}
			if p, ok := s.Pairs[[2]int{min(r.Engine, j), max(r.Engine, j)}]; ok {
				n := [5]int(p)
				c.Pairs = &n
			}
			o.Against = append(o.Against, c)
		}
		out.Players = append(out.Players, o)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// Output is a file that is made from a match.
type Output struct {
	Name  string // nothing is written where it is empty
	Write func(io.Writer) error
}

// Export writes everything that is made from the games of a match: into its folder, and
// where its settings say. more are files whose making is not known here.
func (s *Summary) Export(more ...Output) error {
	folder := s.Conf.Folder()
	for i := range s.Games {
		g := &s.Games[i]
		if _, err := os.Stat(filepath.Join(folder, "games", fmt.Sprintf("%06d.sgf", g.ID+1))); err == nil {
			continue
		}
		if err := WriteGame(folder, s.Conf, s.Names, g); err != nil {
			return fmt.Errorf("game %d: %w", g.ID+1, err)
		}
	}
	outputs := []Output{
		{filepath.Join(folder, "games.csv"), s.WriteCSV},
		{filepath.Join(folder, "table.json"), s.WriteJSON},
		{filepath.Join(folder, "table.txt"), func(w io.Writer) error { return s.Write(w, true) }},
		{s.Conf.SGF, s.WriteSGF},
		{s.Conf.PGN, s.WritePGN},
	}
	if s.Conf.Concurrency > 0 { // from a journal alone it is not known, and the file is there
		outputs = append(outputs, Output{filepath.Join(folder, "match.toml"), s.Conf.WriteTOML})
	}
	for _, f := range append(outputs, more...) {
		if f.Name == "" {
			continue
		}
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if err := replace(f.Name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file so that it is whole or as it was before.
func replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
