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
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field target_bone? string Bone that is used as the target, if the target is a character; the origin of the target; for `look_at` its face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: the space of the vector, either the world or the character's own space; world
---@field bones? string[]|{ [string]: number } Bones that rotate, each below the previous one: a list of names, or names with fractions of the rotation, { spine = 0.3, chest = 0.7 }; the spine up to the chest
---@field aim_bone? string Bone with which the line moves: the last of `bones` or one below it, for example a hand with a weapon; the last of `bones`
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
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
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
---@field sync? "feet"|"phase"|"free" How the clips are synchronised: "feet" makes their footsteps coincide, "phase" makes their starts and ends coincide, "free" does nothing; "feet", if the clips have step markers
---@field match_speed? boolean True changes the playback speed so that the character walks at the speed that the parameters give, in metres per second. So the feet do not slide; false
---@field param string Name of the parameter that selects the blend
---@field [integer] string|BlendPointOptions

---Settings of a blend over two parameters; its list holds points { x, y, clip } and clips
---@class Blend2dOptions
---@field sync? "feet"|"phase"|"free" How the clips are synchronised: "feet" makes their footsteps coincide, "phase" makes their starts and ends coincide, "free" does nothing; "feet", if the clips have step markers
---@field match_speed? boolean True changes the playback speed so that the character walks at the speed that the parameters give, in metres per second. So the feet do not slide; false
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
---@field offset? vector Offset from the bone or from the rigid body (metres). The axes are those of the character in its rest pose (+Y up, +Z forward); (0, 0, 0)

---Keys of a bone
---@class BoneKeys
---@field position? ClipKeys Positions in the space of the parent bone, or as `space` says (metres)
---@field rotation? ClipKeys Rotations in degrees, or quaternions
---@field scale? ClipKeys Scale factors
---@field space? "parent"|"rest"|"model" Reference frame of the keys; that of the clip
---@field interpolation? "linear"|"step"|"cubic" Interpolation between the keys; that of the clip

---A box prop
---@class BoxOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre (metres). For stairs and ramps, it is the middle of the lower end; (0, 0, 0)
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field name? string Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field size? vector Lengths of the edges along x, y and z, each 0.001 to 10000 (metres); (1, 1, 1)

---An alternative of `choose`; its list holds the steps
---@class BranchOptions
---@field weight? number Relative probability of this alternative (0 to 1000000); 1
---@field [integer] ConversationTurnOptions|PauseStep|CallStep|ChooseStep

---A call of a function in a conversation
---@class CallStep
---@field chance? number Probability that the step happens; otherwise it is skipped (0 to 1); 1
---@field call fun(talk: Conversation): any Function that is called. If it returns a task, a play, a sound or a conversation, the conversation waits for its end

---Position and view of the camera. Fields left out keep their values
---@class CameraOptions
---@field target? vector Point at which the camera looks (metres)
---@field yaw? number Direction in which the camera stands, seen from the target, as an angle around the Y axis (degrees). At 0 it stands towards +Z and sees the front of a character with yaw 0; at 90 it stands towards +X
---@field pitch? number Angle between the horizontal plane through the target and the line to the camera (degrees, -89 to 89). At 0 the camera is as high as the target; a positive value is higher, and 89 looks straight down
---@field distance? number Distance from the target (metres, 0.01 to 100000)
---@field fov? number Vertical field of view: the angle between the upper and the lower edge of the picture (degrees, 5 to 120). Smaller values look like a telephoto lens
---@field locked? boolean True prevents the player from rotating, moving and zooming the camera
---@field cut? boolean True moves the camera to a new target at once, as a cut in a film; false makes it glide there. Changes of `yaw`, `pitch`, `distance` and `fov` are always immediate; false

---Point of the picture, and the length of a ray through it
---@class CameraRayOptions
---@field x? number Horizontal position in the picture, from 0 at the left to 1 at the right; that of the pointer
---@field y? number Vertical position in the picture, from 0 at the top to 1 at the bottom; that of the pointer
---@field length? number Length of the ray (metres, 0 to 100000); 100

---A capsule prop
---@class CapsuleOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre (metres). For stairs and ramps, it is the middle of the lower end; (0, 0, 0)
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field name? string Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal (0 to 1); 0
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
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field target_bone? string Bone that is used as the target, if the target is a character; the origin of the target; for `look_at` its face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: the space of the vector, either the world or the character's own space; world
---@field yaw? number With `match_rotation`: rotation relative to the target, about its y axis, applied last (degrees); 0
---@field pitch? number With `match_rotation`: rotation relative to the target, about its x axis, applied second (degrees); 0
---@field roll? number With `match_rotation`: rotation relative to the target, about its z axis, applied first (degrees); 0
---@field solver? "ccd"|"fabrik" Method of the solver: "fabrik" pulls the whole chain to the target and bends it evenly, "ccd" rotates one bone after another, from the root; fabrik
---@field max_angle? number Maximum angle by which each bone may bend and twist away from the rest pose (degrees, 0 to 180); no limit
---@field flexibility? number For "ccd": fraction of the needed rotation that a bone makes in each iteration (0.01 to 1). Smaller values make the chain stiffer; 1
---@field match_rotation? boolean True gives the tip the rotation of the target, with `yaw`, `pitch` and `roll` added; false
---@field tolerance? number Distance from the target at which the solver stops (metres, 0.000001 to 10); 0.0001
---@field max_iterations? number Maximum number of iterations of the solver per tick (1 to 200); 32
---@field name? string Name of this modifier, for `character:modifier`; the name of the tip

---Options of a new character: transform, materials, and files of its clips
---@class CharacterOptions
---@field position? vector World position of the character's origin, which is on the ground between its feet (metres); the origin
---@field yaw? number Rotation about +Y (degrees). At 0 the character looks along +Z; 0
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
---@field chance? number Probability that the step happens; otherwise it is skipped (0 to 1); 1
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
---@field fade? number Length of the cross-fade from one clip to the next (seconds, 0 to 60); 0.2
---@field allow_repeat? boolean True allows the same clip twice in a row; false
---@field [integer] string|(string|number)[]

---Keys and settings of a clip
---@class ClipOptions
---@field duration? number Duration of the clip, in seconds, or in the time unit that `ticks_per_second` sets; the time of the last key or marker
---@field ticks_per_second? number Number of time units in a second. It applies to all times in this table. With 30, for example, times are frames at 30 frames per second; 1
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip, unless `play` sets another: "once" stops, "loop" starts again, "pingpong" plays backwards and forwards; "once"
---@field interpolation? "linear"|"step"|"cubic" Values between keys: "linear" is a straight line, "step" keeps the last key, "cubic" is a smooth curve; "linear"
---@field space? "parent"|"rest"|"model" What the keys of bones are relative to: the parent bone, the rest pose along the bone's axes, or the rest pose along the model's axes; "parent"
---@field bones? { [string]: BoneKeys } Keys of bones, by the name of the bone
---@field morphs? { [string]: ClipKeys } Keys of morph targets, by the name of the target
---@field curves? { [string]: ClipKeys } Keys of curves (named numbers over time), by the name of the curve
---@field markers? ({ [number | string]: number|string|boolean })[] Markers (named moments that emit events). Each is a list with its time, its name and further fields: { 0.3, "step", foot = "left" }

---Chains of a character's bones that move as cloth
---@class ClothChainOptions
---@field stretch? number Elasticity: 0 does not stretch, 1 stretches like rubber (0 to 1); 0
---@field stiffness? number Stiffness against bending: 0 is like silk, 1 like felt (0 to 1); 0.2
---@field drag? number Drag: rate at which the motion slows down, per second (0 or more). At 1, a point loses 63 % of its speed in a second. Values above 60 count as 60; 0.6
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
---@field drag? number Drag: rate at which the motion slows down, per second (0 or more). At 1, a point loses 63 % of its speed in a second. Values above 60 count as 60; 0.6
---@field friction? number Friction on bodies and on the floor; 0 is slippery (0 or more); 0.4
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Distance that the rope or cloth keeps from bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] Character to collide with, or a list of up to 16 characters
---@field colliders? ClothCollider[] List of up to 64 fixed shapes to collide with. A sphere is { position = …, radius = … }. A capsule is { from = …, to = …, radius = … }. A box is { position = …, size = …, yaw = … }
---@field floor? boolean True makes it collide with the floor; true
---@field position? vector Centre of the upper edge (metres); (0, 2, 0)
---@field yaw? number Rotation about +Y, applied last (degrees). At 0 the cloth faces +Z; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second. At 90 the cloth is horizontal and extends from `position` along -Z; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field size? vector Width (x) and height (y) of the cloth, each more than 0 (metres); (1, 1, 0)
---@field hem? number Width of the lower edge, as a multiple of the upper edge (0 or more). Values below 0.01 count as 0.01, and values above 20 as 20; 1
---@field columns? number Number of particles along the width (2 to 64). `columns` times `rows` must be at most 1024; 12
---@field rows? number Number of particles along the height (2 to 64). `columns` times `rows` must be at most 1024; 12
---@field pins? "top"|"corners"|"none"|ClothPin[] Particles that are held: the upper edge ("top"), its two corners ("corners"), none ("none"), or a list of pins; top
---@field color? vector Colour, as linear RGB; (0.5, 0.04, 0.03)
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.85
---@field name? string Name of the rope or cloth, by which a hot reload finds it again

---A particle of cloth that is fixed in place or held by a bone
---@class ClothPin
---@field character? Character Character or prop that holds this point of the rope or cloth
---@field bone? string Bone of the character that holds this point; none for a rigid body; otherwise required
---@field offset? vector Offset from the bone or from the rigid body (metres). The axes are those of the character in its rest pose (+Y up, +Z forward); (0, 0, 0)
---@field u? number Position of the pin along the width of the cloth, from 0 at one side to 1 at the other (0 to 1); 0
---@field v? number Position of the pin along the height of the cloth, from 0 at the upper edge to 1 at the lower (0 to 1); 0

---Rigid body of a character or a prop
---@class ColliderOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
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
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0

---Layers that a layer collides with
---@class CollisionLayerOptions
---@field collide_with? string|string[] Layers with which this layer collides. It does not collide with any other layer; unchanged; for a new layer all
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
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field speed? number for `jump`: speed upwards; for `land` and `bump`: speed of the impact (metres per second)
---@field height? number for `land`: height of the fall from its highest point; for `step_up`: height of the step (metres)
---@field slope? number for `slide` and `slide_end`: slope of the ground, degrees
---@field other? Character the other character or prop; nil for the floor
---@field position? vector position of the contact in the world, metres; nil for `jump` and `fall`
---@field normal? vector direction away from the surface at `position`, with length 1
---@field surface? string name of the surface (see `physics.surface`), or "" without one
---@field source string "controller"

---Settings of a character controller. An option left out keeps its value; a new controller starts with the defaults
---@class ControllerOptions
---@field radius? number Radius of the capsule, at scale 1 (metres, 0.001 to 1000); fitted to the model
---@field height? number Height from the soles to the top of the head, at scale 1 (metres, 0.002 to 1000); fitted to the model
---@field crouch_height? number Height while the character crouches, at scale 1 (metres, 0.002 to 1000); 0.6 of `height`
---@field max_step_height? number Highest step of stairs that the character climbs, at scale 1, at most `height` (metres, 0 to 1000). Low edges are always climbed, even with 0, because the bottom of the capsule is round: up to radius × (1 - cos `max_slope`), 0.11 m for a radius of 0.3 m; 0.2 of `height`
---@field max_slope? number Steepest slope that the character can walk on (degrees, 0 to 85); 50
---@field gravity? number Acceleration downwards (metres per second squared, 0 to 10000). With 0 the character flies, and `move` also moves it up and down; the gravity of `physics.set` at that time
---@field max_fall_speed? number Maximum speed of falling (metres per second, 0.1 to 1000); 55
---@field acceleration? number Acceleration with which the character speeds up (metres per second squared, 0 to 100000); 12
---@field deceleration? number Deceleration with which the character slows down (metres per second squared, 0 to 100000); 16
---@field air_control? number Fraction of the acceleration that the character has in the air (0 to 10); 0.3
---@field turn_rate? number Maximum speed at which the character turns to its direction of movement (degrees per second, 0 to 100000); 540
---@field turn_to_movement? boolean True turns the character to its direction of movement. With false, the script sets `yaw`; true
---@field jump_height? number Height of a jump by `jump` (metres, 0 to 1000); 0.3 of `height`
---@field coyote_time? number Time after walking off an edge in which the character can still jump (seconds, 0 to 2); 0.1
---@field jump_buffer? number Time before the landing in which a call of `jump` is kept, so that the character jumps as it lands (seconds, 0 to 2); 0.12
---@field mass? number Mass at scale 1 (kilograms, 0 to 1000000). The character presses on the body below with it; 12 times the cube of `height`
---@field push_force? number Maximum force with which the character pushes dynamic bodies, at scale 1 (newtons, 0 to 1000000000); 7 times `mass`
---@field layer? string Collision layer of the capsule, see `physics.layer`; characters

---A turn of a conversation begins (`turn`) or ends (`turn_end`), or the conversation ends (`end`)
---@class ConversationEvent
---@field name string "turn", "turn_end" or "end"
---@field time number time of the event, as in `now()`, seconds
---@field turn? number number of the turn: its position in the list of the conversation
---@field speaker? string name of the speaker, as in `cast` of the conversation
---@field to? string name of the character to whom the speaker talks, or "all"
---@field character? Character character that speaks
---@field text? string for `turn`: text of the line
---@field reason? string for `turn_end`: "end", "interrupted" or "unavailable"; for `end`: the `end_reason` of the conversation

---A turn: the name of the speaker, then the line as in `say`
---@class ConversationTurnOptions
---@field chance? number Probability that the step happens; otherwise it is skipped (0 to 1); 1
---@field to? string Name of the character to whom the speaker talks, or "all"; the previous speaker, otherwise the next one
---@field gap? number Pause between the end of the previous turn and the start of this one (seconds, 0 to 600); about 0.2
---@field overlap? number Time by which this turn begins before the end of the previous one (seconds, 0 to 600)
---@field interrupt? "now"|"word"|"phrase"|boolean Makes this turn interrupt the previous speaker. It says when the previous line is cut: "now" at once, at the end of a "word", or at the end of a "phrase". True means "phrase"; false
---@field after? number|string With `interrupt`: time after which the previous line is cut, in seconds from its start, or the word of that line at which it is cut (0 to 600); about 0.6 of the line
---@field resume? boolean True makes the speaker continue the line in which it was interrupted before; false
---@field [integer] string|SayLine

---Cast and settings of a conversation; its list holds the steps
---@class ConversationTurns
---@field cast { [string]: Character } Characters that take part, by name
---@field name? string Name by which a hot reload finds the conversation again and continues it; the names of the cast
---@field gap? number Average pause between two turns (seconds, 0 to 60); 0.2
---@field nod_chance? number How often listeners react to the speaker, for example with a nod; 0 is never (0 to 1); 0.6
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
---@field colors? { [string]: vector[] } Lists of colours (linear RGB) by the names of materials: { coat = { vec(0.4, 0.1, 0.1), … } }. Each agent gets one colour from the list, which replaces that of the material
---@field radius? number Radius of the space that an agent needs, at scale 1 (metres, 0.05 to 10); 0.25
---@field idle? string|string[] Clip of a standing agent. From a list, each model uses the first clip that it has; "idle"
---@field walk? string|string[] Clip of a walking agent. From a list, each model uses the first clip that it has; "walk"
---@field run? string|string[] Clip of a running agent. From a list, each model uses the first clip that it has; "run"
---@field forward_axis? "auto"|"+z"|"-z"|"+x"|"-x"|("auto"|"+z"|"-z"|"+x"|"-x")[] Direction that the models face in their files, or a list with one direction for each model. With "auto", toes, eyes, the names of bones and walking clips decide; "auto"
---@field walls? vector[][] Walls that no agent crosses. Each is a line between two positions: { { a, b }, … }
---@field obstacles? ((vector|number)[])[] Round obstacles that agents avoid, as a list of positions and radii in metres: { { vec(1, 0, 2), 0.5 }, … }
---@field navmesh? Navmesh Navigation mesh on which agents find their paths, made by `navmesh { … }`. Without it they walk straight to their goals
---@field avoidance? "orca"|"push" Method of collision avoidance. With "orca" agents look ahead and walk around each other. "push" is the method of the book *Character Animation with Direct3D*: agents push each other apart within 3 m, walk at 2 metres per second, and count as arrived 3 m before the goal; orca
---@field states? { [string]: CrowdStateOptions } States that define the behaviour of agents, by name: { walk = { on = { arrived = "rest" } }, rest = { clip = "sit", duration = { 3, 8 }, next = "walk" } }
---@field start? string State in which agents start; the only state
---@field meet_chance? number Probability that two agents that walk towards each other both get the event `met` (0 to 1); 0.3
---@field promote_distance? number|PromoteOptions Distance from the camera within which agents become full characters, with a face: a number, or { distance = 6, max_characters = 8 } (metres, 0 to 1000); none
---@field on_promote? fun(crowd: Crowd, agent: number, character: Character, again: boolean) Called when an agent has become a full character. After a hot reload, it is called for every agent that is a character at that moment. `again` is true if the agent was a character before. The character then has the mood, decals and held objects of that earlier time
---@field group_size? number|number[] Number of agents in the groups that walk together behind a leader: one number, or { low, high } for a random one (1 to 12); 1
---@field yaw? number Direction that all agents face at the start, as an angle around the Y axis: 0 is +Z, 90 is +X (degrees); random for each agent
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
---@field goal? vector|vector[] Position to which agents walk (metres). From a list, each agent takes the nearest position
---@field flee_distance? number Makes agents flee to this distance from the position of the event that led to this state (metres, 0.1 to 1000)
---@field wander_turn_rate? number Makes agents without a goal wander, with random turns up to this speed (degrees per second, 0 to 720). With 0 they walk straight until something blocks them
---@field follow_scent? ScentField Scent field (see `scent_field`) that agents follow: they wander and turn towards the stronger scent
---@field leave_scent? ScentField Scent field (see `scent_field`) in which agents leave scent where they walk
---@field scent_amount? number Amount of scent that an agent leaves in the field `leave_scent` (per metre, 0 to 1000000); 1
---@field detect? vector|vector[] Position, or a list of positions (metres). An agent within `range` of one gets the event `found` with that position
---@field spread_event? string Event that an agent in this state sends to other agents within `range`. Its subject is the position of the event that led to the state
---@field immune_time? number Time after the state in which an agent ignores `spread_event` from other agents (seconds, 0 to 1000000). It never ignores events that the script sends; twice the longest time in `duration`, or 20
---@field range? number Distance within which `spread_event` and `detect` work (metres, 0.1 to 50); 2
---@field use_objects? boolean True allows smart objects to attract agents in this state. An agent that enters the state leaves its object or queue, unless you set `use_objects = true` yourself; true, except with `flee_distance`
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
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field line number number that all events of this line have
---@field cue string name of the cue, as written in the line
---@field [string] any further fields, which the file or the script has added

---A cylinder prop
---@class CylinderOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre (metres). For stairs and ramps, it is the middle of the lower end; (0, 0, 0)
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field name? string Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal (0 to 1); 0
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
---@field depth? number Height of the relief from the black to the white parts of the height map (metres, -0.1 to 0.1). A negative value inverts the relief; from the kind; 0.002 for a picture with a height map
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
---@field yaw? number Rotation of the environment map around the Y axis (degrees); 0
---@field intensity? number Factor on the brightness of the light from the environment map (0 or more); 1
---@field background? boolean True shows the environment map as the background of the picture; false shows the sky; true
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
---@field exclude? Character|Character[] Character or prop to ignore, or a list of them
---@field layers? string|string[] Collision layers in which to search; all
---@field sensors? boolean True also finds sensors; false
---@field radius? number Distance from the centre beyond which the explosion has no effect (metres, 0 or more); 3
---@field impulse? number Impulse (force times time) on a body at the centre (newton seconds, 0 or more). With the distance it decreases to 0 at `radius`; 50
---@field lift? number Fraction of the impulse that points up; the rest points away from the centre (0 to 1); 0.25

---Fade of a value of a face
---@class FaceFadeOptions
---@field fade? number Time in which the face changes to the new value (seconds, 0 to 1000); 0

---Settings of a face. A missing field keeps its value; `channels` resets all others
---@class FaceOptions
---@field channels? "unlimited"|"four" Number of parts that can move at the same time. "four" allows one blink, one emotion and two mouth shapes; "unlimited" allows all. If you set this option, all other settings are reset first; "unlimited"
---@field mouth_weight? number Factor on the effect that mood and clips have on the mouth while the character speaks (0 to 1); 1/3
---@field asymmetry? number How much the left and the right side of the face differ (0 to 1). A small value looks natural, 0 makes both sides equal; 0.06
---@field max_active_targets? number Maximum number of morph targets that move at the same time; 0 means no limit (0 to 10000). Above the limit, only the targets with the largest weights move; 0
---@field blink_rate? number Factor on how often the character blinks; with 0 it never blinks (0 to 20); 1

---Materials and variant of an appearance
---@class FaceVariant
---@field materials? { [string]: MaterialOptions } Changes of materials, by the name of the material, as in `character`
---@field variant? string Variant of the materials, one of `character:variants()`

---The character begins to fall (`knock_down`), lies still (`settle`), begins to get up (`get_up`), stands again (`get_up_end`) or has died (`die`)
---@class FallEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field posture? string for `settle` and `get_up`: how the character lies, "face_up", "face_down", "side" or "upright"

