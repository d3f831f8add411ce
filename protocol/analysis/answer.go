package analysis

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"tengen/engine/game"
	"tengen/engine/weiqi"
	"tengen/protocol/gtp"
)

// number is written with as many digits as mean something.
type number float64

func (x number) MarshalJSON() ([]byte, error) { return appendNumber(nil, float64(x), 8), nil }

func appendNumber(b []byte, x float64, digits int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		x = 0 // JSON has no word for it
	}
	return strconv.AppendFloat(b, x+0, 'g', digits, 64) // no negative zero
}

// numbers are many at once.
type numbers []float32

func (xs numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range xs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, float64(x), 6)
	}
	return append(b, ']'), nil
}

// result answers for one turn of a query.
type result struct {
	ID         string     `json:"id"`
	During     bool       `json:"isDuringSearch"`
	Moves      []moveInfo `json:"moveInfos"`
	Owner      numbers    `json:"ownership,omitempty"`
	OwnerDev   numbers    `json:"ownershipStdev,omitempty"`
	Policy     numbers    `json:"policy,omitempty"`
	Root       rootInfo   `json:"rootInfo"`
	TurnNumber int        `json:"turnNumber"`
}

// nothing answers for a turn that was not looked at.
type nothing struct {
	ID         string `json:"id"`
	During     bool   `json:"isDuringSearch"`
	NoResults  bool   `json:"noResults"`
	TurnNumber int    `json:"turnNumber"`
}

// failure is an answer that something is wrong, warning one that something is odd.
type failure struct {
	Error string  `json:"error"`
	Field string  `json:"field,omitempty"`
	ID    *string `json:"id,omitempty"`
}

type warning struct {
	Field   string `json:"field"`
	ID      string `json:"id"`
	Warning string `json:"warning"`
}

// values are what is told of a move and of the position alike.
type values struct {
	Lead     number  `json:"scoreLead"`
	Mean     number  `json:"scoreMean"`
	Selfplay number  `json:"scoreSelfplay"`
	Stdev    number  `json:"scoreStdev"`
	Utility  number  `json:"utility"`
	Visits   int64   `json:"visits"`
	Weight   int64   `json:"weight"` // every visit weighs as much
	WinRate  number  `json:"winrate"`
	LCB      number  `json:"lcb"`
	NoResult *number `json:"noResultValue,omitempty"`
}

type moveInfo struct {
	values
	EdgeVisits int64    `json:"edgeVisits"` // no two moves lead to one position: a tree
	EdgeWeight int64    `json:"edgeWeight"`
	Move       string   `json:"move"`
	Order      int      `json:"order"`
	Owner      numbers  `json:"ownership,omitempty"`
	OwnerDev   numbers  `json:"ownershipStdev,omitempty"`
	Chosen     int64    `json:"playSelectionValue"` // the order is by visits
	Prior      number   `json:"prior"`
	PV         []string `json:"pv"`
	PVVisits   []int64  `json:"pvVisits,omitempty"`
	PVEdges    []int64  `json:"pvEdgeVisits,omitempty"`
	UtilityLCB number   `json:"utilityLcb"`
}

type rootInfo struct {
	values
	*raw
	Player   string `json:"currentPlayer"`
	ThisHash string `json:"thisHash"`
	SymHash  string `json:"symHash"`
}

// raw is what the network alone says.
type raw struct {
	Lead       number `json:"rawLead"`
	NoResult   number `json:"rawNoResultProb"`
	Score      number `json:"rawScoreSelfplay"`
	ScoreDev   number `json:"rawScoreSelfplayStdev"`
	ScoreError number `json:"rawStScoreError"`
	WinError   number `json:"rawStWrError"`
	TimeLeft   number `json:"rawVarTimeLeft"`
	WinRate    number `json:"rawWinrate"`
}

// view is how values are seen: as the side to move does, or as the other.
type view struct{ other bool }

func (v view) chance(x float64) number {
	if v.other {
		x = 1 - x
	}
	return number(x)
}

func (v view) points(x float64) number {
	if v.other {
		x = -x
	}
	return number(x)
}

