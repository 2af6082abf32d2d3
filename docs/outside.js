// Links to files outside of docs (scripts, the map of the sources) lead nowhere in the book: their text stays.
for (const link of document.querySelectorAll("main a[href]")) {
	const home = new URL((typeof path_to_root === "string" && path_to_root) || "./", document.baseURI)
	if (link.protocol === home.protocol && link.host === home.host && !link.href.startsWith(home.href)) {
		link.replaceWith(...link.childNodes)
	}
}
