package stats

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Read adds the games of a text, one line each: the first player, the second, and 1-0, 0-1 or
// 1/2-1/2 (or 0.5-0.5); a game without result, *, does not count. A line may also sum games up,
// as first, second, wins, losses and draws of the first. Fields are parted by blanks, or by commas
// where names have blanks; what begins with # is a comment. An error names the line, and the
// lines before it have been added.
func (c *Crosstable) Read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		if strings.Contains(line, ",") {
			fields = strings.Split(line, ",")
			for i, f := range fields {
				fields[i] = strings.TrimSpace(f)
			}
		}
		if len(fields) != 3 && len(fields) != 5 {
			return fmt.Errorf("line %d: a game has 3 fields (first, second, result), a sum 5 (first, second, wins, losses, draws), not %d", n, len(fields))
		}
		w, err := parseResult(fields[2:])
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		switch {
		case fields[0] == "" || fields[1] == "":
			return fmt.Errorf("line %d: a player has no name", n)
		case fields[0] == fields[1]:
			return fmt.Errorf("line %d: %q plays itself", n, fields[0])
		}
		c.Add(fields[0], fields[1], w)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

func parseResult(fields []string) (w WLD, err error) {
	if len(fields) == 3 {
		for i, to := range []*int{&w.Wins, &w.Losses, &w.Draws} {
			if *to, err = ParseCount(fields[i]); err != nil {
				return w, err
			}
		}
		return w, nil
	}
	switch fields[0] {
	case "1-0":
		w.Wins = 1
	case "0-1":
		w.Losses = 1
	case "1/2-1/2", "0.5-0.5":
		w.Draws = 1
	case "*":
	default:
		return w, fmt.Errorf("unknown result %q (1-0, 0-1, 1/2-1/2 or *)", fields[0])
	}
	return w, nil
}

// ParseCount reads a number of games.
func ParseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1e12 {
		return 0, fmt.Errorf("%q is not a number of games", s)
	}
	return n, nil
}
