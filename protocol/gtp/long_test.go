//go:build long

package gtp

// stops: see short_test.go. About three minutes.
const stops = 1000
