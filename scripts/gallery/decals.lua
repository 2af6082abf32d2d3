-- Four moments of a run. Mud, blood, a cut and a bruise were applied to her skin and dress once, while she stood. The robot
-- next to her is dented, scratched, shot and burnt.
local v = vector.create

local hero = character("assets/galatea.glb", { position = v(-0.42, 0, 0) })
local robot = character("assets/robot.glb", { position = v(0.62, 0, -0.35) })
hero.machine = machine { state "rest" {} }
robot.machine = machine { state "rest" {} }
light.rig("three_point", { character = hero })
light.post_process { tonemap = "agx", contrast = 1.08, saturation = 1.05, vignette = 0.2 }
camera.orbit { target = v(0.12, 1.12, 0), distance = 4.0, yaw = 14, pitch = 4, fov = 27 }

local MARKS = {
	{ hero, -0.39, 1.60, "cut", { size = 0.075, roll = 38 } },
	{ hero, -0.455, 1.55, "bruise", { size = 0.08 } },
	{ hero, -0.45, 1.39, "wound", { size = 0.06, roll = 10 } },
	{ hero, -0.56, 1.36, "mud", { size = 0.17, roll = 200 } },
	{ hero, -0.28, 1.37, "blood", { size = 0.13, roll = 70 } },
	{ hero, -0.36, 0.86, "mud", { size = 0.24, roll = 40 } },
	{ hero, -0.52, 0.92, "blood", { size = 0.16, roll = 160 } },
	{ hero, -0.40, 1.16, "hole", { size = 0.04 } },
	{ hero, -0.33, 0.50, "mud", { size = 0.20, roll = 20 } },
	{ hero, -0.51, 0.47, "blood", { size = 0.15, roll = 120 } },
	{ hero, -0.51, 0.60, "mud", { size = 0.12, roll = 150 } },
	{ robot, 0.62, 1.48, "dent", { size = 0.20, roll = 0 } },
	{ robot, 0.74, 1.40, "scratch", { size = 0.24, roll = 25 } },
	{ robot, 0.50, 1.36, "hole", { size = 0.05, roll = 0 } },
	{ robot, 0.55, 1.30, "hole", { size = 0.05, roll = 90 } },
	{ robot, 0.62, 1.82, "scratch", { size = 0.16, roll = 100 } },
	{ robot, 0.50, 0.62, "soot", { size = 0.30, roll = 0 } },
	{ robot, 0.74, 0.72, "mud", { size = 0.20, roll = 0 } },
}

local is_marked = false
function update()
	if not is_marked and now() > 0.1 then
		is_marked = true
		for _, one in MARKS do
			local at = v(one[2], one[3], 0)
			one[1]:decal(one[4], { from = at + v(0, 0, 3), to = at - v(0, 0, 3) }, one[5])
		end
		hero.apply_root_motion = false
		hero:play("run", { mode = "loop", fade = 0 })
	end
end
