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
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field target_bone? string Bone of the target character; its origin
---@field target_offset? vector Position in the space of that bone (metres); its origin
---@field target_space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field bones? string[]|{ [string]: number } Bones that rotate, each a descendant of the previous one: a list of names, or names with fractions of the rotation, { spine = 0.3, chest = 0.7 }; the spine up to the chest
---@field aim_bone? string Bone with the aim line, below the others: for example a hand with a weapon; the last of `bones`
---@field aim_offset? vector Origin of the line, in that bone's space (metres); the bone's origin
---@field aim_axis? vector Direction of the line, in that bone's space; the character's forward direction at rest
---@field max_side? number Maximum angle to the left and to the right (degrees, 0 to 180); 80
---@field max_up? number Maximum angle up (degrees, 0 to 180); 60
---@field max_down? number Maximum angle down (degrees, 0 to 180); 50
---@field name? string Name of the modifier; "aim_at"

---Any event; its fields depend on its name
---@class AnyEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field [string] any further fields

---Pose of an attached character in the space of a bone
---@class AttachOptions
---@field offset? vector Position in the bone's space (metres); (0, 0, 0)
---@field yaw? number Rotation about the bone's y axis, applied last (degrees); 0
---@field pitch? number Rotation about the bone's x axis, applied second (degrees); 0
---@field roll? number Rotation about the bone's z axis, applied first (degrees); 0
---@field scale? number Factor for the scale of the attached character (0.001 to 1000); 1

---Keys and sticks for an axis
---@class AxisOptions
---@field negative? string|string[] Key or keys for -1
---@field positive? string|string[] Key or keys for +1
---@field stick? string|string[] Stick or sticks of a gamepad

---Settings of a blend along one parameter; its list holds points { value, clip } and clips
---@class Blend1dOptions
---@field sync? "feet"|"phase"|"free" Method of synchronisation; "feet", for clips with step markers
---@field match_speed? boolean True to adapt the speed of the clips, so that their feet move at the parameters' metres per second; false
---@field param string Name of the parameter
---@field [integer] string|BlendPointOptions

---Settings of a blend over two parameters; its list holds points { x, y, clip } and clips
---@class Blend2dOptions
---@field sync? "feet"|"phase"|"free" Method of synchronisation; "feet", for clips with step markers
---@field match_speed? boolean True to adapt the speed of the clips, so that their feet move at the parameters' metres per second; false
---@field x string Name of the parameter of the first axis
---@field y string Name of the parameter of the second axis
---@field [integer] string|BlendPointOptions

---A point of a blend: its position, then a clip or a blend
---@class BlendPointOptions
---@field speed? number Factor on the clip's speed (0.01 to 100); 1
---@field [integer] number|string|MachinePiece

---A bone, or a prop, that holds a particle
---@class BoneHolder
---@field character? Character Character or prop that holds the particle
---@field bone? string Bone of the character that holds the particle; for a rigid body, the body; else it is required
---@field offset? vector Offset from the bone, or from the position of a rigid body, in the character's rest space, +Z forward (metres); (0, 0, 0)

---Keys of a bone
---@class BoneKeys
---@field position? ClipKeys Positions in the space of the parent bone, or as `space` says (metres)
---@field rotation? ClipKeys Rotations in degrees, or quaternions
---@field scale? ClipKeys Scale factors
---@field space? "parent"|"rest"|"model" Reference frame of the keys; that of the clip
---@field interpolation? "linear"|"step"|"cubic" Interpolation between the keys; that of the clip

---A box prop
---@class BoxOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, the colour of the surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field collider? boolean False for a prop without a collider; true
---@field size? vector Edge lengths, each 0.001 to 10000 (metres); (1, 1, 1)

---An alternative of `choose`; its list holds the steps
---@class BranchOptions
---@field weight? number Relative probability of this alternative (0 to 1000000); 1
---@field [integer] ConversationTurnOptions|PauseStep|CallStep|ChooseStep

---A call of a function in a conversation
---@class CallStep
---@field chance? number Probability that the step is taken (0 to 1); 1
---@field call fun(talk: Conversation): any Function to call. The conversation waits for a task, play, sound or conversation that it returns

---Position and view of the camera. Fields left out keep their values
---@class CameraOptions
---@field target? vector Point at which the camera looks (metres)
---@field yaw? number Rotation about +Y; with 0 the camera sees the front of a character with yaw 0 (degrees)
---@field pitch? number Angle above the horizon (degrees, -89 to 89)
---@field distance? number Distance to the target (metres, 0.01 to 100000)
---@field fov? number Vertical field of view (degrees, 5 to 120)
---@field locked? boolean True prevents the player from turning, moving and zooming the camera
---@field cut? boolean True moves to a new target at once, as a cut in a film; otherwise the camera glides there. Angles, distance and field of view always change at once; false

---Point of the picture, and the length of a ray through it
---@class CameraRayOptions
---@field x? number Horizontal position in the picture, from 0 at the left to 1 at the right; the pointer's
---@field y? number Vertical position in the picture, from 0 at the top to 1 at the bottom; the pointer's
---@field length? number Length of the ray (metres, 0 to 100000); 100

---A capsule prop
---@class CapsuleOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, the colour of the surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field collider? boolean False for a prop without a collider; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.25
---@field height? number Height from end to end; at least twice the radius (metres, 0.001 to 10000); 1

---Caption of a spoken line
---@class CaptionOptions
---@field duration? number Time for which the caption is shown (seconds, 0.1 to 600); the time it takes to read
---@field color? vector Linear colour of the speaker's name; chosen from the speaker's name

---Options of `hero:chain_ik`
---@class ChainIkOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field target_bone? string Bone of the target character; its origin
---@field target_offset? vector Position in the space of that bone (metres); its origin
---@field target_space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field yaw? number Rotation about the bone's y axis, applied last (degrees); 0
---@field pitch? number Rotation about the bone's x axis, applied second (degrees); 0
---@field roll? number Rotation about the bone's z axis, applied first (degrees); 0
---@field solver? "ccd"|"fabrik" Solver: "ccd" rotates bone by bone from the root; "fabrik" pulls the chain to the target and back, which bends it evenly; fabrik
---@field max_angle? number Maximum angle by which each bone bends and twists from rest (degrees, 0 to 180); no limit
---@field flexibility? number Fraction of the needed rotation that a bone makes per iteration of ccd; smaller values are stiffer (0.01 to 1); 1
---@field match_rotation? boolean True to give the tip the rotation of the target; false
---@field tolerance? number Distance to the target at which the solver stops (metres, 0.000001 to 10); 0.0001
---@field max_iterations? number Maximum number of iterations (1 to 200); 32
---@field name? string Name of the modifier; the name of the tip

