(selector, least) => {
	const parse = (c) => {
		const n = (c.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number)
		return n.length < 4 ? [...n, 1] : n
	}
	const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1)
	const light = (c) => {
		const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
		return 0.2126 * r + 0.7152 * g + 0.0722 * b
	}
	const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)
	// What is behind a text: of a drawing, the shapes before it that hold its
	// middle, wherever a group has moved it, and its own halo; of a page, the
	// backgrounds around it.
	const behind = (e) => {
		const layers = []
		const svg = e.closest("svg")
		if (svg) {
			const b = e.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2
			for (const r of svg.querySelectorAll("rect")) {
				if (r.closest("defs, a.hit")) continue
				if (!(r.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)) break
				const s = r.getBoundingClientRect()
				if (s.x <= x && x <= s.x + s.width && s.y <= y && y <= s.y + s.height && !getComputedStyle(r).fill.includes("url"))
					layers.push(parse(getComputedStyle(r).fill))
			}
			const own = getComputedStyle(e)
			if (own.paintOrder.startsWith("stroke") && own.stroke !== "none") layers.push(parse(own.stroke))
		} else for (let p = e; p; p = p.parentElement) layers.unshift(parse(getComputedStyle(p).backgroundColor))
		return layers.reduce((under, top) => over(top, under), [255, 255, 255, 1])
	}
	const found = []
	for (const e of document.querySelectorAll(selector)) {
		const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())
		const box = e.getBoundingClientRect()
		if (!own || !box.width || e.closest("defs, title, desc, style, script") || e.disabled) continue
		const under = behind(e), style = getComputedStyle(e)
		const color = over(parse(e.closest("svg") ? style.fill : style.color), under)
		const is = ratio(color, under)
		if (is < least) found.push(`contrast ${is.toFixed(2)}: ${e.tagName} ${e.getAttribute("class")} ${JSON.stringify(e.textContent.slice(0, 40))}`)
	}
	return found
}
