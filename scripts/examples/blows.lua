-- Hit reactions: she flinches, braces, staggers or falls, depending on how hard she is hit, and gets up again.
-- No clips are used: her limbs become a ragdoll during the reaction.
--
--   galatea play scripts/examples/blows.lua      space: hit her, harder each time; mouse: look around

local hero = character "assets/galatea.glb"
camera.follow(hero, { distance = 5.4, yaw = 55, pitch = 12 })

-- Crates to fall into.
for i = 1, 9 do
	local column, row = (i - 1) // 3, (i - 1) % 3
	physics.box {
		position = vec(column * 0.5 - 1.25, 0.2 + 0.405 * row, -1.45 - 0.12 * column),
		size = vec(0.4, 0.4, 0.4),
		yaw = 13 * i,
		mass = 2,
		surface = "wood",
		color = vec(0.5, 0.3, 0.14),
	}
end

-- Health regenerates, so she never dies.
hero:hit_reactions {
	get_up_delay = 0.8,
	on_hit = function(e)
		if hero.health - e.damage <= 0.05 then
			hero.health = 1
		end
		return e.reaction
	end,
}

local BLOWS = {
	{ bone = "left_upper_arm", impulse = vec(-12, 0, 4) },
	{ bone = "head", impulse = vec(8, 0, -9) },
	{ bone = "chest", impulse = vec(5, 0, -38) },
	{ bone = "chest", impulse = vec(0, 0, 85) },
	{ bone = "chest", impulse = vec(-90, 20, -160) },
}
local n = 0

local caption = ui.text("", { anchor = "bottom", position = vec(0, -24, 0), size = 22 })
local function say(text)
	caption.text = text
end

hero:on("hit", function(e) say(string.format("%s at the %s: %.0f newton seconds", e.reaction, e.bone, vector.magnitude(e.impulse))) end)
hero:on("settle", function(e) say("she lies " .. e.posture) end)
hero:on("get_up", function() say("she gets up") end)
hero:on("get_up_end", function() say("she stands") end)

local next_blow = 0.6

function update(dt)
	if hero.is_down then
		next_blow = now() + 3.2
	elseif input.pressed("jump") or now() > next_blow then
		next_blow = now() + 1.8
		n = n % #BLOWS + 1
		local blow = BLOWS[n]
		hero:hit { bone = blow.bone, impulse = blow.impulse, damage = 0.1 }
	end
end
