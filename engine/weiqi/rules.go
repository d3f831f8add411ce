package weiqi

import (
	"fmt"
	"strings"

	"tengen/engine/game"
)

// Ko says which repetitions a rule set refuses.
type Ko uint8

const (
	// SimpleKo refuses only to retake at once. Longer cycles are played; the third time
	// the same position comes with the same side to move, the game has no result.
	SimpleKo Ko = iota
	// PositionalSuperko refuses any position that was on the board before.
	PositionalSuperko
	// SituationalSuperko refuses any position that was on the board before with the same
	// side to move.
	SituationalSuperko
	// OwnSuperko is the French rule read literally: a player may not, by placing a stone,
	// recreate a position that he has produced himself by placing a stone. His pass
	// produces nothing.
	OwnSuperko
	numKo
)

// Bonus says what White gets for handicap stones under area scoring, where they count.
type Bonus uint8

const (
	NoBonus  Bonus = iota
	BonusN         // a point for each handicap stone
	BonusN1        // a point for each but the first
	numBonus       // none of them
)

// Rules is a rule set of Go as data.
type Rules struct {
	Name      string // as String writes it; informative only
	Ko        Ko
	Suicide   bool // a stone may leave its own chain without liberties: the chain goes
	Territory bool // territory and prisoners count (Japan), else stones and territory (area)
	Bonus     Bonus
	AsIs      bool // every stone left on the board counts as alive
	// Komi is the usual compensation of an even game, HandicapKomi with a handicap of two
	// or more. What is counted is the komi of the game; these are for who must choose it.
	Komi, HandicapKomi float64
}

// ruleSets holds the named ones. Seki: eyes of a chain in seki count as area and do not
// count as territory. No set has a button (half a point for the first pass).
var ruleSets = []Rules{
	{Name: "french", Ko: OwnSuperko, Bonus: BonusN1, Komi: 7.5, HandicapKomi: 0.5},
	{Name: "chinese", Ko: SimpleKo, Bonus: BonusN, Komi: 7.5, HandicapKomi: 0.5},
	{Name: "japanese", Ko: SimpleKo, Territory: true, Komi: 6.5, HandicapKomi: 0.5},
	{Name: "tromp-taylor", Ko: PositionalSuperko, Suicide: true, AsIs: true, Komi: 7.5, HandicapKomi: 0.5},
	{Name: "aga", Ko: SituationalSuperko, Bonus: BonusN1, Komi: 7.5, HandicapKomi: 0.5},
	{Name: "new-zealand", Ko: SituationalSuperko, Suicide: true, Komi: 7.5, HandicapKomi: 0.5},
}

// aliases are other names of rule sets in files and commands, in lower case.
var aliases = map[string]string{
	"": "french", "ffg": "french", "cn": "chinese", "jp": "japanese", "korean": "japanese",
	"tromptaylor": "tromp-taylor", "tromp taylor": "tromp-taylor", "tt": "tromp-taylor",
	"newzealand": "new-zealand", "new zealand": "new-zealand", "nz": "new-zealand",
}

// RuleNames lists the named rule sets, the default first.
func RuleNames() []string {
	var names []string
	for _, r := range ruleSets {
		names = append(names, r.Name)
	}
	return names
}

var (
	koNames    = [numKo]string{"simple", "positional", "situational", "own"}
	bonusNames = [numBonus]string{"0", "n", "n-1"}
	yesNo      = []string{"false", "true"}
	scorings   = []string{"area", "territory"}
)

func index(names []string, s string) (int, bool) {
	for i, n := range names {
		if n == s {
			return i, true
		}
	}
	return 0, false
}

