// Links to files outside of docs (scripts, the map of the sources) lead nowhere in the book: their text stays.
const up = (path) => /^(\.\.\/)*/.exec(path)[0].length
for (const link of document.querySelectorAll("main a[href]")) {
	if (up(link.getAttribute("href")) > up(path_to_root)) {
		link.replaceWith(...link.childNodes)
	}
}