func (v view) owner(xs []float32) numbers {
	if v.other {
		xs = append([]float32(nil), xs...)
		for i := range xs {
			xs[i] = -xs[i]
		}
	}
	return xs
}

func (q *query) values(e *game.Estimate, v view) values {
	vs := values{
		Lead: v.points(e.Lead), Mean: v.points(e.Lead), Selfplay: v.points(e.Score), Stdev: number(e.ScoreDev),
		Utility: v.points(e.Utility), Visits: e.Visits, Weight: e.Visits,
		WinRate: v.chance(e.Win), LCB: v.chance(e.WinLow),
	}
	if q.noResult {
		x := number(e.NoResult)
		vs.NoResult = &x
	}
	return vs
}

// result writes an analysis of a turn.
func (q *query) result(turn int, a *game.Analysis, hashes [2]string, during bool) *result {
	v := view{other: q.View != game.Empty && q.View != a.Side}
	size := q.rec.Variant.Size
	r := &result{ID: q.id, TurnNumber: turn, During: during, Moves: []moveInfo{}}
	for i := range a.Moves {
		e := &a.Moves[i]
		m := moveInfo{
			values: q.values(e, v), EdgeVisits: e.Visits, EdgeWeight: e.Visits, Chosen: e.Visits,
			Move: gtp.Vertex(e.Point, size), Order: i, Prior: number(e.Prior), UtilityLCB: v.points(e.UtilityLow),
		}
		n := min(len(e.PV), q.PVLen+1)
		for _, p := range e.PV[:n] {
			m.PV = append(m.PV, gtp.Vertex(p, size))
		}
		if q.pvVisits {
			m.PVVisits = e.PVVisits[:n]
			m.PVEdges = m.PVVisits
		}
		if q.moveOwners {
			m.Owner = v.owner(e.Owner)
		}
		if q.moveOwnerDev {
			m.OwnerDev = e.OwnerDev
		}
		r.Moves = append(r.Moves, m)
	}
	r.Root = rootInfo{values: q.values(&a.Root, v), Player: strings.ToUpper(a.Side.String()[:1]), ThisHash: hashes[0], SymHash: hashes[1]}
	if n := a.Net; n != nil {
		r.Root.raw = &raw{
			Lead: v.points(n.Lead), NoResult: number(n.NoResult), Score: v.points(n.Score), ScoreDev: number(n.ScoreDev),
			ScoreError: number(n.ScoreError), WinError: number(n.WinError / 2), // half: of a chance, not of -1 to 1
			TimeLeft: number(n.TimeLeft), WinRate: v.chance(n.Win),
		}
	}
	if q.owners {
		r.Owner = v.owner(a.Root.Owner)
	}
	if q.ownerDev {
		r.OwnerDev = a.Root.OwnerDev
	}
	if q.policy {
		r.Policy = a.Policy
	}
	return r
}

// hashesOf names the position at the end of a record, whose turn it is and where it may not be
// retaken: as it lies, and the same for all ways that a board can lie.
func hashesOf(rec *game.Record) (hashes [2]string, err error) {
	g, err := weiqi.Replay(rec)
	if err != nil {
		return hashes, err
	}
	p, size := g.Position(), rec.Variant.Size
	stones := make([]byte, size*size+2)
	var this, least string
	for s := range game.Symmetries {
		stones[0], stones[1] = byte(size), byte(p.Side())
		at := func(q game.Point) *byte {
			t := q.Turned(size, s)
			return &stones[2+t.Y()*size+t.X()]
		}
		for y := range size {
			for x := range size {
				q := game.At(x, y)
				*at(q) = byte(p.At(q))
			}
		}
		if q := p.Banned(); q != game.NoPoint {
			*at(q) = byte(game.Wall)
		}
		sum := sha256.Sum256(stones)
		h := strings.ToUpper(hex.EncodeToString(sum[:16]))
		if s == 0 {
			this = h
		}
		if least == "" || h < least {
			least = h
		}
	}
	return [2]string{this, least}, nil
}

// encode writes an answer as a line.
func encode(answer any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		b.Reset()
		e.Encode(failure{Error: err.Error()})
	}
	return b.Bytes()
}
