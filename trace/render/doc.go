// Package render draws a [trace.Layout], the space-time diagram of a run: [Text]
// for terminals, [Steps] in brief, [SVG] as a drawing, [Drawings] for a page in a window of any
// width, [Page] as a page to walk through the run, and for other tools [Mermaid], [ITF] and
// [ShiViz].
//
// Every rendering is a function of the layout alone: the same layout makes the
// same bytes. A text from a run is made harmless for the language in which it
// is written. The errors are those of the writer.
package render
