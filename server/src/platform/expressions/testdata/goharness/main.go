// Writes what Go's text/template makes of the cases; run by make-gotemplate.mjs.
package main

import (
	"encoding/json"
	"os"
	"strings"
	"text/template"
)

type result struct {
	Template string `json:"template"`
	Output   string `json:"output"`
	Error    string `json:"error,omitempty"`
}

// whole makes numbers without a fraction integers, as the product treats them.
func whole(v any) any {
	switch x := v.(type) {
	case float64:
		if x == float64(int(x)) {
			return int(x)
		}
	case []any:
		for i := range x {
			x[i] = whole(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = whole(x[k])
		}
	}
	return v
}

func main() {
	var cases struct {
		Data      any      `json:"data"`
		Templates []string `json:"templates"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	data := whole(cases.Data)
	results := []result{}
	for _, text := range cases.Templates {
		r := result{Template: text}
		t, err := template.New("t").Parse(text)
		if err == nil {
			var out strings.Builder
			err = t.Execute(&out, data)
			r.Output = out.String()
		}
		if err != nil {
			r.Error = err.Error()
			r.Output = ""
		}
		results = append(results, r)
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(results); err != nil {
		panic(err)
	}
}
