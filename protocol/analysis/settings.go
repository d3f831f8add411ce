package analysis

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tengen/engine/game"
)

// Settings are what holds for every query that does not say otherwise. KataGo's names for them
// are those that Set reads.
type Settings struct {
	Visits int64         // of a search
	Time   time.Duration // for a search, 0 for any
	PVLen  int           // moves of a variation after the first
	// View is the side whose values are told, Empty for the side to move.
	View game.Color
	// Temperature and Noise make the search of the first move wider, Unseen less or more so; see
	// game.Inquiry.
	Temperature, Noise float64
	Unseen             *float64
}

// Usual are the settings of KataGo's example configuration for analyses: values are Black's.
func Usual() Settings { return Settings{Visits: 500, PVLen: 15, View: game.Black, Temperature: 1} }

const (
	mostVisits = 1 << 50
	mostPVLen  = 1000
	mostTime   = 1e9 // seconds; more is none
)

// Set changes one setting. It reports whether there is one of that name.
func (s *Settings) Set(key, value string) (known bool, err error) {
	number := func(least, most float64) (x float64) {
		if x, err = strconv.ParseFloat(value, 64); err != nil || !(x >= least && x <= most) {
			err = fmt.Errorf("%s must be a number from %s", key, span(least, most))
		}
		return x
	}
	switch key {
	case "maxVisits", "maxPlayouts":
		if x := number(1, mostVisits); err == nil {
			s.Visits = int64(x)
		}
	case "maxTime":
		x := number(0, 1e20)
		if s.Time = 0; err == nil && x < mostTime {
			s.Time = max(time.Duration(x*float64(time.Second)), time.Millisecond)
		}
	case "analysisPVLen":
		if x := number(1, mostPVLen); err == nil {
			s.PVLen = int(x)
		}
	case "reportAnalysisWinratesAs":
		switch strings.ToLower(value) {
		case "black", "b":
			s.View = game.Black
		case "white", "w":
			s.View = game.White
		case "sidetomove":
			s.View = game.Empty
		default:
			err = fmt.Errorf("%s must be BLACK, WHITE or SIDETOMOVE", key)
		}
	case "rootPolicyTemperature":
		if x := number(0.01, 100); err == nil {
			s.Temperature = x
		}
	case "rootFpuReductionMax":
		if x := number(0, 2); err == nil {
			x /= 2 // it is said in parts of the way from a loss to a win
			s.Unseen = &x
		}
	case "wideRootNoise":
		if x := number(0, 5); err == nil {
			s.Noise = x
		}
	default:
		return false, nil
	}
	return true, err
}

// span writes the bounds of a number.
func span(least, most float64) string {
	return strconv.FormatFloat(least, 'f', -1, 64) + " to " + strconv.FormatFloat(most, 'f', -1, 64)
}

// temperature is that of the first moves' chances. Of KataGo's wide noise only the part is
// meant that flattens them (its example configuration, wideRootNoise): it draws nothing.
func (s *Settings) temperature() float64 { return s.Temperature * (1 + 4*s.Noise) }

// wider reports whether anything is set that only the search with a network heeds.
func (s *Settings) wider() bool { return s.temperature() != 1 || s.Unseen != nil }

// ReadConfig calls set with each line "key = value" of a configuration file in KataGo's form.
func ReadConfig(r io.Reader, set func(key, value string) error) error {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("line %d is no \"key = value\": %.80q", n, text)
		}
		if err := set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}
