package piskvork

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"tengen/engine"
	"tengen/engine/game"
	"tengen/protocol"
)

// command is what the server knows of a command. One without run is accepted, with its
// block or path, and does nothing.
type command struct {
	run      func(*server, *request)
	block    bool // tokens up to DONE belong to it
	path     bool // the rest of its line, or the next line, is a file's name
	aside    bool // may stand in the middle of a block
	replaces bool // a running search has lost its point
	builds   bool // begins where a running search ends: that is stopped and answered first
}

var commands = map[string]*command{
	// The protocol of Gomocup.
	"START":      {run: (*server).start, replaces: true},
	"RECTSTART":  {run: (*server).rectStart, replaces: true},
	"RESTART":    {run: (*server).restart, replaces: true},
	"BEGIN":      {run: (*server).begin, builds: true},
	"TURN":       {run: (*server).turn, builds: true},
	"PLAY":       {run: (*server).play, builds: true},
	"BOARD":      {run: (*server).board, block: true, replaces: true},
	"SWAP2BOARD": {run: (*server).swap2Board, block: true, replaces: true},
	"TAKEBACK":   {run: (*server).takeBack, replaces: true},
	"INFO":       {run: (*server).info, aside: true},
	"ABOUT":      {run: (*server).about, aside: true},
	"END":        {run: func(sv *server, _ *request) { sv.ended = true }},

	// Yixin-Board and its relatives.
	"STOP":         {run: (*server).stop, aside: true},
	"YXSTOP":       {run: (*server).stop, aside: true},
	"YXSHOWINFO":   {run: (*server).showInfo, aside: true},
	"YXSHOWFORBID": {run: (*server).showForbid, aside: true},
	"YXBOARD":      {run: (*server).yxBoard, block: true, replaces: true},
	"YXNBEST":      {run: (*server).nBest, builds: true},
	// The defence that is searched is the best move; losing ones are not marked.
	"YXSEARCHDEFEND":     {run: (*server).nBest, builds: true},
	"YXBALANCEONE":       {run: func(sv *server, r *request) { sv.balance(r, 1) }, builds: true},
	"YXBALANCETWO":       {run: func(sv *server, r *request) { sv.balance(r, 2) }, builds: true},
	"YXSWAP2STEP1":       {run: (*server).swap2Step1, replaces: true},
	"YXSWAP2STEP2":       {run: func(sv *server, r *request) { sv.swap2Step(r, 3, swap2Step2) }, builds: true},
	"YXSWAP2STEP3":       {run: func(sv *server, r *request) { sv.swap2Step(r, 5, swap2Step3) }, builds: true},
	"YXHASHCLEAR":        {run: (*server).hashClear},
	"YXBLOCK":            {run: (*server).blockPoints, block: true},
	"YXBLOCKUNDO":        {run: (*server).unblockPoints, block: true},
	"YXBLOCKRESET":       {run: func(sv *server, _ *request) { sv.avoid = nil }},
	"YXQUERYDATABASEALL": {run: (*server).noDatabase, block: true},
	// The same with texts.
	"YXQUERYDATABASEALLT": {run: (*server).noDatabase, block: true},

	// Accepted without effect: there is no database, no analysis of paths, no renju
	// opening but Swap2, no draw by agreement, no file of the hash table, and the
	// network is part of the program.
	"YXQUERYDATABASEONE": {block: true}, "YXQUERYDATABASETEXT": {block: true},
	"YXEDITTVDDATABASE": {block: true}, "YXEDITTEXTDATABASE": {block: true},
	"YXEDITLABELDATABASE": {block: true}, "YXDELETEDATABASEONE": {block: true},
	"YXDELETEDATABASEALL": {block: true}, "YXSETBESTMOVEDATABASE": {block: true},
	"YXCLEARBESTMOVEDATABASE": {block: true}, "YXDBTOPOS": {block: true},
	"YXBLOCKPATH": {block: true}, "YXBLOCKPATHEXCEPT": {block: true}, "YXBLOCKPATHUNDO": {block: true},
	"YXFORBID": {block: true}, "YXSOOSORVSTEP2": {block: true}, "YXSOOSORVSTEP3": {block: true},
	"YXSOOSORVSTEP4": {block: true}, "YXSOOSORVSTEP5": {block: true}, "YXSOOSORVSTEP6": {block: true},
	"YXHASHDUMP": {path: true}, "YXHASHLOAD": {path: true}, "YXSETDATABASE": {path: true},
	"YXDBTOTXT": {path: true}, "YXDBTOTXTALL": {path: true}, "YXTXTTODB": {path: true},
	"YXLIBTODB": {path: true}, "YXDBTOLIB": {path: true}, "YXDBSPLIT": {path: true},
	"YXDBMERGE": {path: true}, "RELOADCONFIG": {}, "LOADMODEL": {},
	"YXBLOCKPATHRESET": {}, "YXSOOSORVSTEP1": {}, "YXSHOWHASHUSAGE": {}, "YXSAVEDATABASE": {},
	"YXDBCHECK": {}, "YXDBFIX": {}, "YXDRAW": {}, "YXRESIGN": {}, "YXPRINTFEATURE": {},
}

