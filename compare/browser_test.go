//go:build browser

package compare_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/browsertest"
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
	b.Eval(`document.querySelector("td.bad a").click()`)
	b.Do(chromedp.WaitVisible(chromedp.CSS("#where")))
	assert.Contains(t, browsertest.Eval[string](b, "document.title + document.body.textContent"), "upstart/")
}
