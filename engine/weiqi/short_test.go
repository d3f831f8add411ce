//go:build !long

package weiqi

// twinGames is how many random games are played against the slow twin: 1,500, with the
// build tag long 100,000.
const twinGames = 1500