// About introduces the program in the one line that managers read.
func About() string {
	return fmt.Sprintf(`name="tengen", version="%s", author="tengen authors", country="-"`, protocol.Version())
}

func (sv *server) about(*request) { sv.reply("%s", About()) }

// numbers splits arguments such as "15", "15 15" or "15,13".
func numbers(args string) ([]int, bool) {
	var ns []int
	for _, f := range strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, false
		}
		ns = append(ns, n)
	}
	return ns, len(ns) > 0
}

// point reads "x,y". That it is on the board is not yet said.
func point(args string) (game.Point, bool) {
	ns, ok := numbers(args)
	if !ok || len(ns) != 2 || !strings.Contains(args, ",") || !coordinate(ns[0]) || !coordinate(ns[1]) {
		return game.NoPoint, false
	}
	return game.At(ns[0], ns[1]), true
}

func coordinate(n int) bool { return 0 <= n && n < game.MaxSize }

func text(q game.Point) string { return strconv.Itoa(q.X()) + "," + strconv.Itoa(q.Y()) }

func (sv *server) start(r *request) {
	ns, ok := numbers(r.args)
	if !ok || len(ns) > 2 {
		sv.reply("ERROR unsupported board size")
		return
	}
	if len(ns) == 2 && ns[0] != ns[1] {
		sv.reply("ERROR rectangular boards are not supported, try 20 or 15")
		return
	}
	sv.newGame(ns[0])
}

func (sv *server) rectStart(r *request) {
	if ns, ok := numbers(r.args); !ok || len(ns) != 2 {
		sv.reply("ERROR unsupported board size")
		return
	}
	sv.start(r)
}

func (sv *server) restart(*request) {
	if sv.size == 0 {
		sv.reply("ERROR no game: START comes first")
		return
	}
	sv.newGame(sv.size)
}

func (sv *server) newGame(size int) {
	v, err := sv.variant(size)
	if err == nil {
		err = sv.s.Start(v)
	}
	if err != nil {
		sv.reply("ERROR %v", err)
		return
	}
	sv.size, sv.trouble, sv.captured = size, nil, nil
	if !sv.yixin { // whose clients send START for every change of the board
		sv.s.Forget()
	}
	sv.reply("OK")
}

// ready reports whether there is a game to think about, and says so if not.
func (sv *server) ready() bool {
	switch {
	case sv.trouble != nil:
		sv.reply("ERROR %v", sv.trouble)
	case sv.s.Game() == nil:
		sv.reply("ERROR no game: START comes first")
	default:
		return true
	}
	return false
}

// afresh is ready for a command that brings a position of its own: that the one on the board
// is none of the game that was told since does not matter to it.
func (sv *server) afresh() bool {
	if sv.trouble != nil && sv.s.Game() != nil {
		if v, err := sv.variant(sv.size); err == nil {
			sv.trouble = sv.s.Set(&game.Record{Variant: v})
		}
	}
	return sv.ready()
}

func (sv *server) begin(r *request) {
	if !sv.ready() {
		return
	}
	if sv.s.Stones() > 0 {
		sv.reply("ERROR the board is not empty")
		return
	}
	sv.think(r, 1)
}

func (sv *server) turn(r *request) {
	if !sv.ready() {
		return
	}
	q, ok := point(r.args)
	if !ok {
		sv.reply("ERROR no point: %.20s", r.args)
		return
	}
	if !sv.s.Empty(q) {
		sv.reply("ERROR not an empty point: %s", text(q))
		return
	}
	if err := sv.s.Force(q); err != nil {
		sv.reply("ERROR %v", err)
		return
	}
	sv.think(r, 1)
}

// play is the manager's order to us to play a point, which answers a SUGGEST. We never
// suggest, so it is mostly the move that we just made.
func (sv *server) play(r *request) {
	if !sv.ready() {
		return
	}
	q, ok := point(r.args)
	if !ok || q != sv.s.Last() && (!sv.s.Empty(q) || sv.s.Force(q) != nil) {
		sv.reply("ERROR no point to play on: %.20s", r.args)
		return
	}
	sv.reply("%s", text(q))
}

