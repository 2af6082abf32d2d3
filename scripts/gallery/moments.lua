-- Shows frames of clips, one per second, from a list of { clip, time in the clip in seconds, yaw }. Returns an `update`.
--
--   update = require "./moments"(hero, { { "jump", 0.5, 30 }, { "sit", 1, 60 } })

return function(who, moments: { { any } })
	local shown: number? = nil
	return function()
		local i = math.min(math.floor(now() + 0.01), #moments - 1) + 1
		if i == shown then
			return
		end
		shown = i
		local clip, from, yaw = table.unpack(moments[i])
		who:play(clip, { mode = "loop", start_time = from, speed = 0.001, fade = 0 })
		who.yaw = yaw
	end
end
