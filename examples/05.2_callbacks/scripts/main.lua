-- 5.2 Compressed animation with events: every clip is compressed when it is loaded, and event markers on the clip
-- call functions of the script. Here the events are footsteps on four kinds of ground: each foot plays the sound and
-- raises the dust of the ground under it.
--
--   1 2        handler of a healthy or of a wounded man: the same events, different code
--   up down    speed of the walk: the events stay in sync with the feet
--   r          exercise: he runs; the events of that clip are also set in code
--   l          the event log: outcomes of the last events

light.rig("noon", { position = vec(0, 0.95, 0) })
light.sun { yaw = -35, pitch = 32, intensity = 3.2, color = vec(1, 0.92, 0.8) }
light.post_process { tonemap = "agx", contrast = 1.1, saturation = 1.08 }
ground.set { color = vec(0.27, 0.24, 0.19), grid = 0, color_variation = 0.5 }

-- Strips of ground across his path, each of them twice. He is then moved back by four strips, where it looks the same.
local GROUNDS = {
	{ "stone", vec(0.36, 0.35, 0.33), vec(0.6, 0.58, 0.55) }, { "gravel", vec(0.2, 0.18, 0.15), vec(0.4, 0.34, 0.26) },
	{ "wood", vec(0.1, 0.065, 0.04), vec(0.4, 0.25, 0.12) }, { "grass", vec(0.07, 0.09, 0.04), vec(0.3, 0.3, 0.15) },
}
local DUST = {}
local STRIP = 2.4
for i = 0, 7 do
	local one = GROUNDS[i % #GROUNDS + 1]
	ground.patch { position = vec(0, 0, (i - 0.5) * STRIP), size = vec(5, 0, STRIP), surface = one[1], color = one[2] }
	DUST[one[1]] = one[3]
end

local man = character "assets/man.glb"
camera.follow(man, { target = vec(0, 1.05, 0.5), distance = 5.6, yaw = 50, pitch = 14, fov = 28 })

-- Events: time in the clip in seconds, and any data for the handler.
for _, one in { { "walk", 0, 0.5, 1 }, { "run", 0, 0.35, 1.6 } } do
	man:add_marker(one[1], one[2], "footstep", { foot = "left", at = one[2], loud = one[4] })
	man:add_marker(one[1], one[3], "footstep", { foot = "right", at = one[3], loud = one[4] })
end

local limps, speed, runs, log = false, 1, false, false
local calls, last = 0, "none yet"

local function sounds(e, gain)
	sound.play("step_" .. e.surface, { position = e.position, volume = gain * e.loud })
	particles("dust", vec(e.position.x, 0.03, e.position.z), { burst = 24, color = DUST[e.surface], shape = "disc", radius = 0.08 })
end

-- Handlers by state: a healthy man only steps; a wounded man drags the left foot and bleeds on the right one.
local HANDLERS = {
	well = function(e)
		sounds(e, 0.7)
	end,
	wounded = function(e)
		sounds(e, if e.foot == "left" then 0.25 else 0.9)
		if e.foot == "right" then
			man:particles("drips", "left_lower_leg", { burst = 6, duration = 0.1 })
		end
	end,
}
man:on("footstep", function(e)
	calls += 1
	last = string.format("%s foot on %s at %.2f s of the clip", e.foot, e.surface, e.at)
	HANDLERS[if limps then "wounded" else "well"](e)
end)

local play
local function go()
	play = man:play(if runs then "run" else "walk", { mode = "loop", fade = 0.25, speed = speed })
end
go()

-- Size of an uncompressed clip: position, rotation and scale of each bone, 40 bytes, 30 times per second.
local function plain(name)
	local bones = 0
	for _ in man:clip(name):sample(0) do
		bones += 1
	end
	return bones * 40 * math.ceil(man:clip(name).duration * 30 + 1)
end

ui.text("5.2  Compression and callbacks", { position = vec(28, 20, 0), size = 30, outline = 2 })
local state = ui.text("", { position = vec(28, 62, 0), size = 22, outline = 2 })
ui.text("1 2: well, wounded    up down: speed    r: run    l: event log", { position = vec(28, -20, 0), anchor = "bottom_left", size = 22, outline = 2 })

function update(dt)
	if input.pressed "1" then
		limps = false
	elseif input.pressed "2" then
		limps = true
	elseif input.pressed "r" then
		runs = not runs
		play:stop(0.25)
		go()
	elseif input.pressed "l" then
		log = not log
		man:event_log()
	end
	speed = math.clamp(speed + ((if input.down "up" then 1 else 0) - (if input.down "down" then 1 else 0)) * dt, 0.3, 2.5)
	play.speed = speed * (if limps then 0.7 else 1)
	local name = if runs then "run" else "walk"
	man.position += vec(0, 0, (man:clip(name).ground_speed or 1.4) * play.speed * dt)
	if man.position.z > 5 * STRIP then
		man.position -= vec(0, 0, 4 * STRIP)
	end
	local told = ""
	if log then
		local entries = man:event_log()
		local entry = entries[#entries]
		told = if entry then `\nevent log: {entry.name} of {entry.clip} {entry.outcome}` else ""
	end
	local bytes = man:clip(name).bytes
	state.text = string.format("%s: %d bytes packed, %d plain (%.0f : 1)\n%d calls, the last: %s; handler: %s%s", name, bytes, plain(name), plain(name) / bytes, calls, last, if limps then "wounded" else "well", told)
end

return { man = man, calls = function() return calls end, play = function() return play end, plain = plain }
