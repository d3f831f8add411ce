package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"tengen/bench/tournament"
	"tengen/bench/tournament/stats"
)

const matchHelp = `usage: tengen match [file.toml] [options]

  -engine cmd=COMMAND [name= dir= proto=piskvork|gtp|tengen tc=MATCH/TURN+INC st=SECONDS
          nodes= depth= thread= maxmemory=BYTES tolerance=SECONDS option.KEY=VALUE]
                       once for each engine; proto=tengen is the engine in this program, with
                       option.book=off|FILE and option.seed=N
  -each ...            what all engines have that do not say otherwise
  -game NAME | -rule 0|1|4|8|9     freestyle standard renju caro caro6 omok pente keryo go
  -boardsize N  -komi K  -rules NAME  -freeopening  -fiveatfour
  -rounds N  -games N  games of each two engines in a round (2)
  -gauntlet | -swiss   instead of all against all
  -openings file=FILE [type=offset|pos|sgf|psq order=sequential|random srand=N]
  -norepeat            without it each opening is played twice, the colours swapped
  -transform           openings turned and mirrored when all were used
  -opening-rule NAME   the engines make the openings: swap swap2 pro longpro pente swap2-pente rif
                       yamaguchi soosyrv-8 taraguchi-10; piskvork programs know swap2 (-swap2) only
  -concurrency N       games at a time
  -sprt elo0= elo1= [alpha= beta= model=logistic|normalized]
  -drawafter N  -draw movenumber= movecount= score=  -resign movecount= score= [twosided]
  -proven NODES        a win by fours that our own search proves ends the game
  -sendbyboard -suspend -affinity -fatalerror -log
  -out FOLDER          journal, games and tables (default: a name made of the settings)
  -sgf FILE -pgn FILE -sqlite FILE
  -event NAME  -dump   print the settings as TOML and play nothing

The same command goes on with a match that was interrupted. Exit status: 0 done, 1 failed,
2 used wrongly, 3 the test accepted H0, 130 interrupted.
`

// playMatch is `tengen match`.
func playMatch(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 || len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		fmt.Fprint(stdout, matchHelp)
		if len(args) == 0 {
			return 2
		}
		return 0
	}
	conf, dump, err := tournament.Parse(args)
	if err == nil {
		err = conf.Finish()
	}
	if err != nil {
		fmt.Fprintln(stderr, "tengen match:", err)
		return 2
	}
	if dump {
		if err := conf.WriteTOML(stdout); err != nil {
			fmt.Fprintln(stderr, "tengen match:", err)
			return 1
		}
		return 0
	}

	// The first interrupt lets the games in progress end, the second does not.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	drain := make(chan struct{})
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	again := "tengen match " + quoted(args)
	go func() {
		if _, ok := <-signals; !ok {
			return
		}
		fmt.Fprintln(stderr, "\nthe games in progress are played to their ends; interrupt again to give them up\nresume with:", again)
		close(drain)
		<-signals
		cancel()
	}()

	show := newScoreboard(&conf, stdout)
	games, err := tournament.Run(ctx, &conf, drain, show.events())
	show.clear()
	if len(show.names) > 0 {
		s := tournament.Summarize(&conf, show.names, games)
		s.Write(stdout, true)
		played, e := tournament.ReadJournal(conf.Folder())
		if e == nil {
			played.Conf = conf
			e = export(played)
		}
		if e != nil {
			fmt.Fprintln(stderr, "tengen match:", e)
			return 1
		}
		fmt.Fprintf(stdout, "kept in %s; open %s\n", conf.Folder(), filepath.Join(conf.Folder(), reportName))
		if s.Test != nil && s.Test.Decision == stats.AcceptH0 && (err == nil || errors.Is(err, tournament.ErrDecided)) {
			return 3
		}
	}
	switch {
	case err == nil || errors.Is(err, tournament.ErrDecided):
		return 0
	case errors.Is(err, tournament.ErrDrained) || ctx.Err() != nil:
		fmt.Fprintln(stderr, "resume with:", again)
		return 130
	}
	fmt.Fprintln(stderr, "tengen match:", err)
	return 1
}

// quoted returns arguments as a shell reads them.
func quoted(args []string) string {
	var words []string
	for _, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\"'\\$&|;<>()*?[]#~`!{}") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// scoreboard shows how a match goes: a line for each game, and under them, on a terminal,
// one that is drawn anew.
type scoreboard struct {
	conf  *tournament.Config
	out   io.Writer
	tty   bool
	names []string
	total int
	done  int
	drawn bool
	last  time.Time // when the line was made

	mu  sync.Mutex // the log is written by all games
	log *os.File
}

func newScoreboard(c *tournament.Config, out io.Writer) *scoreboard {
	s := &scoreboard{conf: c, out: out}
	if f, ok := out.(*os.File); ok {
		s.tty = term.IsTerminal(int(f.Fd()))
	}
	return s
}

func (s *scoreboard) events() tournament.Events {
	return tournament.Events{
		Began: func(names []string, done []tournament.Game, total int) {
			s.names, s.total, s.done = names, total, len(done)
			if len(done) > 0 {
				fmt.Fprintf(s.out, "%d of %d games were played before\n", len(done), total)
			}
		},
		Finished: func(g tournament.Game, all []tournament.Game) {
			s.clear()
			s.done = len(all)
			fmt.Fprintf(s.out, "game %d of %d: %s - %s %s {%s} %d moves, %.1f s\n", g.ID+1, s.total, s.names[g.Black],
				s.names[g.White], g.Outcome, strings.TrimSpace(string(g.End)+" "+first(g.Detail)),
				len(strings.Fields(g.Moves)), g.Took)
			if err := tournament.WriteGame(s.conf.Folder(), s.conf, s.names, &g); err != nil {
				fmt.Fprintln(s.out, "game", g.ID+1, "was not written:", err)
			}
			if s.tty && time.Since(s.last) > time.Second || !s.tty && len(all)%10 == 0 {
				s.last = time.Now()
				line := fmt.Sprintf("%d/%d  %s", s.done, s.total, tournament.Summarize(s.conf, s.names, all).Line())
				if s.tty {
					fmt.Fprint(s.out, line)
					s.drawn = true
				} else {
					fmt.Fprintln(s.out, line)
				}
			}
		},
		Line: s.line,
	}
}

// clear takes the line off that is drawn anew.
func (s *scoreboard) clear() {
	if s.drawn {
		fmt.Fprint(s.out, "\r\x1b[K")
		s.drawn = false
	}
}

// line writes what passes between us and a program into the folder's log.
func (s *scoreboard) line(worker int, name string, toProgram bool, l string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.log == nil {
		f, err := os.OpenFile(s.conf.Folder()+"/match.log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
		if err != nil {
			return
		}
		s.log = f
	}
	arrow := "<"
	if toProgram {
		arrow = ">"
	}
	fmt.Fprintf(s.log, "[%d] %s %s %s\n", worker+1, name, arrow, l)
}

// first returns the first line of a text, shortened.
func first(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 120 {
		s = s[:120] + "..."
	}
	return s
}
