package overlay

// A place is one of the standard library that the overlay changes. Its file has the old text once.
// A file may have moved: the first of several that there is counts.
type place struct{ file, old, new string }

// places are what has the goroutines of a bubble take turns, and what makes a choice of chance.
var places = []place{
	// The bubble has turns, and its clock can jump: a timer may be late.
	{"runtime/synctest.go", "	timers  timers\n	id      uint64", "	turns   bubbleTurns\n	timers  timers\n	id      uint64"},
	{"runtime/synctest.go", "		if next < bubble.now {\n			throw(\"time went backwards\")\n		}\n", "		if next < bubble.now {\n			next = bubble.now\n		}\n"},

	// A goroutine that is ready waits for its turn, and one that blocks, ends or yields gives it away.
	{"runtime/proc.go", "	runqput(mp.p.ptr(), gp, next)\n	wakep()\n	releasem(mp)", "	if turnWaits(gp) {\n		releasem(mp)\n		return\n	}\n	runqput(mp.p.ptr(), gp, next)\n	wakep()\n	releasem(mp)"},
	{"runtime/proc.go", "		pp := getg().m.p.ptr()\n		runqput(pp, newg, true)\n", "		if turnWaits(newg) {\n			return\n		}\n		pp := getg().m.p.ptr()\n		runqput(pp, newg, true)\n"},
	{"runtime/proc.go", "	// set by park_m's caller.\n	casgstatus(gp, _Grunning, _Gwaiting)\n", "	// set by park_m's caller.\n	keeps := turnKeeps(gp)\n	casgstatus(gp, _Grunning, _Gwaiting)\n"},
	{"runtime/proc.go", "	if bubble != nil {\n		bubble.decActive()\n	}\n\n	schedule()\n", "	if bubble != nil {\n		if !keeps {\n			turnEnds(bubble, gp)\n		}\n		bubble.decActive()\n	}\n\n	schedule()\n"},
	{"runtime/proc.go", "	dropg()\n	if preempted && sched.gcwaiting.Load() {", "	dropg()\n	if !preempted && turnYields(gp) {\n		schedule()\n	}\n	if preempted && sched.gcwaiting.Load() {"},
	{"runtime/proc.go", "	dropg()\n	runqput(pp, gp, false)\n	schedule()\n", "	dropg()\n	if !turnYields(gp) {\n		runqput(pp, gp, false)\n	}\n	schedule()\n"},
	{"runtime/proc.go", "	gdestroy(gp)\n	schedule()\n", "	turnEnds(gp.bubble, gp)\n	gdestroy(gp)\n	schedule()\n"},
	{"runtime/coro.go", "	bubble := gp.bubble\n	if bubble != nil {", "	bubble := gp.bubble\n	from := gp\n	if bubble != nil {"},
	{"runtime/coro.go", "	if gnext == gp {\n		throw(", "	turnPasses(bubble, from, gnext)\n	if gnext == gp {\n		throw("},

	// The collector neither begins in a bubble nor takes a turn away.
	{"runtime/mgc.go", "	if gp := getg(); gp == mp.g0 || mp.locks > 1 || mp.preemptoff != \"\" {\n		releasem(mp)\n		return\n	}\n	releasem(mp)", "	if gp := getg(); gp == mp.g0 || mp.locks > 1 || mp.preemptoff != \"\" || trigger.kind == gcTriggerHeap && turnsOf() != nil {\n		releasem(mp)\n		return\n	}\n	releasem(mp)"},
	{"runtime/mgcmark.go", "		if gp.preempt {\n			Gosched()\n", "		if gp.preempt {\n			mcall(gopreempt_m)\n"},

	// A select takes the case that the script says.
	{"runtime/select.go", "	// generate permuted order\n", "	turnPlace(block)\n	turns := turnsOf()\n	// generate permuted order\n"},
	{"runtime/select.go", "		j := cheaprandn(uint32(norder + 1))\n", "		j := uint32(norder)\n		if turns == nil {\n			j = cheaprandn(uint32(norder + 1))\n		}\n"},
	{"runtime/select.go", "	sellock(scases, lockorder)\n\n	var (", "	sellock(scases, lockorder)\n	if turns != nil {\n		turnCase(turns, scases, pollorder, nsends)\n	}\n\n	var ("},
	{"runtime/chan.go", "	if debugChan {\n		print(\"chansend: chan=\"", "	turnPlace(block)\n	if debugChan {\n		print(\"chansend: chan=\""},
	{"runtime/chan.go", "	if debugChan {\n		print(\"chanrecv: chan=\"", "	turnPlace(block)\n	if debugChan {\n		print(\"chanrecv: chan=\""},

	// Timers of one instant come in the order in which they are set.
	{"runtime/time.go", "			t.rand = cheaprand()\n", "			t.rand = turnTimer(cheaprand())\n"},

	// A lock does not ask the real clock. While a goroutine waits for one that another one of its bubble holds, time passes.
	{"runtime/sema.go", "func internal_sync_nanotime() int64 {\n", "func internal_sync_nanotime() int64 {\n	if turnsOf() != nil {\n		return 1\n	}\n"},
	{"runtime/sema.go", "	semacquire1(addr, lifo, semaBlockProfile|semaMutexProfile, skipframes, waitReasonSyncMutexLock)\n", "	semacquire1(addr, lifo, semaBlockProfile|semaMutexProfile, skipframes, turnReason(addr))\n"},
	{"runtime/proc.go", "func internal_sync_runtime_canSpin(i int) bool {\n", "func internal_sync_runtime_canSpin(i int) bool {\n	if turnsOf() != nil {\n		return false\n	}\n"},
	{"internal/sync/mutex.go", "func (m *Mutex) Lock() {\n", "func (m *Mutex) Lock() {\n	turnPlaceOfLock()\n"},
	{"internal/sync/mutex.go", "	if atomic.CompareAndSwapInt32(&m.state, 0, mutexLocked) {\n", "	if atomic.CompareAndSwapInt32(&m.state, 0, mutexLocked) {\n		turnLocks(&m.sema)\n"},
	{"internal/sync/mutex.go", "	m.lockSlow()\n", "	m.lockSlow()\n	turnLocks(&m.sema)\n"},
	{"internal/sync/mutex.go", "	if !atomic.CompareAndSwapInt32(&m.state, old, old|mutexLocked) {\n		return false\n	}\n", "	if !atomic.CompareAndSwapInt32(&m.state, old, old|mutexLocked) {\n		return false\n	}\n	turnLocks(&m.sema)\n"},
	{"internal/sync/mutex.go", "	// Fast path: drop lock bit.\n", "	turnUnlocks(&m.sema)\n	// Fast path: drop lock bit.\n"},
	{"internal/sync/runtime.go", "//go:linkname runtime_nanotime\n", "//go:linkname turnPlaceOfLock runtime.turnPlaceOfLock\nfunc turnPlaceOfLock()\n\n//go:linkname turnLocks runtime.turnLocks\nfunc turnLocks(sema *uint32)\n\n//go:linkname turnUnlocks runtime.turnUnlocks\nfunc turnUnlocks(sema *uint32)\n\n//go:linkname runtime_nanotime\n"},

	// Random numbers come from a seed, and the order of maps from the time.
	{"runtime/rand.go", "	mp := getg().m\n	c := &mp.chacha8\n", "	if x, ok := turnRand(); ok {\n		return x\n	}\n	mp := getg().m\n	c := &mp.chacha8\n"},
	{"runtime/rand.go", "func rand32() uint32 {\n	return uint32(rand())\n", "func rand32() uint32 {\n	return uint32(turnMap())\n"},
	{"runtime/rand.go", "func maps_rand() uint64 {\n	return rand()\n", "func maps_rand() uint64 {\n	return turnMap()\n"},
	{"internal/runtime/maps/runtime_alg.go runtime/alg.go", "hashkey[i] = uintptr(bootstrapRand())", "hashkey[i] = uintptr(0x9e3779b97f4a7c15>>i | 1)"},
	{"internal/runtime/maps/runtime_alg.go runtime/alg.go", "key[i] = bootstrapRand()", "key[i] = 0x9e3779b97f4a7c15 * uint64(i+1)"},
	{"math/rand/rand.go", "//go:linkname runtime_rand runtime.rand\n", "//go:linkname runtime_rand runtime.turnRandom\n"},
	{"math/rand/v2/rand.go", "//go:linkname runtime_rand runtime.rand\n", "//go:linkname runtime_rand runtime.turnRandom\n"},
	{"crypto/internal/sysrand/rand.go", "//go:linkname fatal\nfunc fatal(string)\n", "//go:linkname fatal\nfunc fatal(string)\n\n//go:linkname turnBytes runtime.turnBytes\nfunc turnBytes(b []byte) bool\n"},
	{"crypto/internal/sysrand/rand.go", "func Read(b []byte) {\n", "func Read(b []byte) {\n	if turnBytes(b) {\n		return\n	}\n"},

	// A panic that nobody catches ends its goroutine, and is a finding.
	{"runtime/panic.go", "	preprintpanics(&p)\n\n	fatalpanic(&p)   // should not return\n", "	preprintpanics(&p)\n\n	if turnPanics(&p) {\n		goexit1()\n	}\n	fatalpanic(&p)   // should not return\n"},
}
