module bullyproof

go 1.26
