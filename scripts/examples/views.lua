-- The debug views, one after another, or chosen with the arrow keys. The weights view steps from
-- bone to bone.
--
--   galatea play scripts/examples/views.lua

local hero = character "assets/galatea.glb"
hero:play("walk", { mode = "loop" })
camera.frame(hero, { yaw = 25, pitch = 6 })

local VIEWS = { "skeleton", "weights", "wireframe", "normals", "uv", "overdraw", "bounds", "morphs", "depth" }
local BONES = { "head", "chest", "left_upper_arm", "left_hand", "right_lower_leg" }
local SECONDS = 2

local chosen, shown, bone = nil, nil, nil

function update()
	local step = (if input.pressed "right" then 1 else 0) - (if input.pressed "left" then 1 else 0)
	if step ~= 0 then
		chosen = ((chosen or 1) - 1 + step) % #VIEWS + 1
	end
	local i = chosen or math.floor(now() / SECONDS) % #VIEWS + 1
	local b = BONES[math.floor(now() * 2) % #BONES + 1]
	if i == shown and (VIEWS[i] ~= "weights" or b == bone) then
		return
	end
	shown, bone = i, b
	if VIEWS[i] == "weights" then
		debug_view("weights", { bone = bone, character = hero })
	elseif VIEWS[i] == "morphs" then
		debug_view("morphs", { morph = "smile" })
	else
		debug_view(VIEWS[i])
	end
end
