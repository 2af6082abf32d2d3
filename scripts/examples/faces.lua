-- Faces: one model with a different generated face for each character. You can edit the middle one by hand.
--
--   galatea play scripts/examples/faces.lua
--
-- Space: new faces. Up and down: choose a shape of the middle face; left and right: change it; R: reset it to the
-- face of the model.

local MOODS = { "calm", "happiness", "surprise", "sadness", "sly" }
expression "sly" { smile = 0.5, brow_down = 0.4 }

-- Three characters in front, two behind them and higher.
local PLACES = {
	vec(-0.30, 0, 0),
	vec(0.05, 0, 0),
	vec(0.40, 0, 0),
	vec(-0.13, 0.25, -0.45),
	vec(0.24, 0.25, -0.45),
}
local STRENGTH = 1.3

local people = {}
for i, at in PLACES do
	local one = character("assets/galatea.glb", { name = "face " .. i, position = at })
	one:look_at(camera)
	one:idle_motion()
	one.face:mood(MOODS[i], { intensity = 0.4 })
	-- Without a seed the face depends on the character's name, so it is the same on every run.
	one.face:randomize { variation = STRENGTH }
	people[i] = one
end
local mine = people[2]

light.rig("three_point", { character = mine })
camera.orbit { target = vec(-0.17, 1.63, 0), distance = 3.6, yaw = 0, pitch = 1, fov = 12.5 }

local names = {}
for name in mine.face:shapes() do
	table.insert(names, name)
end
table.sort(names)

local ROW = 30
local chosen = 1
local labels, bars = {}, {}
ui.box { position = vec(14, 14, 0), width = 330, height = #names * ROW + 20, color = vec(0.01, 0.01, 0.015), opacity = 0.55, corner_radius = 10, z_index = -1 }
for i, name in names do
	local y = 24 + (i - 1) * ROW
	labels[i] = ui.text((name:gsub("_", " ")), { position = vec(28, y, 0), size = 20 })
	bars[i] = ui.bar(0.5, { position = vec(186, y + 6, 0), width = 140, height = 12 })
end
ui.text("space: new faces     arrows: shape and weight     r: as the model", { anchor = "bottom", position = vec(0, -20, 0), size = 22, shadow = true })

local function show()
	local shapes = mine.face:shapes()
	for i, name in names do
		local shape = shapes[name]
		bars[i].value = (shape.value - shape.min) / (shape.max - shape.min)
		labels[i].color = if i == chosen then vec(1, 0.72, 0.3) else vector.one
	end
end
show()

local n = 0
function update(dt)
	if input.pressed "space" then
		n += 1
		for i, one in people do
			one.face:randomize { seed = n * #people + i, variation = STRENGTH }
		end
	end
	if input.pressed "down" then
		chosen = chosen % #names + 1
	elseif input.pressed "up" then
		chosen = (chosen - 2) % #names + 1
	end
	local way = (if input.down "right" then 1 else 0) - (if input.down "left" then 1 else 0)
	if way ~= 0 then
		local shape = mine.face:shapes()[names[chosen]]
		mine.face:shape(names[chosen], math.clamp(shape.value + way * dt, shape.min, shape.max))
	end
	if input.pressed "r" then
		mine.face:randomize { variation = 0 }
	end
	show()
end
