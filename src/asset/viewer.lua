-- Shows one model by itself: arrow keys go through its clips, B shows its bones.
local hero = character(FILE)
local box = hero:rest_box()
-- A hair below what stands on it, so that flat things do not flicker.
ground.set { height = box.low.y - 0.002 * (box.high.y - box.low.y) - 0.001 }
camera.frame(hero)

local names = {}
for name in hero:clips() do
	table.insert(names, name)
end
table.sort(names)

local place = keep("viewer", { clip = CLIP })
local index = table.find(names, place.clip) or 0
for i, name in names do
	if index == 0 and string.find(string.lower(name), "idle") then
		index = i
	end
end
index = math.max(index, 1)

if CLIP and not table.find(names, CLIP) then
	hero:play(CLIP) -- says what is wrong, with the nearest name
end

local function show()
	if names[index] then
		place.clip = names[index]
		hero:play(names[index], { mode = "loop", fade = if CLIP then 0 else 0.2 })
		print(string.format("%d/%d %s", index, #names, names[index]))
	end
end

show()

function update()
	local step = (if input.pressed("right") then 1 else 0) - (if input.pressed("left") then 1 else 0)
	if step ~= 0 and #names > 0 then
		index = (index - 1 + step) % #names + 1
		show()
	end
end
