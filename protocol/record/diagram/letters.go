package diagram

import (
	"math"
	"strings"
	"unicode"
)

// The letters of the PNG canvas are strokes of a pen on a grid, x from 0 to 4, y from 0 at
// the top to 6. A stroke is a list of points of two digits each, after a sign: - for
// straight lines, ~ for a curve from the first to the last point, o for a closed curve.
// A curve is what repeated cutting of corners makes of the lines (G. Chaikin, "An algorithm
// for high-speed curve generation", Computer Graphics and Image Processing 3, 1974).
const (
	letterHeight = 6
	letterWidth  = 4
	gap          = 1.7 // between letters
)

var strokes = map[rune]string{
	'0': "o1030414536160501",
	'1': "-022026",
	'2': "~011030414206 -0646",
	'3': "~01103041423323 ~23334445361605",
	'4': "-300444 -3036",
	'5': "-400003 ~03324345361605",
	'6': "~413010010516364544331304",
	'7': "-004016",
	'8': "o1030414233130201 o1333444536160504",
	'9': "~051636454130100102133342",
	'+': "-0343 -2125",
	'-': "-0343",
	'.': "-0606",
	',': "-0607",
	':': "-0202 -0505",
	'=': "-0242 -0444",
	'/': "-4006",
	'%': "-4006 o00101101 o35454636",
	'?': "~01103041422324 -2626",
	'!': "-0004 -0606",
	'(': "~10020416",
	')': "~00121406",
	' ': "",
	'A': "-062046 -1434",
	'B': "-0600 ~003041423303 ~033344453606",
	'C': "~4130100105163645",
	'D': "-0006 ~003041453606",
	'E': "-40000646 -0333",
	'F': "-400006 -0333",
	'G': "~4130100105163645 -454323",
	'H': "-0006 -4046 -0343",
	'I': "-0006",
	'J': "~3035261605",
	'K': "-0006 -4004 -1346",
	'L': "-000646",
	'M': "-0600244046",
	'N': "-06004640",
	'O': "o1030414536160501",
	'P': "-0600 ~003041423303",
	'Q': "o1030414536160501 -2446",
	'R': "-0600 ~003041423303 -2346",
	'S': "~413010010213334445361605",
	'T': "-0040 -2026",
	'U': "~000516364540",
	'V': "-002640",
	'W': "-0016223640",
	'X': "-0046 -0640",
	'Y': "-002340 -2326",
	'Z': "-00400646",
}

// unknown stands for every letter that has no strokes.
const unknown = "-0040460600"

type point struct{ x, y float64 }

type letter struct {
	left, width float64
	strokes     [][]point
}

func lettersOf(s string) []letter {
	var out []letter
	for _, r := range s {
		if r == '−' {
			r = '-'
		}
		spec, ok := strokes[unicode.ToUpper(r)]
		if !ok {
			spec = unknown
		}
		out = append(out, newLetter(spec))
	}
	return out
}

func newLetter(spec string) letter {
	if spec == "" {
		return letter{width: 2}
	}
	var l letter
	l.left = math.Inf(1)
	right := 0.0
	for _, f := range strings.Fields(spec) {
		var ps []point
		for i := 1; i+1 < len(f); i += 2 {
			p := point{float64(f[i] - '0'), float64(f[i+1] - '0')}
			l.left, right = min(l.left, p.x), max(right, p.x)
			ps = append(ps, p)
		}
		if f[0] != '-' {
			for range 3 {
				ps = cutCorners(ps, f[0] == 'o')
			}
			if f[0] == 'o' {
				ps = append(ps, ps[0])
			}
		}
		l.strokes = append(l.strokes, ps)
	}
	l.width = right - l.left
	return l
}

// cutCorners replaces each corner by two points a quarter of the way to its neighbours.
func cutCorners(ps []point, closed bool) []point {
	var out []point
	n := len(ps) - 1
	if closed {
		n++
	} else {
		out = append(out, ps[0])
	}
	for i := range n {
		a, b := ps[i], ps[(i+1)%len(ps)]
		out = append(out, point{a.x*0.75 + b.x*0.25, a.y*0.75 + b.y*0.25}, point{a.x*0.25 + b.x*0.75, a.y*0.25 + b.y*0.75})
	}
	if !closed {
		out = append(out, ps[len(ps)-1])
	}
	return out
}
