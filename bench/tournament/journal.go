package tournament

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol/record"
)

// End is what ended a game.
type End string

const (
	Five        End = "five"
	Captures    End = "captures"
	Forbidden   End = "forbidden" // a forbidden move, or none but such
	Illegal     End = "illegal"   // a move that is none, or no move but an error
	Timeout     End = "timeout"
	Crash       End = "crash" // it ended, did not start, or took more memory than it may
	Resigned    End = "resign"
	Adjudicated End = "adjudicated"
	Full        End = "draw"  // nobody can win any more
	Count       End = "count" // of a game of Go
	Void        End = "void"  // neither player's fault; it counts for nobody
)

// Game is a game that was played, as it stands in the journal. Lists by side have Black's
// part first, lists by ply begin with the first move that a player made.
type Game struct {
	Slot
	Black, White int    // engines
	Outcome      string // "1-0" for Black, "0-1", "1/2", "*" for a void game
	End          End
	Detail       string `json:",omitempty"` // more of how it ended; of a count the score
	Given        int    // moves that the opening gave
	Moves        string // all of them, blanks between
	Setup        string `json:",omitempty"` // placed stones: "B:h8 W:h9 i9"
	Choices      string `json:",omitempty"` // by which an opening rule led to the opening: "H8 I9 C3 / swap"

	Millis []int64 `json:",omitempty"` // by ply: measured by the runner
	Own    []int64 `json:",omitempty"` // what the player said it took, -1 where it said nothing
	Values []int   `json:",omitempty"` // for the mover; NoValue where it said nothing
	Depths []int   `json:",omitempty"`
	Nodes  []int64 `json:",omitempty"`

	Late   [2]int     // moves beyond the limit, within the tolerance
	Memory [2]int64   // largest proportional set size after a move, bytes; 0 unknown
	CPU    [2]float64 // seconds
	Stderr string     `json:",omitempty"` // the last words of a player that failed
	Began  time.Time  // these two are of the clock, not of the game
	Took   float64    // seconds
}

// NoValue stands where a player said nothing.
const NoValue = 1 << 20

// header is the journal's first line.
type header struct {
	Match       string // what wrote it
	Fingerprint string
	Names       []string
	Config      Config
	Began       time.Time
}

const journalName = "journal.jsonl"

// journal is an append-only file of JSON lines, each on the disk before its game counts.
type journal struct {
	f    *os.File
	lock io.Closer
	head header
}

// errOther refuses a folder in which another match lies.
type errOther struct{ folder string }

func (e errOther) Error() string {
	return fmt.Sprintf("%s holds a match with other settings; choose another folder with -out", e.folder)
}

// openJournal opens the journal in a folder, or begins one, and returns the games in it. A
// line that a kill cut short is taken off: its game is played again.
func openJournal(folder string, head header) (*journal, []Game, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, nil, err
	}
	lock, err := acquire(filepath.Join(folder, "lock"))
	if err != nil {
		return nil, nil, fmt.Errorf("%s is in use by another run: %w", folder, err)
	}
	j := &journal{lock: lock, head: head}
	games, err := j.open(filepath.Join(folder, journalName))
	if err != nil {
		j.close()
		return nil, nil, err
	}
	return j, games, nil
}

func (j *journal) open(name string) ([]Game, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	j.f = f
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	head, games, err := parseJournal(data[:whole])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if head == nil {
		whole = 0
	} else if head.Fingerprint != j.head.Fingerprint {
		return nil, errOther{filepath.Dir(name)}
	} else {
		j.head = *head
	}
	if err := f.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	if _, err := f.Seek(int64(whole), io.SeekStart); err != nil {
		return nil, err
	}
	if head == nil {
		return games, j.line(j.head)
	}
	return games, nil
}

