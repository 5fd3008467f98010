# Reads what one step of .ci/run printed, and writes what failed in it: a line
# for each test, with its package, and its first lines beneath. Where no test is
# named, the last lines of the step stand for it.

function flush(package,    i, j, shown) {
	for (i = 1; i <= tests; i++) {
		# A test that only repeats that one of its subtests failed is not a row.
		if (index(name[i + 1], name[i] "/") == 1) continue
		printf "%s  %s  %s\n", step, package, name[i]
		for (j = 1; j <= lines[i] && j <= 6; j++) print "        " substr(text[i, j], 1, 200)
		shown++
	}
	if (!shown) {
		printf "%s  %s\n", step, package
		for (j = (loose > 12 ? loose - 11 : 1); j <= loose; j++) print "        " substr(other[j], 1, 200)
	}
	rows += shown ? shown : 1
	clear()
}

function clear(    i) {
	for (i = 1; i <= tests + 1; i++) { delete name[i]; lines[i] = 0 }
	tests = loose = 0
}

/^FAIL\t/ { flush($2); next }
/^ok  \t/ { clear(); next }
/^[ \t]*--- FAIL: / {
	tests++
	line = $0
	sub(/^[ \t]*--- FAIL: /, "", line)
	sub(/ \([0-9.]+s\)$/, "", line)
	name[tests] = line
	lines[tests] = 0
	next
}
/^(FAIL|PASS|ok|\?)/ { next }
{
	line = $0
	sub(/^[ \t]+/, "", line)
	if (line == "") next
	other[++loose] = line
	if (tests) text[tests, ++lines[tests]] = line
}

END { if (!rows) flush("") }
