package gtp

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tengen/engine/game"
	"tengen/engine/weiqi"
)

// counter is what only a referee of Go can do.
type counter interface {
	Count() weiqi.Count
	Score() weiqi.Score
	Position() *weiqi.Position
}

// counter returns the referee if it counts, else nil.
func (sv *server) counter() counter {
	g, _ := sv.s.Game().(counter)
	return g
}

func (sv *server) komi(args []string) (string, error) {
	if len(args) == 0 {
		return "", errors.New("komi not a float")
	}
	k, err := strconv.ParseFloat(args[0], 64)
	if err != nil || math.IsNaN(k) || math.IsInf(k, 0) {
		return "", errors.New("komi not a float")
	}
	v := sv.s.Variant()
	if v.Komi = k; sv.s.SetVariant(v) != nil {
		return "", errors.New("unacceptable komi")
	}
	return "", nil
}

func (sv *server) getKomi([]string) (string, error) {
	return strconv.FormatFloat(sv.s.Variant().Komi, 'f', -1, 64), nil
}

// KataGo's words for what a rule set consists of.
type kataRules struct {
	Ko       string `json:"ko"`
	Scoring  string `json:"scoring"`
	Tax      string `json:"tax"`
	Suicide  bool   `json:"suicide"`
	Button   bool   `json:"hasButton"`
	Bonus    string `json:"whiteHandicapBonus"`
	Friendly bool   `json:"friendlyPassOk"`
}

// getRules writes the rules as KataGo does. It has no word for the French ko, whose
// nearest relative is the situational one.
func (sv *server) getRules([]string) (string, error) {
	r, err := weiqi.RulesOf(sv.s.Variant())
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(rulesAsKata(r))
	return string(b), err
}

func rulesAsKata(r weiqi.Rules) kataRules {
	k := kataRules{Ko: strings.ToUpper(r.Ko.String()), Scoring: "AREA", Tax: "NONE",
		Suicide: r.Suicide, Bonus: strings.ToUpper(r.Bonus.String()), Friendly: !r.AsIs}
	if r.Ko == weiqi.OwnSuperko {
		k.Ko = "SITUATIONAL"
	}
	if r.Territory {
		k.Scoring, k.Tax = "TERRITORY", "SEKI"
	}
	return k
}

// setRules takes a name, or KataGo's object. What the object does not name stays; what we
// do not play is refused, so that nobody counts on it.
func (sv *server) setRules(args []string) (string, error) {
	v := sv.s.Variant()
	now, err := weiqi.RulesOf(v)
	if err != nil {
		return "", err
	}
	r, err := ParseRules(strings.Join(args, " "), now)
	if err != nil {
		return "", err
	}
	if v.Ruleset = r.String(); sv.s.SetVariant(v) != nil {
		return "", errors.New("the game so far breaks these rules")
	}
	return "", nil
}

// otherRules are names that only KataGo has for rule sets.
var otherRules = map[string]string{
	"chinese-ogs": "chinese ko=positional", "chineseogs": "chinese ko=positional",
	"chinese-kgs": "chinese ko=positional", "chinesekgs": "chinese ko=positional",
	"bga": "aga",
}

// ParseRules reads a rule set as KataGo's clients write it: a name, or an object, whose missing
// parts are those of now.
func ParseRules(s string, now weiqi.Rules) (weiqi.Rules, error) {
	if s = strings.TrimSpace(s); s == "" {
		return now, errors.New("unknown rules")
	}
	if !strings.HasPrefix(s, "{") {
		name := strings.ReplaceAll(s, "_", "-")
		if o, ok := otherRules[strings.ToLower(name)]; ok {
			name = o
		}
		r, err := weiqi.ParseRules(name)
		if err != nil {
			return now, errors.New("unknown rules")
		}
		return r, nil
	}
	k := rulesAsKata(now)
	k.Tax = ""
	if err := json.Unmarshal([]byte(s), &k); err != nil {
		return now, errors.New("cannot read the rules")
	}
	area := strings.EqualFold(k.Scoring, "AREA")
	if k.Button || k.Tax != "" && !strings.EqualFold(k.Tax, map[bool]string{true: "NONE", false: "SEKI"}[area]) {
		return now, errors.New("rules that are not played: a button, or a tax")
	}
	name := "chinese"
	switch {
	case !area:
		name = "japanese"
	case !k.Friendly:
		name = "tromp-taylor"
	}
	r, err := weiqi.ParseRules(fmt.Sprintf("%s ko=%s suicide=%v scoring=%s bonus=%s", name,
		strings.ToLower(k.Ko), k.Suicide, strings.ToLower(k.Scoring), strings.ToLower(k.Bonus)))
	if err != nil {
		return now, errors.New("unknown rules")
	}
	if now.Ko == weiqi.OwnSuperko && r.Ko == weiqi.SituationalSuperko {
		r.Ko = weiqi.OwnSuperko // as it was told
	}
	return r, nil
}

