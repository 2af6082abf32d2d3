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

---Options of `hero:aim_at`
---@class AimAtOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field target_bone? string Bone of the target, if the target is a character; none: the origin; for `look_at`, the face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: its space, the world or the character's own space; world
---@field bones? string[]|{ [string]: number } Bones that rotate, each below the previous one: a list of names, or names with fractions of the rotation, { spine = 0.3, chest = 0.7 }; the spine up to the chest
---@field aim_bone? string Bone to which the line belongs, the last of `bones` or one below it, for example a hand with a weapon; the last of `bones`
---@field aim_offset? vector Point where the line begins, in the space of `aim_bone` (metres); (0, 0, 0)
---@field aim_axis? vector Direction of the line, in the space of `aim_bone`; forward in the rest pose
---@field max_side? number Maximum angle of the aim to the left and to the right (degrees, 0 to 180); 80
---@field max_up? number Maximum angle of the aim upwards (degrees, 0 to 180); 60
---@field max_down? number Maximum angle of the aim downwards (degrees, 0 to 180); 50
---@field name? string Name of this modifier, for `character:modifier`; "aim_at"

---Any event; its fields depend on its name
---@class AnyEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field [string] any further fields, which the file or the script has added

---Pose of an attached character in the space of a bone
---@class AttachOptions
---@field offset? vector Position of the attached character in the bone's space (metres); (0, 0, 0)
---@field yaw? number Rotation about the bone's y axis, applied last (degrees); 0
---@field pitch? number Rotation about the bone's x axis, applied second (degrees); 0
---@field roll? number Rotation about the bone's z axis, applied first (degrees); 0
---@field scale? number Factor on the scale of the attached character (0.001 to 1000); 1

---Keys and sticks for an axis
---@class AxisOptions
---@field negative? string|string[] Key, or list of keys, for the value -1
---@field positive? string|string[] Key, or list of keys, for the value +1
---@field stick? string|string[] Axis of a gamepad's stick, such as "pad_left_x", or a list of them

---Settings of a blend along one parameter; its list holds points { value, clip } and clips
---@class Blend1dOptions
---@field sync? "feet"|"phase"|"free" How the clips are kept in step: "feet" by their steps, "phase" by their length, "free" not at all; "feet", if the clips have step markers
---@field match_speed? boolean True changes the playback speed so that the feet move at the speed that the parameters give, in metres per second; false
---@field param string Name of the parameter that selects the blend
---@field [integer] string|BlendPointOptions

---Settings of a blend over two parameters; its list holds points { x, y, clip } and clips
---@class Blend2dOptions
---@field sync? "feet"|"phase"|"free" How the clips are kept in step: "feet" by their steps, "phase" by their length, "free" not at all; "feet", if the clips have step markers
---@field match_speed? boolean True changes the playback speed so that the feet move at the speed that the parameters give, in metres per second; false
---@field x string Name of the parameter for the first number of the points
---@field y string Name of the parameter for the second number of the points
---@field [integer] string|BlendPointOptions

---A point of a blend: its position, then a clip or a blend
---@class BlendPointOptions
---@field speed? number Factor on the playback speed of this clip (0.01 to 100); 1
---@field [integer] number|string|MachinePiece

---A bone, or a prop, that holds a particle
---@class BoneHolder
---@field character? Character Character or prop that holds this point of the rope or cloth
---@field bone? string Bone of the character that holds this point; none for a rigid body; otherwise required
---@field offset? vector Offset from the bone or from the rigid body. The axes are those of the character in its rest pose (+Y up, +Z forward) (metres); (0, 0, 0)

---Keys of a bone
---@class BoneKeys
---@field position? ClipKeys Positions in the space of the parent bone, or as `space` says (metres)
---@field rotation? ClipKeys Rotations in degrees, or quaternions
---@field scale? ClipKeys Scale factors
---@field space? "parent"|"rest"|"model" Reference frame of the keys; that of the clip
---@field interpolation? "linear"|"step"|"cubic" Interpolation between the keys; that of the clip

---A box prop
---@class BoxOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, position of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name of the prop, by which `find_character` and a hot reload find it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number Metalness: 0 is no metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field size? vector Lengths of the edges along x, y and z, each 0.001 to 10000 (metres); (1, 1, 1)

---An alternative of `choose`; its list holds the steps
---@class BranchOptions
---@field weight? number Relative probability of this alternative (0 to 1000000); 1
---@field [integer] ConversationTurnOptions|PauseStep|CallStep|ChooseStep

---A call of a function in a conversation
---@class CallStep
---@field chance? number Probability of the step (0 to 1); 1
---@field call fun(talk: Conversation): any Function that is called. If it returns a task, a play, a sound or a conversation, the conversation waits for its end

---Position and view of the camera. Fields left out keep their values
---@class CameraOptions
---@field target? vector Point at which the camera looks (metres)
---@field yaw? number Direction of the camera around the target, about +Y. At 0 it sees the front of a character with yaw 0 (degrees)
---@field pitch? number Height of the camera above the target, as an angle (degrees, -89 to 89)
---@field distance? number Distance from the target (metres, 0.01 to 100000)
---@field fov? number Vertical field of view; smaller values look like a telephoto lens (degrees, 5 to 120)
---@field locked? boolean True prevents the player from rotating, moving and zooming the camera
---@field cut? boolean True moves the camera to a new target at once, as a cut in a film; false makes it glide there. Angles, distance and field of view always change at once; false

---Point of the picture, and the length of a ray through it
---@class CameraRayOptions
---@field x? number Horizontal position in the picture, from 0 at the left to 1 at the right; that of the pointer
---@field y? number Vertical position in the picture, from 0 at the top to 1 at the bottom; that of the pointer
---@field length? number Length of the ray (metres, 0 to 100000); 100

---A capsule prop
---@class CapsuleOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, position of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name of the prop, by which `find_character` and a hot reload find it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number Metalness: 0 is no metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.25
---@field height? number Height from end to end, at least twice the radius (metres, 0.001 to 10000); 1

---Caption of a spoken line
---@class CaptionOptions
---@field duration? number Time for which the caption is shown (seconds, 0.1 to 600); the reading time
---@field color? vector Colour of the speaker's name, as linear RGB; made from the speaker's name

---Options of `hero:chain_ik`
---@class ChainIkOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field target_bone? string Bone of the target, if the target is a character; none: the origin; for `look_at`, the face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: its space, the world or the character's own space; world
---@field yaw? number With `match_rotation`: rotation relative to the target, about its y axis, applied last (degrees); 0
---@field pitch? number With `match_rotation`: rotation relative to the target, about its x axis, applied second (degrees); 0
---@field roll? number With `match_rotation`: rotation relative to the target, about its z axis, applied first (degrees); 0
---@field solver? "ccd"|"fabrik" Method of the solver: "fabrik" pulls the whole chain to the target and bends it evenly, "ccd" rotates one bone after another, from the root; fabrik
---@field max_angle? number Maximum angle by which each bone may bend and twist away from the rest pose (degrees, 0 to 180); no limit
---@field flexibility? number For "ccd": fraction of the needed rotation that a bone makes in each iteration. Smaller values make the chain stiffer (0.01 to 1); 1
---@field match_rotation? boolean True gives the tip the rotation of the target, with `yaw`, `pitch` and `roll` added; false
---@field tolerance? number Distance from the target at which the solver stops (metres, 0.000001 to 10); 0.0001
---@field max_iterations? number Maximum number of iterations of the solver per tick (1 to 200); 32
---@field name? string Name of this modifier, for `character:modifier`; the name of the tip

---Options of a new character: transform, materials, and files of its clips
---@class CharacterOptions
---@field position? vector World position of the character's origin, which is on the ground between its feet (metres); the origin
---@field yaw? number Rotation about +Y. At 0 the character looks along +Z (degrees); 0
---@field pitch? number Rotation about the character's own x axis, applied before `yaw` (degrees); 0
---@field roll? number Rotation about the character's own z axis, applied before `pitch` (degrees); 0
---@field scale? number Scale of the character (0.001 to 1000); 1
---@field materials? { [string]: MaterialOptions } Changes of materials, by the name of the material: { Skin = { kind = "skin", roughness = 0.4 } }. The fields are the properties of a `Material`
---@field variant? string Variant of the materials, one of `character:variants()`
---@field skinning? "linear"|"dual_quaternion"|{ [string]: "linear"|"dual_quaternion" } Method that deforms the meshes (skinning), for all meshes or by the name of the mesh: { Body = "dual_quaternion" }. With "dual_quaternion", twisted joints keep their volume. Not allowed in the short form `character "file" { … }`; that of the file, otherwise "linear"
---@field skinning_mode? string Implementation of the skinning, which changes the speed but not the result: "auto", "indexed", "cpu", or "small16", which uses at most 16 bones for each piece of a mesh. Not allowed in the short form `character "file" { … }`; "auto"
---@field name? string Name of the character, by which `find_character` and a hot reload find it. Not allowed in the short form `character "file" { … }`
---@field clips? string|(string|ClipFileOptions)[] Files with more clips for the model: .glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, and DeepMimic's .txt and .json. Not allowed in the short form `character "file" { … }`
---@field forward_axis? "auto"|"+z"|"-z"|"+x"|"-x" Direction that the character faces in its file; the character is rotated to look along +Z. With "auto", toes, eyes, the names of bones and walking clips decide. Not allowed in the short form `character "file" { … }`; "auto"

---A random choice in a conversation
---@class ChooseStep
---@field chance? number Probability of the step (0 to 1); 1
---@field choose (ConversationTurnOptions|PauseStep|CallStep|ChooseStep|BranchOptions)[] Alternatives, from which one is chosen at random. Each is a step or a list of steps

---A file with clips; the first entry of the table is its path
---@class ClipFileOptions
---@field prefix? string Prefix added to the names of the clips; ""
---@field unit? number Length of one unit of a BVH file (metres); guessed
---@field match_by? "name"|"body" Retargeting method: match bones by name, or by their role in the body; chosen by comparing the skeletons
---@field [integer] string

---Keys { time, value } in order of time
---@class ClipKeys
---@field interpolation? "linear"|"step"|"cubic" Interpolation between the keys; that of the bone or the clip
---@field [integer] (number|vector)[]

---Settings of a list of clips, each a name or { name, chance }
---@class ClipListOptions
---@field fade? number Length of the cross-fade between two clips (seconds, 0 to 60); 0.2
---@field allow_repeat? boolean True allows the same clip twice in a row; false
---@field [integer] string|(string|number)[]

---Keys and settings of a clip
---@class ClipOptions
---@field duration? number Duration of the clip, in the time unit that `ticks_per_second` sets; the time of the last key or marker
---@field ticks_per_second? number Number of time units in a second, for all times of the clip; 1
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip, unless `play` sets another: "once" stops, "loop" starts again, "pingpong" plays backwards and forwards; "once"
---@field interpolation? "linear"|"step"|"cubic" Values between keys: "linear" is a straight line, "step" keeps the last key, "cubic" is a smooth curve; "linear"
---@field space? "parent"|"rest"|"model" Reference frame of the keys of bones, see above; "parent"
---@field bones? { [string]: BoneKeys } Keys of bones, by the name of the bone
---@field morphs? { [string]: ClipKeys } Keys of morph targets, by the name of the target
---@field curves? { [string]: ClipKeys } Keys of curves (named numbers over time), by the name of the curve
---@field markers? ({ [number | string]: number|string|boolean })[] Markers, each a list with time, name and fields: { 0.3, "step", foot = "left" }

---Chains of a character's bones that move as cloth
---@class ClothChainOptions
---@field stretch? number Elasticity: 0 does not stretch, 1 stretches like rubber (0 to 1); 0
---@field stiffness? number Stiffness against bending: 0 is like silk, 1 like felt (0 to 1); 0.2
---@field drag? number Drag: rate at which the motion slows down, per second, at most 60. At 1, it loses 63 % of its speed in a second (0 or more); 0.6
---@field friction? number Friction on bodies and on the floor; 0 is slippery (0 or more); 0.4
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Distance that the rope or cloth keeps from bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] Character to collide with, or a list of up to 16 characters
---@field colliders? ClothCollider[] List of up to 64 fixed shapes to collide with. A sphere is { position = …, radius = … }. A capsule is { from = …, to = …, radius = … }. A box is { position = …, size = …, yaw = … }
---@field floor? boolean True makes it collide with the floor; true
---@field chains string[] First bone of each chain, in their order from one side to the other. A chain continues down to the last bone below
---@field closed? boolean True joins the last chain to the first, as in a skirt; false
---@field pose_stiffness? number Strength of the pull to the pose of the animation; 0 is none (0 to 1); 0.2
---@field weight? number Blend weight (0 to 1); 1

---A sphere, a capsule or a box that ropes and cloth collide with
---@class ClothCollider
---@field position? vector Centre of a sphere or a box (metres)
---@field from? vector One end of a capsule (metres)
---@field to? vector The other end of a capsule (metres)
---@field radius? number Radius of a sphere or a capsule (metres)
---@field size? vector Edge lengths of a box (metres)
---@field yaw? number Rotation of a box about +Y (degrees); 0

