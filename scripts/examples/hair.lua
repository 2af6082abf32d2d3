-- Hair: guides grown on a head by a few lines, strands between them, which swing, fall and blow in the wind. She shakes
-- her head by herself.
--
--   galatea play scripts/examples/hair.lua      w wind, r rain, 1 to 3 another haircut
local v = vector.create

local hero = character("assets/mannequin.glb")
hero:play("idle", { mode = "loop" })
local skull = hero:bone("head") + v(0, 0.1, 0.015)
light.rig("three_point", { character = hero })
camera.orbit { target = skull - v(0, 0.06, 0), distance = 1.05, yaw = 30, pitch = 4, fov = 30 }

-- Where hair begins: on the skull, higher above the forehead than at the nape, and on both sides of a parting.
local function roots()
	local found = {}
	local function add(way)
		local hit = physics.ray(skull + way * 0.4, skull, { exact = true })
		if hit then
			table.insert(found, { at = hit.position - way * 0.004, way = way })
		end
	end
	for ring = 0, 5 do
		local up = math.rad(70 - ring * 19)
		local n = math.max(1, math.floor(24 * math.cos(up)))
		for i = 0, n - 1 do
			local around = (i + 0.5) / n * 2 * math.pi
			if up > math.rad(12 + 26 * math.cos(around)) then
				add(v(math.sin(around) * math.cos(up), math.sin(up), math.cos(around) * math.cos(up)))
			end
		end
	end
	for i = 0, 7 do
		local up = math.rad(42 + i * 12)
		for side = -1, 1, 2 do
			add(vector.normalize(v(0.035 * side, math.sin(up), math.cos(up))))
		end
	end
	return found
end

-- A strand is combed away from the parting and back from the face, lies on the skull as far as that goes, and then hangs;
-- `curl` winds it about itself.
local function strand(root, cut)
	local near = vector.magnitude(root.at - skull)
	local side = if root.way.x < 0 then -1 else 1
	local way = v(side, 0.2, -0.4 - math.max(0, root.way.z))
	local n = 15
	local points, at = { root.at }, root.at
	for i = 1, n do
		local share = i / n
		way = vector.normalize(way - v(0, 4 * share * cut.length + 0.15, 0))
		local goal = at + way * (cut.length / n)
		local away = goal - skull
		local keep = near + 0.008 + cut.lift * share
		if vector.magnitude(away) < keep then
			goal = skull + vector.normalize(away) * keep
		end
		way = vector.normalize(goal - at)
		at = goal
		local across = vector.normalize(vector.cross(way, root.way))
		local turn = i * cut.curl + root.way.x * 20
		points[i + 1] = at + (across * math.sin(turn) + root.way * math.cos(turn)) * (0.01 * math.min(1, cut.curl) * share)
	end
	return points
end

local CUTS = {
	{ name = "long", length = 0.42, lift = 0.015, curl = 0, color = v(0.16, 0.06, 0.02) },
	{ name = "bob", length = 0.24, lift = 0.03, curl = 0, color = v(0.03, 0.02, 0.015), stiffness = { 0.9, 0.4 } },
	{ name = "curls", length = 0.36, lift = 0.05, curl = 1.4, color = v(0.3, 0.13, 0.04) },
}

local worn
local function wear(cut, wet)
	if worn then
		worn:remove()
	end
	local guides = {}
	for i, root in roots() do
		guides[i] = strand(root, cut)
	end
	worn = hero:hair {
		guides = guides,
		strands = 4000,
		color = cut.color,
		stiffness = cut.stiffness,
		wet = wet,
		width = 0.0016,
	}
end

local cut, wet, windy = CUTS[1], 0, false
wear(cut, wet)

-- Every few seconds.
hero:modify("shake", function(pose)
	local share = math.max(0, math.sin(now() * 0.9) - 0.2)
	pose:turn("head", v(0, 1, 0), 50 * share * math.sin(now() * 5))
end)

local label = ui.text("", { anchor = "bottom", at = v(0, -24, 0), size = 22, shadow = true })
function update(_dt)
	for i, other in CUTS do
		if input.pressed(tostring(i)) then
			cut = other
			wear(cut, wet)
		end
	end
	if input.pressed "r" then
		wet = 1 - wet
		wear(cut, wet)
	end
	if input.pressed "w" then
		windy = not windy
		wind { direction = v(1, 0, -0.2), speed = if windy then 4 else 0, gusts = 0.5 }
	end
	label.text = `{cut.name}{if wet > 0 then ", wet" else ""}{if windy then ", in the wind" else ""}`
end
