package rule

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tengen/engine/game"
)

// ParseChoice reads a choice as people write it: "swap", "stay", or points ("H8 I9 J10"),
// with the declared number of fifth moves behind them where there is one ("H8 I9 J10 4").
func ParseChoice(s string, size int) (Choice, error) {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	var c Choice
	switch {
	case len(words) == 1 && strings.EqualFold(words[0], "swap"):
		c.Swap = true
		return c, nil
	case len(words) == 1 && strings.EqualFold(words[0], "stay"):
		return c, nil
	case len(words) == 0:
		return c, errors.New("nothing was chosen")
	}
	for i, w := range words {
		if n, err := strconv.Atoi(w); err == nil && i == len(words)-1 && i > 0 {
			c.Count = n
			if n <= 0 {
				return c, fmt.Errorf("%d fifth moves", n)
			}
			break
		}
		q, err := game.ParseName(w, size)
		if err != nil || q == game.Pass {
			return c, fmt.Errorf("%q is neither swap nor stay nor a point of a %dx%d board", w, size, size)
		}
		c.Points = append(c.Points, q)
	}
	return c, nil
}

// Text returns what ParseChoice reads.
func (c Choice) Text(size int) string {
	switch {
	case c.Swap:
		return "swap"
	case len(c.Points) == 0:
		return "stay"
	case c.Count > 0:
		return names(c.Points, size) + " " + strconv.Itoa(c.Count)
	}
	return names(c.Points, size)
}

// kind names the form of a choice.
func (c Choice) kind() string {
	switch n := len(c.Points); {
	case c.Swap:
		return "to swap"
	case n == 0:
		return "to stay"
	case n == 1:
		return "one point"
	default:
		return fmt.Sprintf("%d points", n)
	}
}

func names(qs []game.Point, size int) string {
	var words []string
	for _, q := range qs {
		words = append(words, q.Name(size))
	}
	return strings.Join(words, " ")
}

// Text returns the choices so far as a line.
func (o *Opening) Text() string {
	var parts []string
	for _, c := range o.taken {
		parts = append(parts, c.Text(o.Record().Variant.Size))
	}
	return strings.Join(parts, " / ")
}

// Prompt says what the player whose turn it is may choose, "" when the opening is done.
func (o *Opening) Prompt() string {
	if o.Done() {
		return ""
	}
	step := o.Step()
	var ways []string
	for i := range step.Ways {
		ways = append(ways, o.describe(&step.Ways[i]))
	}
	return step.By.String() + ": " + strings.Join(ways, ", or ")
}

func (o *Opening) describe(w *Way) string {
	side := o.game.ToMove()
	color := func(i int) string {
		c := side
		if i%2 == 1 {
			c = c.Other()
		}
		return strings.ToLower(c.String())
	}
	text := ""
	switch n := len(w.Put); {
	case w.Swap:
		return "swap"
	case w.Keep:
		return "keep one of " + names(o.offers, o.Record().Variant.Size)
	case w.Offer != 0 && o.Offered(w) == 1:
		return "offer one fifth stone"
	case w.Offer != 0:
		return fmt.Sprintf("offer %d fifth stones, no two symmetrical", o.Offered(w))
	case n == 0:
		return "stay"
	case n == 1:
		text = fmt.Sprintf("a %s stone %v", color(0), w.Put[0])
	default:
		var each []string
		for i, z := range w.Put {
			each = append(each, fmt.Sprintf("%s %v", color(i), z))
		}
		text = fmt.Sprintf("%d stones (%s)", n, strings.Join(each, ", "))
	}
	if w.High > 0 {
		text += fmt.Sprintf(" and the number of fifth moves, %d to %d", w.Low, w.High)
	}
	return text
}
