---@meta
-- Written by `galatea stubs`. Definitions for lua-language-server.

---@class vector
---@field x number
---@field y number
---@field z number
---@operator add(vector): vector
---@operator sub(vector): vector
---@operator mul(vector|number): vector
---@operator div(vector|number): vector
---@operator unm: vector

---@class vectorlib
---@field zero vector
---@field one vector
---@field create fun(x: number, y: number, z?: number): vector
---@field magnitude fun(v: vector): number
---@field normalize fun(v: vector): vector
---@field cross fun(a: vector, b: vector): vector
---@field dot fun(a: vector, b: vector): number
---@field angle fun(a: vector, b: vector, axis?: vector): number
---@field lerp fun(a: vector, b: vector, t: number): vector
---@field floor fun(v: vector): vector
---@field ceil fun(v: vector): vector
---@field abs fun(v: vector): vector
---@field sign fun(v: vector): vector
---@field min fun(v: vector, ...: vector): vector
---@field max fun(v: vector, ...: vector): vector
---@field clamp fun(v: vector, least: vector, most: vector): vector
vector = {}

---@class MachineDefinition
---@class MachinePiece
---@class ClipDefinition

---Begins an act that belongs to no character, see `character:act`.
---@param run function
---@return Act
function act(run) end

---Gives off particles at a place, or where a hit of `physics.ray` or an event is: "dust", "smoke", "breath", "blood", "drips", "splash", "sparks", "embers", "motes", "chips", "snow", or "plain" to make a kind of one's own from. Options change what the kind has. Those that are given off at once are over by themselves. 256 emitters and 16384 particles may be on a stage.
---@param kind string
---@param where vector|table
---@param options? { rate?: number, burst?: number, seconds?: number, warm?: number, most?: number, shape?: "point"|"ball"|"disc"|"box"|"surface", radius?: number, extent?: vector, offset?: vector, direction?: vector, life?: number|table, speed?: number|table, spread?: number, outward?: number, inherit?: number, gravity?: number, drag?: number, wind?: number, swirl?: number, swirl_size?: number, lands?: "through"|"ends"|"bounces"|"stays", bounce?: number, slide?: number, stays?: number, splat?: number, size?: number|table, grow?: number|table, color?: vector|table, vary?: number, alpha?: number|table, glow?: number, turned?: boolean, spin?: number|table, stretch?: number, soft?: number, gloss?: number, thin?: number, picture?: string, cells?: table, play?: "chance"|"life", seed?: number, name?: string }
---@return Particles
function particles(kind, where, options) end

---Puts many people on the stage who walk to where they are sent, around each other, around characters and walls. They share bodies and poses, so that thousands cost little; each has its own place, pace, size and moment of its steps. 64 crowds with 20000 people may be on a stage.
---@param options { body?: string|table, count?: number, at?: vector, size?: vector, pace?: number|table, scale?: number|table, girth?: number|table, colors?: table, radius?: number, idle?: string, walk?: string, run?: string, walls?: table, obstacles?: table, paths?: Paths, style?: "avoid"|"book", states?: table, start?: string, meets?: number, near?: number|table, promoted?: function, groups?: number|table, yaw?: number, seed?: number, name?: string }
---@return Crowd
function crowd(options) end

---Puts something on the stage that knows how people of crowds use it: they come, by chance where it `draws`, or sent by `people:use`; take a slot or wait in its line; act there what it says, and go on as before. Who uses it goes along when it moves. It is seen by nobody: put a model there.
---@param options { at?: vector, yaw?: number, slots?: table, clip?: string|table, intro?: string, outro?: string, reaches?: { left_hand?: vector|table, right_hand?: vector|table, left_foot?: vector|table, right_foot?: vector|table }, once?: boolean, lasts?: number|table, radius?: number, draws?: number, line?: vector|table, force?: number, reach?: number, enter?: function, update?: function, every?: number, leave?: function, name?: string }
---@return SmartObject
function smart_object(options) end

---Puts a flock on the stage: birds, or fish. Each keeps away from those near, flies as they do, and to their middle; over the ground, around what stands there, and back home. 64 flocks with 20000 may be on a stage.
---@param options { body?: string, count?: number, at?: vector, size?: vector, clip?: string, glide?: string, scale?: number|table, colors?: table, speed?: number|table, separation?: number, apart?: number, alignment?: number, cohesion?: number, reach?: number, ground?: number, clearance?: number, lowest?: number, turn?: number, home?: number, radius?: number, avoid?: number, lean?: number, leaders?: number, lead?: number, style?: "free"|"book", force?: function, seed?: number, name?: string }
---@return Flock
function flock(options) end

---Counts people of crowds from now on: who passes which line, how many are on a square metre where, where they hinder each other, when nobody is there any more. It needs no picture: `galatea test` and `galatea record --no-pictures` do without.
---@param options { at?: vector, size?: vector, cell?: number, crowd?: Crowd, lines?: table, name?: string }
---@return Survey
function survey(options) end

---Something that lies on the ground and fades, as the scent of ants does: people of crowds whose states say `lays` leave it where they walk, those whose states say `tracks` turn to where more of it lies.
---@param options { at?: vector, size?: vector, cell?: number, half_life?: number, spread?: number, name?: string }
---@return Trail
function trail(options) end

---Looks where one can walk: on what stands still on the stage (the floor, solid things, levels, terrain), up slopes and steps, under what is high enough. It is worked out in the next tick. Crowds take such ways with `crowd { paths = … }`, and `find` tells them for anybody. 16 may be on a stage.
---@param options { at?: vector, size?: vector, radius?: number, height?: number, step?: number, slope?: number, cell?: number, costs?: table, name?: string }
---@return Paths
function paths(options) end

---Puts a character on the stage. Options stand with the file in brackets; where, how large and how it looks may follow the file instead: `character "a.glb" { at = … }`. `name`, `clips` and how it is skinned decide what is made, and cannot follow. A file that is first asked for while the scene runs is loaded then, and the picture waits for it; name it in the main part to have it ready.
---@param file string
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, scale?: number, name?: string, clips?: string|table, materials?: table, variant?: string, skinning?: "linear"|"dual_quaternion"|table, skinning_mode?: string }
---@return Character
function character(file, options) end

---A table that keeps its values when the script is saved; defaults that are new are added.
---@param name string
---@param defaults? table
---@return { [any]: any }
function keep(name, defaults) end

---Seconds since the start; inside a listener, the event's own time.
---@return number
function now() end

---A random number from low (0) up to high (1); the same in every run.
---@param low? number
---@param high? number
---@return number
function chance(low, high) end

---Writes values to the terminal, separated by tabs.
function print(...) end

---Draws skeletons over the picture, or not.
---@param visible? boolean
function show_bones(visible) end

---Shows what a debug view shows of the characters in place of their looks; without a name, their looks again.
---@param name? "skeleton"|"weights"|"wireframe"|"normals"|"tangents"|"uv"|"overdraw"|"bounds"|"bodies"|"light"|"morphs"|"unlit"|"roughness"|"metallic"|"occlusion"|"depth"|"springs"
---@param options? { bone?: string, morph?: string, character?: Character, hairs?: boolean, legend?: boolean }
function show_view(name, options) end

---The wind over the whole stage, which springs, ropes, cloth and hair feel. It is still at first; chance in its gusts is the same in every run.
---@param options { direction?: vector, speed?: number, gusts?: number, size?: number }
function wind(options) end

---Makes a rope, as a character of its own with the material "rope" and the bones `link_0`, `link_1`, …, `end`, on which lamps and things can hang.
---@param options { stretch?: number, stiffness?: number, drag?: number, friction?: number, wind?: number, gravity?: number, thickness?: number, collide?: Character|table, solids?: table, floor?: boolean, from?: vector|{ character?: Character, bone?: string, offset?: vector }, to?: vector|{ character?: Character, bone?: string, offset?: vector }, length?: number, radius?: number, links?: number, end_weight?: number, color?: vector, roughness?: number, name?: string }
---@return Character
function rope(options) end

---Makes a square of cloth, as a character of its own with the material "cloth" and a bone for each particle, `c0_r0` (column, row) and so on. Where it is not held by others its pins go along with it. 64 ropes and pieces of cloth with 8192 particles may be on a stage.
---@param options { stretch?: number, stiffness?: number, drag?: number, friction?: number, wind?: number, gravity?: number, thickness?: number, collide?: Character|table, solids?: table, floor?: boolean, at?: vector, yaw?: number, size?: vector, hem?: number, columns?: number, rows?: number, pins?: "top"|"corners"|"none"|table, color?: vector, roughness?: number, name?: string }
---@return Character
function cloth(options) end

---A character or a prop on the stage, made by `character`. Without a machine it plays its idle clip, if it has one.
---@class Character
---@field name string The name it was made with, or its file and a running number.
---@field position vector World position, metres, to 100 km from the origin along each axis.
---@field yaw number Degrees about +Y; 0 looks along +Z.
---@field scale number Factor on its size, from 0.001 to 1000.
---@field velocity vector How fast it moves, metres per second; of what walks by a controller, or is solid and falls; it cannot be set for anything else.
---@field spin vector How fast it turns about the world's axes, degrees per second; of what is solid and falls; it cannot be set for anything else.
---@field asleep boolean True while it lies still and is not computed; what touches it wakes it.
---@field grounded boolean True while its controller stands on ground that it can walk on.
---@field sliding boolean True while it slides down ground that is too steep.
---@field squeezed boolean True while its controller has no room: between a lift and a ceiling, say.
---@field crouching boolean True while its capsule is low. Set it to crouch; set to false it stands up as soon as there is room.
---@field speed number How fast its controller goes over the ground, m/s; 0 without one.
---@field down boolean True while it falls or lies.
---@field lying string How its trunk is turned: "upright", also where it sits or has sunk down with its head over its hips, "face_up", "face_down" or "side".
---@field health number 0 to 1. A hit that takes the last of it kills; the less it has the sooner it falls. Who gets up from death has 0.01 at least.
---@field balance number How firmly it stands: 1, 0.5 falls at half the blow.
---@field dead boolean True from `kill`, or the hit that took its last health, until it gets up.
---@field variant string? The variant of its file that it is shown in; nil shows the plain one.
---@field stepping number -1 while `strafe` has it walk backwards, else 1: a factor for the speed of its walk.
---@field face Face Its face.
---@field decals number How many decals are on it.
---@field speaking boolean True while it speaks.
---@field turn_wanted number? Degrees about +Y by which it must turn to look at what `look` was given, while that is too far round for its head; else nothing. `hero:look(target, { turn = true })` and `act:face` turn it there.
---@field warping boolean True while a `warp` is on.
---@field root_motion { travel: vector, yaw: number } What states with root motion travelled in the last tick, warped if a warp was on: metres in the world, degrees about +Y.
---@field apply_root_motion boolean False: root motion does not move the character; a script does, with what `root_motion` says. True at first.
---@field machine Machine|MachineDefinition Its state machine; set it to what `machine { … }` gives. Every clip, bone, state and parameter it names is checked then. The states of the one before are left: their `exit` has no `to`, open intervals end with `cut`.
---@overload fun(options: table): Character
local Character = {}

