package analysis

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
	"tengen/engine/weiqi"
	"tengen/protocol/gtp"
)

// query is what is asked about positions of one game.
type query struct {
	id string
	Settings
	rec   game.Record
	turns []turn // whose positions are asked for, in order

	owners, ownerDev, moveOwners, moveOwnerDev bool
	policy, pvVisits, noResult                 bool

	first, every time.Duration // of reports during the search, 0 for none
	barred       *[2][game.NumPoints]uint16
	warnings     []complaint
}

// weight is about how many bytes each position takes that waits.
func (q *query) weight() int64 {
	n := 4*len(q.rec.Moves) + 2*len(q.rec.Setup.Black) + 2*len(q.rec.Setup.White) + len(q.id) + 500
	if q.barred != nil {
		n += 4 * game.NumPoints
	}
	return int64(n/max(len(q.turns), 1) + 64)
}

// turn is a position of a query: after so many moves.
type turn struct {
	number   int
	priority int64
}

// complaint is what is wrong with a field of a query.
type complaint struct{ field, text string }

func (c complaint) Error() string { return c.text }

func complain(field, format string, args ...any) error {
	return complaint{field, fmt.Sprintf(format, args...)}
}

// fields is a query as it was read: each field's text.
type fields map[string]json.RawMessage

// decode reads a line. It must be an object.
func decode(line []byte) (fields, error) {
	var f fields
	switch {
	case json.Unmarshal(line, &f) == nil && f != nil:
		return f, nil
	case json.Valid(line):
		return nil, fmt.Errorf("this is not an object: %.200s", line)
	}
	return nil, fmt.Errorf("this is not JSON: %.200s", line)
}

func (f fields) has(key string) bool { _, ok := f[key]; return ok }

// text returns a field that is a string.
func (f fields) text(key string) (string, bool) {
	var s *string
	err := json.Unmarshal(f[key], &s)
	if err != nil || s == nil {
		return "", false
	}
	return *s, true
}

// known are the fields that a query may have. Others are told, since they may be misspelt.
var known = map[string]bool{}

func init() {
	for _, key := range strings.Fields(`id action terminateId turnNumbers boardXSize boardYSize
		initialStones moves initialPlayer analyzeTurns priorities rules komi whiteHandicapBonus
		overrideSettings maxVisits analysisPVLen rootFpuReductionMax rootPolicyTemperature
		includeMovesOwnership includeMovesOwnershipStdev includeOwnership includeOwnershipStdev
		includePolicy includePVVisits includeNoResultValue reportDuringSearchEvery
		firstReportDuringSearchAfter priority allowMoves avoidMoves`) {
		known[key] = true
	}
}

// mostMoves bounds a game. None is so long.
const mostMoves = 10000

// parser reads one query.
type parser struct {
	fields
	q    *query
	size int
}

// parse reads a query whose settings are s unless it says otherwise. network says whether
// positions are judged by one. The error is a complaint.
func parse(f fields, id string, s Settings, network bool) (*query, error) {
	p := &parser{fields: f, q: &query{id: id, Settings: s}}
	for _, step := range []func() error{
		p.board, p.rules, p.stones, p.plays, p.which, p.settings, p.wishes, p.bars,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if !known[key] {
			p.warn(key, "there is no such field in a query, it has no effect")
		}
	}
	if !network && p.q.wider() {
		p.warn("overrideSettings", "rootPolicyTemperature, rootFpuReductionMax and wideRootNoise have no effect without a network")
	}
	return p.q, nil
}

func (p *parser) warn(field, text string) {
	p.q.warnings = append(p.q.warnings, complaint{field, text})
}

// number reads a number within bounds, if the field is there.
func (p *parser) number(of fields, key, what string, least, most float64) (x float64, ok bool, err error) {
	if !of.has(key) {
		return 0, false, nil
	}
	bad := complain(key, "expected %s from %s", what, span(least, most))
	x, e := strconv.ParseFloat(string(of[key]), 64) // so nothing but a number of JSON
	if e != nil || !(x >= least && x <= most) || what == whole && x != math.Trunc(x) {
		return 0, false, bad
	}
	return x, true, nil
}

const (
	whole   = "an integer"
	anyReal = "a number"
)

