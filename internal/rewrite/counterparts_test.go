package rewrite

import (
	"go/types"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
)

// Every exported name of a package that is replaced is in what replaces it, with all its
// exported methods and fields, as the Go that runs this test has them: else programs that use it
// do not build under control.
func TestCounterpartsAreComplete(t *testing.T) {
	patterns := sortedKeys(replaced)
	for _, path := range patterns {
		patterns = append(patterns, module+"/model/std/"+path)
	}
	list, err := packages.Load(&packages.Config{Mode: packages.LoadTypes}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	scopes := map[string]*types.Scope{}
	for _, p := range list {
		scopes[p.PkgPath] = p.Types.Scope()
	}
	var missing []string
	for path := range replaced {
		original, ours := scopes[path], scopes[module+"/model/std/"+path]
		if original == nil || ours == nil {
			t.Fatalf("package %s: not loaded", path)
		}
		for _, name := range original.Names() {
			o := original.Lookup(name)
			if !o.Exported() {
				continue
			}
			c := ours.Lookup(name)
			if c == nil {
				missing = append(missing, path+"."+name)
				continue
			}
			for _, member := range members(o) {
				if !slices.Contains(members(c), member) {
					missing = append(missing, path+"."+name+"."+member)
				}
			}
		}
	}
	slices.Sort(missing)
	if diff := cmp.Diff(notReplaced, missing); diff != "" {
		t.Errorf("missing names differ (-known +found)\n%s", diff)
	}
}

// notReplaced are the names that programs under control cannot use: the go command does.
var notReplaced = []string{
	"testing.Main", "testing.MainStart", "testing.RegisterCover", "testing.RunBenchmarks", "testing.RunExamples", "testing.RunTests",
}

// members lists the exported methods and fields of a type.
func members(o types.Object) []string {
	var list []string
	if _, ok := o.(*types.TypeName); !ok {
		return nil
	}
	t := o.Type()
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if m := set.At(i).Obj(); m.Exported() {
			list = append(list, m.Name())
		}
	}
	if s, ok := o.Type().Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Exported() {
				list = append(list, f.Name())
			}
		}
	}
	return list
}
