-- Saved games: she collects coins, and a menu has three slots. Coins that she has taken stay taken, also after a load.
--
--   galatea play scripts/examples/saves.lua      WASD: walk, M: menu; in the menu: arrows, Enter: load, F: save, Delete

local SLOTS = { "slot 1", "slot 2", "slot 3" }

local hero = character("assets/galatea.glb", { name = "hero" })
hero:controller { turn_rate = 540 }
hero.machine = machine {
	params = { speed = 0 },
	state "move" { blend1d { param = "speed", match_speed = true, { 0, "idle" }, { 1.4, "walk" } } },
}
camera.follow(hero, { target = vec(0, 1, 0), distance = 5, pitch = 18 })

-- What a saved game stores: the stage, and this table.
local game = keep_on_reload("game", { taken = {} })

local score = ui.text("", { anchor = "top_right", position = vec(-24, 20), size = 30, outline = 2 })
local coins = {}
for i = 1, 12 do
	local angle = i * 2.4
	local place = vec(math.sin(angle), 0, math.cos(angle)) * (0.9 + 0.35 * i)
	coins[i] = physics.cylinder {
		name = "coin " .. i,
		radius = 0.14,
		height = 0.03,
		pitch = 90,
		collider = false,
		color = vec(0.95, 0.65, 0.12),
		position = place + vec(0, 0.5, 0),
	}
end

local function show_coins()
	local n = 0
	for i, coin in coins do
		coin.visible = not game.taken[i]
		n += if game.taken[i] then 1 else 0
	end
	score.text = `{n} of {#coins} coins`
end
show_coins()

-- The stage is as it was; a local variable such as `coins` is made by the main part of the script.
function on_load()
	show_coins()
end

function update(dt)
	local way = vec(input.axis "move_x", 0, -input.axis "move_y")
	local speed = math.min(1, vector.magnitude(way)) * 1.4
	hero:move(if speed > 0 then vector.normalize(way) * speed else vector.zero)
	hero.machine.params.speed = speed
	for i, coin in coins do
		coin.yaw += 120 * dt
		local offset = coin.position - hero.position
		if not game.taken[i] and vector.magnitude(vec(offset.x, 0, offset.z)) < 0.4 then
			game.taken[i] = true
			show_coins()
		end
	end
end

-- The menu. The game is paused while it is open, so its keys are read in `update_unscaled`.
input.bind("menu", { "m", "pad_start" })
input.bind("up", { "up", "pad_up" })
input.bind("down", { "down", "pad_down" })
input.bind("choose", { "enter", "pad_south" })
input.bind("store", { "f", "pad_west" })
input.bind("erase", { "delete", "pad_north" })

local chosen = 1
local menu = ui.text("", { anchor = "center", size = 30, outline = 2, background = vec(0.05, 0.05, 0.08), visible = false })

local function find_save(slot)
	for _, one in saves() do
		if one.slot == slot then
			return one
		end
	end
	return nil
end

local function draw_menu()
	local lines = { "Enter: load    F: save    Delete    M: back", "" }
	for i, slot in SLOTS do
		local one = find_save(slot)
		local words = "empty"
		if one then
			words = one.problem or `{one.extra.title}, {one.play_time // 60} min {one.play_time // 1 % 60} s, {one.date}`
		end
		table.insert(lines, `{if i == chosen then "> " else "   "}{slot}: {words}`)
	end
	menu.text = table.concat(lines, "\n")
end

local function open_menu(is_open)
	if is_open then
		time.pause()
		draw_menu()
	else
		time.resume()
	end
	menu.visible = is_open
end

function update_unscaled()
	if input.pressed "menu" then
		open_menu(not menu.visible)
	elseif menu.visible then
		if input.pressed "up" then
			chosen = math.max(1, chosen - 1)
		elseif input.pressed "down" then
			chosen = math.min(#SLOTS, chosen + 1)
		elseif input.pressed "choose" then
			open_menu(not load(SLOTS[chosen]))
			return
		elseif input.pressed "store" then
			open_menu(false)
			save(SLOTS[chosen], { title = score.text })
			return
		elseif input.pressed "erase" then
			delete_save(SLOTS[chosen])
		else
			return
		end
		draw_menu()
	end
end