---View of the camera in first person. Fields left out keep their values
---@class FirstPersonOptions
---@field yaw? number Direction of the view, as an angle around the Y axis (degrees). As in `camera.orbit`, 0 looks along -Z and 180 along +Z, so use the character's yaw plus 180; the direction that the character faces
---@field pitch? number Angle of the view below the horizon (degrees, -89 to 89). A positive value looks down, a negative value up; 0
---@field fov? number Vertical field of view: the angle between the upper and the lower edge of the picture (degrees, 5 to 120). Smaller values look like a telephoto lens; 70
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
---@field separation_distance? number Distance below which members move away from each other (metres, 0 to 1000). Two members never come nearer than a quarter of this distance, or than 0.3 m if that is less; 1.2
---@field alignment? number Alignment: strength with which members take on the velocity of their neighbours (0 to 1000); 1.2
---@field cohesion? number Cohesion: strength with which members move towards the middle of their neighbours (0 to 1000); 0.8
---@field neighbor_radius? number Distance up to which other members count as neighbours (metres, 0 to 1000); 3
---@field ground_avoidance? number Strength with which members rise when they are less than `clearance` above the ground (0 to 1000). The strength grows with each missing metre; 6
---@field clearance? number Height above the ground below which members rise (metres, 0 to 1000); 2
---@field min_height? number Minimum height above the ground, which no member goes below (metres, 0 to 1000); 0.3
---@field turn_rate? number Maximum change of the velocity in a second, as a multiple of the highest `speed` (per second, 0 to 1000). Higher values give tighter turns; 1.5
---@field home_weight? number Strength with which members return when they are outside `home_radius` (0 to 1000). With 0 the flock flies anywhere; 2
---@field home_radius? number Radius of the home around `position` (metres, 0 to 100000). No member flies farther than 1.1 times this distance from the centre; 20
---@field avoid? number Strength with which members avoid obstacles ahead (0 to 1000). With 0 they fly through obstacles; with any other value they never enter one; 6
---@field lean? number How far members lean into turns (banking): 1 for birds, 0 for fish (0 to 4); 1
---@field leaders? number Number of leaders, which are the first members of the flock (0 to 20000). The script moves them with `steer`, and the others follow; 0
---@field leader_weight? number Strength with which members follow the nearest leader (0 to 1000); 2
---@field preset? "custom"|"classic" Set of rules. "custom" uses the other options. "classic" uses the fixed rules of the book *Character Animation with Direct3D*: separation 15 within 2.5 m, alignment and cohesion 1 within 3.5 m, attraction to a point 15 m up, 3 metres per second; custom
---@field steering? fun(flock: Flock, number: number, position: vector, velocity: vector): vector Your own rule: a function that is called 20 times a second for each member and returns an acceleration in metres per second squared. `number` is the number of the member
---@field seed? number Seed of the flock's random numbers. The same seed gives the same flock; 1
---@field name? string Name by which a hot reload finds the flock again; none: found by the order of creation

---Density and height of the fog. An option that is left out keeps its value
---@class FogOptions
---@field color? vector Colour, as linear RGB
---@field density? number Density of the fog: about the fraction of the light that is lost per metre (0 to 100). 0 is clear air, 0.02 is mist
---@field height? number Height above `base` at which the density has decreased to about a third (metres, 0.01 or more). Without this option, the fog has the same density everywhere
---@field base? number Height at which the fog is densest (metres)

---Options of `hero:foot_ik`. Fields left out keep their values
---@class FootIkOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field lock_feet? boolean True keeps a planted foot where it is until it lifts; false lets it slide as the clip does; true
---@field step_events? boolean True emits the event `step` when a foot touches the ground. False emits the markers named `step` of the clips instead; true
---@field unlock_distance? number A planted foot that is farther than this from its position in the clip makes a step of its own (0 to 10). Fraction of the leg's length; 0.3
---@field max_up? number Maximum height of the ground above the character's position that a foot follows, as a fraction of the leg's length (0 to 10); 0.55
---@field max_down? number Maximum depth of the ground below the character's position that a foot follows, as a fraction of the leg's length (0 to 10); 0.55
---@field max_slope? number Steepest slope to which the feet tilt (degrees, 0 to 85); 40
---@field pelvis_weight? number How far the body sinks and rises so that the feet reach the ground; 0 keeps the height of the clip (0 to 1); 1
---@field smooth_time? number Time in which the height of the body follows the ground (seconds, 0 to 10). Longer times are smoother; 0.12

---A force and its region. Exactly one of force, acceleration, wind, water, attractor and launch_velocity is required
---@class ForceFieldOptions
---@field shape? "everywhere"|"box"|"sphere"|"capsule" Shape of the region; "box" with a `size`, "sphere" with a `radius`, otherwise "everywhere"
---@field position? vector Centre of the region in the world (metres); (0, 0, 0)
---@field size? vector For a box: lengths of its edges, each more than 0; required (metres)
---@field radius? number For a sphere or a capsule: radius (metres, more than 0); 1
---@field height? number For a capsule: height from end to end (metres, more than 0); 2
---@field yaw? number Rotation of the region around the Y axis (degrees); 0
---@field force? vector Force on each body (newtons)
---@field acceleration? vector Acceleration of each body, independent of its mass (metres per second squared)
---@field wind? vector Velocity of the air (metres per second). It pushes bodies; large bodies are pushed more strongly than small ones
---@field water? boolean|number Density of a liquid that fills the region; true means 1000, the density of water (kilograms per cubic metre). If `shape` is "everywhere", the liquid fills everything below the height of `position`
---@field current? vector With `water`: velocity of the liquid, which carries bodies along (metres per second); (0, 0, 0)
---@field drag? number Drag (0 or more). With `wind` it is the drag coefficient of the bodies: how strongly the wind grips them. With `water` it is how strongly bodies slow down; at 1 they lose about 63 % of their speed in a second; 1 with `wind`, 2 with `water`
---@field attractor? vector Position that attracts bodies (metres). The acceleration of a body is `attraction` divided by the square of its distance. With a negative `attraction`, the position repels bodies
---@field attraction? number Acceleration of a body towards the `attractor` at a distance of 1 m (metres per second squared); 10
---@field launch_velocity? vector Velocity that a body gets once when it enters the region, as on a jump pad (metres per second). A body that is already faster in this direction keeps its speed
---@field layers? string|string[] Collision layers on which the field acts; all
---@field enabled? boolean True if the field is active; true

---Settings of a random face
---@class GenerateOptions
---@field seed? number Seed of the random numbers. The same seed gives the same face; one that depends on the character
---@field variation? number How much the face differs from the face of the model; 0 is not at all (0 to 3); 1
---@field asymmetry? number How much the left and the right side of the face differ (0 to 1); 0.15
---@field fixed? { [string]: number } Weights that you choose instead of random ones, by the name of the face shape
---@field only? string|string[] Name of the face shape to change, or a list of names. All others keep their weights; all
---@field variants? (string|FaceVariant)[] List of appearances, such as skin colours, from which one is chosen at random. Each is the name of a variant of the model, or a table with a variant and changes of materials
---@field uniform? boolean True makes all weights from 0 to 1 equally likely, in steps of 0.001, as in the book *Character Animation with Direct3D*; false

---Spring between a hand and a body
---@class GrabOptions
---@field frequency? number Stiffness of the spring, given as its frequency (hertz, 0.1 to 15). With higher values, the object follows the hand faster; 4
---@field max_force? number Maximum force with which the hand pulls, along each axis (newtons, 0 or more); 200 per kilogram that hangs on the hand

---Options of `hero:grip`
---@class GripOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit

---Changes to the floor. An option that is left out keeps its value
---@class GroundOptions
---@field height? number Height of the floor (metres); 0
---@field color? vector Colour, as linear RGB
---@field grid? number Distance between the lines of the grid; 0 is no grid (metres, 0 or more); 1
---@field color_variation? number How much the colour of the floor varies from place to place; 0 is the same colour everywhere (0 to 1); 0.3
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
---@field clump? number How far the strands of a lock (a tuft of hair) come together at their tips; at 1 they meet in a point (0 to 1); 0 or as the haircut
---@field lock_size? number Approximate number of strands in a lock (0 to 10000); 20 or as the haircut
---@field frizz? number Random distance by which the tips of strands stand out (metres, 0 to 0.5); 0 or as the haircut
---@field curl? number Radius of the curls (metres, 0 to 0.5). Curls need at least eight `points` per curl; 0 or as the haircut
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
---@field damping? number Damping: rate at which the motion relative to the head slows down (per second, 0 or more). Higher values stop it sooner; 4
---@field air_drag? number Drag: rate at which hair takes on the speed of the air (per second, 0 or more). Higher values make it react more to the wind; 1.5
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10). Gravity acts only as far as the head tilts, so hair on an upright head keeps its shape; 1
---@field wet? number Wetness: from 0, dry, to 1, dripping (0 to 1). Wet hair is soft and hangs down; 0
---@field follow? number Fraction of the head's motion that the hair follows immediately, without swinging (0 to 1); 0.1
---@field collision_margin? number Distance that the hair keeps from bodies (metres, 0 or more); 0.003
---@field friction? number Friction on bodies: fraction of the motion along a body that is lost on contact (0 to 1); 0.2
---@field collide_with? boolean|Character|Character[] False turns collisions off. A character, or a list of characters, adds bodies to that of the wearer; true: with the wearer
---@field simulation? "chains"|"springs" Method of simulation: "chains" keeps the length of each strand, "springs" is the method of the book *Character Animation with Direct3D*, chapter 15, with a random wind; chains
---@field cut? "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|HaircutOptions Haircut: its name, or { style = name, … } with changes. It sets the defaults of the other options
---@field file? string File with strands: `.tfx` (TressFX, binary or text), `.hair`, or the lines of a `.glb` or `.gltf`. A `.hair` file has the format of Cem Yuksel's hair models, or that of the book *Character Animation with Direct3D*
---@field scale? number For a file: length of its unit (metres, 0 or more); 1
---@field yaw? number For a file: rotation of its strands about +Y, applied first (degrees); 0
---@field offset? vector For a file: offset of its strands, applied last (metres). The axes are those of the character in its rest pose; (0, 0, 0)
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
---@field droop? number How much the hair bends down along its length (radians per metre, -100 to 100). A negative value bends it up
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
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field bone? string name of the bone that was hit
---@field reaction string reaction of the character: "none", "flinch", "brace", "stagger" or "fall"
---@field impulse vector impulse of the hit (mass times change of velocity), newton seconds
---@field position vector position of the event in the world, metres
---@field damage number health that the hit takes, 0 to 1
---@field other? Character thing or character that hit, such as a thrown ball; nil for a hit by a script without `other`

---A hit on a character
---@class HitOptions
---@field impulse vector Impulse: mass times change of velocity (newton seconds). A thrown ball has 3, a punch 20 to 40, a collision with a runner 100, with a car 500
---@field bone? string Bone that is hit; the bone nearest to `position`, otherwise the chest
---@field position? vector Position of the hit in the world (metres); that of the bone
---@field damage? number Amount of health that the character loses (0 to 1); 0
---@field other? Character Thing or character that hits, for the event `hit` and for `on_hit`
---@field reaction? "none"|"flinch"|"brace"|"stagger"|"fall" Reaction of the character, instead of the computed one; computed from impulse, mass, balance and health

---Thresholds of a character's reactions to hits. An option that is left out keeps its value
---@class HitReactionOptions
---@field on_hit? fun(hit: { bone: string?, position: vector, impulse: vector, damage: number, reaction: string, other: Character? }): (string|boolean)?|boolean Function that is called before a hit takes effect. `hit.other` is the thing or character that hits, if there is one. The function may return another reaction, or false to ignore the hit. It must not hit the same character. `on_hit = false` removes the function
---@field flinch_threshold? number Strength of a hit (impulse divided by mass) from which a limb gives way (metres per second, 0 or more); 0.01
---@field brace_threshold? number Strength of a hit (impulse divided by mass) from which the whole upper body gives way (metres per second, 0 or more); 0.35
---@field stagger_threshold? number Strength of a hit (impulse divided by mass) from which the character staggers (metres per second, 0 or more); 0.9
---@field fall_threshold? number Strength of a hit (impulse divided by mass) from which the character falls (metres per second, 0 or more); 1.9
---@field get_up_delay? number|boolean Time for which the character lies still until it gets up by itself; a disturbance makes this time longer (seconds, 0 or more). False makes the character stay down. The event `settle` comes after 0.25 s of stillness; 0.6
---@field hit_on_touch? boolean True makes bodies that collide with the character hit it, as `hit` does; true while the limbs are bodies
---@field ragdoll_quality? "fast"|"exact" Accuracy of the ragdoll when the character falls. "fast" takes less time, for many ragdolls at once, but joints give way a little under load; "exact"

---Options of `hero:idle_motion`. Fields left out keep their values
---@class IdleMotionOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field breath? number Factor on the depth of breathing; 0 is none (0 to 4); 1
---@field sway? number Factor on the shift of weight from foot to foot, which needs `foot_ik` (0 to 4); 1
---@field noise? number Factor on the small random motions of torso, arms and fingers (0 to 4); 1
---@field effort? number Effort: from 0, at rest, to 1, out of breath (0 to 1); 0
---@field valence? number Mood: from -1, sad, to 1, glad (-1 to 1). It lowers or raises the chest; 0
---@field arousal? number Arousal: from -1, sleepy, to 1, excited (-1 to 1). It makes all motions slower or faster; 0

---An interaction of a prop: its use, its position and its timing
---@class InteractionOptions
---@field kind? "hold"|"lever"|"pick_up"|"seat"|"ladder" What the user does: "hold" holds on with the hand, "lever" swings the prop about its hinge, "pick_up" takes the prop along, "seat" sits down, "ladder" climbs; hold
---@field pivot? vector For a lever: position of the hinge, in the prop's own space (metres); (0, 0, 0)
---@field axis? vector For a lever: axis of the hinge, in the prop's own space; the x axis
---@field swing? number For a lever: angle by which it turns within `hold_time` (degrees). The next use turns it back; 60
---@field rung_offset? vector For a ladder: offset from each rung to the next (metres). The lowest rung is at `position`; (0, 0.28, 0)
---@field rungs? number For a ladder: number of rungs (1 to 500); 8
---@field width? number For a ladder: distance between the rails (metres, 0.1 to 10); 0.4
---@field rails? number For a ladder: length of the rails above the last rung (metres, 0 to 10); 0
---@field top? vector For a ladder: position where the user stands at the top, in the prop's own space (metres); 0.5 m beyond the last rung, at its height
---@field bone? string Bone of the prop with which the interaction point moves; the prop itself
---@field position? vector Position of the palm, or of the wrist of a hand without fingers, in the space of `bone` (metres). For a seat, position of the hips; (0, 0, 0)
---@field hand_rotation? vector Yaw, pitch and roll of the hand at `position` (degrees); follows the arm
---@field grip? number How far the fingers close; 1 is a fist (0 to 1); 0.6; lever and ladder 0.75, `pick_up` 0.55, seat 0
---@field radius? number Distance from the palm to `position`, which is the centre of the held object (metres, 0 to 1); fitted to the hand
---@field bar? vector For a bar or handle: direction of its length, in the space of `bone`. The hand turns until the bar lies across the palm
---@field stand_position? vector Position where the user stands, in the prop's own space (metres). Its height has no effect; the user's current position
---@field stand_yaw? number Direction that the user faces, about +Y in the prop's own space (degrees); towards the interaction
---@field hand? string Limb that reaches for `position`, such as "left_hand"; right_hand
---@field other_hand? vector Position of the second hand, for props that need two hands, in the space of `bone` (metres)
---@field clip? string Clip of the character that uses the prop
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
---@field tip? vector Position of a mass in the bone's space (metres). With it, the bone rotates as if the mass swung; without it, the bone moves
---@field weight? number Blend weight (0 to 1); 1

---Height of a jump
---@class JumpOptions
---@field height? number Height of this jump (metres, 0 to 10000); `jump_height` of the controller
---@field speed? number Speed upwards, instead of `height` (metres per second, 0 to 10000)

---Rules of a language
---@class LanguageOptions
---@field rules? string[][] List of rules { left, letters, right, sounds }. The sounds are written in ARPAbet, an alphabet of speech sounds such as "TH" and "AA1". The first rule that matches is used
---@field base? string Language that is used for everything that this table does not define: rules, numbers and names of letters; the known language of the same name, if there is one
---@field stress? string Which syllable of a word is stressed: "first", "last", "penultimate" (last but one), "antepenultimate" (last but two) or "none". Or a list for different words, such as "ion_ -2; _ver 2; 1": the last but one in words that end in "ion", the second in words that begin with "ver", the first in all others; that of the base, or "first"
---@field vowels? string Letters that are vowels, written as one text such as "aeiou"; those of the base, or "aeiou"
---@field digits? string[] List of the ten words for 0 to 9. With it, numbers are read digit by digit; those of the base
---@field default? boolean True makes this the language of all lines without the option `language`; false

---Options of `hero:lean`. Fields left out keep their values
---@class LeanOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field turn? number Lean in turns, as a fraction of the angle that would keep the body in balance (0 to 4); 0.7
---@field acceleration? number Lean while the character speeds up and slows down, as a fraction of the angle that would keep it in balance (0 to 4); 0.4
---@field slope? number Lean into a hill, as a fraction of the angle of the slope (0 to 4); 0.35
---@field max_angle? number Maximum angle of the lean in any direction (degrees, 0 to 60); 20
---@field smooth_time? number Time in which the lean follows a change (seconds, 0 to 10). Longer times are smoother; 0.18

---Filter of a listener
---@class ListenerOptions
---@field min_weight? number Minimum blend weight of the clip, 0 to 1. Markers of clips with less weight are left out; 0
---@field all_clips? boolean True also calls the listener for markers of blended clips that do not have the highest weight; false

---Options of `hero:look_at`
---@class LookAtOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field target_bone? string Bone that is used as the target, if the target is a character; the origin of the target; for `look_at` its face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: the space of the vector, either the world or the character's own space; world
---@field chest_weight? number How far the chest turns with the gaze: the fraction of the angle beyond 25 degrees that it takes (0 to 1). At 0 the chest stays still; 0.35
---@field view_angle? number Full angle of the view cone, in which the character notices targets; its middle is straight ahead (degrees, 0 to 330). A noticed target is dropped only outside a cone that is 30 degrees wider; 120
---@field out_of_range? "release"|"clamp" Behaviour for a target outside the view cone: "release" looks elsewhere, "clamp" looks as far towards it as possible; release
---@field eye_activity? number Strength of small random eye movements; 0 keeps the eyes still (0 to 1); 1
---@field blink_rate? number Factor on how often the character blinks; with 0 it never blinks (0 to 20); 1
---@field gaze_mode? "steady"|"listening"|"speaking" How often the character looks away from the target: "steady" hardly ever, "listening" a quarter of the time, "speaking" more than half of it; steady
---@field target_radius? number Radius of the target, within which the gaze moves (metres, 0 or more); that of a face for characters, otherwise 0
---@field eyes_weight? number Fraction of their range of motion that the eyes use (0 to 1); 1
---@field head_weight? number Fraction of its range of motion that the head uses (0 to 1); 1
---@field max_eye_side? number Maximum angle of the eyes to the side, instead of that of the file (degrees, 0 to 90); that of the file (VRM), otherwise 35
---@field max_eye_up? number Maximum upward angle of the eyes, instead of that of the file (degrees, 0 to 90); that of the file (VRM), otherwise 25
---@field max_eye_down? number Maximum downward angle of the eyes, instead of that of the file (degrees, 0 to 90); that of the file (VRM), otherwise 35
---@field turn_in_place? boolean|TurnInPlaceOptions True, or a table of options, makes the character turn on the spot to a target outside its view cone. It turns only while it stands and nothing else moves it; false

---Settings of a layer; its list holds states and transitions
---@class MachineLayerOptions
---@field mask? string|string[]|{ [string]: number } Bones that the layer moves, each with all bones below it: a name, a list, or names with weights, such as { left_arm = 1, chest = 0.3 }. If a bone belongs to several of these names, the name with the fewest bones counts. A `*` in a name matches any text. Parts of a humanoid are names too, such as "upper_body"; the whole body
---@field weight? number|string Blend weight of the layer from 0 to 1, or the name of a parameter; 1
---@field additive? boolean|"first"|"rest" True adds the motion of the clip to the pose of the layers below instead of replacing that pose. The motion is the difference between the clip and its first frame (true or "first"), or between the clip and the rest pose ("rest"); false
---@field max_distance? number Distance between character and camera beyond which the layer is off (metres, 0 or more)
---@field [integer] MachinePiece

---Parameters of a machine; its list holds layers, or states and transitions
---@class MachineOptions
---@field params? { [string]: number|boolean } Parameters (numbers and booleans that conditions read), with their default values
---@field [integer] MachinePiece