var (
	errHandicap = errors.New("invalid handicap")
	errNotEmpty = errors.New("board not empty")
)

// handicap reads the number of stones for an empty board.
func (sv *server) handicap(args []string) (int, error) {
	if len(args) == 0 {
		return 0, errHandicap
	}
	n, err := strconv.Atoi(args[0])
	switch {
	case err != nil || n < 2:
		return 0, errHandicap
	case sv.s.Stones() > 0:
		return 0, errNotEmpty
	}
	return n, nil
}

// give puts handicap stones on the board. White is to move.
func (sv *server) give(stones []game.Point) error {
	return sv.set(&game.Record{Variant: sv.s.Variant(), Setup: game.Setup{Black: stones, ToMove: game.White}})
}

func (sv *server) fixedHandicap(args []string) (string, error) {
	n, err := sv.handicap(args)
	if err != nil {
		return "", err
	}
	stones := weiqi.FixedHandicap(sv.size(), n)
	if stones == nil {
		return "", errHandicap
	}
	return vertices(stones, sv.size()), sv.give(stones)
}

func (sv *server) placeFreeHandicap(args []string) (string, error) {
	n, err := sv.handicap(args)
	if err != nil {
		return "", err
	}
	stones := weiqi.FreeHandicap(sv.size(), n)
	if len(stones) < 2 {
		return "", errHandicap
	}
	return vertices(stones, sv.size()), sv.give(stones)
}

func (sv *server) setFreeHandicap(args []string) (string, error) {
	if sv.s.Stones() > 0 {
		return "", errNotEmpty
	}
	var stones []game.Point
	for _, a := range args {
		q, err := ParseVertex(a, sv.size())
		switch {
		case err != nil || q == game.Pass:
			return "", errVertex
		case slices.Contains(stones, q):
			return "", errors.New("repeated vertex")
		}
		stones = append(stones, q)
	}
	if len(stones) < 2 || sv.give(stones) != nil {
		return "", errHandicap
	}
	return "", nil
}

// finalScore counts a game of Go as it is. A line game has a winner only: by one point,
// for managers that read a number.
func (sv *server) finalScore([]string) (string, error) {
	if g := sv.counter(); g != nil {
		return g.Score().String(), nil
	}
	switch sv.s.Game().Result().Outcome {
	case game.BlackWin:
		return "B+1", nil
	case game.WhiteWin:
		return "W+1", nil
	case game.Draw:
		return "0", nil
	}
	return "", errors.New("cannot score")
}

