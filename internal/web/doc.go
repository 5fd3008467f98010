// Package web is the explorer: pages on which a person walks through the runs
// of an algorithm, step by step, in a browser.
//
// A page is made of its link alone. The link names the algorithm, the setting,
// the initial state and the actions taken since, each by what it is and not by
// its place in a list, so that a link restores the exact run after a restart of
// the server, and on another machine. The server keeps runs only to save time:
// a bounded cache has the states behind recent links.
//
// Pages are complete as the server sends them. A script adds keys and keeps the
// place on the page; without it everything works by forms and links.
//
// The server answers on loopback to pages of its own origin: see guard.
package web
