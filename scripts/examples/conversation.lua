-- Three talk. Who speaks looks at the one spoken to about half of the time, else up and aside while searching for
-- words; who listens looks at the speaker, and glances at the third; at the end of a turn the speaker looks at who is
-- to go on.
--
--   galatea play scripts/examples/conversation.lua      1, 2, 3 give the word

local v = vector.create

ground.set { height = 0, surface = "wood", grid = 0, color = v(0.2, 0.16, 0.13) }
light.rig("three_point")
light.exposure(0.4)

local HAIR = { v(0.07, 0.04, 0.03), v(0.35, 0.2, 0.08), v(0.5, 0.46, 0.42) }
local CLOTH = { v(0.05, 0.12, 0.25), v(0.3, 0.06, 0.05), v(0.08, 0.2, 0.1) }

local all = {}
for i = 1, 3 do
	local angle = math.rad(120 * i + 60)
	local at = v(0.75 * math.sin(angle), 0, 0.75 * math.cos(angle))
	local one = character("assets/galatea.glb", { at = at, yaw = math.deg(angle) + 180, name = "person " .. i })
	one:material("cloth").color = CLOTH[i]
	one:material("hair").color = HAIR[i]
	one.machine = machine { state "stand" { "idle", speed = 0.9 + 0.1 * i } }
	one:feet()
	one:alive { effort = 0.05 }
	all[i] = one
end

-- Who speaks to whom, and the third who listens.
local talk = { speaker = 1, to = 2, left = 4, ends = false }

local function look()
	for i, one in all do
		if i == talk.speaker then
			one:look(all[talk.to], { manner = if talk.ends then "steady" else "speaking" })
		else
			-- What others do draws a glance now and then.
			local third = all[6 - i - talk.speaker]
			one:look({ { all[talk.speaker], interest = 4 }, { third, interest = 0.8 } }, { manner = "listening" })
		end
	end
end

local function give(speaker, to)
	talk.speaker, talk.to, talk.ends = speaker, to, false
	talk.left = 3 + 3 * math.random()
	look()
end
give(1, 2)

for i = 1, 3 do
	input.bind("speak " .. i, { tostring(i) })
end

function update(dt)
	talk.left -= dt
	for i = 1, 3 do
		if input.pressed("speak " .. i) then
			give(i, i % 3 + 1)
		end
	end
	if talk.left < 0.8 and not talk.ends then
		talk.ends = true
		look()
	elseif talk.left < 0 then
		-- Mostly the one spoken to answers.
		local last = talk.speaker
		local nxt = if math.random() < 0.7 then talk.to else 6 - talk.speaker - talk.to
		give(nxt, if math.random() < 0.6 then last else 6 - nxt - last)
	end
	-- Speech as far as it is seen: the mouth and the brows of who speaks.
	for i, one in all do
		local loud = if i == talk.speaker then math.max(0, math.sin(now() * 17) * math.noise(now() * 3, i)) else 0
		one:morph("pucker", 0.5 * loud)
		one:morph("brows_up", if i == talk.speaker then 0.35 * math.max(0, math.noise(now() * 0.8, i)) else 0)
		one:morph("smile", 0.15 + 0.2 * math.noise(now() * 0.3, 5 * i))
	end
end

camera.orbit { target = v(0, 1.14, 0), distance = 3.5, yaw = 6, pitch = 4, fov = 27 }
