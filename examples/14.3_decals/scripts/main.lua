-- 14.3  Decals: textured decals with alpha that stay on the animated body.
--
--   mouse        aim
--   left button  shoot; until the first click, shots are fired automatically
--   1 to 6       decal type: bullets, a blade, a club, mud, fire, paint
--   X            exercise: all hits along the ray: exit wounds
--   M            exercise: the decal depends on the material that was hit: skin, cloth, metal, stone
--   P            exercise: particles attached to the decal: dripping blood, flying dust
--   D            exercise: relief (normal map): dents and pits
--   F            decal manager: keeps the last twenty decals and fades out older ones
--   C            remove all decals
-- The bust and the pedestal are static meshes: the same call works for them.

local hero = character("assets/galatea.glb", { position = vec(-0.55, 0, 0) })
hero.apply_root_motion = false
hero:play("walk", { mode = "loop", fade = 0 })
local robot = character("assets/robot.glb", { position = vec(0.3, 0, -0.1), yaw = -8, scale = 0.92 })
local pedestal = character("assets/gallery/pedestal.glb", { position = vec(1.05, 0, 0) })
local bust = character("assets/gallery/bust.glb", { position = vec(1.05, 1, 0), yaw = -14 })
local targets = { hero, robot, pedestal, bust }

light.rig("three_point", { position = vec(0.2, 0.95, 0) })
light.post_process { tonemap = "agx", contrast = 1.08, vignette = 0.2 }
camera.orbit { target = vec(0.2, 0.87, 0), distance = 5, yaw = 5, pitch = 4, fov = 28 }

-- Either one decal type for everything, or one chosen by the material that was hit.
local KINDS = {
	{ name = "bullets", one = "wound", by = { skin = "wound", cloth = "hole", other = "hole" } },
	{ name = "a blade", one = "cut", by = { skin = "cut", cloth = "hole", other = "scratch" } },
	{ name = "a club", one = "bruise", by = { skin = "bruise", cloth = "mud", other = "dent" } },
	{ name = "mud", one = "mud", by = "mud" },
	{ name = "fire", one = "soot", by = "soot" },
	{ name = "paint", one = "blood", by = "blood", tint = vec(0.25, 0.9, 3) },
}
local MOST = 20
local state = { kind = 1, through = false, by = true, particles = false, relief = true, managed = false, alone = true, marks = {}, shots = 0, targets = targets }

local function shoot(from, to)
	local hit = physics.raycast(from, to, { exact = true })
	state.shots += 1
	if not hit or not hit.character then
		return
	end
	local kind = KINDS[state.kind]
	local options = { penetrate = state.through, exit_kind = if state.through and hit.character == hero then "blood" else nil, tint = kind.tint }
	if not state.relief then
		options.depth = 0
	end
	local mark = hit.character:decal(if state.by then kind.by else kind.one, hit, options)
	if mark then
		table.insert(state.marks, mark)
	end
	if state.particles then
		hit.character:particles(if hit.character == hero then "drips" else "dust", hit, { duration = 4 })
	end
	if state.managed and #state.marks > MOST then
		table.remove(state.marks, 1):remove(1)
	end
end

local next_shot = 0.3
local function alone()
	if now() < next_shot then
		return
	end
	next_shot += 0.3
	state.kind = 1 + math.floor(now() / 1.5) % #KINDS
	local who = targets[state.shots % 3 + 1]
	local at = who.position + vec(random_range(-0.16, 0.16), if who == pedestal then random_range(0.3, 1.4) else random_range(0.4, 1.5), 0)
	shoot(at + vec(0.2, 0.1, 4), at - vec(0.05, 0.02, 1))
end

ui.box { anchor = "bottom", width = 4000, height = 76, color = vector.zero, opacity = 0.55, z_index = -1 }
ui.text("14.3  Decals", { position = vec(28, 20, 0), size = 30, shadow = true })
local keys = ui.text("", { anchor = "bottom_left", position = vec(28, -12, 0), size = 20 })
local function tell(on)
	return if on then "on" else "off"
end

function update()
	for i = 1, #KINDS do
		if input.pressed(tostring(i)) then
			state.kind, state.alone = i, false
		end
	end
	for key, name in { x = "through", m = "by", p = "particles", d = "relief", f = "managed" } do
		if input.pressed(key) then
			state[name] = not state[name]
		end
	end
	if input.pressed "c" then
		for _, who in targets do
			who:clear_decals(0.5)
		end
		state.marks = {}
	end
	if input.pressed "mouse_left" then
		state.alone = false
		local aim = camera.ray()
		shoot(aim.from, aim.to)
	end
	if state.alone then
		alone()
	end
	local n = 0
	for _, who in targets do
		n += who.decal_count
	end
	keys.text = `Left button  shoot     1 to 6  {KINDS[state.kind].name}     C  clean     {n} decals\n`
		.. `X  through {tell(state.through)}     M  by material {tell(state.by)}     P  particles {tell(state.particles)}     D  relief {tell(state.relief)}     F  only {MOST} stay {tell(state.managed)}`
end

return { state = state, hero = hero, MOST = MOST }
