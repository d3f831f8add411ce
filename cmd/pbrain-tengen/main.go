// Command pbrain-tengen is the engine for Piskvork, the Gomocup judge and the other
// managers of the line games. It takes no arguments and passes over any it gets.
package main

import "tengen/protocol/brain"

func main() { brain.Main() }