---Settings of a state; its list holds a clip or motion, or states and transitions
---@class MachineStateOptions
---@field clip? string|MachinePiece Clip, or the result of random_clips, sequence, blend1d, blend2d or blend_polar. You may write it as the first entry, without the name of this field: state "rest" { "idle" } plays the clip "idle"
---@field intro? string Clip that is played once when the state is entered, before `loop`
---@field loop? string Clip that repeats until a transition leaves the state
---@field outro? string Clip that is played once before the state is left
---@field mode? "once"|"loop"|"pingpong" What happens at the end of the clip: "once" stays in the last pose, "loop" starts again, "pingpong" plays backwards and then forwards again; "loop"
---@field speed? number|string Factor on the playback speed, or the name of a parameter; 1
---@field time_param? string Name of a parameter from 0 (start of the clip) to 1 (end of the clip). It sets the position in the clip, which then does not play by itself
---@field mirror? boolean|string True swaps left and right. You may also give the name of a boolean parameter, which then decides; false
---@field root_motion? boolean True makes the root motion of the clips (their movement over the ground) move the character; false
---@field orient_param? string Name of a parameter that contains the direction of walking, -180 to 180 degrees; 0 is ahead of the character. The legs turn to this direction, while the upper body still faces ahead
---@field history? boolean For a state with inner states: true continues in the inner state that was active when the state was last left; false
---@field on_enter? fun(character: Character, from: string?) Called when the state is entered. `from` is the previous state, nil at the start
---@field on_update? fun(character: Character, dt: number, params: { [string]: number|boolean }) Called in every tick at whose beginning the state is active. `dt` is the length of the tick in seconds
---@field on_exit? fun(character: Character, to: string?) Called when the state is left. `to` is the next state, nil if the machine is removed
---@field on? { [string]: fun(character: Character, event: AnyEvent) } Functions that are called for events while the state is active, by the name of the event: on = { step = function(hero, e) end }
---@field task? fun(task: Task) Function of a task (see `hero:task`). The task begins when the state is entered and ends when it is left
---@field [integer] string|MachinePiece

---Playback of a clip passes a marker
---@class MarkerEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field clip string name of the clip
---@field weight number blend weight of the clip, 0 to 1
---@field position vector position of the event in the world, metres
---@field surface string name of the surface (see `physics.surface`), or "" without one
---@field source string player of the clip: the state machine ("machine"), `hero:play` ("play") or the idle clip of a character without a machine ("idle")
---@field marker_phase string "point" for a marker without duration; "begin" or "end" for an interval
---@field duration? number for an interval: its length, seconds
---@field interrupted? boolean for the end of an interval: true if it ended early
---@field is_reversed boolean true if the clip plays backwards
---@field tick_fraction number fraction of the tick at which playback passed the marker, 0 to 1
---@field [string] any further fields, which the file or the script has added

---Options of `material:fade`
---@class MaterialFadeOptions
---@field color? vector Base colour, as linear RGB
---@field alpha? number Opacity from 0 to 1; 1 is opaque. It has an effect only if the material in the file uses alpha blending or a cut-out
---@field tint? vector Colour, as linear RGB, that multiplies the base colour. For a toon material it also multiplies the shade colour; (1, 1, 1)
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt
---@field specular? number Strength of the reflection of surfaces that are not metal, 0 to 1
---@field ior? number Index of refraction: how much light bends in the material, at least 1. Water has 1.33; 1.5
---@field emissive? vector Colour of the light that the material emits, as linear RGB
---@field emissive_strength? number Factor on the brightness of the light that the material emits (see `emissive`)
---@field normal_scale? number Strength of the normal map, the image that gives the surface its relief. 1 is as in the image, 0 is flat
---@field occlusion? number Strength of the occlusion map, the image that darkens creases, 0 to 1
---@field alpha_cutoff? number Limit for a cut-out material (one whose points are either visible or not): points with an alpha below it are invisible
---@field clearcoat? number Strength of the clear coat (a layer like varnish), 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB. Black means no sheen
---@field sheen_roughness? number Roughness of the sheen, 0 to 1
---@field transmission? number Fraction of the light that passes through the material, as in glass, 0 to 1
---@field thickness? number Thickness of a transparent material (metres). At 0 the surface counts as a thin wall
---@field duration? number Duration of the fade (seconds, 0 to 600); 0.3

---Changes of one material in the option `materials` of `character`
---@class MaterialOptions
---@field color? vector Base colour, as linear RGB
---@field alpha? number Opacity from 0 to 1; 1 is opaque. It has an effect only if the material in the file uses alpha blending or a cut-out
---@field tint? vector Colour, as linear RGB, that multiplies the base colour. For a toon material it also multiplies the shade colour; (1, 1, 1)
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt
---@field specular? number Strength of the reflection of surfaces that are not metal, 0 to 1
---@field ior? number Index of refraction: how much light bends in the material, at least 1. Water has 1.33; 1.5
---@field emissive? vector Colour of the light that the material emits, as linear RGB
---@field emissive_strength? number Factor on the brightness of the light that the material emits (see `emissive`)
---@field normal_scale? number Strength of the normal map, the image that gives the surface its relief. 1 is as in the image, 0 is flat
---@field occlusion? number Strength of the occlusion map, the image that darkens creases, 0 to 1
---@field alpha_cutoff? number Limit for a cut-out material (one whose points are either visible or not): points with an alpha below it are invisible
---@field clearcoat? number Strength of the clear coat (a layer like varnish), 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB. Black means no sheen
---@field sheen_roughness? number Roughness of the sheen, 0 to 1
---@field transmission? number Fraction of the light that passes through the material, as in glass, 0 to 1
---@field thickness? number Thickness of a transparent material (metres). At 0 the surface counts as a thin wall
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
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field before? string Name of another modifier; this one runs before it
---@field after? string Name of another modifier; this one runs after it; after the built-in modifiers

---Intensity and fade of a mood
---@class MoodOptions
---@field intensity? number Intensity; 1 is full (0 to 1); 0.6
---@field fade? number Time in which the face changes from the previous mood to this one (seconds, 0 to 1000); 0.8

---Options of `hero:motion_warp`: `position`, `yaw` or both are required
---@class MotionWarpOptions
---@field position? vector Position in the world where the character arrives (metres); the end of the clips' motion
---@field yaw? number Direction about +Y that the character faces on arrival (degrees); the rotation of the clips
---@field duration number Time until the arrival, more than 0 and at most 60 (seconds)

---A door in a navigation mesh: a box that agents cannot enter while it is closed
---@class NavDoorOptions
---@field position vector Centre of its bottom side (metres)
---@field size vector Size of the doorway along each axis (metres)
---@field yaw? number Rotation of the doorway around the Y axis (degrees); 0
---@field open? boolean True if the door is open at the start; true

---A link between two positions of a navigation mesh
---@class NavLinkOptions
---@field cost? number Cost of the link, as the length of walking that costs the same (metres of plain ground, 0 to 1000000); the length of the link
---@field bidirectional? boolean True allows both directions; false allows only `from` → `to`; false

---An obstacle in a navigation mesh: a box with `size`, or a cylinder with `radius`
---@class NavObstacleOptions
---@field position vector Centre of its bottom side (metres)
---@field size? vector For a box: its size along each axis (metres)
---@field radius? number For a cylinder: its radius (metres, 0.01 to 1000)
---@field yaw? number For a box: rotation around the Y axis (degrees); 0

---Extent of a navigation mesh, and the agents that walk on it
---@class NavmeshOptions
---@field position? vector Centre of the box that the mesh covers (metres); (0, 0, 0)
---@field size? vector Size of the box that the mesh covers, along each axis (metres). A height of 0 means 20; (40, 20, 40)
---@field agent_radius? number Distance from walls at which the mesh ends, rounded down to whole cells (metres, 0 to 100); 0.3
---@field agent_height? number Height that an agent needs above the ground (metres, 0.05 to 1000); 1.8
---@field max_step_height? number Maximum height of a step that agents can walk up (metres, 0 to 100); 0.4
---@field max_slope? number Steepest slope that agents can walk on (degrees, 0 to 89); 45
---@field cell_size? number Width of a cell of the grid from which the mesh is computed (metres, 0.02 to 100); 0.15
---@field costs? { [string]: number } Cost of walking one metre, by the name of the surface: { mud = 4 } (0.01 to 1000). Agents prefer cheap paths. Other surfaces cost 1
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
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field max_angle? number Maximum angle between the hips and the direction that the character faces (degrees, 0 to 180). Beyond it, the character walks backwards; 100
---@field spine? number Fraction of the rotation of the hips by which the spine turns back (0 to 1); 1
---@field smooth_time? number Time in which the hips follow a change of direction (seconds, 0 to 10). Longer times are smoother; 0.12

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
---@field offset? vector Offset from the bone, only on characters (metres). The axes are those of the character in its rest pose (+Y up, +Z forward), and they turn with the bone; (0, 0, 0)
---@field direction? vector Direction of emission. In the world it uses the world's axes. On a bone it uses the axes of the character in its rest pose, and turns with the bone; up, or the normal of a hit
---@field lifetime? number|number[] Time that a particle exists: one number, or { low, high } for a random one (seconds, 0.01 to 600)
---@field speed? number|number[] Initial speed along `direction`: one number, or { low, high } for a random one (metres per second, -1000 to 1000)
---@field spread? number Angle of the cone of emission, from `direction` to its edge (degrees, 0 to 180). 0 is a straight jet, 180 is all directions
---@field radial_speed? number Additional initial speed away from the centre of `shape` (metres per second, -1000 to 1000)
---@field inherit_velocity? number Fraction of the velocity of the emitter's bone or skin that each particle starts with (-10 to 10)
---@field gravity_scale? number Factor on gravity (-100 to 100). With a negative value particles rise
---@field drag? number Drag: rate at which particles slow down to the speed of the air (per second, 0 to 1000). At 1, they lose 63 % of the difference in a second
---@field wind_scale? number Factor on the wind of `wind { … }` (0 to 100). Wind has no effect if `drag` is 0
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
---@field emissive_strength? number Factor on the colour for light that the particles emit themselves (0 to 1000). With 0 they are only lit by other lights
---@field random_rotation? boolean True starts each particle with a random rotation
---@field angular_velocity? number|number[] Rotation speed: one number, or { low, high } for a random one (degrees per second, -36000 to 36000)
---@field stretch? number Stretches each particle along its flight (seconds, 0 to 1). The particle gets as long as the distance that it flies in this time; 0 does not stretch it
---@field soft_distance? number Soft particles: distance from a surface within which a particle fades out, so that the surface does not cut it off visibly (metres, 0 to 100)
---@field gloss? number Strength of the highlight, as on a drop of water (0 to 1)
---@field translucency? number Fraction of the light that shines through a particle, as through dust (0 to 1). With 0 a particle is lit like a solid ball
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
---@field chance? number Probability that the step happens; otherwise it is skipped (0 to 1); 1
---@field pause number Duration of the pause (seconds, 0 to 3600)

---A phoneme (a sound of speech) of a spoken line begins
---@class PhonemeEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field line number number that all events of this line have
---@field phoneme string name of the phoneme in ARPAbet, a notation for the sounds of English
---@field duration number duration, seconds

---Settings of the physics. An option that is left out keeps its value
---@class PhysicsOptions
---@field gravity? vector Acceleration by gravity (metres per second squared). On the moon it is (0, -1.62, 0); (0, -9.81, 0)

---Options for playing a clip
---@class PlayOptions
---@field fade? number Time to fade in (seconds, 0 to 1000000). If `fade_out` is not given, also the time to fade out; 0.15
---@field fade_out? number Time to fade out (seconds, 0 to 1000000); `fade`
---@field speed? number Factor on the playback speed (-1000 to 1000). A negative value plays backwards; 1
---@field start_time? number Time in the clip at which playback starts (seconds); the start; with a negative `speed`, the end
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip: "once" stops, "loop" starts again, "pingpong" plays backwards and forwards; the clip's own `mode`, or "once"
---@field mask? string|string[]|{ [string]: number } Bones that the clip moves, each with all bones below it: a name, a list of names, or names with weights, such as { left_arm = 1, chest = 0.3 }. If a bone belongs to several of these names, the name with the fewest bones counts. A `*` in a name matches any text. Parts of a humanoid are names too, such as "upper_body". With a mask, the clip does not change morph targets and curves; the whole body
---@field weight? number Blend weight (0 to 1); 1
---@field additive? boolean|"first"|"rest" Adds a difference to the current pose instead of replacing it. With true or "first" it is the difference from the clip's first frame, with "rest" the difference from the rest pose; false
---@field mirror? boolean True swaps left and right; false
---@field on_end? fun(reason: string) Called once when the playback ends. `reason` is "end", "interrupted", "stopped" or "reloaded"
---@field on? { [string]: fun(event: MarkerEvent) } Functions that are called when playback passes markers (animation events) of the clip, by the name of the marker. They are removed when the playback ends
---@field mute_markers? boolean True emits no events for the clip's markers; false

---A point light
---@class PointLightOptions
---@field position? vector Position of the light in the world (metres). With `character`, it is a position in the space of the bone that carries the light; (0, 2, 1); if carried, (0, 0, 0)
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field intensity? number Intensity: how bright the light makes a surface at a distance of 1 m (0 or more). 4 is like the sun at noon; 4
---@field range? number Distance beyond which the light has no effect (metres, 0 or more); 10
---@field source_radius? number Radius of the light source (metres, 0 or more). Larger sources cast softer shadows; 0.05
---@field shadows? boolean True makes the light cast shadows; true
---@field character? Character Character that carries the light: the light moves with it
---@field bone? string Bone of `character` that carries the light

---Tone mapping, shading and colour grading. An option that is left out keeps its value
---@class PostProcessOptions
---@field tonemap? "neutral"|"agx"|"aces"|"linear" Tone map: how light that is too bright for the screen is shown. "neutral" keeps the colours, "agx" lets bright colours fade to white, "aces" has the strong contrast of films. "linear" shows everything that is too bright at the maximum; neutral
---@field shading? "physical"|"classic" Shading: "physical" follows the materials, "classic" is the formula of the book *Character Animation with Direct3D*, for comparison; physical
---@field auto_exposure? boolean True adapts the exposure to the brightness of the picture; false
---@field adapt_speed? number Speed at which `auto_exposure` adapts (stops per second, 0 to 100). At one stop per second, the picture can become twice or half as bright in a second; 2
---@field bloom? number Bloom (glow around bright parts): fraction of the light that the lens scatters (0 to 1); 0.04
---@field ambient_occlusion? number Ambient occlusion: strength of the darkening in corners and creases (0 to 2); 1
---@field contact_shadows? number Length of contact shadows, the small shadows where objects touch; 0 is none (metres, 0 to 1); 0.1
---@field contrast? number Contrast; 1 changes nothing (0 to 4). At 0 the whole picture is one even grey, above 1 dark parts are darker and bright parts brighter; 1
---@field saturation? number Saturation: strength of the colours; 1 changes nothing (0 to 4). At 0 the picture is black and white; 1
---@field temperature? number Colour temperature, from -1, cold and blue, to 1, warm and yellow (-1 to 1); 0
---@field tint? number Tint, from -1, green, to 1, magenta (-1 to 1); 0
---@field shadow_tint? vector Colour that is added to dark areas, as linear RGB; (0, 0, 0)
---@field highlight_tint? vector Colour that multiplies bright areas, as linear RGB; (1, 1, 1)
---@field vignette? number Vignette: darkening towards the corners of the picture (0 to 1); 0

---Promotion of agents near the camera to characters
---@class PromoteOptions
---@field distance number Distance from the camera within which agents become characters (metres, 0 to 1000)
---@field max_characters? number Maximum number of agents that are characters at the same time (0 to 200). The nearest agents come first; 8

---Changes to the bodies of a character's ragdoll
---@class RagdollBodiesOptions
---@field bones? { [string]: boolean|{ body: boolean?, shape: ("capsule"|"box"|"sphere")?, size: vector?, length: number?, radius: number?, mass: number?, density: number?, friction: number?, joint: ("cone"|"hinge"|"fixed")?, swing: (number|number[])?, twist: (number|number[])?, range: number[]?, axis: vector?, from_rest: boolean? } } Bodies, by the names of bones or humanoid parts: false for no body, true for one, or a table of properties, which [The body](body.md) lists
---@field mass? number Total mass of the character at its current scale (kilograms, more than 0); volume times density; a human body at most 18 times its height cubed
---@field density? number Density of the bodies, except those with a `density` or `mass` of their own (kilograms per cubic metre, more than 0); 985
---@field friction? number Coefficient of friction of the bodies, except those with a `friction` of their own (0 to 10); 0.7
---@field max_bodies? number Maximum number of bodies (1 to 256). The total mass stays the same; 26

---Limbs that become rigid bodies, and their control
---@class RagdollOptions
---@field bones? string|string[] Bone with a body (see `ragdoll_bodies`), or a list of bones. The call applies to these limbs and all limbs below them; all
---@field motor_strength? number Strength of the motors that pull the limbs to the pose of the clips (0 to 1); no motors: the limbs are limp
---@field kinematic? boolean True moves the limbs exactly as the clips do. They push other bodies, but nothing moves them; false
---@field pin? number With `motor_strength`: strength with which the hips are pulled to their position in the clips (0 to 1); 1
---@field motor_frequency? number Stiffness of the motors, as the frequency of a spring at a `motor_strength` of 1 (hertz, 0 to 60). Higher values follow the clips faster; 16
---@field max_torque? number Maximum torque (turning force) of a motor, for each kilogram of the limbs that hang on it (newton metres, 0 or more); 12

---A wedge prop
---@class RampOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre (metres). For stairs and ramps, it is the middle of the lower end; (0, 0, 0)
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field name? string Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field size? vector Width (x), height (y) and length (z), each 0.001 to 10000 (metres); (1, 1, 1)

---Random key presses in a test
---@class RandomInputOptions
---@field seconds number Time for which keys are pressed and released (seconds, 0 or more)
---@field keys? string[] Names of the keys to use; all keys bound to actions and axes
---@field check? fun() Called after each tick, for expectations that must always hold

---Filter of a ray
---@class RaycastOptions
---@field exclude? Character|Character[] Character or prop to ignore, or a list of them
---@field layers? string|string[] Collision layers in which to search; all
---@field sensors? boolean True also finds sensors; false
---@field exact? boolean True tests the visible triangles of characters and props, instead of their colliders; false

---Options of `hero:reach`
---@class ReachOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field target_bone? string Bone that is used as the target, if the target is a character; the origin of the target; for `look_at` its face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: the space of the vector, either the world or the character's own space; world
---@field yaw? number With `match_rotation`: rotation relative to the target, about its y axis, applied last (degrees); 0
---@field pitch? number With `match_rotation`: rotation relative to the target, about its x axis, applied second (degrees); 0
---@field roll? number With `match_rotation`: rotation relative to the target, about its z axis, applied first (degrees); 0
---@field match_rotation? boolean True gives the hand the rotation of the target, with `yaw`, `pitch` and `roll` added; false
---@field pole? vector Direction to which the elbow or knee points, in the character's own space; as in the clip
---@field softness? number Size of the zone, just before the limb is straight, in which the limb slows down so that it does not snap (0 to 1). Fraction of the limb's length. With it, the hand stops a little short of distant targets; 0
---@field max_angle? number Maximum angle of the upper arm or leg from the centre of its range (degrees, 0 to 180). For a human's arm the centre is ahead and to the side, otherwise the direction in the rest pose; 125 for a human's arm, else 180
---@field full_body? boolean True makes the body help an arm that is too short: it turns, leans, bends the knees and rises on the toes; false
---@field allow_steps? boolean True includes `full_body` and also walks up to 1.5 m towards a target that is still too far. It works best with `foot_ik`; false
---@field grip? number How far the fingers of the hand close on arrival; 1 is a fist (0 to 1); as in the clip
---@field palm? boolean True brings the palm of a hand with fingers to the target, false the wrist; false
---@field radius? number With `palm`: distance from the palm to the target, which is the centre of the held object (metres, 0 to 1); fitted to the hand
---@field bar? vector For a bar or handle: direction of its length, in the target's space. The hand turns until the bar lies across the palm, and closes around it
---@field name? string Name of this modifier, for `character:modifier`; the name of the limb

---The part of a recording that a test replays
---@class ReplayOptions
---@field from? number Beginning of the part (seconds, 0 or more); 0
---@field to? number End of the part (seconds, 0 or more). Inputs at this time belong to the next part; the last input

---Options of `time.rewind`
---@class RewindOptions
---@field except? string[] Names of `keep_on_reload` tables that keep their present values, for example one that counts the rewinds; none

---Subject and brightness of a light rig
---@class RigOptions
---@field position? vector Centre of the lit subject (metres); (0, 0.95, 0), or the middle of `character`
---@field character? Character Character that is lit. It gives the defaults of `position`, `yaw` and `size`
---@field yaw? number Direction that the lit subject faces, as an angle around the Y axis: 0 is +Z, 90 is +X (degrees); 0, or that of `character`
---@field size? number Height of the lit subject (metres, 0.001 to 10000); 1.8, or that of `character`
---@field intensity? number Factor on the intensity of all lights (0 to 10000); 1

---A rope
---@class RopeOptions
---@field stretch? number Elasticity: 0 does not stretch, 1 stretches like rubber (0 to 1); 0
---@field stiffness? number Stiffness against bending: 0 is like silk, 1 like felt (0 to 1); 0.2
---@field drag? number Drag: rate at which the motion slows down, per second (0 or more). At 1, a point loses 63 % of its speed in a second. Values above 60 count as 60; 0.6
---@field friction? number Friction on bodies and on the floor; 0 is slippery (0 or more); 0.4
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Distance that the rope or cloth keeps from bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] Character to collide with, or a list of up to 16 characters
---@field colliders? ClothCollider[] List of up to 64 fixed shapes to collide with. A sphere is { position = …, radius = … }. A capsule is { from = …, to = …, radius = … }. A box is { position = …, size = …, yaw = … }
---@field floor? boolean True makes it collide with the floor; true
---@field from? vector|BoneHolder First end of the rope: a position, or a table with the character and bone, or the rigid body, that holds it (metres); (0, 2, 0)
---@field to? vector|BoneHolder Other end of the rope, like `from` (metres). A dynamic body here hangs on the rope; none: the end hangs free
---@field length? number Length of the rope, at least the distance between its ends (metres, more than 0); 1.05 times the distance between the ends, or 1
---@field radius? number Radius of the rope (metres, more than 0); 0.02
---@field links? number Number of points along the rope that are simulated (2 to 256). More points bend more smoothly and cost more; 20
---@field end_mass? number Mass of the last point, as a multiple of the mass of each other point (0 or more). Values below 0.1 count as 0.1, and values above 100 as 100; 1
---@field color? vector Colour, as linear RGB; (0.3, 0.2, 0.1)
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.9
---@field name? string Name of the rope or cloth, by which a hot reload finds it again

