-- State scripts: each state contains its own behaviour. Three guards share one state machine. Each guard patrols
-- a post, stops, looks around and continues. A whistle sends all of them home.
--
--   galatea play scripts/examples/guards.lua       space: whistle

local WALK = 1.4 -- metres per second, the speed of the clip

local posts = {} -- by character: both ends of the patrol and the current target end

local function other_end(me)
	local post = posts[me]
	post.to = if post.to == post.a then post.b else post.a
end

local guard = machine {
	state "watch" {
		"idle",
		-- Starts when the state is entered and stops when it is left.
		task = function(a)
			a:wait(random_range(0.5, 1.5))
			a:play("wave", { mask = "right_shoulder", fade = 0.25 })
			a:wait(0.3)
			other_end(a.character)
			a.character.machine:send("walk")
		end,
	},
	state "walk" {
		"walk",
		on_enter = function(me, from)
			print(me.name .. " leaves " .. (from or "home"))
		end,
		on_update = function(me, dt)
			local way = posts[me].to - me.position
			local left = vector.magnitude(way)
			if left < WALK * dt then
				me.machine:send("arrived")
			else
				me.yaw = math.deg(math.atan2(way.x, way.z))
				me.position += way / left * WALK * dt
			end
		end,
		on = {
			step = function(_, e)
				sound.play("step_" .. e.surface, { position = e.position, volume = 0.5 })
			end,
		},
	},
	transition_to "walk" { from = "watch", on = "walk", fade = 0.3 },
	transition_to "watch" { from = "walk", on = "arrived", fade = inertial(0.3) },
}

local guards = {}
for i, x in { -1.4, 0, 1.4 } do
	local a, b = vec(x, 0, -1.2), vec(x, 0, 1.2)
	local one = character("assets/galatea.glb", { name = "guard " .. i, position = a })
	posts[one] = { a = a, b = b, to = a }
	one.machine = guard
	guards[i] = one
end

camera.follow(guards[2], { distance = 6, pitch = 14, yaw = 40 })

function update()
	if input.pressed("jump") then
		for _, one in guards do
			posts[one].to = posts[one].a
			one.machine:send("walk")
		end
	end
end
