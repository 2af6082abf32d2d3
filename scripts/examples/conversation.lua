-- A conversation of three characters, written as one table. The speaker looks at the listener about half of the time, and
-- up and aside while searching for words. Listeners look at the speaker, nod at the end of a phrase and glance at the third
-- character. At the end of a turn the speaker looks at the next speaker.
--
--   galatea play scripts/examples/conversation.lua      1, 2, 3: interrupt

ground.set { height = 0, surface = "wood", grid = 0, color = vec(0.2, 0.16, 0.13) }
light.rig("three_point")
light.exposure(0.4)

local NAMES = { "Anna", "Ben", "Eve" }
local HAIR = { vec(0.07, 0.04, 0.03), vec(0.35, 0.2, 0.08), vec(0.5, 0.46, 0.42) }
local CLOTH = { vec(0.05, 0.12, 0.25), vec(0.3, 0.06, 0.05), vec(0.08, 0.2, 0.1) }

local cast = {}
for i, name in NAMES do
	local angle = math.rad(120 * i + 60)
	local at = vec(0.75 * math.sin(angle), 0, 0.75 * math.cos(angle))
	local one = character("assets/galatea.glb", { position = at, yaw = math.deg(angle) + 180, name = name })
	one:material("cloth").color = CLOTH[i]
	one:material("hair").color = HAIR[i]
	one.machine = machine { state "stand" { "idle", speed = 0.9 + 0.1 * i } }
	one:foot_ik()
	one:idle_motion { effort = 0.05 }
	one.face:mood("happiness", { intensity = 0.15 })
	cast[name:lower()] = one
end

local function begin()
	return conversation {
		cast = cast,
		name = "the lights",
		{ "anna", "Oh, {brow_up}there you are. We were just talking about the night when the lights went out.", to = "ben" },
		{ "ben", "Were we? I {look=away} remember it quite differently. I was walking [beat]home[/], along the river, and then…", to = "eve" },
		{ "eve", "You were [shake]not[/] walking home.", to = "ben", interrupt = "phrase" },
		{ "ben", "As I was saying,", resume = true },
		{ "anna", "Mm-hm.", overlap = 0.5, chance = 0.7 },
		{ "eve", "Did {brow_up}nobody think of the candles?", to = "anna" },
		{ pause = 0.6 },
		{
			choose = {
				{ { "anna", "{smile}I did.{/smile} They were in the kitchen, where they always are.", to = "eve" } },
				{
					{ "anna", "I thought that Ben had them.", to = "eve" },
					{ "ben", "{surprise x0.5}Me?", gap = 0.05 },
				},
			},
		},
		{ "ben", "Well, {smile}we found each [nod]other[/], in the end.", to = "all" },
	}
end

local talk
task(function(a)
	while true do
		talk = begin()
		a:wait(talk)
		a:wait(1.5)
	end
end)

local WORDS = { anna = "Wait, wait.", ben = "One moment, please.", eve = "May I say something?" }
for i, name in NAMES do
	input.bind(name, { tostring(i) })
end

function update()
	for _, name in NAMES do
		if talk and input.pressed(name) then
			local who = name:lower()
			talk:interrupt { who, WORDS[who], interrupt = "word" }
		end
	end
end

camera.orbit { target = vec(0, 1.14, 0), distance = 3.5, yaw = 6, pitch = 4, fov = 27 }
