package piskvork

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/protocol"
)

// The lines of a program, read by a manager that expects anything.

func clientPoint(p game.Point) string {
	return strconv.Itoa(p.X()) + "," + strconv.Itoa(p.Y())
}

// clientPoints reads "x,y" and, for Swap2, "x,y x,y ...".
func clientPoints(s string, size int) ([]game.Point, error) {
	// Blanks around a comma are harmless and seen.
	s = strings.ReplaceAll(s, "\t", " ")
	for strings.Contains(s, " ,") {
		s = strings.ReplaceAll(s, " ,", ",")
	}
	for strings.Contains(s, ", ") {
		s = strings.ReplaceAll(s, ", ", ",")
	}
	var ps []game.Point
	bad := false
	for _, f := range strings.Fields(s) {
		a, b, ok := strings.Cut(f, ",")
		x, err1 := strconv.Atoi(a)
		y, err2 := strconv.Atoi(b)
		if !ok || err1 != nil || err2 != nil || len(ps) == 8 {
			return nil, errClientNoAnswer
		}
		if x < 0 || x >= size || y < 0 || y >= size {
			bad = true
			x, y = 0, 0
		}
		ps = append(ps, game.At(x, y))
	}
	switch {
	case len(ps) == 0:
		return nil, errClientNoAnswer
	case bad:
		return nil, errClientBadPoint
	}
	return ps, nil
}

// clientRefusal tells an ERROR or UNKNOWN line from all others.
func clientRefusal(s string) protocol.FaultKind {
	switch word, _, _ := strings.Cut(strings.TrimSpace(s), " "); strings.ToUpper(strings.TrimSuffix(word, ":")) {
	case "ERROR":
		return protocol.Refused
	case "UNKNOWN":
		return protocol.Unknown
	}
	return 0
}

// clientMessage returns the text of a MESSAGE or DEBUG line.
func clientMessage(s string) (string, bool) {
	word, text, _ := strings.Cut(s, " ")
	if w := strings.ToUpper(word); w == "MESSAGE" || w == "DEBUG" {
		return strings.TrimSpace(text), true
	}
	return "", false
}

// clientParseAbout reads name="..", version="..", ...; quotes may be missing.
func clientParseAbout(s string) (a protocol.About, ok bool) {
	for s = strings.TrimSpace(s); s != ""; {
		key, rest, found := strings.Cut(s, "=")
		if !found {
			break
		}
		var value string
		rest = strings.TrimLeft(rest, " ")
		if strings.HasPrefix(rest, `"`) {
			value, s, _ = strings.Cut(rest[1:], `"`)
		} else {
			value, s, _ = strings.Cut(rest, ",")
		}
		s = strings.TrimLeft(s, ", ")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "name":
			a.Name, ok = value, true
		case "version":
			a.Version = value
		case "author":
			a.Author = value
		case "country":
			a.Country = value
		}
	}
	return a, ok
}

