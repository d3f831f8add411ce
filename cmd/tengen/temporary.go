package main

import "os"

// main stands in for the dispatcher until that lands; this file goes then.
func main() {
	if len(os.Args) < 2 {
		os.Exit(2)
	}
	switch os.Args[1] {
	case "convert":
		os.Exit(convert(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	case "render":
		os.Exit(render(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(2)
}