---A spoken line is over
---@class SayEndEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field line number number that all events of this line have
---@field reason string why the line is over: "end" or "interrupted"
---@field spoken_time number time for which the line was spoken, seconds

---The character begins to speak a line
---@class SayEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field line number number that all events of this line have
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
---@field emit_markers? boolean True emits the events of the markers that the jump skips, as if the clip had played through them; false

---Lifetime of a sent event
---@class SendOptions
---@field timeout? number Time for which the event waits for a transition; with 0 it counts only in the next tick (seconds, 0 or more); 0

---Shape and filter of a query
---@class ShapeQueryOptions
---@field exclude? Character|Character[] Character or prop to ignore, or a list of them
---@field layers? string|string[] Collision layers in which to search; all
---@field sensors? boolean True also finds sensors; false
---@field shape? "sphere"|"box"|"capsule" Form of the shape; sphere
---@field radius? number For a sphere or a capsule: radius (metres); 0.25
---@field height? number For a capsule: height from end to end (metres); 1
---@field size? vector For a box: lengths of its edges (metres); (1, 1, 1)
---@field yaw? number Rotation of the shape around the Y axis (degrees); 0

---Timing, intensity and side of an expression
---@class ShowOptions
---@field intensity? number Intensity; 1 is full (0 to 1); 1, with `micro` 0.5
---@field fade_in? number Time in which the expression appears (seconds, 0 to 10000); 0.3, with `micro` 0.06
---@field hold_time? number|boolean Time for which the expression stays at full intensity (seconds, 0 to 10000). With true, it stays until you stop it; 1.2, with `micro` 0.06
---@field fade_out? number Time in which the expression disappears (seconds, 0 to 10000); 0.5, with `micro` 0.08
---@field side? "left"|"right"|number Side of the face that shows the expression: "left", "right", or a number from -1 (left) to 1 (right) (-1 to 1); both
---@field micro? boolean True makes a micro-expression, which is weak and lasts only 0.2 s. It changes the defaults of the options above; false
---@field layer? "mood"|"script" Layer of the face that shows the expression. In "mood" it is mixed with speech and blinks; in "script" it overrides everything else; "mood"

---Options of `hero:sit`
---@class SitOptions
---@field weight? number Blend weight: how much this modifier changes the pose (0 to 1); 1
---@field fade? number Time in which the modifier fades in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve (a number over time in the clips) that multiplies `weight`
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more). It fades out over the last fifth of this distance; no limit
---@field target_bone? string Bone that is used as the target, if the target is a character; the origin of the target; for `look_at` its face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: the space of the vector, either the world or the character's own space; world
---@field lean? number Angle by which the upper body leans forward while the character sits down (degrees, 0 to 80); 35

---Colours of the sky. An option that is left out keeps its value
---@class SkyOptions
---@field zenith? vector Colour straight above, as linear RGB
---@field horizon? vector Colour at the horizon, as linear RGB
---@field ground? vector Colour of the light from below, as linear RGB
---@field seamless? boolean True hides the horizon: the floor blends into the background, like the paper in a photo studio. Some rigs of `light.rig` set it

---Options of a smart object: position, slots, and actions of the users
---@class SmartObjectOptions
---@field position? vector Position of the object (metres); (0, 0, 0)
---@field yaw? number Direction of the object, about +Y (degrees). At 0 it faces +Z, at 90 it faces +X; 0
---@field slots? (vector|ObjectSlotOptions)[] Slots: 1 to 64 positions where agents stand while they use the object, one agent at each. A slot is a vector in the object's space (+X left, +Z forward). Use { position = …, yaw = … } to set the direction of the agent, too; one slot at the object
---@field clip? string|string[] Clip that agents play while they use the object. From a list, the next clip is chosen at random after each one
---@field intro? string Clip that is played once before `clip`
---@field outro? string Clip that is played once after `clip`
---@field ik_targets? ObjectIkTargets Positions for the hands and feet, such as { right_hand = vec(-0.2, 1.1, 0.45) }. They only affect agents that are characters at the moment (see the option `promote_distance` of `crowd`)
---@field once? boolean True ends the use when `clip` ends; false
---@field duration? number|number[] Time for which an agent uses the object: one number, or { low, high } for a random one (seconds, 0 to 1000000); no end; `people:stop_using` ends it
---@field attract_radius? number Distance within which the object attracts agents (metres, 0 to 1000); 4
---@field attract_chance? number Probability that the object attracts one of the agents within `attract_radius` (per second, 0 to 1); 0
---@field queue? vector|ObjectQueueOptions Position of the first waiting agent, in the object's space, or { position = …, yaw = …, spacing = 0.8 }. The queue extends backwards from there, and waiting agents face along `yaw`; no queue
---@field push_speed? number Speed at which the object pushes away agents near its centre; farther away it is lower (metres per second, -100 to 100). A negative value pulls agents to the object; 0
---@field push_radius? number Distance from the object at which `push_speed` has no more effect (metres, 0.01 to 1000); 2
---@field on_enter? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent begins to use the object
---@field on_update? fun(object: SmartObject, crowd: Crowd, agent: number, dt: number) Called for each user every `update_interval` seconds. `dt` is the time since the last call, in seconds
---@field update_interval? number Time between two calls of `on_update` (seconds, 0.001 to 1000); 0.25
---@field on_exit? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent has finished using the object
---@field name? string Name by which a hot reload finds the object again; none: found by the order of creation

---Options for playing a sound
---@class SoundOptions
---@field position? vector Position of the sound in the world (metres). Without a position, the sound plays as recorded: it is not quieter far away and does not come from a direction
---@field volume? number Factor on the volume; 1 is as recorded (0 to 16); 1
---@field pitch? number Factor on speed and pitch; 2 is an octave higher (0.0625 to 16); 1
---@field loop? boolean True repeats the sound until you stop it or the script is reloaded; false
---@field duck? number Factor on the volume of this sound while a character speaks (0 to 1). Use about 0.35 for music, so that it becomes quieter during dialogue; 1
---@field unscaled? boolean True: the sound ignores pauses and slow motion of the module `time`, for music and sounds of menus. Its times are then unscaled; false
---@field delay? number Time until the sound starts (seconds, 0 to 600); 0

---A sphere prop
---@class SphereOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre (metres). For stairs and ramps, it is the middle of the lower end; (0, 0, 0)
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field name? string Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.5

---A spot light
---@class SpotLightOptions
---@field position? vector Position of the light in the world (metres). With `character`, it is a position in the space of the bone that carries the light; (0, 2, 1); if carried, (0, 0, 0)
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field intensity? number Intensity: how bright the light makes a surface at a distance of 1 m (0 or more). 4 is like the sun at noon; 4
---@field range? number Distance beyond which the light has no effect (metres, 0 or more); 10
---@field source_radius? number Radius of the light source (metres, 0 or more). Larger sources cast softer shadows; 0.05
---@field shadows? boolean True makes the light cast shadows; true
---@field character? Character Character that carries the light: the light moves with it
---@field bone? string Bone of `character` that carries the light
---@field target? vector Position to which the light points (metres)
---@field direction? vector Direction in which the light shines, if you give no `target`. With `character`, it is a direction in the space of the bone that carries the light; (0, -1, 0)
---@field outer_angle? number Angle from the middle of the cone to its edge, where the light ends (degrees, 1 to 85); 35
---@field inner_angle? number Angle from the middle of the cone at which the light begins to fade (degrees); two thirds of `outer_angle`

---Spring bones
---@class SpringOptions
---@field stiffness? number Strength of the force back to the pose; 4 is strong (0 or more); 1
---@field drag? number Fraction of the speed that is lost in each 1/60 s (0 to 1); 0.4
---@field gravity? number Strength of a pull downwards. At the same value as `stiffness`, the pull is as strong as the force back to the pose; 0
---@field radius? number Radius of the ball at the end of each bone, with which the bone collides (metres, 0 or more); 0.02
---@field wind_scale? number Factor on the force of the wind (see `wind`) (0 or more); 0.2
---@field max_angle? number Largest angle between a bone and its pose, at most 180 (degrees, 0 or more); 120
---@field center? string Bone that carries the springs: its own motion, such as that of a turning head, does not make them swing; none
---@field collide? boolean True makes the ends of the bones collide with the character's own body (see `ragdoll_bodies`); false
---@field weight? number Blend weight (0 to 1); 1

---A stairs prop
---@class StairsOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre (metres). For stairs and ramps, it is the middle of the lower end; (0, 0, 0)
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field name? string Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field steps? number Number of steps of the stairs (1 to 256); 8
---@field width? number Width of the stairs (metres, 0.001 to 10000); 2
---@field step_height? number Height of each step of the stairs (metres, 0.001 to 10000); 0.17
---@field step_depth? number Depth of each step of the stairs (metres, 0.001 to 10000); 0.29

---The machine entered a state (`state_enter`), left a state (`state_exit`), or the clip of a state has ended (`state_end`)
---@class StateEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field from? string for `state_enter`: state that the machine left
---@field to? string for `state_exit`: state that the machine enters

---Options of `jump_to`
---@class StateJumpOptions
---@field layer? string Name of the layer; the first one
---@field fade? number Duration of the cross-fade (seconds, 0 or more); 0.2

---A foot touches the ground. Foot IK emits this event; otherwise a marker named `step` of a clip emits it
---@class StepEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field clip? string for a marker: name of the clip
---@field foot? string name of the foot, such as "left" or "front_left"
---@field position vector position of the event in the world, metres
---@field normal? vector direction away from the ground, with length 1
---@field speed? number speed of the foot when it touches the ground, metres per second
---@field weight number blend weight, 0 to 1
---@field surface string name of the surface (see `physics.surface`), or "" without one
---@field next_position? vector predicted position of the next step of this foot, metres
---@field time_to_next? number predicted time until the next step of this foot, seconds
---@field source string origin of the event: "foot_ik", or for a marker the player of the clip, "machine", "play" or "idle"
---@field [string] any further fields, which the file or the script has added

---A prop with `stick_on_hit`, such as an arrow, has stuck in a surface
---@class StickEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field other? Character the other character or prop; nil for the floor
---@field bone? string bone of the other character in which the prop sticks
---@field position vector position of the event in the world, metres
---@field speed number impact speed, metres per second

---Direction and intensity of the sun. An option that is left out keeps its value
---@class SunOptions
---@field yaw? number Direction from which the sun shines, as an angle around the Y axis (degrees). At 0 the sun is towards +Z, at 90 towards +X
---@field pitch? number Height of the sun above the horizon, as an angle (degrees, 0 to 90)
---@field color? vector Colour, as linear RGB
---@field intensity? number Intensity of the sunlight, as a factor on the colour (0 or more). At noon it is about 3.4
---@field source_angle? number Size of the sun in the sky, as an angle (degrees, 0 to 20). Larger values give softer shadows; 2 is like the sun through thin haze

---Properties of a surface. An option that is left out keeps its value
---@class SurfaceOptions
---@field friction? number Coefficient of friction between two bodies with this surface; 0 is slippery, 1 is like rubber (0 or more). Between two different surfaces, the friction is the geometric mean of both values: the square root of their product
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1). Between two different surfaces, the greater value counts
---@field sound? string Name that events report for the sound of the surface; the name of the surface

---Options of `task`, `after` and `every`
---@class TaskOptions
---@field unscaled? boolean True: the waiting times are unscaled. They pass at normal speed in slow motion, and also during a pause; false

---A height field (terrain)
---@class TerrainOptions
---@field mass? number Mass of the body (kilograms, more than 0). If you set it, the body is dynamic: it falls and can be pushed; volume times density
---@field density? number Density of the body, from which its mass is calculated (kilograms per cubic metre, more than 0). Set it instead of `mass`; the body is then dynamic too; 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type. A "static" body does not move. A "dynamic" body falls and can be pushed. A "kinematic" body moves only when a script sets its position, and pushes others away, as a lift does; "dynamic" with a mass or a density, otherwise "static"
---@field surface? string Name of the surface, see `physics.surface`. It sets the friction, and events contain its name; stone
---@field friction? number Coefficient of friction; 0 is slippery, 1 is like rubber (0 or more); that of the surface
---@field restitution? number Coefficient of restitution: 0 does not bounce, 1 bounces back at full speed (0 to 1); that of the surface
---@field layer? string Collision layer. It decides with what the body collides, see `physics.layer`; "world" if static, otherwise "props"
---@field sensor? boolean True makes the body a sensor: it emits the events `touch` and `touch_end`, but other bodies pass through it; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Damping: how strongly the body slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0
---@field angular_damping? number Angular damping: how strongly the rotation slows down by itself (0 or more). At 1, it loses about 63 % of its speed in a second; 0.1
---@field bullet? boolean True tests for collisions along the whole path of the body in each tick. Set it for a fast body, which could otherwise pass through thin bodies; false
---@field stick_on_hit? boolean True makes the body stick, as an arrow does, in the first body that its tip hits; it then emits the event `stick`. The body passes through the capsule of a controller and hits the character itself; false
---@field lock_rotation? boolean True keeps physics from rotating the body; false
---@field velocity? vector Velocity at the start (metres per second); (0, 0, 0)
---@field angular_velocity? vector Angular velocity at the start, about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre (metres). For stairs and ramps, it is the middle of the lower end; (0, 0, 0)
---@field yaw? number Rotation around the Y axis (degrees). Of the three rotations, it is applied last; 0
---@field pitch? number Rotation around the X axis (degrees). Of the three rotations, it is applied second; 0
---@field roll? number Rotation around the Z axis (degrees). Of the three rotations, it is applied first; 0
---@field name? string Name of the prop. `find_character` finds the prop by this name, and a hot reload recognises it
---@field color? vector Colour, as linear RGB; grey; for terrain, that of the surface
---@field roughness? number Roughness: 0 shines like a mirror, 1 is matt (0 to 1); 0.62
---@field metallic? number How metallic the surface is: 0 is not metal, 1 is metal (0 to 1); 0
---@field collider? boolean True gives the prop a collider; without one, nothing collides with it; true
---@field size? vector Size of the terrain along x and z in metres; its y is a factor on the heights. Each is 0.001 to 10000; (10, 1, 10)
---@field heights? fun(x: number, z: number): number|number[][]|buffer|string Heights of the points of the grid, in one of four forms. A function of x and z (metres from the centre) that returns a height. A list of rows along z, each a list of heights along x. A buffer of 32-bit floats, row by row. Or the path of an image with 8 or 16 bits, whose red channel gives heights from 0 to 1. There may be 4 to 262144 points; flat
---@field columns? number Number of points along x (2 to 262144); that of the list or image; for a function 65; without heights 2
---@field rows? number Number of points along z (2 to 262144); that of the list or image; for a function 65; without heights 2
---@field surfaces? fun(x: number, z: number): string?|string[][] Surface of each cell (the area between four points). Either a function, called with x and z at the centre of the cell. It returns the name of a surface, or nil for the option `surface`. Or a list of rows, each a list of names
---@field colors? { [string]: vector } Colours (linear RGB), by the name of the surface. Between cells of different surfaces the colours blend; that of each surface

---Another collider begins to touch the collider of the character or prop (`touch`), or no longer touches it (`touch_end`)
---@class TouchEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field other? Character the other character or prop; nil for the floor
---@field sensor boolean true if one of the two colliders is a sensor, which stops nothing
---@field position vector position of the event in the world, metres
---@field normal vector direction away from the surface at `position`, with length 1
---@field speed number impact speed, metres per second
---@field impulse number strength of the impact, newton seconds: speed times the stopped mass
---@field surface string name of the surface (see `physics.surface`), or "" without one

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
---@field delay? number Shift in time (seconds, -60 to 60). With a negative value the event is earlier; 0
---@field [integer] string

---Conditions and fade of a transition. All given conditions must be true
---@class TransitionOptions
---@field from? string|string[] State that the transition leaves, or a list of states. "*" is any state except the target of the transition; with `on` it includes the target. A transition from a state to itself restarts the state; "*"
---@field when? string|fun(params: { [string]: number|boolean }): boolean? Condition: a text such as "speed > 0.1", or a function that gets the parameters and returns true or false. The function must not change anything
---@field on? string Name of an event that must have been sent with `machine:send`
---@field at_end? boolean True waits for the end of the current state's clip. It has an effect only if that clip plays once; false
---@field min_time? number Minimum time for which the current state must have been active (seconds, 0 or more); 0
---@field exit_time? number Position in the current clip that playback must pass, as a fraction of the clip (0 to 1)
---@field marker? string|{ [number | string]: string|number|boolean } Marker of the current clip that playback must pass: its name, or a list with its name and fields, such as { "step", foot = "left" }
---@field priority? number Priority. Transitions with a higher priority are evaluated first; 0
---@field interrupt? "always"|"higher"|"never" Which other transitions may happen before the cross-fade of this one is over: all ("always"), those with a higher priority ("higher"), or none ("never"); "always"
---@field allow_travel? boolean True allows `machine:travel` to use this transition; true
---@field play_outro? boolean True plays the `outro` of the old state before the new state begins; true
---@field fade? number|MachinePiece Length of the cross-fade between the two states in seconds, or the result of inertial(seconds); 0.2
---@field ease? "linear"|"smooth"|"smoother"|"in"|"out"|"in_out"|"cosine"|"step" Easing curve of the cross-fade: how gently it begins and ends; "smooth"
---@field start? number|"start"|"phase"|{ fraction: number }|{ marker: string, index: number?, [string]: string|number|boolean } Position at which the clip of the new state starts: a time in seconds, "start", or "phase" (the same fraction of the clip as in the old state). A table gives a fraction, { fraction = 0.5 }, or a marker, { marker = "step", foot = "left", index = 1 }; index 1 is the first such marker; in step with the old clip if both have steps, otherwise "start"

---A layer of a machine
---@class TravelOptions
---@field layer? string Name of the layer; the first one

---Options of turning on the spot
---@class TurnInPlaceOptions
---@field left_clip? string Name of a clip that turns to the left, or of a state of the machine with a single such clip; a clip with such a name, otherwise steps of `foot_ik`
---@field right_clip? string Name of a clip that turns to the right, or of a state of the machine with a single such clip. If only one side has a clip, the clip is mirrored for the other side; a clip with such a name, otherwise steps of `foot_ik`
---@field turn_rate? number Maximum turning speed, if no clip is used (degrees per second, 1 to 7200); 110
---@field turn_acceleration? number Acceleration of the turn, if no clip is used (degrees per second squared, 1 to 7200); 300

---Progress bar on the screen
---@class UiBarOptions
---@field position? vector Offset in points, x to the right and y down, from the anchor or from the label's position in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen to which the element is attached. `position` is the offset from this point of the screen to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order (-1000000 to 1000000). Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones; 0
---@field world_position? vector Position in the world (metres). With it, the element is a label at this position
---@field character? Character Character that the element follows. Use it instead of `world_position`
---@field bone? string Bone of `character` that the element follows. Without it, the element follows the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the label has its full size (metres, 0.01 or more). Farther away, the label is smaller. Without this option, its size is the same at all distances
---@field max_distance? number For labels in the world: distance from the camera beyond which the label is invisible (metres, 0.01 or more). The label begins to fade at two thirds of this distance
---@field width? number Width of the bar (points, 0 to 10000); 200
---@field height? number Height of the bar (points, 0 to 10000); 16
---@field corner_radius? number Radius of the rounded corners (points, 0 to 100); half of `height`
---@field background? vector Colour of the empty part, as linear RGB; (0.02, 0.02, 0.03)

---Rectangle on the screen
---@class UiBoxOptions
---@field position? vector Offset in points, x to the right and y down, from the anchor or from the label's position in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen to which the element is attached. `position` is the offset from this point of the screen to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order (-1000000 to 1000000). Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones; 0
---@field world_position? vector Position in the world (metres). With it, the element is a label at this position
---@field character? Character Character that the element follows. Use it instead of `world_position`
---@field bone? string Bone of `character` that the element follows. Without it, the element follows the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the label has its full size (metres, 0.01 or more). Farther away, the label is smaller. Without this option, its size is the same at all distances
---@field max_distance? number For labels in the world: distance from the camera beyond which the label is invisible (metres, 0.01 or more). The label begins to fade at two thirds of this distance
---@field width? number Width of the rectangle (points, 0 to 10000); 200
---@field height? number Height of the rectangle (points, 0 to 10000); 100
---@field corner_radius? number Radius of the rounded corners (points, 0 to 100); 0
---@field border? vector Colour of the border, as linear RGB. Without it there is no border

---Image on the screen. If only one of width and height is given, the other follows from the image's aspect ratio
---@class UiImageOptions
---@field position? vector Offset in points, x to the right and y down, from the anchor or from the label's position in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen to which the element is attached. `position` is the offset from this point of the screen to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order (-1000000 to 1000000). Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones; 0
---@field world_position? vector Position in the world (metres). With it, the element is a label at this position
---@field character? Character Character that the element follows. Use it instead of `world_position`
---@field bone? string Bone of `character` that the element follows. Without it, the element follows the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the label has its full size (metres, 0.01 or more). Farther away, the label is smaller. Without this option, its size is the same at all distances
---@field max_distance? number For labels in the world: distance from the camera beyond which the label is invisible (metres, 0.01 or more). The label begins to fade at two thirds of this distance
---@field width? number Width of the image (points, 0 to 10000)
---@field height? number Height of the image (points, 0 to 10000)

