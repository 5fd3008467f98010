module bullyproof/examples/redsync

go 1.26.0

require (
	bullyproof v0.0.0
	github.com/go-redsync/redsync/v4 v4.18.1
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace bullyproof => ../..
