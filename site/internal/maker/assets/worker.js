// The worker's side: it starts the module, hands it requests and returns answers.
"use strict";
(() => {
  let serve;
  self.bullyproof = {
    ready: (by) => {
      serve = by;
      postMessage({ ready: true });
    },
    failed: (why) => postMessage({ failed: why }),
    answer: (number, answer) => postMessage({ number, answer }, [answer.body.buffer]),
  };
  const start = async (module) => {
    let bytes = new Blob([module]).stream();
    const [a, b] = new Uint8Array(module, 0, 2);
    if (a === 0x1f && b === 0x8b) bytes = bytes.pipeThrough(new DecompressionStream("gzip")); // or the server did
    const go = new Go();
    const answer = new Response(bytes, { headers: { "Content-Type": "application/wasm" } });
    const { instance } = await WebAssembly.instantiateStreaming(answer, go.importObject);
    await go.run(instance);
    throw new Error("it has ended");
  };
  onmessage = ({ data }) => {
    if (data.module) start(data.module).catch((error) => postMessage({ failed: error.message }));
    else serve(data.number, data.method, data.address, data.type, new Uint8Array(data.body));
  };
})();