---Text on the screen
---@class UiTextOptions
---@field position? vector Offset in points, x to the right and y down, from the anchor or from the label's position in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen to which the element is attached. `position` is the offset from this point of the screen to the same point of the element; "top_left"; in the world "bottom"
---@field color? vector Colour, as linear RGB; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True shows the element; true
---@field z_index? number Drawing order (-1000000 to 1000000). Elements with a higher value cover those with a lower value. With the same value, newer elements cover older ones; 0
---@field world_position? vector Position in the world (metres). With it, the element is a label at this position
---@field character? Character Character that the element follows. Use it instead of `world_position`
---@field bone? string Bone of `character` that the element follows. Without it, the element follows the character's position
---@field offset? vector Offset from `world_position` or from the character, along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the label has its full size (metres, 0.01 or more). Farther away, the label is smaller. Without this option, its size is the same at all distances
---@field max_distance? number For labels in the world: distance from the camera beyond which the label is invisible (metres, 0.01 or more). The label begins to fade at two thirds of this distance
---@field size? number Height of the letters (font size) (points, 4 to 300); 24
---@field width? number Width of the text, at which longer lines wrap (points, 1 or more). Without it, lines end only at the line breaks in the text
---@field align? "left"|"center"|"right" Alignment of the lines of a text with several lines; that of `anchor`
---@field outline? number Width of the black outline around the letters (points, 0 to 8); 0
---@field shadow? boolean True draws a black shadow behind the letters; false
---@field background? vector Colour of a box behind the text, as linear RGB

---A part of the use of a prop begins: the character emits `use`, and the prop emits `used`
---@class UseEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field other? Character for `use`: the prop; for `used`: the character
---@field interaction string name of the interaction
---@field phase string part of the use that begins: "reach", "hold", "release" or "end"

---Options of `task:use`
---@class UseOptions
---@field hold_time? number|fun(): any Time in seconds for which the hand holds on. Or a function: it is called in every tick, and the hand lets go when it returns true; the time between the markers of the clip, otherwise that of the interaction
---@field speed? number Walking speed on the way to the interaction (metres per second, 0.01 or more); 1.4
---@field walk? boolean True makes the character walk to the prop first; false makes it reach from where it is; true

---Options of `task:wait`
---@class WaitOptions
---@field timeout? number Maximum time to wait; then the task continues (seconds); no limit
---@field character? Character Character that emits the event, if it is not the task's own character; the task's own character

---Options of `task:wait_until`, and of `task:wait` among others
---@class WaitUntilOptions
---@field timeout? number Maximum time to wait; then the task continues (seconds); no limit

---Options of `task:walk_to`
---@class WalkToOptions
---@field target_bone? string Bone that is used as the target, if the target is a character; the origin of the target; for `look_at` its face
---@field target_offset? vector Offset from the target bone or character, in its own space (metres); (0, 0, 0)
---@field target_space? "world"|"character" For a target that is a vector: the space of the vector, either the world or the character's own space; world
---@field speed? number Walking speed (metres per second, 0.01 or more); 1.4
---@field stop_distance? number Distance from the target at which the character stops (metres, 0.005 or more); 0.12
---@field yaw? number Direction to which the character turns on arrival, as an angle around the Y axis: 0 is +Z, 90 is +X (degrees); no turn
---@field stuck_timeout? number Time without progress after which the character gives up and `walk_to` returns false (seconds, 0.1 or more); 1.5

---A `motion_warp` of the character is over
---@class WarpEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field reason string "arrived", "missed" (no state with root motion played at the end) or "replaced" (by another warp)

---Wind on the stage
---@class WindOptions
---@field direction? vector Direction in which the wind blows; unchanged; at the start +X
---@field speed? number Speed of the wind: 2 is a breeze, 8 lifts a cape (metres per second, 0 or more). Values above 100 count as 100; 4
---@field gusts? number Strength of the gusts, as a fraction of `speed` (0 or more). With 0 the wind is steady. Values above 4 count as 4; 0.5
---@field gust_size? number Distance from one gust to the next (metres, 0 or more). Values below 0.1 count as 0.1, and values above 1000 as 1000; 4

---A word of a spoken line begins
---@class WordEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string for events of a state or of its clip: name of the state
---@field layer? string for these events: layer of the machine
---@field line number number that all events of this line have
---@field word string the word
---@field index number number of the word, from 1
---@field duration number duration, seconds

---Starts a task without a character. A task is a function that can wait between its steps. It works like a task of `hero:task`, but removing a character does not end it.
---@param run fun(task: Task): any
---@param options? TaskOptions
---@return Task
function task(run, options) end

---Calls a function once, after a number of seconds. Returns a task: `stop` cancels the call. A hot reload cancels it, too.
---@param seconds number
---@param run fun()
---@param options? TaskOptions
---@return Task
function after(seconds, run, options) end

---Calls a function again and again, with this number of seconds between the calls. The first call is after that time. If the function returns false or raises an error, it is not called again. Returns a task: `stop` ends the calls. A hot reload ends them, too.
---@param seconds number
---@param run fun(): any
---@param options? TaskOptions
---@return Task
function every(seconds, run, options) end

---Emits particles at a position. `where` is a vector, or a table with a `position`, such as a hit of `physics.raycast` or an event. The source of the particles is called an emitter. An emitter with only a `burst` removes itself when its particles are gone. There can be 256 emitters and 16384 particles at a time. `kind` is "dust", "smoke", "breath", "blood", "drips", "splash", "sparks", "embers", "motes", "chips", "snow", or "plain", which is a base for your own effects. Each kind sets its own options, and the options of the call override them. If the table below gives no default, the default depends on the kind.
---@param kind string
---@param where vector|{ position: vector }|{ at: vector }
---@param options? ParticleOptions
---@return Particles
function particles(kind, where, options) end

---Creates a crowd. Its members are called agents; each has its own position, speed, size and rhythm of steps. Agents walk to the positions that you send them to, and avoid each other, characters and walls. They share models and poses, so thousands of agents cost little. There can be 64 crowds with 20000 agents in all.
---@param options CrowdOptions
---@return Crowd
function crowd(options) end

---Adds an object that defines how agents of crowds use it, such as a bench or a counter. Agents come by chance if `attract_chance` is more than 0, or when `people:use` sends them. An agent takes a free slot or waits in the queue, plays the clips, and then continues as before. If the object moves, agents on its slots move with it. The object is invisible: put a model at the same position.
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

---Returns all characters and props in the scene, the oldest first. An agent of a crowd is included only while it is a full character (see `promote_distance` of `crowd`).
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

---Returns a table that keeps its values over a hot reload (you save the script, and Galatea loads it again). Fields of `defaults` that the table does not have yet are added to it.
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

---Saves the game under a name of your choice, the slot: up to 64 letters, digits, spaces, `-` and `_`. An older game in the slot is replaced. It saves all that is on the stage, and the `keep_on_reload` tables with numbers, texts, vectors, tables, and characters and other objects. A function or a running sound in such a table is an error. Other variables are not saved. The game is saved at the end of this tick, and written to disk in the background. `extra` is a table for your menu, for example `{ title = "Bridge" }`: `saves()` returns it, and `on_load` gets it.
---@param slot string
---@param extra? { [string]: any }
function save(slot, extra) end

---Loads a saved game at the end of this tick. Returns false if the slot is empty. The script runs again from its beginning; its `keep_on_reload` tables have their saved values. Then everything on the stage continues where it was, and `on_load` is called. Tasks start again. If the game cannot be loaded, a message says why, and the running game continues.
---@param slot string
---@return boolean
function load(slot) end

---Returns the saved games, the newest first. `play_time` is the time in the game, in seconds. `date` is the time at which it was saved, such as `2026-05-31 18:30` (UTC). `extra` is the table that was given to `save`. If a file is damaged, `problem` says why.
---@return { slot: string, play_time: number, date: string, extra: { [string]: any }, problem: string? }[]
function saves() end

---Deletes a saved game. Returns false if the slot is empty.
---@param slot string
---@return boolean
function delete_save(slot) end

---Draws characters with a debug view instead of their materials. A call without a name shows the normal picture again. The names are "skeleton", "weights", "wireframe", "normals", "tangents", "uv", "overdraw", "bounds", "bodies", "light", "morphs", "unlit", "roughness", "metallic", "occlusion", "depth" and "springs". [Debug views](views.md) describes each.
---@param name? "skeleton"|"weights"|"wireframe"|"normals"|"tangents"|"uv"|"overdraw"|"bounds"|"bodies"|"light"|"morphs"|"unlit"|"roughness"|"metallic"|"occlusion"|"depth"|"springs"
---@param options? DebugViewOptions
function debug_view(name, options) end

---Sets the wind for the whole scene. It moves springs, ropes, cloth, hair and particles. Without a call there is no wind. The random gusts are the same in every run.
---@param options WindOptions
function wind(options) end

---Creates a rope. It is a character of its own with the material "rope". Lights and props can be attached to its bones `link_0`, `link_1` and so on, and `end`. If one end is a rigid body, the body hangs on the rope. If both ends are rigid bodies, the rope pulls at both.
---@param options RopeOptions
---@return Character
function rope(options) end

---Creates a sheet of cloth. It is a character of its own with the material "cloth". It consists of particles (simulated points), each with a bone named `c0_r0` for column 0, row 0. Pins hold some particles. A pin can belong to a character; then it moves with that character. Without one, the pin moves with the `position` of the cloth. There can be 64 ropes and pieces of cloth with 8192 particles in all.
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
---@field time_scale number Factor on the speed of this character, from 0 to 4; 1 is normal. It changes its animation, walking, modifiers, springs, material fades and decals. Lines that it speaks, its hair, ragdolls and other rigid bodies keep the speed of the game.
---@field unscaled boolean True: the character continues at normal speed in slow motion and during a pause of the module `time`, together with its hair and what it holds. Its machine, `play`, modifiers and walking continue; lines that it speaks, and tasks without the option `unscaled`, do not. While its limbs are simulated, it follows the time of the game.
---@field scale number Scale of the character, from 0.001 to 1000.
---@field velocity vector Velocity, metres per second. You can set it for characters with a controller and for dynamic bodies. For others it is read-only.
---@field angular_velocity vector Angular velocity about the world axes, degrees per second. You can set it for dynamic bodies. For others it is read-only.
---@field is_sleeping boolean True while the rigid body rests and is not simulated. A touch wakes it.
---@field is_grounded boolean True while the character's controller is on ground that is not too steep to walk on.
---@field is_sliding boolean True while the character's controller slides down ground that is too steep.
---@field is_crushed boolean True while the character's controller has no room, for example between a lift and a ceiling.
---@field crouching boolean True while the controller's capsule has the crouching height. Set it to true to crouch. Set it to false to stand up; the character does so as soon as there is room.
---@field speed number Speed of the character's controller over the ground, metres per second. It is 0 without a controller and while `is_down` is true.
---@field is_down boolean True while the character is falling or lying on the ground. It becomes false when the character begins to get up, which takes about 3 seconds; see `is_getting_up`.
---@field is_getting_up boolean True from the event `get_up`, when the character begins to rise, to the event `get_up_end`, when it stands.
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
---@field machine Machine|MachineDefinition State machine of the character. Set it to the result of `machine { … }`. Unknown clips, bones, states and parameters are reported immediately. When you set another machine, the character leaves the states of the previous one. The event `state_exit` then has no `to`, and started intervals of markers end with `interrupted = true`.
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

---Stops every playback of this clip that `hero:play` started. Without a name, it stops all clips that `hero:play` started. They fade out within `fade` seconds, by default the fade-out time of each. Returns the number of stopped playbacks. The state machine continues.
---@param clip? string
---@param fade? number
---@return number
function Character:stop(clip, fade) end

---Adds a marker to a clip at `seconds`. You may call it while the clip plays. Each time playback passes the marker, it emits the event `event` exactly once. `fields` are added to the table of the event: - `foot = "left"` or `bone = "hand"` sets the position of the event; - `duration`, in seconds, makes the marker an interval with an event at its beginning and one at its end. A character can have 1024 markers.
---@param clip string
---@param seconds number
---@param event string
---@param fields? { [string]: number|string|boolean }
---@return Marker
function Character:add_marker(clip, seconds, event, fields) end

---Calls the function `listener` for each event with this name. `event` is the name of a marker, of another event of characters, or `*` for all events. The listener gets a table with the fields of the event; [Events](events.md) lists and explains them. Options may come before the listener: `hero:on("step", { all_clips = true }, function(e) … end)`. - All events have `name`, `time` and `character`. Events of states (`state_enter`, `state_exit`, `state_end`) have `state`, `layer`, and `from` or `to`. - Markers have their own fields and `clip`, `weight`, `position`, `surface`, `source`, `marker_phase`, `interrupted`, `is_reversed` and `tick_fraction`. - When clips blend, only the clip with the highest weight emits its markers. A hot reload ends intervals that no longer exist, with `interrupted`. - Events are delivered at the end of the tick, in order of time. Events with the same time come in this order: interrupted plays and intervals, left states, entered states, markers and other events, clips and warps that reached their end.
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
---@overload fun(self: Character, event: string, listener: fun(event: MarkerEvent)): Listener
---@overload fun(self: Character, event: string, options: ListenerOptions, listener: fun(event: MarkerEvent)): Listener
---@param event string
---@param listener_or_options fun(event: MarkerEvent)|ListenerOptions
---@param listener? fun(event: MarkerEvent)
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
---@overload fun(self: Character, event: string, listener: fun(event: MarkerEvent)): Listener
---@overload fun(self: Character, event: string, options: ListenerOptions, listener: fun(event: MarkerEvent)): Listener
---@param event string
---@param listener_or_options fun(event: MarkerEvent)|ListenerOptions
---@param listener? fun(event: MarkerEvent)
---@return Listener
function Character:once(event, listener_or_options, listener) end

---Returns the latest 4096 entries of the event log, the oldest first. The log records each marker that playback passed, and what happened then. The first call starts the log and returns an empty list. An entry has these fields: - `number`: number of the entry, counted from the first one; `time`: time at which playback passed the marker, seconds; - `name` and `clip`; `marker`: number of the marker on the clip, less than 0 for a marker that was removed since; `marker_phase`: "point", "begin" or "end"; - `weight`: blend weight of the clip; `source`: "machine", "play" or "idle"; `state` and `layer` of the machine; `play`: number of the play; - `playback_id`: number of this playback of the clip in the machine. A state that is entered again has another number; - `outcome`: "fired" (emitted), "suppressed" or "interrupted". The end of an interval has the same outcome as its beginning; - `reason`, if the outcome is not "fired": "lower_weight" (another clip has more weight), "below_min_weight" (of all listeners), "layer_weight_zero", "masked" (the mask excludes its bone), "seek" (playback jumped over it) or "muted". - More reasons: "leaving" (the clip only fades out), "flood" (too many markers in one tick), "interval_interrupted" (the playback ended first), "reloaded", "foot_ik_steps" (foot IK reports steps instead) or "down" (the character is down); - `occurrences`: number of markers that the entry stands for.
---@return EventLogEntry[]
function Character:event_log() end

---Starts a task: a function that can wait between its steps. The function gets the task as its argument and starts at once. The task ends when the function returns, when it is stopped, when its character is removed, or on a hot reload. In every case the functions given to `on_end` are called.
---@param run fun(task: Task): any
---@param options? TaskOptions
---@return Task
function Character:task(run, options) end

---Adds a decal (a stain, wound or picture) to the surface of the character in its current pose. It then moves with the surface. Returns nil if no surface is hit. - `kind` is "blood", "wound", "cut", "bruise", "hole", "dent", "scratch", "mud", "soot", "wet", or a picture of the project with a transparent edge. A table chooses by the name or kind of the material: { skin = "wound", cloth = "hole", other = false }. - `where` is a hit of `physics.raycast`, an event `hit`, a table with a `position` and a `direction`, or a line with `from` and `to`. - A character can have 256 decals; after that the oldest are removed. - On surfaces with overlapping texture coordinates, such as a repeated weave, a decal is a mesh of its own. A character can have 32 of these. They do not show relief without colour, such as "dent"; a message reports this once.
---@param kind string|{ [string]: string|false }
---@param where { position: vector, normal: vector }|{ position: vector, direction: vector }|{ position: vector, impulse: vector }|{ from: vector, to: vector }
---@param options? DecalOptions
---@return Decal?
function Character:decal(kind, where, options) end

---Removes all decals of the character. They fade out within `seconds`, by default 0.
---@param seconds? number
function Character:clear_decals(seconds) end

---Emits particles from the character. The kinds and options are those of `particles`. `where_or_options` is the name of a bone, or a hit of `physics.raycast` or an event, whose point on the skin then emits. Without such a place, give the options as the second argument: with `shape = "surface"` the whole skin emits, and "breath" comes from the mouth as the character breathes out. The particles do not collide with the character. Returns nil if the hit is not on this character.
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

---Returns the largest value of a metric (a measure of animation quality) since `reset_metrics`. The first call returns 0 and switches the metrics on; in tests they are always on. A jump by setting `position` is not counted. - "foot_slide": distance that a planted foot has moved over the ground since it was planted, metres. The clips define when feet are planted. - "pop": largest jerk (sudden change of motion) of a bone, relative to the largest jerk in the visible clips. 1 is as smooth as the clips; a hard cut gives 10 and more. - "root_drift": distance of the hips from their position in the clips, metres. The distance that the clips themselves travel is not counted. - "lip_lag": delay of the mouth behind the sound of a recorded line, seconds. It compares loudness and mouth opening over two seconds, and is negative if the mouth is early.
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

---Makes the character speak a line: a text with marks, or a recording and its text, `{ "line.ogg", text = "…" }`. The mouth follows the sound, and a caption shows the text. Returns nil if the line was dropped. The character emits the events `say`, `word`, `phoneme`, `cue` and `say_end`. A mark takes effect when speech reaches its place in the text: - `{smile}`, `{brow:up}` or any other expression; `{smile x0.5 1.2s}` sets intensity and duration, `{smile}…{/smile}` lasts while the words between are spoken; - `{look=name}`, `{look=camera}`, `{look=away}` for the gaze; `{mood=sadness}`; `{blink}`; `{pause 0.5}`; - `[beat]word[/]` for a gesture: a clip of that name, or the head movement beat, nod, shake or tilt. Its stroke (main moment) falls on the stressed syllable; - `{event=name key=value}` for an event `cue` with these fields. In any mark, `chance=0.6` sets the probability and `delay=-0.1` shifts it in time, in seconds.
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

---Closes the fingers of a hand: around an attached prop, otherwise to a fist. `hand` is "left_hand" or "right_hand". `amount` goes from 0, the pose of the clips, to 1, closed. Fingers that a clip closes further stay as they are. Nil as the amount releases the grip. To close a hand when it reaches a target, use the option `grip` of `reach`.
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

---Rotates the spine or the given bones so that a line points at a target, for example the barrel of a weapon. The line moves with the last of these bones, or with a bone below it, such as a hand. Call `aim_at` without a target to release it.
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

---Returns all modifiers of the character, in the order in which they run. A modifier, such as foot IK, changes the pose after the animation. `print(hero:modifiers())` prints one line for each. The order within a tick is: state machine and plays, root motion, locomotion and physics, modifiers, springs, cloth and hair.
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

---Restarts all springs of the character at the current pose, also those of its file, and ropes, cloth and hair attached to it. Use it after a camera cut or a teleport.
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

---Returns the value of a curve (a number over time in the clips) in the last tick, blended like the bones. If no clip with that curve plays, the value is 0, or for a curve that animates a material, the material's value in the file.
---@param name string
---@return number
function Character:curve(name) end

---Returns the lowest and highest corner of the box around the model in its rest pose, in model space, metres.
---@return { min: vector, max: vector }
function Character:rest_bounds() end

---Adds a collider (a shape for physics) to a character or prop. Others can stand on it, walk into it and push it. With a `mass` it falls. The events `touch` and `touch_end` report contacts. `collider(false)` removes the collider. A prop that is attached to a bone collides with nothing until it is detached.
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

---Makes the limbs rigid bodies of the physics world (a ragdoll). Their shapes are made from the model. The call has four uses: - Without options the whole character falls, with the current velocity of its clips, and lies until `get_up`. - With `motor_strength`, motors pull the limbs to the pose of the clips (powered ragdoll). The character stays on its feet and can be pushed. - With `bones`, the call applies only to these limbs. `bones` and `motor_strength` stay in effect after falls and hits. - `ragdoll(false)` ends the ragdoll; the pose blends into the clips.
---@param options? RagdollOptions|boolean
function Character:ragdoll(options) end

---Returns the rigid bodies of the character's ragdoll, which Galatea makes from the model. With options, the call changes the ragdoll first; they override the settings of the file. Masses are kilograms at the character's current scale: at twice the scale they are eight times as large.
---@param options? RagdollBodiesOptions
---@return { bone: string, shape: string, mass: number, joint: string? }[]
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
---@field time number? Current time within the clip, seconds. It is nil after the end.
---@field phase number? Current position within the clip, as a fraction of its length from 0 to 1. It is nil after the end.
---@field loop_count number? Number of times that playback has reached an end of the clip and continued ("loop" and "pingpong"). It is nil after the end of the play.
---@field weight number? Current blend weight, including fades, 0 to 1. It is nil after the end. Setting it replaces the option `weight` at once; fade-in and fade-out then multiply the new value. For a smooth change, set it in every tick. At weight 0 the markers of the clip emit no events. Only an interval that has already begun still emits its end.
---@field speed number? Factor on the playback speed. 0 pauses the clip, negative values play it backwards. It is nil after the end.
local Play = {}

