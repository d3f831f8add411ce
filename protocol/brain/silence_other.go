//go:build !windows && (!unix || solaris || illumos || aix)

package brain

func silence() {}
