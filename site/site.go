//go:build !js

package site

import (
	"context"

	"bullyproof/command"
	"bullyproof/site/internal/maker"
)

var _ command.Publisher = Publisher{}

// A Publisher makes the site of any catalogue.
type Publisher struct{}

// Usable implements command.Publisher.
func (Publisher) Usable(dir string) error {
	_, err := maker.Usable(dir)
	return err
}

// Publish implements command.Publisher.
func (Publisher) Publish(ctx context.Context, t *command.Tool, o command.SiteOptions) (*command.SiteMade, error) {
	opt := maker.Options{
		Title: t.Name, Source: o.Source, Address: o.Address, Algorithms: t.Algorithms, Examples: t.Examples, Lessons: t.Lessons, Lectures: t.Lectures,
		Omitted: t.Omitted, Recorded: t.Recorded, Incidents: t.Incidents, Publications: t.Publications, Progress: o.Progress,
	}
	without := "--no-explorer"
	var err error
	if !o.NoExplorer {
		opt.Explorer, without, err = explorer(ctx)
	}
	if err != nil {
		return nil, err
	}
	made, err := maker.Make(ctx, opt)
	if err != nil {
		return nil, err
	}
	return &command.SiteMade{
		Pages: made.Pages(), Algorithms: made.Algorithms + made.Examples, Recorded: made.Recorded, Elections: made.Elections,
		Bytes: made.Bytes(), Without: without,
	}, made.Write(ctx, o.Dir)
}
