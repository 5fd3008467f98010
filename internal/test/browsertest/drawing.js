(selector) => {
	const found = [], name = (e) => JSON.stringify(e.textContent.slice(0, 60))
	const drawings = document.querySelectorAll(selector)
	if (drawings.length === 0) return ["there is no " + selector]
	for (const svg of drawings) {
		const view = svg.viewBox.baseVal
		// Nothing here is moved by an attribute transform: all boxes are in the
		// coordinates of the drawing.
		const boxes = [...svg.querySelectorAll("text")].map((e) => ({ e, b: e.getBBox() })).filter((t) => t.b.width > 0)
		for (const e of svg.querySelectorAll("text, rect, circle, path")) {
			if (e.closest("defs")) continue
			const b = e.getBBox()
			if (b.x < -0.5 || b.y < -0.5 || b.x + b.width > view.width + 0.5 || b.y + b.height > view.height + 0.5)
				found.push(`outside the drawing: ${e.tagName} ${e.getAttribute("class")} ${name(e)}`)
		}
		const signs = [...svg.querySelectorAll(".sign")].map((e) => e.getBBox())
		const bands = [...svg.querySelectorAll("rect.band")].map((e) => e.getBBox())
		const points = []
		for (const e of svg.querySelectorAll(".wire, .flight, .lasso"))
			for (let at = 0, end = e.getTotalLength(); at <= end; at += 3) points.push(e.getPointAtLength(at))
		points.sort((p, q) => p.y - q.y)
		boxes.sort((s, t) => s.b.y - t.b.y)
		boxes.forEach(({ e, b }, i) => {
			const meets = (c) => b.x + b.width > c.x + 1 && c.x + c.width > b.x + 1 && b.y + b.height > c.y + 1.5 && c.y + c.height > b.y + 1.5
			for (let k = i + 1; k < boxes.length && boxes[k].b.y < b.y + b.height; k++)
				if (meets(boxes[k].b)) found.push(`overlap: ${name(e)} and ${name(boxes[k].e)}`)
			if (signs.some(meets)) found.push(`on a sign: ${name(e)}`)
			if (e.matches(".label:not(.end)") && bands.some(meets)) found.push(`on a band: ${name(e)}`)
			const line = points.find((p) => p.x > b.x + 1 && p.x < b.x + b.width - 1 && p.y > b.y + 3 && p.y < b.y + b.height - 3)
			if (line) found.push(`on a line: ${name(e)} at ${Math.round(line.x)},${Math.round(line.y)}`)
		})
	}
	return found
}