// parseJournal reads whole lines. Of two games with one number the first counts.
func parseJournal(data []byte) (*header, []Game, error) {
	if len(data) == 0 {
		return nil, nil, nil
	}
	var (
		head  header
		games []Game
		seen  = map[int]bool{}
	)
	r := bufio.NewReader(bytes.NewReader(data))
	for n := 1; ; n++ {
		l, err := r.ReadBytes('\n')
		if err == io.EOF {
			return &head, games, nil
		}
		if n == 1 {
			if err := json.Unmarshal(l, &head); err != nil || head.Fingerprint == "" {
				return nil, nil, errors.New("line 1: not the head of a match")
			}
			continue
		}
		var g Game
		if err := json.Unmarshal(l, &g); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", n, err)
		}
		if g.Black < 0 || g.White < 0 || g.Black >= len(head.Names) || g.White >= len(head.Names) {
			return nil, nil, fmt.Errorf("line %d: no such engine", n)
		}
		if !seen[g.ID] {
			seen[g.ID] = true
			games = append(games, g)
		}
	}
}

// line writes one line and waits until the disk has it.
func (j *journal) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := j.f.Write(append(b, '\n')); err != nil {
		return err
	}
	return j.f.Sync()
}

func (j *journal) close() error {
	var err error
	if j.f != nil {
		err = j.f.Close()
	}
	if e := j.lock.Close(); err == nil {
		err = e
	}
	return err
}

// Played is what a journal holds: all that is known of a match.
type Played struct {
	Fingerprint string
	Began       time.Time
	Names       []string
	Conf        Config // without what decides no game: folder, files, games at a time
	Games       []Game // in the order in which they ended
}

// ReadJournal returns what the journal in a match's folder says. The match may still be
// in progress.
func ReadJournal(folder string) (*Played, error) {
	name := filepath.Join(folder, journalName)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	head, games, err := parseJournal(data[:bytes.LastIndexByte(data, '\n')+1])
	if err == nil && head == nil {
		err = errors.New("the journal is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Played{head.Fingerprint, head.Began, head.Names, head.Config, games}, nil
}

// The outcomes as a journal and most tables write them.
var outcomes = map[game.Outcome]string{
	game.BlackWin: "1-0", game.WhiteWin: "0-1", game.Draw: "1/2", game.Open: "*",
}

// Points returns what a game was worth to Black and to White, a win two and a draw one
// each; ok is false for a void game.
func (g *Game) Points() (black, white int, ok bool) {
	switch g.Outcome {
	case "1-0":
		return 2, 0, true
	case "0-1":
		return 0, 2, true
	case "1/2":
		return 1, 1, true
	}
	return 0, 0, false
}

// Record returns the game as it was played.
func (g *Game) Record(v game.Variant) (*game.Record, error) {
	rec := &game.Record{Variant: v}
	for _, f := range strings.Fields(g.Setup) {
		side, names, _ := strings.Cut(f, ":")
		if side == "white-to-move" {
			rec.Setup.ToMove = game.White
			continue
		}
		for _, n := range strings.Split(names, ",") {
			q, err := record.ParseName(n, v)
			if err != nil {
				return nil, err
			}
			switch side {
			case "B":
				rec.Setup.Black = append(rec.Setup.Black, q)
			case "W":
				rec.Setup.White = append(rec.Setup.White, q)
			}
		}
	}
	c := rec.Setup.ToMove
	for _, f := range strings.Fields(g.Moves) {
		q, err := record.ParseName(f, v)
		if err != nil {
			return nil, err
		}
		rec.Moves = append(rec.Moves, game.Move{Color: c, Point: q})
		c = c.Other()
	}
	return rec, nil
}

// write puts a record into the words of the journal.
func (g *Game) write(rec *game.Record) {
	var b strings.Builder
	for i, m := range rec.Moves {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(record.Name(m.Point, rec.Variant))
	}
	g.Moves = b.String()
	b.Reset()
	for side, qs := range [][]game.Point{rec.Setup.Black, rec.Setup.White} {
		for i, q := range qs {
			if i > 0 {
				b.WriteByte(',')
			} else {
				b.WriteString([]string{"B:", " W:"}[side])
			}
			b.WriteString(record.Name(q, rec.Variant))
		}
	}
	if rec.Setup.ToMove == game.White {
		b.WriteString(" white-to-move:")
	}
	g.Setup = strings.TrimSpace(b.String())
}