// finalStatusList writes the chains of a status, or GNU Go's lists of points, one chain a
// line.
func (sv *server) finalStatusList(args []string) (string, error) {
	bad := errors.New("invalid status")
	g := sv.counter()
	if len(args) == 0 || g == nil {
		return "", bad
	}
	owner := game.Wall
	switch args[0] {
	case "alive", "seki", "dead":
	case "black_territory":
		owner = game.Black
	case "white_territory":
		owner = game.White
	case "dame":
		owner = game.Empty
	default:
		return "", bad
	}
	n, p := g.Count(), g.Position()
	var lines []string
	var points []game.Point
	seen := map[game.Point]bool{}
	for q := range sv.points() {
		if q == game.Pass || seen[q] {
			continue
		}
		c := p.At(q)
		dead := c <= game.White && n.Status(q) == weiqi.Dead
		switch {
		case owner != game.Wall:
			if (c == game.Empty || dead) && n.Owner[q] == owner {
				points = append(points, q)
			}
		case c <= game.White:
			chain := p.Chain(nil, q)
			for _, s := range chain {
				seen[s] = true
			}
			slices.Sort(chain)
			if n.Status(q).String() == args[0] {
				lines = append(lines, vertices(chain, sv.size()))
			}
		}
	}
	if len(points) > 0 {
		lines = append(lines, vertices(points, sv.size()))
	}
	return strings.Join(lines, "\n"), nil
}

// finalStatus says of one point what finalStatusList lists.
func (sv *server) finalStatus(args []string) (string, error) {
	q, err := sv.onBoard(args)
	if err != nil {
		return "", err
	}
	n, c := sv.counter().Count(), sv.s.Game().At(q)
	switch status := n.Status(q); {
	case c <= game.White:
		return status.String(), nil
	case n.Owner[q] <= game.White:
		return colorWord(n.Owner[q]) + "_territory", nil
	}
	return "dame", nil
}

// unconditionalStatus says what a point is though its owner passes for ever.
func (sv *server) unconditionalStatus(args []string) (string, error) {
	q, err := sv.onBoard(args)
	if err != nil {
		return "", err
	}
	r, err := weiqi.RulesOf(sv.s.Variant())
	if err != nil {
		return "", err
	}
	life, at := sv.counter().Position().PassAlive(r.Suicide), sv.s.Game().At(q)
	for c := game.Black; c <= game.White; c++ {
		switch {
		case life.Stones[c].Has(q):
			return "alive", nil
		case life.Territory[c].Has(q) && at == c.Other():
			return "dead", nil
		case life.Territory[c].Has(q):
			return colorWord(c) + "_territory", nil
		}
	}
	return "undecided", nil
}

// onBoard reads a point of the board.
func (sv *server) onBoard(args []string) (game.Point, error) {
	if len(args) == 0 {
		return game.NoPoint, errVertex
	}
	q, err := ParseVertex(args[0], sv.size())
	if err == nil && q == game.Pass {
		err = errVertex
	}
	return q, err
}

// genMoveCleanup plays on after the passes and passes only when no opposing stone on the
// board is dead.
func (sv *server) genMoveCleanup(args []string) (string, error) {
	if len(args) == 0 {
		return "", errColor
	}
	c, err := ParseColor(args[0])
	if err != nil {
		return "", err
	}
	g := sv.counter()
	if g == nil {
		return "", errUnknown
	}
	if n := g.Count(); n.Dead[c.Other()] == 0 {
		return sv.think(args, job{plays: true}, nil)
	}
	return sv.think(args, job{plays: true}, []game.Point{game.Pass})
}

const ownerPlayouts = 100

// showTerritory is a picture of whose the points are, by the count and by playouts.
func (sv *server) showTerritory([]string) (string, error) {
	g := sv.counter()
	if g == nil {
		return "", errUnknown
	}
	n := g.Count()
	var lists [2][]game.Point
	for q := range sv.points() {
		if q != game.Pass && n.Owner[q] <= game.White {
			lists[n.Owner[q]] = append(lists[n.Owner[q]], q)
		}
	}
	own := g.Position().Owners(ownerPlayouts)
	var b strings.Builder
	b.WriteString("INFLUENCE")
	for q := range sv.points() {
		if q != game.Pass {
			fmt.Fprintf(&b, " %s %.2f", Vertex(q, sv.size()), float64(own[q])/ownerPlayouts)
		}
	}
	for c, name := range []string{"BLACK", "WHITE"} {
		if len(lists[c]) > 0 {
			fmt.Fprintf(&b, "\n%s %s", name, vertices(lists[c], sv.size()))
		}
	}
	fmt.Fprintf(&b, "\nTEXT %s", g.Score())
	return b.String(), nil
}
