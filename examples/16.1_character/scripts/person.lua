-- A character with all systems: a controller that walks and collides, clips, inverse kinematics, a face, speech, hair
-- and decals. Order while alive: clips, look-at, reach. The ragdoll overrides all of them.

local Person = {}
Person.__index = Person

local WALK, RUN = 1.4, 4.2 -- metres per second, the speeds of the clips

local LINES = {
	{ "speak_3.wav", "Change a line while I talk, and I just [talk_beat_6]go[/] on. {smile}Try {brow_up}[nod]that[/] with marble." },
	{ "speak_2.wav", "Then somebody wrote a page of Lua. And now I [talk_beat_2]breathe[/]. I {blink}blink. {smirk}I have [shrug]opinions[/]." },
}
local MOODS = { "happiness", "surprise", "sadness", "anger", "fear", "disgust" }
local CUTS = { false, "long", "short", "mohawk" }

function Person.new(file, options)
	local self = setmetatable({ line = 0, mood = 0, cut = 1, seed = 0, looks = false }, Person)
	local body = character(file, options)
	self.body = body
	body:controller { max_step_height = 0.3 }
	body:foot_ik()
	body:lean()
	body:idle_motion()
	body:hit_reactions { get_up_delay = 1 }
	body.machine = machine {
		params = { speed = 0 },
		state "stand" { "idle" },
		state "move" { blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk", "run" } },
		state "jump" { "jump", mode = "once" },
		transition_to "jump" { from = { "stand", "move" }, on = "jump", fade = 0.15 },
		transition_to "move" { from = "jump", at_end = true, when = "speed > 0.15", fade = 0.2 },
		transition_to "stand" { from = "jump", at_end = true, fade = 0.2 },
		transition_to "move" { from = "stand", when = "speed > 0.15", fade = 0.2 },
		transition_to "stand" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
	}
	body:on("takeoff", function(e)
		sound.play("jump", { position = e.position, volume = 0.5 })
	end)
	body:on("land", function(e)
		sound.play("land_" .. e.surface, { position = e.position })
	end)
	body:on("step", function(e)
		sound.play("step_" .. e.surface, { position = e.position, volume = 0.6 })
	end)
	return self
end

function Person:walk(x, y, is_run)
	local ahead = camera.forward()
	local way = ahead * y + vec(-ahead.z, 0, ahead.x) * x
	local push = math.min(1, vector.magnitude(way))
	self.body:move(if push > 0 then vector.normalize(way) * push * (if is_run then RUN else WALK) else vector.zero)
end

function Person:jump()
	self.body.machine:send("jump", { timeout = 0.15 })
end

-- A bone mask: the arm waves while the legs walk.
function Person:wave()
	self.body:play("wave", { mask = "right_shoulder", fade = 0.25 })
end

function Person:speak()
	self.line = self.line % #LINES + 1
	local line = LINES[self.line]
	return self.body:say { line[1], text = line[2], if_speaking = "interrupt" }
end

function Person:emote()
	self.mood = self.mood % #MOODS + 1
	self.body.face:mood(MOODS[self.mood], { intensity = 0.9 })
	return MOODS[self.mood]
end

-- A face from the face factory on the same body. The head has the same vertices, so the skin weights still fit.
function Person:new_face()
	self.seed += 1
	self.body.face:randomize { seed = self.seed, variation = 1.3 }
end

function Person:look_at(target)
	self.looks = target ~= nil
	self.body:look_at(target or false, { out_of_range = "release" })
end

function Person:reach(target)
	self.reaches = target ~= nil
	self.body:reach("right_hand", target, { fade = 0.3, softness = 0.06, palm = true, grip = 0.3, radius = 0.12, full_body = true })
end

-- Removes the previous hair; at the start this is the model's own hair.
function Person:next_hair()
	if self.hair then
		self.hair:remove()
		self.hair = nil
	end
	self.cut = self.cut % #CUTS + 1
	local cut = CUTS[self.cut]
	for _, part in { "hair", "hair_cap", "bun" } do
		self.body:show_part(part, not cut)
	end
	if cut then
		self.hair = self.body:hair { cut = cut, color = vec(0.3, 0.11, 0.035), name = "hair " .. cut }
	end
end

-- A ray that hits the body leaves a wound decal, blood drops, and an impulse.
function Person:shoot(from, to)
	local hit = self.body:raycast(from, to)
	if hit then
		self.body:decal({ skin = "wound", other = "hole" }, hit)
		self.body:particles("drips", hit, { duration = 3 })
		self.body:hit { bone = hit.bone, position = hit.position, impulse = vector.normalize(to - from) * 25, damage = 0.1 }
	end
	return hit
end

function Person:kill()
	if self.body.is_dead then
		self.body.health = 1
		self.body:get_up()
	else
		self.body:kill()
	end
end

function Person:update()
	self.body.machine.params.speed = self.body.speed
end

return Person
