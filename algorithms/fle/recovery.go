package fle

import "bullyproof/model"

// tries is how often a follower tries to connect.
const tries = 3

// connect is connectToLeader, and the beginning of registerWithLeader.
func (f *FLE) connect(p *P, net *model.Net[M]) {
	net.Rule(connect)
	p.Tries++
	net.SendTo(p.Vote.Leader, M{Type: FollowerInfo, Epoch: p.Accepted})
}

// quit ends what a server does that leads or follows: its connections close.
func (f *FLE) quit(p *P, net *model.Net[M]) {
	if p.Role == Leading {
		net.SendAll(p.Connected.Without(net.Self()), M{Type: Closed, Conn: p.Round})
	} else {
		net.SendTo(p.Vote.Leader, M{Type: Closed, Conn: p.Conn})
	}
	f.look(p, net)
}

// conn is the round of the leader whose connections a server has; 0 is none.
func (p *P) conn() uint8 {
	if p.Role == Leading {
		return p.Round
	}
	return p.Conn
}

// closed has a connection that the other side has closed.
func (f *FLE) closed(p *P, net *model.Net[M], from model.ID, m M) {
	if m.Conn != 0 && m.Conn != p.conn() {
		return
	}
	f.broken(p, net, from)
}

// broken has a server without one of its connections.
func (f *FLE) broken(p *P, net *model.Net[M], with model.ID) {
	switch {
	case p.Role == Following && p.Vote.Leader == with && p.Phase == Discovery:
		f.refused(p, net)
	case p.Role == Following && p.Vote.Leader == with:
		net.Rule(brokenOff)
		f.look(p, net)
	case p.Connected.Has(with):
		net.Rule(brokenOff)
		p.Connected, p.Asked = p.Connected.Without(with), p.Asked.Without(with)
		if p.Phase != Broadcast {
			return
		}
		p.Synced = p.Synced.Without(with)
		if !quorum(p.Synced, net) {
			f.quit(p, net)
		}
	}
}

// lead is LearnerHandler: what a leader does with a message of a follower.
func (f *FLE) lead(p *P, net *model.Net[M], from model.ID, m M) {
	switch {
	case m.Type == FollowerInfo && p.Role != Leading:
		net.Rule(refuse)
		net.SendTo(from, M{Type: Refused})
	case m.Type == FollowerInfo:
		f.register(p, net, from, m)
	case m.Conn != p.Round || !p.Connected.Has(from):
	case m.Type == AckEpoch:
		f.acknowledged(p, net, from, m)
	default:
		f.synced(p, net, from)
	}
}

// register is getEpochToPropose.
func (f *FLE) register(p *P, net *model.Net[M], from model.ID, m M) {
	p.Connected = p.Connected.With(from)
	if p.Phase != Discovery {
		net.SendTo(from, M{Type: LeaderInfo, Epoch: p.Epoch, Conn: p.Round})
		return
	}
	p.Epoch = max(p.Epoch, m.Epoch+1)
	if !quorum(p.Connected, net) {
		return
	}
	net.Rule(propose)
	net.StopTimer(patienceTimer)
	net.SetTimer(limitTimer, limit*net.Bound())
	p.Accepted, p.Phase, p.Patient = p.Epoch, Acknowledged, false
	p.Agreed = model.SetOf(net.Self())
	net.SendAll(p.Connected.Without(net.Self()), M{Type: LeaderInfo, Epoch: p.Epoch, Conn: p.Round})
}

// acknowledged is waitForEpochAck.
func (f *FLE) acknowledged(p *P, net *model.Net[M], from model.ID, m M) {
	// Later nobody is ahead: whoever accepts the epoch has been in lower ones alone.
	longer := m.Epoch > p.Current || m.Epoch == p.Current && m.Zxid > p.Zxid
	if !m.None && longer {
		net.Rule(ahead)
		p.Connected = p.Connected.Without(from)
		net.SendTo(from, M{Type: Closed, Conn: p.Round})
		return
	}
	p.Asked = p.Asked.With(from)
	if p.Phase != Acknowledged {
		net.SendTo(from, M{Type: NewLeader, Epoch: p.Epoch, Zxid: p.Zxid, Conn: p.Round})
		return
	}
	if !m.None {
		p.Agreed = p.Agreed.With(from)
	}
	if !quorum(p.Agreed, net) {
		return
	}
	net.Rule(newEpoch)
	p.Current, p.Phase, p.Synced = p.Epoch, Synchronization, model.SetOf(net.Self())
	net.SendAll(p.Asked, M{Type: NewLeader, Epoch: p.Epoch, Zxid: p.Zxid, Conn: p.Round})
}

// synced is waitForNewLeaderAck, and then startZkServer.
func (f *FLE) synced(p *P, net *model.Net[M], from model.ID) {
	p.Synced = p.Synced.With(from)
	upToDate := M{Type: UpToDate, Epoch: p.Epoch, Zxid: p.Epoch, Conn: p.Round}
	if p.Phase == Broadcast {
		net.SendTo(from, upToDate)
		return
	}
	if !quorum(p.Synced, net) {
		return
	}
	net.Rule(established)
	f.establish(p, net)
	p.Zxid = p.Epoch
	p.Synced &= p.Connected
	net.SendAll(p.Synced.Without(net.Self()), upToDate)
	if !quorum(p.Synced, net) {
		f.quit(p, net)
	}
}

// establish is updateElectionVote, and the end of recovery.
func (f *FLE) establish(p *P, net *model.Net[M]) {
	p.Phase, p.Supporters = Broadcast, 0
	p.Vote.Epoch = p.Current
	net.StopTimer(limitTimer)
}

// follow is registerWithLeader and syncWithLeader.
func (f *FLE) follow(p *P, net *model.Net[M], m M) {
	switch {
	case m.Type == Refused:
		f.refused(p, net)
	case m.Type == LeaderInfo:
		f.accept(p, net, m)
	case m.Conn != p.Conn:
	case m.Type == NewLeader:
		net.Rule(synchronize)
		p.Current, p.Zxid, p.Phase = m.Epoch, m.Zxid, Synchronization
		net.Reply(M{Type: Ack, Conn: p.Conn})
	case m.Type == UpToDate:
		f.establish(p, net)
		p.Zxid = m.Zxid
	}
}

// refused has a follower try again, or give up.
func (f *FLE) refused(p *P, net *model.Net[M]) {
	if net.IsSet(connectTimer) {
		return
	}
	if p.Tries < tries {
		net.SetTimer(connectTimer, 2*net.Bound())
		return
	}
	net.Rule(timeOut)
	f.look(p, net)
}

// accept is the answer to LEADERINFO.
func (f *FLE) accept(p *P, net *model.Net[M], m M) {
	p.Conn = m.Conn
	net.StopTimer(connectTimer)
	switch {
	case m.Epoch > p.Accepted:
		net.Rule(accept)
		p.Accepted, p.Phase = m.Epoch, Acknowledged
		net.Reply(M{Type: AckEpoch, Epoch: p.Current, Zxid: p.Zxid, Conn: p.Conn})
	case m.Epoch == p.Accepted:
		net.Rule(again)
		p.Phase = Acknowledged
		net.Reply(M{Type: AckEpoch, Zxid: p.Zxid, None: true, Conn: p.Conn})
	default:
		net.Rule(behind)
		f.quit(p, net)
	}
}