---Plays a clip over whatever the machine does, once unless told otherwise.
---@param clip string
---@param options? { fade?: number, fade_out?: number, speed?: number, from?: number, mode?: "once"|"loop"|"pingpong", mask?: string|table, weight?: number, additive?: boolean|"first"|"rest", mirror?: boolean, done?: function, on?: table, mute?: boolean }
---@return Play
function Character:play(clip, options) end

---Marks a time on a clip, also while that plays. The event fires when the clip's playing passes it, exactly once each time. A character may have 1024 of them. A field `foot = "left"` or `bone = "hand"` says where it is; a field `length`, in seconds, makes it an interval that begins and ends.
---@param clip string
---@param seconds number
---@param event string
---@param fields? table
---@return Mark
function Character:mark(clip, seconds, event, fields) end

---Calls a function with each event of this name: a mark, or `enter`, `exit` and `end` of states, `warp` at the end of one, or `*` for all. The event has `name`, `time`, `character`; states `state`, `layer`, and `from` or `to`; marks their own fields and `clip`, `weight`, `position`, `surface`, `source` ("machine" with `state` and `layer`, "play" or "idle"), `edge` ("point", "begin" or "end" with `cut` when it ended early), `reverse`, and `share`, the part of the tick at which it was passed. Where clips blend only the one that shows most tells its marks. A model or a script that is saved ends, with `cut`, the intervals that it has no more. All is told when the tick is done, in order of time; at one time what was interrupted, states left, states entered, marks, what was played to its end.
---@param event string
---@param listener_or_options function|{ min_weight?: number, all?: boolean }
---@param listener? function
---@return Listener
function Character:on(event, listener_or_options, listener) end

---What became of the marks that were passed since it was first asked for, oldest first; the first time it is empty and switched on. Each entry has `number`, `time`, `name`, `clip`, `mark` (its number on the clip; less than 0 for one that was taken off since), `edge`, `weight`, `source`, `state`, `layer`, `playing` (number of this playing of the clip in the machine: a state that is entered again has another), `play` (number of the play), `outcome` ("fired", "suppressed" or "cut"; the end of an interval has that of its beginning), `reason` ("lighter_source", "below_min_weight", "layer_weight_zero", "masked", "seek", "muted", "leaving", "flood", "interval_cut" or "reloaded") and `n`, how many it stands for. `number` counts them; the latest 4096 are kept.
---@return any[]
function Character:ledger() end

---Begins an act: a function, given the act, that does one thing after another and waits in between. It begins before the tick goes on. It ends when the function returns, when it is interrupted, with its character, or when the script is saved; however it ends, what it deferred is called.
---@param run function
---@return Act
function Character:act(run) end

---Puts a decal on its surface as it stands now, where it then stays whatever the body does: "blood", "wound", "cut", "bruise", "hole", "dent", "scratch", "mud", "soot", "wet", or a picture of the project with a clear edge; in a table by names or kinds of materials, { skin = "wound", cloth = "hole", other = false }. Where is a hit of `physics.ray`, an event `hit`, a `position` with a `direction`, or a line `from` a place `to` another. Where texture coordinates lie over each other, as a repeated weave, it is a mesh of its own, of which a character has room for 32; relief without colour is not seen there, which is said once. Gives nothing where nothing is met. A character has room for 256, then the oldest go.
---@param kind string|table
---@param where table
---@param options? { size?: number, roll?: number, tint?: vector, opacity?: number, depth?: number, roughness?: number, relief?: string, dries?: number|boolean, stays?: number, fade?: number, planar?: boolean, through?: boolean, exit?: string|table }
---@return Decal?
function Character:decal(kind, where, options) end

---Takes all decals off, over some seconds.
---@param seconds? number
function Character:clean_decals(seconds) end

---As `particles`, going with it: on a bone, on its skin where a hit of `physics.ray` or an event is, or with shape = "surface" all over it. "breath" comes from the mouth as it breathes out. They do not meet itself. Gives nothing where a hit does not meet it.
---@param kind string
---@param where_or_options? string|table
---@param options? { rate?: number, burst?: number, seconds?: number, warm?: number, most?: number, shape?: "point"|"ball"|"disc"|"box"|"surface", radius?: number, extent?: vector, offset?: vector, direction?: vector, life?: number|table, speed?: number|table, spread?: number, outward?: number, inherit?: number, gravity?: number, drag?: number, wind?: number, swirl?: number, swirl_size?: number, lands?: "through"|"ends"|"bounces"|"stays", bounce?: number, slide?: number, stays?: number, splat?: number, size?: number|table, grow?: number|table, color?: vector|table, vary?: number, alpha?: number|table, glow?: number, turned?: boolean, spin?: number|table, stretch?: number, soft?: number, gloss?: number, thin?: number, picture?: string, cells?: table, play?: "chance"|"life", seed?: number, name?: string }
---@return Particles?
function Character:particles(kind, where_or_options, options) end

---Its material of this name; of several with one name all at once. What is set there is this character's alone.
---@param name string
---@return Material
function Character:material(name) end

---The names of its materials, in the file's order, each once.
---@return string[]
function Character:materials() end

---The names of its file's variants (KHR_materials_variants), in the file's order.
---@return string[]
function Character:variants() end

---The largest reading of a meter since it was reset. "foot_slide": metres that a planted foot moved over the ground since it was planted; the clips say when feet stand. "pop": the hardest jolt of a bone in the character's own space over the hardest that the clips which show have by themselves; 1 is as jolty as they are, a cut reads 10 and more. "root_drift": metres by which the hips are not where the clips have them over the character's position, their travel left out. "lip_lag": seconds by which the mouth is behind the sound of a recorded line, less than 0 where it is ahead, by loudness and openness over two seconds. The first time it is 0 and the meters are switched on; in tests they always are. Jumps of `position` do not count.
---@param name "foot_slide"|"pop"|"root_drift"|"lip_lag"
---@return number
function Character:meter(name) end

---All meters as `meter` gives them; in `now` what was measured in the last tick alone, of `foot_slide` the metres that a planted foot slid in it; `pop_bone` is the bone that popped most.
---@return { foot_slide: number, pop: number, root_drift: number, lip_lag: number, pop_bone: string?, now: { [string]: number } }
function Character:meters() end

---Sets all meters to 0; they begin anew with the next tick.
function Character:reset_meters() end

---Bends the root motion: while states with `root_motion` play, what is left of their travel is stretched and turned so that the character arrives at `to`, turned to `yaw`, `within` seconds from now. Then the event `warp` is told with its `reason`: "arrived", "missed" (no state with root motion played in the end) or "replaced" (by another warp). It may be asked for before such a state is entered. When the machine changes what it does, or the character is moved, a new way is found from there.
---@param options { to?: vector, yaw?: number, within?: number }
function Character:warp(options) end

---Has it look at a place, at somebody's face, or at `camera`: the eyes go first, the head follows, the chest a little; it blinks, and its eyes go about on what they see. A list has it look at whichever draws it most: things, or tables of a thing and its `interest` and `radius`. Nothing has it look about, `false` ends it. What is too far round is let go of; `hero.turn_wanted` says by how much to turn. With `turn` it turns there on the spot first, by a clip whose name says so (`turn_left`, `turn_right_90`, `turn_180`) or on its own `feet`; not while it walks, is told to `move` or lies: a player's input wins.
---@param target? vector|Character|table|boolean
---@param options? { on?: string, at?: vector, space?: "world"|"character", radius?: number, eyes?: number, head?: number, eye_side?: number, eye_up?: number, eye_down?: number, chest?: number, cone?: number, outside?: "let_go"|"as_far", life?: number, blinks?: number, manner?: "steady"|"listening"|"speaking", turn?: boolean|{ left?: string, right?: string, rate?: number, acceleration?: number }, weight?: number, fade?: number, curve?: string, within?: number }
---@return Modifier
function Character:look(target, options) end