---Ends the play: it fades out within `fade` seconds, by default within its own `fade_out`. If the play is already fading out, the call has no effect.
---@param fade? number
function Play:stop(fade) end

---Jumps to a time of the clip, within the current loop. Markers that the jump skips emit no events, unless `emit_markers` is true. An interval that contains the old time but not the new time ends at once. Returns false if the play has ended.
---@param seconds number
---@param options? SeekOptions
---@return boolean
function Play:seek(seconds, options) end

---Calls the function `listener` each time this play passes a marker with the name `marker`; `*` means all markers. The listener is removed when the play ends.
---@param marker string
---@param listener fun(event: MarkerEvent)
---@return Listener
function Play:on(marker, listener) end

---Returns the reason why the play ended, or nil while the clip plays. The reasons are "end" (the clip was over), "interrupted" (another play took its place), "stopped" (by a call of `stop`) and "reloaded" (by a hot reload).
---@return string?
function Play:end_reason() end

---A task runs a function that can wait, started by `hero:task` or `task`. The function gets the task as its argument. Methods that wait, such as `wait` and `walk_to`, work only inside this function. Other methods, such as `stop`, work everywhere.
---@class Task
---@field character Character? Character of a task that `hero:task` started. It is nil for a task that the global function `task` started.
---@field last_checkpoint string? Name of the last checkpoint that the task has set; nil without one. If the task begins again after a load or a hot reload, it is that of the run before. A task is recognised by its character and the text of its function. Only the task's own function can read it.
local Task = {}

---Waits for `thing`: - A number: waits for that many seconds, at least one tick. Several waits add up exactly: ten waits of 0.1 s take 1 s. - A text: waits for the event with this name, emitted by the task's character. Returns the table of the event. - A play, a sound, a line, a conversation or another task: waits for its end. Returns its end reason. If `timeout` seconds pass before that, `wait` returns nil.
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
---@overload fun(self: Task, thing: string, options?: WaitOptions): MarkerEvent?
---@param thing number|string|Play|Sound|Line|Conversation|Task
---@param options? WaitOptions
---@return any
function Task:wait(thing, options) end

---Waits until the function `condition` returns true, and then returns true. The function is called once per tick. If `timeout` seconds pass before that, `wait_until` returns false.
---@param condition fun(): any
---@param options? WaitUntilOptions
---@return boolean
function Task:wait_until(condition, options) end

---Plays a clip on the task's character, as `hero:play` does, and waits for the end of the clip. Returns the end reason, as `play:end_reason` does. If the task ends before the clip, the clip stops.
---@param clip string
---@param options? PlayOptions
---@return string
function Task:play(clip, options) end

---Makes the task's character walk in a straight line to a position or to another character. With `yaw`, it then turns to that direction. The walking character needs a controller (`hero:controller`). Returns true on arrival, or false if the character is stuck. If the task ends before, the character stops.
---@param target vector|Character|{ forward: fun(): vector }
---@param options? WalkToOptions
---@return boolean
function Task:walk_to(target, options) end

---Turns the task's character on the spot. The target is a position, a character, `camera`, or an angle in degrees around the Y axis (0 is +Z, 90 is +X). The character plays a turning clip if there is one; otherwise `foot_ik` makes its steps. While the character walks, the turn waits. Returns true when the turn is complete, or false after 8 seconds.
---@param target number|vector|Character|{ forward: fun(): vector }
---@param options? TurnInPlaceOptions
---@return boolean
function Task:turn_to(target, options) end

---Makes the task's character use a prop, in the way that `add_interaction` has defined. `interaction` is the name of the interaction; you may leave it out if the prop has only one. The character walks to the prop, turns, plays the clip of the interaction, reaches for the prop, holds on and lets go. The hand follows a prop that moves. The character emits an event `use` for each `phase`: "reach", "hold", "release" and "end". Its fields `other` and `interaction` name the prop and the interaction. The prop emits `used`. Returns "done" at the end, or "too_far" if the character could not get there. Returns "occupied" immediately if another character uses the interaction; only ladders can have several users.
---@param thing Character
---@param interaction? string
---@param options? UseOptions
---@return string
function Task:use(thing, interaction, options) end

---Runs all entries of a list in parallel and waits until the last of them is done. Returns a list of their results. An entry is a function, which runs as a task of its own, or anything that `wait` accepts: a number of seconds, the name of an event, a play and so on.
---@param things (number|string|Play|Sound|Line|Conversation|Task|(fun(task: Task): any))[]
---@return any[]
function Task:all(things) end

---Runs all entries of a list in parallel and waits until one of them is done; `all` describes the entries. Then the other functions of the list are stopped. Returns the number of the finished entry in the list, and its result.
---@param things (number|string|Play|Sound|Line|Conversation|Task|(fun(task: Task): any))[]
---@return number
---@return any
function Task:race(things) end

---Starts a second task, which runs in parallel to this one. When this task ends, the second task is stopped.
---@param run fun(task: Task): any
---@return Task
function Task:start(run) end

---Calls the function `cleanup` when the task ends, for whatever reason; its argument is the reason. Of several such functions, the one added last is called first. These functions cannot wait.
---@param cleanup fun(reason: string)
function Task:on_end(cleanup) end

---Remembers how far the task has come. A task begins again when a saved game is loaded and after a hot reload; `last_checkpoint` then has this name, so that the task can skip what it has done. Only the task's own function can call it.
---@param name string
function Task:checkpoint(name) end

---Ends the task at once, with all tasks that it started. If a task stops itself, its function continues until the next wait. So it can still start the task that replaces it.
function Task:stop() end

---Returns the reason why the task ended, or nil while it runs. The reasons are "end" (its function returned), "stopped", "failed" (by an error) and "reloaded" (by a hot reload).
---@return string?
function Task:end_reason() end

---Makes a clip from keys (values at times). Pass the result to `hero:add_clip`. The clip lasts at most 600 s. Bones, morph targets and curves without keys do not change. - A bone has its name in the model, or the name of a humanoid part such as `left_hand`. - A key of a bone is { t, x, y, z } or { t, vector }; `t` is the time. A key of a scale may also be { t, factor }. A key of a morph target or a curve is { t, number }. - A rotation is three angles in degrees, applied around z first, then x, then y. It may also be a quaternion { t, x, y, z, w }. - `space` says what the keys are relative to. "parent": the values are transforms relative to the parent bone, as in glTF. "rest": rotations are added to the rest pose, around the bone's own axes. "model": rotations and offsets are added to the rest pose, along the axes of the model. So the same keys fit every skeleton. - With `interpolation = "cubic"`, values follow a smooth curve through the keys. The motion starts and ends gently.
---@param name string
---@return fun(p1: ClipOptions): ClipDefinition
function clip(name) end

---Data of a clip of a character, returned by `hero:clip`. The value stays valid after a hot reload, because it finds the clip by its name.
---@class Clip
---@field name string Name of the clip.
---@field duration number Duration of the clip, seconds.
---@field source string File from which the clip comes, or "script" for a clip that a script made.
---@field markers ({ time: number, name: string, duration: number?, [string]: number|string|boolean })[] Markers of the clip with their fields, in order of time. Markers that `hero:add_marker` added are included.
---@field ground_speed number? Walking speed that fits the clip, metres per second, measured from the feet that stand on the ground. It is nil if it cannot be measured.
---@field root_translation vector? Distance by which the clip moves the root bone from its start to its end, along the character's own axes, metres. It is nil if the clip never moves or turns the root bone. If a clip moves the root bone but ends where it starts, it is a vector close to (0, 0, 0).
---@field root_yaw number? Angle by which the clip turns the root bone around the Y axis, from its start to its end, degrees. A positive angle is a turn to the left.
---@field is_in_place boolean True if the character is at the end of the clip nearly where it was at the start. Nearly means at most 8 % of the body's height away and turned by at most 20 degrees. Such a clip can still have root motion, which a state with `root_motion = true` applies.
---@field bytes number Size of the compressed clip in memory, bytes.
local Clip = {}

---Returns the pose of the clip at a time. The result is a table with the names of all bones that the clip moves. Each value is the transform of the bone relative to its parent bone. `quaternion` is { x, y, z, w }. `rotation` is the same rotation as three angles in degrees, applied around z first, then x, then y. Times before the first key give the first key, times after the last key give the last key.
---@param seconds number
---@return { [string]: { position: vector, quaternion: number[], rotation: vector, scale: vector } }
function Clip:sample(seconds) end

---Returns the value of a curve (a named number over time) of the clip at a time. `name` is the name of the curve.
---@param name string
---@param seconds number
---@return number
function Clip:curve(name, seconds) end

---A material of one character. A value that a script sets overrides the values of the model file and of clips, until you call `reset`. Reading a property returns the value that the script has set, otherwise the value of the file. A number outside the range of its property is moved to the nearest limit. When the model file is reloaded, the material is found again by its name. When the script is reloaded, the new script sets its own values again.
---@class Material
---@field kind string Kind of surface (shading model): "standard", "skin", "eye", "hair", "cloth" or "toon". By default it comes from the file. If the file does not set it, Galatea guesses it from the name of the material.
---@field color vector Base colour, as linear RGB.
---@field alpha number Opacity from 0 to 1; 1 is opaque. It has an effect only if the material in the file uses alpha blending or a cut-out.
---@field tint vector Colour, as linear RGB, that multiplies the base colour. For a toon material it also multiplies the shade colour. At the start it is white, which changes nothing.
---@field metallic number How metallic the surface is, 0 to 1: 0 is not metal, 1 is metal.
---@field roughness number Roughness, 0 to 1: 0 shines like a mirror, 1 is matt.
---@field specular number Strength of the reflection of surfaces that are not metal, 0 to 1.
---@field ior number Index of refraction: how much light bends in the material, at least 1. Water has 1.33. If the file does not set it, it is 1.5.
---@field emissive vector Colour of the light that the material emits, as linear RGB.
---@field emissive_strength number Factor on the brightness of the light that the material emits (see `emissive`).
---@field normal_scale number Strength of the normal map, the image that gives the surface its relief. 1 is as in the image, 0 is flat.
---@field occlusion number Strength of the occlusion map, the image that darkens creases, 0 to 1.
---@field alpha_cutoff number Limit for a cut-out material (one whose points are either visible or not): points with an alpha below it are invisible.
---@field clearcoat number Strength of the clear coat (a layer like varnish), 0 to 1.
---@field clearcoat_roughness number Roughness of the clear coat, 0 to 1.
---@field sheen vector Colour of the sheen (soft shine of fibres, as on velvet), as linear RGB. Black means no sheen.
---@field sheen_roughness number Roughness of the sheen, 0 to 1.
---@field transmission number Fraction of the light that passes through the material, as in glass, 0 to 1.
---@field thickness number Thickness of a transparent material, metres. At 0 the surface counts as a thin wall.
local Material = {}

---Changes properties gradually to the given values, within `duration` seconds. Properties that you leave out do not change. If a script sets a property directly, the fade of this property ends.
---@param options MaterialFadeOptions
function Material:fade(options) end

---Resets the property with the name `name`, or all properties if you give no name. Then the file and the clips control them again.
---@param name? string
function Material:reset(name) end

---A decal (an image on the surface of a character), returned by `hero:decal`. With the option `penetrate`, one value stands for all decals of the shot.
---@class Decal
---@field is_valid boolean True until the decal is removed.
local Decal = {}

---Removes the decal. It fades out within `seconds`, by default 0. Returns false if the decal was already removed.
---@param seconds? number
---@return boolean
function Decal:remove(seconds) end

---A particle emitter, created by `particles` or `character:particles`. After a hot reload, emitters that the main part of the script creates continue where they were. Emitters that were created later, during play, stay too.
---@class Particles
---@field is_valid boolean True until the emitter is removed.
---@field is_emitting boolean True while the emitter emits new particles.
---@field count number Number of particles that exist now.
---@field dropped_count number Number of particles that could not be emitted so far, because a limit was reached.
---@field rate number Number of particles emitted per second.
---@field color vector Colour at the start of a particle's lifetime, as linear RGB. You can also set a list of colours; then each particle passes through these colours during its lifetime.
---@field position vector Position of the emitter in the world, metres. You can set it only if no character carries the emitter.
local Particles = {}

---Emits `n` particles in one moment, by default 10.
---@param n? number
function Particles:emit(n) end

---Stops the emission of new particles. Existing particles stay until the end of their lifetime.
function Particles:stop() end

---Starts the emission of new particles again, after a call of `stop`.
function Particles:start() end

---Removes the emitter and all its particles.
function Particles:remove() end

---A crowd, created by `crowd { … }`. Its agents have the numbers 1, 2, 3 and so on. In the methods, `person` is the number of an agent and `place` is a position. After a hot reload, the agents continue from where they are.
---@class Crowd
---@field count number Number of agents.
local Crowd = {}

---Sends an agent to a position, or to the positions of a list, one after another. `person` is the number of the agent. `speed` is its speed from now on, metres per second. If the agent uses a smart object or waits for one, it leaves the object first. An agent on a slot plays the `outro` of the object before it goes.
---@param person number
---@param place vector|vector[]
---@param speed? number
function Crowd:walk_to(person, place, speed) end

---Sends all agents to one position. `speed` is their speed from now on, metres per second.
---@param place vector
---@param speed? number
function Crowd:walk_all_to(place, speed) end

---Stops an agent where it is. `person` is the number of the agent. The agent still steps aside for others. If it waits for a smart object, it stops waiting. If it already uses one, it continues the use.
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

---Returns the numbers of the agents for which the search for a path failed in the last tick: no path on the crowd's `navmesh` leads to their goal. These agents stop.
---@return number[]
function Crowd:no_path() end

---Returns the numbers of the agents within `radius` metres of a position. The default `radius` is 1.
---@param place vector
---@param radius? number
---@return number[]
function Crowd:find_near(place, radius) end

---Makes an agent enter one of the crowd's `states`. `person` is the number of the agent, `state` the name of the state. If the agent uses a smart object or waits for one, it leaves the object, unless the new state has `use_objects = true`.
---@param person number
---@param state string
function Crowd:set_state(person, state) end

---Returns the name of the state in which the agent with the number `person` is. Returns nil if the crowd has no states, and before the first tick of the crowd.
---@param person number
---@return string?
function Crowd:state(person) end

---Sends an event to an agent. `person` is the number of the agent. The field `on` of the agent's state defines how the agent reacts. `about` tells the agent what the event is about: a position, the number of another agent, or a smart object. Without a call of yours, the crowd sends these events: - `arrived`: the agent has reached its goal; `no_path`: no path leads to its goal; - `found`: the agent is near a position of `detect`; `met`: the agent and another agent walk towards each other; - `clip_end`: a clip that the agent plays once has ended; `timeout`: the `duration` of a state without `next` is over; - `use` and `use_end`: the agent begins or ends the use of a smart object.
---@param person number
---@param event string
---@param about? vector|number|SmartObject
function Crowd:send(person, event, about) end

---Sends an event to all agents within `radius` metres of a position. The subject of the event is that position, so agents can flee from there. Returns how many agents got the event.
---@param place vector
---@param radius number
---@param event string
---@return number
function Crowd:send_near(place, radius, event) end

---Makes an agent play a clip of its model. `person` is the number of the agent, `mode` is "once" (the default) or "loop". Call it without a clip to end that: then the agent stands and walks as before. The first use of a clip in a crowd takes longer, because the clip is prepared for the crowd.
---@param person number
---@param clip? string
---@param mode? "once"|"loop"
function Crowd:play(person, clip, mode) end

---Makes an agent face a position whenever it stands. `person` is the number of the agent. Call it without a position to end that.
---@param person number
---@param place? vector
function Crowd:turn_to(person, place) end

---Makes an agent follow a leader: the number of another agent, or a character. The agent keeps a position relative to the leader: `left` metres to the left (default 0.75) and `ahead` metres in front (default -0.3, which is behind). Call it without a leader to end that. An agent that uses a smart object leaves it, as with `walk_to`.
---@param person number
---@param leader? number|Character
---@param left? number
---@param ahead? number
function Crowd:follow(person, leader, left, ahead) end

---Moves an agent directly to a position, without walking there. `person` is the number of the agent. `yaw` is its new direction in degrees: 0 is +Z, 90 is +X. An agent on a slot of a smart object leaves the object.
---@param person number
---@param place vector
---@param yaw? number
function Crowd:teleport(person, place, yaw) end

---Sends an agent to use a smart object. `person` is the number of the agent. After the use, the agent continues with what it did before. Returns false if the object has no room, or if the agent already uses an object or waits for one.
---@param person number
---@param object SmartObject
---@return boolean
function Crowd:use(person, object) end

---Returns the smart object that an agent uses, walks to or waits for; nil if there is none. `person` is the number of the agent.
---@param person number
---@return SmartObject?
function Crowd:used_object(person) end

---Makes an agent stop using its smart object. `person` is the number of the agent. The agent plays the `outro` of the object and then continues with what it did before.
---@param person number
function Crowd:stop_using(person) end

---Turns an agent into a full character and returns the character. `person` is the number of the agent. Position, pose and colours stay the same. A character has a face and a gaze, can speak, reacts to hits and can fall. If the agent is already a character, that character is returned. The crowd continues to move the character as an agent. It does not move a character that is lying down, gets up, is held, or has a controller. Other agents then walk around the character.
---@param person number
---@return Character
function Crowd:promote(person) end

---Turns an agent that was made a character back into a normal agent. The agent continues at the position of the character. `person` is the number of the agent.
---@param person number
function Crowd:demote(person) end

---Returns the character of an agent that `promote` or the option `promote_distance` has made a character. Returns nil for a normal agent. `person` is the number of the agent.
---@param person number
---@return Character?
function Crowd:character(person) end

---Removes the crowd with all its agents, including agents that were made characters.
function Crowd:remove() end

---An object that agents of crowds use, such as a bench, created by `smart_object { … }`. After a hot reload, its users continue the use.
---@class SmartObject
---@field position vector Position of the object, metres. When you change it, agents on its slots move with the object.
---@field yaw number Direction of the object, degrees. At 0 the object faces +Z, at 90 it faces +X.
---@field push_speed number Speed at which the object pushes nearby agents away from its centre, metres per second. A negative value pulls agents to the centre.
---@field user_count number Number of agents that use the object or walk to one of its slots.
---@field waiting_count number Number of agents that wait in the queue of the object.
local SmartObject = {}

---Returns the numbers of the agents of a crowd that use the object, walk to it, or wait for it.
---@param crowd Crowd
---@return number[]
function SmartObject:users(crowd) end

---Removes the object. Its users continue with what they did before the use.
function SmartObject:remove() end

---A flock of birds or fish, created by `flock { … }`. Its members have the numbers 1, 2, 3 and so on. In the methods, `number` is the number of a member. After a hot reload, the members continue from where they are.
---@class Flock
---@field count number Number of members of the flock.
---@field center vector Mean position of all members, metres.
---@field separation number Strength with which members move away from neighbours that are nearer than `separation_distance` (separation).
---@field separation_distance number Distance below which members move away from each other, metres.
---@field alignment number Strength with which members adapt their velocity to that of their neighbours (alignment).
---@field cohesion number Strength with which members move towards the middle of their neighbours (cohesion).
---@field neighbor_radius number Distance up to which other members count as neighbours, metres.
---@field turn_rate number Maximum change of the velocity in a second, as a multiple of `max_speed`. Higher values give tighter turns.
---@field clearance number Minimum height above the ground, metres. A member that is lower rises.
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

---Attracts all members to a position, or repels them from it. `weight` is the strength of the force, by default 1; a negative weight repels. With `reach`, the force decreases with the distance and is 0 at `reach` metres. Without `reach`, the force is the same at all distances. A later call with the same `name` moves the position; without a position it removes the force.
---@param name string
---@param place? vector
---@param weight? number
---@param reach? number
function Flock:set_attractor(name, place, weight, reach) end

---Sets the velocity of a leader, metres per second. The option `leaders` of `flock` says how many members are leaders; they have the first numbers. All other members follow the nearest leader.
---@param number number
---@param velocity vector
function Flock:steer(number, velocity) end

---Moves a member directly to a position, without flying there. `velocity` is its new velocity, metres per second.
---@param number number
---@param place vector
---@param velocity? vector
function Flock:teleport(number, place, velocity) end

---Returns the numbers of the members within `radius` metres of a position. The default `radius` is 1.
---@param place vector
---@param radius? number
---@return number[]
function Flock:find_near(place, radius) end

---Removes the flock with all its members.
function Flock:remove() end

---Statistics of crowds in an area, created by `crowd_stats { … }`. A hot reload does not reset them.
---@class CrowdStats
---@field agent_count number Number of agents in the area now.
---@field empty_since number? Time at which the last agent left the area, in seconds like `now()`. It is nil while agents are in the area, and if no agent was ever there.
local CrowdStats = {}

---Returns how many agents have crossed a line. `line` is its name in the option `lines`. In the result, `forward` and `backward` are the numbers of crossings in each direction. `first` and `last` are the times of the first and the last crossing, in seconds like `now()`. `rate` is the number of crossings per second in the last five seconds, both directions together. `mean` is the mean number of forward crossings per second, between the first and the last forward crossing.
---@param line string
---@return { forward: number, backward: number, first: number?, last: number?, rate: number, mean: number }
function CrowdStats:flow(line) end

---Returns the density around a position, in agents per square metre. The agents are counted in a square with sides of 1.5 m. In the result, `mean` is the mean density since the start. `max` is the greatest density, as a mean over one second. Returns nil for a position outside the area.
---@param place vector
---@return { mean: number, max: number }?
function CrowdStats:density(place) end

