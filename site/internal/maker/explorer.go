package maker

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"html/template"
	"maps"

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

// Files returns the files of the explorer, for a site of that name.
func (e *Explorer) Files(site string) (map[string][]byte, error) {
	module, err := compressed(e.Module)
	if err != nil {
		return nil, err
	}
	page, err := e.page(site, len(module))
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
func (e *Explorer) page(site string, size int) ([]byte, error) {
	style := web.Style() + asset("explorer.css")
	worker := string(e.Runtime) + asset("worker.js")
	script := ""
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src " + render.PolicyHash(style) +
		"; connect-src 'self'; worker-src blob:; script-src 'self' 'wasm-unsafe-eval'"
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
		"Title": "Explorer", "Titled": "Explorer · " + site, "Site": site, "Size": size, "Policy": policy,
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
	files, err := m.Explorer.Files(m.Title)
	maps.Copy(m.site.Files, files)
	return err
}

// explored returns the address of a page of the explorer from the root.
func explored(page string) string { return explorerPage + "#" + page }
