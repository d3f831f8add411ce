package check

import (
	"fmt"
	"io"
	"strings"
)

// Write writes the table: a line for each point, and below those that were not met what
// breaks, what was said and why it is so.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	name := r.Name
	if name == "" {
		name = "a program without a name"
	}
	fmt.Fprintf(&b, "%s (%s) by %s: %s, %dx%d\n\n", name, strings.Join(r.Command, " "), r.Protocol, strings.Join(r.Games, ", "), r.Size, r.Size)
	for _, x := range r.Results {
		status := string(x.Status)
		if x.Status == Fail {
			status = "FAIL"
		}
		fmt.Fprintf(&b, "%-5s %-7s %s", x.ID, status, x.Require)
		switch {
		case x.Reason == "":
			b.WriteString("\n")
		case x.Status == Pass || x.Status == Skipped:
			fmt.Fprintf(&b, " (%s)\n", x.Reason)
		default:
			fmt.Fprintf(&b, "\n              %s\n", x.Reason)
			if x.Sent != "" {
				fmt.Fprintf(&b, "              sent: %s\n", x.Sent)
			}
			if x.Came != "" {
				fmt.Fprintf(&b, "              came: %s\n", x.Came)
			}
			fmt.Fprintf(&b, "              why:  %s\n", x.Why)
		}
	}
	fmt.Fprintf(&b, "\n%d points: %d passed, %d failed, %d warned, %d skipped\n", len(r.Results), r.Passed, r.Failed, r.Warned, r.Skipped)
	_, err := io.WriteString(w, b.String())
	return err
}