---Options of a new character: transform, materials, and files of its clips
---@class CharacterOptions
---@field position? vector World position of its origin (metres); the origin
---@field yaw? number Rotation about +Y; with 0 the character looks along +Z (degrees); 0
---@field pitch? number Rotation about its own x axis, before yaw (degrees); 0
---@field roll? number Rotation about its own z axis, before pitch (degrees); 0
---@field scale? number Scale of the character (0.001 to 1000); 1
---@field materials? { [string]: MaterialOptions } Materials by their names, with the properties of a Material: { Skin = { kind = "skin", roughness = 0.4 } }
---@field variant? string Material variant of its file
---@field skinning? "linear"|"dual_quaternion"|{ [string]: "linear"|"dual_quaternion" } Skinning method: "linear" or "dual_quaternion", for all meshes or by mesh name, { Body = "dual_quaternion" }. Only within the braces of `character`; that in the file, else linear
---@field skinning_mode? string Implementation, which does not change the result: "auto", "indexed", "cpu", or "small16" in pieces of at most 16 bones. Only within the braces of `character`; "auto"
---@field name? string Name that identifies the character over a hot reload, in any order of creation; inside the brackets only
---@field clips? string|(string|ClipFileOptions)[] Files with more clips for the model (.glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, DeepMimic's .txt and .json); inside the brackets only
---@field forward_axis? "auto"|"+z"|"-z"|"+x"|"-x" Direction that the character faces in its file; it is rotated to look along +Z. Inside the brackets only; "auto": by toes, eyes, names and walking clips

---A random choice in a conversation
---@class ChooseStep
---@field chance? number Probability that the step is taken (0 to 1); 1
---@field choose (ConversationTurnOptions|PauseStep|CallStep|ChooseStep|BranchOptions)[] Alternatives, one of which is chosen at random: each is a step or a list of steps

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
---@field fade? number Cross-fade between clips (seconds, 0 to 60); 0.2
---@field allow_repeat? boolean True to allow the same clip twice in a row; false
---@field [integer] string|(string|number)[]

---Keys and settings of a clip
---@class ClipOptions
---@field duration? number Duration of the clip, in time units as set by `ticks_per_second`; the last key or marker
---@field ticks_per_second? number Time units per second; 1
---@field mode? "once"|"loop"|"pingpong" Play mode, unless `play` sets another; "once"
---@field interpolation? "linear"|"step"|"cubic" Interpolation between keys; "linear"
---@field space? "parent"|"rest"|"model" Reference frame of the keys of bones; "parent"
---@field bones? { [string]: BoneKeys } Keys by the names of bones
---@field morphs? { [string]: ClipKeys } Keys by the names of morph targets
---@field curves? { [string]: ClipKeys } Keys by the names of curves
---@field markers? ({ [number | string]: number|string|boolean })[] Markers: { time, "name", foot = "left" }

---Chains of a character's bones that move as cloth
---@class ClothChainOptions
---@field stretch? number Elasticity: 0 none, 1 rubber (0 to 1); 0
---@field stiffness? number Bending stiffness: 0 silk, 1 felt (0 to 1); 0.2
---@field drag? number Fraction of speed lost per second; at most 60 (0 or more); 0.6
---@field friction? number Coefficient of friction on bodies and the floor (0 or more); 0.4
---@field wind_scale? number Factor on the effect of the wind (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Minimum distance to bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] A character, or a list of up to 16 characters, to collide with
---@field colliders? ClothCollider[] Up to 64 other shapes to collide with: { position, radius }, { from, to, radius } or { position, size, yaw }
---@field floor? boolean True to collide with the floor; true
---@field chains string[] Top bones of the chains, in order across; each chain goes down to the last bone
---@field closed? boolean True to join the last chain to the first, as in a skirt; false
---@field pose_stiffness? number Strength of the pull to the pose of the bones (0 to 1); 0.2
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
---@field stretch? number Elasticity: 0 none, 1 rubber (0 to 1); 0
---@field stiffness? number Bending stiffness: 0 silk, 1 felt (0 to 1); 0.2
---@field drag? number Fraction of speed lost per second; at most 60 (0 or more); 0.6
---@field friction? number Coefficient of friction on bodies and the floor (0 or more); 0.4
---@field wind_scale? number Factor on the effect of the wind (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Minimum distance to bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] A character, or a list of up to 16 characters, to collide with
---@field colliders? ClothCollider[] Up to 64 other shapes to collide with: { position, radius }, { from, to, radius } or { position, size, yaw }
---@field floor? boolean True to collide with the floor; true
---@field position? vector Centre of the upper edge (metres); (0, 2, 0)
---@field yaw? number Rotation about +Y, applied last; at 0 the cloth faces +Z (degrees); 0
---@field pitch? number Rotation about the x axis, applied second; at 90 the cloth is horizontal and extends from `position` along -Z (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field size? vector Width in x and height in y, each more than 0 (metres); (1, 1, 0)
---@field hem? number Width of the lower edge relative to the upper, clamped to 0.01 to 20 (0 or more); 1
---@field columns? number Number of particles across (2 to 64); 12
---@field rows? number Number of particles down (2 to 64); 12
---@field pins? "top"|"corners"|"none"|ClothPin[] Pinned particles: the upper edge, the corners of the upper edge, none, or a list; top
---@field color? vector Linear colour; (0.5, 0.04, 0.03)
---@field roughness? number Roughness of the material (0 to 1); 0.85
---@field name? string Name; also identifies the cloth or rope over a hot reload

---A particle of cloth that is fixed in place or held by a bone
---@class ClothPin
---@field character? Character Character or prop that holds the particle
---@field bone? string Bone of the character that holds the particle; for a rigid body, the body; else it is required
---@field offset? vector Offset from the bone, or from the position of a rigid body, in the character's rest space, +Z forward (metres); (0, 0, 0)
---@field u? number Position across, from 0 on one side to 1 on the other (0 to 1); 0
---@field v? number Position down, from 0 at the upper edge to 1 at the lower (0 to 1); 0

---Rigid body of a character or a prop
---@class ColliderOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field size? vector Edge lengths of a box, each more than 0 (metres); those of the model at rest; (1, 1, 1) for a part
---@field radius? number Radius of a sphere, a capsule or a cylinder (metres, more than 0); that of the model at rest; 0.5 for a part
---@field height? number Height of a capsule or a cylinder from end to end (metres, more than 0); that of the model at rest; 1 for a part
---@field offset? vector Centre in the character's space (metres); that of the model at rest; (0, 0, 0) for a part
---@field shape? "auto"|"box"|"sphere"|"capsule"|"cylinder"|"hull"|"mesh" Collision shape; "auto" is a hull for a dynamic body, else the mesh; auto
---@field shapes? ColliderPart[] Several shapes instead of one, 1 to 256
---@field surfaces? { [string]: string } Names of surfaces by names of the mesh's materials: { Ice = "ice" }. Other materials use `surface`

---One of several shapes of a rigid body
---@class ColliderPart
---@field size? vector Edge lengths of a box, each more than 0 (metres); those of the model at rest; (1, 1, 1) for a part
---@field radius? number Radius of a sphere, a capsule or a cylinder (metres, more than 0); that of the model at rest; 0.5 for a part
---@field height? number Height of a capsule or a cylinder from end to end (metres, more than 0); that of the model at rest; 1 for a part
---@field offset? vector Centre in the character's space (metres); that of the model at rest; (0, 0, 0) for a part
---@field shape? "box"|"sphere"|"capsule"|"cylinder" Shape of this part; box
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0

---Layers that a layer collides with
---@class CollisionLayerOptions
---@field collide_with? string|string[] Names of the layers to collide with; all others are ignored; as before; all for a new layer
---@field ignore? string|string[] Names of the layers to ignore

---Comparison of the stage with an image
---@class ComparisonOptions
---@field tolerance? number Maximum mean FLIP error (0 or more); 0.006
---@field camera? CameraOptions Camera of this image; the camera of the stage
---@field size? number[] Size of the image, { width, height } (pixels); { 480, 320 }

---The controller jumped, fell, landed, stepped up, slid or bumped into an obstacle
---@class ControllerEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field speed? number of jump, land and bump, metres per second
---@field height? number of land and step_up, metres
---@field slope? number of slide, degrees
---@field other? Character the other character or prop
---@field position? vector world position, metres
---@field normal? vector normal of the surface there
---@field surface? string name of the surface, or ""
---@field source string "controller"

---Settings of a character controller. An option left out keeps its value; a new controller starts with the defaults
---@class ControllerOptions
---@field radius? number Radius of the capsule at scale 1 (metres, 0.001 to 1000); fitted to the model
---@field height? number Height from soles to crown at scale 1 (metres, 0.002 to 1000); fitted to the model
---@field crouch_height? number Height while crouching (metres, 0.002 to 1000); 0.6 of `height`
---@field max_step_height? number Highest step to climb at scale 1; at most `height`, and at least radius × (1 - cos slope), since the bottom of the capsule is round (metres, 0 to 1000); 0.2 of `height`
---@field max_slope? number Steepest slope to walk on (degrees, 0 to 85); 50
---@field gravity? number Acceleration downwards. With 0 the character flies, and `move` also uses the vertical part of the velocity (metres per second squared, 0 to 10000); that of `physics.set` when the controller is made
---@field max_fall_speed? number Maximum speed of falling (metres per second, 0.1 to 1000); 55
---@field acceleration? number Acceleration when speeding up (metres per second squared, 0 to 100000); 12
---@field deceleration? number Deceleration when slowing down (metres per second squared, 0 to 100000); 16
---@field air_control? number Fraction of the acceleration that remains in the air (0 to 10); 0.3
---@field turn_rate? number Maximum turning speed (degrees per second, 0 to 100000); 540
---@field turn_to_movement? boolean True turns the character towards the direction of movement; true
---@field jump_height? number Height of a jump (metres, 0 to 1000); 0.3 of `height`
---@field coyote_time? number Time after leaving the ground in which the character can still jump (seconds, 0 to 2); 0.1
---@field jump_buffer? number Time for which a jump in the air is remembered until the landing (seconds, 0 to 2); 0.12
---@field mass? number Mass at scale 1, which presses on the body below (kilograms, 0 to 1000000); 12 times the cube of `height`
---@field push_force? number Force at scale 1 that pushes dynamic bodies (newtons, 0 to 1000000000); 7 times `mass`
---@field layer? string Collision layer of the capsule; characters

---A turn of a conversation begins or ends, or the conversation ends
---@class ConversationEvent
---@field name string "turn", "turn_end" or "end"
---@field time number time of the event, as in `now()`, seconds
---@field turn? number number of the turn
---@field speaker? string name of the speaker
---@field to? string name of the addressee
---@field character? Character the speaker
---@field text? string of turn: the line without marks
---@field reason? string of turn_end and end: reason for the end

---A turn: the name of the speaker, then the line as in `say`
---@class ConversationTurnOptions
---@field chance? number Probability that the step is taken (0 to 1); 1
---@field to? string Name of the addressee, or "all"; the previous speaker, else the next
---@field gap? number Pause after the previous turn (seconds, 0 to 600); about 0.2
---@field overlap? number Overlap with the previous turn (seconds, 0 to 600)
---@field interrupt? "now"|"word"|"phrase"|boolean Interrupts the previous speaker now, or at the end of the word or phrase; true means at the end of the phrase; false
---@field after? number|string Point at which to interrupt the previous line, only with `interrupt`: seconds from its start, or one of its words (0 to 600); about 6/10 of the line
---@field resume? boolean True resumes the speaker's own interrupted line; false
---@field [integer] string|SayLine

---Cast and settings of a conversation; its list holds the steps
---@class ConversationTurns
---@field cast { [string]: Character } Characters by name
---@field name? string Name that identifies the conversation over a hot reload, which continues it; the names of the cast
---@field gap? number Average pause between turns (seconds, 0 to 60); 0.2
---@field nod_chance? number Frequency of the listeners' nods, 0 for none (0 to 1); 0.6
---@field gaze? boolean True makes the cast look at each other; true
---@field [integer] ConversationTurnOptions|PauseStep|CallStep|ChooseStep

---Options of a crowd: its bodies, the start positions of its agents, and their behaviour
---@class CrowdOptions
---@field model string|string[] File of a model, or a list of up to 16 files. Each agent gets a random one of them
---@field count? number Number of agents (0 to 20000); 100
---@field position? vector Centre of the area in which agents start (metres); (0, 0, 0)
---@field size? vector Size of that area along x and z (metres); (20, 0, 20)
---@field speed? number|number[] Preferred speed of agents, one number or { low, high } for a random one (metres per second, 0 to 20); { 1.1, 1.5 }
---@field scale? number|number[] Scale of the bodies, one number or { low, high } for a random one (0.01 to 100); { 0.94, 1.06 }
---@field width_scale? number|number[] Width scale of the bodies relative to their height, one number or { low, high } for a random one (0.2 to 5); { 0.95, 1.05 }
---@field colors? { [string]: vector[] } Linear colours by the names of materials, { coat = { vector.create(0.4, 0.1, 0.1), … } }; each agent has one of them instead of the material's own
---@field radius? number Radius of an agent at scale 1 (metres, 0.05 to 10); 0.25
---@field idle? string|string[] Clip of a standing agent, or a list, of which each body uses the first that it has; "idle"
---@field walk? string|string[] Clip of a walking agent, or a list as for `idle`; "walk"
---@field run? string|string[] Clip of a running agent, or a list as for `idle`; "run"
---@field forward_axis? "auto"|"+z"|"-z"|"+x"|"-x"|("auto"|"+z"|"-z"|"+x"|"-x")[] Direction that the bodies face in their files, or a list with one for each body; "auto": by toes, eyes, names and walking clips
---@field walls? vector[][] Walls between pairs of positions, { { a, b }, … }
---@field obstacles? ((vector|number)[])[] Round obstacles, { { position, radius }, … }
---@field navmesh? Navmesh Navigation mesh of `navmesh { … }`. Without it agents walk straight to their goals
---@field avoidance? "orca"|"push" Collision avoidance. With "orca" agents look ahead. With "push" they push each other apart within 3 m, walk with 2 metres per second, and arrive 3 m from the goal, as in the program of Granberg's book; orca
---@field states? { [string]: CrowdStateOptions } States by names: { walk = { on = { arrived = "rest" } }, rest = { clip = "sit", duration = { 3, 8 }, next = "walk" } }
---@field start? string State in which agents start; the only state
---@field meet_chance? number Probability that two agents that come towards each other get the event `met` (0 to 1); 0.3
---@field promote_distance? number|PromoteOptions Distance from the camera within which agents become characters: a number, or { distance = 6, max_characters = 8 } (metres, 0 to 1000); none
---@field on_promote? fun(crowd: Crowd, agent: number, character: Character, again: boolean) Called when an agent has become a character, and after a hot reload for each that is one. `again` is true if it keeps its data from before, such as its mood, decals and objects in its hands
---@field group_size? number|number[] Size of the groups that walk together with a leader, one number or { low, high } for a random one (1 to 12); 1
---@field yaw? number Direction that agents face at the start (degrees); random
---@field seed? number Seed of the random numbers of the crowd; 1
---@field name? string Name that identifies the crowd over a hot reload; order of creation

---A state of the agents of a crowd
---@class CrowdStateOptions
---@field clip? string|string[] Clip that agents play, or a list of clips played one after another in random order. Agents use the clips that their body has
---@field intro? string|string[] Clip played before `clip`, or a list, of which agents use the first that their body has
---@field once? boolean True plays the clip once, then sends the event `clip_end`; false
---@field stationary? boolean True makes agents stay at their position; true with a clip
---@field speed? number|number[] Speed, one number or { low, high } for a random one (metres per second, 0 to 20); the agent's own
---@field duration? number|number[] Time after which the state is over, one number or { low, high } (seconds, 0 to 1000000); no end
---@field next? string|string[] State after that time, or a list, of which one is chosen at random. Without it agents get the event `timeout`
---@field goal? vector|vector[] Goal, or a list, of which agents take the nearest (metres)
---@field flee_distance? number Distance to which agents flee from the position of the event that led here (metres, 0.1 to 1000)
---@field wander_turn_rate? number Maximum turning speed of agents that wander without a goal. With 0 they walk straight until they are blocked (degrees per second, 0 to 720)
---@field follow_scent? ScentField Scent field of `scent_field { … }` that agents follow: they wander and turn towards the stronger scent
---@field leave_scent? ScentField Scent field of `scent_field { … }` in which agents leave scent
---@field scent_amount? number Scent that an agent leaves (per metre, 0 to 1000000); 1
---@field detect? vector|vector[] Position, or a list; an agent within `range` of one gets the event `found` with that position (metres)
---@field spread_event? string Event that agents within `range` get as well, with the same position
---@field immune_time? number Time after the state for which an agent ignores that event when others spread it. The script's own events always reach it (seconds, 0 to 1000000); twice the longest time in `duration`, or 20
---@field range? number Range of `spread_event` and `detect` (metres, 0.1 to 50); 2
---@field use_objects? boolean True lets smart objects attract agents; if you write it, agents that enter the state also keep the object that they use or wait for; true without `flee_distance`; an agent that enters the state leaves its object
---@field on? { [string]: string|fun(crowd: Crowd, agent: number, about: (vector|number|SmartObject)?): string? } Next state by event, or a function that can return it
---@field on_enter? fun(crowd: Crowd, agent: number, from: string?) Called when an agent enters the state
---@field on_update? fun(crowd: Crowd, agent: number, dt: number) Called every `update_interval` seconds with the time since the last call, in seconds
---@field update_interval? number Time from one `on_update` to the next (seconds, 0.001 to 1000); 0.25
---@field on_exit? fun(crowd: Crowd, agent: number, to: string) Called when an agent leaves the state

---The area and the lines of crowd statistics
---@class CrowdStatsOptions
---@field position? vector Centre of the area (metres); (0, 0, 0)
---@field size? vector Size of the area along x and z (metres); (20, 0, 20)
---@field cell_size? number Side of a cell of the density map (metres, 0.05 to 10); 0.5
---@field crowd? Crowd Crowd that is measured; all crowds
---@field lines? { [string]: vector[] } Counting lines by names, { door = { a, b } }. Seen from a towards b, `forward` counts crossings from right to left, and `backward` from left to right
---@field name? string Name that identifies the statistics over a hot reload; order of creation

---A line reaches a cue in its text
---@class CueEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field line number number of the line
---@field cue string name of the cue
---@field [string] any further fields

---A cylinder prop
---@class CylinderOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, the colour of the surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field collider? boolean False for a prop without a collider; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.25
---@field height? number Height from end to end (metres, 0.001 to 10000); 1

---Options of a debug view
---@class DebugViewOptions
---@field bone? string For `weights`: shows this bone only
---@field morph? string For `morphs`: shows this morph target only, as if its weight were 1
---@field character? Character Shows this character only; others are grey
---@field vertex_lines? boolean For `normals` and `tangents`: draws a line at every vertex; false
---@field legend? boolean Shows a legend of the colours; true

---Options of `hero:decal`
---@class DecalOptions
---@field size? number Width of the decal (metres, 0.002 to 3); from the kind; 0.1 for a picture
---@field roll? number Rotation in the surface (degrees); random
---@field tint? vector Linear factor on the colour; (1, 1, 1)
---@field opacity? number Opacity of the decal (0 to 1); 1
---@field depth? number Depth of the height map from black to white; a negative depth inverts it (metres, -0.1 to 0.1); from the kind; 0.002 for a picture with a height map
---@field roughness? number Roughness of the decal (0 to 1); from the kind, else of the material
---@field height_map? string File of a height map; dark is deep; from the kind; none for a picture
---@field dry_time? number|boolean Time until the decal has dried, 0 to 1000000 seconds, or false for a decal that does not dry; from the kind; false for a picture
---@field lifetime? number Time after which the decal fades (seconds, 0 to 1000000); from the kind, else without end; 10 with `fade`
---@field fade? number Duration of the fade after `lifetime` (seconds, 0 to 1000000); from the kind; 2 with `lifetime`
---@field planar? boolean True projects the decal straight along the normal, like a stencil, instead of following the surface; false
---@field penetrate? boolean True adds a decal on every surface along the line, as a shot does that passes through the body; false
---@field exit_kind? string|{ [string]: string|false } With `penetrate`: decal at the points where the line leaves the body; the same as on entry

---Options of an environment map
---@class EnvironmentOptions
---@field yaw? number Rotation about +Y (degrees); 0
---@field intensity? number Factor for the intensity of its light (0 or more); 1
---@field background? boolean True shows the environment map as the background; true
---@field blur? number Blur of the background, 0 to 1 (0 to 1); 0

---Record of a marker that playback passed, and its outcome
---@class EventLogEntry
---@field number number number of the entry, counted from the first recorded one
---@field time number time at which it was passed, as in `now()`, seconds
---@field name? string name of the marker
---@field clip? string name of the clip
---@field marker number number of the marker on the clip; less than 0 for a marker that was removed since
---@field marker_phase string "point", "begin" or "end"
---@field weight number blend weight of the clip, 0 to 1
---@field source string "machine", "play" or "idle"
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
---@field exclude? Character|Character[] A character to exclude, or a list of characters
---@field layers? string|string[] Names of the layers to include; all
---@field sensors? boolean True to include sensors; false
---@field radius? number Distance from the centre at which it ends (metres, 0 or more); 3
---@field impulse? number Impulse at the centre; falls to 0 at the radius (newton seconds, 0 or more); 50
---@field lift? number Fraction of the impulse that points up instead of away from the centre (0 to 1); 0.25

---Fade of a value of a face
---@class FaceFadeOptions
---@field fade? number Time to reach the new value (seconds, 0 to 1000); 0

---Settings of a face. A missing field keeps its value; `channels` resets all others
---@class FaceOptions
---@field channels? "unlimited"|"four" Limit of targets: "four" moves at most four at once (one blink, one emotion, two visemes); "unlimited" has no limit; "unlimited"
---@field mouth_weight? number Factor on the mood and the clips at the mouth during speech (0 to 1); 1/3
---@field asymmetry? number Amount of difference between the two sides of the face (0 to 1); 0.06
---@field max_active_targets? number Maximum number of morph targets that move at once, the largest weights first; 0 is no limit (0 to 10000); 0
---@field blink_rate? number Factor on the rate of spontaneous blinks; 0 is none (0 to 20); 1

---Materials and variant of an appearance
---@class FaceVariant
---@field materials? { [string]: MaterialOptions } Changes of materials by name, as in `character`
---@field variant? string Name of a variant of the model

---The body falls, comes to rest, gets up, stands again or dies
---@class FallEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field posture? string of settle and get_up: posture on the ground

---View of the camera in first person. Fields left out keep their values
---@class FirstPersonOptions
---@field yaw? number Rotation about +Y, as in `camera.orbit` (degrees); the direction that the character faces
---@field pitch? number Angle below the horizon (degrees, -89 to 89); 0
---@field fov? number Vertical field of view (degrees, 5 to 120); 70
---@field locked? boolean True prevents the player from turning the camera; false

---A flock: its model, its start and the rules that it follows
---@class FlockOptions
---@field model string Model file
---@field forward_axis? "auto"|"+z"|"-z"|"+x"|"-x" Direction that the model faces in its file; "auto": by toes, eyes, names and walking clips
---@field count? number Number of birds or fish (0 to 20000); 100
---@field position? vector Centre of the start space and of the home (metres); (0, 15, 0)
---@field size? vector Extent of the start space along each axis (metres); (10, 6, 10)
---@field clip? string Clip of flying or swimming; "fly", or the first
---@field glide? string Clip of gliding down without wing beats; "glide", if there is one
---@field scale? number|number[] Size of the members, one number or { low, high } for a random one (0.001 to 1000); { 0.9, 1.1 }
---@field colors? { [string]: vector[] } Linear colours by the names of materials, as in `crowd`
---@field speed? number|number[] Slowest and fastest speed, { low, high } (metres per second, 0 to 200); { 3, 7 }
---@field separation? number Weight of separation, away from neighbours nearer than `separation_distance` (0 to 1000); 4
---@field separation_distance? number Distance below which neighbours separate. Members never come nearer to each other than a quarter of it, or 0.3 m if that is less (metres, 0 to 1000); 1.2
---@field alignment? number Weight of alignment to the velocity of neighbours (0 to 1000); 1.2
---@field cohesion? number Weight of cohesion towards the middle of neighbours (0 to 1000); 0.8
---@field neighbor_radius? number Distance of the farthest neighbour (metres, 0 to 1000); 3
---@field ground_avoidance? number Weight of the upward rule, per metre by which the ground is nearer than `clearance` (0 to 1000); 6
---@field clearance? number Height above the ground below which the flock rises (metres, 0 to 1000); 2
---@field min_height? number Minimum height above the ground (metres, 0 to 1000); 0.3
---@field turn_rate? number Turn rate, as a fraction of the speed (per second, 0 to 1000); 1.5
---@field home_weight? number Weight of the return home, outside `home_radius`; 0 lets the flock fly anywhere (0 to 1000); 2
---@field home_radius? number Radius of the home. A member turns back before it is 1.1 times this distance from the centre (metres, 0 to 100000); 20
---@field avoid? number Weight of the avoidance of obstacles ahead. Members never enter an obstacle, except at 0: then the flock flies through (0 to 1000); 6
---@field lean? number Amount of banking in turns, 1 for birds, 0 for fish (0 to 4); 1
---@field leaders? number Number of leaders. They are the first members, and the script moves them with `steer` (0 to 20000); 0
---@field leader_weight? number Weight of the attraction to the nearest leader (0 to 1000); 2
---@field preset? "custom"|"classic" Rules: adjustable (custom), or the rules and constants of Granberg's book (classic): separation 15 within 2.5 m, alignment and cohesion 1 within 3.5 m, attraction to a point 15 m up, 3 metres per second; custom
---@field steering? fun(flock: Flock, number: number, position: vector, velocity: vector): vector Your own rule, called 20 times a second for each member; returns an acceleration, metres per second squared
---@field seed? number Random seed of the flock; 1
---@field name? string Identifies the flock over a hot reload; order of creation

---Density and height of the fog. An option that is left out keeps its value
---@class FogOptions
---@field color? vector Linear colour
---@field density? number Fraction of the light lost per metre; 0 is clear air, 0.02 mist (0 to 100)
---@field height? number Height above `base` at which the density is a third; without it the fog has the same density everywhere (metres, 0.01 or more)
---@field base? number Height at which the fog is densest (metres)

---Options of `hero:foot_ik`. Fields left out keep their values
---@class FootIkOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field lock_feet? boolean True to keep planted feet in place; true
---@field step_events? boolean True if foot IK emits the event `step`, instead of the markers of the clips; true
---@field unlock_distance? number Distance of a planted foot from its pose in the clip at which it steps, as a fraction of the leg (0 to 10); 0.3
---@field max_up? number Maximum height of the ground above the character's position, as a fraction of the leg (0 to 10); 0.55
---@field max_down? number Maximum depth of the ground below the character's position, as a fraction of the leg (0 to 10); 0.55
---@field max_slope? number Maximum slope to which feet align (degrees, 0 to 85); 40
---@field pelvis_weight? number Fraction of the ground's height by which the body moves (0 to 1); 1
---@field smooth_time? number Smoothing time of the body's height (seconds, 0 to 10); 0.12

---A force and its region. Exactly one of force, acceleration, wind, water, attractor and launch_velocity is required
---@class ForceFieldOptions
---@field shape? "everywhere"|"box"|"sphere"|"capsule" Shape of the region; box if there is a size, sphere if there is a radius, else everywhere
---@field position? vector Centre of the region (metres); (0, 0, 0)
---@field size? vector Edge lengths of a box, each more than 0; required for a box (metres)
---@field radius? number Radius of a sphere or a capsule (metres, more than 0); 1
---@field height? number Height of a capsule from end to end (metres, more than 0); 2
---@field yaw? number Rotation about +Y (degrees); 0
---@field force? vector Force on each body (newtons)
---@field acceleration? vector Acceleration of each body, independent of its mass (metres per second squared)
---@field wind? vector Velocity of the air, which drags bodies along by their size (metres per second)
---@field water? boolean|number Density of a liquid that fills the region, or the space below `position` without a region; true for 1000 (kilograms per cubic metre)
---@field current? vector Velocity of the water (metres per second); (0, 0, 0)
---@field drag? number Drag: for wind the drag coefficient, for water the fraction of speed lost per second (0 or more); of wind 1, of water 2
---@field attractor? vector Position that attracts bodies with an acceleration of `attraction` over the square of the distance, or repels them with a negative `attraction` (metres)
---@field attraction? number Acceleration towards `attractor` at a distance of 1 m (metres per second squared); 10
---@field launch_velocity? vector Minimum velocity of bodies that enter, applied once: a jump pad (metres per second)
---@field layers? string|string[] Names of the layers that are affected; all
---@field enabled? boolean True while the field is active; true

---Settings of a random face
---@class GenerateOptions
---@field seed? number Random seed; the same seed gives the same face; one of the character's own
---@field variation? number Amount of change from the model's own face (0 to 3); 1
---@field asymmetry? number Amount of difference between shapes of the left and the right side (0 to 1); 0.15
---@field fixed? { [string]: number } Fixed weights by shape
---@field only? string|string[] Names of the shapes to change; all
---@field variants? (string|FaceVariant)[] Appearances, one of which is chosen at random: names of variants, or tables of a variant and materials
---@field uniform? boolean True for uniform weights from 0 to 1 in steps of 0.001, as in Granberg's book; false

---Spring between a hand and a body
---@class GrabOptions
---@field frequency? number Frequency of the spring (hertz, 0.1 to 15); 4
---@field max_force? number Maximum force along each axis (newtons, 0 or more); 200 per kilogram that hangs on the hand

---Options of `hero:grip`
---@class GripOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere

---Changes to the floor. An option that is left out keeps its value
---@class GroundOptions
---@field height? number Height of the floor (metres); 0
---@field color? vector Linear colour
---@field grid? number Distance between grid lines; 0 for none (metres, 0 or more); 1
---@field color_variation? number Amount of variation in the colour (0 to 1); 0.3
---@field surface? string Name of the surface; stone
---@field visible? boolean True to draw the floor; true
---@field collider? boolean True if bodies collide with the floor; true

---Options of `hair.grow`
---@class HairGuideOptions
---@field exclude? string|string[] Names of nodes, meshes or materials on which no hair grows, with `*` for any text. Use it for a hat that its name does not reveal; hair, hats, eyes and jewellery by name and shape
---@field scalp? string|string[] Names of nodes, meshes or materials on which hair grows, with `*` for any text; the skin of the head by name and shape
---@field character Character Character on which the haircut grows, in its rest pose
---@field cut "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|HaircutOptions Name of a haircut, or { style = name, … } with changes to it
---@field bone? string Bone with the skin on which the haircut grows; head
---@field seed? number Random seed of the positions and variation of guides; 1

---Options of `hero:hair`
---@class HairOptions
---@field exclude? string|string[] Names of nodes, meshes or materials on which no hair grows, with `*` for any text. Use it for a hat that its name does not reveal; hair, hats, eyes and jewellery by name and shape
---@field scalp? string|string[] Names of nodes, meshes or materials on which hair grows, with `*` for any text; the skin of the head by name and shape
---@field clump? number Fraction by which the strands of a lock converge at their tips (0 to 1); 0 or as the haircut
---@field lock_size? number Approximate number of strands of a lock (0 to 10000); 20 or as the haircut
---@field frizz? number Distance by which tips vary at random (metres, 0 to 0.5); 0 or as the haircut
---@field curl? number Radius of curls; curls need enough points per strand (metres, 0 to 0.5); 0 or as the haircut
---@field curls_per_meter? number Number of curls per metre of hair (0 to 1000); 0 or as the haircut
---@field geometry? "strands"|"cards" Geometry: strands face the camera, cards have fixed angles; strands
---@field texture? string Texture of each card: a PNG or JPEG with transparent background and the roots at the top; strands drawn side by side
---@field width? number Width at the root (metres, 0 or more); 0.0012 or as the haircut; for cards 0.02 or 12 strands of the haircut
---@field tip_width? number Width at the tip as a fraction of the width at the root (0 or more); 0.3
---@field color? vector Linear colour at the tip; (0.12, 0.06, 0.03)
---@field root_color? vector Linear colour at the root; six tenths of `color`
---@field brightness_variation? number Maximum difference in brightness between strands (0 to 1); 0.25
---@field roughness? number Roughness (0 to 1); 0.45
---@field stiffness? number|number[] Stiffness against bending, one number or { at the root, at the tip } (0 to 1); { 0.8, 0.12 } or as the haircut
---@field rest_stiffness? number|number[] Strength of the pull to the rest position on the head, one number or { at the root, at the tip } (0 to 1); { 0.15, 0 } or as the haircut
---@field damping? number Damping of the motion relative to the head (per second, 0 or more); 4
---@field air_drag? number Air drag: rate at which hair takes on the motion of the air (per second, 0 or more); 1.5
---@field wind_scale? number Factor on the wind (0 or more); 1
---@field gravity_scale? number Factor on gravity. Gravity acts only as far as the head tilts, so hair keeps its shape at rest (-10 to 10); 1
---@field wet? number Wetness, from 0 dry to 1 dripping: wet hair hangs and is soft (0 to 1); 0
---@field follow? number Fraction of the head's motion that the hair follows at once (0 to 1); 0.1
---@field collision_margin? number Minimum distance to bodies (metres, 0 or more); 0.003
---@field friction? number Friction: fraction of the motion along a body that is lost on contact (0 to 1); 0.2
---@field collide_with? boolean|Character|Character[] False for no collisions, or characters with which the hair collides in addition to the wearer: one, or a list; true: with the wearer
---@field simulation? "chains"|"springs" Simulation: chains of points (chains), or springs and a random wind (springs), as in chapter 15 of Granberg's book; chains
---@field cut? "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|HaircutOptions Name of a haircut, or { style = name, … } with changes to it. It sets the defaults of the other options
---@field file? string File of strands: `.tfx` (TressFX, binary or text), `.hair` (Cem Yuksel's format or that of Granberg's book), or the lines of a `.glb` or `.gltf`
---@field scale? number Length of a unit of the file (metres, 0 or more); 1
---@field yaw? number Rotation of the file's strands about +Y, applied first (degrees); 0
---@field offset? vector Offset of the file's strands, applied last, in the character's rest space (metres); (0, 0, 0)
---@field guides? vector[][]|number Guides: a list of strands from root to tip, each a list of world positions in the current pose. For a file, the number of strands to simulate, 1 to 2000; the others follow them; 160 for a file
---@field in_rest_space? boolean True if guides are in the character's rest space instead of the world: metres, +Y up, +Z forward; false
---@field patches? number[][] Patches in which strands grow. Each is a list of the numbers of the three or four guides around it; between neighbouring guides
---@field strands? number Number of visible strands (1 to 20000); 2000 or as the haircut; a twelfth for cards
---@field points? number Number of points of each strand (2 to 64); 16 or as the haircut
---@field seed? number Random seed of the positions and variation of strands; 1
---@field bone? string Bone that carries the hair; "head"
---@field follow_skin? boolean True if the roots follow the skin as morph targets and bones move it, as a beard follows the mouth; true for beards, moustaches and brows
---@field name? string Name; also identifies the hair over a hot reload

---A haircut based on one of the styles. Options left out are those of the style
---@class HaircutOptions
---@field style? "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows" Style on which the haircut is based; long
---@field length? number Length on top; for beards, on the chin (metres, 0.001 to 3)
---@field sides? number Length at the sides and at the nape; for beards, on the cheeks (metres, 0.001 to 3); in proportion to `length`
---@field end_height? number|boolean Lowest height of the hair, as a fraction of the distance from the eyes down to the chin; false for no limit
---@field parting? number|boolean Parting, -1 at the right to 1 at the left; false for none
---@field comb_back? number Combing direction: 1 back from the forehead, -1 forward over it (-1 to 1)
---@field fringe? number Length of the hair that falls over the forehead (metres, 0 to 1)
---@field lift? number Height of the hair above the skin (metres, 0 to 0.2)
---@field rise? number Steepness of the hair at the skin (0 to 1)
---@field droop? number Rate at which the hair bends down; negative values bend it up (radians per metre, -100 to 100)
---@field tips? number Curl of the tips: 1 turns them in, -1 out (-4 to 4)
---@field band? number|boolean Width of the long band over the middle, as a fraction of the skull; hair outside is short. False for no band
---@field uneven? number Amount of variation in length (0 to 1)
---@field bare? number Fraction of the skin that shows between strands (0 to 1)
---@field guides? number Number of guides (3 to 400)

---The character was hit
---@class HitEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field bone? string the bone that was hit
---@field reaction string reaction of the body
---@field impulse vector newton seconds
---@field position vector world position, metres
---@field damage number damage of the hit

---A hit on a character
---@class HitOptions
---@field impulse vector Impulse, for example: a thrown ball 3, a punch 20 to 40, a collision with a runner 100, with a car 500 (newton seconds)
---@field bone? string Bone that is hit; the bone nearest to `position`, else the chest
---@field position? vector Position in the world (metres); that of the bone
---@field damage? number Health to subtract (0 to 1); 0
---@field reaction? "none"|"flinch"|"brace"|"stagger"|"fall" Reaction of the character; by impulse, mass, balance and health

---Thresholds of a character's reactions to hits. An option that is left out keeps its value
---@class HitReactionOptions
---@field on_hit? fun(hit: { bone: string?, position: vector, impulse: vector, damage: number, reaction: string }): (string|boolean)?|boolean Function to call before a hit takes effect; returns another reaction, or false to ignore the hit. It must not hit the same character. False removes the function
---@field flinch_threshold? number Minimum impulse per mass to flinch (metres per second, 0 or more); 0.01
---@field brace_threshold? number Minimum impulse per mass for the upper body to give way (metres per second, 0 or more); 0.35
---@field stagger_threshold? number Minimum impulse per mass to stagger (metres per second, 0 or more); 0.9
---@field fall_threshold? number Minimum impulse per mass to fall (metres per second, 0 or more); 1.9
---@field get_up_delay? number|boolean False to stay down, or the time of stillness until the character gets up by itself; disturbances prolong it. The event `settle` comes after 0.25 s (seconds, 0 or more); 0.6
---@field hit_on_touch? boolean True if bodies that collide with the character hit it, as `hit` does; true while limbs are bodies

---Options of `hero:idle_motion`. Fields left out keep their values
---@class IdleMotionOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field breath? number Factor on the depth of breathing (0 to 4); 1
---@field sway? number Factor on the shift of weight from foot to foot; needs `foot_ik` (0 to 4); 1
---@field noise? number Factor on the small motions of torso, arms and fingers (0 to 4); 1
---@field effort? number Effort, from 0 at rest to 1 out of breath (0 to 1); 0
---@field valence? number Mood, from -1 sad to 1 glad: the chest sinks or rises (-1 to 1); 0
---@field arousal? number Arousal, from -1 sleepy to 1 excited: all motions are slower or faster (-1 to 1); 0

---An interaction of a prop: its use, its position and its timing
---@class InteractionOptions
---@field kind? "hold"|"lever"|"take"|"seat"|"ladder" Use: the hand holds on (hold), swings the prop about its hinge (lever) or takes the prop along (take). The user sits down (seat) or climbs (ladder); hold
---@field pivot? vector For a lever: a point on the hinge, in the prop's own space (metres); its origin
---@field axis? vector For a lever: the axis of the hinge, in the prop's own space; the x axis
---@field swing? number For a lever: angle by which it turns in `hold_time` seconds; the next use turns it back (degrees); 60
---@field rung_offset? vector For a ladder: vector from each rung to the next; the lowest rung is at `position` (metres); 0.28 up
---@field rungs? number For a ladder: number of rungs (1 to 500); 8
---@field width? number For a ladder: distance between the rails (metres, 0.1 to 10); 0.4
---@field rails? number For a ladder: length of the rails above the last rung (metres, 0 to 10); 0
---@field top? vector For a ladder: position of the user at its upper end, in the prop's own space (metres); half a metre beyond the last rung, at its height
---@field bone? string Bone of the prop with which the interaction moves; the prop itself
---@field position? vector Position of the hand, or of its palm if it has fingers, in the space of that bone (metres); its origin
---@field hand_rotation? vector Yaw, pitch and roll of the hand (degrees); as the arm turns it
---@field grip? number Amount by which the fingers close (0 to 1); 0.6; 0.75 of a lever and a ladder, 0.55 of `take`, 0 of a seat
---@field radius? number Distance from the palm to `position`, the centre of the held object (metres, 0 to 1); what fits the hand
---@field bar? vector Axis of a bar in the space of that bone; the hand rotates until the bar crosses the palm
---@field stand_position? vector Position of the user's feet, in the prop's own space; the height has no effect (metres); where the user is
---@field stand_yaw? number Facing direction of the user, about +Y in the prop's own space (degrees); towards the interaction
---@field hand? string Limb that reaches for `position`; right_hand
---@field other_hand? vector Position of the other hand, for props that need two hands (metres)
---@field clip? string Clip that the user plays
---@field reach_time? number Time in which the hand reaches `position` (seconds, 0 to 600); 0.45
---@field hold_time? number Time for which the hand stays at `position` (seconds, 0 to 600); 0.5
---@field release_time? number Time in which the hand is withdrawn (seconds, 0 to 600); 0.4

---Options of an inserted turn
---@class InterruptOptions
---@field resume? boolean True continues the interrupted line after the turn; true

---Damped spring of one bone
---@class JiggleOptions
---@field frequency? number Frequency of the swing (hertz, more than 0); 3
---@field damping? number Damping ratio: 0 never stops, 1 returns without overshoot (0 or more); 0.3
---@field limit? number|vector Largest deviation from the pose, for all axes of the bone or for each: metres, or degrees with `tip`; 0.05, or 25 with `tip`
---@field tip? vector Position of a mass in the bone's space. With it, the bone rotates instead of moving (metres)
---@field weight? number Blend weight (0 to 1); 1

---Height of a jump
---@class JumpOptions
---@field height? number Height of the jump (metres, 0 to 10000); that of the controller
---@field speed? number Speed upwards, instead of a height (metres per second, 0 to 10000)

---Rules of a language
---@class LanguageOptions
---@field rules? string[][] Rules { left, letters, right, sounds } from letters to ARPAbet sounds between their neighbours; the first match wins
---@field base? string Language that provides further rules, numbers and names of letters; the language of the same name, if there is one
---@field stress? string "first", "last", "penultimate", "antepenultimate", "none", or endings and syllables: "ion_ -2; _ver 2; 1"; that of the base, or "first"
---@field vowels? string Vowel letters in one text; those of the base, or "aeiou"
---@field digits? string[] Ten words for 0 to 9, to read numbers digit by digit; those of the base
---@field default? boolean Makes this the default language of lines without `language`; false

---Options of `hero:lean`. Fields left out keep their values
---@class LeanOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field turn? number Fraction of the lean that would balance a turn (0 to 4); 0.7
---@field acceleration? number Fraction of the lean that would balance speeding up and slowing down (0 to 4); 0.4
---@field slope? number Fraction of the slope's angle by which the body leans into the hill (0 to 4); 0.35
---@field max_angle? number Maximum angle to any side (degrees, 0 to 60); 20
---@field smooth_time? number Smoothing time of the lean (seconds, 0 to 10); 0.18

---Filter of a listener
---@class ListenerOptions
---@field min_weight? number Minimum blend weight of the clip; 0
---@field all_clips? boolean True to include events of blended clips that have less weight than another clip; false

---Options of `hero:look_at`
---@class LookAtOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field target_bone? string Bone of the target character; its origin
---@field target_offset? vector Position in the space of that bone (metres); its origin
---@field target_space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field chest_weight? number Fraction of the remaining rotation that the chest takes (0 to 1); 0.35
---@field view_angle? number Full angle of the view cone, around straight ahead, in which the character begins to look at a target. It stops when the target leaves a cone 30 degrees wider (degrees, 0 to 330); 120
---@field out_of_range? "release"|"clamp" Behaviour for a target outside the cone: look elsewhere (release), or look as far as possible (clamp); release
---@field eye_activity? number Strength of small random eye movements (0 to 1); 1
---@field blink_rate? number Factor on the rate of blinks; 0 is never (0 to 20); 1
---@field gaze_mode? "steady"|"listening"|"speaking" Fraction of the time in which the character looks away: hardly any (steady), a quarter (listening), more than half (speaking); steady
---@field target_radius? number Radius of the target, within which the gaze moves about (metres, 0 or more); a face for characters, else 0
---@field eyes_weight? number Fraction of their range that the eyes use (0 to 1); 1
---@field head_weight? number Fraction of its range that the head uses (0 to 1); 1
---@field max_eye_side? number Maximum angle of the eyes to the side; replaces the limit of the file (degrees, 0 to 90); that of the file (VRM), else 35
---@field max_eye_up? number Maximum upward angle of the eyes; replaces the limit of the file (degrees, 0 to 90); that of the file, else 25
---@field max_eye_down? number Maximum downward angle of the eyes; replaces the limit of the file (degrees, 0 to 90); that of the file, else 35
---@field turn_in_place? boolean|TurnInPlaceOptions True or options: the character turns on the spot to a target outside its view cone, while it stands and nothing else moves it; false

---Settings of a layer; its list holds states and transitions
---@class MachineLayerOptions
---@field mask? string|string[]|{ [string]: number } Bones with their descendants (`*` in a name matches any text), or parts of a humanoid; the whole body
---@field weight? number|string Blend weight from 0 to 1, or the name of a parameter; 1
---@field additive? boolean|"first"|"rest" Additive mode: adds the difference from the first frame of the clip ("first" or true), or from the rest pose ("rest"); false
---@field max_distance? number Distance from the camera beyond which the layer is not evaluated (metres, 0 or more)
---@field [integer] MachinePiece

---Parameters of a machine; its list holds layers, or states and transitions
---@class MachineOptions
---@field params? { [string]: number|boolean } Parameters and their defaults
---@field [integer] MachinePiece

---Settings of a state; its list holds a clip or motion, or states and transitions
---@class MachineStateOptions
---@field clip? string|MachinePiece A clip, or random_clips, sequence, blend1d, blend2d or blend_polar { … }
---@field intro? string Clip played once on entering, before `loop`
---@field loop? string Clip played until a transition leaves the state
---@field outro? string Clip played once before leaving
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip; "loop"
---@field speed? number|string Factor on the clip's speed, or the name of a parameter; 1
---@field time_param? string Name of a parameter from 0 to 1 that sets the position in the clip
---@field mirror? boolean|string True to mirror left and right, or the name of a parameter; false
---@field root_motion? boolean True if the root motion of the clips moves the character; false
---@field orient_param? string Name of a parameter from -180 to 180 degrees: the direction of movement relative to the facing direction. The legs turn in that direction, and the upper body keeps facing ahead
---@field history? boolean True to continue the inner state that was active when the state was left; false
---@field on_enter? fun(character: Character, from: string?) Called when the state is entered; `from` is nil at the start
---@field on_update? fun(character: Character, dt: number, params: { [string]: number|boolean }) Called in every tick that begins in the state
---@field on_exit? fun(character: Character, to: string?) Called when the state is left; `to` is nil when the machine is removed
---@field on? { [string]: fun(character: Character, event: AnyEvent) } Listeners by event while the state is active: on = { step = function(hero, e) end }
---@field task? fun(task: Task) Task (see hero:task) that begins and ends with the state
---@field [integer] string|MachinePiece

---Playback of a clip passes a marker
---@class MarkEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field clip string name of the clip
---@field weight number blend weight of the clip, 0 to 1
---@field position vector world position, metres
---@field surface string name of the surface, or ""
---@field source string "machine", "play" or "idle"
---@field marker_phase string "point", "begin" or "end"
---@field duration? number of an interval, seconds
---@field interrupted? boolean of an interval: true if it ended early
---@field is_reversed boolean true if the clip plays backwards
---@field tick_fraction number fraction of the tick at which it was passed, 0 to 1
---@field [string] any further fields

---Options of `material:fade`
---@class MaterialFadeOptions
---@field color? vector Linear colour
---@field alpha? number Opacity, 0 to 1, for materials with alpha blending or a cutout
---@field tint? vector Linear colour that multiplies the base colour, and the shade colour of a toon material; (1, 1, 1)
---@field metallic? number Metalness, 0 to 1
---@field roughness? number Roughness, 0 to 1
---@field specular? number Strength of the reflection of non-metallic surfaces, 0 to 1
---@field ior? number Index of refraction, at least 1; 1.5
---@field emissive? vector Linear colour of the emitted light
---@field emissive_strength? number Factor on the emitted light
---@field normal_scale? number Scale of the normal map
---@field occlusion? number Strength of the occlusion map, 0 to 1
---@field alpha_cutoff? number Alpha threshold of a cutout material; parts with less alpha are invisible
---@field clearcoat? number Strength of the clear coat, 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Linear colour of the sheen of fibres; black is none
---@field sheen_roughness? number Roughness of the sheen, 0 to 1
---@field transmission? number Transmission: fraction of light that passes through, 0 to 1
---@field thickness? number Thickness of the volume that light passes through; 0 is a thin wall (metres)
---@field duration? number Duration of the fade (seconds, 0 to 600); 0.3

---Changes of one material in the option `materials` of `character`
---@class MaterialOptions
---@field color? vector Linear colour
---@field alpha? number Opacity, 0 to 1, for materials with alpha blending or a cutout
---@field tint? vector Linear colour that multiplies the base colour, and the shade colour of a toon material; (1, 1, 1)
---@field metallic? number Metalness, 0 to 1
---@field roughness? number Roughness, 0 to 1
---@field specular? number Strength of the reflection of non-metallic surfaces, 0 to 1
---@field ior? number Index of refraction, at least 1; 1.5
---@field emissive? vector Linear colour of the emitted light
---@field emissive_strength? number Factor on the emitted light
---@field normal_scale? number Scale of the normal map
---@field occlusion? number Strength of the occlusion map, 0 to 1
---@field alpha_cutoff? number Alpha threshold of a cutout material; parts with less alpha are invisible
---@field clearcoat? number Strength of the clear coat, 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Linear colour of the sheen of fibres; black is none
---@field sheen_roughness? number Roughness of the sheen, 0 to 1
---@field transmission? number Transmission: fraction of light that passes through, 0 to 1
---@field thickness? number Thickness of the volume that light passes through; 0 is a thin wall (metres)
---@field kind? "standard"|"skin"|"eye"|"hair"|"cloth"|"toon" Shading model

---Intensity and timing of a hidden feeling
---@class MicroExpressionOptions
---@field intensity? number Intensity (0 to 1); 0.5
---@field min_interval? number Minimum time between two micro-expressions (seconds, 0.3 to 10000); 4
---@field max_interval? number Maximum time between two micro-expressions (seconds, 0.3 to 10000); 12

---Options of `hero:add_modifier`
---@class ModifyOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field before? string Name of the modifier before which this one runs
---@field after? string Name of the modifier after which this one runs; after the built-in modifiers

---Intensity and fade of a mood
---@class MoodOptions
---@field intensity? number Intensity (0 to 1); 0.6
---@field fade? number Cross-fade from the previous mood (seconds, 0 to 1000); 0.8

---Options of `hero:motion_warp`: `position`, `yaw` or both are required
---@class MotionWarpOptions
---@field position? vector Target position in the world (metres); where the clips lead
---@field yaw? number Direction about +Y on arrival (degrees); the rotation of the clips
---@field duration number Time until the arrival, more than 0 and at most 60 (seconds)

---A door in a navigation mesh: a box that agents cannot enter while it is closed
---@class NavDoorOptions
---@field position vector Centre of the base (metres)
---@field size vector Size of the box (metres)
---@field yaw? number Rotation of the box about +Y (degrees); 0
---@field open? boolean True if the door is open at first; true

---A link between two positions of a navigation mesh
---@class NavLinkOptions
---@field cost? number Cost of the link (metres of plain ground, 0 to 1000000); its length
---@field bidirectional? boolean True if agents may use the link in both directions; false

---An obstacle in a navigation mesh: a box with `size`, or a cylinder with `radius`
---@class NavObstacleOptions
---@field position vector Centre of the base (metres)
---@field size? vector Size of a box (metres)
---@field radius? number Radius of a cylinder (metres, 0.01 to 1000)
---@field yaw? number Rotation of a box about +Y (degrees); 0

---Extent of a navigation mesh, and the agents that walk on it
---@class NavmeshOptions
---@field position? vector Middle of the level (metres); (0, 0, 0)
---@field size? vector Extent of the level along each axis; a height of 0 is 20 (metres); (40, 20, 40)
---@field agent_radius? number Distance that agents keep from walls, rounded to whole cells (metres, 0 to 100); 0.3
---@field agent_height? number Height of an agent (metres, 0.05 to 1000); 1.8
---@field max_step_height? number Maximum height of a step (metres, 0 to 100); 0.4
---@field max_slope? number Maximum slope of walkable ground (degrees, 0 to 89); 45
---@field cell_size? number Side of a cell of the grid from which the mesh is built (metres, 0.02 to 100); 0.15
---@field costs? { [string]: number } Cost of a metre by the names of surfaces, { mud = 4 }; 1 on others (0.01 to 1000)
---@field name? string Identifies the mesh over a hot reload; order of creation

---Goal of a user's limb
---@class ObjectIkTarget
---@field position vector Position in the slot's space (metres)
---@field grip? number Closing of the fingers; 1 is a fist (0 to 1); 0 with `palm`, else unchanged
---@field palm? boolean Places the palm there instead of the wrist; false
---@field full_body? boolean Lets the body lean if the arm is too short; false

---Goals for the limbs of a user: positions in the slot's space, or tables
---@class ObjectIkTargets
---@field left_hand? vector|ObjectIkTarget Goal of the left hand (metres)
---@field right_hand? vector|ObjectIkTarget Goal of the right hand (metres)
---@field left_foot? vector|ObjectIkTarget Goal of the left foot (metres)
---@field right_foot? vector|ObjectIkTarget Goal of the right foot (metres)

---Queue of a smart object
---@class ObjectQueueOptions
---@field position? vector Position in the object's space (metres); (0, 0, 0)
---@field yaw? number Direction relative to the object's (degrees); 0
---@field spacing? number Distance between waiting agents (metres, 0.1 to 10); 0.8

---Slot of a smart object
---@class ObjectSlotOptions
---@field position? vector Position in the object's space (metres); (0, 0, 0)
---@field yaw? number Direction relative to the object's (degrees); 0

---Options of `hero:orientation_warp`. Fields left out keep their values
---@class OrientationWarpOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field max_angle? number Maximum angle of the hips to the direction in which the character looks; beyond it the character walks backwards (degrees, 0 to 180); 100
---@field spine? number Fraction of the hips' angle that the spine turns back (0 to 1); 1
---@field smooth_time? number Smoothing time of the hips (seconds, 0 to 10); 0.12

---Changes to a particle kind; omitted fields keep the values of the kind
---@class ParticleOptions
---@field rate? number Emission rate (per second, 0 to 100000)
---@field burst? number Number of particles emitted at once at the beginning (0 to 8192)
---@field duration? number Duration of the emission (seconds, 0 to 1000000); no end
---@field prewarm? number Time simulated in advance, so that the emitter starts filled (seconds, 0 to 60)
---@field max_particles? number Maximum number of living particles (1 to 8192); enough for `rate` and `burst`
---@field shape? "point"|"sphere"|"disc"|"box"|"surface" Volume in which particles are emitted; "surface" is the skin of a character
---@field radius? number Radius of a sphere or disc (metres, 0 to 1000); 0.1, or the kind's
---@field box_size? vector Size of a box (metres); (0.2, 0.2, 0.2), or the kind's
---@field offset? vector Offset from the bone along the axes of the character at rest (metres); (0, 0, 0)
---@field direction? vector Direction of emission, in world space, or on a bone along the axes of the character at rest; up, or the normal of a hit
---@field lifetime? number|number[] Lifetime, one number or { low, high } for a random one (seconds, 0.01 to 600)
---@field speed? number|number[] Speed along the direction, one number or { low, high } (metres per second, -1000 to 1000)
---@field spread? number Largest angle between the initial direction of a particle and `direction` (degrees, 0 to 180)
---@field radial_speed? number Speed away from the centre (metres per second, -1000 to 1000)
---@field inherit_velocity? number Fraction of the velocity of the bone or skin that the emitter is on (-10 to 10)
---@field gravity_scale? number Factor on gravity; with negative values particles rise (-100 to 100)
---@field drag? number Fraction of the speed through the air that is lost (per second, 0 to 1000)
---@field wind_scale? number Factor on the wind of `wind { … }`, which acts through `drag` (0 to 100)
---@field turbulence? number Speed of turbulence in the air (metres per second, 0 to 100)
---@field turbulence_size? number Diameter of a turbulence vortex (metres, 0.01 to 1000)
---@field collision? "none"|"kill"|"bounce"|"stick" Behaviour of a particle at a collision
---@field restitution? number Restitution: fraction of the speed towards a surface that remains after a bounce (0 to 1); 0.4, or the kind's
---@field slide? number Fraction of the speed along a surface that remains after a bounce (0 to 1); 0.7, or the kind's
---@field landed_lifetime? number Lifetime of a particle that has landed (seconds, 0 to 600); 10, or the kind's
---@field landed_scale? number Factor on the size of a particle that has landed (0 to 100); 1, or the kind's
---@field size? number|number[] Diameter, one number or { low, high } (metres, 0.0001 to 100)
---@field size_over_lifetime? number|number[] Factor on the size: one number, or a list over the lifetime (0 to 1000)
---@field color? vector|vector[] Linear colour, or a list over the lifetime
---@field brightness_variation? number Random variation of brightness (0 to 1)
---@field alpha? number|number[] Opacity: one number, or a list over the lifetime (0 to 1)
---@field emissive_strength? number Emission: factor on the colour. With 0 the particles are only lit (0 to 1000)
---@field random_rotation? boolean Starts particles with a random rotation
---@field angular_velocity? number|number[] Rotation speed, one number or { low, high } (degrees per second, -36000 to 36000)
---@field stretch? number Stretches a particle along the distance that it flies in this time (seconds, 0 to 1)
---@field soft_distance? number Distance from a surface within which particles fade out (soft particles) (metres, 0 to 100)
---@field gloss? number Specular highlight, as on a drop (0 to 1)
---@field translucency? number Translucency, as of dust; with 0 a particle is lit as a sphere (0 to 1)
---@field texture? string Image file of the project, instead of the kind's texture
---@field flipbook? number[] Columns and rows of the flipbook in the texture, { 4, 4 } (1 to 64); { 1, 1 }
---@field flipbook_mode? "random"|"lifetime" Image of the flipbook: "random" picks one at random, "lifetime" plays all one after another over the lifetime
---@field seed? number Seed of the random number generator; a different one each time
---@field name? string Identifies the emitter over a reload; order of creation

---An area of another surface. Exactly one of radius and size is required
---@class PatchOptions
---@field position? vector Centre; the height is ignored (metres); (0, 0, 0)
---@field radius? number Radius of a round patch (metres, 0 or more)
---@field size? vector Size of a rectangle along x and z (metres)
---@field surface? string Name of the surface; that of the floor
---@field color? vector Linear colour; that of the floor

---Silence in a conversation
---@class PauseStep
---@field chance? number Probability that the step is taken (0 to 1); 1
---@field pause number Duration (seconds, 0 to 3600)

---A phoneme of a line begins
---@class PhonemeEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field line number number of the line
---@field phoneme string the phoneme
---@field duration number duration, seconds

---Settings of the physics. An option that is left out keeps its value
---@class PhysicsOptions
---@field gravity? vector Gravity (metres per second squared); (0, -9.81, 0)

---Options for playing a clip
---@class PlayOptions
---@field fade? number Time to fade in; also the time to fade out if `fade_out` is not given (seconds, 0 to 1000000); 0.15
---@field fade_out? number Time to fade out (seconds, 0 to 1000000); `fade`
---@field speed? number Playback speed factor; negative values play backwards (-1000 to 1000); 1
---@field start_time? number Start time within the clip (seconds); the clip's start; played backwards, its end
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip; the clip's own `mode`, or "once"
---@field mask? string|string[]|{ [string]: number } Bones to animate, each with all bones below it (`*` in a name matches any text), or parts of a humanoid ("upper_body", "left_arm", …), or names with weights { chest = 0.5 }. With a mask, the clip does not move morph targets and curves; the whole body
---@field weight? number Blend weight (0 to 1); 1
---@field additive? boolean|"first"|"rest" Adds a difference to the current pose: true or "first" the difference from the clip's first frame, "rest" the difference from the rest pose; false
---@field mirror? boolean Swaps left and right; false
---@field on_end? fun(reason: string) Function called once when the play ends, with the reason
---@field on? { [string]: fun(event: MarkEvent) } Listeners for the clip's markers (animation events), by name, for this play only. They are removed when it ends
---@field mute_markers? boolean Emits no events for the clip's markers; false

---A point light
---@class PointLightOptions
---@field position? vector Position; in the space of the bone if a character carries the light (metres); (0, 2, 1), carried (0, 0, 0)
---@field color? vector Linear colour; (1, 1, 1)
---@field intensity? number Intensity on a surface that faces the light at 1 m; 4 is like the sun at noon (0 or more); 4
---@field range? number Distance at which the light ends (metres, 0 or more); 10
---@field source_radius? number Radius of the light source; larger sources cast softer shadows (metres, 0 or more); 0.05
---@field shadows? boolean True if the light casts shadows; true
---@field character? Character Character that carries the light
---@field bone? string Bone of the character that carries the light

---Tone mapping, shading and colour grading. An option that is left out keeps its value
---@class PostProcessOptions
---@field tonemap? "neutral"|"agx"|"aces"|"linear" Tone map: original colours (neutral), bright colours fade to white (agx), cinema contrast (aces), clipped (linear); neutral
---@field shading? "physical"|"classic" Shading model: by the materials (physical), or by the formula of Granberg's book, for comparison (classic); physical
---@field auto_exposure? boolean True to adapt the exposure to the brightness of the picture; false
---@field adapt_speed? number Speed of auto_exposure (stops per second, 0 to 100); 2
---@field bloom? number Bloom: fraction of the light that the lens scatters (0 to 1); 0.04
---@field ambient_occlusion? number Ambient occlusion: darkening of corners and creases (0 to 2); 1
---@field contact_shadows? number Length of contact shadows; 0 for none (metres, 0 to 1); 0.1
---@field contrast? number Contrast; 0 is grey (0 to 4); 1
---@field saturation? number Saturation; 0 is grey (0 to 4); 1
---@field temperature? number Colour temperature, from cold to warm (-1 to 1); 0
---@field tint? number Tint, from green to magenta (-1 to 1); 0
---@field shadow_tint? vector Colour added to dark areas; (0, 0, 0)
---@field highlight_tint? vector Colour that multiplies bright areas; (1, 1, 1)
---@field vignette? number Vignette: darkening towards the corners of the picture (0 to 1); 0

---Promotion of agents near the camera to characters
---@class PromoteOptions
---@field distance number Distance from the camera within which agents become characters (metres, 0 to 1000)
---@field max_characters? number Maximum number of characters at the same time; the nearest agents come first (0 to 200); 8

---Changes to the bodies of a character's ragdoll
---@class RagdollBodiesOptions
---@field bones? { [string]: boolean|{ body: boolean?, shape: ("capsule"|"box"|"sphere")?, size: vector?, length: number?, radius: number?, mass: number?, density: number?, friction: number?, link: ("cone"|"hinge"|"fixed")?, swing: (number|number[])?, twist: (number|number[])?, range: number[]?, axis: vector?, from_rest: boolean? } } Bodies by the names of bones or humanoid parts: false for no body, true for one, or its properties, as in docs/body.md
---@field mass? number Total mass of the character at its present scale (kilograms, more than 0); volume times density, for a human body at most 18 times the cube of the height
---@field density? number Density of bodies that have none of their own (kilograms per cubic metre, more than 0); 985
---@field friction? number Coefficient of friction of bodies that have none of their own (0 to 10); 0.7
---@field max_bodies? number Maximum number of bodies; the total mass stays the same (1 to 256); 26

---Limbs that become rigid bodies, and their control
---@class RagdollOptions
---@field bones? string|string[] A bone with a body (see `ragdoll_bodies`), or a list of them. Applies to these limbs and all limbs below them; all
---@field motor_strength? number Strength of the motors that pull the limbs to the pose of the clips (powered ragdoll) (0 to 1); no motors: the limbs are limp
---@field kinematic? boolean True to move the limbs kinematically, as the clips do; they push other bodies; false
---@field pin? number Strength with which powered hips are pulled to their pose in the clips (0 to 1); 1
---@field motor_frequency? number Spring frequency of a motor with a `motor_strength` of 1 (hertz, 0 to 60); 16
---@field max_torque? number Maximum torque of a motor, per kilogram of the bodies below it (newton metres, 0 or more); 12

---A wedge prop
---@class RampOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, the colour of the surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field collider? boolean False for a prop without a collider; true
---@field size? vector Width, height and length, each 0.001 to 10000 (metres); (1, 1, 1)

---Random key presses in a test
---@class RandomInputOptions
---@field seconds number Duration of the random input (seconds, 0 or more)
---@field keys? string[] Keys that are pressed and released; all keys bound to actions and axes
---@field check? fun() Called after each tick, for expectations that must always hold

---Filter of a ray
---@class RaycastOptions
---@field exclude? Character|Character[] A character to exclude, or a list of characters
---@field layers? string|string[] Names of the layers to include; all
---@field sensors? boolean True to include sensors; false
---@field exact? boolean True to test the visible triangles of characters and props, with or without colliders; false

---Options of `hero:reach`
---@class ReachOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field target_bone? string Bone of the target character; its origin
---@field target_offset? vector Position in the space of that bone (metres); its origin
---@field target_space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field yaw? number Rotation about the bone's y axis, applied last (degrees); 0
---@field pitch? number Rotation about the bone's x axis, applied second (degrees); 0
---@field roll? number Rotation about the bone's z axis, applied first (degrees); 0
---@field match_rotation? boolean True if the hand takes the rotation of the target, with yaw, pitch and roll; false
---@field pole? vector Direction in which the elbow or knee points, in the character's own space; as in the clip
---@field softness? number Softness: fraction of the limb's length in which the limb slows down before it is straight, and stops short of the target (0 to 1); 0
---@field max_angle? number Maximum angle of the upper bone from the centre of its range. For a human's arm the centre is forward and to the side, else the direction at rest (degrees, 0 to 180); 125 for a human's arm, else 180
---@field full_body? boolean True if the body helps an arm that is too short: it turns, leans, bends the knees and rises on the toes; false
---@field allow_steps? boolean True for `full_body`, with steps towards a target that is still too far, up to 1.5 m; works best with `foot_ik`; false
---@field grip? number Amount by which the fingers of that hand close on arrival (0 to 1); as they are
---@field palm? boolean True if the palm of a hand with fingers reaches the target, instead of the wrist; false
---@field radius? number With `palm`: distance from the palm to the centre of the held object, which is the target (metres, 0 to 1); what fits the hand
---@field bar? vector Axis of a bar in the target's space: a hand with fingers rotates until the bar crosses the palm, and closes around it
---@field name? string Name of the modifier; the name of the limb

---Subject and brightness of a light rig
---@class RigOptions
---@field position? vector Centre of the subject (metres); (0, 0.95, 0), or the character's middle
---@field character? Character Character to light; sets the defaults of `position`, `yaw` and `size`
---@field yaw? number Direction that the front of the subject faces, about +Y (degrees); 0, or the character's
---@field size? number Height of the subject (metres, 0.001 to 10000); 1.8, or the character's
---@field intensity? number Factor on the intensity of all lights (0 to 10000); 1

---A rope
---@class RopeOptions
---@field stretch? number Elasticity: 0 none, 1 rubber (0 to 1); 0
---@field stiffness? number Bending stiffness: 0 silk, 1 felt (0 to 1); 0.2
---@field drag? number Fraction of speed lost per second; at most 60 (0 or more); 0.6
---@field friction? number Coefficient of friction on bodies and the floor (0 or more); 0.4
---@field wind_scale? number Factor on the effect of the wind (0 or more); 1
---@field gravity_scale? number Factor on gravity (-10 to 10); 1
---@field collision_margin? number Minimum distance to bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide_with? Character|Character[] A character, or a list of up to 16 characters, to collide with
---@field colliders? ClothCollider[] Up to 64 other shapes to collide with: { position, radius }, { from, to, radius } or { position, size, yaw }
---@field floor? boolean True to collide with the floor; true
---@field from? vector|BoneHolder Beginning: a position, or a bone or rigid body that holds it (metres); (0, 2, 0)
---@field to? vector|BoneHolder End: a position, or a bone or rigid body that holds it. Dynamic bodies hang on the rope and pull at each other (metres); the end hangs free
---@field length? number Length; at least the distance between the ends (metres, more than 0); 1.05 times the distance between the ends, or 1
---@field radius? number Radius (metres, more than 0); 0.02
---@field links? number Number of particles along the rope (2 to 256); 20
---@field end_mass? number Mass of the last link relative to the others, clamped to 0.1 to 100 (0 or more); 1
---@field color? vector Linear colour; (0.3, 0.2, 0.1)
---@field roughness? number Roughness of the material (0 to 1); 0.9
---@field name? string Name; also identifies the cloth or rope over a hot reload

---A line is over
---@class SayEndEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field line number number of the line
---@field reason string reason for the end
---@field spoken_time number spoken part of the line, seconds

---A line begins
---@class SayEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field line number number of the line
---@field text string text of the line
---@field duration number duration, seconds

---A line as a table. The first entry may be a sound file
---@class SayLine
---@field text? string Text with marks, for timing and caption
---@field sound? string Sound file of the project. It may be the first entry instead: say { "line.ogg", text = … }
---@field language? string Language of the text: a name or code such as "es"; the default set by `language`, else English
---@field caption? string|boolean Name of the speaker in the caption; false for no caption; the character's name, if it has one
---@field if_speaking? "queue"|"interrupt"|"overlap"|"drop" Behaviour while the character already speaks: "queue" waits, "interrupt" replaces the current line from the next phrase on, "overlap" speaks at the same time, "drop" discards the new line; "queue"
---@field delay? number Delay before the line (seconds, 0 to 600); 0
---@field volume? number Factor on the amplitude, applied after `normalize` (0 to 16); 1
---@field normalize? boolean Normalizes all lines to the same loudness; true
---@field rate? number Speech rate of a line without a sound (0.3 to 3); 1
---@field voice? string|boolean espeak-ng voice of a line without a sound, such as "en-us+f3", if espeak-ng is installed; false for none; the voice in galatea.toml
---@field track? TrackRow[] Events of the line in addition to the marks in its text: { { "smile", at = "you", duration = 1 }, { gesture = "nod", at = 0.4 } }
---@field lipsync? "auto"|"live"|"amplitude" Lip-sync method of a recorded line: "auto" uses the timing file of the same name if there is one, else sound and text; "live" works as for a microphone; "amplitude" opens the mouth by loudness alone, in four steps; "auto"
---@field mouth_intensity? number Factor on the movement of the mouth (0 to 2); 1
---@field [integer] string

---Content and delivery of a line
---@class SayOptions
---@field text? string Text with marks, for timing and caption
---@field sound? string Sound file of the project. It may be the first entry instead: say { "line.ogg", text = … }
---@field language? string Language of the text: a name or code such as "es"; the default set by `language`, else English
---@field caption? string|boolean Name of the speaker in the caption; false for no caption; the character's name, if it has one
---@field if_speaking? "queue"|"interrupt"|"overlap"|"drop" Behaviour while the character already speaks: "queue" waits, "interrupt" replaces the current line from the next phrase on, "overlap" speaks at the same time, "drop" discards the new line; "queue"
---@field delay? number Delay before the line (seconds, 0 to 600); 0
---@field volume? number Factor on the amplitude, applied after `normalize` (0 to 16); 1
---@field normalize? boolean Normalizes all lines to the same loudness; true
---@field rate? number Speech rate of a line without a sound (0.3 to 3); 1
---@field voice? string|boolean espeak-ng voice of a line without a sound, such as "en-us+f3", if espeak-ng is installed; false for none; the voice in galatea.toml
---@field track? TrackRow[] Events of the line in addition to the marks in its text: { { "smile", at = "you", duration = 1 }, { gesture = "nod", at = 0.4 } }
---@field lipsync? "auto"|"live"|"amplitude" Lip-sync method of a recorded line: "auto" uses the timing file of the same name if there is one, else sound and text; "live" works as for a microphone; "amplitude" opens the mouth by loudness alone, in four steps; "auto"
---@field mouth_intensity? number Factor on the movement of the mouth (0 to 2); 1

---The area and the fading of a scent field
---@class ScentFieldOptions
---@field position? vector Middle of the field (metres); (0, 0, 0)
---@field size? vector Extent along x and z (metres); (40, 0, 40)
---@field cell_size? number Side of a cell (metres, 0.05 to 10); 0.25
---@field half_life? number Time in which half of the scent fades (seconds, 0.01 to 1000000); 30
---@field diffusion? number Fraction of each cell that spreads to its neighbours (per second, 0 to 1); 0.05
---@field name? string Identifies the field over a reload; order of creation

---Options for jumping to another time
---@class SeekOptions
---@field emit_markers? boolean Emits the events of skipped markers, as if the clip had played through them; false

---Lifetime of a sent event
---@class SendOptions
---@field timeout? number Time for which the event waits for a transition; with 0 it is valid in the next tick only (seconds, 0 or more); 0

---Shape and filter of a query
---@class ShapeQueryOptions
---@field exclude? Character|Character[] A character to exclude, or a list of characters
---@field layers? string|string[] Names of the layers to include; all
---@field sensors? boolean True to include sensors; false
---@field shape? "sphere"|"box"|"capsule" Shape to move or to test; sphere
---@field radius? number Radius of a sphere or a capsule (metres); 0.25
---@field height? number Height of a capsule from end to end (metres); 1
---@field size? vector Edge lengths of a box (metres); (1, 1, 1)
---@field yaw? number Rotation about +Y (degrees); 0

---Timing, intensity and side of an expression
---@class ShowOptions
---@field intensity? number Intensity (0 to 1); 1, of a micro-expression 0.5
---@field fade_in? number Fade-in time (seconds, 0 to 10000); 0.3, of a micro-expression 0.06
---@field hold_time? number|boolean Time at full intensity; `true` shows it until it is stopped (seconds, 0 to 10000); 1.2, of a micro-expression 0.06
---@field fade_out? number Fade-out time (seconds, 0 to 10000); 0.5, of a micro-expression 0.08
---@field side? "left"|"right"|number Side of the face: "left", "right", or a number from -1 (left) to 1 (right) (-1 to 1); both
---@field micro? boolean True for a micro-expression: 0.2 s in all, at half intensity; false
---@field layer? "mood"|"script" Layer: "mood" is mixed below speech and blinks, "script" overrides everything else; "mood"

---Options of `hero:sit`
---@class SitOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field weight_curve? string Name of a curve of the clips, which multiplies the weight
---@field max_distance? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field target_bone? string Bone of the target character; its origin
---@field target_offset? vector Position in the space of that bone (metres); its origin
---@field target_space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field lean? number Angle by which the trunk leans forward while the character sits down (degrees, 0 to 80); 35

---Colours of the sky. An option that is left out keeps its value
---@class SkyOptions
---@field zenith? vector Linear colour at the zenith
---@field horizon? vector Linear colour at the horizon
---@field ground? vector Linear colour of the light from the ground
---@field seamless? boolean True for a floor without a horizon, which blends into the background as studio paper does. The rigs of a studio set it

---Options of a smart object: position, slots, and actions of the users
---@class SmartObjectOptions
---@field position? vector Position of the object (metres); (0, 0, 0)
---@field yaw? number Direction about +Y, from +Z to +X (degrees); 0
---@field slots? (vector|ObjectSlotOptions)[] Slots, up to 64, one for each user: positions in the object's space (x to its left, z ahead), or { position = …, yaw = … } with the user's direction; one, at the object
---@field clip? string|string[] Clip that users play, or a list of clips; after each one, the next is chosen at random
---@field intro? string Clip played before `clip`
---@field outro? string Clip played after `clip`
---@field ik_targets? ObjectIkTargets Goals for the limbs of users that are characters (see `promote_distance` of a crowd), such as { right_hand = vector.create(-0.2, 1.1, 0.45) }
---@field once? boolean Ends the use when the clip ends; false
---@field duration? number|number[] Duration of a use: one number, or { low, high } for a random one (seconds, 0 to 1000000); until `people:stop_using`
---@field attract_radius? number Distance within which it attracts agents (metres, 0 to 1000); 4
---@field attract_chance? number Probability that it attracts one of the agents within `attract_radius` (per second, 0 to 1); 0
---@field queue? vector|ObjectQueueOptions Head of the queue: a position in the object's space, or { position = …, yaw = …, spacing = 0.8 }. The queue extends backwards from there, and waiting agents face along `yaw`; no queue
---@field push_speed? number Speed at which the object pushes agents at its centre; it decreases with the distance. Negative values attract them (metres per second, -100 to 100); 0
---@field push_radius? number Distance at which the push ends (metres, 0.01 to 1000); 2
---@field on_enter? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent begins to use the object
---@field on_update? fun(object: SmartObject, crowd: Crowd, agent: number, dt: number) Called every `update_interval` seconds with the time since the last call, in seconds
---@field update_interval? number Time between two calls of `on_update` (seconds, 0.001 to 1000); 0.25
---@field on_exit? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent has finished using it
---@field name? string Identifies the object over a reload; order of creation

---Options for playing a sound
---@class SoundOptions
---@field position? vector Position of the source; without it, the sound plays as recorded, without 3D positioning (metres)
---@field volume? number Factor on the amplitude (0 to 16); 1
---@field pitch? number Factor on speed and pitch (0.0625 to 16); 1
---@field loop? boolean Restarts at the end, until it is stopped or the script is reloaded; false
---@field duck? number Volume factor while a character speaks, for example 0.35 to lower music under dialogue (0 to 1); 1
---@field delay? number Delay before the start (seconds, 0 to 600); 0

---A sphere prop
---@class SphereOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, the colour of the surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field collider? boolean False for a prop without a collider; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.5

---A spot light
---@class SpotLightOptions
---@field position? vector Position; in the space of the bone if a character carries the light (metres); (0, 2, 1), carried (0, 0, 0)
---@field color? vector Linear colour; (1, 1, 1)
---@field intensity? number Intensity on a surface that faces the light at 1 m; 4 is like the sun at noon (0 or more); 4
---@field range? number Distance at which the light ends (metres, 0 or more); 10
---@field source_radius? number Radius of the light source; larger sources cast softer shadows (metres, 0 or more); 0.05
---@field shadows? boolean True if the light casts shadows; true
---@field character? Character Character that carries the light
---@field bone? string Bone of the character that carries the light
---@field target? vector Position at which the light points (metres)
---@field direction? vector Direction of the light, used without `target`; in the bone's space if a character carries the light; (0, -1, 0)
---@field outer_angle? number Angle from the axis of the cone to its edge, where the light ends (degrees, 1 to 85); 35
---@field inner_angle? number Angle from the axis of the cone at which the light begins to fade (degrees); two thirds of `outer_angle`

---Spring bones
---@class SpringOptions
---@field stiffness? number Stiffness: strength of the return to the pose; 4 is strong (0 or more); 1
---@field drag? number Fraction of speed lost per 1/60 s (0 to 1); 0.4
---@field gravity? number Strength of gravity, relative to `stiffness`; 0
---@field radius? number Collision radius at the end of each bone (metres, 0 or more); 0.02
---@field wind_scale? number Factor on the wind (0 or more); 0.2
---@field max_angle? number Largest angle between a bone and its pose; at most 180 (degrees, 0 or more); 120
---@field center? string Bone whose motion the springs ignore; none
---@field collide? boolean True to let the ends of bones collide with the character's own body (see `ragdoll_bodies`); false
---@field weight? number Blend weight (0 to 1); 1

---A stairs prop
---@class StairsOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, the colour of the surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field collider? boolean False for a prop without a collider; true
---@field steps? number Number of steps (1 to 256); 8
---@field width? number Width of the stairs (metres, 0.001 to 10000); 2
---@field step_height? number Height of a step (metres, 0.001 to 10000); 0.17
---@field step_depth? number Depth of a step (metres, 0.001 to 10000); 0.29

---A state is entered or left, or its clip has ended
---@class StateEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field from? string of state_enter: the previous state
---@field to? string of state_exit: the next state

---A foot touches the ground
---@class StepEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field clip? string of a marker: name of the clip
---@field foot? string name of the leg
---@field position vector world position, metres
---@field normal? vector normal of the ground
---@field speed? number of the foot itself, metres per second
---@field weight number blend weight, 0 to 1
---@field surface string name of the surface, or ""
---@field next_position? vector position of the next step, metres
---@field time_to_next? number time until the next step, seconds
---@field source string "foot_ik", or the source of the marker
---@field [string] any further fields

---A prop that sticks pierced a surface
---@class StickEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field other? Character the other character or prop
---@field bone? string bone of the other character to which it is fixed
---@field position vector world position, metres
---@field speed number metres per second

---Direction and intensity of the sun. An option that is left out keeps its value
---@class SunOptions
---@field yaw? number Direction from which the sun shines, about +Y; 0 is from +Z (degrees)
---@field pitch? number Height above the horizon (degrees, 0 to 90)
---@field color? vector Linear colour
---@field intensity? number Intensity, a factor on the colour; noon is about 3.4 (0 or more)
---@field source_angle? number Softness of its shadows; 2 is thin haze (degrees, 0 to 20)

---Properties of a surface. An option that is left out keeps its value
---@class SurfaceOptions
---@field friction? number Coefficient of friction between two such surfaces; for different surfaces the geometric mean applies (0 or more)
---@field restitution? number Coefficient of restitution; for different surfaces the greater applies (0 to 1)
---@field sound? string Name of the sound set, which contact events report; the name of the surface

---A height field (terrain)
---@class TerrainOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field body_type? "static"|"dynamic"|"kinematic" Body type: "static" does not move; "dynamic" falls and is pushed; "kinematic": scripts set its position, and it pushes other bodies, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field restitution? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity_scale? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field angular_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body does not pass through thin ones; false
---@field stick_on_hit? boolean True to stick in the first body that its tip hits, as an arrow does. Controllers' capsules do not stop it. Emits the event `stick`; false
---@field lock_rotation? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field angular_velocity? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field position? vector Position of the centre; for stairs and ramps, of the lower end (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, the colour of the surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field collider? boolean False for a prop without a collider; true
---@field size? vector Size in metres along x and z; y is the factor on heights. Each is 0.001 to 10000; (10, 1, 10)
---@field heights? fun(x: number, z: number): number|number[][]|buffer|string Heights, 4 to 262144 of them: a function of x and z in metres from the centre; a list of rows along z with heights along x; a buffer of 32-bit floats, row by row; or the path of an image, whose red channel gives heights from 0 to 1 at full bit depth; flat
---@field columns? number Number of heights along x (2 to 262144); as in the list or the image; 65 for a function; 2 without heights
---@field rows? number Number of heights along z (2 to 262144); as in the list or the image; 65 for a function; 2 without heights
---@field surfaces? fun(x: number, z: number): string?|string[][] Names of the cells' surfaces, for friction and restitution; a cell is the area between four heights. A function of x and z at a cell's centre, which returns nil for the default `surface`, or a list of rows of names
---@field colors? { [string]: vector } Linear colours by the names of surfaces; they blend between cells; that of each surface

---A collider touches the character, or no longer does
---@class TouchEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field other? Character the other character or prop
---@field sensor boolean true if one of the two is a sensor
---@field position vector world position, metres
---@field normal vector normal of the surface there
---@field speed number metres per second
---@field impulse number newton seconds
---@field surface string name of the surface, or ""

---An event of a line. The first entry may be the expression, instead of the field `expression`
---@class TrackRow
---@field at? number|string Start time in seconds, or a word of the text; 0
---@field expression? string Expression. It may be the first entry instead: { "smile", at = 0.4 }
---@field look? string Gaze target: a name, "camera" or "away"
---@field gesture? string Gesture: a clip, or a head movement: beat, nod, shake, tilt. Its stroke falls on the stress of the word, or on the given second
---@field mood? string New mood
---@field blink? boolean Makes the character blink; false
---@field event? string Name of a cue for the script
---@field fields? { [string]: string|number|boolean } Fields of the cue event
---@field allow_interrupt? boolean Allows an interruption at this time; false
---@field duration? number Duration of the event (seconds, 0 to 600)
---@field intensity? number Intensity of the expression or gesture (0 to 1)
---@field chance? number Probability that it happens (0 to 1); 1
---@field delay? number Time offset; negative values are earlier (seconds, -60 to 60); 0
---@field [integer] string

---Conditions and fade of a transition. All given conditions must be true
---@class TransitionOptions
---@field from? string|string[] Source state or states. "*" is any state; it includes the target only with `on`. A transition from a state to itself restarts it; "*"
---@field when? string|fun(params: { [string]: number|boolean }): boolean? Condition as text, "speed > 0.1", or a function of the parameters without side effects
---@field on? string Event of machine:send
---@field at_end? boolean True to wait for the end of the state's clip, if the clip plays once; false
---@field min_time? number Minimum time in the state (seconds, 0 or more); 0
---@field exit_time? number Fraction of the clip that must be passed (0 to 1)
---@field marker? string|{ [number | string]: string|number|boolean } Marker of the clip that must be passed: its name, or { name, foot = "left" }
---@field priority? number Transitions of higher priority are evaluated first; 0
---@field interrupt? "always"|"higher"|"never" Transitions that may interrupt its fade: all, those of higher priority, or none; "always"
---@field allow_travel? boolean True if machine:travel may use the transition; true
---@field play_outro? boolean True to play the state's `outro` first; true
---@field fade? number|MachinePiece Cross-fade in seconds, or inertial(seconds); 0.2
---@field ease? "linear"|"smooth"|"smoother"|"in"|"out"|"in_out"|"cosine"|"step" Easing curve of the cross-fade; "smooth"
---@field start? number|"start"|"phase"|{ fraction: number }|{ marker: string, index: number?, [string]: string|number|boolean } Start in the clip of the target: seconds, "start", "phase", { fraction = 0.5 } or { marker = "step", foot = "left", index = 1 }; in step if both clips have steps, else "start"

---A layer of a machine
---@class TravelOptions
---@field layer? string Name of the layer; the first one

---Options of turning on the spot
---@class TurnInPlaceOptions
---@field left_clip? string A clip that turns to the left, or a state of one clip; a clip with such a name, else steps of `foot_ik`
---@field right_clip? string A clip that turns to the right, or a state of one clip; without it the other is mirrored; a clip with such a name, else steps of `foot_ik`
---@field turn_rate? number Maximum angular speed, without a clip (degrees per second, 1 to 7200); 110
---@field turn_acceleration? number Angular acceleration, without a clip (degrees per second squared, 1 to 7200); 300

---Progress bar on the screen
---@class UiBarOptions
---@field position? vector Offset from its anchor, or from its position in the world: x to the right, y down, in points; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured. The same point of the element is put there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True if the element is shown; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower one; with the same value, later elements cover earlier ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world; the element becomes a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of the character to follow; without it, the character's position
---@field offset? vector Offset from that position along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size does not depend on the distance (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera at which the element is invisible. Fading begins at two thirds of it (metres, 0.01 or more)
---@field width? number Width of the bar (points, 0 to 10000); 200
---@field height? number Height of the bar (points, 0 to 10000); 16
---@field corner_radius? number Corner radius (points, 0 to 100); half of `height`
---@field background? vector Linear colour of the empty part; (0.02, 0.02, 0.03)

---Rectangle on the screen
---@class UiBoxOptions
---@field position? vector Offset from its anchor, or from its position in the world: x to the right, y down, in points; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured. The same point of the element is put there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True if the element is shown; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower one; with the same value, later elements cover earlier ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world; the element becomes a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of the character to follow; without it, the character's position
---@field offset? vector Offset from that position along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size does not depend on the distance (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera at which the element is invisible. Fading begins at two thirds of it (metres, 0.01 or more)
---@field width? number Width of the rectangle (points, 0 to 10000); 200
---@field height? number Height of the rectangle (points, 0 to 10000); 100
---@field corner_radius? number Corner radius (points, 0 to 100); 0
---@field border? vector Linear colour of the border

---Image on the screen. If only one of width and height is given, the other follows from the image's aspect ratio
---@class UiImageOptions
---@field position? vector Offset from its anchor, or from its position in the world: x to the right, y down, in points; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured. The same point of the element is put there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True if the element is shown; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower one; with the same value, later elements cover earlier ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world; the element becomes a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of the character to follow; without it, the character's position
---@field offset? vector Offset from that position along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size does not depend on the distance (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera at which the element is invisible. Fading begins at two thirds of it (metres, 0.01 or more)
---@field width? number Width of the image (points, 0 to 10000)
---@field height? number Height of the image (points, 0 to 10000)

---Text on the screen
---@class UiTextOptions
---@field position? vector Offset from its anchor, or from its position in the world: x to the right, y down, in points; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"center"|"right"|"bottom_left"|"bottom"|"bottom_right" Corner, edge or centre of the screen from which `position` is measured. The same point of the element is put there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number Opacity: 0 is invisible, 1 is opaque (0 to 1); 1
---@field visible? boolean True if the element is shown; true
---@field z_index? number Drawing order. Elements with a higher value cover those with a lower one; with the same value, later elements cover earlier ones (-1000000 to 1000000); 0
---@field world_position? vector Position in the world; the element becomes a label there (metres)
---@field character? Character Character that the element follows, instead of `world_position`
---@field bone? string Bone of the character to follow; without it, the character's position
---@field offset? vector Offset from that position along the world's axes (metres); (0, 0, 0)
---@field full_size_distance? number For labels in the world: distance from the camera at which the element has its full size. Farther away it is smaller. Without it, the size does not depend on the distance (metres, 0.01 or more)
---@field max_distance? number For labels in the world: distance from the camera at which the element is invisible. Fading begins at two thirds of it (metres, 0.01 or more)
---@field size? number Font size: height of the letters (points, 4 to 300); 24
---@field width? number Width at which lines are wrapped; without it, lines end only at line breaks in the text (points, 1 or more)
---@field align? "left"|"center"|"right" Alignment of short lines; that of `anchor`
---@field outline? number Width of the black outline around the letters (points, 0 to 8); 0
---@field shadow? boolean Draws a black shadow below the letters; false
---@field background? vector Linear colour of a box behind the text

---A character uses a prop; used: another character uses this prop
---@class UseEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field other? Character the other character or prop
---@field interaction string name of the interaction
---@field phase string "reach", "hold", "release" or "end"

---Options of `task:use`
---@class UseOptions
---@field hold_time? number|fun(): any Time in seconds for which the hand holds on, or a function that is called every tick and returns true at the end; the time between the markers of the interaction's clip, or that of the interaction
---@field speed? number Speed of the walk to the interaction (metres per second, 0.01 or more); 1.4
---@field walk? boolean True to walk to the interaction; false to reach from the current position; true

---Options of `task:wait`
---@class WaitOptions
---@field timeout? number Maximum waiting time; after it the task continues (seconds); no limit
---@field character? Character Character that emits the event; the task's own character

---Options of `task:wait_until`, and of `task:wait` among others
---@class WaitUntilOptions
---@field timeout? number Maximum waiting time; after it the task continues (seconds); no limit

---Options of `task:walk_to`
---@class WalkToOptions
---@field target_bone? string Bone of the target character; its origin
---@field target_offset? vector Position in the space of that bone (metres); its origin
---@field target_space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field speed? number Speed of the walk (metres per second, 0.01 or more); 1.4
---@field stop_distance? number Distance from the target at which the walk ends (metres, 0.005 or more); 0.12
---@field yaw? number Direction about +Y to which the character turns at the end (degrees); no turn
---@field stuck_timeout? number Time without progress after which the character gives up (seconds, 0.1 or more); 1.5

---A motion warp is over
---@class WarpEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field reason string reason for the end

---Wind on the stage
---@class WindOptions
---@field direction? vector Direction of the wind; unchanged; +X initially
---@field speed? number Speed: 2 is a breeze, 8 lifts a cape; at most 100 (metres per second, 0 or more); 4
---@field gusts? number Strength of gusts relative to the speed; at most 4 (0 or more); 0.5
---@field gust_size? number Distance between gusts, clamped to 0.1 to 1000 (metres, 0 or more); 4

---A word of a line begins
---@class WordEvent
---@field name string name of the event
---@field time number time of the event, as in `now()`, seconds
---@field character Character character that emits the event
---@field state? string state of the machine that the event is about
---@field layer? string layer of that state
---@field line number number of the line
---@field word string the word
---@field index number number of the word in the line
---@field duration number duration, seconds

---Starts a task that belongs to no character, see `character:task`.
---@param run fun(task: Task): any
---@return Task
function task(run) end

---Emits particles at a position, or at a hit of `physics.raycast` or an event. Kinds: "dust", "smoke", "breath", "blood", "drips", "splash", "sparks", "embers", "motes", "chips", "snow", or "plain" as a base for your own. Options override those of the kind. An emitter that only bursts removes itself when its particles are gone. The stage allows 256 emitters and 16384 particles.
---@param kind string
---@param where vector|{ position: vector }|{ at: vector }
---@param options? ParticleOptions
---@return Particles
function particles(kind, where, options) end

---Creates a crowd of agents, which walk to the positions that you send them to. They avoid each other, characters and walls. Agents share bodies and poses, so that thousands cost little. Each has its own position, speed, size and step phase. A stage can have 64 crowds with 20000 agents in all.
---@param options CrowdOptions
---@return Crowd
function crowd(options) end

---Adds an object to the stage that crowd agents know how to use. They come at random if it has `attract_chance`, or when sent by `people:use`. They take a slot or wait in the queue, play the clips, and then continue as before. Users move along with the object. It is invisible: put a model there.
---@param options SmartObjectOptions
---@return SmartObject
function smart_object(options) end

---Creates a flock of birds or fish. Members separate from near neighbours, align with their velocity and stay near their middle. They keep above the ground, avoid obstacles and return home. A stage may have 64 flocks with 20000 members in all.
---@param options FlockOptions
---@return Flock
function flock(options) end

---Measures crowds from now on: flow across lines, density in agents per square metre, bottlenecks, and when the area is empty. It needs no rendering: it works in `galatea test` and `galatea record --no-pictures`.
---@param options CrowdStatsOptions
---@return CrowdStats
function crowd_stats(options) end

---Creates a grid of scent on the ground that fades, like the scent of ants. Agents of crowds in states with `leave_scent` leave scent where they walk; agents in states with `follow_scent` turn to the stronger scent.
---@param options ScentFieldOptions
---@return ScentField
function scent_field(options) end

---Creates a navigation mesh of the floor, static bodies, levels and terrain. Agents climb steps and slopes; the inside of closed bodies is not walkable. The mesh is baked in the next tick. Crowds use it with `crowd { navmesh = … }`; for other characters, `find_path` returns paths. The limit is 16 meshes.
---@param options NavmeshOptions
---@return Navmesh
function navmesh(options) end

---Adds a character to the stage. Options are the second argument: `character("a.glb", { position = … })`. Position, scale and appearance may instead follow the file: `character "a.glb" { position = … }`. Options that affect how the model is built (`name`, `clips` and the skinning) cannot follow. A file that is first used while the scene runs is loaded then, and the picture freezes until it is ready. Name the file in the main part to load it at the start.
---@param file string
---@param options? CharacterOptions
---@return Character
function character(file, options) end

---Returns all characters and props on the stage, oldest first. Agents of crowds are included while they are promoted to characters.
---@return Character[]
function characters() end

---Returns the character or prop with this `name`, or nil. Names are given as options: `character("a.glb", { name = "guard" })`.
---@param name string
---@return Character?
function find_character(name) end

---Creates a vector, as `vector.create(x, y, z)` does. Components that are left out are 0. Vectors cannot be changed: assign a new one, `hero.position = vec(1, 0, 2)`, or add to it, `hero.position += vec(0, 1, 0)`.
---@param x? number
---@param y? number
---@param z? number
---@return vector
function vec(x, y, z) end

---Returns a table that keeps its values over a hot reload. New defaults are added to it.
---@param name string
---@param defaults? { [string]: any }
---@return { [string]: any }
function keep_on_reload(name, defaults) end

---Returns the seconds since the start; inside a listener, the time of the event.
---@return number
function now() end

---Returns a random number from low (0) up to high (1). The sequence is the same in every run.
---@param low? number
---@param high? number
---@return number
function random_range(low, high) end

---Prints values to the terminal, separated by tabs.
function print(...) end

---Shows or hides the skeletons of the characters.
---@param visible? boolean
function show_bones(visible) end

---Draws characters with a debug view instead of their materials; without a name, draws their materials again.
---@param name? "skeleton"|"weights"|"wireframe"|"normals"|"tangents"|"uv"|"overdraw"|"bounds"|"bodies"|"light"|"morphs"|"unlit"|"roughness"|"metallic"|"occlusion"|"depth"|"springs"
---@param options? DebugViewOptions
function debug_view(name, options) end

---Sets the wind on the whole stage. It moves springs, ropes, cloth and hair. Initially there is no wind. The random gusts are the same in every run.
---@param options WindOptions
function wind(options) end

---Creates a rope. It is a character of its own with the material "rope" and the bones `link_0`, `link_1`, …, `end`, to which lights and props can be attached. A rigid body at one end hangs from the other end, and two rigid bodies pull at each other.
---@param options RopeOptions
---@return Character
function rope(options) end

---Creates a sheet of cloth. It is a character of its own with the material "cloth" and one bone per particle, named `c0_r0` (column, row). Pins without a holder move with that character. A stage may have 64 ropes and pieces of cloth with 8192 particles in all.
---@param options ClothOptions
---@return Character
function cloth(options) end

---A character or a prop on the stage, created by `character`. Without a state machine it plays its idle clip, if it has one.
---@class Character
---@field name string Name from the options of `character`, or its file and a running number.
---@field position vector World position, metres; at most 100 km from the origin along each axis.
---@field yaw number Rotation about +Y, degrees; with 0 the character looks along +Z.
---@field rotation vector Rotation in the world, degrees: x is the pitch, y the yaw, z the roll. Roll is applied first, then pitch, then yaw. `yaw` alone is enough for characters that stand upright. Setting it has no effect while the character is attached to a bone.
---@field visible boolean False hides the character with everything attached to it, its hair and its shadow. It still moves, collides and emits events.
---@field scale number Scale, from 0.001 to 1000.
---@field velocity vector Velocity, metres per second. It can be set for characters with a controller and for dynamic bodies; for others it is read-only.
---@field angular_velocity vector Angular velocity about the world axes, degrees per second. It can be set for dynamic bodies; for others it is read-only.
---@field is_sleeping boolean True while the body rests and is not simulated; a contact wakes it.
---@field is_grounded boolean True while its controller is on ground that is not too steep to walk on.
---@field is_sliding boolean True while it slides down ground that is too steep.
---@field is_crushed boolean True while its controller has no room, for example between a lift and a ceiling.
---@field crouching boolean True while its capsule has the crouching height. Set it to true to crouch; after false the character stands up as soon as there is room.
---@field speed number Ground speed of its controller, m/s; 0 without a controller and while `is_down` is true.
---@field is_down boolean True while the character falls or lies on the ground.
---@field posture string Orientation of the trunk: "upright" (also while sitting, or slumped with the head above the hips), "face_up", "face_down" or "side".
---@field health number Health, 0 to 1. A hit that takes the last health kills; with less health the character falls sooner. A character that gets up from death has at least 0.01.
---@field balance number Stability against hits; at 1 it is normal, at 0.5 half the impulse makes the character fall.
---@field is_dead boolean True from `kill`, or the hit that took the last health, until the character gets up.
---@field variant string? Active variant of the file; nil for the default materials.
---@field walk_sign number -1 while the character walks backwards with `orientation_warp`, else 1. Multiply the playback speed of the walk by it.
---@field face Face Face of the character.
---@field decal_count number Number of decals on the character.
---@field is_speaking boolean True while the character speaks.
---@field required_turn number? Degrees about +Y by which the character must turn to face the target of `look_at`, while the target is out of reach of its head; else nil. `hero:look_at(target, { turn_in_place = true })` and `task:turn_to` turn it.
---@field is_warping boolean True while a motion warp is active.
---@field root_motion { translation: vector, yaw: number } Root motion of the last tick, with warping: `translation` in metres in world space, `yaw` in degrees about +Y.
---@field apply_root_motion boolean True (the default) if root motion moves the character. With false, a script can move it by `root_motion`.
---@field machine Machine|MachineDefinition State machine of the character; set it to the result of `machine { … }`. All names of clips, bones, states and parameters are checked then. The states of the previous machine are left: their `state_exit` has no `to`, and open intervals end with `interrupted`.
---@overload fun(options: table): Character
local Character = {}

---Plays a clip over the pose of the state machine, by default once.
---@param clip string
---@param options? PlayOptions
---@return Play
function Character:play(clip, options) end

---Returns true while a clip started by `hero:play` plays; without a name, while any does. A play that fades out no longer counts. For the clips of the state machine, see `hero.machine:state()`.
---@param clip? string
---@return boolean
function Character:is_playing(clip) end

---Stops all plays of a clip, or all plays without a name, within `fade` seconds (default: the fade-out time of each play). Returns how many it stopped. The state machine continues.
---@param clip? string
---@param fade? number
---@return number
function Character:stop(clip, fade) end

---Adds a marker at a time of a clip, also while the clip plays. Each time playback passes the marker, its event is emitted exactly once. A character can have 1024 markers. A field `foot = "left"` or `bone = "hand"` sets the position of the event. A field `duration`, in seconds, makes the marker an interval with a beginning and an end.
---@param clip string
---@param seconds number
---@param event string
---@param fields? { [string]: number|string|boolean }
---@return Marker
function Character:add_marker(clip, seconds, event, fields) end

---Calls a function for each event of a name: a marker, `state_enter`, `state_exit` or `state_end` of a state, `warp_end` of a motion warp, any other event of characters, or `*` for all. Every event has `name`, `time` and `character`. Events of states have `state`, `layer`, and `from` or `to`. Events of markers have the fields of the marker and `clip`, `weight`, `position`, `surface`, `source` ("machine" with `state` and `layer`, "play" or "idle"), `marker_phase` ("point", "begin", or "end" with `interrupted` if it ended early), `is_reversed`, and `tick_fraction`, the fraction of the tick at which it was passed. When clips blend, only the clip with the highest weight emits its markers. A hot reload of a model or script ends the intervals that no longer exist, with `interrupted`. Events are emitted at the end of the tick, in order of time. Events of the same time have this order: interrupted plays and intervals, states left, states entered, markers and other events, clips and warps that reached their end.
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

---Calls a function for the next event of a name only, as `on` does for every event.
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

---Returns the record of passed markers and their outcomes, oldest first. The first call starts the recording and returns an empty list. Each entry has `number`, `time`, `name`, `clip`, `marker` (number of the marker on the clip; less than 0 for a marker that was removed since), `marker_phase`, `weight`, `source`, `state`, `layer`, `playback_id` (number of this playback of the clip in the machine: a state that is entered again has another number), `play` (number of the play), `outcome` ("fired", "suppressed" or "interrupted"; the end of an interval has the outcome of its beginning), `reason` ("lower_weight", "below_min_weight", "layer_weight_zero", "masked", "seek", "muted", "leaving", "flood", "interval_interrupted", "reloaded", "foot_ik_steps" or "down") and `occurrences`, the number of markers that the entry represents. `number` counts the entries; the record keeps the latest 4096.
---@return EventLogEntry[]
function Character:event_log() end

---Starts a task: a function that does one thing after another and can wait in between. The function gets the task and starts before the tick continues. The task ends when the function returns, when it is stopped, when its character is removed, or on a hot reload. In every case its `on_end` functions are called.
---@param run fun(task: Task): any
---@return Task
function Character:task(run) end

---Adds a decal to the surface of a character in its current pose; it then moves with the surface. `kind` is "blood", "wound", "cut", "bruise", "hole", "dent", "scratch", "mud", "soot", "wet", or a picture of the project with a transparent edge; or a table by names or kinds of materials, { skin = "wound", cloth = "hole", other = false }. `where` is a hit of `physics.raycast`, an event `hit`, a `position` with a `direction`, or a line with `from` and `to`. Returns nil if no surface is hit. On surfaces with overlapping texture coordinates, such as a repeated weave, the decal is a separate mesh, and a character can have 32 of these; there relief without colour is not visible, which is logged once. A character can have 256 decals; after that the oldest are removed.
---@param kind string|{ [string]: string|false }
---@param where { position: vector, normal: vector }|{ position: vector, direction: vector }|{ position: vector, impulse: vector }|{ from: vector, to: vector }
---@param options? DecalOptions
---@return Decal?
function Character:decal(kind, where, options) end

---Removes all decals, with a fade of `seconds`, by default 0.
---@param seconds? number
function Character:clear_decals(seconds) end

---Like `particles`, but attached to the character: to a bone, to the skin at a hit of `physics.raycast` or an event, or with shape = "surface" all over the skin. "breath" comes from the mouth as the character breathes out. The particles do not collide with the character. Returns nil if the hit misses it.
---@param kind string
---@param where_or_options? string|{ position: vector }|{ at: vector }|{ from: vector, to: vector }|ParticleOptions
---@param options? ParticleOptions
---@return Particles?
function Character:particles(kind, where_or_options, options) end

---Returns the material with this name; if several share the name, the handle controls all of them. Changes affect only this character.
---@param name string
---@return Material
function Character:material(name) end

---Returns the names of the materials, in the file's order, each once.
---@return string[]
function Character:materials() end

---Returns the names of the file's variants (KHR_materials_variants), in the file's order.
---@return string[]
function Character:variants() end

---Returns the largest value of a metric since its reset. "foot_slide": distance that a planted foot has moved over the ground since it was planted, metres; the clips define when feet are planted. "pop": the largest jerk of a bone in the character's own space, relative to the largest jerk within the visible clips; 1 is as smooth as the clips, a hard cut gives 10 and more. "root_drift": distance of the hips from their position in the clips, without the travel of the clips, metres. "lip_lag": delay of the mouth behind the sound of a recorded line, seconds, from loudness and mouth opening over two seconds; negative if the mouth is early. The first call returns 0 and switches the metrics on; in tests they are always on. Jumps of `position` are not counted.
---@param name "foot_slide"|"pop"|"root_drift"|"lip_lag"
---@return number
function Character:metric(name) end

---Returns all metrics, with the same values as `metric`. `last_tick` holds the values of the last tick alone; for `foot_slide` the distance that a planted foot slid in that tick, metres. `pop_bone` is the bone with the largest pop.
---@return { foot_slide: number, pop: number, root_drift: number, lip_lag: number, pop_bone: string?, last_tick: { foot_slide: number, pop: number, root_drift: number, lip_lag: number } }
function Character:metrics() end

---Resets all metrics to 0; they start again with the next tick.
function Character:reset_metrics() end

---Motion warping: while states with `root_motion` play, the rest of their motion is stretched and rotated so that the character arrives at `position`, turned to `yaw`, `duration` seconds from now. Then the event `warp_end` is emitted with its `reason`: "arrived", "missed" (no state with root motion played at the end) or "replaced" (by another warp). It may be called before such a state is entered. If the machine changes state, or the character is moved, the warp is recomputed from there.
---@param options MotionWarpOptions
function Character:motion_warp(options) end

---Looks at a position, a character's face, or `camera`. The eyes move first, the head follows, the chest turns a little; the character blinks and its gaze moves over the target. With a list it looks at the most attractive target; entries are targets, or tables of a target with its `interest` and `radius`. Nil lets the gaze wander, `false` ends it. A target outside the view cone is dropped, and `hero.required_turn` is the angle to turn. With `turn_in_place` the character first turns on the spot, by a clip named for it (`turn_left`, `turn_right_90`, `turn_180`) or by steps of `foot_ik`. It does not turn while it walks, follows `move` or lies on the ground, so that a player's input wins.
---@param target? vector|Character|{ forward: fun(): vector }|(vector|Character|{ forward: fun(): vector }|{ [number]: vector|Character|{ forward: fun(): vector }, interest: number?, target_radius: number?, target_bone: string?, target_offset: vector?, target_space: string? })[]|boolean
---@param options? LookAtOptions
---@return Modifier
function Character:look_at(target, options) end

---Speaks a line: a text with marks, or a recording, `{ "line.ogg", text = "…" }`, where `text` is the spoken text. The mouth follows the sound, a caption shows the text, and marks happen at their words: `{brow:up}` or any expression (`{smile x0.5 1.2s}`, `{smile}…{/smile}`), `{look=name}`, `{look=camera}`, `{look=away}`, `[beat]word[/]` for a gesture (a clip of that name, or a head movement: beat, nod, shake, tilt) whose stroke falls on the stressed syllable, `{mood=sadness}`, `{blink}`, `{pause 0.5}`, `{event=name key=value}` for an event `cue`. In a mark, `chance=0.6` sets its probability and `delay=-0.1` shifts it in time, seconds. The line emits the events `say`, `word`, `phoneme`, `cue` and `say_end`. Returns nil if the line was dropped.
---@param line string|SayLine
---@param options? SayOptions
---@return Line?
function Character:say(line, options) end

---Stops speaking at the end of the phrase (the default), at the end of the word, or now, and drops all waiting lines. Returns false if there was nothing to stop.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Character:stop_speaking(how) end

---Adds breathing, shifts of weight and small idle motions on top of the clips. A human-like body without clips has them from the start. `false` fades them out.
---@param options? IdleMotionOptions|boolean
---@return Modifier
function Character:idle_motion(options) end

---Leans its body into turns, against speeding up and slowing down, and into the hill. `false` fades it out.
---@param options? LeanOptions|boolean
---@return Modifier
function Character:lean(options) end

---Turns its hips and legs in the direction of movement, and its spine back. So one clip of walking forwards serves for all directions, while the upper body looks or aims ahead. Use it with a controller with `turn_to_movement = false`. When the character walks backwards, `walk_sign` is -1: then play the clip backwards. `false` fades the effect out.
---@param options? OrientationWarpOptions|boolean
---@return Modifier
function Character:orientation_warp(options) end

---Places the feet on the ground below them: floor, stairs, slopes, lifts. A planted foot stays in place and turns with the ground, and the body is lowered until all feet reach. It works for any number of legs. Foot IK emits the event `step`, with `foot`, `position`, `normal`, `surface`, `speed` of the impact, `weight`, and `next_position` and `time_to_next`: the predicted position and time in seconds of that foot's next step. `false` fades it out.
---@param options? FootIkOptions|boolean
---@return Modifier
function Character:foot_ik(options) end

---Moves the end of a limb to a position, a character or one of its bones, and keeps it there while both move. The end is `left_hand`, `right_foot` or any bone with two bones above it. A prop in the character's other hand is reached exactly, such as a rifle held with both hands. With `full_body` the character leans and bends towards a distant target with its feet in place; with `allow_steps` it also walks. With `grip` the fingers close. Nil as the target releases the limb.
---@param limb string
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? ReachOptions
---@return Modifier
function Character:reach(limb, target, options) end

---Closes the fingers of a hand, around an attached prop or into a fist: 0 keeps the pose of the clips, 1 closes them. Fingers that are already closed further stay. Nil as the amount releases the grip. To close a hand as it reaches a target, use the option `grip` of `reach`.
---@param hand "left_hand"|"right_hand"
---@param amount? number
---@param options? GripOptions
---@return Modifier
function Character:grip(hand, amount, options) end

---Sits down: moves the hips onto a seat within `fade` seconds, while the feet stay in place and the knees bend. The target is a point on the seat's surface. First place the character with its back to the seat, about 0.35 m in front of it; if the legs are too short, the hips come as near as possible. `false` makes the character stand up.
---@param target vector|Character|{ forward: fun(): vector }|boolean
---@param options? SitOptions
---@return Modifier
function Character:sit(target, options) end

---Rotates the spine, or the given bones, so that a line from the last of these bones, or from a hand below it, points at a target: for example, a weapon in the hand. Call it without a target to release it.
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? AimAtOptions
---@return Modifier
function Character:aim_at(target, options) end

---Bends a chain of bones, from `root` down to `tip`, so that the tip reaches a target: tails, tentacles, trunks, spines. Call it without a target to release it.
---@param root string
---@param tip string
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? ChainIkOptions
---@return Modifier
function Character:chain_ik(root, tip, target, options) end

---Adds a helper bone, which no clip moves and which follows other bones to keep the skin in shape. `kind` is "twist", "fan", "push", "driver", "roll", "aim", "rotation", "copy", "parent" or "limit"; `bone` is the bone that moves, `of` the bone that it follows. The fields of each kind are listed in docs/helpers.md and are the same in the extras of a file. All helpers of a character, including those of its file, are one modifier, "helper_bones".
---@param fields { kind: string, bone: (string|string[])?, of: string?, from: string?, hold: string?, morph: string?, share: (number|number[])?, axis: (vector|number[])?, along: (vector|number[])?, middle: number?, by: string?, to: string?, curve: number[][]?, smooth: boolean?, amount: number?, full: number?, radius: number?, example: (vector|number[])?, min: (vector|number[])?, max: (vector|number[])? }
---@return Modifier
function Character:helper_bone(fields) end

---Adds an interaction to a prop: a door knob, a lever, a seat, a rung, a cup. The interaction sets the position of the user and of the hand, and the timing. In a task, `t:use(thing, name)` walks there, turns, reaches and holds on. Model files store interactions in the extras of nodes, as `handle`.
---@param name string
---@param fields InteractionOptions
function Character:add_interaction(name, fields) end

---Adds a custom modifier. The function is called in every tick with the current pose and the length of the tick in seconds, and may rotate and move bones. Its result is blended in by the modifier's weight.
---@param name string
---@param run fun(pose: Pose, dt: number)
---@param options? ModifyOptions
---@return Modifier
function Character:add_modifier(name, run, options) end

---Returns the modifiers that change the character's pose after the animation, in order of execution; `print(hero:modifiers())` prints one line for each. Order within a tick: state machine and plays, root motion, locomotion and physics, these modifiers, springs, cloth and hair.
---@return Modifier[]
function Character:modifiers() end

---Returns the modifier of this name, or nil.
---@param name string
---@return Modifier?
function Character:modifier(name) end

---Makes bones and all bones below them swing behind the pose: hair, tails, ears, straps. Springs of VRM files work without this. If the character moves farther than its own length within one tick, the springs move with it without swinging.
---@param bones string|string[]
---@param options? SpringOptions
---@return Spring
function Character:spring_bone(bones, options) end

---Makes one bone lag behind its pose and swing on a damped spring: flesh, bellies, bags, antennae.
---@param bone string
---@param options? JiggleOptions
---@return Spring
function Character:jiggle_bone(bone, options) end

---Makes chains of the character's bones move as cloth: a cape, a skirt, the tails of a coat. A single chain moves as a rope. The first bone of each chain keeps its pose.
---@param options ClothChainOptions
---@return Spring
function Character:cloth(options) end

---Puts hair on a bone: a haircut, strands that grow between guides, or the strands of a file. The guides are simulated as chains of points, which keep their length and shape and stay outside the body. Each other strand follows a few guides. The hair is a character of its own with the material "hair" and, under a haircut, "scalp". A stage may have 64 pieces of hair.
---@param options HairOptions
---@return Character
function Character:hair(options) end

---Resets all springs of the character, including those of its file, and ropes, cloth and hair attached to it. They restart at the current pose, as after a cut in a film.
function Character:reset_springs() end

---Returns the world position of a bone's origin in the last tick, metres. The name is that of the bone, or of a humanoid part such as `right_hand`.
---@param name string
---@return vector
function Character:bone_position(name) end

---Returns the transform of a bone in world space: its position in metres, its rotation in degrees (pitch, yaw, roll) and the directions of its axes. `forward` is its +Z, `up` its +Y, `right` its -X.
---@param name string
---@return { position: vector, rotation: vector, right: vector, up: vector, forward: vector }
function Character:bone_transform(name) end

---Sets a morph target to a weight, which overrides clips. Without a weight, clips control it again.
---@param name string
---@param weight? number
function Character:morph(name, weight) end

---Attaches another character or prop to a bone.
---@param thing Character
---@param bone string
---@param options? AttachOptions
function Character:attach(thing, bone, options) end

---Detaches this character or prop from the bone that it is attached to; it stays at its position.
function Character:detach() end

---Shows or hides a part: a mesh of the file, by the name of its node.
---@param part string
---@param visible? boolean
function Character:show_part(part, visible) end

---Returns the durations of all clips by name, seconds.
---@return { [string]: number }
function Character:clips() end

---Returns one of its clips, to read its data.
---@param name string
---@return Clip
function Character:clip(name) end

---Adds a clip made by `clip` to this character only; its bones and morph targets are found by name. `play` and state machines find the clip by its name. The model and its other clips stay shared with other characters. The clip is added again when the model is reloaded.
---@param clip ClipDefinition
function Character:add_clip(clip) end

---Returns the value of a curve of its clips (a named number over time) in the last tick, blended as the bones are. While no clip with that curve plays it is 0, or for a curve that animates a material, the value of the file.
---@param name string
---@return number
function Character:curve(name) end

---Returns the minimum and maximum corner of the bounding box of its vertices in the rest pose, in model space, metres.
---@return { min: vector, max: vector }
function Character:rest_bounds() end

---Adds a collider to a character or prop: others stand on it, walk into it and push it; with a mass it falls. The events `touch` and `touch_end` report contacts. `false` removes the collider. A prop attached to a bone collides with nothing until it is released.
---@param options? ColliderOptions|boolean
function Character:collider(options) end

---Returns the first hit of the segment between two points on the character's triangles, morphed and skinned as they are now; nil if it misses. Like `physics.raycast` with `exact`, but for this character alone.
---@param from vector
---@param to vector
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function Character:raycast(from, to) end

---Applies an impulse to a dynamic body, newton seconds, at a world position or at its centre of mass. An error for anything without a dynamic body.
---@param impulse vector
---@param at? vector
function Character:apply_impulse(impulse, at) end

---Adds a character controller: a capsule that collides with the world. It climbs steps, slides along walls, stands on moving platforms and pushes light bodies. `move`, root motion and gravity move the character; setting `position` teleports it. Another call changes the options that you give. `false` removes the controller. It emits `jump`, `fall`, `land` (`speed`, `height`), `step_up` (`height`), `slide` and `slide_end` (`slope`), and `bump` (`speed`, `normal`), with `other`, `position` and `surface`; `source` is "controller".
---@param options? ControllerOptions|boolean
function Character:controller(options) end

---Sets the velocity at which the controller moves the character, m/s in world space, until the next call. The acceleration is that of the controller. The vertical part is used only without gravity.
---@param velocity vector
function Character:move(velocity) end

---Jumps from the ground, now or when the character lands within the controller's `jump_buffer`. The character keeps the velocity of the ground that it stood on.
---@param options? JumpOptions
function Character:jump(options) end

---Makes the limbs rigid bodies of the physics world, with shapes built from the model. Without options the whole character falls, starting at the speed of its clips. `bones` limits the call to these limbs. With `motor_strength`, motors pull the limbs to the pose of the clips (powered ragdoll). Both settings stay after falls and hits. A character that fell by this call lies until `get_up`. `false` ends the ragdoll; the rest of the fall blends into the clips.
---@param options? RagdollOptions|boolean
function Character:ragdoll(options) end

---Returns the rigid bodies of its ragdoll, which is built from the model. Options change the ragdoll and override the settings of the file. Masses are kilograms at the character's present scale; at twice the scale they are eight times as large.
---@param options? RagdollBodiesOptions
---@return { bone: string, shape: string, mass: number, link: string? }[]
function Character:ragdoll_bodies(options) end

---Hits the character. The reaction depends on the impulse per mass, the position of the hit, `balance` and `health`. The character flinches (a limb gives way), braces (the upper body gives way), staggers (it is pushed away) or falls and gets up again. A hit that takes the last health always makes it fall. Returns the reaction, or false if the function `on_hit` rejected the hit. Emits `hit`, and afterwards `knock_down`, `settle`, `get_up`, `get_up_end` and `die` as they occur.
---@param options HitOptions
---@return string|false
function Character:hit(options) end

---Kills the character: it falls and does not get up by itself. `get_up` revives it.
function Character:kill() end

---Makes the character fall with the current velocity of its clips. The character gets up by itself.
function Character:knock_down() end

---Makes a lying character get up at its position. It plays its own clip for the way it lies (with `get_up` or `stand_up` and `front` or `back` in the name), else a motion generated for its body. A dead character revives with a health of at least 0.01. Returns false if the character does not lie.
---@return boolean
function Character:get_up() end

---Sets the threshold of each reaction, and a function that may change or reject each hit; options that are left out keep their values.
---@param options HitReactionOptions
function Character:hit_reactions(options) end

---Removes the character from the stage.
function Character:remove() end

---A clip that plays or has ended. Each play ends exactly once.
---@class Play
---@field time number? Current time within the clip, seconds. Like all properties below, nil after the end.
---@field phase number? Current position within the clip as a fraction, 0 to 1.
---@field loop_count number? Number of times that the clip has reached an end and continued.
---@field weight number? Current blend weight with fades, 0 to 1. Setting it replaces the option `weight`: the change is immediate, and fade-in and fade-out multiply it. To blend smoothly, set it in every tick. At 0 the play emits no marker events, except for the ends of intervals whose beginning was emitted.
---@field speed number? Playback speed factor; 0 pauses the clip, negative values play it backwards.
local Play = {}

---Ends the play and fades it out, over its own fade-out time or over the given seconds. A play that is already fading out is not changed.
---@param fade? number
function Play:stop(fade) end

---Jumps to a time of the clip, within the current loop. Skipped markers emit events only with `emit_markers = true`. Intervals that the jump leaves end at once. Returns false if the play has ended.
---@param seconds number
---@param options? SeekOptions
---@return boolean
function Play:seek(seconds, options) end

---Calls a function for each marker of this name that this play passes; `*` means all markers. The listener is removed when the play ends.
---@param marker string
---@param listener fun(event: MarkEvent)
---@return Listener
function Play:on(marker, listener) end

---Returns the reason why the play ended: "end", "interrupted", "stopped" or "reloaded"; nil while it plays.
---@return string?
function Play:end_reason() end

---A sequence of actions over time, started by `hero:task` or `task`. Only the task's own function can call methods that wait; the others can be called from anywhere.
---@class Task
---@field character Character? Character of the task; nil if it belongs to no character.
local Task = {}

---Waits for a number of seconds, for an event, or for the end of something. Seconds are counted from the moment at which the task last continued; it waits for at least one tick. For an event of its character it returns the event table. For a play, a sound, a line, a conversation or another task it returns the end reason. Returns nil if `timeout` seconds are over first.
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

---Waits until a function, called once per tick, returns true. Returns false if `timeout` seconds are over first.
---@param condition fun(): any
---@param options? WaitUntilOptions
---@return boolean
function Task:wait_until(condition, options) end

---Plays a clip on its character, as `hero:play` does, waits for its end and returns the reason. If the task ends first, the clip stops.
---@param clip string
---@param options? PlayOptions
---@return string
function Task:play(clip, options) end

---Walks straight to a position or a character, with the character's controller, and turns there. Returns false if it makes no progress. If the task ends early, the walk stops.
---@param target vector|Character|{ forward: fun(): vector }
---@param options? WalkToOptions
---@return boolean
function Task:walk_to(target, options) end

---Turns on the spot to a position, a character, `camera` or an angle in degrees about +Y. It plays a turning clip if there is one, else the character steps with `foot_ik`. Waits while the character walks; returns false if the turn is not complete within 8 seconds.
---@param target number|vector|Character|{ forward: fun(): vector }
---@param options? TurnInPlaceOptions
---@return boolean
function Task:turn_to(target, options) end

---Uses an interaction of an object; the name may be omitted if there is only one. The character walks to the interaction's standing position, turns, plays the interaction's clip, reaches, holds on, also while the object moves, and releases. The character receives the event `use` with `other`, `interaction` and `phase` ("reach", "hold", "release", "end"), and the object receives `used`. Returns "done", "too_far" if the character could not get there, or "occupied" at once while another character uses the interaction; a ladder can have several users.
---@param thing Character
---@param interaction? string
---@param options? UseOptions
---@return string
function Task:use(thing, interaction, options) end

---Waits for several entries in parallel until all are done: functions, each run as a task of its own, seconds, names of events, plays, sounds, lines, conversations and tasks. Returns a list of their results.
---@param things (number|string|Play|Sound|Line|Conversation|Task|(fun(task: Task): any))[]
---@return any[]
function Task:all(things) end

---Waits as `all` does, but only until the first entry is done. Stops the functions that still run, and returns the number of that entry in the list and its result.
---@param things (number|string|Play|Sound|Line|Conversation|Task|(fun(task: Task): any))[]
---@return number
---@return any
function Task:race(things) end

---Starts a task that runs in parallel to this one. It ends at the latest when this task ends.
---@param run fun(task: Task): any
---@return Task
function Task:start(run) end

---Calls a function with the reason when the task ends for any reason. The function that was added last is called first. These functions cannot wait.
---@param cleanup fun(reason: string)
function Task:on_end(cleanup) end

---Ends the task and everything that it started, at once. A task that stops itself continues to its next wait and stops there, so it can start the task that replaces it.
function Task:stop() end

---Returns the reason for which the task ended: "end", "stopped", "failed" or "reloaded"; nil while it runs.
---@return string?
function Task:end_reason() end

---Makes a clip from keys, for `hero:add_clip`. Bones have the names of the model, or of humanoid parts (`left_hand`). Keys are { t, x, y, z } or { t, vector }; keys of scales also { t, factor }. Keys of rotations are degrees about z first, then x, then y, or the quaternion { t, x, y, z, w }. Keys of morphs and curves are { t, number }. `space` is the reference frame: "parent" is the parent bone, as in glTF; "rest" adds rotations about the bone's own axes to the rest pose; "model" adds rotations and offsets along the model's axes, which are the same for every rig. `interpolation = "cubic"` is a spline through the keys, with zero slope at both ends. A clip lasts at most 600 s. It does not affect bones, morphs and curves without keys.
---@param name string
---@return fun(p1: ClipOptions): ClipDefinition
function clip(name) end

---A clip of a character, from `hero:clip`. It refers to the clip by name and stays valid after a hot reload.
---@class Clip
---@field name string Name of the clip.
---@field duration number Duration, seconds.
---@field source string File of the clip, or `script`.
---@field markers ({ time: number, name: string, duration: number?, [string]: number|string|boolean })[] Markers with their fields in order of time, including those of `hero:add_marker`.
---@field ground_speed number? Ground speed measured from the planted feet, metres per second; nil if it cannot be measured.
---@field root_translation vector? Displacement of the root from start to end, in the character's own space, metres; nil if the root never moves or turns. A clip can end at its start position and still have root motion.
---@field root_yaw number? Rotation of the root about +Y from start to end, degrees.
---@field is_in_place boolean True if the clip ends near its start: it travels at most 8 % of the body's height and turns at most 20°. A state with `root_motion = true` applies all root motion, also of such clips.
---@field bytes number Size of the compressed clip in memory, bytes.
local Clip = {}

---Samples the clip's pose at a time. Returns transforms in the space of the parent bone, by the names of the bones that the clip animates. `quaternion` is x, y, z, w; `rotation` is the same rotation in degrees, about z first, then x, then y. Before the first key and after the last key, the value of that key is returned.
---@param seconds number
---@return { [string]: { position: vector, quaternion: number[], rotation: vector, scale: vector } }
function Clip:sample(seconds) end

---Samples one of the clip's curves at a time.
---@param name string
---@param seconds number
---@return number
function Clip:curve(name, seconds) end

---A material of one character. A value that a script sets overrides the file and the clips until `reset`. Reading a property returns the value that was set, or the file's. Numbers are clamped to their ranges. When the model file is reloaded, the handle finds the material again by its name. When the script is reloaded, the new script sets its own values again.
---@class Material
---@field kind string Shading model: "standard", "skin", "eye", "hair", "cloth" or "toon". The default is that of the file, or a guess by the material's name.
---@field color vector Linear colour.
---@field alpha number Opacity, 0 to 1, of a material with alpha blending or a cutout.
---@field tint vector Linear colour that multiplies the base colour, and the shade colour of a toon material; white in every file.
---@field metallic number Metalness, 0 to 1.
---@field roughness number Roughness, 0 to 1.
---@field specular number Strength of the reflection of non-metallic surfaces, 0 to 1.
---@field ior number Index of refraction, at least 1; 1.5 if the file does not set it.
---@field emissive vector Linear colour of the emitted light.
---@field emissive_strength number Factor on the emitted light.
---@field normal_scale number Scale of the normal map.
---@field occlusion number Strength of the occlusion map, 0 to 1.
---@field alpha_cutoff number Alpha threshold of a cutout material; parts with less alpha are invisible.
---@field clearcoat number Strength of the clear coat, 0 to 1.
---@field clearcoat_roughness number Roughness of the clear coat, 0 to 1.
---@field sheen vector Linear colour of the sheen of fibres; black is none.
---@field sheen_roughness number Roughness of the sheen, 0 to 1.
---@field transmission number Transmission: fraction of light that passes through, 0 to 1.
---@field thickness number Thickness of the volume that light passes through, metres; 0 is a thin wall.
local Material = {}

---Fades properties linearly to values over a time; properties that are left out stay. Setting a property ends its fade.
---@param options MaterialFadeOptions
function Material:fade(options) end

---Resets one property, or all of them, so that the file and the clips control them again.
---@param name? string
function Material:reset(name) end

---A decal on a character, or all decals of one shot.
---@class Decal
---@field is_valid boolean True while the decal is on the character.
local Decal = {}

---Removes the decal, with a fade of `seconds`, by default 0. Returns false if it was gone already.
---@param seconds? number
---@return boolean
function Decal:remove(seconds) end

---A particle emitter. When a script is reloaded, emitters created while the script loads continue where they are. Emitters created later, during play, stay.
---@class Particles
---@field is_valid boolean True until the emitter is gone.
---@field is_emitting boolean True while it emits particles.
---@field count number Number of living particles.
---@field dropped_count number Number of particles not emitted because a limit was reached.
---@field rate number Particles per second.
---@field color vector Linear colour at the start of a particle's life. Set a colour, or a list of colours over the lifetime.
---@field position vector Position of the emitter. It can be set only if no character carries the emitter.
local Particles = {}

---Emits `n` particles at once; the default is 10.
---@param n? number
function Particles:emit(n) end

---Stops emitting. Existing particles live on.
function Particles:stop() end

---Starts emitting again.
function Particles:start() end

---Removes the emitter and all its particles.
function Particles:remove() end

---A crowd of agents, which are numbered from 1. After a hot reload they continue from their positions.
---@class Crowd
---@field count number Number of agents.
local Crowd = {}

---Sends an agent to a position, or to several one after another. `speed` sets its speed from now on, metres per second. The agent leaves its smart object or queue; on a slot it plays the outro first.
---@param person number
---@param place vector|vector[]
---@param speed? number
function Crowd:walk_to(person, place, speed) end

---Sends all agents to a position. `speed` sets their speed from now on, metres per second.
---@param place vector
---@param speed? number
function Crowd:walk_all_to(place, speed) end

---Stops an agent at its position; it still makes room for others. It leaves the queue of a smart object, but not a slot.
---@param person number
function Crowd:stop(person) end

---Returns the position of an agent, metres.
---@param person number
---@return vector
function Crowd:position(person) end

---Returns the velocity of an agent, metres per second.
---@param person number
---@return vector
function Crowd:velocity(person) end

---Returns the numbers of the agents that reached their goal in the last tick.
---@return number[]
function Crowd:arrived() end

---Returns the numbers of the agents whose path search failed in the last tick: no path on the crowd's `navmesh` leads to their goal. They stop.
---@return number[]
function Crowd:no_path() end

---Returns the numbers of the agents within `radius` metres of a position, by default 1.
---@param place vector
---@param radius? number
---@return number[]
function Crowd:find_near(place, radius) end

---Makes an agent enter a state. The agent leaves its smart object or queue, unless the state has `use_objects = true`.
---@param person number
---@param state string
function Crowd:set_state(person, state) end

---Returns the state of an agent; nil if the crowd has no states, and before its first tick.
---@param person number
---@return string?
function Crowd:state(person) end

---Sends an event to an agent, optionally about a position, another agent of this crowd, or a smart object. The agent's state answers it under `on`. The crowd itself sends `arrived`, `no_path`, `met`, `clip_end` (the clip has ended), `timeout` (the time of the state is up), `use` and `use_end`.
---@param person number
---@param event string
---@param about? vector|number|SmartObject
function Crowd:send(person, event, about) end

---Sends an event about a position to all agents within `radius` metres of it. Returns the number of these agents.
---@param place vector
---@param radius number
---@param event string
---@return number
function Crowd:send_near(place, radius, event) end

---Plays a clip of the agent's body, once or as a loop. Without a clip the agent stands and walks as before. The first use of a clip in the crowd takes a moment, because the clip is prepared then.
---@param person number
---@param clip? string
---@param mode? "once"|"loop"
function Crowd:play(person, clip, mode) end

---Makes an agent face a position while it stands. Without a position the agent chooses its direction itself.
---@param person number
---@param place? vector
function Crowd:turn_to(person, place) end

---Makes an agent follow another agent of the crowd, or a character: `left` metres to the leader's left and `ahead` metres ahead of it. The defaults are 0.75 and -0.3. Without a leader the agent stops following. It leaves its smart object as with `walk_to`.
---@param person number
---@param leader? number|Character
---@param left? number
---@param ahead? number
function Crowd:follow(person, leader, left, ahead) end

---Moves an agent to a position at once; `yaw` is its direction, degrees. An agent on a slot of a smart object leaves it.
---@param person number
---@param place vector
---@param yaw? number
function Crowd:teleport(person, place, yaw) end

---Sends an agent to use a smart object. Returns false if the object has no room. Afterwards the agent continues what it did before.
---@param person number
---@param object SmartObject
---@return boolean
function Crowd:use(person, object) end

---Returns the smart object that an agent uses or walks to; nil without one.
---@param person number
---@return SmartObject?
function Crowd:used_object(person) end

---Makes an agent stop using its smart object. The agent plays the outro, then continues what it did before.
---@param person number
function Crowd:stop_using(person) end

---Turns an agent into a character with the same position, step and colours. A character has a face, a gaze, speech, hits and a ragdoll. The crowd continues to move it, except while it is lying, gets up, is held or has a controller; then the other agents walk around it. For an agent that is a character already, returns that character.
---@param person number
---@return Character
function Crowd:promote(person) end

---Turns an agent that is a character back into a normal agent of the crowd, at its current position.
---@param person number
function Crowd:demote(person) end

---Returns the character of an agent that was promoted, by `promote` or by the option `promote_distance`; nil for other agents.
---@param person number
---@return Character?
function Crowd:character(person) end

---Removes the crowd with all its agents, and the characters that they became.
function Crowd:remove() end

---An object that crowd agents use. When a script is reloaded, its users continue.
---@class SmartObject
---@field position vector Position of the object. Agents in its slots move along.
---@field yaw number Direction of the object, degrees from +Z to +X.
---@field push_speed number Speed at which it pushes agents at its centre, metres per second; negative values attract them.
---@field user_count number Number of agents that use it or walk to a slot.
---@field waiting_count number Number of agents in its queue.
local SmartObject = {}

---Returns the indices of this crowd's agents that use it, walk to it, or wait for it.
---@param crowd Crowd
---@return number[]
function SmartObject:users(crowd) end

---Removes the object. Its users continue with their crowd's behaviour.
function SmartObject:remove() end

---A flock of birds or fish. Members are numbered from 1. A hot reload keeps their positions.
---@class Flock
---@field count number Number of members.
---@field center vector Mean position of all members.
---@field separation number Weight of separation, away from neighbours nearer than `separation_distance`.
---@field separation_distance number Distance of separation, metres.
---@field alignment number Weight of alignment, to the velocity of neighbours.
---@field cohesion number Weight of cohesion.
---@field neighbor_radius number Maximum distance of neighbours, metres.
---@field turn_rate number Turn rate, as a fraction of the speed per second.
---@field clearance number Height above the ground below which the flock rises, metres.
---@field leader_weight number Attraction to the nearest leader.
---@field min_speed number Slowest speed, metres per second.
---@field max_speed number Fastest speed, metres per second.
local Flock = {}

---Position of a member, metres.
---@param number number
---@return vector
function Flock:position(number) end

---Velocity of a member, metres per second.
---@param number number
---@return vector
function Flock:velocity(number) end

---Attracts all members to a position, or repels them if the weight is negative. With `reach` the force falls off to 0 at that distance, metres; without it the force is the same everywhere. A second call with the same name moves the point; a call without a position removes it.
---@param name string
---@param place? vector
---@param weight? number
---@param reach? number
function Flock:set_attractor(name, place, weight, reach) end

---Sets the velocity of a leader, metres per second. Other members follow the nearest leader.
---@param number number
---@param velocity vector
function Flock:steer(number, velocity) end

---Moves a member to a position at once.
---@param number number
---@param place vector
---@param velocity? vector
function Flock:teleport(number, place, velocity) end

---Numbers of the members within `radius` metres of a position; the default is 1.
---@param place vector
---@param radius? number
---@return number[]
function Flock:find_near(place, radius) end

---Removes the flock.
function Flock:remove() end

---Statistics of crowds in an area. They continue after a hot reload.
---@class CrowdStats
---@field agent_count number Number of agents in the area.
---@field empty_since number? Time at which the last agent left the area, seconds as in `now()`; nil while it has agents, or had none yet.
local CrowdStats = {}

---Returns the flow over a line: the numbers of crossings `forward` and `backward`; the times of the `first` and the `last` one, seconds as in `now()`; `rate`, crossings per second in both directions over the last five seconds; and `mean`, forward crossings per second from the first to the last of them.
---@param line string
---@return { forward: number, backward: number, first: number?, last: number?, rate: number, mean: number }
function CrowdStats:flow(line) end

---Returns the density around a position, agents per square metre, counted in a square of 1.5 m: `mean` since the start, and `max`, the maximum smoothed over a second. Returns nil outside the area.
---@param place vector
---@return { mean: number, max: number }?
function CrowdStats:density(place) end

---Returns the bottlenecks, the worst first, by default at most 5. Each has its `position`; `density`, the maximum over a second in agents per square metre, and the `time` of it; `speed`, the mean speed there, metres per second; and `duration`, the time with more than 1.4 agents per square metre (Fruin's level of service E).
---@param most? number
---@return { position: vector, density: number, speed: number, duration: number, time: number }[]
function CrowdStats:bottlenecks(most) end

---Writes a map of the maximum densities as a PNG into the project's folder `out` and returns its path. Black is empty, pale yellow is five agents per square metre. Walls and the borders of the navmesh are white, lines green. The x axis points right, the z axis down.
---@param file string
---@return string
function CrowdStats:save_image(file) end

---Removes the statistics.
function CrowdStats:remove() end

---Scent on an area of the ground, in cells. It stays over a reload.
---@class ScentField
---@field half_life number Time in which half of the scent fades, seconds.
---@field diffusion number Fraction of each cell that spreads to its neighbours per second, 0 to 1.
local ScentField = {}

---Adds scent at a position; the default amount is 1. A negative amount removes scent. Outside the field nothing happens.
---@param place vector
---@param amount? number
function ScentField:add(place, amount) end

---Returns the amount of scent at a position, in its cell.
---@param place vector
---@return number
function ScentField:sample(place) end

---Removes all scent from the field.
function ScentField:clear() end

---Writes a map of the scent as a PNG into the project's folder `out`: black is no scent, pale yellow the maximum, a quarter of the maximum half as bright; x to the right, z down. Returns the path of the file.
---@param file string
---@return string
function ScentField:save_image(file) end

---Removes the field from the stage.
function ScentField:remove() end

---A navigation mesh.
---@class Navmesh
---@field is_ready boolean True if the mesh has been baked.
---@field polygon_count number Number of convex polygons.
local Navmesh = {}

---Returns the corner points of the cheapest path, ending with the target; nil if there is no path. Start and end may be up to 1 m from the mesh.
---@param from vector
---@param to vector
---@return vector[]?
function Navmesh:find_path(from, to) end

---Adds an off-mesh link: a jump, a ladder, a lift. Agents cross it in a straight line, one at a time, and in one direction at a time.
---@param from vector
---@param to vector
---@param options? NavLinkOptions
function Navmesh:add_link(from, to, options) end

---Adds an obstacle such as a fire, as a box or a cylinder. The mesh is rebuilt in the next tick. Returns a number for `remove_obstacle`. For small obstacles, `obstacles` of a crowd is cheaper; for doors, use `add_door`.
---@param options NavObstacleOptions
---@return number
function Navmesh:add_obstacle(options) end

---Adds a door, which opens and closes without rebuilding the mesh. When it changes, agents look for another path at once. The visible door is a separate body that you create; it must not be static.
---@param options NavDoorOptions
---@return NavDoor
function Navmesh:add_door(options) end

---Removes an obstacle.
---@param number number
function Navmesh:remove_obstacle(number) end

---Bakes the mesh again in the next tick. Call it after you add or remove static bodies.
function Navmesh:rebuild() end

---A door of a navigation mesh.
---@class NavDoor
---@field open boolean True if agents can pass. A change does not rebuild the mesh.
local NavDoor = {}

---A function that receives events, beginning with the next batch.
---@class Listener
local Listener = {}

---Removes the listener. It receives no further events, not even the remaining events of the current tick.
function Listener:off() end

---A marker that the script added to a clip of a character.
---@class Marker
local Marker = {}

---Removes the marker from its clip. Playback continues at its position. An open interval ends with `interrupted`; markers that were already passed still emit their events. Returns false if the marker no longer exists.
---@return boolean
function Marker:remove() end

---A modification of a character's pose after the animation, returned by `hero:foot_ik`, `hero:reach`, `hero:add_modifier` and similar functions. Names are unique per character: another call with the same name changes the existing modifier. A released `reach`, `grip`, `aim_at`, `chain_ik`, `look_at` or `sit` modifier is removed after it has faded out, unless `move_before` or `move_after` has positioned it. A removed modifier has weight 0 and is not enabled; raising its weight or enabling it is an error.
---@class Modifier
---@field name string Name of the modifier.
---@field kind string Kind of modifier: `idle_motion`, `orientation_warp`, `lean`, `foot_ik`, `aim_at`, `look_at`, `chain_ik`, `reach`, `grip`, `sit`, `script`, `helper_bones`.
---@field character Character Character whose pose it modifies.
---@field weight number Blend weight, 0 to 1. Setting it ends a fade.
---@field effective_weight number Effective blend weight of the last tick, 0 to 1: the weight with its curve, the distance limit, and whether the character is down.
---@field enabled boolean False disables the modifier; it keeps its position among the modifiers.
---@field target_error number? Remaining error: for `reach` and `chain_ik` the distance between the end of the limb or chain and its target, metres; for `aim_at` the angle, degrees.
---@field inactive_reason string? Reason why the modifier or a part of it has no effect: what the skeleton lacks.
local Modifier = {}

---Fades the weight to a new value within the given seconds; the default is 0.25.
---@param weight number
---@param seconds? number
function Modifier:fade(weight, seconds) end

---Moves the modifier directly before the one with this name.
---@param other string
function Modifier:move_before(other) end

---Moves the modifier directly after the one with this name.
---@param other string
function Modifier:move_after(other) end

---Removes the modifier at once. Returns false if it was already removed.
---@return boolean
function Modifier:remove() end

---The pose of a character while a function of `hero:add_modifier` runs; invalid after that. Positions and directions are in the character's space: metres, +Y is up, the character looks along +Z.
---@class Pose
local Pose = {}

---Returns the position of a bone, or of a point given in the bone's space, metres.
---@param bone string
---@param at? vector
---@return vector
function Pose:position(bone, at) end

---Returns the direction of a bone's axis, by default of its z axis, as a unit vector.
---@param bone string
---@param axis? vector
---@return vector
function Pose:direction(bone, axis) end

---Rotates a bone with all its children about an axis through its origin. The axis is in the bone's space (the default) or in the character's space.
---@param bone string
---@param axis vector
---@param degrees number
---@param space? "bone"|"character"
function Pose:rotate(bone, axis, degrees, space) end

---Moves a bone with all its children by an offset in the character's space, metres.
---@param bone string
---@param by vector
function Pose:move(bone, by) end

---Spring bones, a jiggle bone or cloth, returned by `hero:spring_bone`, `hero:jiggle_bone` and `hero:cloth`. They move after the pose, until they are removed. After a reload, springs that the new script creates on the same bones continue their motion.
---@class Spring
---@field weight number Blend weight, 0 to 1.
local Spring = {}

---Resets the motion: it restarts at the current pose.
function Spring:reset() end

---Removes it; the bones follow the clips again.
function Spring:remove() end

---The face of a character: morph targets, expressions of the file (VRM) and the bones of jaw, lids and brows, all by name. ARKit shapes and the emotions (anger, concentration, confusion, contempt, desire, disgust, excitement, fear, happiness, sadness, surprise) are found or made on any face that can show them; `galatea inspect` lists their sources. Its layers are base (clips and gaze), mood, speech, reflex (blinks) and script, from lowest to highest. Layers add up, and a blink closes the eye from where it is. Values that a script sets override all other layers until they are cleared.
---@class Face
---@field valence number Current valence of the mood, -1 (bad) to 1 (good).
---@field arousal number Current arousal of the mood, -1 (sleepy) to 1 (excited).
---@field walk_speed_scale number Factor on the walking speed that fits the mood, 0.75 to 1.25.
---@field blink_amount number Amount by which a blink closes the lids now, 0 to 1.
---@field use_microphone boolean True if the mouth follows the microphone while the character speaks no line. `galatea play --microphone FILE` uses a recording instead. The default is `false`.
local Face = {}

---Sets the mood, which the face shows while nothing else does: an emotion or an expression, a word such as "calm", "tired" or "tense", names and weights, or a feeling { valence = -1 to 1, arousal = -1 to 1 }. The mood also drives the rate of blinks, the motion of `idle_motion`, the loudness of speech, and `face.valence`, `face.arousal` and `face.walk_speed_scale` for a machine. Nil ends the mood.
---@param what? string|{ [string]: number }|boolean
---@param options? MoodOptions
function Face:mood(what, options) end

---Shows an expression, or several with weights, for a while; the mood fades out meanwhile.
---@param what string|{ [string]: number }
---@param options? ShowOptions
---@return ShownExpression
function Face:show(what, options) end

---Sets the weight of one target, shape or expression and overrides all other layers. Without a weight it releases the override.
---@param name string
---@param weight? number
---@param options? FaceFadeOptions
function Face:set(name, weight, options) end

---Clears all weights and expressions that the script has set; the mood stays.
---@param options? FaceFadeOptions
function Face:clear(options) end

---Returns the weight of a target, shape or expression in the last tick, after all layers.
---@param name string
---@return number
function Face:get(name) end

---Returns the contribution of each layer in the last tick: `mood`, `speech`, `reflex` (how far a blink closes it), `script`, `script_weight` (the weight of the script's override), and the result, `total`.
---@param name string
---@return { [string]: number }
function Face:contributions(name) end

---Returns every name that the face can show and the source it is made from; the source is empty for targets of the file.
---@return { [string]: string }
function Face:names() end

---Blinks now.
function Face:blink() end

---Shows a hidden feeling as a micro-expression now and then. Nil ends it.
---@param what? string|{ [string]: number }|boolean
---@param options? MicroExpressionOptions
function Face:micro_expression(what, options) end

---Changes the settings of the face; settings that are left out keep their values.
---@param options? FaceOptions
function Face:configure(options) end

---Sets the weight of a face shape, or of several by name; with a name alone it returns the weight. A shape is a morph target named `shape.…` for the permanent form of the face. Nothing else moves it, and expressions are added to it. Eyes that are bones move with the shape.
---@param what string|{ [string]: number }
---@param weight? number
---@return number?
function Face:shape(what, weight) end

---Returns all shapes of the face, with weights and ranges. A list of names makes other targets shapes as well; `name = { min, max }` sets a range. Clips and expressions still move such a target, on top of the shape.
---@param others? { [number | string]: string|number[] }
---@return { [string]: { value: number, min: number, max: number } }
function Face:shapes(others) end

---Creates a random face and returns the weights of its shapes, which `shape` accepts. A seed keeps its face when shapes are added to the model later.
---@param options? GenerateOptions
---@return { [string]: number }
function Face:randomize(options) end

---Sets the wrinkle weight of a region of the skin, 0 to 1, and overrides the expressions. Without a weight it releases the override.
---@param region string
---@param weight? number
---@param options? FaceFadeOptions
function Face:wrinkle(region, weight, options) end

---Returns the wrinkle regions of the skin and their weights in the last tick. The model defines them: wrinkles from expressions, from compressed skin, and from curves of clips.
---@return { [string]: number }
function Face:wrinkles() end

---An active expression of a face, returned by `face:show`.
---@class ShownExpression
---@field intensity number Intensity at full weight, 0 to 1.
---@field weight number Current blend weight, 0 to 1; 0 after the end.
local ShownExpression = {}

---Fades the expression out, in the given seconds or in its own fade time. Returns false if it is already fading out or has ended.
---@param seconds? number
---@return boolean
function ShownExpression:stop(seconds) end

---Replaces the content of the expression, for example in every tick. Returns false if the expression has ended.
---@param what string|{ [string]: number }
---@return boolean
function ShownExpression:set(what) end

---Makes a named expression from morph targets, ARKit shapes and other expressions, with weights from -1 to 1. Every face that has these parts can show it, also by marks in the text of lines.
---@param name string
---@return fun(p1: { [string]: number })
function expression(name) end

---Defines a language for lines, or adds rules before those of a known language: en, es, es-419, it, de, fr, ja, by code or name. In a rule, left and right contexts are letters, or `_` the edge of the word, `V` a vowel, `C` a consonant, `E` a front vowel, `*` any number of consonants, `#` one vowel or more, `(abc)` one of these letters, `(!abc)` none of these letters. A vowel sound with 1 carries the stress.
---@param name string
---@return fun(p1: LanguageOptions)
function language(name) end

---Defines how words are spoken, in all languages or in one; it overrides dictionary and rules. Write ARPAbet sounds (1 after the vowel with the stress), letters of the International Phonetic Alphabet between slashes, or another spelling in lower-case letters.
---@param words { [string]: string }
---@param language? string
function pronounce(words, language) end

---A line that a character speaks or will speak.
---@class Line
---@field end_reason string? Reason why the line is over, "end" or "interrupted"; nil before that.
---@field time number Elapsed time of the line, seconds.
---@field duration number? Duration of the line, seconds; nil for a line that is over.
---@field text string? Text of the line without marks; nil for a line that is over.
local Line = {}

---Interrupts the line at the end of the phrase, at the end of the word, or now; the mouth closes. Returns false if the line is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Line:stop(how) end

---Resumes a line that was interrupted, from the beginning of the interrupted phrase or from the point of interruption. Returns the resumed line; nil for a line that was not interrupted.
---@param from? "phrase"|"word"
---@return Line?
function Line:resume(from) end

---Returns the events of the line's marks and of its own `track`, as rows that another line accepts; nil for a line that is over.
---@return TrackRow[]?
function Line:track() end

---Returns the words and their times, seconds; nil for a line that is over.
---@return { word: string, start: number, finish: number }[]?
function Line:words() end

---Starts a conversation of two or more characters. Its steps are turns, { pause = 1 }, { call = function(talk) … end } and { choose = { … } }, whose alternatives are steps or lists of steps with a `weight`. In lines the gaze can target the cast by name (`{look=ben}`). All steps are checked before the first is taken. A character can be in only one conversation: an earlier one ends.
---@param turns ConversationTurns
---@return Conversation
function conversation(turns) end

---A conversation started by `conversation`. A task can wait for its end. After a hot reload, a conversation that the new script starts again continues where it was. Other conversations end with the reason "reloaded", and a line that is being spoken is finished.
---@class Conversation
---@field turn number? Number of the current turn, counted as in the table; nil while no one speaks.
---@field speaker string? Name of the speaker in the cast; nil while no one speaks.
---@field end_reason string? Reason for which the conversation ended: "end"; "stopped"; "interrupted" if another conversation took one of its characters; "unavailable" if fewer than two characters are left; "reloaded". Nil while it is not over.
local Conversation = {}

---Calls a function on an event. `turn`: a turn begins; fields are its number `turn`, the names of the `speaker` and the addressee `to`, the `text`, and the speaking `character`. `turn_end`: a turn ends; its `reason` is "end", "interrupted", or "unavailable" if the speaker is lying down, dead or removed. `end`: the conversation ends, with the `reason`.
---@param event "turn"|"turn_end"|"end"|"*"
---@param listener fun(event: ConversationEvent)
---@return Listener
function Conversation:on(event, listener) end

---Ends the conversation: cuts the current line at the end of the phrase, of the word, or now. Returns false if the conversation is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:stop(how) end

---Continues with the next turn: cuts the current line at the end of the word or the phrase, or now, or ends the pause. Returns false if the conversation is over.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Conversation:skip(how) end

---Inserts a turn, written as for `conversation`. It cuts the current line at the end of the word, or as its `interrupt` says; with false it comes next. Afterwards the conversation continues. Returns false if the conversation is over, or too many inserted turns are waiting.
---@param turn ConversationTurnOptions
---@param options? InterruptOptions
---@return boolean
function Conversation:interrupt(turn, options) end

---Creates a state machine of layers, or of states and transitions in one layer "body". It starts in the first state.
---@param parts MachineOptions
---@return MachineDefinition
function machine(parts) end

---Creates a layer of states, which plays over the layers below.
---@param name string
---@return fun(p1: MachineLayerOptions): MachinePiece
function layer(name) end

---Creates a state: a clip or motion, or inner states and transitions. A state without either shows the rest pose; in an upper layer it shows the pose of the layers below.
---@param name string
---@return fun(p1: MachineStateOptions): MachinePiece
function state(name) end

---Creates a transition to a state. All given conditions must be true. Transitions of higher `priority` are evaluated first, then inner before outer ones, then in the order of the script.
---@param state string
---@return fun(p1: TransitionOptions): MachinePiece
function transition_to(state) end

---Creates an inertialised fade. Only the new state plays, while the difference in pose and velocity to the old state decays. No two clips are blended and the motion stays smooth.
---@param seconds number
---@return MachinePiece
function inertial(seconds) end

---Plays clips in random order; each is a name or { name, chance }. With `mode = "once"` in its state it plays a single clip.
---@param clips ClipListOptions
---@return MachinePiece
function random_clips(clips) end

---Plays clips in order and repeats them; with `mode = "once"` in its state it plays them once.
---@param clips ClipListOptions
---@return MachinePiece
function sequence(clips) end

---Blends clips along a parameter; each point is { value, clip }. A clip without a value is placed at the ground speed of its feet, metres per second. A point may hold another blend.
---@param points Blend1dOptions
---@return MachinePiece
function blend1d(points) end

---Blends clips over two parameters with gradient bands; each point is { x, y, clip }. A clip without a position is placed at the ground velocity of its feet, to the left and ahead.
---@param points Blend2dOptions
---@return MachinePiece
function blend2d(points) end

---Blends clips as `blend2d` does, but by angle and length, so that a turn keeps the speed.
---@param points Blend2dOptions
---@return MachinePiece
function blend_polar(points) end

---The running machine of a character, `hero.machine`.
---@class Machine
---@field params { [string]: number|boolean } Parameters of the machine. An unknown name is an error; a value of the wrong type is ignored. After a reload a parameter keeps its running value. If you edited its default in the script, the new default wins.
local Machine = {}

---Sends an event to the transitions with `on`. It is valid in the next tick, or waits up to `timeout` seconds for a transition that can be taken, as for a key pressed a moment too early.
---@param event string
---@param options? SendOptions
function Machine:send(event, options) end

---Returns the name of the current state of a layer, by default the first; `outer/inner` for a state within a state.
---@param layer? string
---@return string
function Machine:state(layer) end

---Returns the seconds since the current state was entered.
---@param layer? string
---@return number
function Machine:time_in_state(layer) end

---Takes the shortest path to a state, by number of transitions. Conditions are ignored; times (`at_end`, `min_time`, `exit_time`, `marker`) are respected. Returns the states on the path. A transition with `on` whose event is sent, or one of higher priority, cancels the travel.
---@param state string
---@param options? TravelOptions
---@return string[]
function Machine:travel(state, options) end

---Explains the transitions out of the current state, evaluated with the current parameters. For each: `allowed` is true if its condition is true, `reason` gives the values that were read, and `location` the line in the script. With a name, only transitions to that state are listed.
---@param state? string
---@param options? TravelOptions
---@return { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number }[]
function Machine:why(state, options) end

---Returns the most recent transitions, oldest first, each with its reason and the values that were read.
---@param layer? string
---@return { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number }[]
function Machine:transition_history(layer) end

---Input by name: keys (`a`, `space`, `left`, `shift`, `mouse_left`, `wheel_up`, `pad_south`; the full list is in [projects.md](projects.md#keys)), actions bound to keys (`jump`: space; `run`: shift; `use`: e; `wave`: q), and axes (`move_x`, `move_y`: WASD, arrows, left stick; `mouse_dx`, `mouse_dy`: the pointer's motion in the tick, to the right and down, as fractions of the picture). All gamepads act as one; `pad1_south`, `pad2_south` and so on are the keys of one gamepad.
input = {}

---Returns the value of an axis, -1 to 1.
---@param name string
---@return number
function input.axis(name) end

---Returns true while the key of an action, or the key itself, is down.
---@param name string
---@return boolean
function input.down(name) end

---Returns true in the tick in which the action or key was pressed.
---@param name string
---@return boolean
function input.pressed(name) end

---Returns true in the tick in which the action or key was released.
---@param name string
---@return boolean
function input.released(name) end

---Returns the pointer's position as x and y, fractions of the picture from its top left corner.
---@return vector
function input.pointer() end

---Returns the name of the first key or button that was pressed in this tick, else nil. Use it for a screen that asks the player for a key.
---@return string?
function input.next_pressed() end

---Returns the names of all actions, sorted.
---@return string[]
function input.actions() end

---Returns the names of all axes, sorted.
---@return string[]
function input.axes() end

---Returns the keys of an action: those that the player chose, else those that the script bound.
---@param action string
---@return string[]
function input.bound(action) end

---Returns the keys and sticks of an axis: those that the player chose, else those that the script bound.
---@param axis string
---@return { negative: string[], positive: string[], stick: string[] }
function input.bound_axis(axis) end

---Binds an action to a key or keys and replaces its earlier keys. Keys that the player chose with `rebind` take precedence.
---@param action string
---@param keys string|string[]
function input.bind(action, keys) end

---Binds an axis to keys and sticks and replaces the earlier ones; `rebind_axis` takes precedence.
---@param axis string
---@param keys AxisOptions
function input.bind_axis(axis, keys) end

---Sets the key or keys that the player chose for an action; `{}` is none. They take precedence over the script, also after a hot reload, until `reset_bindings` or the end of the game.
---@param action string
---@param keys string|string[]
function input.rebind(action, keys) end

---Sets the keys and sticks that the player chose for an axis. A field that is left out has none.
---@param axis string
---@param keys AxisOptions
function input.rebind_axis(axis, keys) end

---Removes the player's bindings of an action or axis, or all of them.
---@param name? string
function input.reset_bindings(name) end

---Saves the player's bindings in `bindings.toml` of the project, for the next start. Only `galatea play` reads and writes this file.
function input.save_bindings() end

---Sounds of the project: WAV, OGG, MP3 and FLAC files under `assets/`, by file name without extension. Files `x_1.wav`, `x_2.wav`, … are variants of `x`; one of them is chosen at random.
sound = {}

---Plays a sound. Inside a listener it starts exactly at the time of the event, accurate to the sample.
---@param name string
---@param options? SoundOptions
---@return Sound
function sound.play(name, options) end

---Sets the master volume, 0 to 4.
---@param volume number
function sound.volume(volume) end

---A sound started by `sound.play`. It ends exactly once, with the reason "end", "stopped" or "reloaded". On a script reload all sounds end as "reloaded": loops stop, other sounds remain audible to their end. A task can wait for it.
---@class Sound
---@field time number? Playback time in seconds, for a loop since its last restart; nil after the end.
---@field volume number? Volume factor, 0 to 16; nil after the end.
---@field pitch number? Factor on speed and pitch, 1/16 to 16; nil after the end.
---@field position vector? Position of the source; nil after the end, and for a sound without 3D positioning.
local Sound = {}

---Stops the sound with a fade-out in seconds, by default 0.02.
---@param fade? number
function Sound:stop(fade) end

---Returns the reason why the sound ended: "end", "stopped" or "reloaded"; nil before.
---@return string?
function Sound:end_reason() end

---An orbit camera. The user rotates it with the mouse; a hot reload keeps the rotation.
camera = {}

---Sets the position and view of the camera. Options left out keep their values.
---@param options CameraOptions
function camera.orbit(options) end

---Follows a character and keeps it in the middle of the picture. `target` is then an offset from its position.
---@param character Character
---@param options? CameraOptions
function camera.follow(character, options) end

---Follows a character at a distance from which all of it is visible, whatever its size.
---@param character Character
---@param options? CameraOptions
function camera.frame(character, options) end

---Looks out of a character's eyes and moves with its head; the mouse rotates the view. The head, the hair and objects attached to the head are not drawn, but cast shadows. In VRM files `firstPerson` decides which meshes are hidden. `camera.follow`, `orbit` and `frame` end first person.
---@param character Character
---@param options? FirstPersonOptions
function camera.first_person(character, options) end

---Returns the ray from the camera through a point of the picture, by default through the mouse pointer.
---@param place? CameraRayOptions
---@return { from: vector, to: vector, direction: vector }
function camera.ray(place) end

---Returns the world position of the camera, metres.
---@return vector
function camera.position() end

---Returns the horizontal direction in which the camera looks, a vector of length 1.
---@return vector
function camera.forward() end

---The sun with its shadows, the light of the sky, point and spot lights, fog, and post-processing. Colours are linear.
light = {}

---Sets the sun; options that are left out keep their values.
---@param options SunOptions
function light.sun(options) end

---Sets the sky; options that are left out keep their values.
---@param options SkyOptions
function light.sky(options) end

---Sets the exposure in stops: +1 is twice as bright.
---@param stops number
function light.exposure(stops) end

---Lights a character as in a studio or at a time of day. Sets sun, sky, fog and post-processing, and replaces the lights of the previous rig.
---@param name "noon"|"three_point"|"studio"|"overcast"|"sunset"|"night"|"spotlight"|"neon"|"embers"
---@param options? RigOptions
function light.rig(name, options) end

---Creates a point light, which shines in all directions.
---@param options PointLightOptions
---@return Light
function light.point(options) end

---Creates a spot light, which shines in one direction.
---@param options SpotLightOptions
---@return Light
function light.spot(options) end

---Sets the fog; options that are left out keep their values.
---@param options FogOptions
function light.fog(options) end

---Sets tone mapping, shading and colour grading; options that are left out keep their values.
---@param options PostProcessOptions
function light.post_process(options) end

---Sets the render quality from now on. Without a call, the speed of the machine is measured at the start. The command-line option `--quality` overrides it.
---@param name "low"|"medium"|"high"
function light.quality(name) end

---Lights the scene with an environment map instead of the sky's colours: Radiance (.hdr), KTX2 (a cube map, or one picture), PNG or JPEG. The centre of a picture that is twice as wide as high is in the direction -Z. nil returns to the sky. The map is reloaded when its file changes.
---@param file? string
---@param options? EnvironmentOptions
function light.environment(file, options) end

---A light created by `light.point` or `light.spot`. It exists until it is removed or the script is reloaded. The quality limits how many lights cast shadows; the brightest in view come first.
---@class Light
---@field position vector Position, metres. Setting the position of a light that a character carries moves it in the bone's space.
---@field color vector Linear colour; its largest component is 1.
---@field intensity number Intensity on a surface that faces the light at 1 m.
---@field range number Distance at which the light ends, metres.
---@field source_radius number Radius of the light source, metres.
---@field shadows boolean True if the light casts shadows.
local Light = {}

---Removes the light.
function Light:remove() end

---Points a spot light at a position.
---@param target vector
function Light:aim_at(target) end

---The floor. Events of a foot carry the name of the surface under it.
ground = {}

---Sets the floor; options that are left out keep their values.
---@param options GroundOptions
function ground.set(options) end

---Adds an area with another surface to the floor.
---@param options PatchOptions
function ground.patch(options) end

---Returns the name of the surface at a position.
---@param at vector
---@return string
function ground.surface(at) end

---Haircuts as guides, to change them by script. To use a haircut without changes, set the option `cut` of `hero:hair`.
hair = {}

---Returns the guides of a haircut as options for `hero:hair`. `guides` is a list of strands from root to tip in the character's rest space, with `in_rest_space = true`. The other options are returned unchanged.
---@param options HairGuideOptions
---@return HairOptions
function hair.grow(options) end

---Physics: props, surfaces, layers and queries. The floor is a collider, see `ground.set`; `thing:collider` adds a collider to any character or prop. Units: metres, kilograms, seconds.
physics = {}

---Changes global settings. Omitted options keep their values.
---@param options PhysicsOptions
function physics.set(options) end

---Defines the properties of a surface, for colliders made from then on. Built-in surfaces: stone, wood, metal, grass, gravel, sand, carpet, ice, rubber, glass, flesh, water.
---@param name string
---@param options SurfaceOptions
function physics.surface(name, options) end

---Creates or changes a collision layer. Two colliders collide if each layer collides with the other. Built-in layers are `world`, `props`, `characters` and `ragdolls`, which all collide with each other.
---@param name string
---@param options? CollisionLayerOptions
function physics.layer(name, options) end

---Adds a box to the stage, by default with a collider. With a mass it is dynamic and falls.
---@param options? BoxOptions
---@return Character
function physics.box(options) end

---Adds a sphere to the stage, by default with a collider. With a mass it is dynamic and falls.
---@param options? SphereOptions
---@return Character
function physics.sphere(options) end

---Adds a capsule to the stage, by default with a collider. With a mass it is dynamic and falls.
---@param options? CapsuleOptions
---@return Character
function physics.capsule(options) end

---Adds a cylinder to the stage, by default with a collider. With a mass it is dynamic and falls.
---@param options? CylinderOptions
---@return Character
function physics.cylinder(options) end

---Adds stairs to the stage. They rise along +Z from `position`, rotated by `yaw`.
---@param options? StairsOptions
---@return Character
function physics.stairs(options) end

---Adds a wedge to the stage. It rises along +Z from `position`, rotated by `yaw`.
---@param options? RampOptions
---@return Character
function physics.ramp(options) end

---Adds terrain from a height map. Bodies do not catch on its inner edges, and each cell has the friction of its surface. A second call with the same name replaces the terrain; characters on it are lifted where the ground rises.
---@param options? TerrainOptions
---@return Character
function physics.terrain(options) end

---Creates a force field, which acts on dynamic bodies and ragdolls in a region or everywhere. Give exactly one of `force`, `acceleration`, `wind`, `water`, `attractor` and `launch_velocity`. Sleeping bodies wake when the field begins or changes.
---@param options ForceFieldOptions
---@return ForceField
function physics.force_field(options) end

---Picks up what a ray hit, at the position of the hit: a dynamic body, or a limb of a character. A standing character falls. A soft spring drags the body to the hand's `position`. A character does not get up while a hand holds it. Returns `nil` if the ray hit something that cannot move.
---@param hit { character: Character?, position: vector, bone: string? }
---@param options? GrabOptions
---@return Grab?
function physics.grab(hit, options) end

---Returns the first collider between two points, or nil. A hit on the floor has no `character`; a hit on a body of a ragdoll has its `bone`. With `exact` the ray tests the drawn triangles of characters, with or without colliders: `part` and `triangle` (from 1) name the triangle, `barycentric` and `uv` the point in it.
---@param from vector
---@param to vector
---@param options? RaycastOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.raycast(from, to, options) end

---Returns all colliders between two points, the nearest first, as hits like those of `raycast`.
---@param from vector
---@param to vector
---@param options? RaycastOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }[]
function physics.raycast_all(from, to, options) end

---Returns the first collider that a shape touches while its center moves from one point to another, or nil.
---@param from vector
---@param to vector
---@param options? ShapeQueryOptions
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function physics.shape_cast(from, to, options) end

---Returns all characters and props whose colliders overlap a shape at a position.
---@param at vector
---@param options? ShapeQueryOptions
---@return Character[]
function physics.overlap(at, options) end

---Pushes dynamic bodies away from a point, once, as an explosion does.
---@param at vector
---@param options? ExplosionOptions
function physics.explosion(at, options) end

---A force field created by `physics.force_field`.
---@class ForceField
---@field enabled boolean True while the field is active.
---@field position vector Centre of the region, metres. The `attractor` moves with it.
local ForceField = {}

---Removes the force field.
function ForceField:remove() end

---A hand that holds a rigid body or a limb, created by `physics.grab`. It opens when the held body is removed, gets up or is attached to a bone.
---@class Grab
---@field position vector? Position to which the spring pulls the held body, metres; `nil` when the hand is open.
---@field character Character? Held character or prop; `nil` when the hand is open.
local Grab = {}

---Opens the hand; the held body keeps its velocity.
function Grab:release() end

---Texts, bars, boxes and images on the screen, and captions. Positions and sizes are points of a screen of 1280 × 720, which is scaled to the real one. Anchors attach elements to corners and edges, so a layout works at any size. With `world_position` or `character`, elements are labels in the world and nothing hides them. An element stays until it is removed or the script is reloaded. Colours are linear.
ui = {}

---Shows a text; \n begins a new line.
---@param text string
---@param options? UiTextOptions
---@return UiElement
function ui.text(text, options) end

---Shows a bar, filled from the left by a value from 0 to 1. Its default size is 200 × 16 points.
---@param value number
---@param options? UiBarOptions
---@return UiElement
function ui.bar(value, options) end

---Shows a rectangle. Its default size is 200 × 100 points.
---@param options? UiBoxOptions
---@return UiElement
function ui.box(options) end

---Shows an image file of the project: PNG, JPEG or WebP of at most 2048 × 2048 pixels. If only one of width and height is given, the other follows; without both, the longer side is at most 256 points. A changed file is reloaded at once.
---@param file string
---@param options? UiImageOptions
---@return UiElement
function ui.image(file, options) end

---Shows a spoken line at the bottom of the screen, wrapped at two thirds of its width. At most two captions are shown, the newer one below; a third replaces the oldest. The speaker may be "".
---@param speaker string
---@param text string
---@param options? CaptionOptions
---@return UiElement
function ui.caption(speaker, text, options) end

---A UI element, created by a function of `ui`. It stays until it is removed or the script is reloaded; a caption stays until its time is over. A label that follows a character is hidden when the character is removed.
---@class UiElement
---@field text string? Content of a text or a caption; nil for other elements.
---@field value number? Fill level of a bar, 0 to 1; nil for other elements.
---@field color vector Linear colour; for a caption, the colour of the speaker's name.
---@field opacity number Opacity: 0 is invisible, 1 is opaque.
---@field visible boolean False hides the element.
---@field position vector Offset from its anchor, points: x to the right, y down.
---@field size (number|vector)? For a text, the height of its letters; for other elements, width (x) and height (y); in points. nil for a caption.
---@field world_position vector? Position in the world; nil for an element on the screen. For a label that follows a character, setting it changes the offset from the followed position, along the world's axes.
local UiElement = {}

---Removes the element from the screen.
function UiElement:remove() end

---Registers a test.
---@param name string
---@param run fun(t: table)
function test(name, run) end
