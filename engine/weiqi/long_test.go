//go:build long

package weiqi

// twinGames: see short_test.go. About eight minutes of one core.
const twinGames = 100_000
