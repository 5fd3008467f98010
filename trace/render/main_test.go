package render_test

import (
	"os"
	"testing"

	"bullyproof/internal/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
