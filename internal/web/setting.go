package web

import (
	"errors"

	"bullyproof/model/setting"
)

var errPage = errors.New("page: want a number from 1 up")

// A settingForm lets people change the setting.
type settingForm struct {
	Action string
	Check  string // where a setting is checked
	Text   string
	Usual  string // the setting of the variant, if it is another one
	Error  string
	Words  []setting.Word
	// Watches are the expressions that the next run also watches.
	Watches []string
}

func newSettingForm(sub *subject, text string, err error) settingForm {
	f := settingForm{Action: page(sub.algorithm.Name, sub.name), Check: checkPath(sub.algorithm.Name, sub.name), Text: text, Words: setting.Words()}
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
func (s *Server) badSetting(a *Answer, sub *subject, wrong *settingError) {
	v := &visit{subject: sub}
	s.write(a, statusBadRequest, "setting.html", &settingPage{
		frame: v.frame("Setting"), Doc: sub.doc, Setting: newSettingForm(sub, wrong.text, wrong),
	})
}
