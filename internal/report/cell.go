package report

import (
	"strings"

	"github.com/rivo/uniseg"
)

// width is how many columns of a terminal s takes.
func width(s string) int { return uniseg.StringWidth(s) }

// padded is s, filled up with spaces to w columns.
func padded(s string, w int) string { return s + strings.Repeat(" ", max(0, w-width(s))) }

// maxCellLines is how many lines one cell may take.
const maxCellLines = 8

// wrap breaks s into lines of at most w columns, between words where it can. What
// does not fit into maxCellLines is cut off, which three dots show.
func wrap(s string, w int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && width(line)+1+width(word) <= w {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for width(word) > w {
			var part string
			part, word = split(word, w)
			lines = append(lines, part)
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > maxCellLines {
		lines = lines[:maxCellLines]
		last, _ := split(lines[maxCellLines-1]+" ", w-1)
		lines[maxCellLines-1] = strings.TrimRight(last, " ") + "…"
	}
	return lines
}

// split cuts off as much of s as fits into w columns, at least one character.
func split(s string, w int) (first, rest string) {
	n, used, state := 0, 0, -1
	for left := s; left != ""; {
		var cluster string
		var cw int
		cluster, left, cw, state = uniseg.FirstGraphemeClusterInString(left, state)
		if n > 0 && used+cw > w {
			break
		}
		n += len(cluster)
		used += cw
	}
	return s[:n], s[n:]
}
