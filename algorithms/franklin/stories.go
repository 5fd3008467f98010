package franklin

import "bullyproof/ledger"

// stories are the recorded counterexamples: there are none.
var stories []ledger.Story
