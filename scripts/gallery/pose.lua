-- Holds a character in a pose over its idle clip, described by joint angles in degrees.
--
--   local pose = require "./pose"
--   pose(hero, { head = { yaw = 15, pitch = 5 }, right = { swing = 40, elbow = 70 } })
--
-- head, chest: pitch (down), yaw (to the left), roll (towards the right shoulder)
-- left, right (arms): swing (forwards), out (sideways), twist, elbow, wrist, turn (of the palm), curl, lift
-- eyes: yaw (to the left), pitch (down)

type Quat = { number }

local function about(x: number, y: number, z: number, degrees: number): Quat
	local half = math.rad(degrees) / 2
	local s = math.sin(half)
	return { x * s, y * s, z * s, math.cos(half) }
end

local function mul(a: Quat, b: Quat): Quat
	return {
		a[4] * b[1] + a[1] * b[4] + a[2] * b[3] - a[3] * b[2],
		a[4] * b[2] - a[1] * b[3] + a[2] * b[4] + a[3] * b[1],
		a[4] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[4],
		a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
	}
end

local function turned(t, share: number): Quat
	local q = mul(about(0, 1, 0, (t.yaw or 0) * share), about(1, 0, 0, (t.pitch or 0) * share))
	return mul(q, about(0, 0, 1, -(t.roll or 0) * share))
end

-- Mirrors a rotation given for the left side if the side is the right one.
local function on(side: string, q: Quat): Quat
	return if side == "left" then q else { q[1], -q[2], -q[3], q[4] }
end

-- Returns the bones that close a hand, with weights: one bone for all fingers, or three bones per finger.
local function fingers(hero, side: string): { [string]: number }
	if pcall(hero.bone_position, hero, side .. "_fingers") then
		return { [side .. "_fingers"] = 1 }
	end
	local bones = {}
	for _, finger in { "index", "middle", "ring", "little" } do
		for phalanx, share in { proximal = 0.6, intermediate = 0.7, distal = 0.4 } do
			bones[`{side}_{finger}_{phalanx}`] = share
		end
	end
	return bones
end

return function(hero, parts)
	local bones = {}
	local function hold(bone: string, q: Quat)
		bones[bone] = { rotation = { { 0, q[1], q[2], q[3], q[4] }, { 60, q[1], q[2], q[3], q[4] } } }
	end
	if parts.chest then
		hold("spine", turned(parts.chest, 0.45))
		hold("chest", turned(parts.chest, 0.55))
	end
	if parts.head then
		hold("neck", turned(parts.head, 0.45))
		hold("head", turned(parts.head, 0.55))
	end
	if parts.eyes then
		hold("left_eye", turned(parts.eyes, 1))
		hold("right_eye", turned(parts.eyes, 1))
	end
	local middle = math.sqrt(0.5)
	for _, side in { "left", "right" } do
		local arm = parts[side]
		if arm then
			local upper = mul(about(1, 0, 0, -(arm.swing or 0)), about(0, 0, 1, arm.out or 8))
			upper = mul(upper, mul(about(0, 1, 0, arm.twist or 0), about(0, 0, 1, -45)))
			local wrist = mul(about(middle, -middle, 0, arm.turn or 0), about(0, 0, 1, -(arm.wrist or 0)))
			hold(side .. "_shoulder", on(side, about(0, 0, 1, arm.lift or 0)))
			hold(side .. "_upper_arm", on(side, upper))
			hold(side .. "_lower_arm", on(side, about(-middle, -middle, 0, arm.elbow or 0)))
			hold(side .. "_hand", on(side, wrist))
			for bone, share in fingers(hero, side) do
				hold(bone, on(side, about(0, 0, 1, -(arm.curl or 15) * share)))
			end
		end
	end
	local clips = hero:clips()
	local n = 1
	while clips["pose" .. n] do
		n += 1
	end
	hero:add_clip(clip("pose" .. n) { space = "rest", bones = bones })
	return hero:play("pose" .. n, { mode = "loop", fade = 0 })
end