---A sheet of cloth
---@class ClothOptions
---@field stretch? number Elasticity: 0 does not stretch, 1 stretches like rubber (0 to 1); 0
---@field stiffness? number Stiffness against bending: 0 is like silk, 1 like felt (0 to 1); 0.2
---@field drag? number Drag: rate at which the motion slows down, per second, at most 60. At 1, it loses 63 % of its speed in a second (0 or more); 0.6
---@field friction? number Friction on bodies and on the floor; 0 is slippery (0 or more); 0.4
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Distance that the rope or cloth keeps from bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] Character to collide with, or a list of up to 16 characters
---@field colliders? ClothCollider[] List of up to 64 fixed shapes to collide with. A sphere is { position = …, radius = … }. A capsule is { from = …, to = …, radius = … }. A box is { position = …, size = …, yaw = … }
---@field floor? boolean True makes it collide with the floor; true
---@field position? vector Centre of the upper edge (metres); (0, 2, 0)
---@field yaw? number Rotation about +Y, applied last. At 0 the cloth faces +Z (degrees); 0
---@field pitch? number Rotation about the x axis, applied second. At 90 the cloth is horizontal and extends from `position` along -Z (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field size? vector Width (x) and height (y) of the cloth, each more than 0 (metres); (1, 1, 0)
---@field hem? number Width of the lower edge, as a multiple of the upper edge, limited to 0.01 to 20 (0 or more); 1
---@field columns? number Number of particles along the width (2 to 64); 12
---@field rows? number Number of particles along the height (2 to 64); 12
---@field pins? "top"|"corners"|"none"|ClothPin[] Particles that are held: the upper edge ("top"), its two corners ("corners"), none ("none"), or a list of pins; top
---@field color? vector Colour, as linear RGB; (0.5, 0.04, 0.03)
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.85
---@field name? string Name of the rope or cloth, by which a hot reload finds it again

---A particle of cloth that is fixed in place or held by a bone
---@class ClothPin
---@field character? Character Character or prop that holds this point of the rope or cloth
---@field bone? string Bone of the character that holds this point; none for a rigid body; otherwise required
---@field offset? vector Offset from the bone or from the rigid body. The axes are those of the character in its rest pose (+Y up, +Z forward) (metres); (0, 0, 0)
---@field u? number Position of the pin along the width of the cloth, from 0 at one side to 1 at the other (0 to 1); 0
---@field v? number Position of the pin along the height of the cloth, from 0 at the upper edge to 1 at the lower (0 to 1); 0

---Rigid body of a character or a prop
---@class ColliderOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field size? vector For a box: lengths of its edges, each more than 0 (metres); fitted to the model; in `shapes` (1, 1, 1)
---@field radius? number For a sphere, a capsule or a cylinder: radius (metres, more than 0); fitted to the model; in `shapes` 0.5
---@field height? number For a capsule or a cylinder: height from end to end (metres, more than 0); fitted to the model; in `shapes` 1
---@field offset? vector Centre of the shape, in the character's space (metres); fitted to the model; in `shapes` (0, 0, 0)
---@field shape? "auto"|"box"|"sphere"|"capsule"|"cylinder"|"hull"|"mesh" Collision shape. "hull" is the convex hull of the mesh (its shape without hollows), "mesh" its exact triangles. "auto" is "hull" for a dynamic body, otherwise "mesh"; auto
---@field shapes? ColliderPart[] List of 1 to 256 shapes, which form one body together, instead of a single shape
---@field surfaces? { [string]: string } Surfaces for the materials of the mesh, by the name of the material: { Ice = "ice" }. All other materials use `surface`

---One of several shapes of a rigid body
---@class ColliderPart
---@field size? vector For a box: lengths of its edges, each more than 0 (metres); fitted to the model; in `shapes` (1, 1, 1)
---@field radius? number For a sphere, a capsule or a cylinder: radius (metres, more than 0); fitted to the model; in `shapes` 0.5
---@field height? number For a capsule or a cylinder: height from end to end (metres, more than 0); fitted to the model; in `shapes` 1
---@field offset? vector Centre of the shape, in the character's space (metres); fitted to the model; in `shapes` (0, 0, 0)
---@field shape? "box"|"sphere"|"capsule"|"cylinder" Shape of this part; box
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0

---Layers that a layer collides with
---@class CollisionLayerOptions
---@field collide_with? string|string[] Layers with which this layer collides. It ignores all others; unchanged; for a new layer all
---@field ignore? string|string[] Layers with which this layer does not collide

---Comparison of the stage with an image
---@class ComparisonOptions
---@field tolerance? number Maximum mean FLIP error (0 or more); 0.006
---@field camera? CameraOptions Camera of this image; the camera of the stage
---@field size? number[] Size of the image, { width, height } (pixels); { 480, 320 }

---The controller of the character left the ground by a jump (`jump`) or without one (`fall`), landed (`land`), climbed a step (`step_up`), began or stopped to slide on ground that is too steep (`slide`, `slide_end`), or walked into an obstacle (`bump`)
---@class ControllerEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field speed? number for `jump`: speed upwards; for `land` and `bump`: speed of the impact; metres per second
---@field height? number for `land`: height of the fall from its highest point; for `step_up`: height of the step; metres
---@field slope? number for `slide` and `slide_end`: slope of the ground, degrees
---@field other? Character the other character or prop
---@field position? vector world position, metres
---@field normal? vector direction away from the surface at `position`, with length 1
---@field surface? string name of the surface (see `physics.surface`), or ""
---@field source string "controller"

---Settings of a character controller. An option left out keeps its value; a new controller starts with the defaults
---@class ControllerOptions
---@field radius? number Radius of the capsule, at scale 1 (metres, 0.001 to 1000); fitted to the model
---@field height? number Height from the soles to the top of the head, at scale 1 (metres, 0.002 to 1000); fitted to the model
---@field crouch_height? number Height while the character crouches, at scale 1 (metres, 0.002 to 1000); 0.6 of `height`
---@field max_step_height? number Highest step that the character climbs, at scale 1, at most `height`. Steps up to radius × (1 - cos `max_slope`) are always climbed, because the bottom of the capsule is round (metres, 0 to 1000); 0.2 of `height`
---@field max_slope? number Steepest slope that the character can walk on (degrees, 0 to 85); 50
---@field gravity? number Acceleration downwards. With 0 the character flies, and `move` also moves it up and down (metres per second squared, 0 to 10000); the gravity of `physics.set` at that time
---@field max_fall_speed? number Maximum speed of falling (metres per second, 0.1 to 1000); 55
---@field acceleration? number Acceleration with which the character speeds up (metres per second squared, 0 to 100000); 12
---@field deceleration? number Deceleration with which the character slows down (metres per second squared, 0 to 100000); 16
---@field air_control? number Fraction of the acceleration that the character has in the air (0 to 10); 0.3
---@field turn_rate? number Maximum speed at which the character turns to its direction of movement (degrees per second, 0 to 100000); 540
---@field turn_to_movement? boolean True turns the character to its direction of movement. With false, the script sets `yaw`; true
---@field jump_height? number Height of a jump by `jump` (metres, 0 to 1000); 0.3 of `height`
---@field coyote_time? number Time after an edge in which the character can still jump (seconds, 0 to 2); 0.1
---@field jump_buffer? number Time before the landing in which a call of `jump` is remembered (seconds, 0 to 2); 0.12
---@field mass? number Mass at scale 1. The character presses on the body below with it (kilograms, 0 to 1000000); 12 times the cube of `height`
---@field push_force? number Maximum force with which the character pushes dynamic bodies, at scale 1 (newtons, 0 to 1000000000); 7 times `mass`
---@field layer? string Collision layer of the capsule, see `physics.layer`; characters

---A turn of a conversation begins (`turn`) or ends (`turn_end`), or the conversation ends (`end`)
---@class ConversationEvent
---@field name string "turn", "turn_end" or "end"
---@field time number time of the event, as in `now()`, seconds
---@field turn? number number of the turn in the table of the conversation
---@field speaker? string name of the speaker in the cast
---@field to? string name of the character to whom the speaker talks, or "all"
---@field character? Character speaking character
---@field text? string for `turn`: text of the line
---@field reason? string for `turn_end`: "end", "interrupted" or "unavailable"; for `end`: the `end_reason` of the conversation

---A turn: the name of the speaker, then the line as in `say`
---@class ConversationTurnOptions
---@field chance? number Probability of the step (0 to 1); 1
---@field to? string Name of the character to whom the speaker talks, or "all"; the previous speaker, otherwise the next one
---@field gap? number Pause between the previous turn and this one (seconds, 0 to 600); about 0.2
---@field overlap? number Time by which this turn begins before the end of the previous one (seconds, 0 to 600)
---@field interrupt? "now"|"word"|"phrase"|boolean Interrupts the previous speaker: "now", at the end of the "word", or at the end of the "phrase". True means "phrase"; false
---@field after? number|string With `interrupt`: when the previous line is cut, in seconds from its start or at one of its words (0 to 600); about 0.6 of the line
---@field resume? boolean True makes the speaker continue its own interrupted line; false
---@field [integer] string|SayLine

---Cast and settings of a conversation; its list holds the steps
---@class ConversationTurns
---@field cast { [string]: Character } Characters that take part, by name
---@field name? string Name by which a hot reload finds the conversation again and continues it; the names of the cast
---@field gap? number Average pause between two turns (seconds, 0 to 60); 0.2
---@field nod_chance? number How often listeners nod or react otherwise; 0 is never (0 to 1); 0.6
---@field gaze? boolean True makes the characters look at each other; true
---@field [integer] ConversationTurnOptions|PauseStep|CallStep|ChooseStep

---Options of a crowd: its bodies, the start positions of its agents, and their behaviour
---@class CrowdOptions
---@field model string|string[] Model file, or a list of up to 16 files, from which each agent gets one at random
---@field count? number Number of agents (0 to 20000); 100
---@field position? vector Centre of the area in which the agents start (metres); (0, 0, 0)
---@field size? vector Size of the area in which the agents start, along x and z (metres); (20, 0, 20)
---@field speed? number|number[] Walking speed that agents prefer: one number, or { low, high } for a random one (metres per second, 0 to 20); { 1.1, 1.5 }
---@field scale? number|number[] Scale of the models: one number, or { low, high } for a random one (0.01 to 100); { 0.94, 1.06 }
---@field width_scale? number|number[] Width of the models relative to their height: one number, or { low, high } for a random one (0.2 to 5); { 0.95, 1.05 }
---@field colors? { [string]: vector[] } Lists of colours (linear RGB) by the names of materials: { coat = { vector.create(0.4, 0.1, 0.1), … } }. Each agent gets one colour from the list, which replaces that of the material
---@field radius? number Radius of the space that an agent needs, at scale 1 (metres, 0.05 to 10); 0.25
---@field idle? string|string[] Clip of a standing agent. From a list, each model uses the first clip that it has; "idle"
---@field walk? string|string[] Clip of a walking agent. From a list, each model uses the first clip that it has; "walk"
---@field run? string|string[] Clip of a running agent. From a list, each model uses the first clip that it has; "run"
---@field forward_axis? "auto"|"+z"|"-z"|"+x"|"-x"|("auto"|"+z"|"-z"|"+x"|"-x")[] Direction that the models face in their files, or a list with one direction for each model. With "auto", toes, eyes, the names of bones and walking clips decide; "auto"
---@field walls? vector[][] Walls that no agent crosses. Each is a line between two positions: { { a, b }, … }
---@field obstacles? ((vector|number)[])[] Round obstacles that agents avoid, as a list of positions and radii in metres: { { vector.create(1, 0, 2), 0.5 }, … }
---@field navmesh? Navmesh Navigation mesh on which agents find their paths, made by `navmesh { … }`. Without it they walk straight to their goals
---@field avoidance? "orca"|"push" Method of collision avoidance. With "orca" agents look ahead and walk around each other. "push" is the method of the book *Character Animation with Direct3D*: agents push each other apart within 3 m, walk at 2 metres per second, and count as arrived 3 m before the goal; orca
---@field states? { [string]: CrowdStateOptions } States that define the behaviour of agents, by name: { walk = { on = { arrived = "rest" } }, rest = { clip = "sit", duration = { 3, 8 }, next = "walk" } }
---@field start? string State in which agents start; the only state
---@field meet_chance? number Probability that two agents that walk towards each other both get the event `met` (0 to 1); 0.3
---@field promote_distance? number|PromoteOptions Distance from the camera within which agents become full characters, with a face: a number, or { distance = 6, max_characters = 8 } (metres, 0 to 1000); none
---@field on_promote? fun(crowd: Crowd, agent: number, character: Character, again: boolean) Called when an agent has become a character. After a hot reload it is called again for each agent that is one. `again` is true if the character keeps data from an earlier time as a character: its mood, its decals and the objects in its hands
---@field group_size? number|number[] Number of agents in the groups that walk together behind a leader: one number, or { low, high } for a random one (1 to 12); 1
---@field yaw? number Direction that all agents face at the start (degrees); random
---@field seed? number Seed of the crowd's random numbers. The same seed gives the same crowd; 1
---@field name? string Name by which a hot reload finds the crowd again; none: found by the order of creation

---A state of the agents of a crowd
---@class CrowdStateOptions
---@field clip? string|string[] Clip that agents play, or a list of clips, which they play one after another in random order. Each agent uses those clips that its model has
---@field intro? string|string[] Clip that is played once before `clip`. From a list, each agent uses the first clip that its model has
---@field once? boolean True plays `clip` once and then sends the event `clip_end`; false repeats it; false
---@field stationary? boolean True makes agents stay where they are while they are in this state; true if the state has a clip
---@field speed? number|number[] Walking speed: one number, or { low, high } for a random one (metres per second, 0 to 20); the agent's own
---@field duration? number|number[] Time after which the state ends: one number, or { low, high } for a random one (seconds, 0 to 1000000); no end
---@field next? string|string[] State that follows when `duration` is over, or a list of states, from which one is chosen at random. Without it, agents get the event `timeout` instead
---@field goal? vector|vector[] Position to which agents walk. From a list, each agent takes the nearest position (metres)
---@field flee_distance? number Makes agents flee to this distance from the position of the event that led to this state (metres, 0.1 to 1000)
---@field wander_turn_rate? number Makes agents without a goal wander, with random turns up to this speed. With 0 they walk straight until something blocks them (degrees per second, 0 to 720)
---@field follow_scent? ScentField Scent field (see `scent_field`) that agents follow: they wander and turn towards the stronger scent
---@field leave_scent? ScentField Scent field (see `scent_field`) in which agents leave scent where they walk
---@field scent_amount? number Amount of scent that an agent leaves in the field `leave_scent` (per metre, 0 to 1000000); 1
---@field detect? vector|vector[] Position, or a list of positions. An agent within `range` of one gets the event `found` with that position (metres)
---@field spread_event? string Event that an agent in this state passes on to other agents within `range`, with the position of the event that led to the state
---@field immune_time? number Time after the state in which an agent ignores `spread_event` from other agents. It never ignores events that the script sends (seconds, 0 to 1000000); twice the longest time in `duration`, or 20
---@field range? number Distance within which `spread_event` and `detect` work (metres, 0.1 to 50); 2
---@field use_objects? boolean True allows smart objects to attract agents in this state. An agent that enters the state leaves its object or queue, unless you write `use_objects = true`; true, except with `flee_distance`
---@field on? { [string]: string|fun(crowd: Crowd, agent: number, about: (vector|number|SmartObject)?): string? } Reactions to events, by the name of the event. Each is the name of the next state, or a function that may return it
---@field on_enter? fun(crowd: Crowd, agent: number, from: string?) Called when an agent enters the state
---@field on_update? fun(crowd: Crowd, agent: number, dt: number) Called for each agent every `update_interval` seconds. `dt` is the time since the last call, in seconds
---@field update_interval? number Time between two calls of `on_update` (seconds, 0.001 to 1000); 0.25
---@field on_exit? fun(crowd: Crowd, agent: number, to: string) Called when an agent leaves the state

---The area and the lines of crowd statistics
---@class CrowdStatsOptions
---@field position? vector Centre of the measured area (metres); (0, 0, 0)
---@field size? vector Size of the measured area along x and z (metres); (20, 0, 20)
---@field cell_size? number Width of a cell of the density map (metres, 0.05 to 10); 0.5
---@field crowd? Crowd Crowd to measure; all crowds
---@field lines? { [string]: vector[] } Lines on the ground that count the agents that cross them, by name: { door = { a, b } }. Stand at a and look towards b: `forward` counts agents that walk from your right to your left, `backward` the others
---@field name? string Name by which a hot reload finds the statistics again; none: found by the order of creation

---A spoken line reaches a mark `{event=…}` in its text, or an event of its `track`
---@class CueEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field line number number of the line
---@field cue string name of the cue, as written in the line
---@field [string] any further fields, which the file or the script has added

---A cylinder prop
---@class CylinderOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, position of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name of the prop, by which `find_character` and a hot reload find it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number Metalness: 0 is no metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.25
---@field height? number Height from end to end (metres, 0.001 to 10000); 1

---Options of a debug view
---@class DebugViewOptions
---@field bone? string For the view "weights": name of a bone, to show its weights only
---@field morph? string For the view "morphs": name of a morph target, to show it alone, as if its weight were 1
---@field character? Character Character to show; all others are grey
---@field vertex_lines? boolean For the views "normals" and "tangents": draws a line at every vertex; false
---@field legend? boolean True shows a legend that explains the colours; true

---Options of `hero:decal`
---@class DecalOptions
---@field size? number Width of the decal on the surface (metres, 0.002 to 3); from the kind; 0.1 for a picture
---@field roll? number Rotation of the decal on the surface (degrees); random
---@field tint? vector Colour, as linear RGB, that multiplies the colour of the decal; (1, 1, 1)
---@field opacity? number Opacity of the decal; 1 is opaque (0 to 1); 1
---@field depth? number Height of the relief from the black to the white parts of the height map. A negative value inverts the relief (metres, -0.1 to 0.1); from the kind; 0.002 for a picture with a height map
---@field roughness? number Roughness of the decal: 0 shines like a mirror, 1 is matt (0 to 1); from the kind, otherwise that of the material
---@field height_map? string Image file that gives the decal a relief (height map); dark parts are deep; from the kind; none for a picture
---@field dry_time? number|boolean Time until the decal has dried, 0 to 1000000 seconds, or false for a decal that stays wet; from the kind; false for a picture
---@field lifetime? number Time after which the decal begins to fade out (seconds, 0 to 1000000); from the kind, otherwise no end; 10 with `fade`
---@field fade? number Time in which the decal fades out after `lifetime` (seconds, 0 to 1000000); from the kind; 2 with `lifetime`
---@field planar? boolean True projects the decal straight onto the surface, like a stencil. False wraps it around the surface; false
---@field penetrate? boolean True adds a decal to every surface along the line, like a shot that passes through the body; false
---@field exit_kind? string|{ [string]: string|false } With `penetrate`: kind of the decal where the line leaves the body; the same as on entry

---Options of an environment map
---@class EnvironmentOptions
---@field yaw? number Rotation of the environment map about +Y (degrees); 0
---@field intensity? number Factor on the intensity of its light (0 or more); 1
---@field background? boolean True shows the environment map as the background; false shows the sky; true
---@field blur? number Blur of the background; 0 is sharp (0 to 1); 0

---Record of a marker that playback passed, and its outcome
---@class EventLogEntry
---@field number number number of the entry, counted from the first recorded one
---@field time number time at which it was passed, as in `now()`, seconds
---@field name? string name of the marker
---@field clip? string name of the clip
---@field marker number number of the marker on the clip; less than 0 for a marker that was removed since
---@field marker_phase string "point", "begin" or "end"
---@field weight number blend weight of the clip, 0 to 1
---@field source string player of the clip: the state machine ("machine"), `hero:play` ("play") or the idle clip of a character without a machine ("idle")
---@field play? number number of the play
---@field layer? string layer of the machine
---@field state? string state of the machine
---@field playback_id? number number of this playback of the clip in the machine
---@field outcome string "fired", "suppressed" or "interrupted"
---@field reason? string reason for which it was not fired
---@field occurrences number number of markers that the entry represents

---Time of an event that a test expects
---@class ExpectEventOptions
---@field last_seconds? number Maximum time since the event (seconds); any

---An explosion and its filter
---@class ExplosionOptions
---@field exclude? Character|Character[] Character or prop to leave out, or a list of them
---@field layers? string|string[] Collision layers to include; all
---@field sensors? boolean True includes sensors; false
---@field radius? number Distance from the centre at which the explosion has no more effect (metres, 0 or more); 3
---@field impulse? number Impulse on a body at the centre. It decreases to 0 at `radius` (newton seconds, 0 or more); 50
---@field lift? number Fraction of the impulse that points up; the rest points away from the centre (0 to 1); 0.25

---Fade of a value of a face
---@class FaceFadeOptions
---@field fade? number Time in which the new value is reached (seconds, 0 to 1000); 0

---Settings of a face. A missing field keeps its value; `channels` resets all others
---@class FaceOptions
---@field channels? "unlimited"|"four" Limit of the parts that move at once: "unlimited", or "four": one blink, one emotion and two mouth shapes. Setting it resets the other settings; "unlimited"
---@field mouth_weight? number While the character speaks: factor on the effect of mood and clips at the mouth (0 to 1); 1/3
---@field asymmetry? number How much the two sides of the face differ; a small value looks natural (0 to 1); 0.06
---@field max_active_targets? number Maximum number of morph targets that move at once. Those with the largest weights move; 0 means no limit (0 to 10000); 0
---@field blink_rate? number Factor on the rate of blinks; with 0 the character never blinks (0 to 20); 1

---Materials and variant of an appearance
---@class FaceVariant
---@field materials? { [string]: MaterialOptions } Changes of materials, by the name of the material, as in `character`
---@field variant? string Variant of the materials, one of `character:variants()`

---The character begins to fall (`knock_down`), lies still (`settle`), begins to get up (`get_up`), stands again (`get_up_end`) or has died (`die`)
---@class FallEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field posture? string for `settle` and `get_up`: "face_up", "face_down", "side" or "upright"

---View of the camera in first person. Fields left out keep their values
---@class FirstPersonOptions
---@field yaw? number Direction of the view, about +Y, as in `camera.orbit` (degrees); the direction that the character faces
---@field pitch? number Angle of the view below the horizon; a positive value looks down (degrees, -89 to 89); 0
---@field fov? number Vertical field of view; smaller values look like a telephoto lens (degrees, 5 to 120); 70
---@field locked? boolean True prevents the player from rotating the camera; false

---A flock: its model, its start and the rules that it follows
---@class FlockOptions
---@field model string Model file
---@field forward_axis? "auto"|"+z"|"-z"|"+x"|"-x" Direction that the model faces in its file. With "auto", toes, eyes, the names of bones and walking clips decide; "auto"
---@field count? number Number of birds or fish (0 to 20000); 100
---@field position? vector Centre of the flock's home, where the members start (metres); (0, 15, 0)
---@field size? vector Size of the space in which the members start, along each axis (metres); (10, 6, 10)
---@field clip? string Clip that members play while they fly or swim; "fly", otherwise the first clip
---@field glide? string Clip that members play while they glide down without beating their wings; "glide", if the model has it
---@field scale? number|number[] Scale of the members: one number, or { low, high } for a random one (0.001 to 1000); { 0.9, 1.1 }
---@field colors? { [string]: vector[] } Lists of colours (linear RGB) by the names of materials, as in `crowd`. Each member gets one colour from the list
---@field speed? number|number[] Lowest and highest speed of a member, { low, high } (metres per second, 0 to 200); { 3, 7 }
---@field separation? number Separation: strength with which members move away from neighbours nearer than `separation_distance` (0 to 1000); 4
---@field separation_distance? number Distance below which members move away from each other. They never come nearer than a quarter of it, or than 0.3 m if that is less (metres, 0 to 1000); 1.2
---@field alignment? number Alignment: strength with which members take on the velocity of their neighbours (0 to 1000); 1.2
---@field cohesion? number Cohesion: strength with which members move towards the middle of their neighbours (0 to 1000); 0.8
---@field neighbor_radius? number Distance up to which other members count as neighbours (metres, 0 to 1000); 3
---@field ground_avoidance? number Strength with which members rise when they are less than `clearance` above the ground. It grows with each missing metre (0 to 1000); 6
---@field clearance? number Height above the ground below which members rise (metres, 0 to 1000); 2
---@field min_height? number Minimum height above the ground, which no member goes below (metres, 0 to 1000); 0.3
---@field turn_rate? number Maximum change of the velocity in a second, as a multiple of the highest `speed`. Higher values give tighter turns (per second, 0 to 1000); 1.5
---@field home_weight? number Strength with which members return when they are outside `home_radius`. With 0 the flock flies anywhere (0 to 1000); 2
---@field home_radius? number Radius of the home around `position`. No member flies farther than 1.1 times this distance from the centre (metres, 0 to 100000); 20
---@field avoid? number Strength with which members avoid obstacles ahead. They never enter an obstacle, except with 0: then they fly through it (0 to 1000); 6
---@field lean? number How far members lean into turns (banking): 1 for birds, 0 for fish (0 to 4); 1
---@field leaders? number Number of leaders, which are the first members of the flock. The script moves them with `steer`, and the others follow (0 to 20000); 0
---@field leader_weight? number Strength with which members follow the nearest leader (0 to 1000); 2
---@field preset? "custom"|"classic" Set of rules. "custom" uses the other options. "classic" uses the fixed rules of the book *Character Animation with Direct3D*: separation 15 within 2.5 m, alignment and cohesion 1 within 3.5 m, attraction to a point 15 m up, 3 metres per second; custom
---@field steering? fun(flock: Flock, number: number, position: vector, velocity: vector): vector Your own rule: a function that is called 20 times a second for each member and returns an acceleration in metres per second squared. `number` is the number of the member
---@field seed? number Seed of the flock's random numbers. The same seed gives the same flock; 1
---@field name? string Name by which a hot reload finds the flock again; none: found by the order of creation

---Density and height of the fog. An option that is left out keeps its value
---@class FogOptions
---@field color? vector Colour, as linear RGB
---@field density? number Density: about the fraction of the light that is lost per metre. 0 is clear air, 0.02 is mist (0 to 100)
---@field height? number Height above `base` at which the fog has a third of its density. Without it, the fog has the same density everywhere (metres, 0.01 or more)
---@field base? number Height at which the fog is densest (metres)

---Options of `hero:foot_ik`. Fields left out keep their values
---@class FootIkOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field lock_feet? boolean True keeps a planted foot where it is until it lifts; false lets it slide as the clip does; true
---@field step_events? boolean True emits the event `step` when a foot touches the ground. False emits the markers named `step` of the clips instead; true
---@field unlock_distance? number A planted foot makes a step of its own at this distance from its position in the clip. It is a fraction of the leg's length (0 to 10); 0.3
---@field max_up? number Maximum height of the ground above the character's position that a foot follows, as a fraction of the leg's length (0 to 10); 0.55
---@field max_down? number Maximum depth of the ground below the character's position that a foot follows, as a fraction of the leg's length (0 to 10); 0.55
---@field max_slope? number Steepest slope to which the feet tilt (degrees, 0 to 85); 40
---@field pelvis_weight? number How far the body sinks and rises so that the feet reach the ground; 0 keeps the height of the clip (0 to 1); 1
---@field smooth_time? number Time in which the height of the body follows the ground. Longer times are smoother (seconds, 0 to 10); 0.12

---A force and its region. Exactly one of force, acceleration, wind, water, attractor and launch_velocity is required
---@class ForceFieldOptions
---@field shape? "everywhere"|"box"|"sphere"|"capsule" Shape of the region; "box" with a `size`, "sphere" with a `radius`, otherwise "everywhere"
---@field position? vector Centre of the region (metres); (0, 0, 0)
---@field size? vector For a box: lengths of its edges, each more than 0; required (metres)
---@field radius? number For a sphere or a capsule: radius (metres, more than 0); 1
---@field height? number For a capsule: height from end to end (metres, more than 0); 2
---@field yaw? number Rotation of the region about +Y (degrees); 0
---@field force? vector Force on each body (newtons)
---@field acceleration? vector Acceleration of each body, independent of its mass (metres per second squared)
---@field wind? vector Velocity of the air, which pushes bodies: the larger the body, the stronger (metres per second)
---@field water? boolean|number Density of a liquid that fills the region. If `shape` is "everywhere", it fills the space below `position`. True means 1000, the density of water (kilograms per cubic metre)
---@field current? vector Velocity of the water, which carries bodies along (metres per second); (0, 0, 0)
---@field drag? number Drag. For `wind` it is the drag coefficient; for `water` the rate at which bodies slow down, per second (0 or more); 1 with `wind`, 2 with `water`
---@field attractor? vector Position that attracts bodies. The acceleration is `attraction` divided by the square of the distance. With a negative `attraction` it repels them (metres)
---@field attraction? number Acceleration to `attractor` at a distance of 1 m (metres per second squared); 10
---@field launch_velocity? vector Minimum velocity that a body gets once when it enters the region, as on a jump pad (metres per second)
---@field layers? string|string[] Collision layers on which the field acts; all
---@field enabled? boolean True if the field is active; true

---Settings of a random face
---@class GenerateOptions
---@field seed? number Seed of the random numbers. The same seed gives the same face; one that depends on the character
---@field variation? number How much the face differs from that of the model; 0 is not at all (0 to 3); 1
---@field asymmetry? number How much the left and the right side differ (0 to 1); 0.15
---@field fixed? { [string]: number } Weights that are not random, by the name of the shape
---@field only? string|string[] Name of the shape to change, or a list of names; all
---@field variants? (string|FaceVariant)[] Appearances, from which one is chosen at random: names of variants of the model, or tables with a variant and materials
---@field uniform? boolean True makes all weights from 0 to 1 equally likely, in steps of 0.001, as in the book *Character Animation with Direct3D*; false

---Spring between a hand and a body
---@class GrabOptions
---@field frequency? number Stiffness of the spring, as its frequency. Higher values follow the hand faster (hertz, 0.1 to 15); 4
---@field max_force? number Maximum force of the hand along each axis (newtons, 0 or more); 200 per kilogram that hangs on the hand

---Options of `hero:grip`
---@class GripOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit

---Changes to the floor. An option that is left out keeps its value
---@class GroundOptions
---@field height? number Height of the floor (metres); 0
---@field color? vector Colour, as linear RGB
---@field grid? number Distance between the lines of the grid; 0 is no grid (metres, 0 or more); 1
---@field color_variation? number How much the colour of the floor varies; 0 is even (0 to 1); 0.3
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field visible? boolean True draws the floor; true
---@field collider? boolean True makes bodies collide with the floor; true

---Options of `hair.grow`
---@class HairGuideOptions
---@field exclude? string|string[] Names of nodes, meshes or materials on which no hair grows; `*` matches any text. Use it for a hat that Galatea does not recognise by its name; hair, hats, eyes and jewellery, recognised by name and shape
---@field scalp? string|string[] Names of nodes, meshes or materials on which hair grows; `*` matches any text; the skin of the head, recognised by name and shape
---@field character Character Character on which the haircut grows
---@field cut "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|HaircutOptions Haircut: its name, or { style = name, … } with changes
---@field bone? string Bone with the skin on which the hair grows; head
---@field seed? number Seed of the random positions and differences of the strands; 1

---Options of `hero:hair`
---@class HairOptions
---@field exclude? string|string[] Names of nodes, meshes or materials on which no hair grows; `*` matches any text. Use it for a hat that Galatea does not recognise by its name; hair, hats, eyes and jewellery, recognised by name and shape
---@field scalp? string|string[] Names of nodes, meshes or materials on which hair grows; `*` matches any text; the skin of the head, recognised by name and shape
---@field clump? number How far the strands of a lock come together at their tips; 1 is at one point (0 to 1); 0 or as the haircut
---@field lock_size? number Approximate number of strands in a lock (0 to 10000); 20 or as the haircut
---@field frizz? number Random distance by which the tips of strands stand out (metres, 0 to 0.5); 0 or as the haircut
---@field curl? number Radius of the curls. Curls need at least eight `points` per curl (metres, 0 to 0.5); 0 or as the haircut
---@field curls_per_meter? number Number of curls per metre of hair (0 to 1000); 0 or as the haircut
---@field geometry? "strands"|"cards" How hair is drawn: "strands" are thin ribbons that face the camera, "cards" are wider strips with a texture of several strands; strands
---@field texture? string For cards: PNG or JPEG file of the texture, with a transparent background and the roots at the top; Galatea's own texture
---@field width? number Width of a strand or card at its root (metres, 0 or more); 0.0012 or as the haircut; for cards 0.02 or 12 times that of the haircut
---@field tip_width? number Width at the tip, as a fraction of the width at the root (0 or more); 0.3
---@field color? vector Colour at the tip, as linear RGB; (0.12, 0.06, 0.03)
---@field root_color? vector Colour at the root, as linear RGB; 0.6 of `color`
---@field brightness_variation? number Random difference in brightness between strands (0 to 1); 0.25
---@field roughness? number Roughness: low values give narrow, bright highlights (0 to 1); 0.45
---@field stiffness? number|number[] Stiffness against bending: one number, or { at the root, at the tip } (0 to 1); { 0.8, 0.12 } or as the haircut
---@field rest_stiffness? number|number[] Strength of the pull back to the shape of the haircut: one number, or { at the root, at the tip } (0 to 1); { 0.15, 0 } or as the haircut
---@field damping? number Damping: rate at which the motion relative to the head slows down. Higher values stop it sooner (per second, 0 or more); 4
---@field air_drag? number Drag: rate at which hair takes on the speed of the air. Higher values make it react more to the wind (per second, 0 or more); 1.5
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 1
---@field gravity_scale? number Factor on gravity. Gravity acts only as far as the head tilts, so hair on an upright head keeps its shape (-10 to 10); 1
---@field wet? number Wetness: from 0, dry, to 1, dripping. Wet hair is soft and hangs down (0 to 1); 0
---@field follow? number Fraction of the head's motion that the hair follows at once, without swinging (0 to 1); 0.1
---@field collision_margin? number Distance that the hair keeps from bodies (metres, 0 or more); 0.003
---@field friction? number Friction on bodies: fraction of the motion along a body that is lost on contact (0 to 1); 0.2
---@field collide_with? boolean|Character|Character[] False turns collisions off. A character, or a list of characters, adds bodies to that of the wearer; true: with the wearer
---@field simulation? "chains"|"springs" Method of simulation: "chains" keeps the length of each strand, "springs" is the method of the book *Character Animation with Direct3D*, chapter 15, with a random wind; chains
---@field cut? "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|HaircutOptions Haircut: its name, or { style = name, … } with changes. It sets the defaults of the other options
---@field file? string File with strands: `.tfx` (TressFX, binary or text), `.hair`, or the lines of a `.glb` or `.gltf`. A `.hair` file has the format of Cem Yuksel's hair models, or that of the book *Character Animation with Direct3D*
---@field scale? number For a file: length of its unit (metres, 0 or more); 1
---@field yaw? number For a file: rotation of its strands about +Y, applied first (degrees); 0
---@field offset? vector For a file: offset of its strands, applied last. The axes are those of the character in its rest pose (metres); (0, 0, 0)
---@field guides? vector[][]|number Strands that are simulated. Each is a list of positions from root to tip, in world space and in the character's current pose. For a file, the number of its strands that are simulated, 1 to 2000; all others follow them; 160 for a file
---@field in_rest_space? boolean True means that the positions of `guides` are in the space of the character in its rest pose: metres, +Y up, +Z forward; false
---@field patches? number[][] Areas in which strands grow. Each is a list of the numbers of the three or four guides around it; between neighbouring guides
---@field strands? number Number of strands that are drawn (1 to 20000); 2000 or as the haircut; for cards a twelfth
---@field points? number Number of points of each strand; more points bend more smoothly (2 to 64); 16 or as the haircut
---@field seed? number Seed of the random positions and differences of the strands; 1
---@field bone? string Bone on which the hair grows; "head"
---@field follow_skin? boolean True makes the roots follow the skin when morph targets and bones move it, as a beard follows the mouth; true for beards, moustaches and brows
---@field name? string Name of the hair, by which a hot reload finds it again

---A haircut based on one of the styles. Options left out are those of the style
---@class HaircutOptions
---@field style? "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows" Haircut that the other fields change; long
---@field length? number Length on top; for beards, on the chin (metres, 0.001 to 3)
---@field sides? number Length at the sides and at the nape (back of the neck); for beards, on the cheeks (metres, 0.001 to 3); in proportion to `length`
---@field end_height? number|boolean Height below which no hair hangs: 0 is the height of the eyes, 1 that of the chin. False means no limit
---@field parting? number|boolean Position of the parting, from -1 at the right to 1 at the left, or false for no parting
---@field comb_back? number Direction of combing: 1 back from the forehead, -1 forward over it (-1 to 1)
---@field fringe? number Length of the fringe, the hair that falls over the forehead (metres, 0 to 1)
---@field lift? number Height of the hair above the skin of the head (metres, 0 to 0.2)
---@field rise? number How steeply the hair leaves the skin: 0 is flat, 1 is upright (0 to 1)
---@field droop? number How much the hair bends down along its length. A negative value bends it up (radians per metre, -100 to 100)
---@field tips? number How far the tips turn: 1 inwards, -1 outwards (-4 to 4)
---@field band? number|boolean Width of the band of long hair over the middle of the head, as a fraction of the skull; the hair next to it is short. False means no band
---@field uneven? number How much the lengths of strands differ; 0 is not at all (0 to 1)
---@field bare? number Fraction of the skin that is visible between strands (0 to 1)
---@field guides? number Number of strands that are simulated (3 to 400)

---The character was hit, by `hero:hit` or by an object that flew into it
---@class HitEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field bone? string name of the bone that was hit
---@field reaction string "none", "flinch", "brace", "stagger" or "fall"
---@field impulse vector impulse, newton seconds
---@field position vector world position, metres
---@field damage number health that the hit takes, 0 to 1

---A hit on a character
---@class HitOptions
---@field impulse vector Impulse: mass times change of velocity. A thrown ball has 3, a punch 20 to 40, a collision with a runner 100, with a car 500 (newton seconds)
---@field bone? string Bone that is hit; the bone nearest to `position`, otherwise the chest
---@field position? vector Position of the hit in the world (metres); that of the bone
---@field damage? number Amount of health that the character loses (0 to 1); 0
---@field reaction? "none"|"flinch"|"brace"|"stagger"|"fall" Reaction of the character, instead of the computed one; computed from impulse, mass, balance and health

---Thresholds of a character's reactions to hits. An option that is left out keeps its value
---@class HitReactionOptions
---@field on_hit? fun(hit: { bone: string?, position: vector, impulse: vector, damage: number, reaction: string }): (string|boolean)?|boolean Function that is called before a hit takes effect. It may return another reaction, or false to ignore the hit. It must not hit the same character. `on_hit = false` removes the function
---@field flinch_threshold? number Strength from which a limb gives way (metres per second, 0 or more); 0.01
---@field brace_threshold? number Strength from which the whole upper body gives way (metres per second, 0 or more); 0.35
---@field stagger_threshold? number Strength from which the character staggers (metres per second, 0 or more); 0.9
---@field fall_threshold? number Strength from which the character falls (metres per second, 0 or more); 1.9
---@field get_up_delay? number|boolean Time for which the character lies still until it gets up by itself; disturbances make it longer. False makes it stay down. The event `settle` comes after 0.25 s of stillness (seconds, 0 or more); 0.6
---@field hit_on_touch? boolean True makes bodies that collide with the character hit it, as `hit` does; true while the limbs are bodies

---Options of `hero:idle_motion`. Fields left out keep their values
---@class IdleMotionOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field breath? number Factor on the depth of breathing; 0 is none (0 to 4); 1
---@field sway? number Factor on the shift of weight from foot to foot, which needs `foot_ik` (0 to 4); 1
---@field noise? number Factor on the small random motions of torso, arms and fingers (0 to 4); 1
---@field effort? number Effort: from 0, at rest, to 1, out of breath (0 to 1); 0
---@field valence? number Mood: from -1, sad, to 1, glad. It lowers or raises the chest (-1 to 1); 0
---@field arousal? number Arousal: from -1, sleepy, to 1, excited. It makes all motions slower or faster (-1 to 1); 0

---An interaction of a prop: its use, its position and its timing
---@class InteractionOptions
---@field kind? "hold"|"lever"|"pick_up"|"seat"|"ladder" What the user does: "hold" holds on with the hand, "lever" swings the prop about its hinge, "pick_up" takes the prop along, "seat" sits down, "ladder" climbs; hold
---@field pivot? vector For a lever: position of the hinge, in the prop's own space (metres); (0, 0, 0)
---@field axis? vector For a lever: axis of the hinge, in the prop's own space; the x axis
---@field swing? number For a lever: angle by which it turns within `hold_time`. The next use turns it back (degrees); 60
---@field rung_offset? vector For a ladder: offset from each rung to the next. The lowest rung is at `position` (metres); (0, 0.28, 0)
---@field rungs? number For a ladder: number of rungs (1 to 500); 8
---@field width? number For a ladder: distance between the rails (metres, 0.1 to 10); 0.4
---@field rails? number For a ladder: length of the rails above the last rung (metres, 0 to 10); 0
---@field top? vector For a ladder: position where the user stands at the top, in the prop's own space (metres); 0.5 m beyond the last rung, at its height
---@field bone? string Bone of the prop with which the interaction point moves; the prop itself
---@field position? vector Position of the palm, or of the wrist of a hand without fingers, in the space of `bone`. For a seat, position of the hips (metres); (0, 0, 0)
---@field hand_rotation? vector Yaw, pitch and roll of the hand at `position` (degrees); follows the arm
---@field grip? number How far the fingers close; 1 is a fist (0 to 1); 0.6; lever and ladder 0.75, `pick_up` 0.55, seat 0
---@field radius? number Distance from the palm to `position`, which is the centre of the held object (metres, 0 to 1); fitted to the hand
---@field bar? vector For a bar or handle: direction of its length, in the space of `bone`. The hand turns until the bar lies across the palm
---@field stand_position? vector Position where the user stands, in the prop's own space. Its height has no effect (metres); the user's current position
---@field stand_yaw? number Direction that the user faces, about +Y in the prop's own space (degrees); towards the interaction
---@field hand? string Limb that reaches for `position`, such as "left_hand"; right_hand
---@field other_hand? vector Position of the other hand, for props that need two hands, in the space of `bone` (metres)
---@field clip? string Clip that the user plays during the use
---@field reach_time? number Time in which the hand moves to `position` (seconds, 0 to 600); 0.45
---@field hold_time? number Time for which the hand stays at `position` (seconds, 0 to 600); 0.5
---@field release_time? number Time in which the hand moves back (seconds, 0 to 600); 0.4

---Options of an inserted turn
---@class InterruptOptions
---@field resume? boolean True continues the interrupted line after the inserted turn; true

---Damped spring of one bone
---@class JiggleOptions
---@field frequency? number Number of swings in a second (hertz, more than 0); 3
---@field damping? number Damping ratio: at 0 the bone never stops swinging, at 1 it returns without a swing (0 or more); 0.3
---@field limit? number|vector Largest distance from the pose in metres, or with `tip` the largest angle in degrees. A number is for all axes of the bone, a vector for each axis; 0.05, or 25 with `tip`
---@field tip? vector Position of a mass in the bone's space. With it, the bone rotates as if the mass swung; without it, the bone moves (metres)
---@field weight? number Blend weight (0 to 1); 1

---Height of a jump
---@class JumpOptions
---@field height? number Height of this jump (metres, 0 to 10000); `jump_height` of the controller
---@field speed? number Speed upwards, instead of `height` (metres per second, 0 to 10000)

---Rules of a language
---@class LanguageOptions
---@field rules? string[][] List of rules { left, letters, right, sounds }. Sounds are written in ARPAbet, such as "TH" and "AA1". The first rule that matches is used
---@field base? string Language whose rules, numbers and names of letters are used in addition; the known language of the same name, if there is one
---@field stress? string Stressed syllable: "first", "last", "penultimate" (last but one), "antepenultimate" (last but two), "none", or a list such as "ion_ -2; _ver 2; 1". It means: the last but one in words that end in "ion", the second in words that begin with "ver", the first in all others; that of the base, or "first"
---@field vowels? string Letters that are vowels, in one text; those of the base, or "aeiou"
---@field digits? string[] Ten words for 0 to 9. With them, numbers are read digit by digit; those of the base
---@field default? boolean True makes this the language of all lines without the option `language`; false

---Options of `hero:lean`. Fields left out keep their values
---@class LeanOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field turn? number Lean in turns, as a fraction of the angle that would keep the body in balance (0 to 4); 0.7
---@field acceleration? number Lean while the character speeds up and slows down, as a fraction of the angle that would keep it in balance (0 to 4); 0.4
---@field slope? number Lean into a hill, as a fraction of the angle of the slope (0 to 4); 0.35
---@field max_angle? number Maximum angle of the lean in any direction (degrees, 0 to 60); 20
---@field smooth_time? number Time in which the lean follows a change. Longer times are smoother (seconds, 0 to 10); 0.18

---Filter of a listener
---@class ListenerOptions
---@field min_weight? number Minimum blend weight of the clip, 0 to 1. Markers of clips with less weight are left out; 0
---@field all_clips? boolean True also calls the listener for markers of blended clips that do not have the highest weight; false

---Options of `hero:look_at`
---@class LookAtOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field target_bone? string Bone of the target, if the target is a character; none: the origin; for `look_at`, the face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: its space, the world or the character's own space; world
---@field chest_weight? number Fraction of the rotation that eyes and head leave over and the chest takes (0 to 1); 0.35
---@field view_angle? number Full angle of the cone, straight ahead, in which the character notices targets. It drops a target that leaves a cone 30 degrees wider (degrees, 0 to 330); 120
---@field out_of_range? "release"|"clamp" Behaviour for a target outside the view cone: "release" looks elsewhere, "clamp" looks as far towards it as possible; release
---@field eye_activity? number Strength of small random eye movements; 0 keeps the eyes still (0 to 1); 1
---@field blink_rate? number Factor on the rate of blinks; with 0 the character never blinks (0 to 20); 1
---@field gaze_mode? "steady"|"listening"|"speaking" How often the character looks away from the target: "steady" hardly ever, "listening" a quarter of the time, "speaking" more than half of it; steady
---@field target_radius? number Radius of the target, within which the gaze moves (metres, 0 or more); that of a face for characters, otherwise 0
---@field eyes_weight? number Fraction of their range of motion that the eyes use (0 to 1); 1
---@field head_weight? number Fraction of its range of motion that the head uses (0 to 1); 1
---@field max_eye_side? number Maximum angle of the eyes to the side, instead of that of the file (degrees, 0 to 90); that of the file (VRM), otherwise 35
---@field max_eye_up? number Maximum upward angle of the eyes, instead of that of the file (degrees, 0 to 90); that of the file (VRM), otherwise 25
---@field max_eye_down? number Maximum downward angle of the eyes, instead of that of the file (degrees, 0 to 90); that of the file (VRM), otherwise 35
---@field turn_in_place? boolean|TurnInPlaceOptions True, or a table of options, makes the character turn on the spot to a target outside its view cone. It does so while it stands and nothing else moves it; false

---Settings of a layer; its list holds states and transitions
---@class MachineLayerOptions
---@field mask? string|string[]|{ [string]: number } Bones that the layer moves, each with all bones below it: a name, a list, or names with weights. A `*` in a name matches any text. Parts of a humanoid are names too, such as "upper_body"; the whole body
---@field weight? number|string Blend weight of the layer from 0 to 1, or the name of a parameter; 1
---@field additive? boolean|"first"|"rest" Adds a difference to the layers below instead of replacing them. With true or "first" it is the difference from the clip's first frame, with "rest" the difference from the rest pose; false
---@field max_distance? number Distance from the camera beyond which the layer is off (metres, 0 or more)
---@field [integer] MachinePiece

---Parameters of a machine; its list holds layers, or states and transitions
---@class MachineOptions
---@field params? { [string]: number|boolean } Parameters (numbers and booleans that conditions read), with their default values
---@field [integer] MachinePiece

---Settings of a state; its list holds a clip or motion, or states and transitions
---@class MachineStateOptions
---@field clip? string|MachinePiece Clip, or the result of random_clips, sequence, blend1d, blend2d or blend_polar. You may write it first, without a name: state "idle" { "idle" }
---@field intro? string Clip that is played once when the state is entered, before `loop`
---@field loop? string Clip that repeats until a transition leaves the state
---@field outro? string Clip that is played once before the state is left
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip: "once" stays in the last pose, "loop" starts again, "pingpong" plays backwards and forwards; "loop"
---@field speed? number|string Factor on the playback speed, or the name of a parameter; 1
---@field time_param? string Name of a parameter from 0 to 1. It sets the position in the clip, which then does not play by itself
---@field mirror? boolean|string True swaps left and right; also the name of a boolean parameter; false
---@field root_motion? boolean True makes the root motion of the clips (their movement over the ground) move the character; false
---@field orient_param? string Name of a parameter with the direction of movement relative to the direction that the character faces, -180 to 180 degrees. The legs turn to that direction, and the upper body keeps facing ahead
---@field history? boolean True continues in the inner state that was active when the state was left; false
---@field on_enter? fun(character: Character, from: string?) Called when the state is entered. `from` is the previous state, nil at the start
---@field on_update? fun(character: Character, dt: number, params: { [string]: number|boolean }) Called in every tick that begins in this state. `dt` is the length of the tick in seconds
---@field on_exit? fun(character: Character, to: string?) Called when the state is left. `to` is the next state, nil if the machine is removed
---@field on? { [string]: fun(character: Character, event: AnyEvent) } Functions that are called for events while the state is active, by the name of the event: on = { step = function(hero, e) end }
---@field task? fun(task: Task) Function of a task (see `hero:task`) that begins and ends with the state
---@field [integer] string|MachinePiece

---Playback of a clip passes a marker
---@class MarkEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field clip string name of the clip
---@field weight number blend weight of the clip, 0 to 1
---@field position vector world position, metres
---@field surface string name of the surface (see `physics.surface`), or ""
---@field source string player of the clip: the state machine ("machine"), `hero:play` ("play") or the idle clip of a character without a machine ("idle")
---@field marker_phase string "point", "begin" or "end"
---@field duration? number for an interval: length, seconds
---@field interrupted? boolean for the end of an interval: true if it ended early
---@field is_reversed boolean true if the clip plays backwards
---@field tick_fraction number fraction of the tick at which playback passed the marker, 0 to 1
---@field [string] any further fields, which the file or the script has added

---Options of `material:fade`
---@class MaterialFadeOptions
---@field color? vector Base colour, as linear RGB
---@field alpha? number Opacity, 0 to 1, of materials with alpha blending or a cut-out; 1 is opaque
---@field tint? vector Colour, as linear RGB, that multiplies the base colour, and the shade colour of a toon material; (1, 1, 1)
---@field metallic? number Metalness: 0 is no metal, 1 is metal
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt
---@field specular? number Strength of the reflection of surfaces that are not metal, 0 to 1
---@field ior? number Index of refraction, at least 1: how much light bends in the material, 1.33 in water; 1.5
---@field emissive? vector Colour of the light that the material emits, as linear RGB
---@field emissive_strength? number Factor on `emissive`
---@field normal_scale? number Strength of the normal map (relief of the surface)
---@field occlusion? number Strength of the occlusion map (darker creases), 0 to 1
---@field alpha_cutoff? number For a cut-out material: parts with less alpha than this are invisible
---@field clearcoat? number Strength of the clear coat (a layer like varnish), 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB; black is none
---@field sheen_roughness? number Roughness of the sheen, 0 to 1
---@field transmission? number Transmission: fraction of the light that passes through, as in glass, 0 to 1
---@field thickness? number Thickness of the material that light passes through; 0 is a thin wall (metres)
---@field duration? number Duration of the fade (seconds, 0 to 600); 0.3

---Changes of one material in the option `materials` of `character`
---@class MaterialOptions
---@field color? vector Base colour, as linear RGB
---@field alpha? number Opacity, 0 to 1, of materials with alpha blending or a cut-out; 1 is opaque
---@field tint? vector Colour, as linear RGB, that multiplies the base colour, and the shade colour of a toon material; (1, 1, 1)
---@field metallic? number Metalness: 0 is no metal, 1 is metal
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt
---@field specular? number Strength of the reflection of surfaces that are not metal, 0 to 1
---@field ior? number Index of refraction, at least 1: how much light bends in the material, 1.33 in water; 1.5
---@field emissive? vector Colour of the light that the material emits, as linear RGB
---@field emissive_strength? number Factor on `emissive`
---@field normal_scale? number Strength of the normal map (relief of the surface)
---@field occlusion? number Strength of the occlusion map (darker creases), 0 to 1
---@field alpha_cutoff? number For a cut-out material: parts with less alpha than this are invisible
---@field clearcoat? number Strength of the clear coat (a layer like varnish), 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB; black is none
---@field sheen_roughness? number Roughness of the sheen, 0 to 1
---@field transmission? number Transmission: fraction of the light that passes through, as in glass, 0 to 1
---@field thickness? number Thickness of the material that light passes through; 0 is a thin wall (metres)
---@field kind? "standard"|"skin"|"eye"|"hair"|"cloth"|"toon" Kind of surface (shading model)

---Intensity and timing of a hidden feeling
---@class MicroExpressionOptions
---@field intensity? number Intensity; 1 is full (0 to 1); 0.5
---@field min_interval? number Shortest time between two micro-expressions (seconds, 0.3 to 10000); 4
---@field max_interval? number Longest time between two micro-expressions (seconds, 0.3 to 10000); 12

---Options of `hero:add_modifier`
---@class ModifyOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field before? string Name of another modifier; this one runs before it
---@field after? string Name of another modifier; this one runs after it; after the built-in modifiers

---Intensity and fade of a mood
---@class MoodOptions
---@field intensity? number Intensity; 1 is full (0 to 1); 0.6
---@field fade? number Time in which the face changes from the previous mood (seconds, 0 to 1000); 0.8

---Options of `hero:motion_warp`: `position`, `yaw` or both are required
---@class MotionWarpOptions
---@field position? vector Position in the world where the character arrives (metres); the end of the clips' motion
---@field yaw? number Direction about +Y that the character faces on arrival (degrees); the rotation of the clips
---@field duration number Time until the arrival. It is more than 0 and at most 60 (seconds)

---A door in a navigation mesh: a box that agents cannot enter while it is closed
---@class NavDoorOptions
---@field position vector Centre of the bottom (metres)
---@field size vector Size of the doorway along each axis (metres)
---@field yaw? number Rotation of the doorway about +Y (degrees); 0
---@field open? boolean True if the door is open at the start; true

---A link between two positions of a navigation mesh
---@class NavLinkOptions
---@field cost? number Cost of the link, compared with walking (metres of plain ground, 0 to 1000000); the length of the link
---@field bidirectional? boolean True allows both directions; false allows only `from` → `to`; false

---An obstacle in a navigation mesh: a box with `size`, or a cylinder with `radius`
---@class NavObstacleOptions
---@field position vector Centre of the bottom (metres)
---@field size? vector For a box: its size along each axis (metres)
---@field radius? number For a cylinder: its radius (metres, 0.01 to 1000)
---@field yaw? number For a box: rotation about +Y (degrees); 0

---Extent of a navigation mesh, and the agents that walk on it
---@class NavmeshOptions
---@field position? vector Centre of the box that the mesh covers (metres); (0, 0, 0)
---@field size? vector Size of the box that the mesh covers, along each axis. A height of 0 means 20 (metres); (40, 20, 40)
---@field agent_radius? number Distance from walls at which the mesh ends, rounded down to whole cells (metres, 0 to 100); 0.3
---@field agent_height? number Height that an agent needs above the ground (metres, 0.05 to 1000); 1.8
---@field max_step_height? number Maximum height of a step that agents can walk up (metres, 0 to 100); 0.4
---@field max_slope? number Steepest slope that agents can walk on (degrees, 0 to 89); 45
---@field cell_size? number Width of a cell of the grid from which the mesh is computed (metres, 0.02 to 100); 0.15
---@field costs? { [string]: number } Cost of walking one metre, by the name of the surface: { mud = 4 }. Agents prefer cheap paths. Other surfaces cost 1 (0.01 to 1000)
---@field name? string Name by which a hot reload finds the mesh again; none: found by the order of creation

---Goal of a user's limb
---@class ObjectIkTarget
---@field position vector Target of the hand or foot, in the slot's space (origin on the ground at the slot, +Z forward) (metres)
---@field grip? number How far the fingers close; 1 is a fist (0 to 1); 0 with `palm`, otherwise as in the clip
---@field palm? boolean True brings the palm to the target, false the wrist; false
---@field full_body? boolean True makes the body lean if the arm is too short; false

---Goals for the limbs of a user: positions in the slot's space, or tables
---@class ObjectIkTargets
---@field left_hand? vector|ObjectIkTarget Target of the left hand, in the slot's space (metres)
---@field right_hand? vector|ObjectIkTarget Target of the right hand, in the slot's space (metres)
---@field left_foot? vector|ObjectIkTarget Target of the left foot, in the slot's space (metres)
---@field right_foot? vector|ObjectIkTarget Target of the right foot, in the slot's space (metres)

---Queue of a smart object
---@class ObjectQueueOptions
---@field position? vector Position in the object's space (+X left, +Z forward) (metres); (0, 0, 0)
---@field yaw? number Direction that the agent faces, relative to the object (degrees); 0
---@field spacing? number Distance from one waiting agent to the next (metres, 0.1 to 10); 0.8

---Slot of a smart object
---@class ObjectSlotOptions
---@field position? vector Position in the object's space (+X left, +Z forward) (metres); (0, 0, 0)
---@field yaw? number Direction that the agent faces, relative to the object (degrees); 0

---Options of `hero:orientation_warp`. Fields left out keep their values
---@class OrientationWarpOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field max_angle? number Maximum angle between the hips and the direction that the character faces. Beyond it, the character walks backwards (degrees, 0 to 180); 100
---@field spine? number Fraction of the rotation of the hips by which the spine turns back (0 to 1); 1
---@field smooth_time? number Time in which the hips follow a change of direction. Longer times are smoother (seconds, 0 to 10); 0.12

---Changes to a particle kind; omitted fields keep the values of the kind
---@class ParticleOptions
---@field rate? number Number of particles emitted (per second, 0 to 100000)
---@field burst? number Number of particles that are emitted at once when the emitter starts (0 to 8192)
---@field duration? number Time after which the emission stops (seconds, 0 to 1000000); no end
---@field prewarm? number Time that is simulated before the first picture, so that the air is already full of particles (seconds, 0 to 60)
---@field max_particles? number Maximum number of particles that exist at the same time (1 to 8192); enough for `rate` and `burst`
---@field shape? "point"|"sphere"|"disc"|"box"|"surface" Volume in which particles start; "surface" is the whole skin of a character
---@field radius? number Radius of a `shape` that is a sphere or a disc (metres, 0 to 1000); 0.1, or the kind's
---@field box_size? vector Size of a `shape` that is a box (metres); (0.2, 0.2, 0.2), or the kind's
---@field offset? vector Offset from the bone, only on characters. The axes are those of the character in its rest pose (+Y up, +Z forward), and they turn with the bone (metres); (0, 0, 0)
---@field direction? vector Direction of emission. In the world it uses the world's axes. On a bone it uses the axes of the character in its rest pose, and turns with the bone; up, or the normal of a hit
---@field lifetime? number|number[] Time that a particle exists: one number, or { low, high } for a random one (seconds, 0.01 to 600)
---@field speed? number|number[] Initial speed along `direction`: one number, or { low, high } for a random one (metres per second, -1000 to 1000)
---@field spread? number Angle of the cone of emission, from `direction` to its edge. 0 is a straight jet, 180 is all directions (degrees, 0 to 180)
---@field radial_speed? number Additional initial speed away from the centre of `shape` (metres per second, -1000 to 1000)
---@field inherit_velocity? number Fraction of the velocity of the emitter's bone or skin that each particle starts with (-10 to 10)
---@field gravity_scale? number Factor on gravity. With a negative value particles rise (-100 to 100)
---@field drag? number Drag: rate at which particles slow down to the speed of the air. At 1, they lose 63 % of the difference in a second (per second, 0 to 1000)
---@field wind_scale? number Factor on the wind of `wind { … }`. Wind has no effect if `drag` is 0 (0 to 100)
---@field turbulence? number Speed of the turbulence (small whirls) in the air (metres per second, 0 to 100)
---@field turbulence_size? number Diameter of a whirl of the `turbulence` (metres, 0.01 to 1000)
---@field collision? "none"|"kill"|"bounce"|"stick" Behaviour of a particle that hits a surface: "none" passes through, "kill" ends the particle, "bounce" bounces, "stick" stays there
---@field restitution? number Restitution: fraction of the speed towards a surface that a particle keeps after it bounces (0 to 1); 0.4, or the kind's
---@field slide? number Fraction of the speed along a surface that a particle keeps after it bounces (0 to 1); 0.7, or the kind's
---@field landed_lifetime? number Time for which a particle stays on the surface where it landed, with `collision = "stick"` (seconds, 0 to 600); 10, or the kind's
---@field landed_scale? number Factor on the size of a particle that has landed, with `collision = "stick"` (0 to 100); 1, or the kind's
---@field size? number|number[] Diameter of a particle: one number, or { low, high } for a random one (metres, 0.0001 to 100)
---@field size_over_lifetime? number|number[] Factor on the size: one number, or a list of values that are spread evenly over the lifetime (0 to 1000)
---@field color? vector|vector[] Colour, as linear RGB: one vector, or a list of vectors that are spread evenly over the lifetime
---@field brightness_variation? number Random difference in brightness between particles (0 to 1)
---@field alpha? number|number[] Opacity, 1 is opaque: one number, or a list of values that are spread evenly over the lifetime (0 to 1)
---@field emissive_strength? number Factor on the colour for light that the particles emit themselves. With 0 they are only lit by other lights (0 to 1000)
---@field random_rotation? boolean True starts each particle with a random rotation
---@field angular_velocity? number|number[] Rotation speed: one number, or { low, high } for a random one (degrees per second, -36000 to 36000)
---@field stretch? number Stretches each particle along its flight. Its length is the distance that it flies in this time (seconds, 0 to 1)
---@field soft_distance? number Soft particles: distance from a surface within which a particle fades out, so that the surface does not cut it off visibly (metres, 0 to 100)
---@field gloss? number Strength of the highlight, as on a drop of water (0 to 1)
---@field translucency? number Fraction of the light that shines through a particle, as through dust. With 0 a particle is lit like a solid ball (0 to 1)
---@field texture? string Image file of the project, which replaces the texture of the kind
---@field flipbook? number[] Flipbook: number of columns and rows of images in `texture`, such as { 4, 4 } (1 to 64); { 1, 1 }
---@field flipbook_mode? "random"|"lifetime" Use of the images of `flipbook`: "random" gives each particle one of them, "lifetime" shows all of them in order over the lifetime
---@field seed? number Seed of the emitter's random numbers. The same seed gives the same particles; another one for each emitter
---@field name? string Name by which a hot reload finds the emitter again; none: found by the order of creation

---An area of another surface. Exactly one of radius and size is required
---@class PatchOptions
---@field position? vector Centre of the area; its height has no effect (metres); (0, 0, 0)
---@field radius? number Radius of a round area (metres, 0 or more)
---@field size? vector Size of a rectangular area along x and z (metres)
---@field surface? string Name of the surface, see `physics.surface`; that of the floor
---@field color? vector Colour, as linear RGB; that of the floor

---Silence in a conversation
---@class PauseStep
---@field chance? number Probability of the step (0 to 1); 1
---@field pause number Duration of the pause (seconds, 0 to 3600)

---A phoneme (a sound of speech) of a spoken line begins
---@class PhonemeEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field line number number of the line
---@field phoneme string name of the phoneme, in ARPAbet
---@field duration number duration, seconds

---Settings of the physics. An option that is left out keeps its value
---@class PhysicsOptions
---@field gravity? vector Acceleration by gravity; (0, -1.62, 0) is that of the moon (metres per second squared); (0, -9.81, 0)

---Options for playing a clip
---@class PlayOptions
---@field fade? number Time to fade in. If `fade_out` is not given, also the time to fade out (seconds, 0 to 1000000); 0.15
---@field fade_out? number Time to fade out (seconds, 0 to 1000000); `fade`
---@field speed? number Factor on the playback speed. A negative value plays backwards (-1000 to 1000); 1
---@field start_time? number Time in the clip at which playback starts (seconds); the start; with a negative `speed`, the end
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip: "once" stops, "loop" starts again, "pingpong" plays backwards and forwards; the clip's own `mode`, or "once"
---@field mask? string|string[]|{ [string]: number } Bones that the clip moves, each with all bones below it: a name, a list of names, or names with weights, { chest = 0.5 }. A `*` in a name matches any text. Parts of a humanoid are names too: "upper_body", "left_arm" and so on. With a mask, the clip does not change morph targets and curves; the whole body
---@field weight? number Blend weight (0 to 1); 1
---@field additive? boolean|"first"|"rest" Adds a difference to the current pose instead of replacing it. With true or "first" it is the difference from the clip's first frame, with "rest" the difference from the rest pose; false
---@field mirror? boolean True swaps left and right; false
---@field on_end? fun(reason: string) Called once when the playback ends. `reason` is "end", "interrupted", "stopped" or "reloaded"
---@field on? { [string]: fun(event: MarkEvent) } Functions that are called when playback passes markers (animation events) of the clip, by the name of the marker. They are removed when the playback ends
---@field mute_markers? boolean True emits no events for the clip's markers; false

---A point light
---@class PointLightOptions
---@field position? vector Position of the light. If a character carries the light, it is in the space of the bone (metres); (0, 2, 1); if carried, (0, 0, 0)
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field intensity? number Intensity: brightness of a surface that faces the light at a distance of 1 m. 4 is like the sun at noon (0 or more); 4
---@field range? number Distance beyond which the light has no effect (metres, 0 or more); 10
---@field source_radius? number Radius of the light source. Larger sources cast softer shadows (metres, 0 or more); 0.05
---@field shadows? boolean True makes the light cast shadows; true
---@field character? Character Character that carries the light
---@field bone? string Bone of `character` that carries the light

---Tone mapping, shading and colour grading. An option that is left out keeps its value
---@class PostProcessOptions
---@field tonemap? "neutral"|"agx"|"aces"|"linear" Tone map, which fits bright light into the range of the screen: "neutral" keeps the colours, "agx" lets bright colours fade to white, "aces" has the contrast of cinema, "linear" cuts bright colours off; neutral
---@field shading? "physical"|"classic" Shading: "physical" follows the materials, "classic" is the formula of the book *Character Animation with Direct3D*, for comparison; physical
---@field auto_exposure? boolean True adapts the exposure to the brightness of the picture; false
---@field adapt_speed? number Speed of `auto_exposure` (stops per second, 0 to 100); 2
---@field bloom? number Bloom (glow around bright parts): fraction of the light that the lens scatters (0 to 1); 0.04
---@field ambient_occlusion? number Ambient occlusion: strength of the darkening in corners and creases (0 to 2); 1
---@field contact_shadows? number Length of contact shadows, the small shadows where objects touch; 0 is none (metres, 0 to 1); 0.1
---@field contrast? number Contrast; 0 makes the picture grey (0 to 4); 1
---@field saturation? number Saturation of the colours; 0 makes the picture grey (0 to 4); 1
---@field temperature? number Colour temperature, from -1, cold and blue, to 1, warm and yellow (-1 to 1); 0
---@field tint? number Tint, from -1, green, to 1, magenta (-1 to 1); 0
---@field shadow_tint? vector Colour that is added to dark areas, as linear RGB; (0, 0, 0)
---@field highlight_tint? vector Colour that multiplies bright areas, as linear RGB; (1, 1, 1)
---@field vignette? number Vignette: darkening towards the corners of the picture (0 to 1); 0

---Promotion of agents near the camera to characters
---@class PromoteOptions
---@field distance number Distance from the camera within which agents become characters (metres, 0 to 1000)
---@field max_characters? number Maximum number of agents that are characters at the same time. The nearest agents come first (0 to 200); 8

---Changes to the bodies of a character's ragdoll
---@class RagdollBodiesOptions
---@field bones? { [string]: boolean|{ body: boolean?, shape: ("capsule"|"box"|"sphere")?, size: vector?, length: number?, radius: number?, mass: number?, density: number?, friction: number?, link: ("cone"|"hinge"|"fixed")?, swing: (number|number[])?, twist: (number|number[])?, range: number[]?, axis: vector?, from_rest: boolean? } } Bodies, by the names of bones or humanoid parts: false for no body, true for one, or a table of properties, which [The body](body.md) lists
---@field mass? number Total mass of the character at its current scale (kilograms, more than 0); volume times density; a human body at most 18 times its height cubed
---@field density? number Density of the bodies, except those with a `density` or `mass` of their own (kilograms per cubic metre, more than 0); 985
---@field friction? number Coefficient of friction of the bodies, except those with a `friction` of their own (0 to 10); 0.7
---@field max_bodies? number Maximum number of bodies. The total mass stays the same (1 to 256); 26

---Limbs that become rigid bodies, and their control
---@class RagdollOptions
---@field bones? string|string[] Bone with a body (see `ragdoll_bodies`), or a list of bones. The call applies to these limbs and all limbs below them; all
---@field motor_strength? number Strength of the motors that pull the limbs to the pose of the clips (0 to 1); no motors: the limbs are limp
---@field kinematic? boolean True moves the limbs exactly as the clips do. They push other bodies, but nothing moves them; false
---@field pin? number With `motor_strength`: strength with which the hips are pulled to their position in the clips (0 to 1); 1
---@field motor_frequency? number Stiffness of the motors, as the frequency of a spring at a `motor_strength` of 1. Higher values follow the clips faster (hertz, 0 to 60); 16
---@field max_torque? number Maximum torque (turning force) of a motor, for each kilogram of the limbs that hang on it (newton metres, 0 or more); 12

---A wedge prop
---@class RampOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, position of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name of the prop, by which `find_character` and a hot reload find it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number Metalness: 0 is no metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field size? vector Width (x), height (y) and length (z), each 0.001 to 10000 (metres); (1, 1, 1)

---Random key presses in a test
---@class RandomInputOptions
---@field seconds number Time for which keys are pressed and released (seconds, 0 or more)
---@field keys? string[] Names of the keys to use; all keys bound to actions and axes
---@field check? fun() Called after each tick, for expectations that must always hold

---Filter of a ray
---@class RaycastOptions
---@field exclude? Character|Character[] Character or prop to leave out, or a list of them
---@field layers? string|string[] Collision layers to include; all
---@field sensors? boolean True includes sensors; false
---@field exact? boolean True tests the visible triangles of characters and props instead of their colliders; false

---Options of `hero:reach`
---@class ReachOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field target_bone? string Bone of the target, if the target is a character; none: the origin; for `look_at`, the face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: its space, the world or the character's own space; world
---@field yaw? number With `match_rotation`: rotation relative to the target, about its y axis, applied last (degrees); 0
---@field pitch? number With `match_rotation`: rotation relative to the target, about its x axis, applied second (degrees); 0
---@field roll? number With `match_rotation`: rotation relative to the target, about its z axis, applied first (degrees); 0
---@field match_rotation? boolean True gives the hand the rotation of the target, with `yaw`, `pitch` and `roll` added; false
---@field pole? vector Direction to which the elbow or knee points, in the character's own space; as in the clip
---@field softness? number Slows the limb down before it is straight, so that it does not snap. It is the length of this zone, as a fraction of the limb's length. The hand then stops a little short of distant targets (0 to 1); 0
---@field max_angle? number Maximum angle of the upper arm or leg from the centre of its range. For a human's arm the centre is ahead and to the side, otherwise the direction in the rest pose (degrees, 0 to 180); 125 for a human's arm, else 180
---@field full_body? boolean True makes the body help an arm that is too short: it turns, leans, bends the knees and rises on the toes; false
---@field allow_steps? boolean True includes `full_body` and also walks up to 1.5 m towards a target that is still too far. It works best with `foot_ik`; false
---@field grip? number How far the fingers of the hand close on arrival; 1 is a fist (0 to 1); as in the clip
---@field palm? boolean True brings the palm of a hand with fingers to the target, false the wrist; false
---@field radius? number With `palm`: distance from the palm to the target, which is the centre of the held object (metres, 0 to 1); fitted to the hand
---@field bar? vector For a bar or handle: direction of its length, in the target's space. The hand turns until the bar lies across the palm, and closes around it
---@field name? string Name of this modifier, for `character:modifier`; the name of the limb

---Subject and brightness of a light rig
---@class RigOptions
---@field position? vector Centre of the lit subject (metres); (0, 0.95, 0), or the middle of `character`
---@field character? Character Character that is lit. It gives the defaults of `position`, `yaw` and `size`
---@field yaw? number Direction that the lit subject faces, about +Y (degrees); 0, or that of `character`
---@field size? number Height of the lit subject (metres, 0.001 to 10000); 1.8, or that of `character`
---@field intensity? number Factor on the intensity of all lights (0 to 10000); 1

---A rope
---@class RopeOptions
---@field stretch? number Elasticity: 0 does not stretch, 1 stretches like rubber (0 to 1); 0
---@field stiffness? number Stiffness against bending: 0 is like silk, 1 like felt (0 to 1); 0.2
---@field drag? number Drag: rate at which the motion slows down, per second, at most 60. At 1, it loses 63 % of its speed in a second (0 or more); 0.6
---@field friction? number Friction on bodies and on the floor; 0 is slippery (0 or more); 0.4
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Distance that the rope or cloth keeps from bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] Character to collide with, or a list of up to 16 characters
---@field colliders? ClothCollider[] List of up to 64 fixed shapes to collide with. A sphere is { position = …, radius = … }. A capsule is { from = …, to = …, radius = … }. A box is { position = …, size = …, yaw = … }
---@field floor? boolean True makes it collide with the floor; true
---@field from? vector|BoneHolder First end of the rope: a position, or a table with the character and bone, or the rigid body, that holds it (metres); (0, 2, 0)
---@field to? vector|BoneHolder Other end of the rope, like `from`. A dynamic body here hangs on the rope (metres); none: the end hangs free
---@field length? number Length of the rope, at least the distance between its ends (metres, more than 0); 1.05 times the distance between the ends, or 1
---@field radius? number Radius of the rope (metres, more than 0); 0.02
---@field links? number Number of points along the rope that are simulated. More points bend more smoothly and cost more (2 to 256); 20
---@field end_mass? number Mass of the last point, as a multiple of the others, limited to 0.1 to 100 (0 or more); 1
---@field color? vector Colour, as linear RGB; (0.3, 0.2, 0.1)
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.9
---@field name? string Name of the rope or cloth, by which a hot reload finds it again