---Returns the bottlenecks (places where agents crowd), the worst first. `most` is the maximum number of results, by default 5. A place is a bottleneck if it has had more than 1.4 agents per square metre (level of service E of Fruin's book on pedestrians). Each bottleneck has these fields: - `position`: the place, in metres; - `density`: the greatest density, as a mean over one second, in agents per square metre; - `time`: the time at which it was reached, in seconds like `now()`; - `speed`: the mean speed of the agents there, in metres per second; - `duration`: the time for which the place was crowded, in seconds.
---@param most? number
---@return { position: vector, density: number, speed: number, duration: number, time: number }[]
function CrowdStats:bottlenecks(most) end

---Writes a map of the greatest densities to a PNG file in the project's folder `out`, and returns the path of the file. Black is empty, pale yellow is five agents per square metre. Walls and the borders of the navigation mesh are white, the `lines` are green. In the image, +X points right and +Z points down.
---@param file string
---@return string
function CrowdStats:save_image(file) end

---Removes the statistics and stops the measurement.
function CrowdStats:remove() end

---A scent field: amounts of scent in the cells of an area of the ground, created by `scent_field { … }`. A hot reload keeps the scent.
---@class ScentField
---@field half_life number Time in which half of the scent disappears, seconds.
---@field diffusion number Fraction of the scent in each cell that moves to the neighbouring cells in a second, 0 to 1.
local ScentField = {}

---Adds scent at a position. `amount` is 1 by default; a negative amount removes scent. Outside the field the call has no effect.
---@param place vector
---@param amount? number
function ScentField:add(place, amount) end

---Returns the amount of scent in the cell at a position.
---@param place vector
---@return number
function ScentField:sample(place) end

---Removes all scent from the field.
function ScentField:clear() end

---Writes a map of the scent to a PNG file in the project's folder `out`, and returns the path of the file. Black is no scent, pale yellow is the greatest amount in the field. A quarter of that amount is half as bright. In the image, +X points right and +Z points down.
---@param file string
---@return string
function ScentField:save_image(file) end

---Removes the field with its scent.
function ScentField:remove() end

---A navigation mesh (the walkable area of the scene, as polygons), created by `navmesh { … }`.
---@class Navmesh
---@field is_ready boolean True if the mesh has been computed, so that `find_path` works.
---@field polygon_count number Number of polygons of the mesh.
local Navmesh = {}

---Returns the cheapest path between two positions, as a list of the points where it turns; the last point is the target. Returns nil if there is no path. `from` and `to` may be up to 1 m away from the mesh.
---@param from vector
---@param to vector
---@return vector[]?
function Navmesh:find_path(from, to) end

---Adds a link, which connects two positions over a gap in the mesh, for example for a jump, a ladder or a lift. Agents cross a link in a straight line, one after another. While agents cross it in one direction, agents in the other direction wait.
---@param from vector
---@param to vector
---@param options? NavLinkOptions
function Navmesh:add_link(from, to, options) end

---Adds an obstacle that agents walk around, such as a fire. It is a box with a `size`, or a cylinder with a `radius`. The mesh is computed again in the next tick. Returns the number of the obstacle, with which `remove_obstacle` removes it. For small obstacles, the option `obstacles` of a crowd is faster; for doors, use `add_door`.
---@param options NavObstacleOptions
---@return number
function Navmesh:add_obstacle(options) end

---Adds a doorway that you can open and close without computing the mesh again. When you do, agents search a new path at once. The doorway is invisible: create a body for the visible door. That body must not be static, because static bodies are obstacles of the mesh.
---@param options NavDoorOptions
---@return NavDoor
function Navmesh:add_door(options) end

---Removes an obstacle by the number that `add_obstacle` returned. The mesh is computed again in the next tick.
---@param number number
function Navmesh:remove_obstacle(number) end

---Computes the mesh again in the next tick. Call it after you have added or removed static bodies.
function Navmesh:rebuild() end

---A door of a navigation mesh, created by `navmesh:add_door`.
---@class NavDoor
---@field open boolean True if agents can pass. Set it to true to open the door, to false to close it.
local NavDoor = {}

---A listener: the registration of a function that is called for events, returned by `on` and `once`. The function gets only events that happen after that call.
---@class Listener
local Listener = {}

---Removes the listener. Its function is never called again, not even for the remaining events of the current tick.
function Listener:off() end

---A marker (named moment of a clip) that a script has added with `hero:add_marker`.
---@class Marker
local Marker = {}

---Removes the marker from its clip; the playback of the clip continues. If the marker is an interval that has begun, the interval ends at once, and its event has the field `interrupted`. If playback has already passed the marker in this tick, its event is still emitted. Returns false if the marker no longer exists.
---@return boolean
function Marker:remove() end

---A modifier changes the pose of a character after the clips have been played. `hero:foot_ik`, `hero:reach`, `hero:add_modifier` and similar methods return it. A character has only one modifier of a name: a second call with the same name changes the existing modifier. When you release a `reach`, `grip`, `aim_at`, `chain_ik`, `look_at` or `sit`, the modifier fades out and is then removed. If you have changed its order with `move_before` or `move_after`, it stays in the list instead. A removed modifier has the weight 0 and is not enabled. To raise its weight or to enable it is an error.
---@class Modifier
---@field name string Name of the modifier. No other modifier of the character has this name.
---@field kind string Kind of the modifier: `idle_motion`, `orientation_warp`, `lean`, `foot_ik`, `aim_at`, `look_at`, `chain_ik`, `reach`, `grip`, `sit`, `script` (made by `add_modifier`) or `helper_bones`.
---@field character Character Character whose pose the modifier changes.
---@field weight number Blend weight, 0 to 1: how much the modifier changes the pose. Setting it ends a fade.
---@field effective_weight number Blend weight that was used in the last tick, 0 to 1. It can be less than `weight`, because of `weight_curve`, because of `max_distance`, or while the character is down.
---@field enabled boolean True if the modifier is switched on. Set it to false to switch the modifier off; its position in the order of modifiers does not change.
---@field target_error number? Remaining distance from the target. For `reach` and `chain_ik` it is the distance between the end of the limb or chain and the target, metres. For `aim_at` it is the angle, degrees. For other kinds it is nil.
---@field inactive_reason string? Text that says why the modifier, or a part of it, has no effect: the skeleton lacks a bone that it needs. It is nil if nothing is missing.
local Modifier = {}

---Changes the weight to a new value over `seconds`, by default 0.25.
---@param weight number
---@param seconds? number
function Modifier:fade(weight, seconds) end

---Moves the modifier in the order of modifiers, directly before the modifier with the name `other`. It then runs directly before `other`.
---@param other string
function Modifier:move_before(other) end

---Moves the modifier in the order of modifiers, directly after the modifier with the name `other`. It then runs directly after `other`.
---@param other string
function Modifier:move_after(other) end

---Removes the modifier at once, without a fade. Returns false if it was removed already.
---@return boolean
function Modifier:remove() end

---The current pose of a character. The function of `hero:add_modifier` gets it as its argument and may use it only until the function returns. Positions and directions are in the character's own space: in metres, +Y is up, and the character looks along +Z.
---@class Pose
local Pose = {}

---Returns the position of a bone, in the character's space, metres. `at` is a point in the bone's own space; with it, the result is the position of that point.
---@param bone string
---@param at? vector
---@return vector
function Pose:position(bone, at) end

---Returns the direction in which an axis of a bone points, in the character's space, as a vector of length 1. `axis` is a direction in the bone's own space, by default its z axis.
---@param bone string
---@param axis? vector
---@return vector
function Pose:direction(bone, axis) end

---Rotates a bone, with all bones below it, around an axis through the origin of the bone. `degrees` is the angle. `space` says in whose space the vector `axis` is: "bone" (the default) or "character".
---@param bone string
---@param axis vector
---@param degrees number
---@param space? "bone"|"character"
function Pose:rotate(bone, axis, degrees, space) end

---Moves a bone, with all bones below it. `by` is the offset in the character's space, metres.
---@param bone string
---@param by vector
function Pose:move(bone, by) end

---A simulated part of a character: spring bones, a jiggle bone or cloth. `hero:spring_bone`, `hero:jiggle_bone` and `hero:cloth` return it. It moves its bones after the clips have been played, until you remove it. If the script creates it on the same bones after a hot reload, its motion continues.
---@class Spring
---@field weight number Blend weight, 0 to 1: how much the simulation moves the bones.
local Spring = {}

---Stops the motion: the bones jump to the current pose and start to swing from there.
function Spring:reset() end

---Removes the springs. The bones follow the clips again.
function Spring:remove() end

---The face of a character, `hero.face`. Its parts are morph targets, expressions of the file (VRM), and bones of the jaw, the lids and the brows. A script uses each part by its name. - Every face has the face shapes of ARKit (Apple's list of names such as `jawOpen`) and these emotions: anger, concentration, confusion, contempt, desire, disgust, excitement, fear, happiness, sadness, surprise. If the file lacks one, Galatea makes it from other parts. `galatea inspect` shows from which. - Five layers move the face: base (clips and gaze), mood, speech, reflex (blinks) and script. Their values are added together. A blink closes the eye from its current opening. - A value that a script sets overrides the other layers until the script clears it.
---@class Face
---@field valence number How pleasant the current mood is: from -1 (bad) to 1 (good).
---@field arousal number How excited the current mood is: from -1 (sleepy) to 1 (excited).
---@field walk_speed_scale number Factor on the walking speed that fits the mood, 0.75 to 1.25. Nothing uses it unless your script does: multiply the walking speed by it.
---@field blink_amount number How far a blink closes the lids at present: 0 is not at all, 1 is closed.
---@field use_microphone boolean True makes the mouth follow the voice of the player at the microphone, as long as the character speaks no line. The default is false. For tests, `galatea play --microphone FILE` uses a recording instead of the microphone.
local Face = {}

---Sets the lasting mood of the face. It is visible whenever the face shows no other expression. A call with nil ends the mood. `what` is one of these: - an emotion or expression, such as "happiness"; - a word for a mood, such as "calm", "tired" or "tense"; - a table of names and weights, such as { smile = 0.3, brow_up = 0.2 }; - a feeling as two numbers from -1 to 1, such as { valence = -0.6, arousal = -0.3 }. The mood also changes the rate of blinks, `idle_motion` and the loudness of speech. A script can read `face.valence`, `face.arousal` and `face.walk_speed_scale`.
---@param what? string|{ [string]: number }|boolean
---@param options? MoodOptions
function Face:mood(what, options) end

---Shows an expression for a limited time. As long as it is visible, it replaces the mood. `what` is the name of an expression or emotion, or a table of names and weights. Returns a `ShownExpression`, with which you can change and stop the expression.
---@param what string|{ [string]: number }
---@param options? ShowOptions
---@return ShownExpression
function Face:show(what, options) end

---Sets the weight of one morph target, shape or expression, 0 to 1. The weight overrides all other layers of the face. A call without a weight gives the control back to the other layers.
---@param name string
---@param weight? number
---@param options? FaceFadeOptions
function Face:set(name, weight, options) end

---Clears all weights and expressions that the script has set; the mood stays. The other layers then control the face again.
---@param options? FaceFadeOptions
function Face:clear(options) end

---Returns the weight that a morph target, shape or expression had in the last tick, as the result of all layers.
---@param name string
---@return number
function Face:get(name) end

---Returns how much each layer moved a part of the face in the last tick. The result has the fields `mood`, `speech`, `reflex` (how far a blink closes the part) and `script`. `script_weight` says how much the script overrides the other layers, 0 to 1. `total` is the weight that resulted.
---@param name string
---@return { [string]: number }
function Face:contributions(name) end

---Returns a table with the names of everything that the face can show. The value of a name is a text that says from which parts Galatea makes it. The text is empty if it is a morph target of the file.
---@return { [string]: string }
function Face:names() end

---Makes the character blink now.
function Face:blink() end

---Makes the face show a hidden feeling now and then, each time as a micro-expression of about 0.2 s. `what` is the name of an emotion or expression. A call with nil ends this.
---@param what? string|{ [string]: number }|boolean
---@param options? MicroExpressionOptions
function Face:micro_expression(what, options) end

---Changes the settings of the face. Settings that you leave out keep their values.
---@param options? FaceOptions
function Face:configure(options) end

---Sets the weight of a face shape, or of several face shapes by a table of names and weights. With a name alone, it returns the weight. A face shape is a morph target for the permanent form of the face, such as the width of the nose. In the file its name begins with `shape.`. No clip or expression changes face shapes; expressions are added to them. If a face shape moves the eyes, the eye bones move too.
---@param what string|{ [string]: number }
---@param weight? number
---@return number?
function Face:shape(what, weight) end

---Returns all face shapes with their weights and ranges. With a list of names in `others`, further morph targets become face shapes; `name = { min, max }` sets the range of one. Clips and expressions still move these targets, in addition to the weight.
---@param others? { [number | string]: string|number[] }
---@return { [string]: { value: number, min: number, max: number } }
function Face:shapes(others) end

---Gives the character a random face, and returns the weights of its face shapes. Another character gets the same face with `face:shape(weights)`. The same seed gives the same face, even if the model gets more shapes later.
---@param options? GenerateOptions
---@return { [string]: number }
function Face:randomize(options) end

---Sets the weight of the wrinkles in a region of the skin, 0 to 1. The weight overrides the wrinkles that expressions cause. A call without a weight gives the control back to the expressions. `face:wrinkles()` returns the names of the regions.
---@param region string
---@param weight? number
---@param options? FaceFadeOptions
function Face:wrinkle(region, weight, options) end

---Returns the wrinkle regions of the skin, by name, with their weights in the last tick. The model defines what causes wrinkles in a region: expressions, skin that is pressed together, or curves of clips.
---@return { [string]: number }
function Face:wrinkles() end

---An expression on a face, returned by `face:show`.
---@class ShownExpression
---@field intensity number Intensity of the expression when it is fully faded in, 0 to 1. Set it to make the expression stronger or weaker.
---@field weight number Current blend weight of the expression, including fades, 0 to 1. It is 0 after the end.
local ShownExpression = {}

---Fades the expression out within `seconds`, by default within its own `fade_out`. Returns false if the expression is already fading out or has ended.
---@param seconds? number
---@return boolean
function ShownExpression:stop(seconds) end

---Replaces the expression by another one, or by a table of names and weights. You may call it in every tick. Returns false if the expression has ended.
---@param what string|{ [string]: number }
---@return boolean
function ShownExpression:set(what) end

---Defines an expression by the weights, -1 to 1, of morph targets, shapes of ARKit and other expressions. Every face that has these parts can show the expression: with `face:show`, or with a mark such as `{sly}` in the text of a line.
---@param name string
---@return fun(p1: { [string]: number })
function expression(name) end

---Defines how the text of lines is spoken in a language. Galatea knows the languages en, es, es-419, it, de, fr and ja; if `name` is one of them, your rules are added and tried first. A rule is { left, letters, right, sounds }. It says: these letters have these sounds if the text to the left and to the right of them matches. A vowel sound with a 1 is stressed. `left` and `right` may contain letters and these signs: - `_` is the beginning or end of a word; `V` a vowel; `C` a consonant; `E` a front vowel (such as e and i); - `*` is any number of consonants; `#` is one vowel or more; - `(abc)` is one of these letters; `(!abc)` is any other letter.
---@param name string
---@return fun(p1: LanguageOptions)
function language(name) end

---Defines how single words are spoken, in all languages or only in `language`. Your definition is used instead of the dictionary and the rules. You can write a pronunciation in three ways. The example below shows them in this order: sounds in ARPAbet, with a 1 after the stressed vowel; letters of the International Phonetic Alphabet between slashes; another spelling in lower-case letters.
---@param words { [string]: string }
---@param language? string
function pronounce(words, language) end

---A line that a character speaks or will speak, returned by `hero:say`.
---@class Line
---@field end_reason string? Reason why the line is over: "end" or "interrupted". It is nil until then.
---@field time number Time since the beginning of the line, seconds.
---@field duration number? Duration of the line, seconds; nil when the line is over.
---@field text string? Text of the line, without its marks such as `{smile}`; nil when the line is over.
local Line = {}

---Interrupts the line, and the mouth closes. `how` says when: "phrase" (the default) at the end of the current phrase, "word" at the end of the current word, "now" at once. Returns false if the line is already over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Line:stop(how) end

---Continues a line that was interrupted. `from` says where: "phrase" (the default) repeats the interrupted phrase from its beginning, "word" continues at the interrupted word. Returns a new line for the rest, or nil if the line was not interrupted.
---@param from? "phrase"|"word"
---@return Line?
function Line:resume(from) end

---Returns the expressions, gestures and other events of the line as a list of rows. They come from the marks in its text and from its option `track`. You can pass the list to another line as its `track`. Returns nil when the line is over.
---@return TrackRow[]?
function Line:track() end

---Returns the words of the line, each with the times at which it starts and finishes, in seconds from the beginning of the line. Returns nil when the line is over.
---@return { word: string, start: number, finish: number }[]?
function Line:words() end

---Starts a conversation between two or more characters. The list contains the steps of the conversation, in order. An error in any step is reported before the first one begins. A character can be in only one conversation: a new conversation ends the earlier one. A step is one of these: - a turn, { "anna", "Hello." }: the name of the speaker in `cast`, and a line as in `hero:say`, with the options below; - { pause = 1 }: a pause, in seconds; - { call = function(talk) … end }: a call of your function; - { choose = { … } }: one of several steps, or lists of steps, chosen at random. A list with `weight = 2` is chosen twice as often as one without. A mark in a line can make the speaker look at a member of the cast, by name: `{look=ben}`.
---@param turns ConversationTurns
---@return Conversation
function conversation(turns) end

---A conversation, started by `conversation`. A task can wait for its end. After a hot reload, a conversation that the new script starts too continues where it was. Any other conversation ends after its current line, with the reason "reloaded".
---@class Conversation
---@field turn number? Number of the current turn: its position in the list of steps. It is nil while no one speaks.
---@field speaker string? Name of the current speaker in the cast; nil while no one speaks.
---@field end_reason string? Reason why the conversation ended: "end", "stopped", "interrupted" (another conversation took one of its characters), "unavailable" (fewer than two characters are left) or "reloaded". It is nil before the end.
local Conversation = {}

---Calls the function `listener` for each event of the conversation with the name `event`; `*` means all events. The events are: - `turn`: a turn begins. Fields: `turn` (its number), `speaker` and `to` (names), `text` and `character` (the speaker). - `turn_end`: a turn ends. Its `reason` is "end", "interrupted", or "unavailable" if the speaker is lying down, dead or removed. - `end`: the conversation ends, with the `reason`.
---@param event "turn"|"turn_end"|"end"|"*"
---@param listener fun(event: ConversationEvent)
---@return Listener
function Conversation:on(event, listener) end

---Ends the conversation. `how` says when the current line is cut: "phrase" (the default) at the end of the current phrase, "word" at the end of the current word, "now" at once. Returns false if the conversation is already over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:stop(how) end

---Ends the current line or pause and continues with the next turn. `how` says when the line is cut: "now" (the default) at once, "word" at the end of the current word, "phrase" at the end of the current phrase. Returns false if the conversation is already over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:skip(how) end

---Inserts a turn into the conversation, and then continues the conversation. `turn` is written as a step of `conversation`. The new turn interrupts the current line at the end of the current word; its option `interrupt` can change that. With `interrupt = false` the new turn waits until the line is over. Returns false if the conversation is over, or if too many inserted turns are waiting.
---@param turn ConversationTurnOptions
---@param options? InterruptOptions
---@return boolean
function Conversation:interrupt(turn, options) end

---Creates a state machine. Set `hero.machine` to the result. The list contains either layers, or states and transitions; these then form one layer named "body". The machine starts in the first state.
---@param parts MachineOptions
---@return MachineDefinition
function machine(parts) end

---Creates a layer of a machine, with its own states and transitions. Its pose is placed on top of the pose of the layers before it in the list.
---@param name string
---@return fun(p1: MachineLayerOptions): MachinePiece
function layer(name) end

---Creates a state of a machine. The list contains a clip, or a motion such as `blend1d { … }`, or inner states and their transitions. An empty state shows the rest pose; in an upper layer, it shows the pose of the layers below.
---@param name string
---@return fun(p1: MachineStateOptions): MachinePiece
function state(name) end

---Creates a transition to the state with the name `state`. The transition happens when all of its conditions are true; its conditions are those of the fields `when`, `on`, `at_end`, `min_time`, `exit_time` and `marker` that you set. If several transitions could happen, the highest `priority` decides, then inner before outer transitions, then the order in the script.
---@param state string
---@return fun(p1: TransitionOptions): MachinePiece
function transition_to(state) end

---Creates an inertial fade, for the field `fade` of `transition_to`. With it, the new state plays alone from the start. The body moves smoothly from its old pose and velocity into the new motion, within `seconds`. A normal fade mixes two clips instead.
---@param seconds number
---@return MachinePiece
function inertial(seconds) end

---Creates a motion that plays clips in random order, for a state. Each entry is the name of a clip, or { name, chance }: with a chance of 4, the clip is played four times as often as with 1, the default. In a state with `mode = "once"`, only one clip is played.
---@param clips ClipListOptions
---@return MachinePiece
function random_clips(clips) end

---Creates a motion that plays clips in order, again and again, for a state. In a state with `mode = "once"`, the clips are played only once.
---@param clips ClipListOptions
---@return MachinePiece
function sequence(clips) end

---Creates a motion that blends clips by the value of a parameter, for example walking and running by the speed. Each point is { value, clip }: at this value of the parameter, only this clip is visible. Without a value, the walking speed that Galatea measures from the feet of the clip is used, in metres per second. A point may contain another blend instead of a clip.
---@param points Blend1dOptions
---@return MachinePiece
function blend1d(points) end

---Creates a motion that blends clips by the values of two parameters. Each point is { x, y, clip }: where the parameters have the values x and y, only this clip is visible. Without x and y, the velocity that Galatea measures from the feet of the clip is used: x to the left and y ahead, in metres per second. (The method is gradient band interpolation.)
---@param points Blend2dOptions
---@return MachinePiece
function blend2d(points) end

---Creates a motion that blends clips like `blend2d`, but by the angle and the length of (x, y). Use it if x and y are a velocity: while the direction changes, the speed of the blended motion stays the same.
---@param points Blend2dOptions
---@return MachinePiece
function blend_polar(points) end

---The running state machine of a character, `hero.machine`.
---@class Machine
---@field params { [string]: number|boolean } Parameters of the machine, by name. Set one with `hero.machine.params.speed = 2`. An unknown name is an error; a value of the wrong type is ignored. After a hot reload, a parameter keeps its current value, unless you have changed its default in the script. Then it gets the new default.
local Machine = {}

---Sends an event to the machine. In the next tick, transitions with this event as `on` can happen; then the event is lost. With `timeout`, the event waits up to that many seconds for a transition that can happen. Use this for a key that the player presses a moment too early.
---@param event string
---@param options? SendOptions
function Machine:send(event, options) end

---Returns the name of the current state of a layer. `layer` is the name of the layer, by default the first one. The name of an inner state is `outer/inner`.
---@param layer? string
---@return string
function Machine:state(layer) end

---Returns the time since the current state of a layer was entered, in seconds. `layer` is the name of the layer, by default the first one.
---@param layer? string
---@return number
function Machine:time_in_state(layer) end

---Leads the machine to a state by the path with the fewest transitions, and returns the names of the states on this path. On the way, the conditions `when` and `on` are ignored; `at_end`, `min_time`, `exit_time` and `marker` still apply. The travel is cancelled by a transition whose event is sent, or by one with a higher priority.
---@param state string
---@param options? TravelOptions
---@return string[]
function Machine:travel(state, options) end

---Enters a state in the next tick, without a transition and whatever the conditions are. A travel is cancelled. From then on, transitions happen as usual, also in the following tick. Use this for cutscenes and to try a state; in a game, transitions are easier to follow.
---@param state string
---@param options? StateJumpOptions
function Machine:jump_to(state, options) end

---Explains, for each transition out of the current state, why it happens or not. With `state`, only the transitions to this state are listed. In each entry, `allowed` is true if the transition can happen now. `reason` is a text with the values that decided, and `location` is the line of the transition in the script.
---@param state? string
---@param options? TravelOptions
---@return { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number }[]
function Machine:why(state, options) end

---Returns the transitions that happened recently, the oldest first. In each entry, `reason` is a text that says why it happened, with the values that decided. `ago` is the time since then, in seconds. `location` is empty after `jump_to`. `layer` is the name of the layer, by default the first one.
---@param layer? string
---@return { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number }[]
function Machine:transition_history(layer) end

---The speed of the game: pause, slow motion and hit-stop. While the game is paused, characters, physics, crowds, particles, `update`, tasks and sounds stand still. These continue: - the function `update_unscaled(dt)` of the script, - tasks and timers with the option `unscaled`, - sounds with the option `unscaled`, - the camera, input and `ui`. Unscaled time is the time that passes outside of the game. A hot reload ends a pause and slow motion.
time = {}

---Pauses the game until `time.resume`. A tick that has begun is finished.
function time.pause() end

---Ends a pause. Keys that were pressed during the pause are not passed to `update`.
function time.resume() end

---Returns true while the game is paused.
---@return boolean
function time.is_paused() end

---Sets how fast the game runs and returns the factor, from 0 to 4. 1 is normal, 0.2 is slow motion. In slow motion the ticks have the same length, but fewer of them are simulated per second, and pictures are interpolated. So everything moves exactly as at normal speed. Without an argument it only returns the factor.
---@param factor? number
---@return number
function time.scale(factor) end

---Simulates a number of ticks although the game is paused, by default 1.
---@param ticks? number
function time.step(ticks) end

---Lets the game stand still for a moment of unscaled time, from 0 to 60 seconds. Use it as a hit-stop, which gives a hit more weight. Sounds continue, except speech. Keys that are pressed meanwhile take effect after it.
---@param seconds number
function time.freeze(seconds) end

---Keeps copies of the game of the last seconds, up to 120, so that `time.rewind` can go back. 0 ends this. A copy is made four times per second; a history of 10 seconds takes about as much memory as 40 games.
---@param seconds number
function time.keep_history(seconds) end

---Goes back in time at the end of this tick, to the last copy that is at least that old, or to the oldest one. Returns by how many seconds at least, as far as the history reaches. It works like `load`: the script runs again from its beginning, the stage and the `keep_on_reload` tables are as they were, and `on_load` is called; its argument has the field `rewound`, in seconds.
---@param seconds number
---@param options? RewindOptions
---@return number
function time.rewind(seconds, options) end

---Returns the unscaled time since the start of the game, in seconds. `now()` is the time of the game itself.
---@return number
function time.unscaled() end

---Sets how sounds are played in slow and fast motion. `lower_pitch` (the default) plays them slower and deeper, like a tape. `same_pitch` plays them slower at their own pitch.
---@param mode "lower_pitch"|"same_pitch"
function time.slow_sound(mode) end

---Input from keyboard, mouse and gamepads. There are three kinds of names: - keys and buttons: `a`, `space`, `left`, `shift`, `mouse_left`, `wheel_up`, `pad_south`. The full list is in [projects.md](projects.md#keys). `pad_south` is this button on any gamepad; `pad1_south`, `pad2_south` and so on are the same button on one particular gamepad; - actions, which are bound to keys. There are `jump` (space), `run` (shift), `use` (e) and `wave` (q); with `input.bind` you add your own; - axes, which are numbers from -1 to 1: `move_x` and `move_y` (WASD, arrow keys, left stick). `mouse_dx` and `mouse_dy` are the motion of the mouse pointer in the tick, to the right and down, as fractions of the picture.
input = {}

---Returns the value of an axis, from -1 to 1.
---@param name string
---@return number
function input.axis(name) end

---Returns true while a key is held down, or a key of an action. `name` is the name of the key or the action.
---@param name string
---@return boolean
function input.down(name) end

---Returns true only in the tick in which a key, or a key of an action, was pressed. `name` is the name of the key or the action.
---@param name string
---@return boolean
function input.pressed(name) end

---Returns true only in the tick in which a key, or a key of an action, was released. `name` is the name of the key or the action.
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

---Binds an action to a key or a list of keys. They replace the keys that the script bound to it before. If the player has chosen keys with `rebind`, those are used instead.
---@param action string
---@param keys string|string[]
function input.bind(action, keys) end

---Binds an axis to keys and sticks. They replace those that the script bound to it before. If the player has chosen keys with `rebind_axis`, those are used instead.
---@param axis string
---@param keys AxisOptions
function input.bind_axis(axis, keys) end

---Sets the key or keys that the player has chosen for an action; `{}` means no key. They are used instead of the keys of the script, until you call `reset_bindings` or the game ends. A hot reload keeps them.
---@param action string
---@param keys string|string[]
function input.rebind(action, keys) end

---Sets the keys and sticks that the player has chosen for an axis. They are used instead of those of the script. A field that you leave out has no keys.
---@param axis string
---@param keys AxisOptions
function input.rebind_axis(axis, keys) end

---Removes the keys that the player has chosen for an action or axis. Without a name, it does so for all actions and axes. Then the keys of the script are used again.
---@param name? string
function input.reset_bindings(name) end

---Writes the keys that the player has chosen to the file `bindings.toml` of the project, so that they are still there at the next start. Only `galatea play` reads and writes this file.
function input.save_bindings() end

---Sounds of the project: WAV, OGG, MP3 and FLAC files in `assets/` and the folders in it. The name of a sound is the name of its file without the extension. The files `bark_1.wav`, `bark_2.wav` and so on are variants of one sound, `bark`: each time, one of them is chosen at random.
sound = {}

---Plays a sound. If you call it in a listener, the sound starts exactly at the time of the event.
---@param name string
---@param options? SoundOptions
---@return Sound
function sound.play(name, options) end

---Sets the volume of all sounds together, 0 to 4; 1 is normal.
---@param volume number
function sound.volume(volume) end

---A sound, started by `sound.play`. It ends exactly once, with the reason "end", "stopped" or "reloaded". A task can wait for the end. At a hot reload, all these values end with the reason "reloaded". Sounds with `loop` then stop; other sounds can still be heard to their end.
---@class Sound
---@field time number? Position of playback in the sound, seconds. With `loop`, it starts at 0 again with each repetition. It is nil after the end.
---@field volume number? Factor on the volume, 0 to 16. It is nil after the end.
---@field pitch number? Factor on speed and pitch, 1/16 to 16. It is nil after the end.
---@field position vector? Position of the sound in the world, metres. It is nil after the end, and for a sound without a position.
local Sound = {}

---Stops the sound. It fades out within `fade` seconds, by default 0.02.
---@param fade? number
function Sound:stop(fade) end

---Returns the reason why the sound ended: "end", "stopped" or "reloaded". Returns nil while the sound plays.
---@return string?
function Sound:end_reason() end

---The camera looks at a point, its target. The player can rotate the camera around the target with the mouse. A hot reload keeps this rotation.
camera = {}

---Sets the position and view of the camera. Options that you leave out keep their values.
---@param options CameraOptions
function camera.orbit(options) end

---Makes the camera follow a character and keep it in the middle of the picture. Here the option `target` is an offset from the character's position.
---@param character Character
---@param options? CameraOptions
function camera.follow(character, options) end

---Makes the camera follow a character from a distance at which the whole character is visible, whatever its size.
---@param character Character
---@param options? CameraOptions
function camera.frame(character, options) end

---Shows the view from a character's eyes (first person). The camera moves with the head, and the mouse rotates the view. The head, the hair and objects attached to the head are invisible, but still cast shadows. In a VRM file, its setting `firstPerson` says which meshes are invisible. `camera.follow`, `camera.orbit` and `camera.frame` end the first-person view.
---@param character Character
---@param options? FirstPersonOptions
function camera.first_person(character, options) end

---Returns the line from the camera through a point of the picture, by default the point at the mouse pointer. In the result, `from` and `to` are the ends of the line, and `direction` is its direction as a vector of length 1. Pass `from` and `to` to `physics.raycast` to find what is under the pointer.
---@param place? CameraRayOptions
---@return { from: vector, to: vector, direction: vector }
function camera.ray(place) end

---Returns the position of the camera in the world, metres.
---@return vector
function camera.position() end

---Returns the horizontal direction in which the camera looks, as a vector of length 1 whose y is 0.
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

---Sets the exposure (brightness of the picture). `stops` is 0 for normal; +1 is twice as bright, -1 half as bright.
---@param stops number
function light.exposure(stops) end

---Sets a complete lighting (light rig): "noon", "three_point", "studio", "overcast", "sunset", "night", "spotlight", "neon" or "embers". A rig sets the sun, the sky, the fog and post-processing. It replaces the lights of the previous rig. [Light](light.md#light-rigs) describes each rig.
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

---Lights the scene with an environment map, an image of the surroundings in all directions, instead of the colours of the sky. `file` may be Radiance (.hdr), KTX2 (a cube map or one picture), PNG or JPEG. The centre of a picture that is twice as wide as high is in the direction -Z. A call with nil returns to the sky. When the file changes, it is loaded again.
---@param file? string
---@param options? EnvironmentOptions
function light.environment(file, options) end

---A light, created by `light.point` or `light.spot`. It stays until you remove it or the script is reloaded. The render quality limits how many lights cast shadows. If there are more, the brightest lights in view cast shadows.
---@class Light
---@field position vector Position in the world, metres. If a character carries the light, you set the position in the space of the bone that carries the light.
---@field color vector Colour, as linear RGB. It is scaled so that its largest component is 1; the brightness is set with `intensity`.
---@field intensity number Intensity: how bright the light makes a surface at a distance of 1 m. 4 is like the sun at noon.
---@field range number Distance beyond which the light has no effect, metres.
---@field source_radius number Radius of the light source, metres. Larger sources cast softer shadows.
---@field shadows boolean True if the light casts shadows.
local Light = {}

---Removes the light. After that, its value has no effect any more.
function Light:remove() end

---Points a spot light at a position. A point light has no direction.
---@param target vector
function Light:aim_at(target) end

---The floor of the scene, and areas on it with other surfaces. Events such as `step` contain the name of the surface at that position.
ground = {}

---Sets the floor. Options that you leave out keep their values.
---@param options GroundOptions
function ground.set(options) end

---Adds an area with another surface to the floor. It is a circle if you give a `radius`, or a rectangle if you give a `size`.
---@param options PatchOptions
function ground.patch(options) end

---Returns the name of the floor's surface at a position.
---@param at vector
---@return string
function ground.surface(at) end

---Haircuts as lists of strands, which a script can change before a character gets them. If you do not want to change a haircut, use the option `cut` of `hero:hair` instead.
hair = {}

---Returns a haircut as a table of options for `hero:hair`. In the result, `guides` is a list of strands, each a list of points from root to tip. The points are in the space of the character in its rest pose, so the result has `in_rest_space = true`. Options of `hero:hair` that you pass are in the result too.
---@param options HairGuideOptions
---@return HairOptions
function hair.grow(options) end

---Physics: props (objects such as boxes), surfaces, collision layers, forces, and queries that find objects. The floor has a collider, see `ground.set`. The method `collider` gives a collider to a character or prop. Units are metres, kilograms and seconds.
physics = {}

---Changes settings of the physics world. Options that you leave out keep their values.
---@param options PhysicsOptions
function physics.set(options) end

---Defines or changes a surface. It affects colliders that are created later. Built-in surfaces are stone, wood, metal, grass, gravel, sand, carpet, ice, rubber, glass, flesh and water.
---@param name string
---@param options SurfaceOptions
function physics.surface(name, options) end

---Creates or changes a collision layer (a group of colliders). Colliders of two layers collide only if each of the two layers collides with the other. Built-in layers are `world`, `props`, `characters` and `ragdolls`, which all collide with each other.
---@param name string
---@param options? CollisionLayerOptions
function physics.layer(name, options) end

---Adds a box to the scene. With a `mass` it falls and can be pushed; otherwise it is fixed. It has a collider, unless `collider` is false.
---@param options? BoxOptions
---@return Character
function physics.box(options) end

---Adds a sphere to the scene. With a `mass` it falls and can be pushed; otherwise it is fixed. It has a collider, unless `collider` is false.
---@param options? SphereOptions
---@return Character
function physics.sphere(options) end

---Adds a capsule (a cylinder with round ends) to the scene. With a `mass` it falls and can be pushed; otherwise it is fixed. It has a collider, unless `collider` is false.
---@param options? CapsuleOptions
---@return Character
function physics.capsule(options) end

---Adds a cylinder to the scene. With a `mass` it falls and can be pushed; otherwise it is fixed. It has a collider, unless `collider` is false.
---@param options? CylinderOptions
---@return Character
function physics.cylinder(options) end

---Adds stairs to the scene. They begin at `position` and rise in the direction of +Z; `yaw` rotates them.
---@param options? StairsOptions
---@return Character
function physics.stairs(options) end

---Adds a ramp (a wedge) to the scene. It begins at `position` and rises in the direction of +Z; `yaw` rotates it.
---@param options? RampOptions
---@return Character
function physics.ramp(options) end

---Adds terrain: ground with hills, given by a height for each point of a grid. Each cell of the grid can have its own surface. A second call with the same name replaces the terrain; where the new ground is higher, characters are lifted onto it.
---@param options? TerrainOptions
---@return Character
function physics.terrain(options) end

---Creates a force field: a region, or the whole scene, in which a force acts on dynamic bodies and ragdolls. Set exactly one of the options `force`, `acceleration`, `wind`, `water`, `attractor` and `launch_velocity`. When you create or change the field, it wakes up sleeping bodies.
---@param options ForceFieldOptions
---@return ForceField
function physics.force_field(options) end

---Picks up the object that a ray has hit: a dynamic body, or a limb of a character. `hit` is the result of a ray, such as `physics.raycast`. A soft spring pulls the point that was hit to the `position` of the returned hand. A standing character falls, and does not get up while it is held. Returns nil if the object cannot move.
---@param hit { character: Character?, position: vector, bone: string? }
---@param options? GrabOptions
---@return Grab?
function physics.grab(hit, options) end

---Returns the first hit on the line from one position to another, or nil if there is none. The line hits colliders. A hit is a table with these fields: - `position`: the position of the hit in the world; `normal`: the direction that the surface faces there; - `distance`: the distance from the start of the line, in metres; `surface`: the name of the surface; - `character`: the character or prop that was hit; nil for the floor; - `bone`: the bone that was hit, if it is a body of a ragdoll, or with the option `exact`. With `exact`, the line hits the visible triangles of characters and props, even if they have no colliders. Then the hit also has `part` and `triangle` (counted from 1), which identify the triangle. `barycentric` and `uv` give the point in the triangle.
---@param from vector
---@param to vector
---@param options? RaycastOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.raycast(from, to, options) end

---Returns a list of all hits on the line from one position to another, the nearest first. Each hit has the fields described at `raycast`.
---@param from vector
---@param to vector
---@param options? RaycastOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }[]
function physics.raycast_all(from, to, options) end

---Moves an invisible shape along a line and returns the first hit, or nil if there is none. `from` and `to` are the positions of the centre of the shape. The hit has the fields described at `raycast`.
---@param from vector
---@param to vector
---@param options? ShapeQueryOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.shape_cast(from, to, options) end

---Returns a list of all characters and props whose collider overlaps a shape. `at` is the position of the centre of the shape.
---@param at vector
---@param options? ShapeQueryOptions
---@return Character[]
function physics.overlap(at, options) end

---Pushes dynamic bodies away from a position, once, as an explosion does. `at` is the position.
---@param at vector
---@param options? ExplosionOptions
function physics.explosion(at, options) end

---A force field, created by `physics.force_field`.
---@class ForceField
---@field enabled boolean True while the field is active. Set it to switch the field on and off.
---@field position vector Centre of the region in the world, metres. When you change it, an `attractor` moves by the same distance.
local ForceField = {}

---Removes the force field.
function ForceField:remove() end

---An invisible hand that holds a rigid body or a limb, created by `physics.grab`. The hand opens by itself when the held body is removed, when its character gets up, or when it is attached to a bone.
---@class Grab
---@field position vector? Position of the hand, to which a spring pulls the held body, metres. Set it to move the hand. It is nil when the hand is open.
---@field character Character? Character or prop that is held; nil when the hand is open.
local Grab = {}

---Opens the hand. The body keeps its velocity, so you can throw it by moving the hand before.
function Grab:release() end

---User interface: texts, bars, boxes, images and captions, drawn over the picture. Colours are linear RGB. An element stays until you remove it or the script is reloaded. - Positions and sizes are in points. The screen always counts as 1280 × 720 points, whatever its real size. - The option `anchor` attaches an element to a corner or edge of the screen, so that a layout also fits screens of other shapes. - With `world_position` or `character`, an element is a label at a position in the world. It is visible even behind walls and other objects.
ui = {}

---Shows a text; `\n` in it begins a new line. Returns an element, with which you can change and remove the text.
---@param text string
---@param options? UiTextOptions
---@return UiElement
function ui.text(text, options) end

---Shows a bar, for example for health. `value` is how much of it is filled, from the left: 0 is empty, 1 is full. Returns an element, with which you can change and remove the bar.
---@param value number
---@param options? UiBarOptions
---@return UiElement
function ui.bar(value, options) end

---Shows a rectangle. Returns an element, with which you can change and remove it.
---@param options? UiBoxOptions
---@return UiElement
function ui.box(options) end

---Shows an image file of the project: PNG, JPEG or WebP with at most 2048 × 2048 pixels. If you set only `width` or only `height`, the shape of the image gives the other one. If you set neither, the longer side is at most 256 points. When the file changes, the image is loaded again.
---@param file string
---@param options? UiImageOptions
---@return UiElement
function ui.image(file, options) end

---Shows a caption, a spoken line as text, at the bottom of the screen. `speaker` is the name before the text, or "" for no name. The text wraps at two thirds of the screen's width. At most two captions are shown, the newer one below the older one; a third replaces the oldest.
---@param speaker string
---@param text string
---@param options? CaptionOptions
---@return UiElement
function ui.caption(speaker, text, options) end

---An element of the user interface, created by a function of `ui`. It stays until you remove it or the script is reloaded. A caption stays until its `duration` is over. A label that follows a character is hidden when the character is removed.
---@class UiElement
---@field text string? Text that the element shows, for a text or a caption. It is nil for other elements.
---@field value number? Value of a bar, 0 (empty) to 1 (full). It is nil for other elements.
---@field color vector Colour, as linear RGB. For a caption it is the colour of the speaker's name.
---@field opacity number Opacity: 0 is invisible, 1 is opaque.
---@field visible boolean True if the element is shown. Set it to false to hide the element.
---@field position vector Offset from the anchor in points: x to the right and y down.
---@field size (number|vector)? Size in points. For a text it is a number, the height of the letters. For other elements it is a vector with the width (x) and the height (y). It is nil for a caption.
---@field world_position vector? Position of a label in the world, metres. It is nil for an element on the screen. For a label that follows a character, setting it moves the label; after that, the label follows the character at the new distance.
local UiElement = {}

---Removes the element. After that, its value has no effect any more.
function UiElement:remove() end

---Registers a test.
---@param name string
---@param run fun(t: table)
function test(name, run) end
