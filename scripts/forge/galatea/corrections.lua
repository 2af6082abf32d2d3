-- Corrective shapes for two shapes that are active together: a blink stays a closed eye when another shape also moves the
-- lids. A name is both names joined by `__`; the runtime sets its weight to the product of the two weights.
local M, X = require "./morphs", require "./expressions"
local T = require "./motion"

local order, by_name = {}, {}
local function correct(first, second, edges)
	local whole = {}
	T.mix(whole, edges, -1)
	local name = `{first}__{second}`
	table.insert(order, name)
	by_name[name] = whole
end

for _, side in { "Left", "Right" } do
	for _, shape in { "eyeSquint", "eyeWide", "cheekSquint", "mouthSmile", "eyeLookDown", "eyeLookUp" } do
		local edges = M.lids_of[shape .. side]
		correct("eyeBlink" .. side, shape .. side, edges)
		correct("blink", shape .. side, edges)
	end
end
for _, name in X.order do
	if string.sub(name, 1, 8) == "emotion." then
		local edges = {}
		for part, share in X.made_of[name] do
			for _, one in { part, part .. "Left", part .. "Right" } do
				if M.lids_of[one] then
					T.mix(edges, M.lids_of[one], share)
				end
			end
		end
		if edges.head then
			correct("blink", name, edges)
		end
	end
end

return { order = order, by_name = by_name }
