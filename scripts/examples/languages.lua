-- One character says a line in five languages, one after another.
--
--   galatea play scripts/examples/languages.lua

local hero = character("assets/galatea.glb", { name = "Galatea" })
hero:look_at(camera)
hero:idle_motion()
light.rig("three_point", { character = hero })
camera.orbit { target = vec(0, 1.5, 0.03), distance = 2.1, yaw = 16, pitch = 1, fov = 14 }

-- The pronunciation of her name in every language, and a separate one for Spanish.
pronounce { Galatea = "G AE L AH T IY1 AH" }
pronounce({ Gala = "G AA1 L AA" }, "es")

-- A custom language: Italian in which c is always soft.
language "islandese" { base = "it", rules = { { "", "c", "", "CH" } } }

local lines = {
	{ language = "en", text = "{smile}Good evening,{/smile} I am Galatea. I have 15 minutes." },
	{ language = "es", text = "Buenas noches, soy Gala. Tengo 15 minutos." },
	{ language = "de", text = "Guten Abend, ich habe 15 Minuten." },
	{ language = "fr", text = "Bonsoir, j'ai 15 minutes." },
	{ language = "islandese", text = "Buonasera, ho ancora 15 minuti." },
}

local next_line = 1
local function speak()
	local line = lines[next_line]
	next_line = next_line % #lines + 1
	hero:say { text = line.text, language = line.language, delay = 0.4 }
end
hero:on("say_end", speak)
speak()
