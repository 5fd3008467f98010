package fceabr

import "bullyproof/checker"

var stories []checker.Story
