-- Decals: marks of hits stay on the body at run time. Without input the example hits the body by itself.
--
--   galatea play scripts/examples/decals.lua      click: hit; 1 to 9: choose the decal; C: clean

local hero = character("assets/galatea.glb", { position = vec(-0.5, 0, 0) })
local robot = character("assets/robot.glb", { position = vec(0.75, 0, 0) })
hero.apply_root_motion = false
hero:play("run", { mode = "loop" })
hero:look_at(camera)
light.rig("three_point", { character = hero })
camera.orbit { target = vec(0.1, 1.05, 0), distance = 4.4, yaw = 8, pitch = 4, fov = 34 }

-- The decal depends on the surface that is hit.
local KINDS = {
	{ name = "bullets", kind = { skin = "wound", other = "hole" }, options = { penetrate = true, exit_kind = "blood" } },
	{ name = "a blade", kind = { skin = "cut", cloth = "hole", other = "scratch" } },
	{ name = "a club", kind = { skin = "bruise", cloth = false, other = "dent" } },
	{ name = "mud", kind = "mud" },
	{ name = "blood", kind = "blood" },
	{ name = "fire", kind = "soot" },
	{ name = "water", kind = "wet" },
	{ name = "a nail", kind = { cloth = false, other = "scratch" } },
	{ name = "a hammer", kind = { skin = "bruise", cloth = false, other = "dent" }, options = { size = 0.16 } },
}
local chosen = 1
local label = ui.text("", { anchor = "bottom", position = vec(0, -24, 0), size = 24, shadow = true })
for i = 1, #KINDS do
	input.bind(`kind {i}`, tostring(i))
end
input.bind("clean", "c")

local function strike(from, to)
	local hit = physics.raycast(from, to, { exact = true })
	if hit and hit.character then
		local what = KINDS[chosen]
		hit.character:decal(what.kind, hit, what.options)
	end
end

-- Without input: the next kind of hit every 0.8 s, at a random position.
local next_one = 0.5
local is_alone = true
local function alone()
	if now() < next_one then
		return
	end
	next_one += 0.8
	chosen = chosen % #KINDS + 1
	local x = if math.random() < 0.5 then -0.5 else 0.75
	local at = vec(x + (math.random() - 0.5) * 0.4, 0.3 + math.random() * 1.4, 0)
	strike(at + vec(0, 0, 3), at - vec(0, 0, 3))
end

function update()
	for i = 1, #KINDS do
		if input.pressed(`kind {i}`) then
			chosen, is_alone = i, false
		end
	end
	if input.pressed "mouse_left" then
		is_alone = false
		local aim = camera.ray()
		strike(aim.from, aim.to)
	end
	if input.pressed "clean" then
		hero:clear_decals(1)
		robot:clear_decals(1)
	end
	if is_alone then
		alone()
	end
	label.text = `{KINDS[chosen].name}     click: hit     1 to 9: with what     c: clean     {hero.decal_count + robot.decal_count} on them`
end