func (p *parser) board() error {
	size := [2]int{}
	for i, key := range []string{"boardXSize", "boardYSize"} {
		x, ok, err := p.number(p.fields, key, whole, weiqi.MinSize, weiqi.MaxSize)
		if !ok {
			return complain(key, "expected the size of the board, from %d to %d", weiqi.MinSize, weiqi.MaxSize)
		}
		if err != nil {
			return err
		}
		size[i] = int(x)
	}
	if size[0] != size[1] {
		return complain("boardYSize", "only square boards are played on: boardXSize and boardYSize must be equal")
	}
	p.size = size[0]
	p.q.rec.Variant = game.Variant{Rule: game.Weiqi, Size: p.size}
	return nil
}

var errRules = complain("rules", "expected the name of a rule set or an object that describes one")

func (p *parser) rules() error {
	raw := p.fields["rules"]
	name, isText := p.text("rules")
	var komi *float64
	switch {
	case isText && !strings.HasPrefix(strings.TrimSpace(name), "{"):
	case isText:
		raw = json.RawMessage(strings.TrimSpace(name)) // an object in a string
		fallthrough
	default:
		var f fields
		if json.Unmarshal(raw, &f) != nil || f == nil {
			return errRules
		}
		for key := range f {
			switch key {
			case "ko", "scoring", "tax", "suicide", "hasButton", "whiteHandicapBonus", "friendlyPassOk":
			case "score":
				f["scoring"] = f["score"]
			case "komi":
				x, _, err := p.number(f, "komi", anyReal, -mostKomi, mostKomi)
				if err != nil {
					return complain("rules", "the komi of these rules is none: %.200s", raw)
				}
				komi = &x
			default:
				return complain("rules", "rules have no %.80q", key)
			}
		}
		delete(f, "score")
		delete(f, "komi")
		b, _ := json.Marshal(f)
		name = string(b)
	}
	base, err := weiqi.ParseRules("tromp-taylor")
	if err != nil {
		return complain("rules", "%v", err)
	}
	r, err := gtp.ParseRules(name, base)
	if err != nil {
		return complain("rules", "%v: %.200s", err, name)
	}
	if p.has("whiteHandicapBonus") {
		s, ok := p.text("whiteHandicapBonus")
		r2, err := weiqi.ParseRules(r.String() + " bonus=" + strings.ToLower(s))
		if !ok || strings.ContainsAny(s, " \t\n\r") || err != nil {
			return complain("whiteHandicapBonus", "expected \"0\", \"N\" or \"N-1\"")
		}
		r = r2
	}
	v := &p.q.rec.Variant
	if v.Ruleset, v.Komi = r.String(), r.Komi; komi != nil {
		v.Komi = *komi
	}
	if p.has("komi") {
		x, _, err := p.number(p.fields, "komi", anyReal, -mostKomi, mostKomi)
		if err != nil || 2*x != math.Trunc(2*x) {
			return complain("komi", "expected a multiple of 0.5 from -%d to %d", mostKomi, mostKomi)
		}
		v.Komi = x
	}
	return nil
}

const mostKomi = 400

// location reads a vertex of GTP, or "(x,y)" counted from 0 at the top left.
func (p *parser) location(s string) (game.Point, bool) {
	if q, err := gtp.ParseVertex(s, p.size); err == nil {
		return q, true
	}
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(inner, ")") {
		a, b, _ := strings.Cut(inner[:len(inner)-1], ",")
		x, err1 := strconv.Atoi(strings.TrimSpace(a))
		y, err2 := strconv.Atoi(strings.TrimSpace(b))
		if err1 == nil && err2 == nil && 0 <= x && x < p.size && 0 <= y && y < p.size {
			return game.At(x, y), true
		}
	}
	return game.NoPoint, false
}

// moves reads pairs of a colour and a location.
func (p *parser) moves(key string, pass bool) (ms []game.Move, err error) {
	var pairs [][]string
	if json.Unmarshal(p.fields[key], &pairs) != nil || pairs == nil {
		return nil, complain(key, "expected a list of pairs of a player and a point, as [\"B\",\"C3\"]")
	}
	for _, pair := range pairs {
		if len(pair) != 2 {
			return nil, complain(key, "expected a list of pairs of a player and a point, as [\"B\",\"C3\"]")
		}
		c, err := gtp.ParseColor(pair[0])
		if err != nil {
			return nil, complain(key, "expected the player B or W, not %.80q", pair[0])
		}
		q, ok := p.location(pair[1])
		if !ok || q == game.Pass && !pass {
			return nil, complain(key, "no point of the board: %.80q", pair[1])
		}
		ms = append(ms, game.Move{Color: c, Point: q})
	}
	return ms, nil
}