---A spoken line is over
---@class SayEndEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field line number number of the line
---@field reason string "end" or "interrupted"
---@field spoken_time number length of the part that was spoken, seconds

---The character begins to speak a line
---@class SayEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field line number number of the line
---@field text string text of the line, without marks
---@field duration number duration, seconds

---A line as a table. The first entry may be a sound file
---@class SayLine
---@field text? string Text of the line, with marks. It gives the timing and the caption
---@field sound? string Sound file of the project with the recorded line. You may write it first, without a name: say { "line.ogg", text = … }
---@field language? string Language of the text: a name or code such as "es"; English, unless `language` sets another default
---@field caption? string|boolean Name of the speaker in the caption, or false for no caption; the character's name, if it has one
---@field if_speaking? "queue"|"interrupt"|"overlap"|"drop" Behaviour if the character is already speaking. "queue" waits for the end of the current line, "interrupt" cuts it at the end of the phrase. "overlap" speaks at the same time, "drop" does not speak the new line; "queue"
---@field delay? number Time until the line begins (seconds, 0 to 600); 0
---@field volume? number Factor on the volume, applied after `normalize` (0 to 16); 1
---@field normalize? boolean True brings all lines to the same loudness; true
---@field rate? number Speed of speech of a line without a recording; 2 is twice as fast (0.3 to 3); 1
---@field voice? string|boolean Voice of a line without a recording, such as "en-us+f3", or false for a silent line. The program espeak-ng speaks it, if it is installed; the voice in galatea.toml
---@field track? TrackRow[] Further events of the line, as a table instead of marks: { { "smile", at = "you", duration = 1 }, { gesture = "nod", at = 0.4 } }
---@field lipsync? "auto"|"live"|"amplitude" Method that moves the mouth of a recorded line. "auto" uses the timing file of the same name if there is one, otherwise the sound and the text. "live" works as with a microphone. "amplitude" opens the mouth by the loudness alone, in four steps; "auto"
---@field mouth_intensity? number Factor on the movement of the mouth; 0 keeps it still (0 to 2); 1
---@field [integer] string

