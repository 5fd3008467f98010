// Package site makes web sites of catalogues. It is what "bullyproof site" does where the
// command has it:
//
//	tool := command.Tool{Algorithms: mine, Site: site.Publisher{}}
package site
