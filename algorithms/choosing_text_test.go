package algorithms_test

const (
	choosingIntroduction = `# Choosing an election

Each kind of election rests on something: a majority that can talk, a disk, clocks at one rate, a detector that is always right, a store. This page shows what each one does when a part of that is missing. Nothing here is an opinion. Each cell is a verdict among three processes, and leads to its search, with the run if something breaks. A test makes these searches again, and writes this page.

## How to read it

- **one leader**: at no moment do two live processes believe themselves coordinator. Clients need no more.
- **one per epoch**: two do for a while, but each of them has an epoch of its own. This is enough if the store behind the leader refuses old numbers (fencing), or if a leader does nothing without a majority.
- **two leaders** (k): two processes lead, and no number tells them apart: the election has no epochs. A shortest run has k steps.
- **two of one epoch** (k): the same, in an election with epochs. Fencing does not help.
- **not one again**: from some time on, nobody leads, or two go on, or somebody follows the wrong one. The damage outlives the fault. (Strong fairness is assumed: whatever can happen again and again happens.)
- **later ?**: the search did not decide whether one leads again. **?**: it did not decide whether two lead. **epochs ?**: the election has epochs, and the search did not decide whether two lead in one. **-**: this cannot happen here; the page says why.

One question first: may two processes lead for a moment? If a leader only saves work, they may, and then what counts is that one leads again. If a leader writes, they may not, unless something behind it checks epochs. [What clients can expect](clients.md) says which histories each election allows.

## What breaks

`
	choosingCosts = `
## What it costs

These are the messages and the time of one election after the coordinator has crashed, among three processes, from the first step until somebody leads and nobody is in an election. A tick is the time of one message. A dash stands where somebody leads from the first.

| | what it is | messages | ticks |
|---|---|---|---|
`
)
