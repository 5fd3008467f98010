//go:build browser

package compare_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// The page fits every window, by day and by night, says nothing on the console and
// fetches nothing. Its cells lead to their runs.
func TestPageInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	page, err := compared(t).WriteDir(t.TempDir())
	require.NoError(t, err)
	address := browsertest.File(page)
	for _, v := range []browsertest.View{{Width: 400, Height: 800}, {Width: 400, Height: 800, Dark: true}, {Width: 1440, Height: 900}, {Width: 1440, Height: 900, Dark: true}} {
		t.Run(fmt.Sprintf("%d-%t", v.Width, v.Dark), func(t *testing.T) {
			b := b.For(t)
			b.Show(v)
			b.Do(chromedp.Navigate(address))
			assert.LessOrEqual(t, browsertest.Eval[float64](b, "document.documentElement.scrollWidth"), float64(v.Width))
			b.Contrast("body *")
			b.Quiet(address)
		})
	}
	b.Do(chromedp.Navigate(address))
	assert.Less(t, browsertest.Eval[float64](b, "document.documentElement.scrollHeight"), 1500.0)
	b.Eval(`document.querySelector("thead a[href='#in-fault-2']").click()`)
	assert.True(t, browsertest.Eval[bool](b, `new Promise(done => {
		const look = () => document.getElementById("fault-2").open ? done(true) : requestAnimationFrame(look)
		look()
	})`), "a link opens what it leads to")
	b.Eval(`document.querySelector("td.bad a").click()`)
	b.Do(chromedp.WaitVisible(chromedp.CSS("#where")))
	assert.Contains(t, browsertest.Eval[string](b, "document.title + document.body.textContent"), "upstart/")
}

// On paper nothing is folded, and no table is wider than the sheet.
func TestPagePrints(t *testing.T) {
	b := browsertest.Start(t)
	page, err := compared(t).WriteDir(t.TempDir())
	require.NoError(t, err)
	b.Do(chromedp.Navigate(browsertest.File(page)))
	const width = 1046 // of a sheet of A4 across, without its margins
	b.Show(browsertest.View{Width: width, Height: 700, Print: true})
	assert.Empty(t, browsertest.Eval[[]string](b, fmt.Sprintf(`[...document.querySelectorAll("table")].filter(table => {
		const box = table.getBoundingClientRect()
		return box.height === 0 || box.right > %d || table.parentElement.scrollWidth > table.parentElement.clientWidth
	}).map(table => table.parentElement.getAttribute("aria-label"))`, width)))
	assert.Equal(t, "a4 landscape", browsertest.Eval[string](b, `[...document.styleSheets].flatMap(s => [...s.cssRules])
		.filter(r => r.media && r.media.mediaText === "print").flatMap(r => [...r.cssRules]).find(r => r instanceof CSSPageRule).style.size`))
}
