module bullyproof/site

go 1.26.0

require (
	bullyproof v0.0.0
	github.com/chromedp/chromedp v0.23.0 // a browser that reads the pages, in tests
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests what the command writes as JSON against docs/schema
	github.com/stretchr/testify v1.12.1 // assertions of the tests
	github.com/yuin/goldmark v1.8.7 // pages from Markdown: internal/maker
	golang.org/x/image v0.47.0 // draws the pictures of previews: internal/maker
	golang.org/x/net v0.62.0 // reads the pages in their tests
)

require (
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/chromedp/cdproto v0.159.0 // indirect
	github.com/expr-lang/expr v1.17.8 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.10 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20261014143641-f0251eb4aa3e // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/term v0.47.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace bullyproof => ../
