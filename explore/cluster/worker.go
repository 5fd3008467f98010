package cluster

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// A frame is its length, as 32 bits, and so many bytes: a letter that says what it is,
// and the rest. A worker reads one and answers it before it reads the next, so that
// whoever sends too many waits.
const (
	// FrameSubject is a description of what is searched, the first frame.
	FrameSubject = 'S'
	// FrameReady answers it.
	FrameReady = 'R'
	// FrameTask is a Task as JSON.
	FrameTask = 'T'
	// FrameAnswer is its Answer.
	FrameAnswer = 'A'
	// FrameError says in a line what went wrong: that the files are not there, or that
	// the subject is unknown.
	FrameError = 'E'
)

const mostFrame = 1 << 30

// WriteFrame writes a frame.
func WriteFrame(w io.Writer, kind byte, data []byte) error {
	frame := binary.LittleEndian.AppendUint32(make([]byte, 0, 5+len(data)), uint32(len(data)+1))
	_, err := w.Write(append(append(frame, kind), data...))
	return err
}

// ReadFrame reads a frame. The error is io.EOF where there is none.
func ReadFrame(r io.Reader) (kind byte, data []byte, err error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n == 0 || n > mostFrame {
		return 0, nil, fmt.Errorf("a frame of %d bytes; frames have from 1 to %d", n, mostFrame)
	}
	data = make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return 0, nil, fmt.Errorf("a frame is cut off: %w", err)
	}
	return data[0], data[1:], nil
}

// Serve answers frames until there are no more. Subject makes the system that a first
// frame describes.
func Serve(in io.Reader, out io.Writer, subject func(description []byte) (Subject, error)) error {
	var w *Worker
	defer func() {
		if w != nil {
			w.Close()
		}
	}()
	for {
		kind, data, err := ReadFrame(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var answer []byte
		switch {
		case kind == FrameSubject:
			var s Subject
			if s, err = subject(data); err == nil {
				w = NewWorker(s)
			}
			kind = FrameReady
		case kind == FrameTask && w != nil:
			answer, err = w.answer(data)
			kind = FrameAnswer
		default:
			err = fmt.Errorf("a frame %q, where %q or, behind it, %q was expected", kind, FrameSubject, FrameTask)
		}
		if err != nil {
			kind, answer = FrameError, []byte(err.Error())
		}
		if err := WriteFrame(out, kind, answer); err != nil {
			return err
		}
	}
}

// answer carries out a task in JSON.
func (w *Worker) answer(data []byte) ([]byte, error) {
	var t Task
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fmt.Errorf("a task makes no sense: %w", err)
	}
	a, err := w.Do(t)
	if err != nil {
		return nil, err
	}
	return json.Marshal(a)
}
