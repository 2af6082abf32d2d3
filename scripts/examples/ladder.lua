-- A ladder to a loft: she climbs it hand over hand, looks around, and climbs down again.
--
--   galatea play scripts/examples/ladder.lua

ground.set { height = 0, collider = true, surface = "wood", grid = 1, color = vec(0.28, 0.26, 0.22) }
light.sun { yaw = 150, pitch = 40 }

local hero = character "assets/galatea.glb" { position = vec(0, 0, -1.2) }
hero:controller {}
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { blend1d { param = "speed", sync = "feet", match_speed = true, { 0.3, "idle" }, "walk" } },
	transition_to "move" { from = "idle", when = "speed > 0.15", fade = 0.2 },
	transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
}
hero:foot_ik()
hero:idle_motion()

local OAK, IRON = vec(0.32, 0.19, 0.1), vec(0.2, 0.2, 0.22)

-- The loft, 2.52 m high, and a ladder with nine rungs that leans against it.
local loft = physics.box { position = vec(0, 1.26, 1.75), size = vec(3, 2.52, 2), surface = "wood", color = vec(0.36, 0.33, 0.28) }
local FOOT, RISE, RUNGS = vec(0, 0.28, 0.42), vec(0, 0.28, 0.035), 9
for i = 0, RUNGS - 1 do
	physics.cylinder { position = FOOT + RISE * i, radius = 0.016, height = 0.44, roll = 90, sensor = true, color = IRON }
end
for _, x in { -0.22, 0.22 } do
	local lean = math.deg(math.atan2(RISE.z, RISE.y))
	physics.box { position = FOOT + RISE * 5 + vec(x, 0, 0), size = vec(0.04, 3.4, 0.05), pitch = lean, sensor = true, color = OAK }
end

loft:add_interaction("ladder", {
	kind = "ladder",
	position = FOOT - loft.position,
	rung_offset = RISE,
	rungs = RUNGS,
	width = 0.44,
	rails = 0.6,
	stand_position = vec(0, -1.26, -1.85),
	top = vec(0, 1.26, -0.45),
	stand_yaw = 0,
})

hero:task(function(a)
	while true do
		if a:use(loft) ~= "done" then
			print "she does not get there"
		end
		a:wait(0.6)
	end
end)

function update()
	hero.machine.params.speed = hero.speed
end

camera.orbit { target = vec(0, 2, 0.4), distance = 8, yaw = 245, pitch = 8 }
