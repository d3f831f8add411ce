package piskvork

import (
	"strconv"
	"strings"

	"tengen/engine"
	"tengen/protocol"
)

// infoKeys are the INFO keys with an effect and those accepted without. Nothing is ever
// answered to INFO: managers do not read then, and would take a line for the next answer.
// A value that is no number is passed over, and so are unknown keys.
var infoKeys = map[string]func(sv *server, n int64){
	"timeout_turn":   func(sv *server, n int64) { sv.s.Clock.SetTurn(n) },
	"timeout_match":  func(sv *server, n int64) { sv.s.Clock.SetMatch(n) },
	"time_left":      func(sv *server, n int64) { sv.s.Clock.SetLeft(n) },
	"time_increment": func(sv *server, n int64) { sv.s.Clock.SetIncrement(n) },
	"max_node":       func(sv *server, n int64) { sv.nodes = protocol.NodeLimit(n); sv.limitNodes() },
	"max_depth":      func(sv *server, n int64) { sv.s.Clock.Depth = protocol.DepthLimit(n) },
	// 0 to 100: weaker by fewer nodes, see protocol.StrengthNodes.
	"strength":   func(sv *server, n int64) { sv.weaker = 100 - n; sv.limitNodes() },
	"max_memory": func(sv *server, n int64) { sv.memory = max(n, 0); sv.configure() },
	// In kilobytes, 0 for what max_memory leaves.
	"hash_size":  func(sv *server, n int64) { sv.hash = min(max(n, 0), 1<<40) << 10; sv.configure() },
	"thread_num": func(sv *server, n int64) { sv.threads = int(min(max(n, 1), 256)); sv.configure() },
	"rule": func(sv *server, n int64) {
		if n < 0 {
			return
		}
		sv.mask, sv.named = n, ""
		if n > 15 {
			sv.note = "unknown rule " + strconv.FormatInt(n, 10)
		}
		sv.retune()
	},
	// Our own: which reading of renju's contested clause, see game.Variant.
	"five_at_four": func(sv *server, n int64) { sv.reading = n != 0; sv.retune() },
	// Our own: 0 lets the first player of pente begin where he likes.
	"tournament_rule": func(sv *server, n int64) { sv.free = n == 0; sv.retune() },
	// Our own: what decides between moves of a book that are about as good.
	"book_seed": func(sv *server, n int64) { sv.s.SeedBook(uint64(n)) },
	// 1 marks the best point on the client's board, 2 tells lines by INFO PV, 3 both.
	"show_detail": func(sv *server, n int64) {
		sv.report.asked, sv.report.detail = true, n&3
		if !sv.yixin {
			sv.yixin = true
			sv.retune()
		}
	},

	// Accepted without effect. There is one style of play, and no thinking in the
	// opponent's time; VCF and VCT take no thread of their own; symmetric lines are not
	// left out of N best; draws are the manager's decision; there is no database, and
	// nothing is written to a folder.
	"game_type": nil, "caution_factor": nil, "pondering": nil, "vcthread": nil,
	"thread_split_depth": nil, "start_depth": nil, "checkmate": nil, "nbestsym": nil,
	"swapable": nil, "max_moves": nil, "draw_result": nil, "usedatabase": nil,
	"database_readonly": nil, "search_type": nil, "folder": nil, "evaluate": nil,
}

func (sv *server) info(r *request) {
	key, value, _ := strings.Cut(r.args, " ")
	key, value = strings.ToLower(key), strings.TrimSpace(value)
	switch key {
	case "game": // our own: omok, pente or keryo, games that INFO rule has no number for
		sv.named = strings.ToLower(value)
		sv.retune()
		return
	case "book": // our own: a file, on for our own books, off for none
		if err := sv.s.UseBook(value); err != nil {
			sv.note = "play goes on without a book: " + err.Error()
		}
		return
	case "net": // our own: a file, on for our own networks, off for none
		if _, err := sv.s.UseNet(value); err != nil {
			sv.note = "play goes on with the network that was there: " + err.Error()
		}
		return
	case "captured":
		// Our own, "own,opponent": how many stones (not pairs) each side has captured. The
		// next BOARD is then the stones that are left, in any order.
		if ns, ok := numbers(value); ok && len(ns) == 2 {
			sv.captured = &[4]int{own: ns[0], other: ns[1]}
		}
		return
	}
	set := infoKeys[key]
	if set == nil {
		return
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if e, ok := err.(*strconv.NumError); err != nil && !(ok && e.Err == strconv.ErrRange) {
		return // but a number too large is a large number
	}
	set(sv, n)
}

// baseMemory is what the process needs besides the hash table, for clients that give the
// size of that alone.
const baseMemory = 64 << 20

// threadMemory is how much of the process must be there for each search thread: stacks, a
// position and what it remembers take more than 1 MiB, and most is the hash table's.
const threadMemory = 6 << 20

func (sv *server) configure() {
	o := engine.Options{Threads: sv.threads, Memory: sv.memory}
	if sv.hash > 0 && (o.Memory == 0 || sv.hash+baseMemory < o.Memory) {
		o.Memory = sv.hash + baseMemory
	}
	// A manager that counts memory ends a game for it, but not for fewer threads. The size of
	// a hash table is no limit of the process.
	room := sv.memory
	if room == 0 {
		room = max(o.Memory, engine.DefaultMemory)
	}
	o.Threads = min(o.Threads, int(max(room/threadMemory, 1)))
	sv.s.Configure(o)
}

// limitNodes lets max_node and strength act, whichever is less.
func (sv *server) limitNodes() {
	n := sv.nodes
	if s := protocol.StrengthNodes(100 - sv.weaker); s > 0 && (n == 0 || s < n) {
		n = s
	}
	sv.s.Clock.Nodes = n
}
