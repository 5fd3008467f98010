package command

import (
	"bytes"
	"context"
	"strings"
	"syscall/js"

	"bullyproof/internal/web"
)

// An Engine and a Publisher have nothing to do in a page.
type (
	Engine    any
	Publisher any
)

// status is the program in a page of a browser: the explorer alone, which the
// page asks as it would ask a server. It does not end.
//
// The page has an object bullyproof. Its method ready is called with a
// function of the number of a request, method, address, type and bytes of the body,
// which answers by the method answer.
func (t Tool) status() int {
	page := js.Global().Get("bullyproof")
	e := &inPage{page: page}
	t = t.titled()
	opt := web.Options{Algorithms: t.known(), CacheBytes: 32 << 20}
	var err error
	if opt.Recordings, err = t.recordings(); err == nil {
		e.server, err = web.New(opt)
	}
	if err != nil {
		page.Call("failed", err.Error())
		return 2
	}
	page.Call("ready", js.FuncOf(e.serve))
	select {}
}

// An inPage is the explorer in a page.
type inPage struct {
	server *web.Server
	page   js.Value
}

// serve begins to answer a request. The function that JavaScript calls must not
// wait; another goroutine answers.
func (e *inPage) serve(_ js.Value, args []js.Value) any {
	number, method, address, kind := args[0].Int(), args[1].String(), args[2].String(), args[3].String()
	body := make([]byte, args[4].Length())
	js.CopyBytesToGo(body, args[4])
	go func() {
		r := web.Request{Type: kind}
		r.Path, r.Query, _ = strings.Cut(address, "?")
		if method == "POST" {
			r.Form = bytes.NewReader(body)
		}
		a := e.server.Answer(context.Background(), r)
		data := js.Global().Get("Uint8Array").New(len(a.Body))
		js.CopyBytesToJS(data, a.Body)
		e.page.Call("answer", number, map[string]any{
			"status": a.Status, "type": a.Type, "location": a.Location, "body": data,
		})
	}()
	return nil
}