---Content and delivery of a line
---@class SayOptions
---@field text? string Text of the line, with marks. It gives the timing and the caption
---@field sound? string Sound file of the project with the recorded line. You may write it first, without a name: say { "line.ogg", text = … }
---@field language? string Language of the text: a name or code such as "es"; English, unless `language` sets another default
---@field caption? string|boolean Name of the speaker in the caption, or false for no caption; the character's name, if it has one
---@field if_speaking? "queue"|"interrupt"|"overlap"|"drop" Behaviour if the character is already speaking. "queue" waits for the end of the current line, "interrupt" cuts it at the end of the phrase. "overlap" speaks at the same time, "drop" does not speak the new line; "queue"
---@field delay? number Time until the line begins (seconds, 0 to 600); 0
---@field volume? number Factor on the volume, applied after `normalize` (0 to 16); 1
---@field normalize? boolean True brings all lines to the same loudness; true
---@field rate? number Speed of speech of a line without a recording; 2 is twice as fast (0.3 to 3); 1
---@field voice? string|boolean Voice of a line without a recording, such as "en-us+f3", or false for a silent line. The program espeak-ng speaks it, if it is installed; the voice in galatea.toml
---@field track? TrackRow[] Further events of the line, as a table instead of marks: { { "smile", at = "you", duration = 1 }, { gesture = "nod", at = 0.4 } }
---@field lipsync? "auto"|"live"|"amplitude" Method that moves the mouth of a recorded line. "auto" uses the timing file of the same name if there is one, otherwise the sound and the text. "live" works as with a microphone. "amplitude" opens the mouth by the loudness alone, in four steps; "auto"
---@field mouth_intensity? number Factor on the movement of the mouth; 0 keeps it still (0 to 2); 1

---The area and the fading of a scent field
---@class ScentFieldOptions
---@field position? vector Centre of the field (metres); (0, 0, 0)
---@field size? vector Size of the field along x and z (metres); (40, 0, 40)
---@field cell_size? number Width of a cell of the grid (metres, 0.05 to 10); 0.25
---@field half_life? number Time in which half of the scent disappears (seconds, 0.01 to 1000000); 30
---@field diffusion? number Fraction of the scent in each cell that moves to the neighbouring cells (per second, 0 to 1); 0.05
---@field name? string Name by which a hot reload finds the field again; none: found by the order of creation

---Options for jumping to another time
---@class SeekOptions
---@field emit_markers? boolean True emits the events of the markers in between, as if the clip had played through them; false

---Lifetime of a sent event
---@class SendOptions
---@field timeout? number Time for which the event waits for a transition; with 0 it is valid in the next tick only (seconds, 0 or more); 0

---Shape and filter of a query
---@class ShapeQueryOptions
---@field exclude? Character|Character[] Character or prop to leave out, or a list of them
---@field layers? string|string[] Collision layers to include; all
---@field sensors? boolean True includes sensors; false
---@field shape? "sphere"|"box"|"capsule" Shape of the query; sphere
---@field radius? number For a sphere or a capsule: radius (metres); 0.25
---@field height? number For a capsule: height from end to end (metres); 1
---@field size? vector For a box: lengths of its edges (metres); (1, 1, 1)
---@field yaw? number Rotation of the shape about +Y (degrees); 0

---Timing, intensity and side of an expression
---@class ShowOptions
---@field intensity? number Intensity; 1 is full (0 to 1); 1, with `micro` 0.5
---@field fade_in? number Time in which the expression appears (seconds, 0 to 10000); 0.3, with `micro` 0.06
---@field hold_time? number|boolean Time at full intensity. With true, the expression stays until you stop it (seconds, 0 to 10000); 1.2, with `micro` 0.06
---@field fade_out? number Time in which the expression disappears (seconds, 0 to 10000); 0.5, with `micro` 0.08
---@field side? "left"|"right"|number Side of the face: "left", "right", or a number between -1, left, and 1, right (-1 to 1); both
---@field micro? boolean True makes a micro-expression: an expression of half intensity that lasts only 0.2 s; false
---@field layer? "mood"|"script" Layer of the face: "mood" is mixed with speech and blinks, "script" overrides everything else; "mood"

---Options of `hero:sit`
---@class SitOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off. It fades out over the last fifth (metres, 0 or more); no limit
---@field target_bone? string Bone of the target, if the target is a character; none: the origin; for `look_at`, the face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: its space, the world or the character's own space; world
---@field lean? number Angle by which the upper body leans forward while the character sits down (degrees, 0 to 80); 35

---Colours of the sky. An option that is left out keeps its value
---@class SkyOptions
---@field zenith? vector Colour straight above, as linear RGB
---@field horizon? vector Colour at the horizon, as linear RGB
---@field ground? vector Colour of the light from below, as linear RGB
---@field seamless? boolean True gives a floor without a horizon, which blends into the background like the paper of a photo studio. The rigs of a studio set it

---Options of a smart object: position, slots, and actions of the users
---@class SmartObjectOptions
---@field position? vector Position of the object (metres); (0, 0, 0)
---@field yaw? number Direction of the object, about +Y. At 0 it faces +Z, at 90 it faces +X (degrees); 0
---@field slots? (vector|ObjectSlotOptions)[] Slots: the positions where agents stand while they use the object, one agent each, 1 to 64. A slot is a vector in the object's space (+X left, +Z forward). Use { position = …, yaw = … } to set the direction of the agent, too; one slot at the object
---@field clip? string|string[] Clip that agents play while they use the object. From a list, the next clip is chosen at random after each one
---@field intro? string Clip that is played once before `clip`
---@field outro? string Clip that is played once after `clip`
---@field ik_targets? ObjectIkTargets Positions for the hands and feet, such as { right_hand = vector.create(-0.2, 1.1, 0.45) }. They only affect agents that are characters at the moment (see the option `promote_distance` of `crowd`)
---@field once? boolean True ends the use when `clip` ends; false
---@field duration? number|number[] Time for which an agent uses the object: one number, or { low, high } for a random one (seconds, 0 to 1000000); no end; `people:stop_using` ends it
---@field attract_radius? number Distance within which the object attracts agents (metres, 0 to 1000); 4
---@field attract_chance? number Probability that the object attracts one of the agents within `attract_radius` (per second, 0 to 1); 0
---@field queue? vector|ObjectQueueOptions Position of the first waiting agent, in the object's space, or { position = …, yaw = …, spacing = 0.8 }. The queue extends backwards from there, and waiting agents face along `yaw`; no queue
---@field push_speed? number Speed at which the object pushes away agents near its centre; farther away it is lower. A negative value pulls agents to the object (metres per second, -100 to 100); 0
---@field push_radius? number Distance from the object at which `push_speed` has no more effect (metres, 0.01 to 1000); 2
---@field on_enter? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent begins to use the object
---@field on_update? fun(object: SmartObject, crowd: Crowd, agent: number, dt: number) Called for each user every `update_interval` seconds. `dt` is the time since the last call, in seconds
---@field update_interval? number Time between two calls of `on_update` (seconds, 0.001 to 1000); 0.25
---@field on_exit? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent has finished using the object
---@field name? string Name by which a hot reload finds the object again; none: found by the order of creation

---Options for playing a sound
---@class SoundOptions
---@field position? vector Position of the sound in the world. Without it, the sound plays as recorded, not in 3D (metres)
---@field volume? number Factor on the volume; 1 is as recorded (0 to 16); 1
---@field pitch? number Factor on speed and pitch; 2 is an octave higher (0.0625 to 16); 1
---@field loop? boolean True repeats the sound until you stop it or the script is reloaded; false
---@field duck? number Factor on the volume while a character speaks, such as 0.35 for music under dialogue (0 to 1); 1
---@field delay? number Time until the sound starts (seconds, 0 to 600); 0

---A sphere prop
---@class SphereOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, position of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name of the prop, by which `find_character` and a hot reload find it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number Metalness: 0 is no metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.5

---A spot light
---@class SpotLightOptions
---@field position? vector Position of the light. If a character carries the light, it is in the space of the bone (metres); (0, 2, 1); if carried, (0, 0, 0)
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field intensity? number Intensity: brightness of a surface that faces the light at a distance of 1 m. 4 is like the sun at noon (0 or more); 4
---@field range? number Distance beyond which the light has no effect (metres, 0 or more); 10
---@field source_radius? number Radius of the light source. Larger sources cast softer shadows (metres, 0 or more); 0.05
---@field shadows? boolean True makes the light cast shadows; true
---@field character? Character Character that carries the light
---@field bone? string Bone of `character` that carries the light
---@field target? vector Position to which the light points (metres)
---@field direction? vector Direction of the light, if there is no `target`. If a character carries the light, it is in the space of the bone; (0, -1, 0)
---@field outer_angle? number Angle from the middle of the cone to its edge, where the light ends (degrees, 1 to 85); 35
---@field inner_angle? number Angle from the middle of the cone at which the light begins to fade (degrees); two thirds of `outer_angle`

---Spring bones
---@class SpringOptions
---@field stiffness? number Strength of the force back to the pose; 4 is strong (0 or more); 1
---@field drag? number Fraction of the speed that is lost in each 1/60 s (0 to 1); 0.4
---@field gravity? number Strength of gravity, in the same unit as `stiffness`; 0
---@field radius? number Radius of the ball at the end of each bone that collides (metres, 0 or more); 0.02
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 0.2
---@field max_angle? number Largest angle between a bone and its pose, at most 180 (degrees, 0 or more); 120
---@field center? string Bone whose motion does not make the springs swing; none
---@field collide? boolean True makes the ends of the bones collide with the character's own body (see `ragdoll_bodies`); false
---@field weight? number Blend weight (0 to 1); 1

---A stairs prop
---@class StairsOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, position of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name of the prop, by which `find_character` and a hot reload find it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number Metalness: 0 is no metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field steps? number Number of steps (1 to 256); 8
---@field width? number Width of the stairs (metres, 0.001 to 10000); 2
---@field step_height? number Height of a step (metres, 0.001 to 10000); 0.17
---@field step_depth? number Depth of a step (metres, 0.001 to 10000); 0.29

---The machine entered a state (`state_enter`), left a state (`state_exit`), or the clip of a state has ended (`state_end`)
---@class StateEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field from? string for `state_enter`: previous state
---@field to? string for `state_exit`: next state

---A foot touches the ground. Foot IK emits this event, or a marker named `step` of a clip
---@class StepEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field clip? string for a marker: name of the clip
---@field foot? string name of the foot, such as "left" or "front_left"
---@field position vector world position, metres
---@field normal? vector unit vector away from the ground
---@field speed? number speed of the foot when it touches the ground, metres per second
---@field weight number blend weight, 0 to 1
---@field surface string name of the surface (see `physics.surface`), or ""
---@field next_position? vector predicted position of the next step of this foot, metres
---@field time_to_next? number predicted time until the next step of this foot, seconds
---@field source string "foot_ik", or for a marker "machine", "play" or "idle"
---@field [string] any further fields, which the file or the script has added

---A prop with `stick_on_hit`, such as an arrow, has stuck in a surface
---@class StickEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field other? Character the other character or prop
---@field bone? string bone of the other character in which the prop sticks
---@field position vector world position, metres
---@field speed number impact speed, metres per second

---Direction and intensity of the sun. An option that is left out keeps its value
---@class SunOptions
---@field yaw? number Direction from which the sun shines, about +Y. At 0 it shines from +Z (degrees)
---@field pitch? number Height of the sun above the horizon, as an angle (degrees, 0 to 90)
---@field color? vector Colour, as linear RGB
---@field intensity? number Intensity: factor on the colour. Noon is about 3.4 (0 or more)
---@field source_angle? number Apparent size of the sun. Larger values give softer shadows; 2 is like thin haze (degrees, 0 to 20)

---Properties of a surface. An option that is left out keeps its value
---@class SurfaceOptions
---@field friction? number Coefficient of friction between two of these surfaces. Between different surfaces it is the geometric mean of both values (0 or more)
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed. Between different surfaces, the greater value counts (0 to 1)
---@field sound? string Name that events report for the sound of the surface; the name of the surface