// ParseRules reads a rule set: a name, in any case and with any alias; then changes of it,
// if any: "chinese ko=positional suicide=true scoring=territory bonus=n-1". No name means
// french.
func ParseRules(s string) (Rules, error) {
	var name, changes []string
	for _, f := range strings.Fields(strings.ToLower(s)) {
		if strings.Contains(f, "=") {
			changes = append(changes, f)
		} else {
			name = append(name, f)
		}
	}
	n := strings.Join(name, " ")
	if a, ok := aliases[n]; ok {
		n = a
	}
	r := Rules{}
	for _, set := range ruleSets {
		if set.Name == n {
			r = set
		}
	}
	if r.Name == "" {
		return r, fmt.Errorf("unknown rules %q (one of %s)", s, strings.Join(RuleNames(), ", "))
	}
	for _, f := range changes {
		key, value, _ := strings.Cut(f, "=")
		i, ok := 0, false
		switch key {
		case "ko":
			i, ok = index(koNames[:], value)
			r.Ko = Ko(i)
		case "suicide":
			i, ok = index(yesNo, value)
			r.Suicide = i == 1
		case "scoring":
			i, ok = index(scorings, value)
			r.Territory = i == 1
		case "bonus":
			i, ok = index(bonusNames[:], value)
			r.Bonus = Bonus(i)
		}
		if !ok {
			return Rules{}, fmt.Errorf("unknown rule %q", f)
		}
	}
	r.Name = r.String()
	return r, nil
}

func (k Ko) String() string    { return koNames[k%numKo] }
func (b Bonus) String() string { return bonusNames[b%numBonus] }

// String writes what ParseRules reads.
func (r Rules) String() string {
	bare := r
	bare.Name = ""
	near := ruleSets[0]
	for _, set := range ruleSets {
		name := set.Name
		if strings.HasPrefix(r.Name, name) {
			near = set
		}
		if set.Name = ""; set == bare {
			return name
		}
	}
	s := near.Name
	if r.Ko != near.Ko {
		s += " ko=" + r.Ko.String()
	}
	if r.Suicide != near.Suicide {
		s += fmt.Sprintf(" suicide=%v", r.Suicide)
	}
	if r.Territory != near.Territory {
		s += " scoring=" + map[bool]string{true: "territory", false: "area"}[r.Territory]
	}
	if r.Bonus != near.Bonus {
		s += " bonus=" + r.Bonus.String()
	}
	return s
}

// UsualKomi returns the komi to play with when nobody names one.
func (r Rules) UsualKomi(handicap int) float64 {
	if handicap >= 2 {
		return r.HandicapKomi
	}
	return r.Komi
}

// BonusFor returns White's points for a handicap, to be added to the komi.
func (r Rules) BonusFor(handicap int) int {
	if handicap < 2 {
		return 0
	}
	switch r.Bonus {
	case BonusN:
		return handicap
	case BonusN1:
		return handicap - 1
	}
	return 0
}

// RulesOf returns the rules of a variant of Go, or the error that says what is not played.
func RulesOf(v game.Variant) (Rules, error) {
	if v.Rule != game.Weiqi {
		return Rules{}, fmt.Errorf("%s is not Go", v.Rule)
	}
	if v.Size < MinSize || v.Size > MaxSize {
		return Rules{}, fmt.Errorf("boards of %d to %d are played on, not of %d", MinSize, MaxSize, v.Size)
	}
	// A komi is counted in half points as a rule, and never exceeds the board by much.
	if !(v.Komi >= -1000 && v.Komi <= 1000) {
		return Rules{}, fmt.Errorf("no komi: %v", v.Komi)
	}
	return ParseRules(v.Ruleset)
}

// NewVariant returns the variant of Go under a named rule set with its usual komi.
func NewVariant(size int, ruleset string, handicap int) (game.Variant, error) {
	r, err := ParseRules(ruleset)
	if err != nil {
		return game.Variant{}, err
	}
	v := game.Variant{Rule: game.Weiqi, Size: size, Ruleset: r.String(), Komi: r.UsualKomi(handicap)}
	_, err = RulesOf(v)
	return v, err
}