func (sv *server) takeBack(r *request) {
	q, ok := point(r.args)
	if !ok || q != sv.s.Last() || sv.s.Undo() != nil {
		sv.reply("ERROR not the last move: %.20s", r.args)
		return
	}
	sv.reply("OK")
}

func (sv *server) board(r *request) {
	if sv.afresh() && sv.place(r) {
		sv.think(r, 1)
	}
}

func (sv *server) yxBoard(r *request) {
	if sv.afresh() {
		sv.place(r)
	}
}

// place puts the position of a block on the board.
func (sv *server) place(r *request) bool {
	v := sv.s.Variant()
	captured := sv.captured
	if sv.captured = nil; !captures(v.Rule) {
		captured = nil
	}
	// Where stones are captured a point may come again, but only in the order of a game.
	again := captures(v.Rule) && captured == nil
	stones, bad := stonesOf(r.tokens, sv.size, again)
	rec, fits := recordOf(v, stones, captured)
	if again && (len(rec.Moves) < len(stones) || !sound(rec)) {
		stones, bad = stonesOf(r.tokens, sv.size, false)
		rec, fits = recordOf(v, stones, &[4]int{})
	}
	if bad += r.bad; bad > 0 {
		sv.note = fmt.Sprintf("board: %d entries are no stones", bad)
	} else if !fits {
		sv.note = "board: one side has too many stones"
	}
	if err := sv.s.Set(rec); err != nil {
		sv.reply("ERROR %v", err)
		return false
	}
	return true
}

// sound reports whether a record can be played.
func sound(rec *game.Record) bool {
	_, err := engine.Replay(rec)
	return err == nil
}

// swap2Board takes the stones of one of the three phases, in their order; a colour may
// stand behind each.
func (sv *server) swap2Board(r *request) {
	if !sv.afresh() {
		return
	}
	rec := &game.Record{Variant: sv.s.Variant()}
	for _, t := range r.tokens {
		if parts := strings.Split(t, ","); len(parts) == 3 {
			t = parts[0] + "," + parts[1]
		}
		q, ok := point(t)
		if !ok {
			sv.reply("ERROR no point: %.20s", t)
			return
		}
		rec.Moves = append(rec.Moves, game.Move{Color: game.Color(len(rec.Moves) % 2), Point: q})
	}
	if n := len(rec.Moves); n != 0 && n != 3 && n != 5 || r.bad > 0 {
		sv.reply("ERROR SWAP2BOARD needs 0, 3 or 5 stones")
		return
	}
	if err := sv.s.Set(rec); err != nil {
		sv.reply("ERROR %v", err)
		return
	}
	sv.s.Swap2(sv.s.Limits(r.at))
	sv.ask(swap2Board, 1)
}

// swap2Step1 begins a new game with our three stones, on whatever was on the board.
func (sv *server) swap2Step1(r *request) {
	if !sv.afresh() {
		return
	}
	if err := sv.s.Start(sv.s.Variant()); err != nil {
		sv.reply("ERROR %v", err)
		return
	}
	sv.s.Swap2(sv.s.Limits(r.at))
	sv.ask(swap2Step1, 1)
}

func (sv *server) swap2Step(r *request, stones int, q question) {
	if !sv.ready() {
		return
	}
	if len(sv.s.Game().Record().Moves) != stones || sv.s.Stones() != stones {
		sv.reply("ERROR %s needs %d stones", r.name, stones)
		return
	}
	sv.s.Swap2(sv.s.Limits(r.at))
	sv.ask(q, 1)
}

func (sv *server) nBest(r *request) {
	if !sv.ready() {
		return
	}
	n := 1
	if ns, ok := numbers(r.args); ok {
		n = min(max(ns[0], 1), sv.size*sv.size)
	}
	sv.think(r, n)
}

func (sv *server) balance(r *request, n int) {
	if !sv.ready() {
		return
	}
	bias := 0
	if ns, ok := numbers(r.args); ok {
		bias = ns[0]
	}
	lim := sv.s.Limits(r.at)
	lim.Avoid = sv.avoided()
	sv.s.Balance(n, bias, lim)
	sv.ask(move, 1)
}

func (sv *server) stop(*request) { sv.s.Stop() }

func (sv *server) hashClear(*request) {
	sv.s.Forget()
	sv.reply("MESSAGE the hash table will be empty")
}

