package rewrite

import (
	"fmt"
	"go/build/constraint"
	"go/version"
)

// oldLanguage is the last version in which the variables of a loop are shared among its
// turns. A build constraint can choose no older one, and need not: those differ only
// in what they do not allow.
const oldLanguage = "go1.21"

// language keeps a file in the old language when its module is: a module that requires
// this one cannot be itself. It returns what has to stand in front of the file.
func (r *file) language() string {
	v := r.info.FileVersions[r.ast]
	if v == "" || version.Compare(v, oldLanguage) > 0 {
		return ""
	}
	for _, group := range r.ast.Comments {
		for _, c := range group.List {
			if x, err := constraint.Parse(c.Text); err == nil && constraint.IsGoBuild(c.Text) && c.Pos() < r.ast.Package {
				old := &constraint.AndExpr{X: x, Y: &constraint.TagExpr{Tag: oldLanguage}}
				r.replace(r.at(c.Pos()), r.at(c.End()), "//go:build "+old.String())
				return ""
			}
		}
	}
	return fmt.Sprintf("//go:build %s\n\n//line %s:1\n", oldLanguage, r.tok.Name())
}
