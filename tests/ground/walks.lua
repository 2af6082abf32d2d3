-- Who walks from place to place, by the clips that `MODEL` names.
local hero = character("assets/hero.glb", { at = ROUND[#ROUND] + vector.create(0, 0.5, 0), scale = MODEL.scale })
hero:controller {}
hero:feet()
hero.machine = machine {
	params = { speed = 0 },
	state "stand" { MODEL.stand },
	state "walk" { MODEL.walk },
	to "walk" { from = "stand", when = "speed > 0.15", fade = 0.2 },
	to "stand" { from = "walk", when = "speed < 0.1", fade = 0.2 },
}

local leg, rests = 1, 0.5

function update(dt)
	if EACH then
		EACH()
	end
	local way = (ROUND[leg] - hero.position) * vector.create(1, 0, 1)
	if vector.magnitude(way) < 0.25 then
		leg, rests = leg % #ROUND + 1, 0.7
	end
	rests -= dt
	hero:move(if rests > 0 then vector.zero else vector.normalize(way) * MODEL.pace)
	hero.machine.params.speed = hero.speed
end

camera.follow(hero, { distance = 4 * (MODEL.scale and 0.6 or 1), pitch = 8, yaw = 90, fov = 36 })