// stones reads the position at the start. A point that is named twice has what it is named last.
func (p *parser) stones() error {
	if !p.has("initialStones") {
		return nil
	}
	ms, err := p.moves("initialStones", false)
	if err != nil {
		return err
	}
	last := map[game.Point]game.Color{}
	for _, m := range ms {
		last[m.Point] = m.Color
	}
	s := &p.q.rec.Setup
	for _, m := range ms {
		c, ok := last[m.Point]
		switch {
		case !ok:
		case c == game.Black:
			s.Black = append(s.Black, m.Point)
		default:
			s.White = append(s.White, m.Point)
		}
		delete(last, m.Point)
	}
	return nil
}

// plays reads the moves, and plays them.
func (p *parser) plays() error {
	if !p.has("moves") {
		return complain("moves", "expected the moves of the game, which may be none: []")
	}
	ms, err := p.moves("moves", true)
	if err != nil {
		return err
	}
	if len(ms) > mostMoves {
		return complain("moves", "a game may have %d moves", mostMoves)
	}
	s := &p.q.rec.Setup
	switch {
	case p.has("initialPlayer"):
		text, _ := p.text("initialPlayer")
		c, err := gtp.ParseColor(text)
		if err != nil {
			return complain("initialPlayer", "expected the player B or W")
		}
		s.ToMove = c
	case len(ms) > 0:
		s.ToMove = ms[0].Color
	case weiqi.Handicap(&p.q.rec) > 0:
		s.ToMove = game.White
	}
	g, err := weiqi.Replay(&p.q.rec)
	if err != nil {
		var bad *game.Illegal
		if errors.As(err, &bad) {
			return complain("initialStones", "no position, %s: %s", gtp.Vertex(bad.Point, p.size), bad.Rule)
		}
		return complain("initialStones", "%v", err)
	}
	for i, m := range ms {
		g.SetToMove(m.Color)
		if err := g.Play(m.Point); err != nil {
			return complain("moves", "Illegal move %d: %s", i, gtp.Vertex(m.Point, p.size))
		}
	}
	p.q.rec.Moves = ms
	return nil
}

// which reads the turns that are asked for.
func (p *parser) which() error {
	all := len(p.q.rec.Moves)
	numbers := []int{all}
	if p.has("analyzeTurns") {
		numbers = nil
		if json.Unmarshal(p.fields["analyzeTurns"], &numbers) != nil || numbers == nil {
			return complain("analyzeTurns", "expected a list of turns")
		}
	}
	for _, n := range numbers {
		if n < 0 || n > all {
			return complain("analyzeTurns", "there is no turn %d in a game of %d moves", n, all)
		}
	}
	const farPriority = 1<<62 - 1
	priority := int64(0)
	if p.has("priority") {
		if p.has("priorities") {
			return complain("priority", "expected priority or priorities, not both")
		}
		if json.Unmarshal(p.fields["priority"], &priority) != nil || priority > farPriority || priority < -farPriority || isNull(p.fields["priority"]) {
			return complain("priority", "expected an integer between -2^62 and 2^62")
		}
	}
	var own []int64
	if p.has("priorities") {
		switch {
		case json.Unmarshal(p.fields["priorities"], &own) != nil || own == nil:
			return complain("priorities", "expected a list of integers")
		case !p.has("analyzeTurns"):
			return complain("priorities", "they are those of analyzeTurns, which is not there")
		case len(own) != len(numbers):
			return complain("priorities", "expected as many as there are in analyzeTurns")
		}
		for _, x := range own {
			if x > farPriority || x < -farPriority {
				return complain("priorities", "expected integers between -2^62 and 2^62")
			}
		}
	}
	by := map[int]int64{}
	for i, n := range numbers {
		if by[n] = priority; own != nil {
			by[n] = own[i]
		}
	}
	for _, n := range slices.Sorted(maps.Keys(by)) {
		p.q.turns = append(p.q.turns, turn{n, by[n]})
	}
	return nil
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(raw, []byte("null")) }

