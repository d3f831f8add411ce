//go:build long

package weiqi

const twinGames = 100_000
