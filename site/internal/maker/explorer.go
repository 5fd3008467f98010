package maker

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"html/template"
	"maps"
	"slices"
	"strings"

	"bullyproof/internal/web"
	"bullyproof/trace/render"
)

// An Explorer is the program as a page can run it.
type Explorer struct {
	// Module is the program, compiled to WebAssembly, and Runtime the script of its
	// compiler that runs it.
	Module, Runtime []byte
}

// Addresses of the explorer and its module from the root: the module is compressed,
// and once more in a script, for pages that are opened as files.
const (
	explorerPage   = "explorer.html"
	explorerModule = "explorer/module.wasm.gz"
	explorerScript = "explorer/module.js"
)

// Files returns the files of the explorer, for a site with a head, and with pages of runs of
// these names.
func (e *Explorer) Files(site *render.Site, runs []string) (map[string][]byte, error) {
	module, err := compressed(e.Module)
	if err != nil {
		return nil, err
	}
	page, err := e.page(site, runs, len(module))
	if err != nil {
		return nil, err
	}
	script := `self.bullyproofModule="` + base64.StdEncoding.EncodeToString(module) + `"` + "\n"
	return map[string][]byte{explorerPage: page, explorerModule: module, explorerScript: []byte(script)}, nil
}

func compressed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// page returns the page of the explorer, whose module has a size.
func (e *Explorer) page(site *render.Site, runs []string, size int) ([]byte, error) {
	head, err := site.Head()
	if err != nil {
		return nil, err
	}
	style := web.Style() + asset("explorer.css")
	worker := string(e.Runtime) + asset("worker.js")
	script := ""
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src " + render.PolicyHash(style) +
		"; connect-src 'self'; frame-src 'self'; worker-src blob:; script-src 'self' 'wasm-unsafe-eval'"
	for _, text := range []string{web.Script(), asset("explorer.js")} {
		script += "<script>" + text + "</script>\n"
		policy += " " + render.PolicyHash(text)
	}
	t, err := template.New("").Parse(render.FrameHTML + asset("explorer.html"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Title": "Explorer", "Titled": site.Titled("Explorer"), "Head": head, "Runs": strings.Join(runs, " "), "Size": size, "Policy": policy,
		"Description": "Walk through every run of an election algorithm, and check it in a setting of your own, in this page.",
		// These are this package's own, and the compiler's.
		"Style": template.HTML("<style>" + style + "</style>"), "Script": template.HTML(script),
		"Worker": template.HTML(`<script type="text/plain" id="worker">` + worker + "</script>"),
	})
	return b.Bytes(), err
}

// explorer adds the files of the explorer to the site.
func (m *maker) explorer() error {
	if m.Explorer == nil {
		return nil
	}
	var runs []string
	for name := range m.site.Files {
		if name, of := strings.CutPrefix(name, "runs/"); of {
			runs = append(runs, strings.TrimSuffix(name, ".html"))
		}
	}
	slices.Sort(runs)
	files, err := m.Explorer.Files(m.frame("", explorerPage), runs)
	maps.Copy(m.site.Files, files)
	return err
}

// explored returns the address of a page of the explorer from the root.
func explored(page string) string { return explorerPage + "#" + page }
