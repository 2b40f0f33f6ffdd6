package report

import (
	"fmt"
	"io"
	"strings"
)

// Annotations writes the failed checks as commands of GitHub Actions, which show
// them beside the lines of a pull request.
func (s Suite) Annotations(w io.Writer) error {
	var b strings.Builder
	for _, c := range s.Checks {
		for _, f := range c.failures() {
			var properties []string
			if f.At.Line > 0 {
				properties = append(properties, "file="+githubProperty(c.file(f.At)), fmt.Sprintf("line=%d", f.At.Line))
			}
			properties = append(properties, "title="+githubProperty(c.name()+": "+f.Kind))
			text := f.Text
			if c.Replay != "" {
				text += "\nTo replay: " + c.Replay
			}
			fmt.Fprintf(&b, "::error %s::%s\n", strings.Join(properties, ","), githubData(text))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func githubProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// maxSummary is how long a summary may be before no more problems are added. GitHub
// takes a megabyte.
const maxSummary = 500_000

// Markdown writes a summary for people: a table with a row for each check, then each
// failure with its report and its sequence diagram.
func (s Suite) Markdown(w io.Writer) error {
	var b strings.Builder
	failed := 0
	b.WriteString("### modelcheck\n\n| package | test | variant | verdict | schedules |\n|---|---|---|---|---:|\n")
	for _, c := range s.Checks {
		if c.Failed || c.Broken {
			failed++
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d |\n", markdownText(c.Package), markdownText(strings.TrimSuffix(c.name(), "/"+c.Variant)), markdownText(c.Variant), c.sign(), c.Schedules)
	}
	fmt.Fprintf(&b, "\n%s, %s\n", count(len(s.Checks), "result"), count(failed, "problem"))
	left := 0
	for _, c := range s.Checks {
		switch {
		case !c.Failed && !c.Broken:
		case b.Len() > maxSummary:
			left++
		default:
			c.markdown(&b)
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%s not shown here.\n", count(left, "more problem"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sign is the verdict with a sign that stands out.
func (c Check) sign() string {
	switch {
	case c.Broken:
		return "❌ error"
	case c.Failed:
		return "❌ " + c.Verdict
	case c.Verdict == "expected":
		return "✅ expected"
	}
	return "✅ " + c.Verdict
}

func (c Check) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n<details><summary>%s %s: %s</summary>\n\n", markdownText(c.Package), markdownText(c.name()), markdownText(c.Message))
	if c.Run != nil {
		b.WriteString(fence("text", c.Run.Text(Style{})))
	} else if c.Output != "" {
		b.WriteString(fence("text", c.Output))
	}
	if c.Replay != "" {
		b.WriteString("\nTo replay:\n\n" + fence("sh", c.Replay+"\n"))
	}
	if c.Run != nil && len(c.Run.Steps) > 0 {
		var m strings.Builder
		c.Run.Mermaid(&m)
		b.WriteString("\n" + fence("mermaid", m.String()))
	}
	b.WriteString("\n</details>\n")
}

// fence puts text into a block whose fence is longer than any in it.
func fence(language, text string) string {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	marks := "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	return marks + language + "\n" + text + marks + "\n"
}

// markdownText writes s so that nothing in it is Markdown or HTML.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range visible(s) {
		if strings.ContainsRune("\\`*_[]<>#|&~$@", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
