// Renders a chart as Helm does, as far as its documentation says: text/template, the functions of sprig, and Helm's own.
// Reads [{"name","namespace","values"}] from standard input, a release each, and writes [{"files"} | {"error"}].
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

type release struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Values    object `json:"values"`
}

type files struct{ folder string }

func (f files) Get(name string) string {
	data, _ := os.ReadFile(filepath.Join(f.folder, filepath.Clean("/"+name)))
	return string(data)
}

type versions []string

func (v versions) Has(name string) bool {
	for _, one := range v {
		if one == name {
			return true
		}
	}
	return false
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string, into interface{}) {
	data, err := os.ReadFile(path)
	must(err)
	must(yaml.Unmarshal(data, into))
}

// What is given goes before the defaults, maps are joined, and null takes a default away.
func join(defaults, given object) object {
	joined := object{}
	for key, value := range defaults {
		joined[key] = value
	}
	for key, value := range given {
		inner, isMap := value.(object)
		before, wasMap := joined[key].(object)
		switch {
		case value == nil:
			delete(joined, key)
		case isMap && wasMap:
			joined[key] = join(before, inner)
		default:
			joined[key] = value
		}
	}
	return joined
}

func toYaml(value interface{}) string {
	data, err := yaml.Marshal(value)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(data), "\n")
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	// A chart is to be the same wherever it is rendered.
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	known["tpl"] = func(text string, data interface{}) (string, error) {
		inner, err := all.Clone()
		if err != nil {
			return "", err
		}
		if inner, err = inner.New("tpl").Parse(text); err != nil {
			return "", err
		}
		var out strings.Builder
		err = inner.Execute(&out, data)
		return out.String(), err
	}
	known["required"] = func(warning string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, errors.New(warning)
		}
		return value, nil
	}
	known["toYaml"] = toYaml
	known["toJson"] = func(value interface{}) string {
		data, _ := json.Marshal(value)
		return string(data)
	}
	known["fromYaml"] = func(text string) object {
		value := object{}
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			value["Error"] = err.Error()
		}
		return value
	}
	// As without a cluster.
	known["lookup"] = func(string, string, string, string) object { return object{} }
	return known
}

func render(folder string, chart, defaults object, of release) (map[string]string, error) {
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	must(err)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		must(err)
		if _, err = all.New(filepath.Base(path)).Parse(string(data)); err != nil {
			return nil, err
		}
	}
	upper := object{}
	for key, value := range chart {
		upper[strings.ToUpper(key[:1])+key[1:]] = value
	}
	data := object{
		"Chart":  upper,
		"Values": join(defaults, of.Values),
		"Files":  files{folder},
		"Release": object{
			"Name": of.Name, "Namespace": of.Namespace, "Service": "Helm", "IsInstall": true, "IsUpgrade": false, "Revision": 1,
		},
		"Capabilities": object{
			"KubeVersion": object{"Version": "v1.30.0", "Major": "1", "Minor": "30"},
			"APIVersions": versions{"v1", "apps/v1", "autoscaling/v2", "networking.k8s.io/v1", "policy/v1"},
		},
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		data["Template"] = object{"Name": name, "BasePath": "templates"}
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, name, data); err != nil {
			return nil, err
		}
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return rendered, nil
}

func main() {
	folder := os.Args[1]
	chart, defaults := object{}, object{}
	read(filepath.Join(folder, "Chart.yaml"), &chart)
	read(filepath.Join(folder, "values.yaml"), &defaults)
	var releases []release
	must(json.NewDecoder(os.Stdin).Decode(&releases))
	results := []object{}
	for _, one := range releases {
		if rendered, err := render(folder, chart, defaults, one); err != nil {
			results = append(results, object{"error": err.Error()})
		} else {
			results = append(results, object{"files": rendered})
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(results))
}
