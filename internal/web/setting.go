package web

import (
	"errors"
	"net/http"
)

var errPage = errors.New("page: want a number from 1 up")

// A settingForm lets people change the setting.
type settingForm struct {
	Action string
	Text   string
	Usual  string // the setting of the variant, if it is another one
	Error  string
	Words  []settingWord
}

// A settingWord explains a word of a setting.
type settingWord struct{ Key, Values, Doc string }

func newSettingForm(sub *subject, text string, err error) settingForm {
	f := settingForm{Action: page(sub.algorithm.Name, sub.name), Text: text, Words: glossary}
	if usual := sub.usual.String(); usual != text {
		f.Usual = usual
	}
	if err != nil {
		f.Error = sentence(err)
	}
	return f
}

// A settingPage says what is wrong with a setting, and lets people correct it.
type settingPage struct {
	frame
	Doc     string
	Setting settingForm
}

// badSetting answers to a setting in which nothing can be explored.
func (s *Server) badSetting(w http.ResponseWriter, r *http.Request, sub *subject, wrong *settingError) {
	v := &visit{subject: sub}
	s.write(w, r, http.StatusBadRequest, "setting.html", &settingPage{
		frame: v.frame("Setting"), Doc: sub.doc, Setting: newSettingForm(sub, wrong.text, wrong),
	})
}

// glossary explains the words of a setting.
var glossary = []settingWord{
	{"n", "2 to 16", "how many processes there are"},
	{"topology", "complete, ring, biring; with :repaired or :anonymous for rings", "how channels connect them"},
	{"arrangement", "all, or ids like 3-2-1", "of a ring, in the direction of messages"},
	{"start", "cold, cold:interleaved, settled, coordinator-down", "how runs begin"},
	{"initiators", "all, one, any, none, or ids like 1,3; with :lazy at their leisure", "who begins the election of a cold start"},
	{"channels", "unordered, fifo", "in which order messages arrive"},
	{"capacity", "0 to 255", "messages that a link holds; 0 is no limit"},
	{"timing", "sync:D, lockstep, async, async:K, patient, last-resort", "delays of at most D ticks; or without bound, and timers that expire at any moment, too early K times at most, or when no message is left"},
	{"crashes, restarts, joins", "0 to 255", "how often that may happen"},
	{"losses, duplications", "0 to 255", "how many messages the network may lose or double"},
	{"cuts", "0 to 255", "how often the network may divide in two, or lose a link"},
	{"cut-by", "side, link, one-way", "what a cut takes: one side from the other; a link; or a link in one direction"},
	{"heals", "0 to 255, owed", "how often it may be whole again; or sooner or later, after every cut"},
	{"drift", "0 to 50", "by how many percent clocks run too fast or too slow"},
	{"pauses", "0 to 255", "how often a process may do nothing for a while"},
	{"mid-send", "no, yes", "whether a process may crash between two sends"},
	{"mail-down", "waits, lost", "messages to a process that is down"},
	{"mail-old", "stays, lost", "messages from before a restart"},
	{"detector", "perfect, reach, off", "the failure detector: knows who is down; or who is out of reach, as it does where there are cuts"},
	{"detectors", "all, or ids like 1,3", "to whom it reports"},
	{"reports", "idle, always", "whether it reports to those that take part in an election as well"},
	{"suspicions", "0 to 255", "how many of its reports may be wrong"},
	{"crashers", "all, or ids like 1,3", "who may crash"},
	{"pausers", "all, or ids like 1,3", "who may pause"},
	{"joiners", "all, or ids like 1,3", "who may be absent at the start"},
}
