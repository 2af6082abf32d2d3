-- Shows a single model. Arrow keys select its clips, B shows its bones.
local hero = character(FILE, { clips = TAKES })
local box = hero:rest_bounds()
-- Slightly below the model, so that flat models do not flicker.
ground.set { height = box.min.y - 0.002 * (box.max.y - box.min.y) - 0.001 }
camera.frame(hero)
if BARE then
	show_bones(true)
end

local names = {}
for name in hero:clips() do
	table.insert(names, name)
end
table.sort(names)

local place = keep_on_reload("viewer", { clip = CLIP, takes = 0 })
local index = table.find(names, place.clip) or 0
-- A new take plays at once.
if #TAKES > place.takes then
	for i, name in names do
		if string.sub(name, 1, #TAKES[#TAKES].prefix) == TAKES[#TAKES].prefix then
			index = i
			break
		end
	end
end
place.takes = #TAKES
if index == 0 then
	-- The idle clip with the shortest name.
	for i, name in names do
		if string.find(string.lower(name), "idle") and (index == 0 or #name < #names[index]) then
			index = i
		end
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
