//go:build !long

package gtp

// stops is how many analyses TestStops starts and stops; with -tags long, 1000.
const stops = 40
