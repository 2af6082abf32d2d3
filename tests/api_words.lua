-- Languages of lines, and words and languages defined by a script.

local HERO = "assets/mannequin.glb"

local function fails(t, call, what)
	local ok, why = pcall(call)
	t:expect(not ok and tostring(why):find(what, 1, true) ~= nil, why)
end

-- The phonemes of the line, in order.
local function phones(t, hero, line)
	local all = {}
	local listener = hero:on("phoneme", function(e)
		if e.phoneme ~= "SIL" then
			table.insert(all, e.phoneme)
		end
	end)
	local said = hero:say(line)
	t:wait_for(function() return said.end_reason ~= nil end, 8)
	listener:off()
	return table.concat(all, " ")
end

test("a line is pronounced in its language", function(t)
	local hero = character(HERO)
	for _, language in { "es", "Spanish", "es-AR" } do
		local got = phones(t, hero, { text = "Buenos días", language = language, rate = 3 })
		t:expect(got == "B W EH N AO S D IY AA S", got)
	end
	t:expect(phones(t, hero, { text = "Guten Tag", language = "de", rate = 3 }) == "G UW T AH N T AA K")
	t:expect(phones(t, hero, { text = "Bonjour", language = "fr", rate = 3 }) == "B AO ZH UW R")
	t:expect(phones(t, hero, { text = "こんにちは", language = "ja", rate = 3 }) == "K AO N IY CH IY W AA")
	fails(t, function() hero:say { text = "hola", language = "spanich" } end, "spanish")
end)

test("custom words are pronounced as defined", function(t)
	local hero = character(HERO)
	pronounce { Xyr = "ksir", Nguyen = "/ˈwɪn/", Zorg = "Z AO1 R G" }
	t:expect(phones(t, hero, { text = "Nguyen, Zorg’s", rate = 3 }) == "W IH N Z AO R G Z")
	local xyr = phones(t, hero, { text = "Xyr", rate = 3 })
	t:expect(xyr == "K S ER", xyr)
	pronounce({ Xyr = "S IY R" }, "es")
	t:expect(phones(t, hero, { text = "Xyr", language = "es", rate = 3 }) == "S IY R")
	t:expect(phones(t, hero, { text = "Xyr", rate = 3 }) == "K S ER")
	fails(t, function() pronounce { Xyr = "K SS IH R" } end, "unknown phoneme \"SS\"")
	fails(t, function() pronounce { Xyr = "/7/" } end, "Phonetic Alphabet")
	fails(t, function() pronounce { ["New York"] = "N UW" } end, "a single word")
	fails(t, function() pronounce({ Xyr = "S IY R" }, "spansh") end, "spanish")
	fails(t, function() pronounce { Xyr = 7 } end, "expected words")
end)

test("a custom language has its own rules, stress and digits", function(t)
	local hero = character(HERO)
	language "elvish" {
		rules = {
			{ "", "th", "", "TH" },
			{ "", "a", "", "AA" },
			{ "", "e", "", "EH" },
			{ "_", "l", "", "W" },
			{ "", "l", "", "L" },
		},
		stress = "penultimate",
		vowels = "ae",
		digits = { "al", "el", "la", "le", "tha", "the", "ath", "eth", "thal", "thel" },
	}
	t:expect(phones(t, hero, { text = "Thala lethe 41", language = "elvish", rate = 3 }) == "TH AA L AA W EH TH EH TH AA EH L")
	language "andaluz" { base = "es", rules = { { "", "z", "", "S" } } }
	t:expect(phones(t, hero, { text = "zapato", language = "andaluz", rate = 3 }) == "S AA P AA T AO")
	language "es" { default = true }
	t:expect(phones(t, hero, { text = "queso", rate = 3 }) == "K EH S AO")
	language "en" { default = true }
	fails(t, function() language "orkish" { stress = "last" } end, "a new language needs rules")
	fails(t, function() language "orkish" { rules = { { "", "g", "", "GG" } } } end, "unknown phoneme \"GG\"")
	fails(t, function() language "orkish" { rules = { { "g", "G" } } } end, "rule 1: expected four strings { left, letters, right, sounds }")
	fails(t, function() language "orkish" { rule = {} } end, "rules")
	fails(t, function() language "es" { stress = "lst" } end, "last")
end)