// clientInfo adds to in what a message tells of a search, and reports whether it told
// anything. These shapes are known (values, depths and moves in the field's notation):
//
//	depth 12-20 ev 35 n 101k n/ms 140 tm 655 pv H8 I9
//	dep 12-20 ev +v15 nd 101k tm 655 sp 154
//	(2) -21 | 12-20 | H8 I9
//	Depth 23-30 | Eval +M7 | Time 4320ms | I6 G7
//	Speed 251K | Depth 16-29 | Eval -145 | Node 196K | Time 782ms
//	Bestline H8 I9
//	Nodes=42189, Time=567ms, speed=74407, depth=6-13, Evaluation=51
func clientInfo(in game.Info, text string, size int) (game.Info, bool) {
	if k, rest, ok := clientNumbered(text); ok {
		parts := strings.Split(rest, "|")
		v, ok := clientValue(strings.TrimSpace(parts[0]))
		if !ok {
			return in, false
		}
		out := game.Info{MultiPV: k, Value: v, Nodes: in.Nodes, Time: in.Time}
		if len(parts) > 1 {
			out.Depth, out.SelDepth, _ = clientDepth(strings.TrimSpace(parts[1]))
		}
		if len(parts) > 2 {
			out.PV = clientLine(strings.Fields(parts[2]), size)
		}
		return out, true
	}

	out := in
	out.MultiPV = 1
	known := false
	words := strings.Fields(strings.NewReplacer("|", " ", "=", " ", ",", " ").Replace(text))
	for i := 0; i+1 < len(words); i++ {
		value, ok := words[i+1], false
		switch strings.ToLower(words[i]) {
		case "depth", "dep":
			var d, sd int
			if d, sd, ok = clientDepth(value); ok {
				out.Depth, out.SelDepth, known = d, sd, true
			}
		case "ev", "eval", "evaluation":
			var v int
			if v, ok = clientValue(value); ok {
				out.Value, known = v, true
			}
		case "n", "nd", "node", "nodes":
			var n float64
			if n, ok = clientCount(value); ok {
				out.Nodes = int64(n)
			}
		case "tm", "time":
			var ms float64
			if ms, ok = clientCount(strings.TrimSuffix(value, "ms")); ok {
				out.Time = time.Duration(ms * float64(time.Millisecond))
			}
		case "pv", "bestline":
			if pv := clientLine(words[i+1:], size); pv != nil {
				out.PV = pv
				return out, true
			}
		}
		if ok {
			i++
		}
	}
	if !known {
		return in, false
	}
	// "Depth .. | Eval .. | Time .. | moves": the moves stand alone at the end.
	if at := strings.LastIndex(text, "|"); at >= 0 {
		if pv := clientLine(strings.Fields(text[at+1:]), size); pv != nil {
			out.PV = pv
		}
	}
	return out, true
}

// clientNumbered splits "(k) rest".
func clientNumbered(s string) (k int, rest string, ok bool) {
	if !strings.HasPrefix(s, "(") {
		return 0, "", false
	}
	n, rest, ok := strings.Cut(s[1:], ")")
	k, err := strconv.Atoi(strings.TrimSpace(n))
	return k, rest, ok && err == nil && k >= 1 && k <= game.NumPoints
}

// clientDepth reads "12-20" or "12".
func clientDepth(s string) (d, sd int, ok bool) {
	a, b, both := strings.Cut(s, "-")
	d, err := strconv.Atoi(a)
	if err != nil || d < 0 || d > math.MaxInt32 {
		return 0, 0, false
	}
	sd = d
	if n, err := strconv.Atoi(b); both && err == nil && n >= 0 && n <= math.MaxInt32 {
		sd = n
	}
	return d, sd, true
}

// clientValue reads "35", "60.1", "+M7", "-M4" and "+v15", the last three being wins and
// losses so many plies away.
func clientValue(s string) (int, bool) {
	t := strings.TrimLeft(s, "+-")
	negative := strings.HasPrefix(s, "-")
	if len(s)-len(t) > 1 || t == "" {
		return 0, false
	}
	v := 0
	switch t[0] {
	case 'M', 'm', 'V', 'v':
		n, err := strconv.Atoi(t[1:])
		if err != nil || n < 0 || n > game.MaxPly {
			return 0, false
		}
		v = game.Win - n
	default:
		f, err := strconv.ParseFloat(t, 64)
		if err != nil || math.IsNaN(f) {
			return 0, false
		}
		v = int(min(f, game.MaxValue)) // another program's large value announces no win
	}
	if negative {
		v = -v
	}
	return v, true
}

// clientCount reads a number with K, M or G behind it.
func clientCount(s string) (float64, bool) {
	unit := 1.0
	if s != "" {
		switch s[len(s)-1] {
		case 'k', 'K':
			unit = 1e3
		case 'm', 'M':
			unit = 1e6
		case 'g', 'G':
			unit = 1e9
		}
	}
	if unit != 1 {
		s = s[:len(s)-1]
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f*unit < 1e15) {
		return 0, false
	}
	return f * unit, true
}

// clientLine reads moves up to the first word that is none. A move may carry its side
// in front, "Xf4".
func clientLine(words []string, size int) []game.Point {
	var pv []game.Point
	for _, w := range words {
		p, err := game.ParseName(w, size)
		if err != nil && len(w) > 2 && strings.ContainsRune("XOxo", rune(w[0])) {
			p, err = game.ParseName(w[1:], size)
		}
		if err != nil || p == game.Pass {
			break
		}
		pv = append(pv, p)
	}
	return pv
}