---Speaks a line: a text with marks, a recorded one with `{ "line.ogg", text = "…" }`, whose text says what is in it. The mouth follows the sound, a caption shows the text, and marks happen at their words: `{brow:up}` or any expression (`{smile x0.5 1.2s}`, `{smile}…{/smile}`), `{look=name}`, `{look=camera}`, `{look=away}`, `[beat]word[/]` for a gesture (a clip of that name, or the head's beat, nod, shake, tilt) whose stroke falls on the stressed syllable, `{mood=sadness}`, `{blink}`, `{pause 0.5}`, `{event=name key=value}` for a `cue` of the script; `p=0.6` is its chance, `delay=-0.1` its delay. Its events are `say`, `word`, `phone`, `cue` and `said`. Nothing when it was dropped.
---@param line string|table
---@param options? { text?: string, sound?: string, language?: string, caption?: boolean|string, when?: "queue"|"interrupt"|"overlap"|"drop", delay?: number, gain?: number, level?: boolean, rate?: number, voice?: string|boolean, track?: table, lipsync?: "auto"|"live"|"amplitude", strength?: number }
---@return Line?
function Character:say(line, options) end

---Ends all that it says and has still to say: at the end of the phrase, of the word, or now. False when it says nothing.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Character:hush(how) end

---Has it breathe, shift its weight and never be quite still, over whatever its clips do; a human-like body without clips has this from the start. `false` fades it out.
---@param options? { breath?: number, sway?: number, noise?: number, effort?: number, valence?: number, arousal?: number, weight?: number, fade?: number, curve?: string, within?: number }|boolean
---@return Modifier
function Character:alive(options) end

---Leans its body into turns, against speeding up and slowing down, and into the hill. `false` fades it out.
---@param options? { turn?: number, speed?: number, slope?: number, most?: number, smooth?: number, weight?: number, fade?: number, curve?: string, within?: number }|boolean
---@return Modifier
function Character:lean(options) end

---Turns its hips and legs to where it walks and its spine back, so that one clip of walking ahead serves all directions under a trunk that looks or aims ahead; for a controller with `face = false`. When it walks backwards `stepping` gives -1: play the clip backwards then. `false` fades it out.
---@param options? { most?: number, spine?: number, smooth?: number, weight?: number, fade?: number, curve?: string, within?: number }|boolean
---@return Modifier
function Character:strafe(options) end

---Puts its feet on what is under them, floor, stairs, slopes, lifts: a foot that carries stays where it is, turns with the ground, and the body goes down to where all of them reach. For any number of legs. The feet tell `step` themselves, with `foot`, `position`, `normal`, `surface`, `speed` at which it came down, `weight`, and `next` and `next_in`: where and in how many seconds that foot is expected next. `false` fades it out.
---@param options? { hold?: boolean, steps?: boolean, release?: number, up?: number, down?: number, slope?: number, body?: number, smooth?: number, weight?: number, fade?: number, curve?: string, within?: number }|boolean
---@return Modifier
function Character:feet(options) end

---Brings the end of a limb to a place, a character or one of its bones, and keeps it there while both move: `left_hand`, `right_foot`, or any bone with two above it. What hangs in another hand of its own is reached exactly: the second hand on a rifle. With `body` what is too far for the arm is leaned and bent to, feet where they are and hips over them, with `step` walked to. With `grip` its fingers close. Nothing as a target lets go.
---@param limb string
---@param target? vector|Character|table
---@param options? { on?: string, at?: vector, yaw?: number, pitch?: number, roll?: number, space?: "world"|"character", turn?: boolean, pole?: vector, soft?: number, limit?: number, body?: boolean, step?: boolean, grip?: number, palm?: boolean, radius?: number, bar?: vector, name?: string, weight?: number, fade?: number, curve?: string, within?: number }
---@return Modifier
function Character:reach(limb, target, options) end

---Closes the fingers of a hand, on what is attached to it or into a fist: 0 leaves them as the clips have them, 1 closes them; fingers that are closed farther stay. Nothing as an amount lets go. A hand that reaches for something has an option `grip` for that.
---@param hand "left_hand"|"right_hand"
---@param amount? number
---@param options? { weight?: number, fade?: number, curve?: string, within?: number }
---@return Modifier
function Character:grip(hand, amount, options) end

---Brings its hips to a seat in `fade` seconds, the target a place on its surface, while the feet stay where they stand and the knees bend: with its back to the seat, some 0.35 m before it; what the legs do not reach is come near to. `false` has it stand up.
---@param target vector|Character|table|boolean
---@param options? { on?: string, at?: vector, space?: "world"|"character", lean?: number, weight?: number, fade?: number, curve?: string, within?: number }
---@return Modifier
function Character:sit(target, options) end

---Turns its spine, or the bones that are named, so that a line of the last of them, or of a hand below it and what that holds, runs through a target. Nothing as a target lets go.
---@param target? vector|Character|table
---@param options? { on?: string, at?: vector, space?: "world"|"character", bones?: table, by?: string, from?: vector, along?: vector, side?: number, up?: number, down?: number, name?: string, weight?: number, fade?: number, curve?: string, within?: number }
---@return Modifier
function Character:aim(target, options) end

---Bends a chain of bones, from `root` down to `tip`, so that the tip comes to a target: tails, tentacles, trunks, spines. Nothing as a target lets go.
---@param root string
---@param tip string
---@param target? vector|Character|table
---@param options? { on?: string, at?: vector, yaw?: number, pitch?: number, roll?: number, space?: "world"|"character", by?: "ccd"|"fabrik", limit?: number, give?: number, turn?: boolean, tolerance?: number, most?: number, name?: string, weight?: number, fade?: number, curve?: string, within?: number }
---@return Modifier
function Character:chain(root, tip, target, options) end

---Adds a helper bone: one that no clip moves and that keeps skin in shape by following others: `kind` is "twist", "fan", "push", "driver", "roll", "aim", "rotation", "copy", "parent" or "limit", `bone` is what it moves, `of` what it follows; the fields of each kind stand in docs/helpers.md, and are the same in a file's extras. All of a character are one modifier, "helpers"; those of its file are in it from the start.
---@param fields table
---@return Modifier
function Character:helper(fields) end

---Makes a handle of a thing: a door's knob, a lever, a seat, a rung, a cup: where one stands, where the hand goes, and how long it takes. In an act `a:use(thing, name)` walks there, turns, reaches and holds on. Files have them in the extras of nodes, as `handle`.
---@param name string
---@param fields { kind?: "hold"|"lever"|"take"|"seat"|"ladder", pivot?: vector, axis?: vector, swing?: number, rise?: vector, rungs?: number, width?: number, rails?: number, top?: vector, on?: string, at?: vector, turn?: vector, grip?: number, radius?: number, bar?: vector, stand?: vector, face?: number, hand?: string, other?: vector, clip?: string, reach?: number, hold?: number, release?: number }
function Character:handle(name, fields) end

---A modifier of the script's own: the function is called in every tick with the pose by then and the seconds of the tick, and turns and moves bones of it. What it did is shown by its weight.
---@param name string
---@param function function
---@param options? { before?: string, after?: string, weight?: number, fade?: number, curve?: string, within?: number }
---@return Modifier
function Character:modify(name, function, options) end

---What is done to its pose after the animation, in the order in which it is done; `print(hero:stack())` tells it line by line. The order of a tick: machine and plays, root motion, walking and physics, these modifiers, springs, cloth and hair.
---@return Modifier[]
function Character:stack() end

---One of its modifiers by name; nothing when it has none of that name.
---@param name string
---@return Modifier?
function Character:modifier(name) end

---Makes a bone and all bones below it swing after the pose, or those of several bones: hair, tails, ears, straps. The springs of VRM files swing by themselves. When the character is put farther away than its own length in one tick, they go along and do not swing from that.
---@param bones string|table
---@param options? { stiffness?: number, drag?: number, gravity?: number, radius?: number, wind?: number, limit?: number, center?: string, collide?: boolean, weight?: number }
---@return Spring
function Character:spring(bones, options) end

---Makes one bone lag behind its pose and swing on a damped spring: flesh, bellies, bags, antennae.
---@param bone string
---@param options? { frequency?: number, damping?: number, limit?: number|vector, tip?: vector, weight?: number }
---@return Spring
function Character:jiggle(bone, options) end

---Makes chains of its bones move as cloth: a cape, a skirt, the tails of a coat; one chain alone is a rope. Their first bones stay where the pose has them.
---@param options { stretch?: number, stiffness?: number, drag?: number, friction?: number, wind?: number, gravity?: number, thickness?: number, collide?: Character|table, solids?: table, floor?: boolean, chains?: table, closed?: boolean, shape?: number, weight?: number }
---@return Spring
function Character:cloth(options) end

---Puts hair on a bone: a haircut, strands that grow between guides, or those of a file. Guides move as chains of points with their lengths and their shape kept, outside of the body; every strand goes with a few of them. It is a character of its own with the material "hair" and, under a haircut, "scalp". 64 pieces may be on a stage.
---@param options { cut?: "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|{ style?: "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows", length?: number, sides?: number, ends?: number|boolean, parting?: number|boolean, back?: number, fringe?: number, lift?: number, rise?: number, droop?: number, tips?: number, band?: number|boolean, uneven?: number, bare?: number, guides?: number }, file?: string, scale?: number, yaw?: number, offset?: vector, guides?: table|number, rest?: boolean, patches?: table, strands?: number, points?: number, seed?: number, bone?: string, clump?: number, lock?: number, frizz?: number, curl?: number, turns?: number, skin?: boolean, style?: "strands"|"strips", picture?: string, width?: number, tip_width?: number, color?: vector, root_color?: vector, variety?: number, roughness?: number, stiffness?: number|table, hold?: number|table, damping?: number, air?: number, wind?: number, gravity?: number, wet?: number, follow?: number, thickness?: number, friction?: number, collide?: boolean|Character|table, motion?: "chains"|"book", name?: string }
---@return Character
function Character:hair(options) end

---Forgets the motion of all its springs, of those of its file too, and of ropes, cloth and hair that hang on it: they begin again at its pose, as after a cut in a film.
function Character:reset_springs() end

---World position of a bone's origin in the last tick, metres: of the bone of this name, or of the one that plays this part in a humanoid.
---@param name string
---@return vector
function Character:bone(name) end

---Holds a morph target at a weight, over what clips do; without a weight lets it go.
---@param name string
---@param weight? number
function Character:morph(name, weight) end

---Puts another character or prop into a bone's hold.
---@param thing Character
---@param bone string
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, scale?: number }
function Character:attach(thing, bone, options) end

---Lets this thing go from the bone that holds it; it stays where it is.
function Character:detach() end

---Shows or hides a part (a mesh of the file, by its node's name).
---@param part string
---@param visible? boolean
function Character:show(part, visible) end

---All clips and their durations, seconds.
---@return { [string]: number }
function Character:clips() end

---One of its clips, to look at.
---@param name string
---@return Clip
function Character:clip(name) end

---Gives this character alone a clip made by `clip`, by the names of bones and morph targets; `play` and machines find it by its name. Model and clips stay shared with others. It is bound again when the model is reloaded.
---@param clip ClipDefinition
function Character:add_clip(clip) end

---What a curve of its clips (a named number over time) came to in the last tick, blended like the bones; while no clip with that curve plays it is 0, or what the file has where it points at a material.
---@param name string
---@return number
function Character:curve(name) end

---The corners of the box around its vertices at rest, in its own space, metres.
---@return { low: vector, high: vector }
function Character:rest_box() end

---Makes it solid: others stand on it, walk into it and are pushed by it, and with a mass it falls. `touch` and `touch_end` tell what meets it. `false` ends that. Something that is held by a bone meets nothing until it is let go.
---@param options? { shape?: "auto"|"box"|"sphere"|"capsule"|"cylinder"|"hull"|"mesh", size?: vector, radius?: number, height?: number, at?: vector, parts?: table, surfaces?: table, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }|boolean
function Character:solid(options) end

---Where the way between two places first meets its triangles, morphed and skinned as they are now; `nil` when it misses. As `physics.ray` with `exact`, of it alone.
---@param from vector
---@param to vector
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function Character:ray(from, to) end

---Pushes something that moves freely: newton seconds, at a place in the world or at its centre of mass. What has no body that moves freely cannot be pushed.
---@param impulse vector
---@param at? vector
function Character:push(impulse, at) end

---Has it walk in the world of solid things: a capsule that climbs steps, slides along walls, stands on what moves and pushes what is light. Then `move` and root motion move it, and gravity; setting `position` puts it elsewhere at once. Called again it changes what is given. `false` takes it away. It tells `jump`, `fall`, `land` (`speed`, `height`), `step_up` (`height`), `slide` and `slide_end` (`slope`), `bump` (`speed`, `normal`), with `other`, `position` and `surface`; `source` is "controller".
---@param options? { radius?: number, height?: number, crouch_height?: number, step?: number, slope?: number, gravity?: number, terminal?: number, acceleration?: number, deceleration?: number, air_control?: number, turn_rate?: number, face?: boolean, jump?: number, coyote?: number, buffer?: number, mass?: number, push?: number, layer?: string }|boolean
function Character:controller(options) end

---Has it go at a velocity, m/s in the world, until it is told another. It gets there as fast as its controller allows. Up and down count only without gravity.
---@param velocity vector
function Character:move(velocity) end

---Has it jump from the ground, now or as soon as it lands within the controller's `buffer`. It keeps the velocity of what it stood on.
---@param options? { height?: number, speed?: number }
function Character:jump(options) end

---Makes its limbs bodies of the world, built from the model itself. Without options all of it falls, at the speed that its clips had; with `bones` only these limbs; with `power` motors pull them to the pose of the clips; both stay over falls and blows. Whoever lies by this does until `get_up`. `false` ends it: what is left of the fall gives way to the clips.
---@param options? { bones?: string|table, power?: number, animated?: boolean, pin?: number, stiffness?: number, strength?: number }|boolean
function Character:ragdoll(options) end

---What its ragdoll is made of, built from the model itself; with options what is wanted of it instead, over what the file wants.
---@param options? { bones?: table, mass?: number, density?: number, friction?: number, most?: number }
---@return { bone: string, shape: string, mass: number, link: string? }[]
function Character:bodies(options) end

---Hits it. By the impulse over its mass, where it meets, its balance and its health it flinches (the limb gives way), braces (the upper body does), staggers (it is pushed off its place) or falls, and gets up again; a hit that takes its last health lets it fall in any case. Gives what it did, false when `reflexes` forbade it. The event `hit` tells of it; `down`, `rest`, `get_up`, `stand` and `die` of what follows.
---@param options { impulse?: vector, bone?: string, at?: vector, damage?: number, reaction?: "none"|"flinch"|"brace"|"stagger"|"fall" }
---@return string|false
function Character:hit(options) end

---Ends its life: it falls and does not get up by itself. `get_up` brings it back.
function Character:kill() end

---Lets it fall, at the speed that its clips had; it gets up by itself.
function Character:knock_down() end

---Has one that lies get up where it lies: by a clip of its own for how it lies (its name has `get_up` or `stand_up`, and `front` or `back`), else by a way made for its body. The dead come back to life, with a health of 0.01 at least. False when it does not lie.
---@return boolean
function Character:get_up() end

---Says what it takes for each reaction, and may change or forbid each; what is left out stays.
---@param options { hit?: function|boolean, flinch?: number, brace?: number, stagger?: number, fall?: number, get_up?: number|boolean, touches?: boolean }
function Character:reflexes(options) end

---Takes the character off the stage.
function Character:remove() end

---A clip that plays or has played. It ends exactly once.
---@class Play
---@field time number? Seconds of the clip where it is; nil when it is over, like all below.
---@field phase number? Share of the clip where it is, 0 to 1.
---@field looped number? How often it has come to an end of the clip and gone on.
---@field weight number? How much of it shows, 0 to 1. What is set is how much shows at most, in place of the option `weight`: at once, without a fade of its own, and fades in and out go on as a factor on it. Set it tick by tick to ease it. At 0 its marks are told to nobody, but for the ends of intervals whose beginning was told.
---@field speed number? Factor on the clip's speed; 0 holds it, less than 0 plays it back.
local Play = {}

---Ends it and fades it out, over its own fade-out time or over these seconds. One that fades out already goes on as it does.
---@param fade? number
function Play:stop(fade) end

---Goes to a time of the clip, in the lap where it is. Marks between are not told unless asked; intervals left behind end, cut. False when it is over.
---@param seconds number
---@param options? { fire?: boolean }
---@return boolean
function Play:seek(seconds, options) end

---Calls a function with each mark of this name, or with all for `*`, that this play passes. It ends with the play.
---@param mark string
---@param listener function
---@return Listener
function Play:on(mark, listener) end

---Why it is over: "end", "interrupted", "stopped" or "reloaded"; nil while it plays.
---@return string?
function Play:ended() end

---Something that a script does over time, begun by `hero:act` or `act`. Methods that wait are for the act's own function; the others may be called from anywhere.
---@class Act
---@field character Character? Whose act it is; nil for one that belongs to no character.
local Act = {}

---Waits so many seconds from the moment that it last went on; one tick at least.
---@param seconds number
function Act:sleep(seconds) end

---Waits for an event of its character and gives the event as listeners get it, or for the end of a play, of a sound, of a conversation or of another act and gives the reason; nil when the time was up.
---@param thing string|Play|Sound|Conversation|Act
---@param options? { within?: number, of?: Character }
---@return any
function Act:wait(thing, options) end

---Waits until a function gives true, asked once a tick; false when the time was up.
---@param condition function
---@param options? { within?: number }
---@return boolean
function Act:wait_until(condition, options) end

---Plays a clip on its character, as `hero:play` does, waits for its end and gives the reason. An act that ends before stops the clip.
---@param clip string
---@param options? { fade?: number, fade_out?: number, speed?: number, from?: number, mode?: "once"|"loop"|"pingpong", mask?: string|table, weight?: number, additive?: boolean|"first"|"rest", mirror?: boolean, done?: function, on?: table, mute?: boolean }
---@return string
function Act:play(clip, options) end

---Walks straight to a place or a character, by its controller, and turns there; false when it does not get nearer. An act that ends before stops it.
---@param target vector|Character|table
---@param options? { on?: string, at?: vector, space?: "world"|"character", speed?: number, near?: number, yaw?: number, give_up?: number }
---@return boolean
function Act:walk_to(target, options) end

---Turns on the spot to a place, a character, `camera` or degrees about +Y: by a clip of turning where it has one, else on its own `feet`. It waits while it walks; false when it did not come to it within 8 seconds.
---@param target number|vector|Character|table
---@param options? { left?: string, right?: string, rate?: number, acceleration?: number }
---@return boolean
function Act:face(target, options) end

---Uses a handle of a thing, its only one without a name: walks to where one stands for that, turns, plays the handle's clip, reaches, holds on, also while the thing moves, and lets go. Both hear of it: `use` with `other`, `handle` and `phase` ("reach", "hold", "release", "end"), the thing `used`. Gives "done", "too_far" when it could not get there, or "taken" at once while somebody else is at it; on a ladder there may be several.
---@param thing Character
---@param handle? string
---@param options? { hold?: number|function, speed?: number, walk?: boolean }
---@return string
function Act:use(thing, handle, options) end

---Does several things at once and waits for all: functions, which are acts of their own, seconds, names of events, plays and acts. Gives what each came to.
---@param things table
---@return any[]
function Act:all(things) end

---As `all`, but waits for the first only, interrupts the functions that still run, and gives the number of the first in the list and what it came to.
---@param things table
---@return number
---@return any
function Act:race(things) end

---Begins an act that runs beside this one and ends with it at the latest.
---@param run function
---@return Act
function Act:start(run) end

---Calls a function with the reason when the act is over, however that comes about, the last deferred first. It cannot wait.
---@param cleanup function
function Act:defer(cleanup) end

---Ends the act and all that it began, at once. An act that interrupts itself does not go on.
function Act:interrupt() end

---Why it is over: "end", "interrupted", "failed" or "reloaded"; nil while it runs.
---@return string?
function Act:ended() end

---A clip from keys, for `hero:add_clip`. `bones`: by bone, or by part of a humanoid (`left_hand`), a table of `translation`, `rotation` and `scale`, each a list of keys in order of time: { t, x, y, z } or { t, vector }; of scale also { t, factor }. Rotations are degrees about z first, then x, then y, or the quaternion { t, x, y, z, w }. `space`, of the clip or of a bone, tells what keys are counted from: "parent" (the bone's place in its parent, as in glTF), "rest" (turns about the bone's own axes on top of the rest pose) or "model" (turns and shifts along the model's axes on top of the rest pose: the same for every rig). `morphs` and `curves`: by name, keys { t, number }. `interpolation`, of the clip, a bone or one list of keys: "linear", "step" or "cubic" (a spline through the keys, level at both ends). `marks`: { t, "name", foot = … } as in `hero:mark`. `ticks`: units of all these times per second, 1. `duration`: 600 s at most; the last key. `mode`: what `play` does at its end unless told otherwise. What has no keys is left alone.
---@param name string
---@return fun(parts: table): ClipDefinition
function clip(name) end

---A clip of a character, from `hero:clip`. It is known by its name and outlives reloads.
---@class Clip
---@field name string Its name.
---@field duration number Seconds.
---@field source string The file it came from, or `script`.
---@field marks { time: number, name: string, [string]: any }[] Its marks in order of time, those of `hero:mark` too, with their fields.
---@field ground_speed number? Metres per second that its planted feet cover; nil where they tell none.
---@field travel vector? Metres that its root goes from start to end, in the character's own space; nil for a clip that stays in place.
---@field turn number? Degrees about +Y that its root turns from start to end.
---@field bytes number Memory that it takes, packed.
local Clip = {}

---The clip's pose at any time, by the bones that it moves: places in the parent bone; `rotation` is the quaternion x, y, z, w, and `degrees` the same about z first, then x, then y. Before the first key and after the last those hold.
---@param seconds number
---@return { [string]: { translation: vector, rotation: number[], degrees: vector, scale: vector } }
function Clip:sample(seconds) end

---One of the clip's own curves at any time.
---@param name string
---@param seconds number
---@return number
function Clip:curve(name, seconds) end

---A material of one character. What is set holds, over clips too, until `reset`; all else is the file's, or what a clip makes of it. Reading a property gives the file's value or the one that was set. Numbers are held to their ranges. It is found again by its name when the model is saved; a script that is saved sets its own again.
---@class Material
---@field kind string How it takes light: "standard", "skin", "eye", "hair", "cloth" or "toon"; the file's, or as its name tells.
---@field color vector Linear colour.
---@field alpha number How opaque it is, of a material that is blended or cut out.
---@field tint vector Linear colour that multiplies the colour, and the shade of a toon; white in every file.
---@field metallic number How much of a metal it is, 0 to 1.
---@field roughness number How rough it is, 0 to 1.
---@field specular number Strength of the reflection of what is not metal, 0 to 1.
---@field ior number Index of refraction, at least 1; 1.5 where the file says nothing.
---@field emissive vector Linear colour of the light that it gives off.
---@field emissive_strength number Factor on that light.
---@field normal_scale number How deep its normal picture is.
---@field occlusion number How much of its occlusion picture counts, 0 to 1.
---@field alpha_cutoff number Below this alpha nothing is drawn of what is cut out.
---@field clearcoat number How much varnish lies over it, 0 to 1.
---@field clearcoat_roughness number How rough the varnish is, 0 to 1.
---@field sheen vector Linear colour of the light that fibres catch; black is none.
---@field sheen_roughness number How rough the fibres are, 0 to 1.
---@field transmission number The share of light that goes through, 0 to 1.
---@field thickness number Metres of it that light goes through; 0 is a thin wall.
local Material = {}

---Brings properties to values evenly over a time; what is left out stays. Setting one of them ends its fade.
---@param options { color?: vector, alpha?: number, tint?: vector, metallic?: number, roughness?: number, specular?: number, ior?: number, emissive?: vector, emissive_strength?: number, normal_scale?: number, occlusion?: number, alpha_cutoff?: number, clearcoat?: number, clearcoat_roughness?: number, sheen?: vector, sheen_roughness?: number, transmission?: number, thickness?: number, time?: number }
function Material:fade(options) end

---Gives one property, or all of them, back to the file and to clips.
---@param name? string
function Material:reset(name) end

---A decal on a character, or those that one shot left.
---@class Decal
---@field there boolean It is still on the character.
local Decal = {}

---Takes it off, over some seconds; false when it was gone.
---@param seconds? number
---@return boolean
function Decal:remove(seconds) end

---What gives off particles. When a script is saved, those that it makes as it is read go on where they are; what was made while it played stays.
---@class Particles
---@field there boolean It is not over yet.
---@field running boolean It gives off particles.
---@field count number How many of its particles are there.
---@field lost number How many found no room.
---@field rate number How many per second.
---@field color vector Linear colour at the beginning of a life; set a colour or a list over the life.
---@field position vector Where it is; of one that no character carries it can be set.
local Particles = {}

---Gives off so many at once, 10 unless told.
---@param n? number
function Particles:burst(n) end

---Gives off no more; those that are there live on.
function Particles:stop() end

---Gives off particles again.
function Particles:start() end

---Takes it away with all its particles.
function Particles:remove() end

---Many people. Each is a number, from 1 on. When a script is saved, they go on where they are.
---@class Crowd
---@field count number How many people there are.
local Crowd = {}

---Sends somebody to a place, or to several one after another, from now on at another pace where one is told, metres a second.
---@param person number
---@param place vector|table
---@param pace? number
function Crowd:go(person, place, pace) end

---Sends everybody to a place.
---@param place vector
---@param pace? number
function Crowd:go_all(place, pace) end

---Has somebody stay where they are; they still give way to others.
---@param person number
function Crowd:stop(person) end

---Where somebody stands, metres.
---@param person number
---@return vector
function Crowd:position(person) end

---How somebody walks, metres a second.
---@param person number
---@return vector
function Crowd:velocity(person) end

---Those who came to where they were sent in the last tick.
---@return number[]
function Crowd:arrived() end

---Those with `paths` who came to know in the last tick that no way leads to where they were sent. They stand.
---@return number[]
function Crowd:lost() end

---Those within so many metres of a place, 1 unless told.
---@param place vector
---@param radius? number
---@return number[]
function Crowd:near(place, radius) end

---Has somebody begin a state.
---@param person number
---@param state string
function Crowd:become(person, state) end

---The state that somebody is in; nil where the crowd has none, and before its first tick.
---@param person number
---@return string?
function Crowd:state(person) end

---Lets somebody hear of something: a place, somebody of this crowd, a smart object. What becomes of it their state says under `on`. By themselves they hear `arrived`, `lost`, `met`, `done` (their clip is over), `over` (the state's time is), `using` and `freed`.
---@param person number
---@param event string
---@param about? vector|number|SmartObject
function Crowd:tell(person, event, about) end

---Lets everybody within so many metres of a place hear of something that happened there; returns how many they are.
---@param place vector
---@param radius number
---@param event string
---@return number
function Crowd:tell_near(place, radius, event) end

---Has somebody act a clip of its body, once or again and again; without one they stand and walk as before. A clip that nobody acted before is made ready then, which takes a moment.
---@param person number
---@param clip? string
---@param mode? "once"|"loop"
function Crowd:act(person, clip, mode) end

---Has somebody face a place while they stand; without one, where they like.
---@param person number
---@param place? vector
function Crowd:face(person, place) end

---Has somebody go beside another of the crowd, or a character: so many metres to their left and ahead of them, 0.75 and -0.3; nobody from now on where none is told.
---@param person number
---@param leader? number|Character
---@param left? number
---@param ahead? number
function Crowd:follow(person, leader, left, ahead) end

---Puts somebody somewhere at once; `yaw` is how they face, degrees.
---@param person number
---@param place vector
---@param yaw? number
function Crowd:place(person, place, yaw) end

---Sends somebody to use a smart object; false where it has no room. They go on with what they did when they are done.
---@param person number
---@param object SmartObject
---@return boolean
function Crowd:use(person, object) end

---What somebody uses, or is on the way to.
---@param person number
---@return SmartObject?
function Crowd:using(person) end

---Has somebody stop using what they use: they act the end of it, then go on.
---@param person number
function Crowd:leave(person) end

---Makes somebody a character of their own, in the place, the step and the clothes of who they were: with a face, a gaze, speech, hits and a body that falls. They go on in the crowd; while they lie, get up, are held or have a controller, the crowd goes on around them. The one that they are already is given again.
---@param person number
---@return Character
function Crowd:promote(person) end

---Makes somebody who is a character one of the crowd again, where they are.
---@param person number
function Crowd:demote(person) end

---The character that somebody is, by `promote` or by being near; nil for one of many.
---@param person number
---@return Character?
function Crowd:character(person) end

---Takes everybody away.
function Crowd:remove() end

---Something that people of crowds use. When a script is saved, those who use it go on.
---@class SmartObject
---@field at vector Where it is. Those on its slots go along.
---@field yaw number How it faces, degrees from +z to +x.
---@field force number Metres a second by which it pushes at its middle; less than 0 draws.
---@field used number How many use it or are on their way to a slot.
---@field waiting number How many wait in its line.
local SmartObject = {}

---Those of a crowd who use it, are on their way, or wait for it.
---@param crowd Crowd
---@return number[]
function SmartObject:users(crowd) end

---Takes it away; those who use it go on.
function SmartObject:remove() end

---Birds or fish. Each is a number, from 1 on. When a script is saved, they go on where they are.
---@class Flock
---@field count number How many there are.
---@field middle vector The middle of where all of them are.
---@field separation number Away from those nearer than `apart`.
---@field apart number Metres.
---@field alignment number As fast and the same way as those around.
---@field cohesion number To the middle of those around.
---@field reach number Metres within which somebody is around.
---@field turn number How fast they turn, of their speed in a second.
---@field clearance number Metres from the ground under which they rise.
---@field lead number How much the nearest leader draws.
---@field least_speed number Metres a second.
---@field most_speed number Metres a second.
local Flock = {}

---Where one is.
---@param number number
---@return vector
function Flock:position(number) end

---How it flies, metres a second.
---@param number number
---@return vector
function Flock:velocity(number) end

---Draws all of them to a place, or drives them away from it where the weight is less than 0: within `reach` metres, less the farther; as much everywhere without one. Told again by the same name it moves; without a place it is over.
---@param name string
---@param place? vector
---@param weight? number
---@param reach? number
function Flock:pull(name, place, weight, reach) end

---Gives one of the leaders its velocity; others follow the nearest of these.
---@param number number
---@param velocity vector
function Flock:steer(number, velocity) end

---Puts one somewhere at once.
---@param number number
---@param place vector
---@param velocity? vector
function Flock:place(number, place, velocity) end

---Those within so many metres of a place, 1 unless told.
---@param place vector
---@param radius? number
---@return number[]
function Flock:near(place, radius) end

---Takes all of them away.
function Flock:remove() end

---What became of people of crowds on a piece of ground. When a script is saved, it goes on counting.
---@class Survey
---@field inside number How many are there.
---@field empty number? Seconds, as of `now()`, from which on nobody was there any more; nil before.
local Survey = {}

---How many passed a line and back, when the first and the last did (seconds as of `now()`), how many in a second of the last five either way, and how many in a second from the first to the last forth.
---@param line string
---@return { forth: number, back: number, first: number?, last: number?, rate: number, mean: number }
function Survey:flow(line) end

---People on a square metre about a place (1.5 m wide): the mean since it began, and the most over a second. Nil beside what is looked at.
---@param place vector
---@return { mean: number, most: number }?
function Survey:density(place) end

---Where people hindered each other, the worst first, 5 unless told: the place, the most people on a square metre over a second and when, metres a second at which they went, and for how many seconds there were more than 1.4 on one (Fruin's level of service E).
---@param most? number
---@return { at: vector, density: number, speed: number, seconds: number, time: number }[]
function Survey:chokes(most) end

---Writes the map of the greatest densities as a PNG into the project's folder `out`: black is nobody, pale yellow five on a square metre; walls and the borders of ways are white, lines green; x to the right, z down. Returns its path.
---@param file string
---@return string
function Survey:picture(file) end

---Takes it away.
function Survey:remove() end

---What lies on a piece of ground, in cells. When a script is saved, it lies there still.
---@class Trail
---@field half_life number Seconds in which half of it fades.
---@field spread number The part of each cell that goes over to those beside it in a second, 0 to 1.
local Trail = {}

---Leaves so much at a place, 1 unless told; less than 0 takes it away. Nothing beside its ground.
---@param place vector
---@param amount? number
function Trail:lay(place, amount) end

---How much lies at a place, on a cell.
---@param place vector
---@return number
function Trail:strength(place) end

---Takes away all that lies there.
function Trail:clear() end

---Writes a map of it as a PNG into the project's folder `out`: black is nothing, pale yellow the most, a quarter of that half as bright; x to the right, z down. Returns its path.
---@param file string
---@return string
function Trail:picture(file) end

---Takes it from the stage.
function Trail:remove() end

---Where one can walk.
---@class Paths
---@field ready boolean They have been worked out.
---@field polygons number Of how many convex pieces of ground they are made.
local Paths = {}

---The places at which the shortest way turns, where it leads last; nil where none leads there. Places are taken up to a metre beside where one can walk.
---@param from vector
---@param to vector
---@return {vector}?
function Paths:find(from, to) end

---Adds a way that is no ground: a jump, a ladder, a lift. People of a crowd go straight from one end to the other.
---@param from vector
---@param to vector
---@param options? { cost?: number, both?: boolean }
function Paths:link(from, to, options) end

---Puts something in the way, a box or something round: a closed door, a fire. Ways lead around it from the next tick on. The number is for `unblock`. For what only stands about, `obstacles` of a crowd cost less.
---@param options { at?: vector, size?: vector, radius?: number, yaw?: number }
---@return number
function Paths:block(options) end

---Takes something out of the way again.
---@param number number
function Paths:unblock(number) end

---Looks at the stage again in the next tick: after things that stand still came or went.
function Paths:refresh() end

---A function that hears events, from the next batch of them on.
---@class Listener
local Listener = {}

---Takes the listener off; it hears nothing more, also of the tick that is being told.
function Listener:off() end

---A mark that the script put on a clip of a character.
---@class Mark
local Mark = {}

---Takes the mark off its clip. What plays goes on where it is; an interval that is open ends, cut; what was passed before is still told. False when it is gone already.
---@return boolean
function Mark:remove() end

---Something that is done to the pose of a character after the animation: what `hero:feet`, `hero:reach`, `hero:modify` and the like give. No two of a character have the same name: called again, such a function changes the one that is there. A `reach`, `grip`, `aim`, `chain`, `look` or `sit` that is let go leaves the stack once it has faded, unless `before` or `after` has put it in its place. One that is gone has weight 0 and is not enabled; what would have it show again says so.
---@class Modifier
---@field name string Its name.
---@field kind string What it does: `alive`, `strafe`, `lean`, `feet`, `aim`, `look`, `chain`, `reach`, `grip`, `sit`, `script`, `helpers`.
---@field character Character Whose it is.
---@field weight number 0 to 1: how much of it shows. Setting it ends a fade.
---@field shown number 0 to 1: how much of it shows, with its curve, its distance and whether its character is up.
---@field enabled boolean False switches it off and keeps its place.
---@field missed number? Of one that reaches: metres between the end of the limb or chain and its target; of one that aims: degrees.
---@field missing string? Why it, or a part of it, does nothing: what its skeleton lacks.
local Modifier = {}

---Brings its weight to another in some seconds, 0.25 without.
---@param weight number
---@param seconds? number
function Modifier:fade(weight, seconds) end

---From now on it acts directly before the modifier of that name.
---@param other string
function Modifier:before(other) end

---From now on it acts directly after the modifier of that name.
---@param other string
function Modifier:after(other) end

---Takes it out of the stack at once. False when it was gone.
---@return boolean
function Modifier:remove() end

---The pose of a character while a function of `hero:modify` runs, and not after. Places and directions are in the character's own space: metres, +Y up, it looks along +Z.
---@class Pose
local Pose = {}

---Where a bone is, or a place in its space.
---@param bone string
---@param at? vector
---@return vector
function Pose:position(bone, at) end

---Where an axis of a bone points, its z axis without one; of length 1.
---@param bone string
---@param axis? vector
---@return vector
function Pose:direction(bone, axis) end

---Turns a bone, and all that hangs on it, about an axis through its origin: an axis of its own, or of the character's space.
---@param bone string
---@param axis vector
---@param degrees number
---@param space? "bone"|"character"
function Pose:turn(bone, axis, degrees, space) end

---Moves a bone, and all that hangs on it, in the character's space, metres.
---@param bone string
---@param by vector
function Pose:move(bone, by) end

---What `hero:spring`, `hero:jiggle` and `hero:cloth` give. It moves after the pose, until it is removed or the script is saved; then what the new version makes on the same bones goes on from where it was.
---@class Spring
---@field weight number Share of it that is shown, 0 to 1.
local Spring = {}

---Forgets its motion: it begins again at the pose.
function Spring:reset() end

---Takes it away; the bones are posed by clips again.
function Spring:remove() end

---The face of a character: morph targets, expressions of the file (VRM) and bones of jaw, lids and brows, all by name. Shapes of ARKit and the emotions (anger, concentration, confusion, contempt, desire, disgust, excitement, fear, happiness, sadness, surprise) are found or made on any face that has something to show them with; `galatea inspect` says with what. Its owners are base (clips and gaze) < mood < speech < reflex (blinks) < script: they add up, a blink closes what is left of an eye, and what a script sets takes the place of all else and stays until it is cleared.
---@class Face
---@field valence number How it feels by now, -1 bad to 1 good.
---@field arousal number The same, -1 sleepy to 1 excited.
---@field pace number Factor on how fast one walks who feels so, 0.75 to 1.25.
---@field closed number How far a blink closes its lids now, 0 to 1.
---@field live boolean Its mouth follows the microphone while it says no line; `galatea play --microphone FILE` has a recording stand for it. `false`.
local Face = {}

---What its face shows as long as nothing else does: an emotion or an expression, a word like "calm", "tired" or "tense", names and weights, or a feeling { valence = -1 to 1, arousal = -1 to 1 }. It also drives how often it blinks, how `alive` breathes and holds itself, how loud it speaks, and `face.valence`, `face.arousal` and `face.pace` for a machine. Nothing ends it.
---@param what? string|table|boolean
---@param options? { intensity?: number, fade?: number }
function Face:mood(what, options) end

---Shows an expression, or several with weights, for a while; the mood gives way to it.
---@param what string|table
---@param options? { intensity?: number, onset?: number, hold?: number|boolean, release?: number, side?: "left"|"right"|number, micro?: boolean, owner?: "mood"|"script" }
---@return Shown
function Face:show(what, options) end

---Holds one target, shape or expression at a weight, over all that others do to it; without a weight lets it go.
---@param name string
---@param weight? number
---@param options? { fade?: number }
function Face:set(name, weight, options) end

---Lets all go that the script holds, and ends what it shows; the mood stays.
---@param options? { fade?: number }
function Face:clear(options) end

---How much of a target, shape or expression showed in the last tick, whoever moved it.
---@param name string
---@return number
function Face:get(name) end

---Who moved it in the last tick: `mood`, `speech`, `reflex` (how far a blink closes it), `script` and how much of it that has `held`, and what it came to, `shown`.
---@param name string
---@return { [string]: number }
function Face:owners(name) end

---Everything that it can show, and what that is made of; nothing for what the file has itself.
---@return { [string]: string }
function Face:names() end

---Has it blink now.
function Face:blink() end

---Has a feeling that it hides escape now and then, as a micro-expression; nothing ends that.
---@param what? string|table|boolean
---@param options? { intensity?: number, least?: number, most?: number }
function Face:leak(what, options) end

---Changes how it is put together.
---@param options? { channels?: "owners"|"book", mouth_share?: number, asymmetry?: number, max_active_targets?: number, blinks?: number }
function Face:options(options) end

---Gives a shape of its face a weight, or several by name; with a name alone tells its weight. A shape is a morph target named `shape.…`: what the face is like, which nothing else moves; expressions are added to it. Eyes that are bones move along.
---@param what string|table
---@param weight? number
---@return number?
function Face:shape(what, weight) end

---All shapes of its face, with weights and ranges. A list of names calls other targets shapes as well, `name = { least, most }` with a range; what moves such a target goes on doing so, over the shape.
---@param others? table
---@return { [string]: { value: number, least: number, most: number } }
function Face:shapes(others) end

---Makes a face by chance and gives the weights of its shapes, which `shape` takes back. A shape that the model gets later changes no face of a seed.
---@param options? { seed?: number, strength?: number, asymmetry?: number, with?: table, only?: string|table, looks?: table, book?: boolean }
---@return { [string]: number }
function Face:generate(options) end

---Holds how much a region of the skin is folded, 0 to 1, over what its expressions do; without a weight gives it back.
---@param region string
---@param weight? number
---@param options? { fade?: number }
function Face:wrinkle(region, weight, options) end

---The regions of the skin that fold, and how much each did in the last tick. They come with the model: folds by expressions, by skin that is pressed together, by curves of clips.
---@return { [string]: number }
function Face:wrinkles() end

---An expression that a face shows.
---@class Shown
---@field intensity number 0 to 1: how much of it shows once it is all there.
---@field weight number 0 to 1: how much of it shows now; 0 when it is over.
local Shown = {}

---Lets it go, in some seconds or in its own. False when it is going already, or over.
---@param seconds? number
---@return boolean
function Shown:stop(seconds) end

---Changes what it shows, as for one that a script makes anew in every tick. False when it is over.
---@param what string|table
---@return boolean
function Shown:mix(what) end

---Gives a name to a mixture of targets, shapes of ARKit, and other expressions, with weights from -1 to 1. Every face can then show it, as far as it has the parts; in marks of speech as well.
---@param name string
---@return fun(parts: table): ()
function expression(name) end

---Makes a language, whose name lines can then say, or puts rules before those of one that there is: en, es, es-419, it, de, fr, ja, by code or name. A rule is `{ left, letters, right, sounds }`. Left and right are letters, or `_` the edge of the word, `V` a vowel, `C` a consonant, `E` a front vowel, `*` any number of consonants, `#` one vowel or more, `(abc)` one of these, `(!abc)` none of these. Sounds are ARPAbet's; a vowel with 1 carries the stress. `default = true` makes it that of lines that name none. `base` takes over another's rules, numbers and names of letters.
---@param name string
---@return fun(parts: table): ()
function language(name) end

---Says how words are spoken, in every language or in one, before dictionary and rules: sounds of ARPAbet (1 behind the vowel with the stress), the letters of the International Phonetic Alphabet in slashes, or another spelling in small letters.
---@param words table
---@param language? string
function pronounce(words, language) end

---A line that a character speaks, or has still to speak.
---@class Line
---@field ended string? Why it is over, "end" or "interrupted"; nothing while it is not.
---@field time number Seconds of it that are over.
---@field seconds number? How long it is; nothing for one that is over.
---@field text string? Its text without marks; nothing for one that is over.
local Line = {}

---Ends it: at the end of the phrase, of the word, or now; the mouth closes. False when it is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Line:interrupt(how) end

---Goes on with a line that was cut: from the beginning of the phrase that was cut, or from where it was. Gives the line that goes on; nothing for one that was not cut.
---@param from? "phrase"|"word"
---@return Line?
function Line:resume(from) end

---What happens in it, of its marks and of its own `track`, as rows that another line can be given; nothing for one that is over.
---@return { { [string]: any } }?
function Line:track() end

---Its words and when they are spoken, seconds; nothing for one that is over.
---@return { { word: string, start: number, finish: number } }?
function Line:words() end

---Begins a conversation: `cast` gives names to two characters or more, then come turns, each with who speaks and what, as `say` takes it; in looks (`{look=ben}`) names of the cast are known. A turn may say to whom it is spoken (`to`, a name or "all"; else to who spoke before), `gap` (seconds after the turn before, about 0.2) or `overlap` (seconds before its end), `interrupts` ("phrase", "word" or "now": it cuts who speaks, about where six tenths are said, or `after` so many seconds or after a word), `resumes` (it goes on with its own line that was cut) and `p`, its chance. `{ pause = 1 }` is silence, `{ call = function(talk) … end }` calls, and waits for an act, a play, a sound or a conversation that is given back; `{ choose = { way, way } }` goes one of several ways, each an entry or a list of them with a `weight`. Options: `gap`, `nods` (0 to 1, how often listeners nod, 0.6), `gaze` (false: all look where they did) and `name`, which makes it the same over saves. All is looked at before anything is said. One that somebody of it is in already ends.
---@param turns table
---@return Conversation
function conversation(turns) end

---A conversation that was begun by `conversation`. An act can wait for its end. When the script is saved, one that the new version begins again goes on where it was; others are "reloaded", and what is spoken is spoken to its end.
---@class Conversation
---@field turn number? The number of the turn that is spoken, as it stands in the table; nothing while nobody speaks.
---@field speaker string? Who speaks, by the name in the cast; nothing while nobody does.
---@field ended string? Why it is over: "end", "stopped", "interrupted" when another took somebody of it, "gone" when fewer than two are still there, "reloaded"; nothing while it is not.
local Conversation = {}

---Calls a function when a turn begins (`turn`, with its number, `who` speaks, `to` whom, its `text` and the `character`), when one is over (`turn_end`, with its `reason`: "end", "interrupted", or "gone" for one whose speaker lies, is dead or off the stage), or all is (`end`, with the `reason`).
---@param event "turn"|"turn_end"|"end"|"*"
---@param listener function
---@return Listener
function Conversation:on(event, listener) end

---Ends it: who speaks is cut at the end of the phrase, of the word, or now. False when it is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:stop(how) end

---Goes on with the next turn: cuts the one that is spoken now, at the end of the word or of the phrase, or ends the pause. False when it is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:skip(how) end

---Puts a turn in, as `conversation` takes it: it cuts who speaks at the end of the word, or as its `interrupts` says (false: it comes next), and then all goes on. False when it is over, or too much waits already.
---@param turn table
---@param options? { goes_on?: boolean }
---@return boolean
function Conversation:interrupt(turn, options) end

---A state machine: `params`, then layers, or states and transitions of the one layer "body". The first state is where it starts.
---@param parts table
---@return MachineDefinition
function machine(parts) end

---A layer of states over those below. `mask`: bones, or parts of a humanoid ("upper_body", "left_arm", …), or a table of names and weights; `weight`: 0 to 1 or a parameter; `additive`: true adds the clips' difference from their first frame, "rest" from the rest pose; `beyond`: metres from the camera beyond which the layer is left out. Then states and transitions.
---@param name string
---@return fun(parts: table): MachinePiece
function layer(name) end

---A state: a clip, or `random`, `sequence`, `blend1d`, `blend2d`, `blend_polar`; or `intro`, `loop` and `outro`; or states and transitions of its own. `mode` (loop, once, pingpong), `speed` (a number or a parameter; negative plays backwards), `time` (a parameter 0 to 1 instead of time), `mirror` (true or a parameter), `root_motion` (true: the clips' travel moves the character), `orient` (a parameter, degrees: the way it goes; the legs turn towards it, the upper body keeps looking ahead), `history` (true: goes on where it was left). `enter`, `update`, `leave`, `on` and `act` are what the script does while it is there. Without a clip it is the rest pose, or in a layer above others, what lies below shows.
---@param name string
---@return fun(parts: table): MachinePiece
function state(name) end

---A way to a state. `from` (state, list or "*"). What must hold: `when` (a condition such as "speed > 0.1 and not armed", or a function of the parameters), `on` (event), `done` (clip at its end), `after` (seconds in the state), `exit` (share of the clip, 0 to 1, that is passed), `passing` (a mark that is passed: its name, or { name, foot = "left" }). All that is given must hold; those of higher `priority` are asked first, then inner before outer, then as written. `fade`: seconds, or `inertial(seconds)`; `ease`; `start`: where the target's clip begins (seconds, "start", "phase", { share = 0.5 } or { mark = "step", foot = "left" }; by itself walks and runs keep step); `interrupt`: what may break its fade (always, higher, never); `travel = false`: not for travelling; `outro = false`: without the state's way out.
---@param state string
---@return fun(parts: table): MachinePiece
function to(state) end

---A fade in which only the new state plays and the old one's pose and speed die away: no two clips are mixed, and nothing jerks.
---@param seconds number
---@return MachinePiece
function inertial(seconds) end

---Clips in any order, another at the end of each: names, or { name, chance }. `fade`: seconds from one to the next, 0.2; `repeat = true`: the same may come twice in a row. With `mode = "once"` in its state one is played.
---@param clips table
---@return MachinePiece
function random(clips) end

---Clips one after another, from the start again at the end; with `mode = "once"` in its state, once through. `fade`: seconds from one to the next, 0.2.
---@param clips table
---@return MachinePiece
function sequence(clips) end

---Clips along a parameter: `by`, then { value, clip }; a clip alone stands at the speed that its feet cover, in metres per second. A point may hold another blend. `sync`: feet (clips with `step` marks put the same foot down together), phase or free; `match_speed = true`: clips play so fast that their feet cover the parameter's metres per second.
---@param points table
---@return MachinePiece
function blend1d(points) end

---Clips over two parameters: `x`, `y`, then { x, y, clip }; a clip alone stands at the velocity that its feet cover, to the left and ahead. Blended by gradient bands; `sync` and `match_speed` as in blend1d.
---@param points table
---@return MachinePiece
function blend2d(points) end

---As blend2d, for directions: turning from one way to another keeps the speed, since angle and length are blended, not x and y.
---@param points table
---@return MachinePiece
function blend_polar(points) end

---The running machine of a character, `hero.machine`.
---@class Machine
---@field params { [string]: number|boolean } Its parameters. A name it has not is an error; one that is set to a value of another kind keeps its own. When the script is saved each keeps its value, unless the main part now leaves another in it than it did before.
local Machine = {}

---Sends an event to the transitions with `on`. It counts in the coming tick, or waits up to `within` seconds until one can be taken, as a key pressed a moment too early should.
---@param event string
---@param options? { within?: number }
function Machine:send(event, options) end

---Name of the current state of a layer, the first one if none is named; `outer/inner` for a state within a state.
---@param layer? string
---@return string
function Machine:state(layer) end

---Seconds since the current state was entered.
---@param layer? string
---@return number
function Machine:time(layer) end

---Goes to a state by the fewest transitions, whatever their conditions; their times (`done`, `after`, `exit`, `passing`) are kept. Returns the states on the way. A transition with `on` whose event is sent, or one of higher priority, ends the journey.
---@param state string
---@param options? { layer?: string }
---@return string[]
function Machine:travel(state, options) end

---What holds the ways out of the current state shut, or open, judged with the parameters as they are now: for each its `reason` with the values that were read, and the script's line in `at`. With a name only the ways there.
---@param state? string
---@param options? { layer?: string }
---@return { from: string, to: string, open: boolean, reason: string, at: string, ago: number }[]
function Machine:why(state, options) end

---The last changes of state, oldest first, each with its reason and the values it read.
---@param layer? string
---@return { from: string, to: string, open: boolean, reason: string, at: string, ago: number }[]
function Machine:taken(layer) end

---Keys by name (`a`, `space`, `left`, `shift`, `mouse_left`, `wheel_up`, `pad_south`; all of them stand in [projects.md](projects.md#keys)), actions bound to keys (`jump`: space; `run`: shift; `use`: e; `wave`: q), and axes (`move_x`, `move_y`: WASD, arrows, left stick; `mouse_dx`, `mouse_dy`: the pointer's way in the tick, in shares of the picture, to the right and down). All gamepads act as one; `pad1_south`, `pad2_south` … are those of one.
input = {}

---An axis, -1 to 1.
---@param name string
---@return number
function input.axis(name) end

---True while an action's key, or the key itself, is down.
---@param name string
---@return boolean
function input.down(name) end

---True in the tick in which it went down.
---@param name string
---@return boolean
function input.pressed(name) end

---True in the tick in which it went up.
---@param name string
---@return boolean
function input.released(name) end

---The pointer as x and y, shares of the picture from its top left corner.
---@return vector
function input.pointer() end

---The name of the key or button that went down in this tick, of several the first; nil in ticks in which none did. For screens that ask for a key.
---@return string?
function input.next_pressed() end

---Names of all actions, sorted.
---@return string[]
function input.actions() end

---Names of all axes, sorted.
---@return string[]
function input.axes() end

---The keys of an action: those that the player chose, else those that the script gave it.
---@param action string
---@return string[]
function input.bound(action) end

---The keys and sticks of an axis: those that the player chose, else those that the script gave it.
---@param axis string
---@return { negative: string[], positive: string[], stick: string[] }
function input.bound_axis(axis) end

---Binds an action to a key or keys, in place of what it had. This is what the script says; what the player chose with `rebind` stands before it.
---@param action string
---@param keys string|table
function input.bind(action, keys) end

---Binds an axis to keys and sticks, in place of what it had; `rebind_axis` stands before it.
---@param axis string
---@param keys { negative?: string|table, positive?: string|table, stick?: string|table }
function input.bind_axis(axis, keys) end

---The player chose a key or keys for an action, or none with `{}`. It stands before what the script says, also after the script is saved, until `reset_bindings` or the end of the game.
---@param action string
---@param keys string|table
function input.rebind(action, keys) end

---The player chose keys and sticks for an axis; what is left out has none.
---@param axis string
---@param keys { negative?: string|table, positive?: string|table, stick?: string|table }
function input.rebind_axis(axis, keys) end

---Forgets what the player chose for an action or axis, or all of it.
---@param name? string
function input.reset_bindings(name) end

---Keeps what the player chose for the next time, in `bindings.toml` of the project. Only `galatea play` writes and reads it.
function input.save_bindings() end

---Sounds of the project: WAV, OGG, MP3 and FLAC files under `assets/`, by file name without extension. Files `x_1.wav`, `x_2.wav`, … are variants of `x`: one of them is chosen.
sound = {}

---Plays a sound. Inside a listener it begins at the event's own time, to the sample.
---@param name string
---@param options? { at?: vector, gain?: number, pitch?: number, loop?: boolean, duck?: number, delay?: number }
---@return Sound
function sound.play(name, options) end

---Factor on everything that is heard, 0 to 4.
---@param gain number
function sound.volume(gain) end

---A sound that was begun by `sound.play`. It ends once: "end" when it is over, "stopped", or "reloaded" when the script is saved (a loop then falls silent, others sound on). An act can wait for it.
---@class Sound
---@field time number? Seconds of the sound that were heard, a loop's from its last beginning; nil when it is over.
---@field gain number? Factor on the amplitude, 0 to 16; nil when it is over.
---@field pitch number? Factor on speed and pitch, 1/16 to 16; nil when it is over.
---@field position vector? Where it is heard from; nil for one that is heard as recorded, and when it is over.
local Sound = {}

---Ends it, fading over some seconds (0.02).
---@param fade? number
function Sound:stop(fade) end

---Why it is over; nil while it is not.
---@return string?
function Sound:ended() end

---An orbit camera. The user turns it with the mouse; a reload keeps the turn.
camera = {}

---Sets where the camera stands; what is left out stays.
---@param options { target?: vector, yaw?: number, pitch?: number, distance?: number, fov?: number, locked?: boolean, cut?: boolean }
function camera.orbit(options) end

---Keeps a character in the middle; `target` is then an offset from its position.
---@param character Character
---@param options? { target?: vector, yaw?: number, pitch?: number, distance?: number, fov?: number, locked?: boolean, cut?: boolean }
function camera.follow(character, options) end

---Follows a character from so far away that all of it is seen, whatever its size.
---@param character Character
---@param options? { target?: vector, yaw?: number, pitch?: number, distance?: number, fov?: number, locked?: boolean, cut?: boolean }
function camera.frame(character, options) end

---Looks out of a character's eyes, and goes with its head; the mouse turns it. Its head, its hair and what is attached to the head are not drawn (meshes of VRM files as their `firstPerson` says), but throw their shadows. `camera.follow`, `orbit` and `frame` end it.
---@param character Character
---@param options? { yaw?: number, pitch?: number, fov?: number, locked?: boolean }
function camera.first_person(character, options) end

---The way from the camera through a place of the picture, else through the pointer.
---@param place? { x?: number, y?: number, reach?: number }
---@return { from: vector, to: vector, direction: vector }
function camera.ray(place) end

---Where the camera is, metres.
---@return vector
function camera.position() end

---The direction in which the camera looks, made level; of length 1.
---@return vector
function camera.forward() end

---A sun with shadows, a sky that lights from all around, lamps; haze; and how light becomes a picture. Colours are linear.
light = {}

---Sets the sun; what is left out stays.
---@param options { yaw?: number, pitch?: number, color?: vector, strength?: number, width?: number }
function light.sun(options) end

---Sets the sky; what is left out stays.
---@param options { zenith?: vector, horizon?: vector, ground?: vector, seamless?: boolean }
function light.sky(options) end

---Brightness of the picture in stops: +1 is twice as bright.
---@param stops number
function light.exposure(stops) end

---Lights a character as a studio or a time of day would: sets sun, sky, fog and grade, and lamps in place of those of the rig before.
---@param name "noon"|"three_point"|"studio"|"overcast"|"sunset"|"night"|"spotlight"|"neon"|"embers"
---@param options? { at?: vector, character?: Character, yaw?: number, size?: number, strength?: number }
function light.rig(name, options) end

---A lamp that shines all around.
---@param options { at?: vector, color?: vector, strength?: number, range?: number, radius?: number, shadows?: boolean, character?: Character, bone?: string }
---@return Lamp
function light.point(options) end

---A lamp that shines one way.
---@param options { at?: vector, color?: vector, strength?: number, range?: number, radius?: number, shadows?: boolean, character?: Character, bone?: string, target?: vector, direction?: vector, outer?: number, inner?: number }
---@return Lamp
function light.spot(options) end

---Sets the haze; what is left out stays.
---@param options { color?: vector, density?: number, height?: number, base?: number }
function light.fog(options) end

---Sets how light becomes a picture; what is left out stays.
---@param options { tone?: "neutral"|"agx"|"aces"|"plain", shading?: "physical"|"book", auto_exposure?: boolean, adapt_speed?: number, bloom?: number, occlusion?: number, contact_shadows?: number, contrast?: number, saturation?: number, temperature?: number, tint?: number, shadows?: vector, highlights?: vector, vignette?: number }
function light.look(options) end

---How much is spent on a picture, from now on. Without it the machine is measured at the start; --quality on the command line overrules it.
---@param name "low"|"medium"|"high"
function light.quality(name) end

---Lights the scene by a picture of all around, in place of the sky's colours: Radiance (.hdr), KTX2 (a cube map, or one picture), PNG or JPEG. The middle of a picture twice as wide as high lies towards -Z. nil goes back to the sky. A save of the file is seen at once.
---@param file? string
---@param options? { yaw?: number, strength?: number, background?: boolean, blur?: number }
function light.environment(file, options) end

---A lamp that was set up by `light.point` or `light.spot`. It stays until it is removed or the script is saved. Shadows are drawn of as many as the quality has room for, the brightest where the camera looks first.
---@class Lamp
---@field position vector Where it is; of one that is carried, setting moves it in the bone's space.
---@field color vector Linear colour, its largest part 1.
---@field strength number Light on what faces it from 1 m.
---@field range number Metres at which its light has ended.
---@field radius number Metres, of what glows.
---@field shadows boolean Things throw shadows from it.
local Lamp = {}

---Takes it away.
function Lamp:remove() end

---Turns a spot to shine at a place.
---@param target vector
function Lamp:aim(target) end

---The floor. Events at a foot carry the name of the surface under it.
ground = {}

---Sets the floor; what is left out stays.
---@param options { height?: number, color?: vector, grid?: number, uneven?: number, surface?: string, visible?: boolean, solid?: boolean }
function ground.set(options) end

---Lays an area of another surface over the floor.
---@param options { at?: vector, radius?: number, size?: vector, surface?: string, color?: vector }
function ground.patch(options) end

---Name of the surface at a place.
---@param at vector
---@return string
function ground.surface(at) end

---Haircuts as guides, for those who want to change them by hand; to wear one as it is, give `hero:hair` its `cut`.
hair = {}

---Guides of a haircut, as options for `hero:hair`: `guides` is a list of strands from root to tip in the character's space at rest, with `rest = true`; the rest is as it was given.
---@param options { character?: Character, cut?: "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|{ style?: "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows", length?: number, sides?: number, ends?: number|boolean, parting?: number|boolean, back?: number, fringe?: number, lift?: number, rise?: number, droop?: number, tips?: number, band?: number|boolean, uneven?: number, bare?: number, guides?: number }, bone?: string, seed?: number }
---@return { [string]: any }
function hair.grow(options) end

---Solid things. The floor is solid, see `ground.set`; any character or prop becomes so by `thing:solid`. Metres, kilograms, seconds.
physics = {}

---Sets what holds for all; what is left out stays.
---@param options { gravity?: vector }
function physics.set(options) end

---Says what a surface is like, for what is made of it from then on. Known without that: stone, wood, metal, grass, gravel, sand, carpet, ice, rubber, glass, flesh, water.
---@param name string
---@param options { friction?: number, bounce?: number, sound?: string }
function physics.surface(name, options) end

---Makes a layer, or changes one. Two things meet when each meets the other's layer. There are `world`, `props`, `characters` and `ragdolls`, which all meet.
---@param name string
---@param options? { meets?: string|table, ignores?: string|table }
function physics.layer(name, options) end

---Puts a box on the stage, solid unless told otherwise; with a mass it falls.
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, name?: string, color?: vector, roughness?: number, metallic?: number, solid?: boolean, size?: vector, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }
---@return Character
function physics.box(options) end

---Puts a sphere on the stage, solid unless told otherwise; with a mass it falls.
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, name?: string, color?: vector, roughness?: number, metallic?: number, solid?: boolean, radius?: number, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }
---@return Character
function physics.sphere(options) end

---Puts a capsule on the stage, solid unless told otherwise; with a mass it falls.
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, name?: string, color?: vector, roughness?: number, metallic?: number, solid?: boolean, radius?: number, height?: number, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }
---@return Character
function physics.capsule(options) end

---Puts a cylinder on the stage, solid unless told otherwise; with a mass it falls.
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, name?: string, color?: vector, roughness?: number, metallic?: number, solid?: boolean, radius?: number, height?: number, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }
---@return Character
function physics.cylinder(options) end

---Puts stairs on the stage that rise along +Z from `at`, turned by yaw.
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, name?: string, color?: vector, roughness?: number, metallic?: number, solid?: boolean, steps?: number, width?: number, rise?: number, run?: number, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }
---@return Character
function physics.stairs(options) end

---Puts a wedge on the stage that rises along +Z from `at`, turned by yaw.
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, name?: string, color?: vector, roughness?: number, metallic?: number, solid?: boolean, size?: vector, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }
---@return Character
function physics.ramp(options) end

---Puts ground on the stage, by its heights. The edges within it catch nobody, and each cell is as slippery as its surface. Called again with the name of a terrain it replaces that, and who stands on it is taken along where it rises.
---@param options? { at?: vector, yaw?: number, pitch?: number, roll?: number, name?: string, color?: vector, roughness?: number, metallic?: number, solid?: boolean, size?: vector, heights?: function|table|buffer|string, columns?: number, rows?: number, surfaces?: function|table, colors?: table, mass?: number, density?: number, motion?: "static"|"dynamic"|"moved", surface?: string, friction?: number, bounce?: number, layer?: string, sensor?: boolean, gravity?: number, damping?: number, spin_damping?: number, bullet?: boolean, sticks?: boolean, upright?: boolean, velocity?: vector, spin?: vector }
---@return Character
function physics.terrain(options) end

---Has a force act on the things and limbs that move freely, in a part of the world or everywhere: `push`, `accelerate`, `wind`, `water`, `toward` or `launch`. What rests is woken when it begins or changes.
---@param options { shape?: "everywhere"|"box"|"sphere"|"capsule", at?: vector, size?: vector, radius?: number, height?: number, yaw?: number, push?: vector, accelerate?: vector, wind?: vector, water?: boolean|number, current?: vector, drag?: number, toward?: vector, strength?: number, launch?: vector, layers?: string|table, enabled?: boolean }
---@return Force
function physics.force(options) end

---Picks up what a ray met, by the place where it met it: a thing that moves freely, or a limb of a character, which falls if it stands. A soft spring drags it to the hand's `position`; who holds a character has it not get up. `nil` for what does not move.
---@param hit table
---@param options? { stiffness?: number, force?: number }
---@return Grab?
function physics.grab(hit, options) end

---The first solid thing on the way between two places; `nil` when it is free. The floor has no `character`; a limb that is a body has its `bone`. With `exact` characters are met where they are seen, whether they are solid or not: `part` and `triangle` say which triangle (from 1), `barycentric` and `uv` where in it.
---@param from vector
---@param to vector
---@param options? { exact?: boolean, without?: Character|table, layers?: string|table, sensors?: boolean }
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.ray(from, to, options) end

---All solid things on the way between two places, the nearest first, as `ray` tells them.
---@param from vector
---@param to vector
---@param options? { exact?: boolean, without?: Character|table, layers?: string|table, sensors?: boolean }
---@return any[]
function physics.ray_all(from, to, options) end

---The first solid thing that a form meets when its middle moves from one place to another.
---@param from vector
---@param to vector
---@param options? { shape?: "sphere"|"box"|"capsule", radius?: number, height?: number, size?: vector, yaw?: number, without?: Character|table, layers?: string|table, sensors?: boolean }
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.cast(from, to, options) end

---All characters and props whose solid parts touch a form at a place.
---@param at vector
---@param options? { shape?: "sphere"|"box"|"capsule", radius?: number, height?: number, size?: vector, yaw?: number, without?: Character|table, layers?: string|table, sensors?: boolean }
---@return Character[]
function physics.overlap(at, options) end

---Pushes all that moves freely away from a place, once, as an explosion does.
---@param at vector
---@param options? { radius?: number, impulse?: number, lift?: number, without?: Character|table, layers?: string|table, sensors?: boolean }
function physics.burst(at, options) end

---A force in a part of the world, made by `physics.force`.
---@class Force
---@field enabled boolean It acts.
---@field position vector The middle of its form; with it goes the place that pulls.
local Force = {}

---Ends it.
function Force:remove() end

---A hand that holds a thing or a limb, made by `physics.grab`. It opens when what it holds is gone, gets up or is held by a bone.
---@class Grab
---@field position vector? Where it pulls what it holds; `nil` when it is open.
---@field character Character? What it holds; `nil` when it is open.
local Grab = {}

---Opens it: what it held goes on as fast as it is.
function Grab:release() end

---Texts, bars, boxes and images over the picture, and captions. Places and sizes are points of a picture of 1280 × 720 that is scaled to the real one; anchors hold them to its corners and edges, so a layout holds at any size. With world or character they are labels in the world, not hidden by anything. Each stays until it is removed or the script is saved. Colours are linear.
ui = {}

---Shows a text; \n begins a new line.
---@param text string
---@param options? { color?: vector, size?: number, width?: number, align?: "left"|"centre"|"right", outline?: number, shadow?: boolean, background?: vector, at?: vector, anchor?: "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right", opacity?: number, visible?: boolean, layer?: number, world?: vector, character?: Character, bone?: string, offset?: vector, size_at?: number, gone_at?: number }
---@return Ui
function ui.text(text, options) end

---Shows a bar that is filled from the left by a value from 0 to 1, 200 × 16 points.
---@param value number
---@param options? { color?: vector, width?: number, height?: number, round?: number, back?: vector, at?: vector, anchor?: "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right", opacity?: number, visible?: boolean, layer?: number, world?: vector, character?: Character, bone?: string, offset?: vector, size_at?: number, gone_at?: number }
---@return Ui
function ui.bar(value, options) end

---Shows a rectangle, 200 × 100 points.
---@param options? { color?: vector, width?: number, height?: number, round?: number, border?: vector, at?: vector, anchor?: "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right", opacity?: number, visible?: boolean, layer?: number, world?: vector, character?: Character, bone?: string, offset?: vector, size_at?: number, gone_at?: number }
---@return Ui
function ui.box(options) end

---Shows a picture of the project: PNG, JPEG or WebP of at most 2048 × 2048 pixels. With one of width and height the other follows; with neither its longer side is 256 points or fewer. A save of the file is seen at once.
---@param file string
---@param options? { color?: vector, width?: number, height?: number, at?: vector, anchor?: "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right", opacity?: number, visible?: boolean, layer?: number, world?: vector, character?: Character, bone?: string, offset?: vector, size_at?: number, gone_at?: number }
---@return Ui
function ui.image(file, options) end

---Shows what somebody says at the bottom of the picture, broken at two thirds of its width. Two are there at once, the later one below; a third takes the place of the first. The speaker may be "".
---@param speaker string
---@param text string
---@param options? { time?: number, color?: vector }
---@return Ui
function ui.caption(speaker, text, options) end

---Something over the picture, made by a function of `ui`. It stays until it is removed or the script is saved, a caption until its time is over. One that follows a character is hidden when that one is gone.
---@class Ui
---@field text string? Of a text or a caption; nil of others.
---@field value number? How far a bar is filled, 0 to 1; nil of others.
---@field color vector Linear colour; of a caption that of the speaker's name.
---@field opacity number 0 to 1.
---@field visible boolean False hides it.
---@field at vector Points to the right (x) and down (y) from its anchor.
---@field size (number|vector)? Of a text the height of its letters; of others width (x) and height (y); points. nil of a caption.
---@field place vector? Where it is in the world; nil on the picture. Of one that follows a character, setting moves it along the axes of the world from there.
local Ui = {}

---Takes it away.
function Ui:remove() end

---Registers a test.
---@param name string
---@param run fun(t: table)
function test(name, run) end
