package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// tally counts deliveries, and remembers who has ever led.
type tally struct {
	Delivered uint8
	Led       model.Set
}

func TestMonitorKeepsHistory(t *testing.T) {
	in, err := setting.Parse("n=3 initiators=2,3 timing=patient crashes=1")
	require.NoError(t, err)
	plain, err := model.New(heralds{}, in)
	require.NoError(t, err)
	m := model.NewMonitor("tally", tally{}, func(q *tally, e *model.Event) {
		if e.Kind == model.Delivers {
			q.Delivered++
		}
		q.Led |= e.To.Leaders
		assert.Equal(t, e.Kind == model.Crashes, e.From.Up != e.To.Up)
	})
	sys, err := plain.Monitored(m)
	require.NoError(t, err)

	both, most := model.SetOf(2, 3), uint8(0)
	broken := sys.Watched(model.Watch{State: func(v *model.View) bool {
		q := m.Of(v)
		most = max(most, q.Delivered)
		// Eager initiators have led before anything else happens, whatever came
		// of it since.
		return q.Led != both
	}})
	result, err := explore.Search(t.Context(), broken, explore.Options{Targets: broken.Targets(), Workers: 1})
	require.NoError(t, err)
	_, hit := result.Hit(0)
	assert.False(t, hit)
	assert.Equal(t, uint8(4), most)

	again, err := sys.Monitored(m, m)
	require.NoError(t, err)
	assert.Equal(t, firstState(sys), firstState(again), "a monitor that is there is not there twice")

	alone, err := explore.Search(t.Context(), plain, explore.Options{Workers: 1})
	require.NoError(t, err)
	assert.Greater(t, result.Distinct, alone.Distinct, "states tell histories apart")
}

func firstState(sys *model.System) []byte {
	for s := range sys.Initial {
		return s
	}
	return nil
}

func TestMonitorIsFlat(t *testing.T) {
	sys, err := model.New(heralds{}, setting.Must("n=2"))
	require.NoError(t, err)
	_, err = sys.Monitored(model.NewMonitor("names", struct{ Names []string }{}, nil))
	assert.ErrorContains(t, err, `monitor "names": field Names`)
}

// A monitor that the system lacks has no answer: not zero, and not "holds".
func TestMonitorThatIsNotThere(t *testing.T) {
	sys, err := model.New(heralds{}, setting.Must("n=2"))
	require.NoError(t, err)
	m := model.NewMonitor("names", uint8(0), func(*uint8, *model.Event) {})
	defer func() {
		err, _ := recover().(error)
		assert.ErrorIs(t, err, model.ErrNoMonitor)
		assert.ErrorContains(t, err, `monitor "names"`)
	}()
	m.Of(sys.View(firstState(sys)))
}

// A monitor sees the messages of a step.
func TestMonitorSeesMessages(t *testing.T) {
	plain, err := model.New(heralds{}, setting.Setting{N: 3, Needs: setting.Needs{Initiators: setting.Initiators{Which: setting.These, Set: 2, Lazy: true}}})
	require.NoError(t, err)
	type seen struct{ Sent, Received uint8 }
	m := model.NewMonitor("mail", seen{}, func(s *seen, e *model.Event) {
		for range model.Sends[claim](e) {
			s.Sent++
		}
		if c, ok := model.Received[claim](e); ok {
			s.Received++
			assert.Equal(t, model.ID(2), c.Leader)
			assert.Equal(t, model.Peer(2), e.Port)
		}
	})
	sys, err := plain.Monitored(m)
	require.NoError(t, err)
	watched := sys.Watched(model.Watch{State: func(v *model.View) bool {
		s, flying := m.Of(v), 0
		for link, c := range model.Mail[claim](v) {
			assert.Equal(t, model.ID(2), link.From)
			assert.Equal(t, claim{2}, c)
			flying++
		}
		assert.Equal(t, int(s.Sent), int(s.Received)+flying)
		assert.Equal(t, flying, v.InFlight())
		return s.Received == 2
	}})
	result, err := explore.Search(t.Context(), watched, explore.Options{Targets: watched.Targets()})
	require.NoError(t, err)
	_, hit := result.Hit(0)
	assert.True(t, hit)
}

// A property that asks for another protocol's messages is not told "none".
func TestAskingForOtherTypes(t *testing.T) {
	sys, err := model.New(heralds{}, setting.Must("n=2"))
	require.NoError(t, err)
	v := sys.View(firstState(sys))
	assert.PanicsWithValue(t, "a property asks for a model_test.word, which is not what the protocol has", func() {
		for range model.Mail[word](v) {
		}
	})
	assert.PanicsWithValue(t, "a property asks for a uint8, which is not what the protocol has", func() { model.Stored[uint8](v, 1) })
}
