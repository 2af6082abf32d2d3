-- Rewind puzzle: the gate closes before she can reach it. Turn back time: the gate opens again, but she stays where she is.
--
--   galatea play scripts/examples/rewind.lua      WASD: walk, R: eight seconds back

time.keep_history(20)

local GATE = vec(0, 0, -7)
local CLOSING_TIME = 5 -- seconds

-- Everything goes back in time except this table.
local player = keep_on_reload("player", { position = vector.zero, yaw = 180, rewinds = 0 })

local hero = character("assets/galatea.glb", { name = "hero", yaw = 180 })
hero:controller { turn_rate = 540 }
hero.machine = machine {
	params = { speed = 0 },
	state "move" { blend1d { param = "speed", match_speed = true, { 0, "idle" }, { 1.4, "walk" } } },
}
camera.follow(hero, { target = vec(0, 1.1, 0), distance = 5.5, pitch = 14, yaw = 0 })

local STONE = vec(0.34, 0.31, 0.27)
for side = -1, 1, 2 do
	physics.box { position = GATE + vec(side * 3.6, 1.5, 0), size = vec(6, 3, 0.5), color = STONE }
end
local gate = physics.box {
	name = "gate",
	position = GATE + vec(0, 4, 0),
	size = vec(1.2, 3, 0.3),
	body_type = "kinematic",
	color = vec(0.45, 0.2, 0.08),
}
-- Crates that fall show that time runs backwards for them, too.
for i = 1, 5 do
	physics.box {
		name = "crate " .. i,
		position = vec(2 + 0.1 * (i % 2), 0.6 + 0.75 * i, -4),
		size = vec(0.5, 0.5, 0.5),
		mass = 12,
		color = vec(0.5, 0.34, 0.18),
	}
end

local label = ui.text("", { anchor = "top", position = vec(0, 24), size = 26, outline = 2 })

function update()
	local way = vec(input.axis "move_x", 0, -input.axis "move_y")
	local speed = math.min(1, vector.magnitude(way)) * 1.4
	hero:move(if speed > 0 then vector.normalize(way) * speed else vector.zero)
	hero.machine.params.speed = speed
	player.position, player.yaw = hero.position, hero.yaw

	-- The time of the game goes back as well, so the gate needs no state of its own.
	local open = math.clamp(1 - now() / CLOSING_TIME, 0, 1)
	gate.position = GATE + vec(0, 1.5 + 2.5 * open, 0)

	if hero.position.z < GATE.z - 0.6 then
		label.text = if player.rewinds == 1 then "Through the gate, with one rewind" else `Through the gate, with {player.rewinds} rewinds`
	else
		label.text = "R: turn back time"
	end
	if input.pressed "r" and now() > 0.5 then
		player.rewinds += 1
		time.rewind(8, { except = { "player" } })
	end
end

function on_load()
	hero.position, hero.yaw = player.position, player.yaw
end