---A height field (terrain)
---@class TerrainOptions
---@field mass? number Mass. It makes the body dynamic: the body falls and can be pushed (kilograms, more than 0); volume times density
---@field density? number Density, instead of a `mass`. It also makes the body dynamic (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic" moves only when a script sets its position, and pushes other bodies, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It gives the friction, and events report it; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer, which decides what the body collides with, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes a sensor: it emits the events `touch` and `touch_end`, but stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: rate at which the body slows down, per second. At 1, it loses about 63 % of its speed in a second (0 or more); 0
---@field angular_damping? number Angular damping: rate at which the rotation slows down, per second (0 or more); 0.1
---@field bullet? boolean True tests for collisions along the whole path of each tick, so that a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True makes the body stick in the first body that its tip hits, as an arrow does, and emit the event `stick`. Capsules of controllers do not stop it; it hits the character inside; false
---@field lock_rotation? boolean True prevents rotation by physics; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, position of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about the y axis, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name of the prop, by which `find_character` and a hot reload find it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number Metalness: 0 is no metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field size? vector Size along x and z in metres; y is a factor on the heights. Each is 0.001 to 10000; (10, 1, 10)
---@field heights? fun(x: number, z: number): number|number[][]|buffer|string Heights of the points, 4 to 262144 of them. Either a function of x and z, in metres from the centre; or a list of rows along z, each with heights along x; or a buffer of 32-bit floats, row by row; or the path of an image, whose red channel gives heights from 0 to 1 (also with 16 bits); flat
---@field columns? number Number of points along x (2 to 262144); that of the list or image; for a function 65; without heights 2
---@field rows? number Number of points along z (2 to 262144); that of the list or image; for a function 65; without heights 2
---@field surfaces? fun(x: number, z: number): string?|string[][] Surface of each cell, the area between four points. Either a function of x and z, at the centre of a cell, which returns a name, or nil for the option `surface`; or a list of rows of names
---@field colors? { [string]: vector } Colours (linear RGB), by the name of the surface. They blend between cells; that of each surface

---Another collider begins to touch the collider of the character or prop (`touch`), or no longer touches it (`touch_end`)
---@class TouchEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field other? Character the other character or prop
---@field sensor boolean true if one of the two is a sensor
---@field position vector world position, metres
---@field normal vector direction away from the surface at `position`, with length 1
---@field speed number impact speed, metres per second
---@field impulse number impulse, newton seconds
---@field surface string name of the surface (see `physics.surface`), or ""

---An event of a line. The first entry may be the expression, instead of the field `expression`
---@class TrackRow
---@field at? number|string Time of the event: seconds from the start of the line, or a word of the text; 0
---@field expression? string Name of an expression. You may write it first, without a name: { "smile", at = 0.4 }
---@field look? string Target of the gaze: the name of a character, "camera" or "away"
---@field gesture? string Gesture: the name of a clip, or the head movement "beat", "nod", "shake" or "tilt". Its stroke (main moment) falls on the stressed syllable of the word, or on the given second
---@field mood? string Mood from this time on, see `face:mood`
---@field blink? boolean True makes the character blink; false
---@field event? string Name of an event `cue` for the script
---@field fields? { [string]: string|number|boolean } Fields of the event `cue`
---@field allow_interrupt? boolean True allows other lines to interrupt the line at this time; false
---@field duration? number Duration of the expression, look or gesture (seconds, 0 to 600)
---@field intensity? number Intensity of the expression or gesture; 1 is full (0 to 1)
---@field chance? number Probability that the event happens (0 to 1); 1
---@field delay? number Shift in time. With a negative value the event is earlier (seconds, -60 to 60); 0
---@field [integer] string

---Conditions and fade of a transition. All given conditions must be true
---@class TransitionOptions
---@field from? string|string[] State that the transition leaves, or a list of states. "*" is any state except the target; with `on` it includes the target. A transition from a state to itself restarts the state; "*"
---@field when? string|fun(params: { [string]: number|boolean }): boolean? Condition: a text such as "speed > 0.1", or a function of the parameters that changes nothing
---@field on? string Name of an event of `machine:send` that must have been sent
---@field at_end? boolean True waits for the end of the state's clip, if the clip plays once; false
---@field min_time? number Minimum time for which the state must have been active (seconds, 0 or more); 0
---@field exit_time? number Fraction of the clip that playback must pass (0 to 1)
---@field marker? string|{ [number | string]: string|number|boolean } Marker of the clip that playback must pass: its name, or { name, foot = "left" }
---@field priority? number Priority. Transitions with a higher priority are evaluated first; 0
---@field interrupt? "always"|"higher"|"never" Which transitions may interrupt the fade of this one: all ("always"), those with a higher priority ("higher"), or none ("never"); "always"
---@field allow_travel? boolean True allows `machine:travel` to use the transition; true
---@field play_outro? boolean True plays the `outro` of the old state first; true
---@field fade? number|MachinePiece Length of the cross-fade in seconds, or inertial(seconds); 0.2
---@field ease? "linear"|"smooth"|"smoother"|"in"|"out"|"in_out"|"cosine"|"step" How the cross-fade begins and ends (easing curve); "smooth"
---@field start? number|"start"|"phase"|{ fraction: number }|{ marker: string, index: number?, [string]: string|number|boolean } Position at which the clip of the new state starts: seconds, "start", or "phase" (the same fraction as the old clip). A table gives a fraction, { fraction = 0.5 }, or a marker, { marker = "step", foot = "left", index = 1 }; in step with the old clip if both have steps, otherwise "start"

---A layer of a machine
---@class TravelOptions
---@field layer? string Name of the layer; the first one

---Options of turning on the spot
---@class TurnInPlaceOptions
---@field left_clip? string Clip that turns to the left, or a state of the machine with a single clip; a clip with such a name, otherwise steps of `foot_ik`
---@field right_clip? string Clip that turns to the right, or a state of the machine with a single clip. If only one side has a clip, it is mirrored for the other; a clip with such a name, otherwise steps of `foot_ik`
---@field turn_rate? number Maximum turning speed, if no clip is used (degrees per second, 1 to 7200); 110
---@field turn_acceleration? number Acceleration of the turn, if no clip is used (degrees per second squared, 1 to 7200); 300

---Progress bar on the screen
---@class UiBarOptions
---@field position? vector Offset from the anchor, or from the position in the world, in points: x to the right, y down; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured, to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world, which makes the element a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of `character` that the element follows; without it, the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size is the same at all distances (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera beyond which the element is invisible. It begins to fade at two thirds of it (metres, 0.01 or more)
---@field width? number Width of the bar (points, 0 to 10000); 200
---@field height? number Height of the bar (points, 0 to 10000); 16
---@field corner_radius? number Radius of the rounded corners (points, 0 to 100); half of `height`
---@field background? vector Colour of the empty part, as linear RGB; (0.02, 0.02, 0.03)

---Rectangle on the screen
---@class UiBoxOptions
---@field position? vector Offset from the anchor, or from the position in the world, in points: x to the right, y down; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured, to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world, which makes the element a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of `character` that the element follows; without it, the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size is the same at all distances (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera beyond which the element is invisible. It begins to fade at two thirds of it (metres, 0.01 or more)
---@field width? number Width of the rectangle (points, 0 to 10000); 200
---@field height? number Height of the rectangle (points, 0 to 10000); 100
---@field corner_radius? number Radius of the rounded corners (points, 0 to 100); 0
---@field border? vector Colour of the border, as linear RGB. Without it there is no border

---Image on the screen. If only one of width and height is given, the other follows from the image's aspect ratio
---@class UiImageOptions
---@field position? vector Offset from the anchor, or from the position in the world, in points: x to the right, y down; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured, to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world, which makes the element a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of `character` that the element follows; without it, the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size is the same at all distances (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera beyond which the element is invisible. It begins to fade at two thirds of it (metres, 0.01 or more)
---@field width? number Width of the image (points, 0 to 10000)
---@field height? number Height of the image (points, 0 to 10000)

---Text on the screen
---@class UiTextOptions
---@field position? vector Offset from the anchor, or from the position in the world, in points: x to the right, y down; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured, to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world, which makes the element a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of `character` that the element follows; without it, the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size is the same at all distances (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera beyond which the element is invisible. It begins to fade at two thirds of it (metres, 0.01 or more)
---@field size? number Height of the letters (font size) (points, 4 to 300); 24
---@field width? number Width at which lines wrap. Without it, lines end only at line breaks in the text (points, 1 or more)
---@field align? "left"|"center"|"right" Alignment of lines that are shorter than the widest; that of `anchor`
---@field outline? number Width of the black outline around the letters (points, 0 to 8); 0
---@field shadow? boolean True draws a black shadow below the letters; false
---@field background? vector Colour of a box behind the text, as linear RGB

---The character uses an interaction of a prop (`use`). The prop gets `used`, with the character as `other`
---@class UseEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field other? Character the other character or prop
---@field interaction string name of the interaction
---@field phase string part of the use that begins: "reach", "hold", "release" or "end"

---Options of `task:use`
---@class UseOptions
---@field hold_time? number|fun(): any Time in seconds for which the hand holds on, or a function that is called in every tick and returns true to let go; the time between the markers of the clip, otherwise that of the interaction
---@field speed? number Walking speed on the way to the interaction (metres per second, 0.01 or more); 1.4
---@field walk? boolean True makes the character walk to the interaction; false makes it reach from where it is; true

---Options of `task:wait`
---@class WaitOptions
---@field timeout? number Maximum time to wait. After it the task continues (seconds); no limit
---@field character? Character Character whose event the task waits for; the task's own character

---Options of `task:wait_until`, and of `task:wait` among others
---@class WaitUntilOptions
---@field timeout? number Maximum time to wait. After it the task continues (seconds); no limit

---Options of `task:walk_to`
---@class WalkToOptions
---@field target_bone? string Bone of the target, if the target is a character; none: the origin; for `look_at`, the face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: its space, the world or the character's own space; world
---@field speed? number Walking speed (metres per second, 0.01 or more); 1.4
---@field stop_distance? number Distance from the target at which the character stops (metres, 0.005 or more); 0.12
---@field yaw? number Direction about +Y to which the character turns on arrival (degrees); no turn
---@field stuck_timeout? number Time without progress after which the character gives up and `walk_to` returns false (seconds, 0.1 or more); 1.5

---A `motion_warp` of the character is over
---@class WarpEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field reason string "arrived", "missed" (no state with root motion played at the end) or "replaced"

---Wind on the stage
---@class WindOptions
---@field direction? vector Direction in which the wind blows; unchanged; at the start +X
---@field speed? number Speed of the wind, at most 100: 2 is a breeze, 8 lifts a cape (metres per second, 0 or more); 4
---@field gusts? number Strength of the gusts, as a fraction of `speed`, at most 4. With 0 the wind is steady (0 or more); 0.5
---@field gust_size? number Distance from one gust to the next, limited to 0.1 to 1000 (metres, 0 or more); 4

---A word of a spoken line begins
---@class WordEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of states and of their clips: name of the state
---@field layer? string layer of that state
---@field line number number of the line
---@field word string the word
---@field index number number of the word, from 1
---@field duration number duration, seconds

---Starts a task without a character. A task is a function that can wait between its steps. It works as with `hero:task`, but it continues when characters are removed.
---@param run fun(task: Task): any
---@return Task
function task(run) end

---Emits particles at a position. `where` is a vector, or a table with a `position`, such as a hit of `physics.raycast` or an event. An emitter with only a `burst` removes itself when its particles are gone. There can be 256 emitters and 16384 particles at a time. `kind` is "dust", "smoke", "breath", "blood", "drips", "splash", "sparks", "embers", "motes", "chips", "snow", or "plain", which is a base for your own effects. The options override those of the kind. If the table below gives no default, the default depends on the kind.
---@param kind string
---@param where vector|{ position: vector }|{ at: vector }
---@param options? ParticleOptions
---@return Particles
function particles(kind, where, options) end

---Creates a crowd. Its members are called agents; each has its own position, speed, size and rhythm of steps. Agents walk to the positions that you send them to, and avoid each other, characters and walls. They share models and poses, so thousands of agents cost little. There can be 64 crowds with 20000 agents in all.
---@param options CrowdOptions
---@return Crowd
function crowd(options) end

---Adds an object that defines how agents of crowds use it, such as a bench or a counter. Agents come at random if the object has an `attract_chance`, or when `people:use` sends them. An agent takes a free slot or waits in the queue, plays the clips, and then continues as before. If the object moves, agents on its slots move with it. The object is invisible: put a model at the same position.
---@param options SmartObjectOptions
---@return SmartObject
function smart_object(options) end

---Creates a flock of birds or fish. Its members keep apart from near neighbours, move in the same direction as them and stay close to them. They also keep above the ground, avoid obstacles and return to their home, the area where they started. There can be 64 flocks with 20000 members in all.
---@param options FlockOptions
---@return Flock
function flock(options) end

---Measures crowds in an area, from this call on. It counts agents that cross lines, measures the density (agents per square metre), finds bottlenecks, and reports when the area is empty. It also works without a picture, in `galatea test` and `galatea record --no-pictures`.
---@param options CrowdStatsOptions
---@return CrowdStats
function crowd_stats(options) end

---Creates a grid of scent on the ground, like the scent trails of ants. The scent fades with time. In states with `leave_scent`, agents of crowds leave scent where they walk. In states with `follow_scent`, they turn towards the stronger scent.
---@param options ScentFieldOptions
---@return ScentField
function scent_field(options) end

---Creates a navigation mesh: a map of the ground on which agents can walk. It covers the floor, static bodies, levels and terrain. Agents can walk up steps and slopes; the inside of closed bodies is not walkable. The mesh is baked (computed) in the next tick. A crowd uses it with `crowd { navmesh = … }`. For other characters, `find_path` returns paths. There can be 16 meshes.
---@param options NavmeshOptions
---@return Navmesh
function navmesh(options) end

---Adds a character or a prop from a model file. Give options as a second argument: `character("a.glb", { position = … })`. You may also write them after the file: `character "a.glb" { position = … }`. In this short form, the options `name`, `clips`, `skinning`, `skinning_mode` and `forward_axis` are not allowed, because they change how the model is loaded. If a file is first used while the scene runs, it is loaded then, and the picture freezes until it is ready. To load it at the start, name the file in the main part of the script, outside of functions.
---@param file string
---@param options? CharacterOptions
---@return Character
function character(file, options) end

---Returns all characters and props in the scene, the oldest first. Agents of crowds are included while they are characters.
---@return Character[]
function characters() end

---Returns the character or prop with this name, or nil. You give a name as an option: `character("a.glb", { name = "guard" })`.
---@param name string
---@return Character?
function find_character(name) end

---Creates a vector, like `vector.create(x, y, z)`. The default of each component is 0. A vector cannot be changed. Assign a new one, `hero.position = vec(1, 0, 2)`, or add to it, `hero.position += vec(0, 1, 0)`.
---@param x? number
---@param y? number
---@param z? number
---@return vector
function vec(x, y, z) end

---Returns a table that keeps its values when you save the script and it is reloaded (hot reload). Fields of `defaults` that the table does not have yet are added to it.
---@param name string
---@param defaults? { [string]: any }
---@return { [string]: any }
function keep_on_reload(name, defaults) end

---Returns the time since the start of the game, in seconds. Inside a listener it is the time of the event.
---@return number
function now() end

---Returns a random number between `low` (default 0) and `high` (default 1). The sequence of numbers is the same in every run.
---@param low? number
---@param high? number
---@return number
function random_range(low, high) end

---Prints any number of values in one line of the terminal, with tabs between them.
function print(...) end

---Shows or hides the bones of all characters. The default of `visible` is true.
---@param visible? boolean
function show_bones(visible) end

---Draws characters with a debug view instead of their materials. Without a name, the materials are drawn again. The names are "skeleton", "weights", "wireframe", "normals", "tangents", "uv", "overdraw", "bounds", "bodies", "light", "morphs", "unlit", "roughness", "metallic", "occlusion", "depth" and "springs". [Debug views](views.md) describes each.
---@param name? "skeleton"|"weights"|"wireframe"|"normals"|"tangents"|"uv"|"overdraw"|"bounds"|"bodies"|"light"|"morphs"|"unlit"|"roughness"|"metallic"|"occlusion"|"depth"|"springs"
---@param options? DebugViewOptions
function debug_view(name, options) end

---Sets the wind for the whole scene. It moves springs, ropes, cloth, hair and particles. Without a call there is no wind. The random gusts are the same in every run.
---@param options WindOptions
function wind(options) end

---Creates a rope. It is a character of its own with the material "rope". Lights and props can be attached to its bones `link_0`, `link_1` and so on, and `end`. If one end is a rigid body, the body hangs on the rope. If both ends are, they pull at each other.
---@param options RopeOptions
---@return Character
function rope(options) end

---Creates a sheet of cloth. It is a character of its own with the material "cloth". It consists of particles (simulated points), each with a bone named `c0_r0` for column 0, row 0. Pins hold some particles. If a pin has no character, it moves with the cloth itself. There can be 64 ropes and pieces of cloth with 8192 particles in all.
---@param options ClothOptions
---@return Character
function cloth(options) end

---A character or a prop in the scene, created by `character`. Without a state machine it plays its clip "idle", if it has one.
---@class Character
---@field name string Name from the options of `character`. Without one, it is the name of the file and a number.
---@field position vector Position in the world, metres. It is at most 100 km from the origin along each axis.
---@field yaw number Rotation about +Y, degrees. At 0 the character looks along +Z, at 90 along +X.
---@field rotation vector Rotation in the world, degrees: x is the pitch, y the yaw, z the roll. Roll is applied first, then pitch, then yaw. For characters that stand upright, `yaw` is enough. While the character is attached to a bone, setting the rotation has no effect.
---@field visible boolean False hides the character with everything attached to it, its hair and its shadow. It still moves, collides and emits events.
---@field scale number Scale of the character, from 0.001 to 1000.
---@field velocity vector Velocity, metres per second. You can set it for characters with a controller and for dynamic bodies. For others it is read-only.
---@field angular_velocity vector Angular velocity about the world axes, degrees per second. You can set it for dynamic bodies. For others it is read-only.
---@field is_sleeping boolean True while the rigid body rests and is not simulated. A touch wakes it.
---@field is_grounded boolean True while the character's controller is on ground that is not too steep to walk on.
---@field is_sliding boolean True while the character's controller slides down ground that is too steep.
---@field is_crushed boolean True while the character's controller has no room, for example between a lift and a ceiling.
---@field crouching boolean True while the controller's capsule has the crouching height. Set it to true to crouch. Set it to false to stand up; the character does so as soon as there is room.
---@field speed number Speed of the character's controller over the ground, metres per second. It is 0 without a controller and while `is_down` is true.
---@field is_down boolean True while the character is falling or lying on the ground.
---@field posture string Orientation of the trunk: "upright", "face_up", "face_down" or "side". It is also "upright" while the character sits, or is slumped with the head above the hips.
---@field health number Health, from 0 to 1. A hit that takes the last health kills the character. With less health, weaker hits make it fall. A character that gets up from death has at least 0.01.
---@field balance number Stability against hits; 1 is normal. At 0.5, half the impulse makes the character fall.
---@field is_dead boolean True while the character is dead: from `kill`, or the hit that took its last health, until it gets up again.
---@field variant string? Variant of the materials, one of `character:variants()`. Nil means the default materials.
---@field walk_sign number -1 while the character walks backwards with `orientation_warp`, otherwise 1. Multiply the playback speed of the walking clip by it.
---@field face Face Face of the character, for expressions and moods.
---@field decal_count number Number of decals on the character.
---@field is_speaking boolean True while the character speaks.
---@field required_turn number? Angle about +Y, degrees, by which the character must turn to face the target of `look_at`. It is nil if the head can reach the target. `hero:look_at(target, { turn_in_place = true })` and `task:turn_to` turn the character.
---@field is_warping boolean True while a `motion_warp` is active.
---@field root_motion { translation: vector, yaw: number } Root motion (the movement that is part of the clips) in the last tick: `translation` in metres in the world, `yaw` in degrees about +Y. A `motion_warp` is included.
---@field apply_root_motion boolean True if root motion (the movement that is part of the clips) moves the character. The default is true. With false, a script can read `root_motion` and move the character itself.
---@field machine Machine|MachineDefinition State machine of the character. Set it to the result of `machine { … }`. Unknown clips, bones, states and parameters are reported at once. When you set another machine, the states of the previous one are left: the event `state_exit` has no `to`, and open intervals end with `interrupted`.
---@overload fun(options: table): Character
local Character = {}

---Plays a clip on top of the state machine, by default once. Returns a `Play`, with which you can change and stop the playback.
---@param clip string
---@param options? PlayOptions
---@return Play
function Character:play(clip, options) end

---Returns true while this clip plays, started by `hero:play`. Without a name, any clip started by `hero:play` counts. A clip that is fading out does not count. For clips of the state machine, see `hero.machine:state()`.
---@param clip? string
---@return boolean
function Character:is_playing(clip) end

---Stops this clip wherever `hero:play` started it; without a name, stops all clips started by `hero:play`. They fade out within `fade` seconds, by default the fade-out time of each. Returns the number of stopped plays. The state machine continues.
---@param clip? string
---@param fade? number
---@return number
function Character:stop(clip, fade) end

---Adds a marker to a clip at `seconds`, also while the clip plays. Each time playback passes the marker, it emits the event `event` exactly once. `fields` are added to the table of the event: - `foot = "left"` or `bone = "hand"` sets the position of the event; - `duration`, in seconds, makes the marker an interval with an event at its beginning and one at its end. A character can have 1024 markers.
---@param clip string
---@param seconds number
---@param event string
---@param fields? { [string]: number|string|boolean }
---@return Marker
function Character:add_marker(clip, seconds, event, fields) end

---Calls the function `listener` for each event with this name. `event` is the name of a marker, of another event of characters, or `*` for all events. The listener gets a table with the fields of the event; [Events](events.md) lists and explains them. Options may come before the listener: `hero:on("step", { all_clips = true }, function(e) … end)`. - All events have `name`, `time` and `character`. Events of states (`state_enter`, `state_exit`, `state_end`) have `state`, `layer`, and `from` or `to`. - Markers have their own fields and `clip`, `weight`, `position`, `surface`, `source`, `marker_phase`, `interrupted`, `is_reversed` and `tick_fraction`. - When clips blend, only the clip with the highest weight emits its markers. A hot reload ends intervals that no longer exist, with `interrupted`. - Events are delivered at the end of the tick, in order of time. At the same time the order is: interrupted plays and intervals, left states, entered states, markers and other events, clips and warps that reached their end.
---@overload fun(self: Character, event: "state_enter"|"state_exit"|"state_end", listener: fun(event: StateEvent)): Listener
---@overload fun(self: Character, event: "state_enter"|"state_exit"|"state_end", options: ListenerOptions, listener: fun(event: StateEvent)): Listener
---@overload fun(self: Character, event: "warp_end", listener: fun(event: WarpEvent)): Listener
---@overload fun(self: Character, event: "warp_end", options: ListenerOptions, listener: fun(event: WarpEvent)): Listener
---@overload fun(self: Character, event: "touch"|"touch_end", listener: fun(event: TouchEvent)): Listener
---@overload fun(self: Character, event: "touch"|"touch_end", options: ListenerOptions, listener: fun(event: TouchEvent)): Listener
---@overload fun(self: Character, event: "stick", listener: fun(event: StickEvent)): Listener
---@overload fun(self: Character, event: "stick", options: ListenerOptions, listener: fun(event: StickEvent)): Listener
---@overload fun(self: Character, event: "hit", listener: fun(event: HitEvent)): Listener
---@overload fun(self: Character, event: "hit", options: ListenerOptions, listener: fun(event: HitEvent)): Listener
---@overload fun(self: Character, event: "knock_down"|"settle"|"get_up"|"get_up_end"|"die", listener: fun(event: FallEvent)): Listener
---@overload fun(self: Character, event: "knock_down"|"settle"|"get_up"|"get_up_end"|"die", options: ListenerOptions, listener: fun(event: FallEvent)): Listener
---@overload fun(self: Character, event: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", listener: fun(event: ControllerEvent)): Listener
---@overload fun(self: Character, event: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", options: ListenerOptions, listener: fun(event: ControllerEvent)): Listener
---@overload fun(self: Character, event: "step", listener: fun(event: StepEvent)): Listener
---@overload fun(self: Character, event: "step", options: ListenerOptions, listener: fun(event: StepEvent)): Listener
---@overload fun(self: Character, event: "use"|"used", listener: fun(event: UseEvent)): Listener
---@overload fun(self: Character, event: "use"|"used", options: ListenerOptions, listener: fun(event: UseEvent)): Listener
---@overload fun(self: Character, event: "say", listener: fun(event: SayEvent)): Listener
---@overload fun(self: Character, event: "say", options: ListenerOptions, listener: fun(event: SayEvent)): Listener
---@overload fun(self: Character, event: "word", listener: fun(event: WordEvent)): Listener
---@overload fun(self: Character, event: "word", options: ListenerOptions, listener: fun(event: WordEvent)): Listener
---@overload fun(self: Character, event: "phoneme", listener: fun(event: PhonemeEvent)): Listener
---@overload fun(self: Character, event: "phoneme", options: ListenerOptions, listener: fun(event: PhonemeEvent)): Listener
---@overload fun(self: Character, event: "cue", listener: fun(event: CueEvent)): Listener
---@overload fun(self: Character, event: "cue", options: ListenerOptions, listener: fun(event: CueEvent)): Listener
---@overload fun(self: Character, event: "say_end", listener: fun(event: SayEndEvent)): Listener
---@overload fun(self: Character, event: "say_end", options: ListenerOptions, listener: fun(event: SayEndEvent)): Listener
---@overload fun(self: Character, event: "*", listener: fun(event: AnyEvent)): Listener
---@overload fun(self: Character, event: "*", options: ListenerOptions, listener: fun(event: AnyEvent)): Listener
---@overload fun(self: Character, event: string, listener: fun(event: MarkEvent)): Listener
---@overload fun(self: Character, event: string, options: ListenerOptions, listener: fun(event: MarkEvent)): Listener
---@param event string
---@param listener_or_options fun(event: MarkEvent)|ListenerOptions
---@param listener? fun(event: MarkEvent)
---@return Listener
function Character:on(event, listener_or_options, listener) end

---Calls the function `listener` for the next event with this name, and then removes it. Everything else is as for `on`.
---@overload fun(self: Character, event: "state_enter"|"state_exit"|"state_end", listener: fun(event: StateEvent)): Listener
---@overload fun(self: Character, event: "state_enter"|"state_exit"|"state_end", options: ListenerOptions, listener: fun(event: StateEvent)): Listener
---@overload fun(self: Character, event: "warp_end", listener: fun(event: WarpEvent)): Listener
---@overload fun(self: Character, event: "warp_end", options: ListenerOptions, listener: fun(event: WarpEvent)): Listener
---@overload fun(self: Character, event: "touch"|"touch_end", listener: fun(event: TouchEvent)): Listener
---@overload fun(self: Character, event: "touch"|"touch_end", options: ListenerOptions, listener: fun(event: TouchEvent)): Listener
---@overload fun(self: Character, event: "stick", listener: fun(event: StickEvent)): Listener
---@overload fun(self: Character, event: "stick", options: ListenerOptions, listener: fun(event: StickEvent)): Listener
---@overload fun(self: Character, event: "hit", listener: fun(event: HitEvent)): Listener
---@overload fun(self: Character, event: "hit", options: ListenerOptions, listener: fun(event: HitEvent)): Listener
---@overload fun(self: Character, event: "knock_down"|"settle"|"get_up"|"get_up_end"|"die", listener: fun(event: FallEvent)): Listener
---@overload fun(self: Character, event: "knock_down"|"settle"|"get_up"|"get_up_end"|"die", options: ListenerOptions, listener: fun(event: FallEvent)): Listener
---@overload fun(self: Character, event: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", listener: fun(event: ControllerEvent)): Listener
---@overload fun(self: Character, event: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", options: ListenerOptions, listener: fun(event: ControllerEvent)): Listener
---@overload fun(self: Character, event: "step", listener: fun(event: StepEvent)): Listener
---@overload fun(self: Character, event: "step", options: ListenerOptions, listener: fun(event: StepEvent)): Listener
---@overload fun(self: Character, event: "use"|"used", listener: fun(event: UseEvent)): Listener
---@overload fun(self: Character, event: "use"|"used", options: ListenerOptions, listener: fun(event: UseEvent)): Listener
---@overload fun(self: Character, event: "say", listener: fun(event: SayEvent)): Listener
---@overload fun(self: Character, event: "say", options: ListenerOptions, listener: fun(event: SayEvent)): Listener
---@overload fun(self: Character, event: "word", listener: fun(event: WordEvent)): Listener
---@overload fun(self: Character, event: "word", options: ListenerOptions, listener: fun(event: WordEvent)): Listener
---@overload fun(self: Character, event: "phoneme", listener: fun(event: PhonemeEvent)): Listener
---@overload fun(self: Character, event: "phoneme", options: ListenerOptions, listener: fun(event: PhonemeEvent)): Listener
---@overload fun(self: Character, event: "cue", listener: fun(event: CueEvent)): Listener
---@overload fun(self: Character, event: "cue", options: ListenerOptions, listener: fun(event: CueEvent)): Listener
---@overload fun(self: Character, event: "say_end", listener: fun(event: SayEndEvent)): Listener
---@overload fun(self: Character, event: "say_end", options: ListenerOptions, listener: fun(event: SayEndEvent)): Listener
---@overload fun(self: Character, event: "*", listener: fun(event: AnyEvent)): Listener
---@overload fun(self: Character, event: "*", options: ListenerOptions, listener: fun(event: AnyEvent)): Listener
---@overload fun(self: Character, event: string, listener: fun(event: MarkEvent)): Listener
---@overload fun(self: Character, event: string, options: ListenerOptions, listener: fun(event: MarkEvent)): Listener
---@param event string
---@param listener_or_options fun(event: MarkEvent)|ListenerOptions
---@param listener? fun(event: MarkEvent)
---@return Listener
function Character:once(event, listener_or_options, listener) end

---Returns the latest 4096 entries of the event log, the oldest first. The log records each marker that playback passed, and what happened then. The first call starts the log and returns an empty list. An entry has these fields: - `number`: number of the entry, counted from the first one; `time`: when it was passed, seconds; - `name` and `clip`; `marker`: number of the marker on the clip, less than 0 for a marker that was removed since; `marker_phase`: "point", "begin" or "end"; - `weight`: blend weight of the clip; `source`: "machine", "play" or "idle"; `state` and `layer` of the machine; `play`: number of the play; - `playback_id`: number of this playback of the clip in the machine. A state that is entered again has another number; - `outcome`: "fired" (emitted), "suppressed" or "interrupted". The end of an interval has the same outcome as its beginning; - `reason`, if the outcome is not "fired": "lower_weight" (another clip has more weight), "below_min_weight" (of all listeners), "layer_weight_zero", "masked" (the mask excludes its bone), "seek" (playback jumped over it) or "muted". - More reasons: "leaving" (the clip only fades out), "flood" (too many markers in one tick), "interval_interrupted" (the playback ended first), "reloaded", "foot_ik_steps" (foot IK reports steps instead) or "down" (the character is down); - `occurrences`: number of markers that the entry stands for.
---@return EventLogEntry[]
function Character:event_log() end

---Starts a task: a function that can wait between its steps. The function gets the task as its argument and starts at once. The task ends when the function returns, when it is stopped, when its character is removed, or on a hot reload. In every case the functions given to `on_end` are called.
---@param run fun(task: Task): any
---@return Task
function Character:task(run) end

---Adds a decal (a stain, wound or picture) to the surface of the character in its current pose. It then moves with the surface. Returns nil if no surface is hit. - `kind` is "blood", "wound", "cut", "bruise", "hole", "dent", "scratch", "mud", "soot", "wet", or a picture of the project with a transparent edge. A table chooses by the name or kind of the material: { skin = "wound", cloth = "hole", other = false }. - `where` is a hit of `physics.raycast`, an event `hit`, a table with a `position` and a `direction`, or a line with `from` and `to`. - A character can have 256 decals; after that the oldest are removed. - On surfaces with overlapping texture coordinates, such as a repeated weave, a decal is a mesh of its own. A character can have 32 of these. They do not show relief without colour, such as "dent"; a message reports this once.
---@param kind string|{ [string]: string|false }
---@param where { position: vector, normal: vector }|{ position: vector, direction: vector }|{ position: vector, impulse: vector }|{ from: vector, to: vector }
---@param options? DecalOptions
---@return Decal?
function Character:decal(kind, where, options) end

---Removes all decals of the character. They fade out within `seconds`, by default 0.
---@param seconds? number
function Character:clear_decals(seconds) end

---Emits particles from the character. The kinds and options are those of `particles`. `where_or_options` is a bone, or a hit of `physics.raycast` or an event for a point of the skin. Instead, you can give the options there: with `shape = "surface"` the whole skin emits, and "breath" comes from the mouth as the character breathes out. The particles do not collide with the character. Returns nil if the hit misses it.
---@param kind string
---@param where_or_options? string|{ position: vector }|{ at: vector }|{ from: vector, to: vector }|ParticleOptions
---@param options? ParticleOptions
---@return Particles?
function Character:particles(kind, where_or_options, options) end

---Returns the material with this name. If several materials have it, the result controls all of them. Changes affect only this character.
---@param name string
---@return Material
function Character:material(name) end

---Returns the names of all materials, in the order of the file.
---@return string[]
function Character:materials() end

---Returns the names of the variants of the materials (KHR_materials_variants), in the order of the file.
---@return string[]
function Character:variants() end

---Returns the largest value of a metric (a measure of animation quality) since `reset_metrics`. The first call returns 0 and switches the metrics on; in tests they are always on. A jump by setting `position` is not counted. - "foot_slide": distance that a planted foot has moved over the ground since it was planted, metres. The clips define when feet are planted. - "pop": largest jerk of a bone, relative to the largest jerk in the visible clips. 1 is as smooth as the clips; a hard cut gives 10 and more. - "root_drift": distance of the hips from their position in the clips, without the travel of the clips, metres. - "lip_lag": delay of the mouth behind the sound of a recorded line, seconds. It compares loudness and mouth opening over two seconds, and is negative if the mouth is early.
---@param name "foot_slide"|"pop"|"root_drift"|"lip_lag"
---@return number
function Character:metric(name) end

---Returns all metrics, with the same values as `metric`. `last_tick` contains the values of the last tick alone; its `foot_slide` is the distance that a planted foot slid in that tick, metres. `pop_bone` is the bone with the largest pop.
---@return { foot_slide: number, pop: number, root_drift: number, lip_lag: number, pop_bone: string?, last_tick: { foot_slide: number, pop: number, root_drift: number, lip_lag: number } }
function Character:metrics() end

---Sets all metrics to 0. They are measured again from the next tick on.
function Character:reset_metrics() end

---Changes the root motion (the movement that is part of the clips) so that the character arrives at `position`, turned to `yaw`, `duration` seconds from now. The rest of the motion is stretched and rotated. This works while states with `root_motion` play; you may call it before such a state is entered. At the end, the event `warp_end` has a `reason`: "arrived", "missed" (no state with root motion played at the end) or "replaced" (by another warp). If the machine changes its state or the character is moved, the warp is computed again from there.
---@param options MotionWarpOptions
function Character:motion_warp(options) end

---Makes the character look at a target: a position, a character (its face), or `camera`. The eyes move first, the head follows, and the chest turns a little. The character also blinks, and its gaze moves over the target. - A list of targets makes it look at the most attractive one. Each entry is a target, or a table with a target and its `interest` and `target_radius`. - Nil lets the gaze wander; `false` ends it. - A target outside the view cone is dropped; then `hero.required_turn` is the angle to turn. - With `turn_in_place` the character turns on the spot first. It uses a clip named `turn_left`, `turn_right_90`, `turn_180` or similar, otherwise steps of `foot_ik`. It does not turn while it walks, follows `move` or is lying down, so a player's input wins.
---@param target? vector|Character|{ forward: fun(): vector }|(vector|Character|{ forward: fun(): vector }|{ [number]: vector|Character|{ forward: fun(): vector }, interest: number?, target_radius: number?, target_bone: string?, target_offset: vector?, target_space: string? })[]|boolean
---@param options? LookAtOptions
---@return Modifier
function Character:look_at(target, options) end

---Makes the character speak a line: a text with marks, or a recording and its text, `{ "line.ogg", text = "…" }`. The mouth follows the sound, and a caption shows the text. Returns nil if the line was dropped. The character emits the events `say`, `word`, `phoneme`, `cue` and `say_end`. Marks take effect at their words: - `{smile}`, `{brow:up}` or any other expression; `{smile x0.5 1.2s}` sets intensity and duration, `{smile}…{/smile}` lasts while the words between are spoken; - `{look=name}`, `{look=camera}`, `{look=away}` for the gaze; `{mood=sadness}`; `{blink}`; `{pause 0.5}`; - `[beat]word[/]` for a gesture: a clip of that name, or the head movement beat, nod, shake or tilt. Its stroke (main moment) falls on the stressed syllable; - `{event=name key=value}` for an event `cue` with these fields. In any mark, `chance=0.6` sets the probability and `delay=-0.1` shifts it in time, in seconds.
---@param line string|SayLine
---@param options? SayOptions
---@return Line?
function Character:say(line, options) end

---Makes the character stop speaking and drops its waiting lines. `how` says when: "phrase" at the end of the phrase (the default), "word" at the end of the word, or "now". Returns false if there was nothing to stop.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Character:stop_speaking(how) end

---Adds breathing, shifts of weight and other small motions on top of the clips. A human-like body without clips has them from the start. `idle_motion(false)` fades them out.
---@param options? IdleMotionOptions|boolean
---@return Modifier
function Character:idle_motion(options) end

---Makes the body lean into turns, lean when it speeds up or slows down, and lean into a hill. `lean(false)` fades it out.
---@param options? LeanOptions|boolean
---@return Modifier
function Character:lean(options) end

---Turns the hips and legs to the direction of movement, and the spine back. So one clip of walking forwards serves for all directions, while the upper body looks or aims ahead. Use it with `controller { turn_to_movement = false }`. When the character walks backwards, `walk_sign` is -1: play the clip backwards then. `orientation_warp(false)` fades it out.
---@param options? OrientationWarpOptions|boolean
---@return Modifier
function Character:orientation_warp(options) end

---Puts the feet on the ground below them: floor, stairs, slopes, lifts. A planted foot stays where it is and turns with the ground, and the body sinks until all feet reach the ground. It works for any number of legs. `foot_ik(false)` fades it out. It emits the event `step` for each step, with `foot`, `position`, `normal`, `surface`, `speed` (of the impact) and `weight`. `next_position` and `time_to_next` predict the position of that foot's next step and the time until then, in seconds.
---@param options? FootIkOptions|boolean
---@return Modifier
function Character:foot_ik(options) end

---Moves the end of a limb to a target and keeps it there while both move. The target is a position, a character or one of its bones. `limb` is "left_hand", "right_hand", "left_foot", "right_foot", or any bone with two bones above it. Nil as the target releases the limb. With `full_body` the character also leans and bends towards a distant target, with its feet in place; with `allow_steps` it walks, too. With `grip` the fingers close. A target on a prop in the character's other hand is reached exactly, such as the handle of a rifle.
---@param limb string
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? ReachOptions
---@return Modifier
function Character:reach(limb, target, options) end

---Closes the fingers of a hand, around an attached prop or to a fist. `hand` is "left_hand" or "right_hand". `amount` goes from 0, the pose of the clips, to 1, closed. Fingers that a clip closes further stay as they are. Nil as the amount releases the grip. To close a hand when it reaches a target, use the option `grip` of `reach`.
---@param hand "left_hand"|"right_hand"
---@param amount? number
---@param options? GripOptions
---@return Modifier
function Character:grip(hand, amount, options) end

---Makes the character sit down: the hips move to a seat within `fade` seconds, while the feet stay in place and the knees bend. The target is a point on the surface of the seat. Before that, place the character with its back to the seat, about 0.35 m in front of it. If the legs are too short, the hips come as near as possible. `sit(false)` makes it stand up.
---@param target vector|Character|{ forward: fun(): vector }|boolean
---@param options? SitOptions
---@return Modifier
function Character:sit(target, options) end

---Rotates the spine or the given bones so that a line points at a target, for example the barrel of a weapon. The line belongs to the last of these bones, or to a bone below it, such as a hand. Call `aim_at` without a target to release it.
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? AimAtOptions
---@return Modifier
function Character:aim_at(target, options) end

---Bends a chain of bones, from `root` down to `tip`, so that the tip reaches a target. Use it for tails, tentacles, trunks and spines. Call it without a target to release it.
---@param root string
---@param tip string
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? ChainIkOptions
---@return Modifier
function Character:chain_ik(root, tip, target, options) end

---Adds a helper bone: a bone that follows other bones to keep the skin in shape, and that no clip moves. `kind` is "twist", "fan", "push", "driver", "roll", "aim", "rotation", "copy", "parent" or "limit". `bone` is the helper, `source` the bone that it follows. [Helper bones](helpers.md) lists the fields of each kind, which are the same in a model file. All helpers of a character are one modifier, "helper_bones".
---@param fields { kind: string, bone: (string|string[])?, source: string?, from: string?, hold: string?, morph: string?, weight: (number|number[])?, axis: (vector|number[])?, direction: (vector|number[])?, middle: number?, measure: string?, output: string?, curve: number[][]?, smooth: boolean?, amount: number?, full_angle: number?, radius: number?, example: (vector|number[])?, min: (vector|number[])?, max: (vector|number[])? }
---@return Modifier
function Character:helper_bone(fields) end

---Adds an interaction to a prop: a point where characters can use it, such as a door knob, a lever, a seat, a rung or a cup. It sets the positions of the user and of the hand, and the times. In a task, `t:use(thing, name)` makes a character walk there, turn, reach and hold on. Model files store interactions in the extras of nodes, as `handle`.
---@param name string
---@param fields InteractionOptions
function Character:add_interaction(name, fields) end

---Adds a modifier of your own. The function is called in every tick with the current pose and the length of the tick in seconds. It may rotate and move bones. The weight of the modifier blends its result with the pose before it.
---@param name string
---@param run fun(pose: Pose, dt: number)
---@param options? ModifyOptions
---@return Modifier
function Character:add_modifier(name, run, options) end

---Returns all modifiers of the character, in the order in which they run. A modifier changes the pose after the animation, such as foot IK. `print(hero:modifiers())` prints one line for each. The order within a tick is: state machine and plays, root motion, locomotion and physics, modifiers, springs, cloth and hair.
---@return Modifier[]
function Character:modifiers() end

---Returns the modifier with this name, or nil.
---@param name string
---@return Modifier?
function Character:modifier(name) end

---Makes a bone, or several, swing with all bones below: hair, tails, ears, straps. `bones` is a name or a list of names. Springs of VRM files work without this call. If the character moves farther than its own length within one tick, its springs move along without swinging.
---@param bones string|string[]
---@param options? SpringOptions
---@return Spring
function Character:spring_bone(bones, options) end

---Makes one bone lag behind its pose and swing back, as on a spring: flesh, bellies, bags, antennae.
---@param bone string
---@param options? JiggleOptions
---@return Spring
function Character:jiggle_bone(bone, options) end

---Makes chains of the character's bones move as cloth: a cape, a skirt, the tails of a coat. A single chain moves as a rope. The first bone of each chain keeps its pose from the animation.
---@param options ClothChainOptions
---@return Spring
function Character:cloth(options) end

---Gives the character hair. There are three ways: a haircut (`cut`), strands that grow between curves of your own (`guides`), or the strands of a file (`file`). A few strands, the guides, are simulated: they keep their length and shape and stay outside the body. All other strands follow the guides near them. The hair is a character of its own with the material "hair" and, under a haircut, "scalp". There can be 64 pieces of hair.
---@param options HairOptions
---@return Character
function Character:hair(options) end

---Restarts all springs of the character at the current pose, also those of its file, and ropes, cloth and hair attached to it. Use it after a cut of the camera or a teleport.
function Character:reset_springs() end

---Returns the position of a bone in the world in the last tick, metres. `name` is the name of the bone, or of a humanoid part such as `right_hand`.
---@param name string
---@return vector
function Character:bone_position(name) end

---Returns the transform of a bone in the world: its position in metres, its rotation in degrees (x is the pitch, y the yaw, z the roll), and the directions of its axes. `forward` is its +Z, `up` its +Y, `right` its -X.
---@param name string
---@return { position: vector, rotation: vector, right: vector, up: vector, forward: vector }
function Character:bone_transform(name) end

---Sets a morph target (blend shape) to a weight, which overrides clips. Without a weight, clips control it again.
---@param name string
---@param weight? number
function Character:morph(name, weight) end

---Attaches another character or a prop to a bone of this character. `thing` then moves with the bone.
---@param thing Character
---@param bone string
---@param options? AttachOptions
function Character:attach(thing, bone, options) end

---Detaches this character or prop from the bone to which it is attached. It stays at its position.
function Character:detach() end

---Shows or hides a part of the model: a mesh, by the name of its node in the file. The default of `visible` is true.
---@param part string
---@param visible? boolean
function Character:show_part(part, visible) end

---Returns the durations of all clips, in seconds, by the name of the clip.
---@return { [string]: number }
function Character:clips() end

---Returns a clip of the character, to read its data.
---@param name string
---@return Clip
function Character:clip(name) end

---Adds a clip that was made by `clip`, to this character only. Its bones and morph targets are found by name. `play` and state machines then find the clip by its name. When the model is reloaded, the clip is added again.
---@param clip ClipDefinition
function Character:add_clip(clip) end

---Returns the value of a curve (a number over time in the clips) in the last tick, blended like the bones. If no clip with that curve plays, the value is 0. For a curve that animates a material, it is then the value of the file.
---@param name string
---@return number
function Character:curve(name) end

---Returns the lowest and highest corner of the box around the model in its rest pose, in model space, metres.
---@return { min: vector, max: vector }
function Character:rest_bounds() end

---Adds a collider (a shape for physics) to a character or prop. Others stand on it, walk into it and push it; with a `mass` it falls. The events `touch` and `touch_end` report contacts. `collider(false)` removes the collider. A prop that is attached to a bone collides with nothing until it is detached.
---@param options? ColliderOptions|boolean
function Character:collider(options) end

---Returns the first point where the line between two positions hits the visible triangles of this character, in its current pose, or nil. It works like `physics.raycast` with `exact`, but for this character alone.
---@param from vector
---@param to vector
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function Character:raycast(from, to) end

---Pushes a dynamic body by an impulse (a sudden push), in newton seconds. The push acts at the world position `at`, by default at the centre of mass. It is an error if the character or prop has no dynamic body.
---@param impulse vector
---@param at? vector
function Character:apply_impulse(impulse, at) end

---Adds a character controller, with which the character walks in the physics world. It is a capsule that climbs steps, slides along walls, stands on moving platforms and pushes light bodies. `move`, root motion and gravity move the character; setting `position` teleports it. Another call changes only the options that you give. `controller(false)` removes the controller. It emits these events, with `other`, `position`, `surface` and `source` = "controller": - `jump` and `fall`: it leaves the ground, with or without a jump; - `land`, with the `speed` and the `height` of the fall; - `step_up`, with the `height` of the step; - `slide` and `slide_end`, with the `slope` in degrees; - `bump`: it walks into something, with the `speed` and the `normal`.
---@param options? ControllerOptions|boolean
function Character:controller(options) end

---Sets the velocity at which the controller moves the character, metres per second in world space. It stays until the next call; a zero vector stops the character. The controller's `acceleration` limits the change. The vertical part is used only if the controller has `gravity = 0`.
---@param velocity vector
function Character:move(velocity) end

---Makes the character jump from the ground: now, or when it lands within the controller's `jump_buffer`. It keeps the velocity of the ground on which it stood.
---@param options? JumpOptions
function Character:jump(options) end

---Makes the limbs rigid bodies of the physics world (a ragdoll). Their shapes are made from the model. The call has four uses: - Without options the whole character falls, at the speed of its clips, and lies until `get_up`. - With `motor_strength`, motors pull the limbs to the pose of the clips (powered ragdoll). The character stays on its feet and can be pushed. - With `bones`, the call applies only to these limbs. This setting and that of motors stay after falls and hits. - `ragdoll(false)` ends the ragdoll; the pose blends into the clips.
---@param options? RagdollOptions|boolean
function Character:ragdoll(options) end

---Returns the rigid bodies of the character's ragdoll, which Galatea makes from the model. With options, the call changes the ragdoll first; they override the settings of the file. Masses are kilograms at the character's current scale: at twice the scale they are eight times as large.
---@param options? RagdollBodiesOptions
---@return { bone: string, shape: string, mass: number, link: string? }[]
function Character:ragdoll_bodies(options) end

---Hits the character. The reaction depends on the impulse divided by the mass, the position of the hit, `balance` and `health`. From weak to strong, the reactions are: - "flinch": a limb gives way; - "brace": the upper body gives way; - "stagger": the character is pushed away; - "fall": it falls and gets up again. A hit that takes the last health always makes it fall. Returns the reaction, or false if the function `on_hit` of `hit_reactions` rejected the hit. The character emits `hit`, and later `knock_down`, `settle`, `get_up`, `get_up_end` and `die`, as they happen.
---@param options HitOptions
---@return string|false
function Character:hit(options) end

---Kills the character: it falls and does not get up by itself. `get_up` revives it. A prop of one piece, without limbs, is an error.
function Character:kill() end

---Makes the character fall with the current velocity of its clips. It gets up by itself.
function Character:knock_down() end

---Makes a character that is lying down get up where it is. It plays a clip with `get_up`, `stand_up` or `lie_stand` in its name whose first pose fits the way the character lies. Without such a clip, a movement is generated. A dead character revives with a health of at least 0.01. Returns false if the character is not lying down.
---@return boolean
function Character:get_up() end

---Sets the strength of a hit from which each reaction happens, and a function that may change or reject each hit. Options that you leave out keep their values. The strength is the impulse divided by the mass, in metres per second.
---@param options HitReactionOptions
function Character:hit_reactions(options) end

---Removes the character from the scene.
function Character:remove() end

---One playback of a clip, started by `hero:play`. It ends exactly once. After the end, all properties are nil.
---@class Play
---@field time number? Current time in the clip, seconds; nil after the end.
---@field phase number? Current position in the clip, as a fraction from 0 to 1; nil after the end.
---@field loop_count number? Number of times that the clip has reached an end and continued; nil after the end.
---@field weight number? Current blend weight, including fades, 0 to 1; nil after the end. Setting it replaces the option `weight`. The change is immediate, and fade-in and fade-out multiply it. For a smooth change, set it in every tick. At 0 the play emits no events of markers, except the end of an interval whose beginning was emitted.
---@field speed number? Factor on the playback speed; nil after the end. 0 pauses the clip, negative values play it backwards.
local Play = {}

---Ends the play and fades it out within `fade` seconds, by default its own fade-out time. A play that is already fading out does not change.
---@param fade? number
function Play:stop(fade) end

---Moves playback to a time of the clip, within the current loop. Markers in between emit no events, unless `emit_markers` is true. Intervals that the jump leaves end at once. Returns false if the play has ended.
---@param seconds number
---@param options? SeekOptions
---@return boolean
function Play:seek(seconds, options) end

---Calls the function for each marker with this name that this play passes; `*` means all markers. The listener is removed when the play ends.
---@param marker string
---@param listener fun(event: MarkEvent)
---@return Listener
function Play:on(marker, listener) end

---Returns the reason why the play ended: "end" (the clip was over), "interrupted", "stopped" or "reloaded". It is nil while the clip plays.
---@return string?
function Play:end_reason() end

---A task, started by `hero:task` or `task`. Its function gets the task as an argument. Only that function can call the methods that wait; all other methods can be called from anywhere.
---@class Task
---@field character Character? Character of the task; nil for a task without a character.
local Task = {}

---Waits for `thing`: - A number waits for that many seconds, at least one tick. The time counts from the moment at which the task last continued, so waits add up exactly. - A text waits for an event of the task's character and returns the table of the event. - A play, a sound, a line, a conversation or another task: waits for its end and returns the reason. If `timeout` seconds pass first, it returns nil.
---@overload fun(self: Task, seconds: number): nil
---@overload fun(self: Task, thing: Play|Sound|Line|Conversation|Task, options?: WaitOptions): string?
---@overload fun(self: Task, thing: "state_enter"|"state_exit"|"state_end", options?: WaitOptions): StateEvent?
---@overload fun(self: Task, thing: "warp_end", options?: WaitOptions): WarpEvent?
---@overload fun(self: Task, thing: "touch"|"touch_end", options?: WaitOptions): TouchEvent?
---@overload fun(self: Task, thing: "stick", options?: WaitOptions): StickEvent?
---@overload fun(self: Task, thing: "hit", options?: WaitOptions): HitEvent?
---@overload fun(self: Task, thing: "knock_down"|"settle"|"get_up"|"get_up_end"|"die", options?: WaitOptions): FallEvent?
---@overload fun(self: Task, thing: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", options?: WaitOptions): ControllerEvent?
---@overload fun(self: Task, thing: "step", options?: WaitOptions): StepEvent?
---@overload fun(self: Task, thing: "use"|"used", options?: WaitOptions): UseEvent?
---@overload fun(self: Task, thing: "say", options?: WaitOptions): SayEvent?
---@overload fun(self: Task, thing: "word", options?: WaitOptions): WordEvent?
---@overload fun(self: Task, thing: "phoneme", options?: WaitOptions): PhonemeEvent?
---@overload fun(self: Task, thing: "cue", options?: WaitOptions): CueEvent?
---@overload fun(self: Task, thing: "say_end", options?: WaitOptions): SayEndEvent?
---@overload fun(self: Task, thing: string, options?: WaitOptions): MarkEvent?
---@param thing number|string|Play|Sound|Line|Conversation|Task
---@param options? WaitOptions
---@return any
function Task:wait(thing, options) end

---Waits until the function `condition` returns true. It is called once per tick. Returns true then, or false if `timeout` seconds pass first.
---@param condition fun(): any
---@param options? WaitUntilOptions
---@return boolean
function Task:wait_until(condition, options) end

---Plays a clip on the task's character, as `hero:play` does. Waits for its end and returns the reason. If the task ends first, the clip stops.
---@param clip string
---@param options? PlayOptions
---@return string
function Task:play(clip, options) end

---Makes the task's character walk straight to a position or a character, with its controller, and then turn to `yaw`. Returns true, or false if it makes no progress. If the task ends early, the character stops.
---@param target vector|Character|{ forward: fun(): vector }
---@param options? WalkToOptions
---@return boolean
function Task:walk_to(target, options) end

---Turns the task's character on the spot to a position, a character, `camera` or an angle in degrees about +Y. It plays a turning clip if there is one, otherwise it makes steps with `foot_ik`. If the character walks, the turn waits. Returns false if the turn is not complete within 8 seconds, otherwise true.
---@param target number|vector|Character|{ forward: fun(): vector }
---@param options? TurnInPlaceOptions
---@return boolean
function Task:turn_to(target, options) end

---Makes the task's character use an interaction of a prop (see `add_interaction`). You may leave the name out if the prop has only one. The character walks to the standing point, turns, plays the clip of the interaction, reaches, holds on, also while the prop moves, and lets go. The character emits the event `use` with `other`, `interaction` and `phase` ("reach", "hold", "release", "end"), and the prop emits `used`. Returns "done", "too_far" if the character could not get there, or at once "occupied" if another character uses the interaction. A ladder can have several users.
---@param thing Character
---@param interaction? string
---@param options? UseOptions
---@return string
function Task:use(thing, interaction, options) end

---Waits until all entries of a list are done, in parallel, and returns a list of their results. An entry is a function, which runs as a task of its own, a number of seconds, or the name of an event. It may also be a play, a sound, a line, a conversation or a task.
---@param things (number|string|Play|Sound|Line|Conversation|Task|(fun(task: Task): any))[]
---@return any[]
function Task:all(things) end

---Waits until the first entry of a list is done, with the same entries as `all`. Functions that still run are stopped. Returns the number of the entry in the list, and its result.
---@param things (number|string|Play|Sound|Line|Conversation|Task|(fun(task: Task): any))[]
---@return number
---@return any
function Task:race(things) end

---Starts another task, which runs in parallel. It ends at the latest when this task ends.
---@param run fun(task: Task): any
---@return Task
function Task:start(run) end

---Calls the function `cleanup` with the reason when the task ends, whatever the reason. If several were added, the last one is called first. They cannot wait.
---@param cleanup fun(reason: string)
function Task:on_end(cleanup) end

---Ends the task, and all tasks that it started, at once. If a task stops itself, it continues until its next wait, so it can start the task that replaces it.
function Task:stop() end

---Returns the reason why the task ended: "end" (its function returned), "stopped", "failed" (an error) or "reloaded". It is nil while the task runs.
---@return string?
function Task:end_reason() end

---Makes a clip from keys (values at times), for `hero:add_clip`. It lasts at most 600 s and does not change bones, morph targets and curves that have no keys. - Names of bones are those of the model, or humanoid parts such as `left_hand`. - A key is { t, x, y, z } or { t, vector }; for scales also { t, factor }, for morph targets and curves { t, number }. - A rotation is in degrees, about z first, then x, then y, or a quaternion { t, x, y, z, w }. - `space` is the reference frame. "parent" is the parent bone, as in glTF. "rest" adds rotations about the bone's own axes to the rest pose. "model" adds rotations and offsets along the axes of the model, which are the same for every skeleton. - `interpolation = "cubic"` is a smooth curve through the keys, flat at both ends.
---@param name string
---@return fun(p1: ClipOptions): ClipDefinition
function clip(name) end

---Data of a clip of a character, from `hero:clip`. It finds the clip by name, so it stays valid after a hot reload.
---@class Clip
---@field name string Name of the clip.
---@field duration number Duration of the clip, seconds.
---@field source string File from which the clip comes, or `script`.
---@field markers ({ time: number, name: string, duration: number?, [string]: number|string|boolean })[] Markers and their fields, in order of time, including those of `hero:add_marker`.
---@field ground_speed number? Speed over the ground, metres per second, measured from the planted feet. It is nil if it cannot be measured.
---@field root_translation vector? Displacement of the root bone from the start of the clip to its end, in the character's own space, metres. It is nil if the root never moves or turns. A clip can end where it starts and still have root motion.
---@field root_yaw number? Rotation of the root bone about +Y from the start of the clip to its end, degrees.
---@field is_in_place boolean True if the clip ends near its start: it travels at most 8 % of the body's height and turns at most 20 degrees. A state with `root_motion = true` applies root motion of such clips, too.
---@field bytes number Size of the compressed clip in memory, bytes.
local Clip = {}

---Returns the pose of the clip at a time. The result contains, by the name of each bone that the clip moves, its transform relative to the parent bone. `quaternion` is { x, y, z, w }. `rotation` is the same rotation in degrees, about z first, then x, then y. Before the first key and after the last key, it is the value of that key.
---@param seconds number
---@return { [string]: { position: vector, quaternion: number[], rotation: vector, scale: vector } }
function Clip:sample(seconds) end

---Returns the value of one of the clip's curves at a time.
---@param name string
---@param seconds number
---@return number
function Clip:curve(name, seconds) end

---A material of one character. A value that a script sets overrides the file and the clips until `reset`. If the script has not set a property, reading it returns the value of the file. Numbers are limited to their ranges. When the model file is reloaded, the material is found again by its name. When the script is reloaded, the new script sets its own values again.
---@class Material
---@field kind string Kind of surface (shading model): "standard", "skin", "eye", "hair", "cloth" or "toon". The default is that of the file, or a guess from the material's name.
---@field color vector Base colour, as linear RGB.
---@field alpha number Opacity, 0 to 1, of a material with alpha blending or a cut-out; 1 is opaque.
---@field tint vector Colour, as linear RGB, that multiplies the base colour, and the shade colour of a toon material. It is white in every file.
---@field metallic number Metalness, 0 to 1: 0 is no metal, 1 is metal.
---@field roughness number Roughness, 0 to 1: 0 shines like a mirror, 1 is matt.
---@field specular number Strength of the reflection of surfaces that are not metal, 0 to 1.
---@field ior number Index of refraction, at least 1: how much light bends in the material, 1.33 in water. It is 1.5 if the file does not set it.
---@field emissive vector Colour of the light that the material emits, as linear RGB.
---@field emissive_strength number Factor on `emissive`.
---@field normal_scale number Strength of the normal map (relief of the surface).
---@field occlusion number Strength of the occlusion map (darker creases), 0 to 1.
---@field alpha_cutoff number For a cut-out material: parts with less alpha than this are invisible.
---@field clearcoat number Strength of the clear coat (a layer like varnish), 0 to 1.
---@field clearcoat_roughness number Roughness of the clear coat, 0 to 1.
---@field sheen vector Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB; black is none.
---@field sheen_roughness number Roughness of the sheen, 0 to 1.
---@field transmission number Transmission: fraction of the light that passes through, as in glass, 0 to 1.
---@field thickness number Thickness of the material that light passes through, metres; 0 is a thin wall.
local Material = {}

---Changes properties to the given values over `duration` seconds. Properties that you leave out do not change. Setting a property ends its fade.
---@param options MaterialFadeOptions
function Material:fade(options) end

---Resets the property with this name, or all properties without a name. Then the file and the clips control them again.
---@param name? string
function Material:reset(name) end

---A decal on a character, or all decals of one shot with `penetrate`.
---@class Decal
---@field is_valid boolean True while the decal is on the character.
local Decal = {}

---Removes the decal. It fades out within `seconds`, by default 0. Returns false if it was gone already.
---@param seconds? number
---@return boolean
function Decal:remove(seconds) end

---A particle emitter, created by `particles` or `character:particles`. When you save the script, emitters that its main part creates continue where they are. Emitters that were created later, during play, stay.
---@class Particles
---@field is_valid boolean True until the emitter is removed.
---@field is_emitting boolean True while it emits particles.
---@field count number Number of particles that exist now.
---@field dropped_count number Number of particles that were not emitted because a limit was reached.
---@field rate number Number of particles emitted per second.
---@field color vector Colour at the start of a particle's life, as linear RGB. Set a colour, or a list of colours over the lifetime.
---@field position vector Position of the emitter in the world, metres. You can set it only if no character carries the emitter.
local Particles = {}

---Emits `n` particles at once, by default 10.
---@param n? number
function Particles:emit(n) end

---Stops the emission. Particles that exist stay until the end of their lifetime.
function Particles:stop() end

---Starts the emission again.
function Particles:start() end

---Removes the emitter and all its particles.
function Particles:remove() end

---A crowd, created by `crowd { … }`. Its agents have numbers from 1; the methods take the number as `person`, and positions as `place`. After a hot reload, agents continue from their positions.
---@class Crowd
---@field count number Number of agents.
local Crowd = {}

---Sends an agent to a position, or to a list of positions in turn. `person` is the number of the agent. `speed` is its speed from now on, metres per second. The agent leaves its smart object or queue first; on a slot it plays the `outro` before.
---@param person number
---@param place vector|vector[]
---@param speed? number
function Crowd:walk_to(person, place, speed) end

---Sends all agents to a position. `speed` is their speed from now on, metres per second.
---@param place vector
---@param speed? number
function Crowd:walk_all_to(place, speed) end

---Stops an agent where it is; it still makes room for others. `person` is the number of the agent. It leaves the queue of a smart object, but not a slot.
---@param person number
function Crowd:stop(person) end

---Returns the position of the agent with the number `person`, metres.
---@param person number
---@return vector
function Crowd:position(person) end

---Returns the velocity of the agent with the number `person`, metres per second.
---@param person number
---@return vector
function Crowd:velocity(person) end

---Returns the numbers of the agents that reached their goal in the last tick.
---@return number[]
function Crowd:arrived() end

---Returns the numbers of the agents that found no path in the last tick: no path on the crowd's `navmesh` leads to their goal. These agents stop.
---@return number[]
function Crowd:no_path() end

---Returns the numbers of the agents within `radius` metres of a position, by default 1.
---@param place vector
---@param radius? number
---@return number[]
function Crowd:find_near(place, radius) end

---Makes an agent enter a state of the crowd's `states`. `person` is the number of the agent. It leaves its smart object or queue, unless the state has `use_objects = true`.
---@param person number
---@param state string
function Crowd:set_state(person, state) end

---Returns the name of the state of the agent with the number `person`. It is nil if the crowd has no states, and before its first tick.
---@param person number
---@return string?
function Crowd:state(person) end

---Sends an event to an agent. `person` is the number of the agent; `about` may be a position, the number of another agent, or a smart object. The field `on` of the agent's state defines the reaction. The crowd itself sends these events: - `arrived`: the agent has reached its goal; `no_path`: no path leads there; - `found`: it is near a position of `detect`; `met`: it walks towards another agent; - `clip_end`: a clip that is played once has ended; `timeout`: the `duration` of the state is over; - `use` and `use_end`: it begins or ends the use of a smart object.
---@param person number
---@param event string
---@param about? vector|number|SmartObject
function Crowd:send(person, event, about) end

---Sends an event to all agents within `radius` metres of a position. The event is about that position, so agents can flee from it. Returns the number of these agents.
---@param place vector
---@param radius number
---@param event string
---@return number
function Crowd:send_near(place, radius, event) end

---Makes an agent play a clip of its model. `person` is the number of the agent, `mode` is "once" (the default) or "loop". Without a clip, the agent stands and walks as before. When a clip is first used in the crowd, it is prepared, which takes a moment.
---@param person number
---@param clip? string
---@param mode? "once"|"loop"
function Crowd:play(person, clip, mode) end

---Makes an agent face a position while it stands. `person` is the number of the agent. Without a position, the agent chooses its direction itself.
---@param person number
---@param place? vector
function Crowd:turn_to(person, place) end

---Makes an agent follow a leader: the number of another agent, or a character. It keeps a position `left` metres to the left of the leader and `ahead` metres ahead, by default 0.75 and -0.3 (behind). Without a leader, the agent stops following. It leaves its smart object, as with `walk_to`.
---@param person number
---@param leader? number|Character
---@param left? number
---@param ahead? number
function Crowd:follow(person, leader, left, ahead) end

---Moves an agent to a position at once. `person` is the number of the agent, `yaw` its new direction in degrees. On a slot of a smart object, the agent leaves it.
---@param person number
---@param place vector
---@param yaw? number
function Crowd:teleport(person, place, yaw) end

---Sends an agent to use a smart object. `person` is the number of the agent. Returns false if the object has no room. Afterwards the agent continues as before.
---@param person number
---@param object SmartObject
---@return boolean
function Crowd:use(person, object) end

---Returns the smart object that an agent uses or walks to, or nil. `person` is the number of the agent.
---@param person number
---@return SmartObject?
function Crowd:used_object(person) end

---Makes an agent stop using its smart object. `person` is the number of the agent. It plays the `outro` and then continues as before.
---@param person number
function Crowd:stop_using(person) end

---Turns an agent into a full character with the same position, step and colours, and returns it. `person` is the number of the agent. If the agent is a character already, returns that character. A character has a face and a gaze, can speak, reacts to hits and can fall. The crowd continues to move the character. It does not while the character is lying down, gets up, is held or has a controller; then other agents walk around it.
---@param person number
---@return Character
function Crowd:promote(person) end

---Turns an agent that is a character back into a normal agent, at its current position. `person` is the number of the agent.
---@param person number
function Crowd:demote(person) end

---Returns the character of an agent, if `promote` or the option `promote_distance` has made it one; otherwise nil. `person` is the number of the agent.
---@param person number
---@return Character?
function Crowd:character(person) end

---Removes the crowd with all its agents, also those that are characters.
function Crowd:remove() end

---An object that agents of crowds use, created by `smart_object { … }`. When the script is reloaded, its users continue.
---@class SmartObject
---@field position vector Position of the object, metres. Agents on its slots move along.
---@field yaw number Direction of the object, degrees. At 0 it faces +Z, at 90 it faces +X.
---@field push_speed number Speed at which the object pushes away agents near its centre, metres per second. A negative value pulls agents to it.
---@field user_count number Number of agents that use the object or walk to one of its slots.
---@field waiting_count number Number of agents in the queue of the object.
local SmartObject = {}

---Returns the numbers of the agents of a crowd that use the object, walk to it, or wait for it.
---@param crowd Crowd
---@return number[]
function SmartObject:users(crowd) end

---Removes the object. Its users continue as before the use.
function SmartObject:remove() end

---A flock of birds or fish, created by `flock { … }`. Its members have numbers from 1; the methods take the number as `number`. A hot reload keeps the positions.
---@class Flock
---@field count number Number of members of the flock.
---@field center vector Mean position of all members, metres.
---@field separation number Separation: strength with which members move away from neighbours nearer than `separation_distance`.
---@field separation_distance number Distance below which members move away from each other, metres.
---@field alignment number Alignment: strength with which members take on the velocity of their neighbours.
---@field cohesion number Cohesion: strength with which members move towards the middle of their neighbours.
---@field neighbor_radius number Distance up to which other members count as neighbours, metres.
---@field turn_rate number Maximum change of the velocity in a second, as a multiple of `max_speed`. Higher values give tighter turns.
---@field clearance number Height above the ground below which members rise, metres.
---@field leader_weight number Strength with which members follow the nearest leader.
---@field min_speed number Lowest speed of a member, metres per second.
---@field max_speed number Highest speed of a member, metres per second.
local Flock = {}

---Returns the position of the member with this number, metres.
---@param number number
---@return vector
function Flock:position(number) end

---Returns the velocity of the member with this number, metres per second.
---@param number number
---@return vector
function Flock:velocity(number) end

---Attracts all members to a position. `weight` is the strength, by default 1; a negative weight repels them. With `reach`, the force decreases to 0 at this distance, metres; without it, it is the same everywhere. Another call with the same `name` moves the point. A call without a position removes it.
---@param name string
---@param place? vector
---@param weight? number
---@param reach? number
function Flock:set_attractor(name, place, weight, reach) end

---Sets the velocity of a leader, metres per second. Leaders are the first members of the flock, see the option `leaders`. All other members follow the nearest leader.
---@param number number
---@param velocity vector
function Flock:steer(number, velocity) end

---Moves a member to a position at once. `velocity`, in metres per second, is its new velocity.
---@param number number
---@param place vector
---@param velocity? vector
function Flock:teleport(number, place, velocity) end

---Returns the numbers of the members within `radius` metres of a position, by default 1.
---@param place vector
---@param radius? number
---@return number[]
function Flock:find_near(place, radius) end

---Removes the flock with all its members.
function Flock:remove() end

---Statistics of crowds in an area, created by `crowd_stats { … }`. They continue after a hot reload.
---@class CrowdStats
---@field agent_count number Number of agents in the area now.
---@field empty_since number? Time at which the last agent left the area, in seconds like `now()`. It is nil while the area has agents, and if it never had any.
local CrowdStats = {}

---Returns how many agents have crossed a line. `forward` and `backward` are the numbers of crossings in each direction. `first` and `last` are the times of the first and the last one, in seconds like `now()`. `rate` is the number of crossings per second in both directions over the last five seconds. `mean` is the number of forward crossings per second, from the first to the last of them.
---@param line string
---@return { forward: number, backward: number, first: number?, last: number?, rate: number, mean: number }
function CrowdStats:flow(line) end

---Returns the density around a position, in agents per square metre, counted in a square of 1.5 m: `mean` is the mean since the start, `max` the maximum, smoothed over a second. Returns nil outside the area.
---@param place vector
---@return { mean: number, max: number }?
function CrowdStats:density(place) end

---Returns the bottlenecks, the worst first. `most` limits their number, by default to 5. A bottleneck is a position with more than 1.4 agents per square metre (Fruin's level of service E). Each has: - `position`; - `density`: the maximum over a second, in agents per square metre, and `time`, the time of it; - `speed`: the mean speed there, in metres per second; - `duration`: the time for which it was crowded, in seconds.
---@param most? number
---@return { position: vector, density: number, speed: number, duration: number, time: number }[]
function CrowdStats:bottlenecks(most) end

---Writes a map of the maximum densities to a PNG file in the project's folder `out`, and returns its path. Black is empty, pale yellow is five agents per square metre. Walls and the borders of the navigation mesh are white, counting lines are green. The x axis points right, the z axis down.
---@param file string
---@return string
function CrowdStats:save_image(file) end

---Removes the statistics. Nothing is measured any more.
function CrowdStats:remove() end

---Scent on an area of the ground, created by `scent_field { … }`. A hot reload keeps the scent.
---@class ScentField
---@field half_life number Time in which half of the scent disappears, seconds.
---@field diffusion number Fraction of the scent in each cell that moves to the neighbouring cells in a second, 0 to 1.
local ScentField = {}

---Adds an amount of scent at a position, by default 1. A negative amount removes scent. Outside the field the call has no effect.
---@param place vector
---@param amount? number
function ScentField:add(place, amount) end

---Returns the amount of scent in the cell at a position.
---@param place vector
---@return number
function ScentField:sample(place) end

---Removes all scent from the field.
function ScentField:clear() end

---Writes a map of the scent to a PNG file in the project's folder `out`, and returns its path. Black is no scent, pale yellow the maximum; a quarter of the maximum is half as bright. The x axis points right, the z axis down.
---@param file string
---@return string
function ScentField:save_image(file) end

---Removes the field with its scent.
function ScentField:remove() end

---A navigation mesh, created by `navmesh { … }`.
---@class Navmesh
---@field is_ready boolean True if the mesh has been baked (computed).
---@field polygon_count number Number of polygons of the mesh.
local Navmesh = {}

---Returns the points where the cheapest path turns; the last one is the target. Returns nil if there is no path. Start and target may be up to 1 m away from the mesh.
---@param from vector
---@param to vector
---@return vector[]?
function Navmesh:find_path(from, to) end

---Adds a link, with which agents cross a gap in the mesh: a jump, a ladder, a lift. They cross it in a straight line, one after another, and in one direction at a time.
---@param from vector
---@param to vector
---@param options? NavLinkOptions
function Navmesh:add_link(from, to, options) end

---Adds an obstacle that agents walk around, such as a fire: a box with a `size`, or a cylinder with a `radius`. The mesh is computed again in the next tick. Returns a number for `remove_obstacle`. For small obstacles, the option `obstacles` of a crowd is cheaper; for doors, use `add_door`.
---@param options NavObstacleOptions
---@return number
function Navmesh:add_obstacle(options) end

---Adds a door, which you can open and close without computing the mesh again. When it changes, agents look for another path at once. The door is invisible: create a body for the visible door, which must not be static.
---@param options NavDoorOptions
---@return NavDoor
function Navmesh:add_door(options) end

---Removes an obstacle by the number that `add_obstacle` returned. The mesh is computed again in the next tick.
---@param number number
function Navmesh:remove_obstacle(number) end

---Computes the mesh again in the next tick. Call it after you add or remove static bodies.
function Navmesh:rebuild() end

---A door of a navigation mesh, created by `navmesh:add_door`.
---@class NavDoor
---@field open boolean True if agents can pass. Set it to open or close the door.
local NavDoor = {}

---A function that is called for events, returned by `on` and `once`. It gets the events that happen after the call.
---@class Listener
local Listener = {}

---Removes the listener. The function is not called again, not even for the remaining events of the current tick.
function Listener:off() end

---A marker that the script has added to a clip with `hero:add_marker`.
---@class Marker
local Marker = {}

---Removes the marker from its clip. Playback continues. An interval that is open ends with `interrupted`. Markers that playback has passed already still emit their events. Returns false if the marker no longer exists.
---@return boolean
function Marker:remove() end

---A change of the pose after the animation, returned by `hero:foot_ik`, `hero:reach`, `hero:add_modifier` and similar functions. Names are unique for each character: another call with the same name changes the existing modifier. When you release a `reach`, `grip`, `aim_at`, `chain_ik`, `look_at` or `sit`, it fades out and is then removed. If `move_before` or `move_after` has set its order, it stays in the list. A removed modifier has weight 0 and is not enabled; raising its weight or enabling it is an error.
---@class Modifier
---@field name string Name of the modifier, which is unique for the character.
---@field kind string Kind of the modifier: `idle_motion`, `orientation_warp`, `lean`, `foot_ik`, `aim_at`, `look_at`, `chain_ik`, `reach`, `grip`, `sit`, `script` (made by `add_modifier`) or `helper_bones`.
---@field character Character Character whose pose the modifier changes.
---@field weight number Blend weight, 0 to 1: how much the modifier changes the pose. Setting it ends a fade.
---@field effective_weight number Blend weight that was in effect in the last tick, 0 to 1. It is `weight`, reduced by `weight_curve`, by `max_distance`, and while the character is down.
---@field enabled boolean False switches the modifier off. It keeps its position in the order of modifiers.
---@field target_error number? Remaining distance from the target. For `reach` and `chain_ik` it is the distance between the end of the limb or chain and the target, metres. For `aim_at` it is the angle, degrees. For other kinds it is nil.
---@field inactive_reason string? Reason why the modifier, or a part of it, has no effect: a part that the skeleton does not have. Nil if nothing is missing.
local Modifier = {}

---Changes the weight to a new value over `seconds`, by default 0.25.
---@param weight number
---@param seconds? number
function Modifier:fade(weight, seconds) end

---Moves the modifier directly before the modifier with the name `other`, so that it runs earlier.
---@param other string
function Modifier:move_before(other) end

---Moves the modifier directly after the modifier with the name `other`, so that it runs later.
---@param other string
function Modifier:move_after(other) end

---Removes the modifier at once, without a fade. Returns false if it was removed already.
---@return boolean
function Modifier:remove() end

---The current pose of a character, which the function of `hero:add_modifier` gets. It is valid only while that function runs. Positions and directions are in the character's space: metres, +Y is up, the character looks along +Z.
---@class Pose
local Pose = {}

---Returns the position of a bone, in the character's space, metres. With `at`, a position in the bone's space, it returns the position of that point.
---@param bone string
---@param at? vector
---@return vector
function Pose:position(bone, at) end

---Returns the direction of an axis of a bone, in the character's space, with length 1. `axis` is a direction in the bone's space, by default its z axis.
---@param bone string
---@param axis? vector
---@return vector
function Pose:direction(bone, axis) end

---Rotates a bone with all bones below it by an angle in degrees, about an axis through its origin. `space` says in which space the axis is: "bone" (the default) or "character".
---@param bone string
---@param axis vector
---@param degrees number
---@param space? "bone"|"character"
function Pose:rotate(bone, axis, degrees, space) end

---Moves a bone with all bones below it by an offset in the character's space, metres.
---@param bone string
---@param by vector
function Pose:move(bone, by) end

---Spring bones, a jiggle bone or cloth, returned by `hero:spring_bone`, `hero:jiggle_bone` and `hero:cloth`. They move after the animation, until they are removed. After a hot reload, springs that the new script creates on the same bones continue their motion.
---@class Spring
---@field weight number Blend weight, 0 to 1.
local Spring = {}

---Restarts the motion at the current pose.
function Spring:reset() end

---Removes the springs. The bones follow the clips again.
function Spring:remove() end

---The face of a character, `hero.face`. Its parts are morph targets, expressions of the file (VRM) and bones of jaw, lids and brows. Scripts use all of them by name. - Every face understands the shapes of ARKit and the emotions: anger, concentration, confusion, contempt, desire, disgust, excitement, fear, happiness, sadness, surprise. Galatea finds them in the file or makes them from other parts. `galatea inspect` lists how. - Layers, from lowest to highest: base (clips and gaze), mood, speech, reflex (blinks), script. Layers add up; a blink closes the eye from its current opening. - A value that a script sets overrides all other layers until the script clears it.
---@class Face
---@field valence number How pleasant the current mood is (valence), from -1, bad, to 1, good.
---@field arousal number How excited the current mood is (arousal), from -1, sleepy, to 1, excited.
---@field walk_speed_scale number Factor for the walking speed that fits the mood, 0.75 to 1.25. The script applies it.
---@field blink_amount number How far a blink closes the lids now, 0 to 1.
---@field use_microphone boolean True makes the mouth follow the microphone while the character speaks no line. `galatea play --microphone FILE` uses a recording instead. The default is false.
local Face = {}

---Sets the lasting mood of the face. It is visible while no other expression is. Nil ends the mood. `what` is one of these: - an emotion or expression, such as "happiness"; - a word such as "calm", "tired" or "tense"; - a table of names and weights; - a feeling such as { valence = -0.6, arousal = -0.3 }, with numbers from -1 to 1. The mood also changes the rate of blinks, `idle_motion` and the loudness of speech. A script can read `face.valence`, `face.arousal` and `face.walk_speed_scale`.
---@param what? string|{ [string]: number }|boolean
---@param options? MoodOptions
function Face:mood(what, options) end

---Shows an expression for a while; the mood fades out meanwhile. `what` is the name of an expression or emotion, or a table of names and weights. Returns a `ShownExpression`, with which you can change and stop it.
---@param what string|{ [string]: number }
---@param options? ShowOptions
---@return ShownExpression
function Face:show(what, options) end

---Sets the weight of one morph target, shape or expression, 0 to 1. It overrides all other layers of the face. Without a weight, the other layers control it again.
---@param name string
---@param weight? number
---@param options? FaceFadeOptions
function Face:set(name, weight, options) end

---Clears all weights and expressions that the script has set, so that the other layers control the face again. The mood stays.
---@param options? FaceFadeOptions
function Face:clear(options) end

---Returns the weight of a morph target, shape or expression in the last tick, after all layers.
---@param name string
---@return number
function Face:get(name) end

---Returns how much each layer moved a part of the face in the last tick: `mood`, `speech`, `reflex` (how far a blink closes it) and `script`. `script_weight` is the weight of the script's override, `total` the result.
---@param name string
---@return { [string]: number }
function Face:contributions(name) end

---Returns all names that the face can show. The value of each is the source from which Galatea makes it, or an empty text for a target of the file.
---@return { [string]: string }
function Face:names() end

---Makes the character blink now.
function Face:blink() end

---Shows a hidden feeling now and then, as a micro-expression of about 0.2 s. `what` is an emotion or expression. Nil ends it.
---@param what? string|{ [string]: number }|boolean
---@param options? MicroExpressionOptions
function Face:micro_expression(what, options) end

---Changes the settings of the face. Settings that you leave out keep their values.
---@param options? FaceOptions
function Face:configure(options) end

---Sets the weight of a face shape, or of several by a table of names and weights. With a name alone, it returns the weight. A face shape is a morph target named `shape.…` for the permanent form of the face, such as the width of the nose. Nothing else moves it, and expressions are added to it. Eye bones move along.
---@param what string|{ [string]: number }
---@param weight? number
---@return number?
function Face:shape(what, weight) end

---Returns all face shapes, with their weights and ranges. With a list of names, other morph targets count as face shapes, too; `name = { min, max }` sets a range. Clips and expressions still move such targets, in addition.
---@param others? { [number | string]: string|number[] }
---@return { [string]: { value: number, min: number, max: number } }
function Face:shapes(others) end

---Gives the character a random face and returns the weights of its face shapes. Another character can get the same face with `shape(weights)`. The face of a seed stays the same when the model gets more shapes later.
---@param options? GenerateOptions
---@return { [string]: number }
function Face:randomize(options) end

---Sets the weight of the wrinkles in a region of the skin, 0 to 1. It overrides the expressions. Without a weight, the expressions control the region again. `wrinkles` returns the names of the regions.
---@param region string
---@param weight? number
---@param options? FaceFadeOptions
function Face:wrinkle(region, weight, options) end

---Returns the wrinkle regions of the skin and their weights in the last tick. The model defines which expressions, compressed areas of skin and curves of clips cause wrinkles.
---@return { [string]: number }
function Face:wrinkles() end

---An expression on a face, returned by `face:show`.
---@class ShownExpression
---@field intensity number Intensity at full weight, 0 to 1. Set it to change the expression.
---@field weight number Current blend weight, including fades, 0 to 1. It is 0 after the end.
local ShownExpression = {}

---Fades the expression out within `seconds`, by default its own `fade_out`. Returns false if it is already fading out or has ended.
---@param seconds? number
---@return boolean
function ShownExpression:stop(seconds) end

---Replaces the expression by another one, or by a table of names and weights, for example in every tick. Returns false if it has ended.
---@param what string|{ [string]: number }
---@return boolean
function ShownExpression:set(what) end

---Makes an expression from morph targets, shapes of ARKit and other expressions, with weights from -1 to 1. Every face with these parts can show it, by `face:show` and by marks in the text of lines.
---@param name string
---@return fun(p1: { [string]: number })
function expression(name) end

---Defines a language for lines. For a known language, it adds rules that are tried before its own: en, es, es-419, it, de, fr or ja, by code or name. A rule is { left, letters, right, sounds }: the letters have these sounds if the text on their left and right matches. A vowel sound with 1 carries the stress. `left` and `right` may contain letters and these signs: - `_` the edge of the word; `V` a vowel; `C` a consonant; `E` a front vowel (such as e and i); - `*` any number of consonants; `#` one vowel or more; - `(abc)` one of these letters; `(!abc)` any other letter.
---@param name string
---@return fun(p1: LanguageOptions)
function language(name) end

---Defines how words are spoken, in all languages or only in `language`. It overrides dictionary and rules. There are three ways to write a pronunciation: ARPAbet sounds with a 1 after the stressed vowel, letters of the International Phonetic Alphabet between slashes, or another spelling in lower-case letters.
---@param words { [string]: string }
---@param language? string
function pronounce(words, language) end

---A line that a character speaks or will speak, returned by `hero:say`.
---@class Line
---@field end_reason string? Reason why the line is over: "end" or "interrupted". It is nil before that.
---@field time number Time since the line began, seconds.
---@field duration number? Duration of the line, seconds; nil when the line is over.
---@field text string? Text of the line, without marks; nil when the line is over.
local Line = {}

---Interrupts the line; the mouth closes. `how` says when: "phrase" at the end of the phrase (the default), "word" at the end of the word, or "now". Returns false if the line is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Line:stop(how) end

---Continues a line that was interrupted. With "phrase" (the default) it repeats the interrupted phrase from its beginning, with "word" it continues at the interrupted word. Returns the new line, or nil if the line was not interrupted.
---@param from? "phrase"|"word"
---@return Line?
function Line:resume(from) end

---Returns the events of the line as a list of rows: those of the marks in its text and those of its `track`. Another line accepts the list as its `track`. Returns nil when the line is over.
---@return TrackRow[]?
function Line:track() end

---Returns the words of the line with their start and finish times, seconds from its beginning. Returns nil when the line is over.
---@return { word: string, start: number, finish: number }[]?
function Line:words() end

---Starts a conversation between two or more characters. The list contains the steps, in order. All steps are checked before the first one begins. A character can be in only one conversation: an earlier one ends. A step is one of these: - a turn, { "anna", "Hello." }: a name of the cast and a line as in `hero:say`, with the options below; - { pause = 1 }: a pause in seconds; - { call = function(talk) … end }: a call of your function; - { choose = { … } }: a random choice of a step or a list of steps. A list may have a `weight`, a relative probability. In lines, the gaze can have members of the cast as targets, by name: `{look=ben}`.
---@param turns ConversationTurns
---@return Conversation
function conversation(turns) end

---A conversation, started by `conversation`. A task can wait for its end. When you save the script, a conversation that the new script starts again continues where it was. All others end with the reason "reloaded", after the line that is being spoken.
---@class Conversation
---@field turn number? Number of the current turn in the table; nil while no one speaks.
---@field speaker string? Name of the current speaker in the cast; nil while no one speaks.
---@field end_reason string? Reason why the conversation ended: "end", "stopped", "interrupted" (another conversation took one of its characters), "unavailable" (fewer than two characters are left) or "reloaded". It is nil before the end.
local Conversation = {}

---Calls the function `listener` for an event of the conversation. `*` means all events: - `turn`: a turn begins. Fields: `turn` (its number), `speaker` and `to` (names), `text` and `character` (the speaker). - `turn_end`: a turn ends. Its `reason` is "end", "interrupted", or "unavailable" if the speaker is lying down, dead or removed. - `end`: the conversation ends, with the `reason`.
---@param event "turn"|"turn_end"|"end"|"*"
---@param listener fun(event: ConversationEvent)
---@return Listener
function Conversation:on(event, listener) end

---Ends the conversation. `how` says when the current line is cut: at the end of the "phrase" (the default), at the end of the "word", or "now". Returns false if the conversation is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:stop(how) end

---Continues with the next turn. It ends a pause, or cuts the current line; `how` says when: "now" (the default), at the end of the "word", or at the end of the "phrase". Returns false if the conversation is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:skip(how) end

---Inserts a turn, written as for `conversation`, and then continues the conversation. The turn cuts the current line at the end of the word, or as its option `interrupt` says. With `interrupt = false` it waits for the end of the line. Returns false if the conversation is over, or too many inserted turns are waiting.
---@param turn ConversationTurnOptions
---@param options? InterruptOptions
---@return boolean
function Conversation:interrupt(turn, options) end

---Creates a state machine. The list contains layers, or states and transitions, which are then in one layer named "body". The machine starts in the first state. Set `hero.machine` to the result.
---@param parts MachineOptions
---@return MachineDefinition
function machine(parts) end

---Creates a layer of a machine: states and transitions that play on top of the layers before it.
---@param name string
---@return fun(p1: MachineLayerOptions): MachinePiece
function layer(name) end

---Creates a state of a machine. The list contains a clip, or a motion such as `blend1d { … }`, or inner states and transitions. A state without any of these shows the rest pose; in an upper layer it shows the pose of the layers below.
---@param name string
---@return fun(p1: MachineStateOptions): MachinePiece
function state(name) end

---Creates a transition to the state `state`. It happens when all of its conditions are true: `when`, `on`, `at_end`, `min_time`, `exit_time` and `marker`. Transitions with a higher `priority` are evaluated first, then inner before outer ones, then in the order of the script.
---@param state string
---@return fun(p1: TransitionOptions): MachinePiece
function transition_to(state) end

---Creates an inertial fade for the field `fade` of `transition_to`. Only the new state plays, while the difference from the old pose and velocity disappears within `seconds`. No two clips are mixed, and the motion stays smooth.
---@param seconds number
---@return MachinePiece
function inertial(seconds) end

---Plays clips in random order. Each entry is a name, or { name, chance } with a relative probability (default 1). In a state with `mode = "once"`, it plays a single clip.
---@param clips ClipListOptions
---@return MachinePiece
function random_clips(clips) end

---Plays clips in order, again and again. In a state with `mode = "once"`, it plays them once.
---@param clips ClipListOptions
---@return MachinePiece
function sequence(clips) end

---Blends clips by the value of a parameter, for example walking and running by speed. Each point is { value, clip }. A clip without a value gets the speed of its feet over the ground, in metres per second. Instead of a clip, a point may contain another blend.
---@param points Blend1dOptions
---@return MachinePiece
function blend1d(points) end

---Blends clips by the values of two parameters (by the method of gradient bands). Each point is { x, y, clip }. A clip without a position gets the velocity of its feet over the ground, in metres per second to the left and ahead.
---@param points Blend2dOptions
---@return MachinePiece
function blend2d(points) end

---Blends clips like `blend2d`, but by the angle and the length of (x, y). So the speed stays the same while the direction turns.
---@param points Blend2dOptions
---@return MachinePiece
function blend_polar(points) end

---The running state machine of a character, `hero.machine`.
---@class Machine
---@field params { [string]: number|boolean } Parameters of the machine, by name: `hero.machine.params.speed = 2`. An unknown name is an error; a value of the wrong type is ignored. After a hot reload a parameter keeps its running value. If you edited its default in the script, the new default wins.
local Machine = {}

---Sends an event to the transitions that have it as `on`. The event is valid in the next tick. With `timeout`, it waits up to so many seconds for a transition that can happen. Use that for a key that is pressed a moment too early.
---@param event string
---@param options? SendOptions
function Machine:send(event, options) end

---Returns the name of the current state of a layer, by default the first layer. For an inner state it is `outer/inner`.
---@param layer? string
---@return string
function Machine:state(layer) end

---Returns the time since the current state was entered, in seconds. `layer` is the name of a layer, by default the first one.
---@param layer? string
---@return number
function Machine:time_in_state(layer) end

---Leads the machine to a state by the path with the fewest transitions, and returns the states on the path. Conditions are ignored; `at_end`, `min_time`, `exit_time` and `marker` still apply. A transition whose event is sent, or one with a higher priority, cancels the travel.
---@param state string
---@param options? TravelOptions
---@return string[]
function Machine:travel(state, options) end

---Explains why each transition out of the current state happens or not. With a state, only transitions to it are listed. In the result, `allowed` is true if the condition is true now. `reason` gives the values that were read, and `location` is the line in the script.
---@param state? string
---@param options? TravelOptions
---@return { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number }[]
function Machine:why(state, options) end

---Returns the latest transitions, the oldest first, with the reason of each and the values that were read. `ago` is the time since then, in seconds.
---@param layer? string
---@return { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number }[]
function Machine:transition_history(layer) end

---Input from keyboard, mouse and gamepads. There are three kinds of names: - keys: `a`, `space`, `left`, `shift`, `mouse_left`, `wheel_up`, `pad_south`. The full list is in [projects.md](projects.md#keys). All gamepads act as one; `pad1_south`, `pad2_south` and so on are the keys of one gamepad; - actions, which are bound to keys: `jump` (space), `run` (shift), `use` (e), `wave` (q), and your own; - axes: `move_x` and `move_y` (WASD, arrows, left stick); `mouse_dx` and `mouse_dy`, the motion of the pointer in the tick, to the right and down, as fractions of the picture.
input = {}

---Returns the value of an axis, from -1 to 1.
---@param name string
---@return number
function input.axis(name) end

---Returns true while an action or a key is down. `name` is the name of either.
---@param name string
---@return boolean
function input.down(name) end

---Returns true only in the tick in which the action or key was pressed.
---@param name string
---@return boolean
function input.pressed(name) end

---Returns true only in the tick in which the action or key was released.
---@param name string
---@return boolean
function input.released(name) end

---Returns the position of the mouse pointer: x from 0 at the left of the picture to 1 at the right, y from 0 at the top to 1 at the bottom.
---@return vector
function input.pointer() end

---Returns the name of the first key or button that was pressed in this tick, or nil. Use it for a settings screen that asks the player for a key.
---@return string?
function input.next_pressed() end

---Returns the names of all actions, in alphabetical order.
---@return string[]
function input.actions() end

---Returns the names of all axes, in alphabetical order.
---@return string[]
function input.axes() end

---Returns the keys of an action: those that the player chose with `rebind`, otherwise those that the script bound.
---@param action string
---@return string[]
function input.bound(action) end

---Returns the keys and sticks of an axis: those that the player chose with `rebind_axis`, otherwise those that the script bound.
---@param axis string
---@return { negative: string[], positive: string[], stick: string[] }
function input.bound_axis(axis) end

---Binds an action to a key or a list of keys. They replace the earlier keys of the script. Keys that the player chose with `rebind` have priority.
---@param action string
---@param keys string|string[]
function input.bind(action, keys) end

---Binds an axis to keys and sticks. They replace the earlier ones of the script. Those that the player chose with `rebind_axis` have priority.
---@param axis string
---@param keys AxisOptions
function input.bind_axis(axis, keys) end

---Sets the key or keys that the player chose for an action; `{}` means none. They have priority over those of the script, also after a hot reload, until `reset_bindings` or the end of the game.
---@param action string
---@param keys string|string[]
function input.rebind(action, keys) end

---Sets the keys and sticks that the player chose for an axis. They have priority over those of the script. A field that you leave out has no keys.
---@param axis string
---@param keys AxisOptions
function input.rebind_axis(axis, keys) end

---Removes the keys that the player chose for an action or axis, or for all without a name. Those of the script apply again.
---@param name? string
function input.reset_bindings(name) end

---Saves the keys that the player chose in the file `bindings.toml` of the project, for the next start. Only `galatea play` reads and writes this file.
function input.save_bindings() end

---Sounds of the project: WAV, OGG, MP3 and FLAC files in `assets/` and its folders. The name of a sound is that of its file, without the extension. Files `x_1.wav`, `x_2.wav` and so on are variants of the sound `x`; one of them is chosen at random.
sound = {}

---Plays a sound. In a listener for an event, it starts exactly at the time of the event.
---@param name string
---@param options? SoundOptions
---@return Sound
function sound.play(name, options) end

---Sets the volume of all sounds together, 0 to 4; 1 is normal.
---@param volume number
function sound.volume(volume) end

---A sound, started by `sound.play`. It ends exactly once, with the reason "end", "stopped" or "reloaded". A task can wait for the end. When the script is reloaded, all sounds end as "reloaded": loops stop, and other sounds can be heard to their end.
---@class Sound
---@field time number? Playback time, seconds; for a loop, the time since its last restart. It is nil after the end.
---@field volume number? Factor on the volume, 0 to 16; nil after the end.
---@field pitch number? Factor on speed and pitch, 1/16 to 16; nil after the end.
---@field position vector? Position of the sound in the world, metres. It is nil after the end, and for a sound without a position.
local Sound = {}

---Stops the sound. It fades out within `fade` seconds, by default 0.02.
---@param fade? number
function Sound:stop(fade) end

---Returns the reason why the sound ended: "end", "stopped" or "reloaded". It is nil while the sound plays.
---@return string?
function Sound:end_reason() end

---The camera. It looks at a point, around which the player rotates it with the mouse. A hot reload keeps the rotation.
camera = {}

---Sets the position and view of the camera. Options that you leave out keep their values.
---@param options CameraOptions
function camera.orbit(options) end

---Makes the camera follow a character and keep it in the middle of the picture. The option `target` is then an offset from the character's position.
---@param character Character
---@param options? CameraOptions
function camera.follow(character, options) end

---Makes the camera follow a character from a distance at which all of it is visible, whatever its size.
---@param character Character
---@param options? CameraOptions
function camera.frame(character, options) end

---Shows the view out of a character's eyes; the camera moves with the head, and the mouse rotates it. The head, the hair and objects attached to the head are not drawn, but cast shadows. In VRM files, `firstPerson` decides which meshes are hidden. `camera.follow`, `orbit` and `frame` end the first-person view.
---@param character Character
---@param options? FirstPersonOptions
function camera.first_person(character, options) end

---Returns the line from the camera through a point of the picture, by default through the mouse pointer. `from` and `to` are its ends, `direction` has length 1. Use it with `physics.raycast`.
---@param place? CameraRayOptions
---@return { from: vector, to: vector, direction: vector }
function camera.ray(place) end

---Returns the position of the camera in the world, metres.
---@return vector
function camera.position() end

---Returns the direction in which the camera looks, without its vertical part. The vector has length 1.
---@return vector
function camera.forward() end

---Light of the scene: the sun with its shadows, the sky, point and spot lights, fog, and post-processing (effects on the finished picture). Colours are linear RGB.
light = {}

---Sets the sun. Options that you leave out keep their values.
---@param options SunOptions
function light.sun(options) end

---Sets the colours of the sky, which lights the scene from all directions. Options that you leave out keep their values.
---@param options SkyOptions
function light.sky(options) end

---Sets the exposure (brightness of the picture) in stops: +1 is twice as bright, -1 half as bright.
---@param stops number
function light.exposure(stops) end

---Sets a complete lighting: "noon", "three_point", "studio", "overcast", "sunset", "night", "spotlight", "neon" or "embers". It sets sun, sky, fog and post-processing, and replaces the lights of the previous rig. [Light](light.md#light-rigs) describes each.
---@param name "noon"|"three_point"|"studio"|"overcast"|"sunset"|"night"|"spotlight"|"neon"|"embers"
---@param options? RigOptions
function light.rig(name, options) end

---Creates a point light, which shines in all directions. Returns a `Light`, with which you can change and remove it.
---@param options PointLightOptions
---@return Light
function light.point(options) end

---Creates a spot light, which shines in one direction, in a cone. Returns a `Light`, with which you can change and remove it.
---@param options SpotLightOptions
---@return Light
function light.spot(options) end

---Sets the fog. Options that you leave out keep their values.
---@param options FogOptions
function light.fog(options) end

---Sets tone mapping, shading, effects and colour grading of the picture. Options that you leave out keep their values.
---@param options PostProcessOptions
function light.post_process(options) end

---Sets the render quality: "low", "medium" or "high". Without a call, the speed of the computer is measured at the start. The command-line option `--quality` overrides the script.
---@param name "low"|"medium"|"high"
function light.quality(name) end

---Lights the scene with an image of all directions (an environment map) instead of the colours of the sky. `file` may be Radiance (.hdr), KTX2 (a cube map, or one picture), PNG or JPEG. The centre of a picture that is twice as wide as high is in the direction -Z. Nil returns to the sky. When the file changes, it is reloaded.
---@param file? string
---@param options? EnvironmentOptions
function light.environment(file, options) end

---A light, created by `light.point` or `light.spot`. It stays until you remove it or the script is reloaded. The quality limits how many lights cast shadows; the brightest lights in view do so first.
---@class Light
---@field position vector Position in the world, metres. If a character carries the light, setting it moves the light in the space of the bone.
---@field color vector Colour, as linear RGB, scaled so that its largest component is 1.
---@field intensity number Intensity: brightness of a surface that faces the light at a distance of 1 m.
---@field range number Distance beyond which the light has no effect, metres.
---@field source_radius number Radius of the light source, metres. Larger sources cast softer shadows.
---@field shadows boolean True if the light casts shadows.
local Light = {}

---Removes the light. Its handle has no effect any more.
function Light:remove() end

---Points a spot light at a position. Other lights have no direction.
---@param target vector
function Light:aim_at(target) end

---The floor of the scene, and the areas on it with other surfaces. Events of feet and bodies report the name of the surface.
ground = {}

---Sets the floor. Options that you leave out keep their values.
---@param options GroundOptions
function ground.set(options) end

---Adds an area with another surface to the floor: a circle with a `radius`, or a rectangle with a `size`.
---@param options PatchOptions
function ground.patch(options) end

---Returns the name of the floor's surface at a position.
---@param at vector
---@return string
function ground.surface(at) end

---Haircuts as lists of strands that a script can change. To use a haircut without changes, set the option `cut` of `hero:hair`.
hair = {}

---Returns the strands of a haircut as options for `hero:hair`. In the result, `guides` is a list of strands from root to tip, in the space of the character in its rest pose (`in_rest_space = true`). Other options are returned unchanged.
---@param options HairGuideOptions
---@return HairOptions
function hair.grow(options) end

---Physics: props, surfaces, collision layers, forces, and queries that find objects. The floor has a collider, see `ground.set`. `thing:collider` gives a collider to any character or prop. Units are metres, kilograms and seconds.
physics = {}

---Changes settings of the physics world. Options that you leave out keep their values.
---@param options PhysicsOptions
function physics.set(options) end

---Defines the properties of a surface, for colliders that are created later. Built-in surfaces are stone, wood, metal, grass, gravel, sand, carpet, ice, rubber, glass, flesh and water.
---@param name string
---@param options SurfaceOptions
function physics.surface(name, options) end

---Creates or changes a collision layer. Two colliders collide only if the layer of each collides with the layer of the other. Built-in layers are `world`, `props`, `characters` and `ragdolls`, which all collide with each other.
---@param name string
---@param options? CollisionLayerOptions
function physics.layer(name, options) end

---Adds a box to the scene. It has a collider, unless `collider` is false. With a `mass` it falls and can be pushed.
---@param options? BoxOptions
---@return Character
function physics.box(options) end

---Adds a sphere to the scene. It has a collider, unless `collider` is false. With a `mass` it falls and can be pushed.
---@param options? SphereOptions
---@return Character
function physics.sphere(options) end

---Adds a capsule (a cylinder with round ends) to the scene. It has a collider, unless `collider` is false. With a `mass` it falls and can be pushed.
---@param options? CapsuleOptions
---@return Character
function physics.capsule(options) end

---Adds a cylinder to the scene. It has a collider, unless `collider` is false. With a `mass` it falls and can be pushed.
---@param options? CylinderOptions
---@return Character
function physics.cylinder(options) end

---Adds stairs to the scene. They rise along +Z from `position`, and `yaw` rotates them.
---@param options? StairsOptions
---@return Character
function physics.stairs(options) end

---Adds a ramp (a wedge) to the scene. It rises along +Z from `position`, and `yaw` rotates it.
---@param options? RampOptions
---@return Character
function physics.ramp(options) end

---Adds terrain: ground with a height for each point of a grid. Each cell can have its own surface, with its friction. Bodies do not catch on the edges between cells. A second call with the same name replaces the terrain; characters on it are lifted where the ground rises.
---@param options? TerrainOptions
---@return Character
function physics.terrain(options) end

---Creates a force field: a region, or the whole scene, in which a force acts on dynamic bodies and ragdolls. Give exactly one of `force`, `acceleration`, `wind`, `water`, `attractor` and `launch_velocity`. Bodies that sleep wake up when the field begins or changes.
---@param options ForceFieldOptions
---@return ForceField
function physics.force_field(options) end

---Picks up the object that a ray hit, at the position of the hit: a dynamic body, or a limb of a character. A soft spring pulls it to the `position` of the returned hand. A standing character falls, and does not get up while it is held. Returns nil if the object cannot move.
---@param hit { character: Character?, position: vector, bone: string? }
---@param options? GrabOptions
---@return Grab?
function physics.grab(hit, options) end

---Returns the first collider on the line between two positions, or nil. A hit has these fields: - `position` and `normal` in the world, `distance` from `from`, and the name of the `surface`; - `character`: the character or prop; nil for the floor; - `bone`, for a body of a ragdoll or with `exact`. With `exact`, the ray tests the visible triangles of characters, with or without colliders. Then `part` and `triangle` (counted from 1) name the triangle, and `barycentric` and `uv` the point in it.
---@param from vector
---@param to vector
---@param options? RaycastOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.raycast(from, to, options) end

---Returns all colliders on the line between two positions, the nearest first. The hits are like those of `raycast`.
---@param from vector
---@param to vector
---@param options? RaycastOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }[]
function physics.raycast_all(from, to, options) end

---Moves a shape from one position to another, and returns the first collider that it touches, or nil. The positions are those of its centre; the hit is like that of `raycast`.
---@param from vector
---@param to vector
---@param options? ShapeQueryOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.shape_cast(from, to, options) end

---Returns all characters and props with a collider that overlaps a shape at a position.
---@param at vector
---@param options? ShapeQueryOptions
---@return Character[]
function physics.overlap(at, options) end

---Pushes dynamic bodies away from a position, once, as an explosion does.
---@param at vector
---@param options? ExplosionOptions
function physics.explosion(at, options) end

---A force field, created by `physics.force_field`.
---@class ForceField
---@field enabled boolean True while the field is active. Set it to switch the field on and off.
---@field position vector Centre of the region, metres. An `attractor` moves with it.
local ForceField = {}

---Removes the force field.
function ForceField:remove() end

---A hand that holds a rigid body or a limb, created by `physics.grab`. It opens by itself when the body is removed, its character gets up, or the body is attached to a bone.
---@class Grab
---@field position vector? Position to which the spring pulls the body, metres. Set it to move the hand. It is nil when the hand is open.
---@field character Character? Character or prop that is held; nil when the hand is open.
local Grab = {}

---Opens the hand. The body keeps its velocity, so it can be thrown.
function Grab:release() end

---Texts, bars, boxes, images and captions over the picture. Colours are linear RGB. An element stays until you remove it or the script is reloaded. - Positions and sizes are in points of a screen of 1280 × 720, which is scaled to the real screen. - Anchors attach elements to corners and edges, so a layout works at any size. - With `world_position` or `character`, an element is a label in the world. Nothing in the scene hides it.
ui = {}

---Shows a text; `\n` in it begins a new line. Returns an element, with which you can change and remove the text.
---@param text string
---@param options? UiTextOptions
---@return UiElement
function ui.text(text, options) end

---Shows a bar, filled from the left by a value from 0 to 1, for example for health. Returns an element, with which you can change and remove the bar.
---@param value number
---@param options? UiBarOptions
---@return UiElement
function ui.bar(value, options) end

---Shows a rectangle. Returns an element, with which you can change and remove it.
---@param options? UiBoxOptions
---@return UiElement
function ui.box(options) end

---Shows an image file of the project: PNG, JPEG or WebP with at most 2048 × 2048 pixels. With only one of `width` and `height`, the other follows from the shape of the image. Without both, the longer side is at most 256 points. When the file changes, it is reloaded at once.
---@param file string
---@param options? UiImageOptions
---@return UiElement
function ui.image(file, options) end

---Shows a spoken line at the bottom of the screen. `speaker` is the name before the text, or "" for none. Lines wrap at two thirds of the screen's width. At most two captions are shown, the newer one below; a third replaces the oldest.
---@param speaker string
---@param text string
---@param options? CaptionOptions
---@return UiElement
function ui.caption(speaker, text, options) end

---An element over the picture, created by a function of `ui`. It stays until you remove it or the script is reloaded; a caption stays until its time is over. A label that follows a character is hidden when the character is removed.
---@class UiElement
---@field text string? Text of a text or a caption; nil for other elements.
---@field value number? Value of a bar, 0 to 1; nil for other elements.
---@field color vector Colour, as linear RGB. For a caption it is the colour of the speaker's name.
---@field opacity number Opacity: 0 is invisible, 1 is opaque.
---@field visible boolean True if the element is shown. Set it to false to hide the element.
---@field position vector Offset from the anchor in points: x to the right, y down.
---@field size (number|vector)? Size in points. For a text it is the height of the letters; for other elements a vector with the width (x) and the height (y). It is nil for a caption.
---@field world_position vector? Position in the world, metres; nil for an element on the screen. For a label that follows a character, setting it changes the offset from the followed position, along the world's axes.
local UiElement = {}

---Removes the element. Its handle has no effect any more.
function UiElement:remove() end

---Registers a test.
---@param name string
---@param run fun(t: table)
function test(name, run) end
