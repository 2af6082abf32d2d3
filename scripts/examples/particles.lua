-- Particles: dust under her feet, breath in the cold, and a different effect every two seconds.
--
--   galatea play scripts/examples/particles.lua      click: choose the position; 1 to 9: choose the effect; B: breathe hard

ground.set { color = vec(0.30, 0.27, 0.23), surface = "stone" }
ground.patch { surface = "sand", radius = 3, position = vec(0, 0, -0.2), color = vec(0.40, 0.34, 0.26) }
light.rig "sunset"
camera.orbit { target = vec(0, 0.9, 0), distance = 5, yaw = 18, pitch = 6, fov = 36 }

local hero = character("assets/galatea.glb", { position = vec(-1.1, 0, 0.2) })
local runner = character("assets/man.glb", { position = vec(2.2, 0, -1.2), yaw = -90 })
hero:look_at(camera)
runner:play("run", { mode = "loop" })

-- Breath: emitted when she exhales, more often when she works hard.
local breath = hero:particles "breath"
local is_tired = false

-- Dust at each step, scaled by the weight on the foot. Stone gives no dust.
local DUST = { sand = 1, gravel = 0.6, grass = 0.2 }
runner:on("step", function(step)
	local much = DUST[step.surface]
	if much then
		particles("dust", step.position, { burst = math.floor(14 * much) })
	end
end)

local KINDS = { "sparks", "chips", "splash", "blood", "smoke", "embers", "motes", "dust", "snow" }
local chosen, next_one, is_alone = 1, 1, true
for i = 1, #KINDS do
	input.bind(`kind {i}`, tostring(i))
end
input.bind("breathe", "b")
local label = ui.text("", { anchor = "bottom", position = vec(0, -24, 0), size = 24, shadow = true })

-- Looping emitters are stopped after a while; live particles still play to their end.
local last
local function give_off(place, normal)
	if last then
		last:stop()
	end
	local kind = KINDS[chosen]
	local where = if kind == "snow" then vec(0, 5, 0) else { position = place, normal = normal }
	last = particles(kind, where)
end

function update()
	for i = 1, #KINDS do
		if input.pressed(`kind {i}`) then
			chosen, is_alone = i, false
		end
	end
	if input.pressed "mouse_left" then
		local aim = camera.ray()
		local hit = physics.raycast(aim.from, aim.to)
		if hit then
			is_alone = false
			give_off(hit.position, hit.normal)
		end
	end
	if input.pressed "breathe" then
		is_tired = not is_tired
		breath.rate = if is_tired then 80 else 34
	end
	if is_alone and now() > next_one then
		next_one = now() + 2
		chosen = chosen % #KINDS + 1
		give_off(vec(0.3, 0.9, 0.5), vec(-0.3, 1, 0.2))
	end
	-- The runner runs in a circle.
	local turn = now() * 1.1
	runner.position = vec(math.sin(turn) * 2.1, 0, math.cos(turn) * 2.1 - 0.2)
	runner.yaw = math.deg(turn) + 90
	label.text = `{KINDS[chosen]}     click: where     1 to 9: what     b: breathe hard`
end
