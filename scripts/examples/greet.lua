-- Tasks: a sequence of actions written top to bottom. She walks up, stops on her last step, waves and smiles. However
-- the task ends, her speed and her smile are reset.
--
--   galatea play scripts/examples/greet.lua       space: stop the task; she starts again

local hero = character "assets/galatea.glb" { position = vec(0, 0, -3) }

hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "walk" { "walk" },
	transition_to "walk" { from = "idle", when = "speed > 0.1", fade = 0.25 },
	transition_to "idle" { from = "walk", when = "speed < 0.1", fade = inertial(0.3) },
}

local function walk_to(a, z)
	hero.machine.params.speed = 1.4
	a:on_end(function() hero.machine.params.speed = 0 end)
	-- Runs in parallel with the wait, and ends with it at the latest.
	a:start(function(b)
		local before = now()
		while true do
			b:wait(0)
			hero.position += vec(0, 0, 1.4 * (now() - before))
			before = now()
		end
	end)
	a:wait_until(function() return hero.position.z > z end)
	a:wait("step", { timeout = 1 })
end

local function greet(a)
	a:race { function(b) walk_to(b, -0.5) end, 6 }
	a:wait(0.3)
	a:on_end(function() hero:morph("smile") end)
	hero:morph("smile", 0.8)
	a:all {
		function(b) b:play("wave", { mask = "right_shoulder", fade = 0.25 }) end,
		1.5,
	}
	a:wait(0.5)
end

camera.follow(hero, { distance = 3.4, pitch = 6, yaw = 30 })

local greeting
local function begin()
	hero.position = vec(0, 0, -3)
	greeting = hero:task(greet)
end
begin()

function update()
	if input.pressed("jump") then
		greeting:stop()
	end
	if greeting:end_reason() then
		print("the greeting is over: " .. greeting:end_reason())
		begin()
	end
end