func (sv *server) noDatabase(*request) {
	sv.reply("MESSAGE DATABASE REFRESH")
	sv.reply("MESSAGE DATABASE DONE")
}

func (sv *server) showInfo(*request) {
	sv.gui = true
	sv.reply("MESSAGE tengen %s", protocol.Version())
	sv.reply("MESSAGE INFO MAX_THREAD_NUM %d", runtime.NumCPU())
	sv.reply("MESSAGE INFO MAX_HASH_SIZE %d", maxHashSize)
}

// maxHashSize is the largest table on offer, as a power of two of kilobytes.
const maxHashSize = 20

// showForbid tells the points that the side to move may not play on.
func (sv *server) showForbid(*request) {
	var b strings.Builder
	if g := sv.s.Game(); g != nil && g.Result().Outcome == game.Open {
		for y := range sv.size {
			for x := range sv.size {
				if q := game.At(x, y); g.At(q) == game.Empty && g.Legal(q) != nil {
					fmt.Fprintf(&b, "%02d%02d", x, y)
				}
			}
		}
	}
	sv.reply("FORBID %s.", b.String())
}

func (sv *server) blockPoints(r *request) {
	for _, t := range r.tokens {
		if q, ok := point(t); ok {
			sv.avoid = append(without(sv.avoid, q), q)
		}
	}
}

func (sv *server) unblockPoints(r *request) {
	for _, t := range r.tokens {
		if q, ok := point(t); ok {
			sv.avoid = without(sv.avoid, q)
		}
	}
}

func without(set []game.Point, q game.Point) []game.Point {
	var rest []game.Point
	for _, p := range set {
		if p != q {
			rest = append(rest, p)
		}
	}
	return rest
}

// avoided returns a copy of the blocked points, which a search may keep.
func (sv *server) avoided() []game.Point {
	var on []game.Point
	for _, q := range sv.avoid {
		if q.On(sv.size) {
			on = append(on, q)
		}
	}
	return on
}

// think starts the search for a move, told on n lines.
func (sv *server) think(r *request, n int) {
	lim := sv.s.Limits(r.at)
	lim.MultiPV = n
	lim.Avoid = sv.avoided()
	sv.s.Think(lim)
	sv.ask(move, n)
}

// ask notes what the search that was started is for.
func (sv *server) ask(q question, lines int) {
	sv.asked = q
	sv.report.begin(lines, sv.size)
	if sv.note != "" {
		sv.reply("MESSAGE %s", sv.note)
		sv.note = ""
	}
}

// tell writes what a search has told.
func (sv *server) tell(run *protocol.Search) {
	for _, i := range run.Infos() {
		sv.report.take(i)
		sv.write(sv.report.due(i))
	}
}

func (sv *server) write(lines []string) {
	for _, l := range lines {
		sv.reply("%s", l)
	}
}

// answer writes what a search came to.
func (sv *server) answer(a protocol.Answer) {
	defer sv.finish(a)
	sv.write(sv.report.rest())
	sv.write(sv.report.summary(a.Choice.Info, a.Elapsed))
	if a.Rescued != "" {
		sv.reply("DEBUG answered without the engine: %.120s", a.Rescued)
	}
	if a.Note != "" {
		sv.reply("MESSAGE %s", a.Note)
	}
	if a.Err != nil {
		sv.reply("ERROR %v", a.Err)
		return
	}
	switch sv.asked {
	case move, swap2Board:
		if a.Swap {
			sv.reply("SWAP")
			return
		}
		sv.reply("%s", texts(a.Points))
	case swap2Step1, swap2Step2:
		first := map[question]int{swap2Step1: 1, swap2Step2: 4}[sv.asked]
		switch {
		case a.Swap:
			sv.reply("MESSAGE SWAP2 SWAP1 YES")
		case len(a.Points) == 1: // the client asks again, for this move
			sv.reply("MESSAGE SWAP2 SWAP1 NO")
		default:
			for i, q := range a.Points {
				sv.reply("MESSAGE SWAP2 MOVE%d %d %d", first+i, q.X(), q.Y())
			}
		}
	case swap2Step3:
		sv.reply("MESSAGE SWAP2 SWAP2 %s", map[bool]string{true: "YES", false: "NO"}[a.Swap])
	}
}

// finish lets the session take note of an answer that was written.
func (sv *server) finish(a protocol.Answer) {
	defer func() { recover() }() // the manager has its answer: nothing may follow it
	sv.s.Finish(a)
}

func texts(points []game.Point) string {
	var b strings.Builder
	for i, q := range points {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text(q))
	}
	return b.String()
}