// settings reads what the query sets for itself.
func (p *parser) settings() error {
	if p.has("overrideSettings") {
		var f fields
		if json.Unmarshal(p.fields["overrideSettings"], &f) != nil || f == nil {
			return complain("overrideSettings", "expected an object")
		}
		var unknown []string
		for _, key := range slices.Sorted(maps.Keys(f)) {
			value, ok := f.text(key)
			if !ok {
				value = string(f[key])
			}
			known, err := p.q.Set(key, value)
			if err != nil {
				return complain("overrideSettings", "%v", err)
			}
			if !known {
				unknown = append(unknown, key)
			}
		}
		if unknown != nil {
			p.warn("overrideSettings", fmt.Sprintf("these settings have no effect: %.500s", strings.Join(unknown, ", ")))
		}
	}
	for _, key := range []string{"maxVisits", "analysisPVLen", "rootFpuReductionMax", "rootPolicyTemperature"} {
		if !p.has(key) {
			continue
		}
		what, least, most := anyReal, 0.0, 100.0
		switch key {
		case "maxVisits":
			what, least, most = whole, 1, mostVisits
		case "analysisPVLen":
			what, least, most = whole, 1, mostPVLen
		case "rootFpuReductionMax":
			most = 2
		case "rootPolicyTemperature":
			least = 0.01
		}
		if _, _, err := p.number(p.fields, key, what, least, most); err != nil {
			return err
		}
		if _, err := p.q.Set(key, string(p.fields[key])); err != nil {
			return complain(key, "%v", err)
		}
	}
	return nil
}

// wishes reads what the answers are to hold, and when they are to come.
func (p *parser) wishes() error {
	q := p.q
	for key, to := range map[string]*bool{
		"includeOwnership": &q.owners, "includeOwnershipStdev": &q.ownerDev,
		"includeMovesOwnership": &q.moveOwners, "includeMovesOwnershipStdev": &q.moveOwnerDev,
		"includePolicy": &q.policy, "includePVVisits": &q.pvVisits, "includeNoResultValue": &q.noResult,
	} {
		if !p.has(key) {
			continue
		}
		var b *bool
		if json.Unmarshal(p.fields[key], &b) != nil || b == nil {
			return complain(key, "expected true or false")
		}
		*to = *b
	}
	for key, to := range map[string]*time.Duration{
		"reportDuringSearchEvery": &q.every, "firstReportDuringSearchAfter": &q.first,
	} {
		x, ok, err := p.number(p.fields, key, "a number of seconds", 0.001, 1e6)
		if err != nil {
			return err
		}
		if ok {
			*to = time.Duration(x * float64(time.Second))
		}
	}
	if q.first == 0 {
		q.first = q.every
	}
	return nil
}

// bars reads which moves are not to be looked at.
func (p *parser) bars() error {
	key := "avoidMoves"
	allow := p.has("allowMoves")
	if allow {
		if p.has(key) {
			return complain("allowMoves", "expected allowMoves or avoidMoves, not both")
		}
		key = "allowMoves"
	}
	if !p.has(key) {
		return nil
	}
	bad := complain(key, "expected a list of objects with player, moves and untilDepth")
	var list []fields
	if json.Unmarshal(p.fields[key], &list) != nil || list == nil {
		return bad
	}
	if len(list) == 0 {
		return nil
	}
	barred := new([2][game.NumPoints]uint16)
	var had [2]bool
	for _, f := range list {
		if !f.has("moves") || !f.has("player") || !f.has("untilDepth") {
			return bad
		}
		text, _ := f.text("player")
		c, err := gtp.ParseColor(text)
		if err != nil {
			return complain(key, "expected the player B or W")
		}
		var names []string
		if json.Unmarshal(f["moves"], &names) != nil || names == nil {
			return complain(key, "expected a list of points as moves")
		}
		depth, _, err := p.number(f, "untilDepth", whole, 1, 1e9)
		if err != nil {
			return complain(key, "expected a positive integer as untilDepth")
		}
		if allow {
			if had[c] {
				return complain(key, "expected one object for each player")
			}
			had[c] = true
			for y := range p.size {
				for x := range p.size {
					barred[c][game.At(x, y)] = uint16(min(depth, math.MaxUint16))
				}
			}
			barred[c][game.Pass] = uint16(min(depth, math.MaxUint16))
		}
		for _, name := range names {
			q, ok := p.location(name)
			if !ok {
				return complain(key, "no point of the board: %.80q", name)
			}
			if barred[c][q] = uint16(min(depth, math.MaxUint16)); allow {
				barred[c][q] = 0
			}
		}
	}
	p.q.barred = barred
	return nil
}
