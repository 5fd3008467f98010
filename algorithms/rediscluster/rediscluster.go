// Package rediscluster is the election of Redis Cluster: which replica of a dead master takes
// its slots over.
//
// Masters vote and replicas are elected. The first half of the processes are replicas of a
// master that has just died, and the others are masters of other slots, which know that it
// is down (FAIL). A replica begins a new epoch and asks the masters for their votes. Each
// gives one vote in an epoch. One with the votes of a majority of all masters, the dead one
// among them, takes the slots over, and its claim has the epoch as its version (configEpoch).
// Others learn of it by messages (pong), and newer claims win.
//
// Source: the Redis Cluster specification, and Redis, src/cluster_legacy.c, version 7; the
// functions are named beside the rules.
package rediscluster

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of a node. All but the attempt is in nodes.conf.
type P struct {
	// Epoch is the highest epoch that it knows (currentEpoch), and Voted the one in which it
	// voted last (lastVoteEpoch).
	Epoch, Voted uint8
	// Owner is who has the slots of the dead master, as far as it knows, and Config the version
	// of that claim (configEpoch).
	Owner  model.ID
	Config uint8
	// Told says of a replica that is to be promoted that this has been done.
	Told bool

	// Auth is the epoch of its attempt (failover_auth_epoch), 0 without one, and Votes are the
	// votes for it (failover_auth_count). Tries counts its attempts, where they are limited.
	Auth, Votes, Tries uint8
}

// The kinds of messages.
const (
	Request model.Kind = iota // FAILOVER_AUTH_REQUEST
	Ack                       // FAILOVER_AUTH_ACK
	Pong
	Update // UPDATE, of the dead master's version
)

// M is a message.
type M struct {
	Type   model.Kind
	Epoch  uint8    // currentEpoch of the sender
	Config uint8    // of all but Ack: configEpoch
	Owner  model.ID // of Pong
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Pong(2,1,P1)".
func (m M) String() string {
	switch m.Type {
	case Request:
		return fmt.Sprintf("Request(%d,%d)", m.Epoch, m.Config)
	case Ack:
		return fmt.Sprintf("Ack(%d)", m.Epoch)
	case Update:
		return fmt.Sprintf("Update(%d,%d)", m.Epoch, m.Config)
	}
	return fmt.Sprintf("Pong(%d,%d,%s)", m.Epoch, m.Config, m.Owner.Name())
}

// The timers: begin an election (failover_auth_time), an election is too old
// (auth_timeout), a vote is long ago (voted_time), say who is the master.
const (
	failover model.Timer = iota
	tooOld
	voted
	pong
)

var (
	rules model.Rules

	begin        = rules.Add("clusterHandleSlaveFailover: begin an election")
	vote         = rules.Add("clusterSendFailoverAuthIfNeeded: vote")
	oldRequest   = rules.Add("rule 3: the request is of an old epoch")
	votedInEpoch = rules.Add("rule 1: it has voted in this epoch")
	votedLately  = rules.Add("rule 4: it has voted lately")
	oldClaim     = rules.Add("rule 7: the replica has an old configuration")
	won          = rules.Add("clusterHandleSlaveFailover: elected")
	expired      = rules.Add("clusterHandleSlaveFailover: the election is too old")
	adopt        = rules.Add("clusterUpdateSlotsConfigWith: a newer claim: adopt it")
	collision    = rules.Add("clusterHandleConfigEpochCollision: take a new version")
	updated      = rules.Add("CLUSTERMSG_TYPE_UPDATE: the version of the dead master")
	takeover     = rules.Add("CLUSTER FAILOVER TAKEOVER")
)

// A Cluster is the protocol.
type Cluster struct {
	model.Passive[P, M]
	// Epochs is how many are explored; 0 is as many as an epoch counts.
	Epochs uint8
	// Tries is how often a replica tries; 0 is again and again.
	Tries uint8
	// AnyTime leaves out rule 4: masters vote again at once.
	AnyTime bool
	// Takeover has the initiators be promoted by the administrator, without votes.
	Takeover bool
	// Updates: a master that refuses a vote because of an old configuration sends the version that the
	// dead master had (Valkey 2178).
	Updates bool
}

// replicas returns how many of the processes are replicas of the dead master: those with
// the lowest ids.
func replicas(net *model.Net[M]) model.ID { return replicasOf(net.N()) }

func replicasOf(n int) model.ID { return model.ID(n / 2) }

// quorum is needed_quorum, of all masters with slots, of which one is dead.
func quorum(net *model.Net[M]) uint8 { return quorumOf(net.N()) }

func quorumOf(n int) uint8 { return uint8((n-int(replicasOf(n))+1)/2 + 1) }

// timeout is NODE_TIMEOUT.
func timeout(net *model.Net[M]) int { return 1 + net.Bound() }

// delay is how long a replica waits before it asks: the higher its rank, the longer.
func delay(net *model.Net[M]) int { return net.Bound() + int(net.Self()) - 1 }

// Init has the dead master be known as such.
func (c *Cluster) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Auth, p.Votes = 0, 0
	switch {
	case p.Owner == net.Self():
		net.SetTimer(pong, timeout(net))
	case net.Self() <= replicas(net):
		net.SetTimer(failover, delay(net))
	}
}

