package game

// Symmetries is the number of ways in which a square board can lie.
const Symmetries = 8

// Turned returns where a point of a board comes to lie in the s-th way: mirrored from left
// to right (s&1), then from top to bottom (s&2), then at the diagonal (s&4). What is no
// point of the board stays as it is.
func (p Point) Turned(size, s int) Point {
	if !p.On(size) {
		return p
	}
	x, y := p.X(), p.Y()
	if s&1 != 0 {
		x = size - 1 - x
	}
	if s&2 != 0 {
		y = size - 1 - y
	}
	if s&4 != 0 {
		x, y = y, x
	}
	return At(x, y)
}
