# Sums lines "FLAVOUR: 30 cases, 20 compared, ..." by flavour.
{
	split($0, line, ": ")
	if (!(line[1] in seen)) {
		seen[line[1]] = 1
		order[++flavours] = line[1]
	}
	fields = split(line[2], counts, ", ")
	for (i = 1; i <= fields; i++) {
		split(counts[i], count, " ")
		sum[line[1], i] += count[1]
		name[line[1], i] = count[2]
	}
	width[line[1]] = fields
}
END {
	for (f = 1; f <= flavours; f++) {
		text = ""
		for (i = 1; i <= width[order[f]]; i++)
			text = text sprintf("%9d %s", sum[order[f], i], name[order[f], i])
		printf "%-26s%s\n", order[f], text
	}
}
