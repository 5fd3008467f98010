module bullyproof

go 1.26.0

require (
	github.com/anishathalye/porcupine v1.3.1 // decides whether histories of clients are linearizable, and draws them: linear
	github.com/chromedp/cdproto v0.159.0 // the same
	github.com/chromedp/chromedp v0.23.0 // a browser that reads the pages, in tests
	github.com/expr-lang/expr v1.17.8 // expressions over states, as somebody types them: checker/expression
	github.com/klauspost/compress v1.20.3 // packs the states that a search keeps on disk: internal/runfile
	github.com/rogpeppe/go-internal v1.16.0 // scripts that test the command
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // tests what the command writes as JSON against docs/schema
	github.com/spf13/cobra v1.10.2 // the command line: command
	github.com/spf13/pflag v1.0.10 // the flags of the command line: command
	github.com/stretchr/testify v1.12.1 // assertions of the tests
	github.com/zeebo/xxh3 v1.1.0 // fingerprints of states: explore, model, simulate, validate
	golang.org/x/exp v0.0.0-20261014143641-f0251eb4aa3e // means, deviations and quantiles of simulated elections: simulate
	golang.org/x/image v0.47.0 // letters and lines of a GIF: command/internal/raster
	golang.org/x/mod v0.42.0 // reads and writes go.mod for bullyproof new: command/internal/scaffold
	golang.org/x/term v0.47.0 // how wide the terminal is: command
	pgregory.net/rapid v1.3.0 // tests of properties over random input
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