// Stable keeps what clusterSaveConfig writes.
func (c *Cluster) Stable(p *P) { p.Auth, p.Votes = 0, 0 }

// Start is what CLUSTER FAILOVER TAKEOVER does: clusterBumpConfigEpochWithoutConsensus, and
// clusterFailoverReplaceYourMaster.
func (c *Cluster) Start(p *P, net *model.Net[M]) {
	if !c.Takeover || p.Told || net.Self() > replicas(net) || p.Owner == net.Self() {
		return
	}
	net.Rule(takeover)
	p.Told = true
	p.Epoch++
	c.replace(p, net, p.Epoch)
}

// Timeout is what clusterCron does as time passes.
func (c *Cluster) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case failover: // clusterHandleSlaveFailover: "Ask for votes if needed"
		if c.Tries > 0 && p.Tries == c.Tries {
			return
		}
		net.Rule(begin)
		if c.Tries > 0 {
			p.Tries++
		}
		p.Epoch++
		p.Auth, p.Votes = p.Epoch, 0
		net.Broadcast(M{Type: Request, Epoch: p.Epoch, Config: p.Config})
		net.SetTimer(tooOld, 2*timeout(net))
		net.SetTimer(failover, 4*timeout(net)+delay(net)) // auth_retry_time
	case tooOld: // "Return ASAP if the election is too old to be valid"
		net.Rule(expired)
		p.Auth, p.Votes = 0, 0
	case pong:
		c.say(p, net)
	}
}

func (c *Cluster) say(p *P, net *model.Net[M]) {
	net.Broadcast(M{Type: Pong, Epoch: p.Epoch, Config: p.Config, Owner: p.Owner})
	net.SetTimer(pong, timeout(net))
}

// Receive is clusterProcessPacket. "Update our currentEpoch if we see a newer epoch."
func (c *Cluster) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	p.Epoch = max(p.Epoch, m.Epoch)
	switch m.Type {
	case Request:
		if net.Self() > replicas(net) { // only masters vote
			c.vote(p, net, m)
		}
	case Ack: // only acks that are no older than the attempt count
		if p.Auth == 0 || m.Epoch < p.Auth {
			return
		}
		p.Votes++
		if p.Votes >= quorum(net) {
			net.Rule(won)
			c.replace(p, net, p.Auth)
		}
	case Pong:
		c.update(p, net, from, m)
	case Update:
		net.Rule(updated)
		p.Config = m.Config
	}
}

// vote is clusterSendFailoverAuthIfNeeded; the numbers are those of the specification.
func (c *Cluster) vote(p *P, net *model.Net[M], m M) {
	switch {
	case m.Epoch < p.Epoch: // 3
		net.Rule(oldRequest)
	case p.Voted == p.Epoch: // 1
		net.Rule(votedInEpoch)
	case net.IsSet(voted) && !c.AnyTime: // 4
		net.Rule(votedLately)
	case m.Config < p.Config: // 7
		net.Rule(oldClaim)
		if c.Updates { // clusterSendUpdate
			net.Reply(M{Type: Update, Epoch: p.Epoch, Config: p.Config})
		}
	default:
		net.Rule(vote)
		p.Voted = m.Epoch
		net.Reply(M{Type: Ack, Epoch: p.Epoch})
		if !c.AnyTime {
			net.SetTimer(voted, 2*timeout(net))
		}
	}
}

// replace is clusterFailoverReplaceYourMaster.
func (c *Cluster) replace(p *P, net *model.Net[M], epoch uint8) {
	p.Config, p.Owner = max(p.Config, epoch), net.Self()
	c.stop(p, net)
	c.say(p, net)
}

// stop ends the attempt of a replica.
func (c *Cluster) stop(p *P, net *model.Net[M]) {
	p.Auth, p.Votes, p.Tries = 0, 0, 0
	net.StopTimer(failover)
	net.StopTimer(tooOld)
}

// update is clusterUpdateSlotsConfigWith: the claim with the greatest version wins. Two
// masters with one version are clusterHandleConfigEpochCollision: who has the smaller id
// takes a new one.
func (c *Cluster) update(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Config == p.Config && p.Owner == net.Self() && net.Self() < from.ID() {
		net.Rule(collision)
		p.Epoch++
		p.Config = p.Epoch
		return
	}
	if m.Config <= p.Config {
		return
	}
	net.Rule(adopt)
	p.Config, p.Owner = m.Config, m.Owner
	c.stop(p, net)
	net.StopTimer(pong)
}

// Role is "replica" or "master".
func (*Cluster) Role(id model.ID, n int) string {
	if int(id) <= n/2 {
		return "replica"
	}
	return "master"
}

// Beyond bounds the epochs.
func (c *Cluster) Beyond(p *P) string {
	if c.Epochs > 0 && p.Epoch > c.Epochs {
		return fmt.Sprintf("epoch %d", p.Epoch)
	}
	return ""
}

// Belief says whom it takes for the new master.
func (c *Cluster) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Owner, Participant: p.Auth != 0, Epoch: uint64(p.Config)}
}
