package record

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// decode returns text in UTF-8. name is the character set if it is known. When it is
// not, what is valid UTF-8 is taken as that, then what looks like Chinese as GBK, and
// the rest as Latin-1, the default of SGF.
func decode(data []byte, name string) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if isASCII(data) {
		return string(data), nil
	}
	var enc encoding.Encoding
	switch {
	case name != "":
		var err error
		if enc, err = htmlindex.Get(name); err != nil {
			return "", fmt.Errorf("the character set %q is unknown", name)
		}
		if canon, _ := htmlindex.Name(enc); canon == "utf-8" {
			if i := invalidUTF8(data); i >= 0 {
				return "", &Error{Line: 1 + bytes.Count(data[:i], []byte("\n")), Byte: i, What: "the text is not valid UTF-8"}
			}
			return string(data), nil
		}
	case utf8.Valid(data):
		return string(data), nil
	case looksGBK(data):
		enc = simplifiedchinese.GBK
	default:
		enc = charmap.Windows1252 // Latin-1 and the few signs that programs put into its gap
	}
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", err
	}
	if i := bytes.IndexRune(out, utf8.RuneError); i >= 0 && name != "" {
		return "", &Error{Line: 1 + bytes.Count(out[:i], []byte("\n")), Byte: i, What: fmt.Sprintf("the text is not valid %s", name)}
	}
	return string(out), nil
}

func isASCII(data []byte) bool {
	for _, c := range data {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// looksGBK reports whether all bytes above ASCII come in pairs of GB 2312, GBK's common
// part. An accented letter of Latin-1 nearly always stands between ASCII letters.
func looksGBK(data []byte) bool {
	for i := 0; i < len(data); i++ {
		if data[i] < utf8.RuneSelf {
			continue
		}
		if data[i] < 0xA1 || data[i] > 0xF7 || i+1 == len(data) || data[i+1] < 0xA1 || data[i+1] == 0xFF {
			return false
		}
		i++
	}
	return true
}

// newlines makes every spelling of a line's end a single LF: CRLF, LFCR, CR.
var newlines = strings.NewReplacer("\r\n", "\n", "\n\r", "\n", "\r", "\n")

// white makes other white space of a text blanks, as SGF has it.
var white = strings.NewReplacer("\t", " ", "\v", " ", "\f", " ")

// cleanText is a text from elsewhere as SGF would have it.
func cleanText(s string) string { return white.Replace(newlines.Replace(s)) }

// cleanLine is the same on one line.
func cleanLine(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(cleanText(s), "\n", " "))
}

// unescapeText reads a Text value of SGF: a backslash takes the next character as it is
// and joins lines before a line's end; white space other than line ends is a space.
func unescapeText(raw string) string {
	if !strings.ContainsAny(raw, "\\\r\t\v\f") {
		return raw
	}
	raw = newlines.Replace(raw)
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' {
			if i++; i == len(raw) {
				break
			}
			if c = raw[i]; c == '\n' {
				continue
			}
		}
		if c == '\t' || c == '\v' || c == '\f' {
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}

// unescapeSimple reads a SimpleText value: as Text, on one line.
func unescapeSimple(raw string) string {
	return strings.TrimSpace(strings.ReplaceAll(unescapeText(raw), "\n", " "))
}

var escaper = strings.NewReplacer(`\`, `\\`, `]`, `\]`)

// escapeText writes a Text value.
func escapeText(s string) string {
	return escaper.Replace(strings.ToValidUTF8(s, string(utf8.RuneError)))
}

// splitLines cuts text into lines without their ends and without a last empty one.
func splitLines(s string) []string {
	s = strings.TrimSuffix(newlines.Replace(s), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
