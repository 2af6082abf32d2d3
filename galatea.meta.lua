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

---Options of `hero:aim`
---@class AimOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field on? string Bone of the target character; its origin
---@field at? vector Position in the space of that bone (metres); its origin
---@field space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field bones? string[]|{ [string]: number } Bones that turn, each above the next: a list of names, or names with shares, { spine = 0.3, chest = 0.7 }; the spine up to the chest
---@field by? string Bone that carries the line of aim, below those: a hand with a weapon; the last of `bones`
---@field from? vector Start of the line, in that bone's space (metres); its origin
---@field along? vector Direction of the line, in that bone's space; the direction in which the character looks at rest
---@field side? number Maximum angle to the left and to the right (degrees, 0 to 180); 80
---@field up? number Maximum angle up (degrees, 0 to 180); 60
---@field down? number Maximum angle down (degrees, 0 to 180); 50
---@field name? string Name of the modifier; "aim"

---Options of `hero:alive`. Fields left out keep their values
---@class AliveOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field breath? number Factor on the depth of breathing (0 to 4); 1
---@field sway? number Factor on the shift of weight from foot to foot; needs `feet` (0 to 4); 1
---@field noise? number Factor on the small motions of trunk, arms and fingers (0 to 4); 1
---@field effort? number Effort of the body, from at rest to out of breath (0 to 1); 0
---@field valence? number Mood from sad to glad: the chest sinks or rises (-1 to 1); 0
---@field arousal? number Arousal from sleepy to excited: all of it is slower or faster (-1 to 1); 0

---Any event; which fields it has depends on its name
---@class AnyEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field [string] any fields of its own

---Pose of an attached character in the space of a bone
---@class AttachOptions
---@field at? vector Position in the bone's space (metres); (0, 0, 0)
---@field yaw? number Rotation about the bone's y axis, applied last (degrees); 0
---@field pitch? number Rotation about the bone's x axis, applied second (degrees); 0
---@field roll? number Rotation about the bone's z axis, applied first (degrees); 0
---@field scale? number Factor on the scale of the attached character (0.001 to 1000); 1

---Keys and sticks of an axis
---@class AxisOptions
---@field negative? string|string[] Key or keys for -1
---@field positive? string|string[] Key or keys for +1
---@field stick? string|string[] Stick or sticks

---Settings of a blend along one parameter; its list holds points { value, clip } and clips
---@class Blend1dOptions
---@field sync? "feet"|"phase"|"free" Method of synchronisation; "feet", for clips with step marks
---@field match_speed? boolean Adapts the speed of the clips so that their feet cover the parameters' metres per second; false
---@field by string Name of the parameter
---@field [integer] string|BlendPointOptions

---Settings of a blend over two parameters; its list holds points { x, y, clip } and clips
---@class Blend2dOptions
---@field sync? "feet"|"phase"|"free" Method of synchronisation; "feet", for clips with step marks
---@field match_speed? boolean Adapts the speed of the clips so that their feet cover the parameters' metres per second; false
---@field x string Name of the parameter of the first axis
---@field y string Name of the parameter of the second axis
---@field [integer] string|BlendPointOptions

---A point of a blend: its position, then a clip or a blend
---@class BlendPointOptions
---@field speed? number Factor on the clip's speed (0.01 to 100); 1
---@field [integer] number|string|MachinePiece

---Changes to the bodies of a character's ragdoll
---@class BodiesOptions
---@field bones? { [string]: boolean|{ body: boolean?, shape: ("capsule"|"box"|"sphere")?, size: vector?, length: number?, radius: number?, mass: number?, density: number?, friction: number?, link: ("cone"|"hinge"|"fixed")?, swing: (number|number[])?, twist: (number|number[])?, range: number[]?, axis: vector?, from_rest: boolean? } } Bodies by the names of bones or of parts of the human body: false for none, true for one, or its properties, as in docs/body.md
---@field mass? number Total mass of the character as large as it is now (kilograms, more than 0); volume times density, for a human body at most 18 times the cube of the height
---@field density? number Density of bodies without one of their own (kilograms per cubic metre, more than 0); 985
---@field friction? number Coefficient of friction of bodies without one of their own (0 to 10); 0.7
---@field most? number Greatest number of bodies; the total mass stays the same (1 to 256); 26

---The body falls, lies, gets up, stands or dies
---@class BodyEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field lying? string of rest and get_up: how it lies

---A bone, or a prop, that holds a particle
---@class BoneHolder
---@field character? Character Character or prop that holds the particle
---@field bone? string Bone of the character; for a rigid body, the body; else it is required
---@field offset? vector Offset from the bone, or from the position of a rigid body, in the character's space at rest, +Z forward (metres); (0, 0, 0)

---Keys of a bone
---@class BoneKeys
---@field translation? ClipKeys Positions in the parent bone (metres)
---@field rotation? ClipKeys Rotations in degrees, or quaternions
---@field scale? ClipKeys Scale factors
---@field space? "parent"|"rest"|"model" Reference frame of the keys; that of the clip
---@field interpolation? "linear"|"step"|"cubic" Interpolation between the keys; that of the clip

---A box
---@class BoxOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field at? vector Position of the centre; for stairs and ramps, of the beginning (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, that of its surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field solid? boolean False for a prop without a body; true
---@field size? vector Edge lengths, each 0.001 to 10000 (metres); (1, 1, 1)

---An alternative of `choose`; its list holds the steps
---@class BranchOptions
---@field weight? number Relative probability (0 to 1000000); 1
---@field [integer] TurnOptions|PauseStep|CallStep|ChooseStep

---A call of a function in a conversation
---@class CallStep
---@field p? number Probability (0 to 1); 1
---@field call fun(talk: Conversation): any Function; the conversation waits for an act, play, sound or conversation that it returns

---Where the camera stands. What is left out stays
---@class CameraOptions
---@field target? vector The point in the middle (metres)
---@field yaw? number Turn about +Y; 0 looks at the front of a character with yaw 0 (degrees)
---@field pitch? number Height above the horizon (degrees, -89 to 89)
---@field distance? number Distance to the target (metres, 0.01 to 100000)
---@field fov? number Vertical field of view (degrees, 5 to 120)
---@field locked? boolean The player cannot turn, move or zoom it
---@field cut? boolean It is there at once, as after a cut of a film, instead of gliding to its target; false

---A place of the picture, and how far a ray goes through it
---@class CameraRayOptions
---@field x? number Share of the picture from its left; the pointer's
---@field y? number Share of the picture from its top; the pointer's
---@field reach? number Length of the ray (metres, 0 to 100000); 100

---A capsule
---@class CapsuleOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field at? vector Position of the centre; for stairs and ramps, of the beginning (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, that of its surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field solid? boolean False for a prop without a body; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.25
---@field height? number Height from end to end; at least twice the radius (metres, 0.001 to 10000); 1

---A caption
---@class CaptionOptions
---@field time? number Time for which it is shown (seconds, 0.1 to 600); as long as it takes to read
---@field color? vector Linear colour of the speaker's name; one by the name

---Options of `hero:chain`
---@class ChainOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field on? string Bone of the target character; its origin
---@field at? vector Position in the space of that bone (metres); its origin
---@field space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field yaw? number Rotation about the y axis of that bone, last (degrees); 0
---@field pitch? number Rotation about the bone's x axis, second (degrees); 0
---@field roll? number Rotation about the bone's z axis, first (degrees); 0
---@field by? "ccd"|"fabrik" Solver: bone by bone from the root (ccd), or drawn to the target and back, which bends evenly (fabrik); fabrik
---@field limit? number Maximum angle by which each bone bends and twists from rest (degrees, 0 to 180); no limit
---@field give? number Share of the needed rotation that a bone makes in an iteration of ccd; less is stiffer (0.01 to 1); 1
---@field turn? boolean The tip takes the rotation of the target; false
---@field tolerance? number Distance to the target at which the solver stops (metres, 0.000001 to 10); 0.0001
---@field most? number Maximum number of iterations (1 to 200); 32
---@field name? string Name of the modifier; the name of the tip

---A new character: where it stands, how it looks, and which files its clips come from
---@class CharacterOptions
---@field at? vector Position of its origin (metres); the origin
---@field yaw? number Turn about +Y; 0 looks along +Z (degrees); 0
---@field pitch? number Turn about its own x axis, before yaw (degrees); 0
---@field roll? number Turn about its own z axis, before pitch (degrees); 0
---@field scale? number Factor on its size (0.001 to 1000); 1
---@field materials? { [string]: MaterialOptions } Materials by their names, with the properties of a Material: { Skin = { kind = "skin", roughness = 0.4 } }
---@field variant? string Variant of its file that it is shown in
---@field skinning? "linear"|"dual_quaternion"|{ [string]: "linear"|"dual_quaternion" } Deformation of the meshes by bones: one word for all, or words by the names of meshes, { Body = "dual_quaternion" }; inside the brackets only; that of the file, else linear
---@field skinning_mode? string Technique, which does not change the shape: "auto", "indexed", "cpu", or "small16" in pieces of at most 16 bones; inside the brackets only; "auto"
---@field name? string Name that makes it the same character over reloads, whatever the order; inside the brackets only
---@field clips? string|(string|ClipFileOptions)[] Files whose clips join the model's (.glb, .gltf, .vrm, .vrma, .x, .fbx, .bvh, DeepMimic's .txt and .json); inside the brackets only
---@field facing? "auto"|"+z"|"-z"|"+x"|"-x" Direction in which the character looks in its file, so that it is turned to look along +Z; inside the brackets only; "auto": by toes, eyes, names and walking clips

---A random choice in a conversation
---@class ChooseStep
---@field p? number Probability (0 to 1); 1
---@field choose (TurnOptions|PauseStep|CallStep|ChooseStep|BranchOptions)[] Alternatives, one of which is taken: each a step or a list of steps

---A file of clips, whose first entry is the path
---@class ClipFileOptions
---@field prefix? string Prefix of the clips' names; ""
---@field unit? number Length of one unit of a BVH file (metres); guessed
---@field by? "name"|"body" Method to match bones: by name, or by their role in the body; chosen by comparing the skeletons
---@field [integer] string

---Keys { time, value } in order of time
---@class ClipKeys
---@field interpolation? "linear"|"step"|"cubic" Interpolation between the keys; that of the bone or the clip
---@field [integer] (number|vector)[]

---Settings of a list of clips, each a name or { name, chance }
---@class ClipListOptions
---@field fade? number Cross-fade between clips (seconds, 0 to 60); 0.2
---@field repeat? boolean Allows the same clip twice in a row; false
---@field [integer] string|(string|number)[]

---Keys and settings of a clip
---@class ClipOptions
---@field duration? number End of the clip, in units of `ticks`; the last key or mark
---@field ticks? number Time units per second; 1
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end, unless `play` sets another; "once"
---@field interpolation? "linear"|"step"|"cubic" Interpolation between keys; "linear"
---@field space? "parent"|"rest"|"model" Reference frame of keys of bones; "parent"
---@field bones? { [string]: BoneKeys } Keys by bone
---@field morphs? { [string]: ClipKeys } Keys by morph target
---@field curves? { [string]: ClipKeys } Keys by curve
---@field marks? ({ [number | string]: number|string|boolean })[] Marks: { time, "name", foot = "left" }

---Chains of a character's bones that move as cloth
---@class ClothChainOptions
---@field stretch? number Elasticity: 0 none, 1 rubber (0 to 1); 0
---@field stiffness? number Bending stiffness: 0 silk, 1 felt (0 to 1); 0.2
---@field drag? number Fraction of speed lost per second; at most 60 (0 or more); 0.6
---@field friction? number Coefficient of friction on bodies and the floor (0 or more); 0.4
---@field wind? number Factor on the wind (0 or more); 1
---@field gravity? number Factor on gravity (-10 to 10); 1
---@field thickness? number Distance to bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide? Character|Character[] A character, or a list of up to 16 characters, to collide with
---@field solids? FabricObstacle[] Up to 64 other shapes to collide with: { at, radius }, { from, to, radius } or { at, size, yaw }
---@field floor? boolean True to collide with the floor; true
---@field chains string[] Top bones of the chains, in order across; each chain goes down to the last bone
---@field closed? boolean True to join the last chain to the first, as in a skirt; false
---@field shape? number Strength of the pull to the pose of the bones (0 to 1); 0.2
---@field weight? number Blend weight (0 to 1); 1

---A sheet of cloth
---@class ClothOptions
---@field stretch? number Elasticity: 0 none, 1 rubber (0 to 1); 0
---@field stiffness? number Bending stiffness: 0 silk, 1 felt (0 to 1); 0.2
---@field drag? number Fraction of speed lost per second; at most 60 (0 or more); 0.6
---@field friction? number Coefficient of friction on bodies and the floor (0 or more); 0.4
---@field wind? number Factor on the wind (0 or more); 1
---@field gravity? number Factor on gravity (-10 to 10); 1
---@field thickness? number Distance to bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide? Character|Character[] A character, or a list of up to 16 characters, to collide with
---@field solids? FabricObstacle[] Up to 64 other shapes to collide with: { at, radius }, { from, to, radius } or { at, size, yaw }
---@field floor? boolean True to collide with the floor; true
---@field at? vector Middle of the upper edge (metres); (0, 2, 0)
---@field yaw? number Rotation about +Y, applied last; at 0 the cloth faces +Z (degrees); 0
---@field pitch? number Rotation about the x axis, applied second; at 90 the cloth lies flat and extends from `at` along -Z (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field size? vector Width in x and height in y, each more than 0 (metres); (1, 1, 0)
---@field hem? number Width of the lower edge relative to the upper, clamped to 0.01 to 20 (0 or more); 1
---@field columns? number Number of particles across (2 to 64); 12
---@field rows? number Number of particles down (2 to 64); 12
---@field pins? "top"|"corners"|"none"|ClothPin[] Pinned particles: the upper edge, the corners of the upper edge, none, or a list; top
---@field color? vector Linear colour; (0.5, 0.04, 0.03)
---@field roughness? number Roughness of the material (0 to 1); 0.85
---@field name? string Name; also identifies the cloth or rope over a hot reload

---A particle of cloth that stays in place or is held by a bone
---@class ClothPin
---@field character? Character Character or prop that holds the particle
---@field bone? string Bone of the character; for a rigid body, the body; else it is required
---@field offset? vector Offset from the bone, or from the position of a rigid body, in the character's space at rest, +Z forward (metres); (0, 0, 0)
---@field u? number Position across, from 0 on one side to 1 on the other (0 to 1); 0
---@field v? number Position down, from 0 at the upper edge to 1 at the lower (0 to 1); 0

---Layers that a layer collides with
---@class CollisionLayerOptions
---@field meets? string|string[] Names of the layers to collide with; others pass through; as before; all for a new layer
---@field ignores? string|string[] Names of layers that pass through

---Comparison of the stage with a picture
---@class ComparisonOptions
---@field within? number Largest mean FLIP error (0 or more); 0.006
---@field camera? CameraOptions Camera of this picture; that of the stage
---@field size? number[] Size of the picture, { width, height } (pixels); { 480, 320 }

---Settings of a character controller. An option that is left out keeps its value; a new controller begins with the defaults
---@class ControllerOptions
---@field radius? number Radius of the capsule at scale 1 (metres, 0.001 to 1000); fitted to the model
---@field height? number Height from soles to crown at scale 1 (metres, 0.002 to 1000); fitted to the model
---@field crouch_height? number Height while crouching (metres, 0.002 to 1000); 0.6 of `height`
---@field step? number Highest step to climb at scale 1; at most `height`, and at least radius × (1 - cos slope), since the bottom of the capsule is round (metres, 0 to 1000); 0.2 of `height`
---@field slope? number Steepest slope to walk on (degrees, 0 to 85); 50
---@field gravity? number Acceleration downwards; with 0 the character flies, and `move` counts upwards and downwards too (metres per second squared, 0 to 10000); that of `physics.set` when the controller is made
---@field terminal? number Fastest fall (metres per second, 0.1 to 1000); 55
---@field acceleration? number Acceleration towards a faster velocity (metres per second squared, 0 to 100000); 12
---@field deceleration? number Acceleration towards a slower velocity (metres per second squared, 0 to 100000); 16
---@field air_control? number Fraction of the acceleration that remains in the air (0 to 10); 0.3
---@field turn_rate? number Greatest turning speed (degrees per second, 0 to 100000); 540
---@field face? boolean True to turn towards the direction of movement; true
---@field jump? number Height of a jump (metres, 0 to 1000); 0.3 of `height`
---@field coyote? number Time after leaving the ground in which it may still jump (seconds, 0 to 2); 0.1
---@field buffer? number Time for which a jump in the air is remembered until the landing (seconds, 0 to 2); 0.12
---@field mass? number Mass at scale 1, which presses on the body below (kilograms, 0 to 1000000); 12 times the cube of `height`
---@field push? number Force at scale 1 that pushes dynamic bodies (newtons, 0 to 1000000000); 7 times `mass`
---@field layer? string Collision layer of the capsule; characters

---A turn of a conversation begins or ends, or the conversation ends
---@class ConversationEvent
---@field name string "turn", "turn_end" or "end"
---@field time number seconds of the stage
---@field turn? number number of the turn
---@field who? string name of the speaker
---@field to? string name of the addressee
---@field character? Character the speaker
---@field text? string of turn: the line without marks
---@field reason? string of turn_end and end: the reason

---Cast and settings of a conversation; its list holds the steps
---@class ConversationTurns
---@field cast { [string]: Character } Characters by name
---@field name? string Key of the conversation, which a reload continues; the names of the cast
---@field gap? number Average pause between turns (seconds, 0 to 60); 0.2
---@field nods? number Frequency of the listeners' nods (0 to 1); 0.6
---@field gaze? boolean Makes the cast look at each other; true
---@field [integer] TurnOptions|PauseStep|CallStep|ChooseStep

---A crowd: its bodies, where its agents begin, and how they behave
---@class CrowdOptions
---@field body string|string[] File of a model, or a list of up to 16, from which each agent gets one at random
---@field count? number Number of agents (0 to 20000); 100
---@field at? vector Middle of the area in which they begin (metres); (0, 0, 0)
---@field size? vector Extent of that area along x and z (metres); (20, 0, 20)
---@field pace? number|number[] Preferred speed, one number or { low, high } for a random one (metres per second, 0 to 20); { 1.1, 1.5 }
---@field scale? number|number[] Size of the bodies, one number or { low, high } (0.01 to 100); { 0.94, 1.06 }
---@field girth? number|number[] Width of the bodies in proportion to their height, one number or { low, high } (0.2 to 5); { 0.95, 1.05 }
---@field colors? { [string]: vector[] } Linear colours by the names of materials, { coat = { vector.create(0.4, 0.1, 0.1), … } }; each agent has one of them instead of the material's own
---@field radius? number Radius of an agent, which its scale multiplies (metres, 0.05 to 10); 0.25
---@field idle? string|string[] Clip of a standing agent, or a list, of which each body uses the first that it has; "idle"
---@field walk? string|string[] Clip of a walking agent, or a list as for `idle`; "walk"
---@field run? string|string[] Clip of a running agent, or a list as for `idle`; "run"
---@field facing? "auto"|"+z"|"-z"|"+x"|"-x"|("auto"|"+z"|"-z"|"+x"|"-x")[] Direction in which the bodies look in their files, or a list with one for each body; "auto": by toes, eyes, names and walking clips
---@field walls? vector[][] Walls between pairs of positions, { { a, b }, … }
---@field obstacles? ((vector|number)[])[] Round obstacles, { { position, radius }, … }
---@field paths? Navmesh Navigation mesh of `navmesh { … }`; agents without one go straight
---@field style? "avoid"|"book" Collision avoidance: agents look ahead (avoid), or push each other apart within 3 m as in the book's program, with 2 metres per second, and arrive 3 m from the goal (book); avoid
---@field states? { [string]: CrowdStateOptions } States by names, { walk = { on = { arrived = "rest" } }, rest = { clip = "sit", lasts = { 3, 8 }, next = "walk" } }
---@field start? string State in which agents begin; the only state
---@field meets? number Probability that two agents who come towards each other get the event `met` (0 to 1); 0.3
---@field near? number|NearCameraOptions Agents within this distance of the camera are characters, a number or { within = 6, most = 8 } (metres, 0 to 1000); none
---@field promoted? fun(crowd: Crowd, agent: number, character: Character, again: boolean) Called when an agent has become a character, and for each that is one after a reload. `again` is true if it has what it had before, such as its mood, decals and objects in its hands
---@field groups? number|number[] Size of the groups that walk together behind a leader, one number or { low, high } (1 to 12); 1
---@field yaw? number Direction that they face at first (degrees); random
---@field seed? number Seed of the random numbers of the crowd; 1
---@field name? string Identifies the crowd over a reload; order of creation

---A state of the agents of a crowd
---@class CrowdStateOptions
---@field clip? string|string[] Clip that agents play, or a list, of which one follows another at random. Agents use those that their body has
---@field intro? string|string[] Clip that comes before it, or a list, of which agents use the first that their body has
---@field once? boolean The clip is played once, then the event `done` follows; false
---@field stands? boolean True keeps agents at their position; true with a clip
---@field pace? number|number[] Speed, one number or { low, high } for a random one (metres per second, 0 to 20); the agent's own
---@field lasts? number|number[] Time after which the state is over, one number or { low, high } (seconds, 0 to 1000000); no end
---@field next? string|string[] State that follows then, or a list, of which one is taken at random; without it the event `over` follows
---@field goes? vector|vector[] Goal, or a list, of which agents take the nearest (metres)
---@field flees? number Distance to which agents flee from the position of the event that led here (metres, 0.1 to 1000)
---@field roams? number Fastest random turn of agents, which wander without a goal; with 0 they go straight until something is in the way (degrees per second, 0 to 720)
---@field tracks? ScentField Scent field of `scent_field { … }`: agents wander and turn to the stronger scent
---@field lays? ScentField Scent field of `scent_field { … }` in which agents leave scent
---@field amount? number Scent that an agent leaves (per metre, 0 to 1000000); 1
---@field finds? vector|vector[] Position, or a list; an agent within `reach` of one gets the event `found` with that position (metres)
---@field spreads? string Event that agents within `reach` get as well, with the same position
---@field immune? number Time after the state for which an agent ignores that event when others spread it. The script's own events always reach it (seconds, 0 to 1000000); twice the longest time in `lasts`, or 20
---@field reach? number Range of `spreads` and `finds` (metres, 0.1 to 50); 2
---@field uses? boolean True lets smart objects attract agents; if you write it, agents that enter the state also keep the object that they use or wait for; true without `flees`; an agent that enters the state leaves its object
---@field on? { [string]: string|fun(crowd: Crowd, agent: number, about: (vector|number|SmartObject)?): string? } By events: the state that follows, or a function that may return one
---@field enter? fun(crowd: Crowd, agent: number, from: string?) Called when an agent begins the state
---@field update? fun(crowd: Crowd, agent: number, dt: number) Called every `every` seconds with the time since the last call, in seconds
---@field every? number Time from one `update` to the next (seconds, 0.001 to 1000); 0.25
---@field leave? fun(crowd: Crowd, agent: number, to: string) Called when an agent leaves the state

---The area and the lines of crowd statistics
---@class CrowdStatsOptions
---@field at? vector Middle of the area (metres); (0, 0, 0)
---@field size? vector Extent of the area along x and z (metres); (20, 0, 20)
---@field cell? number Side of a cell of the density map (metres, 0.05 to 10); 0.5
---@field crowd? Crowd The crowd that is counted; all crowds
---@field lines? { [string]: vector[] } Counting lines by names, { door = { a, b } }; forth is from the right to the left of an agent that goes from a to b
---@field name? string Identifies them over a reload; order of creation

---A line comes to a cue in its text
---@class CueEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field line number number of the line
---@field cue string name of the cue
---@field [string] any fields of its own

---A haircut that differs from one of the styles. Options left out are those of the style
---@class CutOptions
---@field style? "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows" Style that the others change; long
---@field length? number Length on top; of beards on the chin (metres, 0.001 to 3)
---@field sides? number Length at the sides and at the nape; of beards on the cheeks (metres, 0.001 to 3); in proportion to `length`
---@field ends? number|boolean Lowest height of the hair, as a share of the distance from the eyes down to the chin; false for no such limit
---@field parting? number|boolean Parting, -1 at the right to 1 at the left; false for none
---@field back? number Direction: 1 combed back from the forehead, -1 over it (-1 to 1)
---@field fringe? number Length of the hair that falls over the forehead (metres, 0 to 1)
---@field lift? number Height above the skin at which it lies (metres, 0 to 0.2)
---@field rise? number Steepness with which it leaves the skin (0 to 1)
---@field droop? number Rate at which it turns down; up where it is less than 0 (radians per metre, -100 to 100)
---@field tips? number Curl of the tips: 1 turns them in, -1 out (-4 to 4)
---@field band? number|boolean Width of a band over the middle outside of which it is short, as a share of the skull; false for no band
---@field uneven? number Difference between lengths (0 to 1)
---@field bare? number Share of the skin between strands that shows (0 to 1)
---@field guides? number Number of guides (3 to 400)

---A cylinder
---@class CylinderOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field at? vector Position of the centre; for stairs and ramps, of the beginning (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, that of its surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field solid? boolean False for a prop without a body; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.25
---@field height? number Height from end to end (metres, 0.001 to 10000); 1

---What a debug view shows
---@class DebugViewOptions
---@field bone? string Of weights: this bone alone
---@field morph? string Of morphs: this one alone, as if it were at 1
---@field character? Character Of this character alone; others are grey
---@field hairs? boolean Of normals and tangents: a line on every vertex; false
---@field legend? boolean What the colours mean is told in the picture; true

---Options of `hero:decal`
---@class DecalOptions
---@field size? number Width of the decal (metres, 0.002 to 3); from the kind; 0.1 for a picture
---@field roll? number Rotation in the surface (degrees); random
---@field tint? vector Linear factor on the colour; (1, 1, 1)
---@field opacity? number Opacity of the decal (0 to 1); 1
---@field depth? number Depth of the relief from black to white; less than 0 inverts it (metres, -0.1 to 0.1); from the kind; 0.002 for a picture with a relief
---@field roughness? number Roughness of the decal (0 to 1); from the kind, else of the material
---@field relief? string A height map; dark is deep; from the kind; none for a picture
---@field dries? number|boolean Seconds until it has dried, 0 to 1000000, or false; from the kind; false for a picture
---@field stays? number Time after which the decal fades (seconds, 0 to 1000000); from the kind, else without end; 10 with `fade`
---@field fade? number Duration of that fade (seconds, 0 to 1000000); from the kind; 2 with `stays`
---@field planar? boolean Projected straight along the normal, as a stencil, instead of following the surface; false
---@field through? boolean Marks every surface on its line, as a shot that goes through; false
---@field exit? string|{ [string]: string|false } With `through`: the decal where the line leaves the body; the same as on entry

---How a picture of the surroundings lights the scene
---@class EnvironmentOptions
---@field yaw? number Turn about +Y (degrees); 0
---@field strength? number Factor on its light (0 or more); 1
---@field background? boolean It is seen behind the scene; true
---@field blur? number How blurred it is seen there (0 to 1); 0

---Time of an event that a test expects
---@class ExpectEventOptions
---@field within? number Longest time since the event (seconds); any

---An explosion and its filter
---@class ExplosionOptions
---@field without? Character|Character[] A character to exclude, or a list of characters
---@field layers? string|string[] Names of the layers to include; all
---@field sensors? boolean True to include sensors; false
---@field radius? number Distance from the centre at which it ends (metres, 0 or more); 3
---@field impulse? number Impulse at the centre; falls to 0 at the radius (newton seconds, 0 or more); 50
---@field lift? number Fraction of the impulse that points up instead of away from the centre (0 to 1); 0.25

---A sphere, a capsule or a box that ropes and cloth collide with
---@class FabricObstacle
---@field at? vector Centre of a sphere or a box (metres)
---@field from? vector One end of a capsule (metres)
---@field to? vector The other end of a capsule (metres)
---@field radius? number Radius of a sphere or a capsule (metres)
---@field size? vector Edge lengths of a box (metres)
---@field yaw? number Rotation of a box about +Y (degrees); 0

---Fade of a value of a face
---@class FaceFadeOptions
---@field fade? number Time to reach the new value (seconds, 0 to 1000); 0

---Materials and variant of a look
---@class FaceLook
---@field materials? { [string]: MaterialOptions } Changes of materials by name, as in `character`
---@field variant? string Name of a variant of the model

---Settings of a face. A missing field keeps its value; `channels` resets all others
---@class FaceOptions
---@field channels? "owners"|"book" "book": at most four targets at once (one blink, one emotion, two visemes); "owners": no limit; "owners"
---@field mouth_share? number Factor on mood and clips at the mouth during speech (0 to 1); 1/3
---@field asymmetry? number Difference between the two sides of the face (0 to 1); 0.06
---@field max_active_targets? number Maximum number of morph targets that move at once, the heaviest first; 0 is no limit (0 to 10000); 0
---@field blinks? number Factor on the rate of spontaneous blinks; 0 is none (0 to 20); 1

---Options of `hero:feet`. Fields left out keep their values
---@class FeetOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field hold? boolean Planted feet stay where they are; true
---@field steps? boolean The feet emit the event `step`, instead of the marks of the clips; true
---@field release? number Distance of a planted foot from its pose in the clip at which it steps, as a share of the leg (0 to 10); 0.3
---@field up? number Maximum height of the ground above the character's position, as a share of the leg (0 to 10); 0.55
---@field down? number Maximum depth of the ground below the character's position, as a share of the leg (0 to 10); 0.55
---@field slope? number Maximum slope to which feet align (degrees, 0 to 85); 40
---@field body? number Share of the ground's height by which the body moves (0 to 1); 1
---@field smooth? number Smoothing time of the body's height (seconds, 0 to 10); 0.12

---How the camera looks out of a character's eyes. What is left out stays
---@class FirstPersonOptions
---@field yaw? number Turn about +Y, as of camera.orbit (degrees); the way the character looks
---@field pitch? number Height below the horizon (degrees, -89 to 89); 0
---@field fov? number Vertical field of view (degrees, 5 to 120); 70
---@field locked? boolean The player cannot turn it; false

---A flock: its body, where it begins, and the rules that it follows
---@class FlockOptions
---@field body string File of a model
---@field facing? "auto"|"+z"|"-z"|"+x"|"-x" Direction in which the model looks in its file; "auto": by toes, eyes, names and walking clips
---@field count? number Number of birds or fish (0 to 20000); 100
---@field at? vector Middle of the space in which the flock begins, and of its home (metres); (0, 15, 0)
---@field size? vector Extent of that space along each axis (metres); (10, 6, 10)
---@field clip? string Clip of flying or swimming; "fly", or the first
---@field glide? string Clip of gliding down with still wings; "glide", if there is one
---@field scale? number|number[] Size of the bodies, one number or { low, high } for a random one (0.001 to 1000); { 0.9, 1.1 }
---@field colors? { [string]: vector[] } Linear colours by the names of materials, as those of a crowd
---@field speed? number|number[] Slowest and fastest speed, { low, high } (metres per second, 0 to 200); { 3, 7 }
---@field separation? number Weight of separation, away from neighbours nearer than `apart` (0 to 1000); 4
---@field apart? number Distance below which neighbours separate. No two come nearer to each other than a quarter of it, or 0.3 m if that is less (metres, 0 to 1000); 1.2
---@field alignment? number Weight of alignment, to the velocity of neighbours (0 to 1000); 1.2
---@field cohesion? number Weight of cohesion, to the middle of neighbours (0 to 1000); 0.8
---@field reach? number Distance of the farthest neighbour (metres, 0 to 1000); 3
---@field ground? number Weight of the upward rule, for each metre that the ground is nearer than `clearance` (0 to 1000); 6
---@field clearance? number Height above the ground below which the flock rises (metres, 0 to 1000); 2
---@field lowest? number Lowest height above the ground (metres, 0 to 1000); 0.3
---@field turn? number Turn rate, as a fraction of the speed (per second, 0 to 1000); 1.5
---@field home? number Weight of the way home, outside `radius`; 0 lets the flock fly anywhere (0 to 1000); 2
---@field radius? number Radius of the home. Nobody gets farther from its middle than 1.1 times as far; a member that would turns back in time (metres, 0 to 100000); 20
---@field avoid? number Weight of the avoidance of obstacles ahead. Nobody gets inside of one, unless it is 0: then the flock flies through (0 to 1000); 6
---@field lean? number Lean in turns, 1 for birds, 0 for fish (0 to 4); 1
---@field leaders? number Number of leaders, the first ones, which the script moves with `steer` (0 to 20000); 0
---@field lead? number Weight of the attraction to the nearest leader (0 to 1000); 2
---@field style? "free"|"book" Rules that may be changed (free), or rules and constants of the book's program (book): separation 15 within 2.5 m, alignment and cohesion 1 within 3.5 m, to a point 15 m up, 3 metres per second; free
---@field force? fun(flock: Flock, number: number, position: vector, velocity: vector): vector A rule of your own, called 20 times a second for each; returns an acceleration, metres per second squared
---@field seed? number Seed of the random numbers of the flock; 1
---@field name? string Identifies the flock over a reload; order of creation

---How dense the haze is and where. What is left out stays
---@class FogOptions
---@field color? vector Linear colour
---@field density? number Share of the light lost in a metre; 0 is clear air, 0.02 mist (0 to 100)
---@field height? number Height above base at which it is a third as dense; without it is even (metres, 0.01 or more)
---@field base? number Height where it is densest (metres)

---A force and its region. Exactly one of push, accelerate, wind, water, toward and launch is required
---@class ForceFieldOptions
---@field shape? "everywhere"|"box"|"sphere"|"capsule" Shape of the region; box if there is a size, sphere if there is a radius, else everywhere
---@field at? vector Centre of the region (metres); (0, 0, 0)
---@field size? vector Edge lengths of a box, each more than 0; required for a box (metres)
---@field radius? number Radius of a sphere or a capsule (metres, more than 0); 1
---@field height? number Height of a capsule from end to end (metres, more than 0); 2
---@field yaw? number Rotation about +Y (degrees); 0
---@field push? vector Force on each body (newtons)
---@field accelerate? vector Acceleration of each body, independent of its mass (metres per second squared)
---@field wind? vector Velocity of the air, which drags bodies along by their size (metres per second)
---@field water? boolean|number Density of a liquid that fills the region, or the space below `at` without a region; true for 1000 (kilograms per cubic metre)
---@field current? vector Velocity of the water (metres per second); (0, 0, 0)
---@field drag? number Drag: for wind the drag coefficient, for water the fraction of speed lost per second (0 or more); of wind 1, of water 2
---@field toward? vector Position that attracts bodies with an acceleration of `strength` over the square of the distance, or repels them with a negative strength (metres)
---@field strength? number Acceleration towards `toward` at a distance of 1 m (metres per second squared); 10
---@field launch? vector Least velocity of bodies that enter, applied once: a jump pad (metres per second)
---@field layers? string|string[] Names of the layers that are affected; all
---@field enabled? boolean True while the force acts; true

---Settings of a random face
---@class GenerateOptions
---@field seed? number Random seed; the same seed gives the same face; one of the character's own
---@field strength? number Distance from the model's own face (0 to 3); 1
---@field asymmetry? number Difference between shapes of the left and the right side (0 to 1); 0.15
---@field with? { [string]: number } Fixed weights by shape
---@field only? string|string[] Names of the shapes that change; all
---@field looks? (string|FaceLook)[] Looks, one of which is chosen: names of variants, or tables of a variant and materials
---@field book? boolean Uniform weights from 0 to 1 in steps of 0.001, as in the book; false

---Spring between a hand and a body
---@class GrabOptions
---@field stiffness? number Frequency of the spring (hertz, 0.1 to 15); 4
---@field force? number Greatest force along each axis (newtons, 0 or more); 200 per kilogram that hangs on the hand

---Options of `hero:grip`
---@class GripOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere

---Changes to the floor. An option that is left out keeps its value
---@class GroundOptions
---@field height? number Height of the floor (metres); 0
---@field color? vector Linear colour
---@field grid? number Distance between grid lines; 0 for none (metres, 0 or more); 1
---@field uneven? number Amount of variation in the colour (0 to 1); 0.3
---@field surface? string Name of the surface; stone
---@field visible? boolean True to draw the floor; true
---@field solid? boolean True if bodies collide with the floor; true

---Options of `hair.grow`
---@class GrowOptions
---@field exclude? string|string[] Names of nodes, meshes or materials on which no hair grows, with `*` for any letters: a hat that no name gives away; hair, hats, eyes and jewellery by name and shape
---@field scalp? string|string[] Names of nodes, meshes or materials on which hair grows, with `*` for any letters; the skin of the head by name and shape
---@field character Character Character on which it grows, in its rest pose
---@field cut "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|CutOptions A haircut by its name, or { style = name, … } with changes to it
---@field bone? string Bone that carries the skin on which it grows; head
---@field seed? number Seed of the positions and differences of guides; 1

---Options of `hero:hair`
---@class HairOptions
---@field exclude? string|string[] Names of nodes, meshes or materials on which no hair grows, with `*` for any letters: a hat that no name gives away; hair, hats, eyes and jewellery by name and shape
---@field scalp? string|string[] Names of nodes, meshes or materials on which hair grows, with `*` for any letters; the skin of the head by name and shape
---@field clump? number Share by which strands of a lock come together at their tips (0 to 1); 0 or as the haircut
---@field lock? number Number of strands of a lock, about (0 to 10000); 20 or as the haircut
---@field frizz? number Distance by which tips stray (metres, 0 to 0.5); 0 or as the haircut
---@field curl? number Radius of curls, which need enough points to show (metres, 0 to 0.5); 0 or as the haircut
---@field turns? number Number of curls in a metre of hair (0 to 1000); 0 or as the haircut
---@field style? "strands"|"strips" Strands face the camera, strips have fixed angles; strands
---@field picture? string A PNG or JPEG that lies over each strip, roots at its upper side, with transparent background; strands drawn side by side
---@field width? number Width at the root (metres, 0 or more); 0.0012 or as the haircut; for strips 0.02 or 12 strands of the haircut
---@field tip_width? number Width at the tip as a share of that at the root (0 or more); 0.3
---@field color? vector Linear colour at the tip; (0.12, 0.06, 0.03)
---@field root_color? vector Linear colour at the root; six tenths of `color`
---@field variety? number Difference in brightness between strands at most (0 to 1); 0.25
---@field roughness? number Roughness (0 to 1); 0.45
---@field stiffness? number|number[] Resistance to bending, one number or { at the root, at the tip } (0 to 1); { 0.8, 0.12 } or as the haircut
---@field hold? number|number[] Strength with which hair is drawn to its rest position on the head, one number or { at the root, at the tip } (0 to 1); { 0.15, 0 } or as the haircut
---@field damping? number Rate at which hair loses motion relative to the head (per second, 0 or more); 4
---@field air? number Rate at which hair takes on the motion of the air (per second, 0 or more); 1.5
---@field wind? number Share of the wind that acts on the hair (0 or more); 1
---@field gravity? number Factor on gravity, which acts as far as the head leans: at rest hair keeps its shape (-10 to 10); 1
---@field wet? number Wetness, from dry to dripping: wet hair hangs and is soft (0 to 1); 0
---@field follow? number Share of the head's motion that hair follows at once (0 to 1); 0.1
---@field thickness? number Distance kept from bodies (metres, 0 or more); 0.003
---@field friction? number Share of the motion along a body that is lost there (0 to 1); 0.2
---@field collide? boolean|Character|Character[] False for no collisions, or another character or a list of characters with which hair collides, besides the wearer; true: with the wearer
---@field motion? "chains"|"book" Simulation: chains of points (chains), or springs and a random wind as in chapter 15 (book); chains
---@field cut? "short"|"bob"|"long"|"curly"|"mohawk"|"beard"|"stubble"|"moustache"|"brows"|CutOptions A haircut by its name, or { style = name, … } with changes to it; it gives the defaults of the other options
---@field file? string A file of strands: `.tfx` of TressFX, binary or text, `.hair` of Cem Yuksel or of the book, lines of a `.glb` or `.gltf`
---@field scale? number Length of a unit of the file (metres, 0 or more); 1
---@field yaw? number Angle by which the file's strands are turned about +Y (degrees); 0
---@field offset? vector Vector by which they are then moved, in the character's space at rest (metres); (0, 0, 0)
---@field guides? vector[][]|number A list of strands from root to tip, each a list of positions in the world in the current pose; for a file, the number of strands that are simulated and lead the others, 1 to 2000; 160 for a file
---@field rest? boolean Guides are in the character's space at rest instead of the world: metres, +Y up, +Z ahead; false
---@field patches? number[][] Patches in which strands grow, each a list of three or four numbers of guides around it; between neighbouring guides
---@field strands? number Number of strands that are drawn (1 to 20000); 2000 or as the haircut; a twelfth for strips
---@field points? number Points of each strand (2 to 64); 16 or as the haircut
---@field seed? number Seed of the positions and differences of strands; 1
---@field bone? string Bone on which it is worn; "head"
---@field skin? boolean Roots follow the skin as shapes and bones move it, as a beard follows the mouth; true for beards, moustaches and brows
---@field name? string Name that makes it the same over reloads, whatever the order

---A handle of a prop: its use and its position
---@class HandleOptions
---@field kind? "hold"|"lever"|"take"|"seat"|"ladder" Use: a hand holds on (hold), swings the prop about its hinge (lever) or takes it along (take), or the user sits down (seat) or climbs (ladder); hold
---@field pivot? vector Of a lever: a point of the hinge in the prop's own space (metres); its origin
---@field axis? vector Of a lever: the axis of the hinge, in the same space; the x axis
---@field swing? number Of a lever: angle by which it turns in `hold` seconds, and back at the next use (degrees); 60
---@field rise? vector Of a ladder, whose lowest rung is `at`: the vector from a rung to the next (metres); 0.28 up
---@field rungs? number Of a ladder: the number of rungs (1 to 500); 8
---@field width? number Of a ladder: the distance between the rails (metres, 0.1 to 10); 0.4
---@field rails? number Of a ladder: the length of the rails above the last rung (metres, 0 to 10); 0
---@field top? vector Of a ladder: the position of the user at its end, in the prop's own space (metres); half a metre beyond the last rung, at its height
---@field on? string Bone of the prop with which the handle moves; the prop itself
---@field at? vector Position of the hand, or of its palm if it has fingers, in the space of that bone (metres); its origin
---@field turn? vector Yaw, pitch and roll of the hand (degrees); as the arm turns it
---@field grip? number Amount by which the fingers close (0 to 1); 0.6; 0.75 of a lever and a ladder, 0.55 of `take`, 0 of a seat
---@field radius? number Distance from the palm to `at`, the middle of the held object (metres, 0 to 1); what fits the hand
---@field bar? vector Axis of a bar in the space of that bone: the hand turns until the bar crosses the palm
---@field stand? vector Position of the user's feet, in the prop's own space; the height has no effect (metres); where the user is
---@field face? number Direction about +Y in the prop's own space in which the user faces (degrees); to the handle
---@field hand? string Limb that reaches; right_hand
---@field other? vector Position of the other hand, for props that take two (metres)
---@field clip? string A clip that the user plays
---@field reach? number Time in which the hand reaches the handle (seconds, 0 to 600); 0.45
---@field hold? number Time for which the hand holds on (seconds, 0 to 600); 0.5
---@field release? number Time in which the hand lets go (seconds, 0 to 600); 0.4

---The character was hit
---@class HitEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field bone? string the bone that was hit
---@field reaction string what the body does
---@field impulse vector newton seconds
---@field position vector where, in the world, metres
---@field damage number as it was given

---A hit on a character
---@class HitOptions
---@field impulse vector Impulse: a thrown ball 3, a punch 20 to 40, a collision with a runner 100, with a car 500 (newton seconds)
---@field bone? string Bone that is hit; the bone nearest to `at`, else the chest
---@field at? vector Position in the world (metres); that of the bone
---@field damage? number Health to subtract (0 to 1); 0
---@field reaction? "none"|"flinch"|"brace"|"stagger"|"fall" Reaction of the character; by impulse, mass, balance and health

---Options of an inserted turn
---@class InterruptOptions
---@field goes_on? boolean The interrupted line continues after the turn; true

---Damped spring of one bone
---@class JiggleOptions
---@field frequency? number Frequency of the swing (hertz, more than 0); 3
---@field damping? number Damping ratio: 0 never stops, 1 returns without overshoot (0 or more); 0.3
---@field limit? number|vector Greatest deviation from the pose, for all axes of the bone or for each: metres, or degrees with a tip; 0.05, or 25 with a tip
---@field tip? vector Position of a mass in the bone's space; the bone rotates and does not move (metres)
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
---@field default? boolean Makes this the language of lines that name none; false

---Intensity and timing of a suppressed expression
---@class LeakOptions
---@field intensity? number Intensity (0 to 1); 0.5
---@field least? number Minimum time between two (seconds, 0.3 to 10000); 4
---@field most? number Maximum time between two (seconds, 0.3 to 10000); 12

---Options of `hero:lean`. Fields left out keep their values
---@class LeanOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field turn? number Share of the lean that would balance a turn (0 to 4); 0.7
---@field speed? number Share of the lean that would balance speeding up and slowing down (0 to 4); 0.4
---@field slope? number Share of the slope's angle by which the body leans into the hill (0 to 4); 0.35
---@field most? number Maximum angle to any side (degrees, 0 to 60); 20
---@field smooth? number Smoothing time of the lean (seconds, 0 to 10); 0.18

---What became of a mark that was passed
---@class LedgerEntry
---@field number number number of the entry, from the first that was recorded
---@field time number when it was, in seconds of the stage
---@field name? string name of the mark
---@field clip? string name of the clip
---@field mark number its number on the clip; less than 0 for one that was taken off since
---@field edge string "point", "begin" or "end"
---@field weight number how much of the clip showed, 0 to 1
---@field source string "machine", "play" or "idle"
---@field play? number number of the play
---@field layer? string layer of the machine
---@field state? string state of the machine
---@field playing? number number of this playing of the clip in the machine
---@field outcome string "fired", "suppressed" or "cut"
---@field reason? string why it was not fired
---@field n number how many it stands for

---Filter of a listener
---@class ListenOptions
---@field min_weight? number Minimum weight of the clip; 0
---@field all? boolean Includes clips of a blend that have less weight than another; false

---Options of `hero:look`
---@class LookOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field on? string Bone of the target character; its origin
---@field at? vector Position in the space of that bone (metres); its origin
---@field space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field chest? number Share of the remaining rotation that the chest takes (0 to 1); 0.35
---@field cone? number Angle about straight ahead, both sides together, in which the character looks at a target; it stops 30 beyond (degrees, 0 to 330); 120
---@field outside? "let_go"|"as_far" Reaction to a target outside of the cone: look elsewhere (let_go), or as far as possible (as_far); let_go
---@field life? number Restlessness of the eyes (0 to 1); 1
---@field blinks? number Factor on the rate of blinks; 0 is never (0 to 20); 1
---@field manner? "steady"|"listening"|"speaking" Share of the time in which the character looks away: hardly any (steady), a quarter (listening), more than half (speaking); steady
---@field radius? number Radius of the target, in which the eyes wander (metres, 0 or more); a face for characters, else 0
---@field eyes? number Share of their range that the eyes use (0 to 1); 1
---@field head? number Share of the range that the head uses (0 to 1); 1
---@field eye_side? number Maximum angle of the eyes to the side, exactly (degrees, 0 to 90); what the file says (VRM), else 35
---@field eye_up? number Maximum angle of the eyes up, exactly (degrees, 0 to 90); what the file says, else 25
---@field eye_down? number Maximum angle of the eyes down, exactly (degrees, 0 to 90); what the file says, else 35
---@field turn? boolean|TurnInPlaceOptions True or options: the character turns on the spot to a target that is too far round, while it stands and is not moved; false

---Settings of a layer; its list holds states and transitions
---@class MachineLayerOptions
---@field mask? string|string[]|{ [string]: number } Bones with their descendants (`*` in a name matches any text), or parts of a humanoid; the whole body
---@field weight? number|string Blend weight from 0 to 1, or the name of a parameter; 1
---@field additive? boolean|"first"|"rest" Adds the difference from the first frame of the clip ("first" or true), or from the rest pose ("rest"); false
---@field beyond? number Distance from the camera beyond which the layer is left out (metres, 0 or more)
---@field [integer] MachinePiece

---Parameters of a machine; its list holds layers, or states and transitions
---@class MachineOptions
---@field params? { [string]: number|boolean } Parameters and their defaults
---@field [integer] MachinePiece

---Settings of a state; its list holds a clip or motion, or states and transitions
---@class MachineStateOptions
---@field clip? string|MachinePiece A clip, or random, sequence, blend1d, blend2d or blend_polar { … }
---@field intro? string Clip played once on entering, before `loop`
---@field loop? string Clip played until the state is to be left
---@field outro? string Clip played once before leaving
---@field mode? "once"|"loop"|"pingpong" Behaviour at the end of the clip; "loop"
---@field speed? number|string Factor on the clip's speed, or the name of a parameter; 1
---@field time? string Name of a parameter from 0 to 1 that sets the position in the clip
---@field mirror? boolean|string Mirrors left and right: true, or the name of a parameter; false
---@field root_motion? boolean Makes the root motion of the clips move the character; false
---@field orient? string Name of a parameter from -180 to 180 degrees: the direction of movement relative to the facing direction. The legs turn towards it, the upper body keeps facing ahead
---@field history? boolean Continues its inner states where it was left; false
---@field enter? fun(character: Character, from: string?) Called when the state is entered; `from` is nil at the start
---@field update? fun(character: Character, dt: number, params: { [string]: number|boolean }) Called in every tick that begins in the state
---@field leave? fun(character: Character, to: string?) Called when the state is left; `to` is nil when the machine is removed
---@field on? { [string]: fun(character: Character, event: AnyEvent) } Listeners by event while the state is active: on = { step = function(hero, e) end }
---@field act? fun(act: Act) Act (see hero:act) that begins and ends with the state
---@field [integer] string|MachinePiece

---The playing of a clip passes a mark
---@class MarkEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field clip string name of the clip
---@field weight number how much of the clip shows, 0 to 1
---@field position vector where, in the world, metres
---@field surface string what the surface is made of, or ""
---@field source string "machine", "play" or "idle"
---@field edge string "point", "begin" or "end"
---@field length? number of an interval, seconds
---@field cut? boolean of an interval: it ended early
---@field reverse boolean the clip plays backwards
---@field share number part of the tick at which it was passed, 0 to 1
---@field [string] any fields of its own

---Options of `material:fade`
---@class MaterialFadeOptions
---@field color? vector Linear colour
---@field alpha? number Opacity, for materials that are blended or cut out
---@field tint? vector Linear colour that multiplies the colour, and the shade of a toon; (1, 1, 1)
---@field metallic? number Metalness, 0 to 1
---@field roughness? number Roughness, 0 to 1
---@field specular? number Strength of the reflection of what is not metal, 0 to 1
---@field ior? number Index of refraction, at least 1; 1.5
---@field emissive? vector Linear colour of the light that it emits
---@field emissive_strength? number Factor on that light
---@field normal_scale? number Scale of the normal map
---@field occlusion? number Strength of the occlusion map, 0 to 1
---@field alpha_cutoff? number Alpha below which a material that is cut out draws nothing
---@field clearcoat? number Strength of the clear coat, 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Linear colour of the light that fibres catch; black is none
---@field sheen_roughness? number Roughness of the fibres, 0 to 1
---@field transmission? number Share of light that goes through, 0 to 1
---@field thickness? number Thickness that light goes through; 0 is a thin wall (metres)
---@field time? number Time that it takes (seconds, 0 to 600); 0.3

---Changes of one material in the option `materials` of `character`
---@class MaterialOptions
---@field color? vector Linear colour
---@field alpha? number Opacity, for materials that are blended or cut out
---@field tint? vector Linear colour that multiplies the colour, and the shade of a toon; (1, 1, 1)
---@field metallic? number Metalness, 0 to 1
---@field roughness? number Roughness, 0 to 1
---@field specular? number Strength of the reflection of what is not metal, 0 to 1
---@field ior? number Index of refraction, at least 1; 1.5
---@field emissive? vector Linear colour of the light that it emits
---@field emissive_strength? number Factor on that light
---@field normal_scale? number Scale of the normal map
---@field occlusion? number Strength of the occlusion map, 0 to 1
---@field alpha_cutoff? number Alpha below which a material that is cut out draws nothing
---@field clearcoat? number Strength of the clear coat, 0 to 1
---@field clearcoat_roughness? number Roughness of the clear coat, 0 to 1
---@field sheen? vector Linear colour of the light that fibres catch; black is none
---@field sheen_roughness? number Roughness of the fibres, 0 to 1
---@field transmission? number Share of light that goes through, 0 to 1
---@field thickness? number Thickness that light goes through; 0 is a thin wall (metres)
---@field kind? "standard"|"skin"|"eye"|"hair"|"cloth"|"toon" Shading model

---Options of `hero:modify`
---@class ModifyOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field before? string Name of the modifier before which this one acts
---@field after? string Name of the modifier after which this one acts; after those of the runtime

---Intensity and fade of a mood
---@class MoodOptions
---@field intensity? number Intensity (0 to 1); 0.6
---@field fade? number Cross-fade from the previous mood (seconds, 0 to 1000); 0.8

---A door in a navigation mesh: the box in which agents cannot be while it is closed
---@class NavDoorOptions
---@field at vector Middle of its base (metres)
---@field size vector Size of the box (metres)
---@field yaw? number Rotation of the box about +Y (degrees); 0
---@field open? boolean Whether it is open at first; true

---A link between two positions of a navigation mesh
---@class NavLinkOptions
---@field cost? number Cost of the link (metres of plain ground, 0 to 1000000); its length
---@field both? boolean The link leads back as well; false

---An obstacle in a navigation mesh: a box with `size`, or a cylinder with `radius`
---@class NavObstacleOptions
---@field at vector Middle of its base (metres)
---@field size? vector Size of a box (metres)
---@field radius? number Radius of a cylinder (metres, 0.01 to 1000)
---@field yaw? number Rotation of a box about +Y (degrees); 0

---The level of a navigation mesh and the agents that walk on it
---@class NavmeshOptions
---@field at? vector Middle of the level (metres); (0, 0, 0)
---@field size? vector Extent of the level along each axis; a height of 0 is 20 (metres); (40, 20, 40)
---@field radius? number Distance that agents keep from walls, rounded to whole cells (metres, 0 to 100); 0.3
---@field height? number Height of an agent (metres, 0.05 to 1000); 1.8
---@field step? number Height of the highest step (metres, 0 to 100); 0.4
---@field slope? number Slope of the steepest ground (degrees, 0 to 89); 45
---@field cell? number Side of a cell of the grid from which the mesh is built (metres, 0.02 to 100); 0.15
---@field costs? { [string]: number } Cost of a metre by the names of surfaces, { mud = 4 }; 1 on others (0.01 to 1000)
---@field name? string Identifies the mesh over a reload; order of creation

---Which agents near the camera are characters
---@class NearCameraOptions
---@field within number Distance from the camera (metres, 0 to 1000)
---@field most? number Number of characters at once, the nearest (0 to 200); 8

---Waiting line of a smart object
---@class ObjectLineOptions
---@field at? vector Position in the object's space (metres); (0, 0, 0)
---@field yaw? number Direction from the object's (degrees); 0
---@field gap? number Distance from one to the next (metres, 0.1 to 10); 0.8

---Goal of a limb of a user
---@class ObjectReachOptions
---@field at vector Position in the slot's space (metres)
---@field grip? number Closing of the fingers; 1 is a fist (0 to 1); 0 with `palm`, else as they are
---@field palm? boolean The palm comes there instead of the wrist; false
---@field body? boolean The body helps where the arm is too short; false

---Goals of the limbs of a user: positions in the space of the slot, or tables
---@class ObjectReachesOptions
---@field left_hand? vector|ObjectReachOptions Goal of the left hand (metres)
---@field right_hand? vector|ObjectReachOptions Goal of the right hand (metres)
---@field left_foot? vector|ObjectReachOptions Goal of the left foot (metres)
---@field right_foot? vector|ObjectReachOptions Goal of the right foot (metres)

---Slot of a smart object
---@class ObjectSlotOptions
---@field at? vector Position in the object's space (metres); (0, 0, 0)
---@field yaw? number Direction from the object's (degrees); 0

---Changes to a kind of particles; a field that is left out keeps the value of the kind
---@class ParticleOptions
---@field rate? number Emission rate (per second, 0 to 100000)
---@field burst? number Number of particles emitted at once at the beginning (0 to 8192)
---@field seconds? number Duration of the emission (seconds, 0 to 1000000); no end
---@field warm? number Time that is simulated before the first picture (seconds, 0 to 60)
---@field most? number Largest number of particles at once (1 to 8192); enough for `rate` and `burst`
---@field shape? "point"|"ball"|"disc"|"box"|"surface" Volume in which particles begin; "surface" is all over a character
---@field radius? number Radius of a ball or disc (metres, 0 to 1000); 0.1, or the kind's
---@field extent? vector Size of a box (metres); (0.2, 0.2, 0.2), or the kind's
---@field offset? vector Offset from the bone along the axes of the character at rest (metres); (0, 0, 0)
---@field direction? vector Direction of flight, in the world, or on a bone along the axes of the character at rest; up, or the normal of a hit
---@field life? number|number[] Lifetime, one number or { low, high } for a random one (seconds, 0.01 to 600)
---@field speed? number|number[] Speed along the direction, one number or { low, high } (metres per second, -1000 to 1000)
---@field spread? number Largest angle between a particle's way and the direction (degrees, 0 to 180)
---@field outward? number Speed away from the middle (metres per second, -1000 to 1000)
---@field inherit? number Fraction of the velocity of the bone or skin that the emitter is on (-10 to 10)
---@field gravity? number Factor on gravity; a particle with less than 0 rises (-100 to 100)
---@field drag? number Fraction of the speed through the air that is lost (per second, 0 to 1000)
---@field wind? number Factor on `physics.wind`, which acts through the drag (0 to 100)
---@field swirl? number Speed of eddies in the air (metres per second, 0 to 100)
---@field swirl_size? number Diameter of an eddy (metres, 0.01 to 1000)
---@field lands? "through"|"ends"|"bounces"|"stays" Behaviour of a particle that hits something solid
---@field bounce? number Fraction of the speed across a surface that is left after a bounce (0 to 1); 0.4, or the kind's
---@field slide? number Fraction of the speed along a surface that is left after a bounce (0 to 1); 0.7, or the kind's
---@field stays? number Lifetime of a particle that has landed (seconds, 0 to 600); 10, or the kind's
---@field splat? number Factor on the size of a particle that has landed (0 to 100); 1, or the kind's
---@field size? number|number[] Diameter, one number or { low, high } (metres, 0.0001 to 100)
---@field grow? number|number[] Factor on the size, one number or a list over the life (0 to 1000)
---@field color? vector|vector[] Linear colour, or a list over the life
---@field vary? number Random difference in brightness (0 to 1)
---@field alpha? number|number[] Opacity, one number or a list over the life (0 to 1)
---@field glow? number Emitted light, a factor on the colour; 0 is lit by others only (0 to 1000)
---@field turned? boolean Particles begin with a random rotation
---@field spin? number|number[] Rotation speed, one number or { low, high } (degrees per second, -36000 to 36000)
---@field stretch? number Time of flight over which a particle is drawn out (seconds, 0 to 1)
---@field soft? number Distance before a surface over which particles fade (metres, 0 to 100)
---@field gloss? number Highlight as on a drop (0 to 1)
---@field thin? number Light that passes through, as through dust; a particle with 0 is lit as a ball (0 to 1)
---@field picture? string An image of the project instead of the kind's own
---@field cells? number[] Columns and rows of the picture, { 4, 4 } (1 to 64); { 1, 1 }
---@field play? "chance"|"life" Which cell is shown: a random one, or one after another over the life
---@field seed? number Seed of the random numbers; another one each time
---@field name? string Identifies the emitter over a reload; order of creation

---An area of another surface. Exactly one of radius and size is required
---@class PatchOptions
---@field at? vector Centre; the height is ignored (metres); (0, 0, 0)
---@field radius? number Radius of a round patch (metres, 0 or more)
---@field size? vector Size of a rectangle along x and z (metres)
---@field surface? string Name of the surface; that of the floor
---@field color? vector Linear colour; that of the floor

---Silence in a conversation
---@class PauseStep
---@field p? number Probability (0 to 1); 1
---@field pause number Duration (seconds, 0 to 3600)

---A phone of a line begins
---@class PhoneEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field line number number of the line
---@field phone string the phone
---@field seconds number how long it takes

---Settings of the physics. An option that is left out keeps its value
---@class PhysicsOptions
---@field gravity? vector Gravity (metres per second squared); (0, -9.81, 0)

---How a clip is played
---@class PlayOptions
---@field fade? number Time to fade in, and out where fade_out does not say another (seconds, 0 to 1000000); 0.15
---@field fade_out? number Time to fade out (seconds, 0 to 1000000); `fade`
---@field speed? number Factor on the speed; less than 0 plays back (-1000 to 1000); 1
---@field from? number Time of the clip where it begins (seconds); its start, played back its end
---@field mode? "once"|"loop"|"pingpong" What happens at the end; the clip's own `mode`, or "once"
---@field mask? string|string[]|{ [string]: number } Bones, each with all below it (`*` in a name: all that fit), or parts of a humanoid ("upper_body", "left_arm", …), or names and weights { chest = 0.5 }. With a mask it moves no morphs and curves; the whole body
---@field weight? number How much of it shows (0 to 1); 1
---@field additive? boolean|"first"|"rest" true or "first": its difference from its first frame is added to what plays; "rest": that from the rest pose; false
---@field mirror? boolean Left and right exchanged; false
---@field done? fun(reason: string) Called once with the reason of its end
---@field on? { [string]: fun(event: MarkEvent) } Listeners to the clip's marks, by name, for this play alone; they end with it
---@field mute? boolean Its marks are told to nobody; false

---A point light
---@class PointLightOptions
---@field at? vector Where it is; when it is carried, in the bone's space (metres); (0, 2, 1), carried (0, 0, 0)
---@field color? vector Linear colour; (1, 1, 1)
---@field strength? number Light on what faces it from 1 m; 4 is as the sun at noon (0 or more); 4
---@field range? number Distance at which its light has ended (metres, 0 or more); 10
---@field radius? number Size of what glows: softness of its shadows (metres, 0 or more); 0.05
---@field shadows? boolean Things throw shadows from it; true
---@field character? Character Who carries it
---@field bone? string By which bone

---How light becomes a picture. What is left out stays
---@class PostProcessOptions
---@field tone? "neutral"|"agx"|"aces"|"plain" Tone map: colours as painted (neutral), fading to white where it is bright (agx), cinema contrast (aces), cut off (plain); neutral
---@field shading? "physical"|"book" How surfaces take light: as their materials say (physical), or by the book's formula, for comparison (book); physical
---@field auto_exposure? boolean The picture finds its own brightness; false
---@field adapt_speed? number Of auto_exposure: how fast it goes (stops per second, 0 to 100); 2
---@field bloom? number Share of light scattered in the lens (0 to 1); 0.04
---@field occlusion? number Darkening of corners and creases (0 to 2); 1
---@field contact_shadows? number Length of the finest shadows; 0 for none (metres, 0 to 1); 0.1
---@field contrast? number Contrast; 0 is grey (0 to 4); 1
---@field saturation? number Strength of colours; 0 is grey (0 to 4); 1
---@field temperature? number From cold to warm (-1 to 1); 0
---@field tint? number From green to magenta (-1 to 1); 0
---@field shadows? vector Colour added to what is dark; (0, 0, 0)
---@field highlights? vector Colour that what is bright is multiplied by; (1, 1, 1)
---@field vignette? number Darkening towards the corners (0 to 1); 0

---Limbs that become bodies, and their control
---@class RagdollOptions
---@field bones? string|string[] A bone with a body (see `bodies`), or a list: these limbs and all below them; all
---@field power? number Strength of motors that pull the limbs to the pose of the clips (0 to 1); no motors: the limbs hang
---@field animated? boolean True to move the limbs as the clips do; they push other bodies; false
---@field pin? number Strength that holds powered hips at their pose in the clips (0 to 1); 1
---@field stiffness? number Frequency of a motor at full power (hertz, 0 to 60); 16
---@field strength? number Greatest torque of a motor per kilogram below it (newton metres, 0 or more); 12

---A wedge
---@class RampOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field at? vector Position of the centre; for stairs and ramps, of the beginning (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, that of its surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field solid? boolean False for a prop without a body; true
---@field size? vector Width, height and length, each 0.001 to 10000 (metres); (1, 1, 1)

---Random keys that a test presses
---@class RandomInputOptions
---@field seconds number Duration (seconds, 0 or more)
---@field keys? string[] Keys that are pressed and released; those bound to actions and axes
---@field check? fun() Called after each tick, for expectations that must always hold

---Filter of a ray
---@class RaycastOptions
---@field without? Character|Character[] A character to exclude, or a list of characters
---@field layers? string|string[] Names of the layers to include; all
---@field sensors? boolean True to include sensors; false
---@field exact? boolean True to test the visible triangles of characters and props, solid or not; false

---Options of `hero:reach`
---@class ReachOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field on? string Bone of the target character; its origin
---@field at? vector Position in the space of that bone (metres); its origin
---@field space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field yaw? number Rotation about the y axis of that bone, last (degrees); 0
---@field pitch? number Rotation about the bone's x axis, second (degrees); 0
---@field roll? number Rotation about the bone's z axis, first (degrees); 0
---@field turn? boolean The hand takes the rotation of the target, with yaw, pitch and roll; false
---@field pole? vector Direction in which the elbow or knee points, in the character's own space; as in the clip
---@field soft? number Share of the limb's length in which it slows down before it is stretched, and falls short of the target (0 to 1); 0
---@field limit? number Maximum angle of the upper bone from the middle of its range: for a human's arm ahead and to the side, else the direction at rest (degrees, 0 to 180); 125 for a human's arm, else 180
---@field body? boolean The body helps an arm that is too short: it turns, leans, bends the knees, rises on the toes; false
---@field step? boolean As `body`, and where that is not enough the character steps closer, up to 1.5 m; best with `feet`; false
---@field grip? number Amount by which the fingers of that hand close as it arrives (0 to 1); as they are
---@field palm? boolean The palm of a hand with fingers reaches the target, not the wrist; false
---@field radius? number With `palm`: distance from the palm to the middle of the held object, which is the target (metres, 0 to 1); what fits the hand
---@field bar? vector Axis of a bar in the target's space: a hand with fingers turns until the bar crosses the palm, and closes around it
---@field name? string Name of the modifier; the name of the limb

---Thresholds of a character's reactions to hits. An option that is left out keeps its value
---@class ReflexOptions
---@field hit? fun(hit: { bone: string?, position: vector, impulse: vector, damage: number, reaction: string }): (string|boolean)?|boolean Function to call before a hit takes effect; returns another reaction, or false to ignore the hit. It must not hit the same character. False removes the function
---@field flinch? number Least impulse per mass to flinch (metres per second, 0 or more); 0.01
---@field brace? number Least impulse per mass for the upper body to give way (metres per second, 0 or more); 0.35
---@field stagger? number Least impulse per mass to stagger (metres per second, 0 or more); 0.9
---@field fall? number Least impulse per mass to fall (metres per second, 0 or more); 1.9
---@field get_up? number|boolean False to stay down, or the time of stillness until the character gets up by itself, which disturbances prolong (the event `rest` comes after 0.25 s) (seconds, 0 or more); 0.6
---@field touches? boolean True if bodies that collide with the character hit it, as `hit` does; true while limbs are bodies

---What a rig lights
---@class RigOptions
---@field at? vector The middle of what is lit (metres); (0, 0.95, 0), or the character's middle
---@field character? Character Who is lit: gives at, yaw and size
---@field yaw? number Direction in which the front looks (degrees); 0, or the character's
---@field size? number Height of what is lit (metres, 0.001 to 10000); 1.8, or the character's
---@field strength? number Factor on all light (0 to 10000); 1

---A rope
---@class RopeOptions
---@field stretch? number Elasticity: 0 none, 1 rubber (0 to 1); 0
---@field stiffness? number Bending stiffness: 0 silk, 1 felt (0 to 1); 0.2
---@field drag? number Fraction of speed lost per second; at most 60 (0 or more); 0.6
---@field friction? number Coefficient of friction on bodies and the floor (0 or more); 0.4
---@field wind? number Factor on the wind (0 or more); 1
---@field gravity? number Factor on gravity (-10 to 10); 1
---@field thickness? number Distance to bodies (metres, 0 or more); 0.015; for a rope, `radius`
---@field collide? Character|Character[] A character, or a list of up to 16 characters, to collide with
---@field solids? FabricObstacle[] Up to 64 other shapes to collide with: { at, radius }, { from, to, radius } or { at, size, yaw }
---@field floor? boolean True to collide with the floor; true
---@field from? vector|BoneHolder Beginning: a position, or a bone or rigid body that holds it (metres); (0, 2, 0)
---@field to? vector|BoneHolder End: a position, or a bone or rigid body that holds it. Bodies that move freely hang on the rope and pull at each other (metres); the end hangs free
---@field length? number Length; at least the distance between the ends (metres, more than 0); 1.05 times the distance between the ends, or 1
---@field radius? number Radius (metres, more than 0); 0.02
---@field links? number Number of particles along the rope (2 to 256); 20
---@field end_weight? number Mass of the last link relative to the others, clamped to 0.1 to 100 (0 or more); 1
---@field color? vector Linear colour; (0.3, 0.2, 0.1)
---@field roughness? number Roughness of the material (0 to 1); 0.9
---@field name? string Name; also identifies the cloth or rope over a hot reload

---A line is over
---@class SaidEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field line number number of the line
---@field reason string why
---@field at number seconds of the line that were spoken

---A line begins
---@class SayEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field line number number of the line
---@field text string what is said
---@field seconds number how long it takes

---A line as a table, whose first entry may be a sound file
---@class SayLine
---@field text? string Text with marks, which gives timing and caption
---@field sound? string Sound file of the project; may be the first entry instead: say { "line.ogg", text = … }
---@field language? string Language of the text: a name or code such as "es"; the default set by `language`, else English
---@field caption? string|boolean Name of the speaker in the caption; false for no caption; the character's name, if it has one
---@field when? "queue"|"interrupt"|"overlap"|"drop" Behaviour while the character speaks: wait, replace the line from the next phrase on, speak at the same time, or drop the new line; "queue"
---@field delay? number Delay before the line (seconds, 0 to 600); 0
---@field gain? number Factor on the amplitude, after `level` (0 to 16); 1
---@field level? boolean Levels all lines to the same loudness; true
---@field rate? number Speech rate of a line without a sound (0.3 to 3); 1
---@field voice? string|boolean espeak-ng voice of a line without a sound, such as "en-us+f3", if espeak-ng is installed; false for none; the voice in galatea.toml
---@field track? TrackRow[] Events of the line in addition to its marks: { { "smile", at = "you", seconds = 1 }, { gesture = "nod", at = 0.4 } }
---@field lipsync? "auto"|"live"|"amplitude" Lip-sync method of a recorded line: "auto" uses the timing file of the same name if there is one, else sound and text; "live" works as for a microphone; "amplitude" uses loudness alone, in the book's bands; "auto"
---@field strength? number Factor on the movement of the mouth (0 to 2); 1
---@field [integer] string

---Content and delivery of a line
---@class SayOptions
---@field text? string Text with marks, which gives timing and caption
---@field sound? string Sound file of the project; may be the first entry instead: say { "line.ogg", text = … }
---@field language? string Language of the text: a name or code such as "es"; the default set by `language`, else English
---@field caption? string|boolean Name of the speaker in the caption; false for no caption; the character's name, if it has one
---@field when? "queue"|"interrupt"|"overlap"|"drop" Behaviour while the character speaks: wait, replace the line from the next phrase on, speak at the same time, or drop the new line; "queue"
---@field delay? number Delay before the line (seconds, 0 to 600); 0
---@field gain? number Factor on the amplitude, after `level` (0 to 16); 1
---@field level? boolean Levels all lines to the same loudness; true
---@field rate? number Speech rate of a line without a sound (0.3 to 3); 1
---@field voice? string|boolean espeak-ng voice of a line without a sound, such as "en-us+f3", if espeak-ng is installed; false for none; the voice in galatea.toml
---@field track? TrackRow[] Events of the line in addition to its marks: { { "smile", at = "you", seconds = 1 }, { gesture = "nod", at = 0.4 } }
---@field lipsync? "auto"|"live"|"amplitude" Lip-sync method of a recorded line: "auto" uses the timing file of the same name if there is one, else sound and text; "live" works as for a microphone; "amplitude" uses loudness alone, in the book's bands; "auto"
---@field strength? number Factor on the movement of the mouth (0 to 2); 1

---The area and the fading of a scent field
---@class ScentFieldOptions
---@field at? vector Middle of the field (metres); (0, 0, 0)
---@field size? vector Extent along x and z (metres); (40, 0, 40)
---@field cell? number Side of a cell (metres, 0.05 to 10); 0.25
---@field half_life? number Time in which half of the scent fades (seconds, 0.01 to 1000000); 30
---@field spread? number Fraction of each cell that spreads to its neighbours (per second, 0 to 1); 0.05
---@field name? string Identifies the field over a reload; order of creation

---How a play goes to another time
---@class SeekOptions
---@field fire? boolean Tells the marks that are jumped over, as if played; false

---Lifetime of an event
---@class SendOptions
---@field within? number Time to wait for a transition; 0 is the next tick only (seconds, 0 or more); 0

---Shape and filter of a query
---@class ShapeQueryOptions
---@field without? Character|Character[] A character to exclude, or a list of characters
---@field layers? string|string[] Names of the layers to include; all
---@field sensors? boolean True to include sensors; false
---@field shape? "sphere"|"box"|"capsule" Shape; sphere
---@field radius? number Radius of a sphere or a capsule (metres); 0.25
---@field height? number Height of a capsule from end to end (metres); 1
---@field size? vector Edge lengths of a box (metres); (1, 1, 1)
---@field yaw? number Rotation about +Y (degrees); 0

---Timing, intensity and side of an expression
---@class ShowOptions
---@field intensity? number Intensity (0 to 1); 1, of a micro-expression 0.5
---@field onset? number Fade-in time (seconds, 0 to 10000); 0.3, of a micro-expression 0.06
---@field hold? number|boolean Time at full intensity; `true` until it is stopped (seconds, 0 to 10000); 1.2, of a micro-expression 0.06
---@field release? number Fade-out time (seconds, 0 to 10000); 0.5, of a micro-expression 0.08
---@field side? "left"|"right"|number "left", "right", or a number from -1 (left) to 1 (right) (-1 to 1); both
---@field micro? boolean A micro-expression: 0.2 s in all, at half intensity; false
---@field owner? "mood"|"script" "mood" is mixed below speech and blinks, "script" overrides everything else; "mood"

---Options of `hero:sit`
---@class SitOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field on? string Bone of the target character; its origin
---@field at? vector Position in the space of that bone (metres); its origin
---@field space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field lean? number Angle by which the trunk leans forward while the character sits down (degrees, 0 to 80); 35

---Colours of the sky. What is left out stays
---@class SkyOptions
---@field zenith? vector Linear colour straight above
---@field horizon? vector Linear colour at the horizon
---@field ground? vector Linear colour of the light from below
---@field seamless? boolean The floor runs up into what stands behind, as paper in a studio; else it ends at a horizon. Rigs of a studio set it

---Position of a smart object, its slots, and the actions of its users
---@class SmartObjectOptions
---@field at? vector Position (metres); (0, 0, 0)
---@field yaw? number Direction, from +Z to +X (degrees); 0
---@field slots? (vector|ObjectSlotOptions)[] Slots, up to 64, one for each user: positions in the object's space (x to its left, z ahead), or { at = …, yaw = … } with the user's direction; one, at the object
---@field clip? string|string[] Clip that users play, or a list, of which one follows another at random
---@field intro? string Clip that comes before it
---@field outro? string Clip that comes after it
---@field reaches? ObjectReachesOptions Goals of the limbs of users that are characters (see `near` of a crowd), { right_hand = vector.create(-0.2, 1.1, 0.45) }
---@field once? boolean The use is over when the clip is; false
---@field lasts? number|number[] Time of a use, one number or { low, high } for a random one (seconds, 0 to 1000000); until `people:leave`
---@field radius? number Distance within which it attracts agents (metres, 0 to 1000); 4
---@field draws? number Probability that it attracts one of the agents within `radius` (per second, 0 to 1); 0
---@field line? vector|ObjectLineOptions Head of the waiting line: a position in the object's space, or { at = …, yaw = …, gap = 0.8 }; the line leads back from there, and waiting agents look along `yaw`; no line
---@field force? number Speed by which it pushes agents at its middle, less the farther; less than 0 attracts them (metres per second, -100 to 100); 0
---@field reach? number Distance to which it pushes (metres, 0.01 to 1000); 2
---@field enter? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent begins to use it
---@field update? fun(object: SmartObject, crowd: Crowd, agent: number, dt: number) Called every `every` seconds with the time since the last call, in seconds
---@field every? number Time from one `update` to the next (seconds, 0.001 to 1000); 0.25
---@field leave? fun(object: SmartObject, crowd: Crowd, agent: number) Called when an agent is done with it
---@field name? string Identifies the object over a reload; order of creation

---Rigid body of a character or a prop
---@class SolidOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field size? vector Edge lengths of a box, each more than 0 (metres); those of the model at rest; (1, 1, 1) for a part
---@field radius? number Radius of a sphere, a capsule or a cylinder (metres, more than 0); that of the model at rest; 0.5 for a part
---@field height? number Height of a capsule or a cylinder from end to end (metres, more than 0); that of the model at rest; 1 for a part
---@field at? vector Centre in the character's space (metres); that of the model at rest; (0, 0, 0) for a part
---@field shape? "auto"|"box"|"sphere"|"capsule"|"cylinder"|"hull"|"mesh" Shape; auto is hull for a dynamic body, else mesh; auto
---@field parts? SolidPart[] Several shapes instead of one, 1 to 256
---@field surfaces? { [string]: string } Names of surfaces by the names of a mesh's materials: { Ice = "ice" }. Other materials have `surface`

---One of several shapes of a rigid body
---@class SolidPart
---@field size? vector Edge lengths of a box, each more than 0 (metres); those of the model at rest; (1, 1, 1) for a part
---@field radius? number Radius of a sphere, a capsule or a cylinder (metres, more than 0); that of the model at rest; 0.5 for a part
---@field height? number Height of a capsule or a cylinder from end to end (metres, more than 0); that of the model at rest; 1 for a part
---@field at? vector Centre in the character's space (metres); that of the model at rest; (0, 0, 0) for a part
---@field shape? "box"|"sphere"|"capsule"|"cylinder" Shape; box
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0

---How a sound is played
---@class SoundOptions
---@field at? vector Where it is heard from; without it, as recorded (metres)
---@field gain? number Factor on the amplitude (0 to 16); 1
---@field pitch? number Factor on speed and pitch (0.0625 to 16); 1
---@field loop? boolean Starts again at its end, until stopped or until the script is saved; false
---@field duck? number Factor on it while somebody speaks: music gives way to lines with 0.35 (0 to 1); 1
---@field delay? number Time until it begins (seconds, 0 to 600); 0

---A sphere
---@class SphereOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field at? vector Position of the centre; for stairs and ramps, of the beginning (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, that of its surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field solid? boolean False for a prop without a body; true
---@field radius? number Radius (metres, 0.001 to 10000); 0.5

---A spot light
---@class SpotLightOptions
---@field at? vector Where it is; when it is carried, in the bone's space (metres); (0, 2, 1), carried (0, 0, 0)
---@field color? vector Linear colour; (1, 1, 1)
---@field strength? number Light on what faces it from 1 m; 4 is as the sun at noon (0 or more); 4
---@field range? number Distance at which its light has ended (metres, 0 or more); 10
---@field radius? number Size of what glows: softness of its shadows (metres, 0 or more); 0.05
---@field shadows? boolean Things throw shadows from it; true
---@field character? Character Who carries it
---@field bone? string By which bone
---@field target? vector What it shines at (metres)
---@field direction? vector Along which it shines, in place of target; in the bone's space when it is carried; (0, -1, 0)
---@field outer? number Angle from its middle to where its light has ended (degrees, 1 to 85); 35
---@field inner? number Angle from its middle to where its light begins to fall (degrees); two thirds of outer

---Spring bones
---@class SpringOptions
---@field stiffness? number Strength of the return to the pose; 4 is strong (0 or more); 1
---@field drag? number Fraction of speed lost per 1/60 s (0 to 1); 0.4
---@field gravity? number Strength of gravity, relative to `stiffness`; 0
---@field radius? number Collision radius of the end of each bone (metres, 0 or more); 0.02
---@field wind? number Factor on the wind (0 or more); 0.2
---@field limit? number Greatest angle between a bone and its pose; at most 180 (degrees, 0 or more); 120
---@field center? string Bone whose motion has no effect on the springs; none
---@field collide? boolean True to keep the ends of bones out of the character's own body (see `bodies`); false
---@field weight? number Blend weight (0 to 1); 1

---Stairs
---@class StairsOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field at? vector Position of the centre; for stairs and ramps, of the beginning (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, that of its surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field solid? boolean False for a prop without a body; true
---@field steps? number Number of steps (1 to 256); 8
---@field width? number Width (metres, 0.001 to 10000); 2
---@field rise? number Height of a step (metres, 0.001 to 10000); 0.17
---@field run? number Depth of a step (metres, 0.001 to 10000); 0.29

---A state is entered or left, or its clip has ended
---@class StateEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field from? string of enter: the state before
---@field to? string of exit: the state after

---A foot is put on the ground
---@class StepEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field clip? string of a mark: name of the clip
---@field foot? string name of the leg
---@field position vector where, in the world, metres
---@field normal? vector normal of the ground
---@field speed? number of the foot itself, metres per second
---@field weight number 0 to 1
---@field surface string what the surface is made of, or ""
---@field next? vector where it will be put next, metres
---@field next_in? number seconds until then
---@field source string "feet", or what plays the clip with the mark
---@field [string] any fields of its own

---A thing that sticks went into something
---@class StickEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field other? Character the other character or prop
---@field bone? string the bone of the other that it is held by
---@field position vector where, in the world, metres
---@field speed number metres per second

---Options of `hero:strafe`. Fields left out keep their values
---@class StrafeOptions
---@field weight? number Weight of the modifier in the pose (0 to 1); 1
---@field fade? number Time to fade in and out (seconds, 0 to 1000); 0.25
---@field curve? string Name of a curve of the clips, which multiplies the weight
---@field within? number Distance from the camera beyond which the modifier is off (metres, 0 or more); everywhere
---@field most? number Maximum angle of the hips to the direction in which the character looks; beyond it the character walks backwards (degrees, 0 to 180); 100
---@field spine? number Share of the hips' angle that the spine turns back (0 to 1); 1
---@field smooth? number Smoothing time of the hips (seconds, 0 to 10); 0.12

---Where the sun stands and how it shines. What is left out stays
---@class SunOptions
---@field yaw? number Direction that it shines from, about +Y; 0 is from +Z (degrees)
---@field pitch? number Height above the horizon (degrees, 0 to 90)
---@field color? vector Linear colour
---@field strength? number Factor on the colour; noon is about 3.4 (0 or more)
---@field width? number How soft its shadows are; 2 is thin haze (degrees, 0 to 20)

---Properties of a surface. An option that is left out keeps its value
---@class SurfaceOptions
---@field friction? number Coefficient of friction between two such surfaces; for different surfaces the geometric mean applies (0 or more)
---@field bounce? number Coefficient of restitution; for different surfaces the greater applies (0 to 1)
---@field sound? string Name of the set of sounds, which is part of events; the name of the surface

---A height field
---@class TerrainOptions
---@field mass? number Mass, which makes the body dynamic (kilograms, more than 0); volume times density
---@field density? number Density, instead of a mass (kilograms per cubic metre, more than 0); 500
---@field motion? "static"|"dynamic"|"moved" Kind of body: static does not move, dynamic falls and is pushed, moved is kinematic: scripts set its position, and it pushes others, as a lift does; dynamic with a mass or a density, else static
---@field surface? string Name of the surface, see `physics.surface`; stone
---@field friction? number Coefficient of friction (0 or more); that of the surface
---@field bounce? number Coefficient of restitution (0 to 1); that of the surface
---@field layer? string Collision layer, see `physics.layer`; world if static, else props
---@field sensor? boolean True for a sensor: it emits touch events and stops nothing; false
---@field gravity? number Factor on gravity; 1
---@field damping? number Fraction of speed lost per second (0 or more); 0
---@field spin_damping? number Fraction of angular speed lost per second (0 or more); 0.1
---@field bullet? boolean True for continuous collision detection: a fast body never passes through thin ones; false
---@field sticks? boolean True to stick in the first body that the tip hits, as an arrow does. Capsules of controllers do not stop it. Emits the event `stick`; false
---@field upright? boolean True to prevent rotation; false
---@field velocity? vector Initial velocity (metres per second); (0, 0, 0)
---@field spin? vector Initial angular velocity about the world's axes (degrees per second); (0, 0, 0)
---@field at? vector Position of the centre; for stairs and ramps, of the beginning (metres); (0, 0, 0)
---@field yaw? number Rotation about +Y, applied last (degrees); 0
---@field pitch? number Rotation about the x axis, applied second (degrees); 0
---@field roll? number Rotation about the z axis, applied first (degrees); 0
---@field name? string Name; also identifies the prop over a hot reload
---@field color? vector Linear colour; grey; for terrain, that of its surface
---@field roughness? number Roughness of the material (0 to 1); 0.62
---@field metallic? number Metalness of the material (0 to 1); 0
---@field solid? boolean False for a prop without a body; true
---@field size? vector Size in metres along x and z, and in y the factor on heights; each 0.001 to 10000; (10, 1, 10)
---@field heights? fun(x: number, z: number): number|number[][]|buffer|string Heights, 4 to 262144: a function of x and z in metres from the centre; a list of rows along z with heights along x; a buffer of 32-bit floats, row after row; or the path of a picture, whose red is a height from 0 to 1 at full bit depth; flat
---@field columns? number Number of heights along x (2 to 262144); as in the list or the picture; 65 for a function; 2 without heights
---@field rows? number Number of heights along z (2 to 262144); as in the list or the picture; 65 for a function; 2 without heights
---@field surfaces? fun(x: number, z: number): string?|string[][] Names of the surfaces of cells, of which each is between four heights: a function of x and z of a cell's centre, which returns nil for `surface`, or a list of rows of names. They decide friction and bounce
---@field colors? { [string]: vector } Linear colours by the names of surfaces; they blend between cells; that of each surface

---Something solid touches the character, or no longer does
---@class TouchEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field other? Character the other character or prop
---@field sensor boolean one of the two is a sensor
---@field position vector where, in the world, metres
---@field normal vector normal of the surface there
---@field speed number metres per second
---@field impulse number newton seconds
---@field surface string what the surface is made of, or ""

---An event of a line. An expression may be the first entry instead of `show`
---@class TrackRow
---@field at? number|string Start: seconds, or a word of the text; 0
---@field show? string Expression; may be the first entry instead: { "smile", at = 0.4 }
---@field look? string Gaze target: a name, "camera" or "away"
---@field gesture? string A clip, or a head movement: beat, nod, shake, tilt. Its stroke is at the stress of the word, or at that second
---@field mood? string New mood
---@field blink? boolean Blinks; false
---@field event? string Name of a cue for the script
---@field fields? { [string]: string|number|boolean } Fields of the cue
---@field cut? boolean Allows an interruption here; false
---@field seconds? number Duration (seconds, 0 to 600)
---@field strength? number Intensity (0 to 1)
---@field chance? number Probability (0 to 1); 1
---@field delay? number Offset in time (seconds, -60 to 60); 0
---@field [integer] string

---Conditions and fade of a transition. All conditions that are given must hold
---@class TransitionOptions
---@field from? string|string[] Source state or states; "*" is any state, the target included only with `on`. A source that is the target is entered again; "*"
---@field when? string|fun(params: { [string]: number|boolean }): boolean? Condition as text, "speed > 0.1", or a function of the parameters without side effects
---@field on? string Event of machine:send
---@field done? boolean Waits for the end of the state's clip, if that is played once; false
---@field after? number Minimum time in the state (seconds, 0 or more); 0
---@field exit? number Fraction of the clip that must be passed (0 to 1)
---@field passing? string|{ [number | string]: string|number|boolean } Mark of the clip that must be passed: its name, or { name, foot = "left" }
---@field priority? number Transitions of higher priority are evaluated first; 0
---@field interrupt? "always"|"higher"|"never" Transitions that may interrupt its fade: all, those of higher priority, or none; "always"
---@field travel? boolean Allows machine:travel to use it; true
---@field outro? boolean Plays the state's `outro` first; true
---@field fade? number|MachinePiece Cross-fade in seconds, or inertial(seconds); 0.2
---@field ease? "linear"|"smooth"|"smoother"|"in"|"out"|"in_out"|"cosine"|"step" Easing curve of the cross-fade; "smooth"
---@field start? number|"start"|"phase"|{ share: number }|{ mark: string, index: number?, [string]: string|number|boolean } Start in the clip of the target: seconds, "start", "phase", { share = 0.5 } or { mark = "step", foot = "left", index = 1 }; in step if both clips have steps, else "start"

---A layer of a machine
---@class TravelOptions
---@field layer? string Name of the layer; the first one

---Options of turning on the spot
---@class TurnInPlaceOptions
---@field left? string A clip that turns to the left, or a state of one clip; a clip with such a name, else steps by `feet`
---@field right? string A clip that turns to the right, or a state of one clip; without it the other is mirrored; a clip with such a name, else steps by `feet`
---@field rate? number Maximum angular speed, without a clip (degrees per second, 1 to 7200); 110
---@field acceleration? number Angular acceleration, without a clip (degrees per second squared, 1 to 7200); 300

---A turn: the name of the speaker, then the line as in `say`
---@class TurnOptions
---@field p? number Probability (0 to 1); 1
---@field to? string Name of the addressee, or "all"; the previous speaker, else the next
---@field gap? number Pause after the previous turn (seconds, 0 to 600); about 0.2
---@field overlap? number Overlap with the previous turn (seconds, 0 to 600)
---@field interrupts? "now"|"word"|"phrase"|boolean Interrupts the previous speaker now, or at the end of the word or the phrase; true is the phrase; false
---@field after? number|string Point of the previous line to interrupt it at, only with `interrupts`: seconds, or a word (0 to 600); about 6/10 of the line
---@field resumes? boolean Resumes the speaker's own interrupted line; false
---@field [integer] string|SayLine

---A bar over the picture
---@class UiBarOptions
---@field at? vector Points to the right (x) and down (y) from its anchor, or from its place in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right" The corner, edge or middle of the picture from which at counts, and which of its own lies there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number How opaque it is (0 to 1); 1
---@field visible? boolean It is seen; true
---@field layer? number Higher ones lie over lower ones, later ones over earlier ones (-1000000 to 1000000); 0
---@field world? vector The place in the world at which it is seen (metres)
---@field character? Character Whom it follows, in place of world
---@field bone? string Which bone of the character; without it, where the character stands
---@field offset? vector Way from there along the axes of the world (metres); (0, 0, 0)
---@field size_at? number In the world: distance from the camera at which it has its size, farther away it is smaller; without it always the same (metres, 0.01 or more)
---@field gone_at? number In the world: distance from the camera at which it has faded away, beginning at two thirds (metres, 0.01 or more)
---@field width? number Width (points, 0 to 10000); 200
---@field height? number Height (points, 0 to 10000); 16
---@field round? number Radius of its corners (points, 0 to 100); half its height
---@field back? vector Linear colour of what is not filled; (0.02, 0.02, 0.03)

---A rectangle over the picture
---@class UiBoxOptions
---@field at? vector Points to the right (x) and down (y) from its anchor, or from its place in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right" The corner, edge or middle of the picture from which at counts, and which of its own lies there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number How opaque it is (0 to 1); 1
---@field visible? boolean It is seen; true
---@field layer? number Higher ones lie over lower ones, later ones over earlier ones (-1000000 to 1000000); 0
---@field world? vector The place in the world at which it is seen (metres)
---@field character? Character Whom it follows, in place of world
---@field bone? string Which bone of the character; without it, where the character stands
---@field offset? vector Way from there along the axes of the world (metres); (0, 0, 0)
---@field size_at? number In the world: distance from the camera at which it has its size, farther away it is smaller; without it always the same (metres, 0.01 or more)
---@field gone_at? number In the world: distance from the camera at which it has faded away, beginning at two thirds (metres, 0.01 or more)
---@field width? number Width (points, 0 to 10000); 200
---@field height? number Height (points, 0 to 10000); 100
---@field round? number Radius of its corners (points, 0 to 100); 0
---@field border? vector Linear colour of a line around it

---An image over the picture. With one of width and height the other follows
---@class UiImageOptions
---@field at? vector Points to the right (x) and down (y) from its anchor, or from its place in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right" The corner, edge or middle of the picture from which at counts, and which of its own lies there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number How opaque it is (0 to 1); 1
---@field visible? boolean It is seen; true
---@field layer? number Higher ones lie over lower ones, later ones over earlier ones (-1000000 to 1000000); 0
---@field world? vector The place in the world at which it is seen (metres)
---@field character? Character Whom it follows, in place of world
---@field bone? string Which bone of the character; without it, where the character stands
---@field offset? vector Way from there along the axes of the world (metres); (0, 0, 0)
---@field size_at? number In the world: distance from the camera at which it has its size, farther away it is smaller; without it always the same (metres, 0.01 or more)
---@field gone_at? number In the world: distance from the camera at which it has faded away, beginning at two thirds (metres, 0.01 or more)
---@field width? number Width (points, 0 to 10000)
---@field height? number Height (points, 0 to 10000)

---A text over the picture
---@class UiTextOptions
---@field at? vector Points to the right (x) and down (y) from its anchor, or from its place in the world; (0, 0, 0)
---@field anchor? "top_left"|"top"|"top_right"|"left"|"centre"|"right"|"bottom_left"|"bottom"|"bottom_right" The corner, edge or middle of the picture from which at counts, and which of its own lies there; "top_left", in the world "bottom"
---@field color? vector Linear colour; (1, 1, 1)
---@field opacity? number How opaque it is (0 to 1); 1
---@field visible? boolean It is seen; true
---@field layer? number Higher ones lie over lower ones, later ones over earlier ones (-1000000 to 1000000); 0
---@field world? vector The place in the world at which it is seen (metres)
---@field character? Character Whom it follows, in place of world
---@field bone? string Which bone of the character; without it, where the character stands
---@field offset? vector Way from there along the axes of the world (metres); (0, 0, 0)
---@field size_at? number In the world: distance from the camera at which it has its size, farther away it is smaller; without it always the same (metres, 0.01 or more)
---@field gone_at? number In the world: distance from the camera at which it has faded away, beginning at two thirds (metres, 0.01 or more)
---@field size? number Height of its letters (points, 4 to 300); 24
---@field width? number Width at which lines are broken; without it where the text is (points, 1 or more)
---@field align? "left"|"centre"|"right" Where short lines stand; as the anchor is
---@field outline? number Black around the letters (points, 0 to 8); 0
---@field shadow? boolean Black below the letters; false
---@field background? vector Linear colour of a box behind them

---A character uses a thing; used: the thing is used
---@class UseEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field other? Character the other character or prop
---@field handle string name of the handle
---@field phase string how far it is

---Options of `act:use`
---@class UseOptions
---@field hold? number|fun(): any Seconds for which the hand holds on, or a function that is called every tick and returns true at the end; the time between the marks of the handle's clip, or the handle's own
---@field speed? number Speed of the walk to the handle (metres per second, 0.01 or more); 1.4
---@field walk? boolean The character walks to the handle; false: it reaches from where it is; true

---Options of `act:wait`
---@class WaitOptions
---@field within? number Time after which the act continues in any case (seconds); no limit
---@field of? Character Character that emits the event; the act's own character

---Options of `act:wait_until`, and of `act:wait` among others
---@class WaitUntilOptions
---@field within? number Time after which the act continues in any case (seconds); no limit

---The controller jumped, fell, landed, stepped up, slid or met something
---@class WalkEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field speed? number of jump, land and bump, metres per second
---@field height? number of land and step_up, metres
---@field slope? number of slide, degrees
---@field other? Character the other character or prop
---@field position? vector where, in the world, metres
---@field normal? vector normal of the surface there
---@field surface? string what the surface is made of, or ""
---@field source string "controller"

---Options of `act:walk_to`
---@class WalkToOptions
---@field on? string Bone of the target character; its origin
---@field at? vector Position in the space of that bone (metres); its origin
---@field space? "world"|"character" Space of a target that is a vector: the world, or the character's own space; world
---@field speed? number Speed of the walk (metres per second, 0.01 or more); 1.4
---@field near? number Distance from the target at which the walk ends (metres, 0.005 or more); 0.12
---@field yaw? number Direction about +Y to which the character turns at the end (degrees); no turn
---@field give_up? number Time without progress after which the character gives up (seconds, 0.1 or more); 1.5

---A motion warp is over
---@class WarpEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field reason string why

---Options of `hero:warp`, of which `to`, `yaw` or both are given
---@class WarpOptions
---@field to? vector Position of arrival in the world (metres); as far as the clips go
---@field yaw? number Direction about +Y on arrival (degrees); as the clips turn
---@field within number Time from now, more than 0 and at most 60 (seconds)

---Wind over the stage
---@class WindOptions
---@field direction? vector Direction of the wind; as before, +X at first
---@field speed? number Speed: 2 is a breeze, 8 lifts a cape; at most 100 (metres per second, 0 or more); 4
---@field gusts? number Strength of gusts relative to the speed; at most 4 (0 or more); 0.5
---@field size? number Distance between gusts, clamped to 0.1 to 1000 (metres, 0 or more); 4

---A word of a line begins
---@class WordEvent
---@field name string name of the event
---@field time number when it was, in seconds of the stage
---@field character Character whose event it is
---@field state? string the state of the machine that it is about
---@field layer? string the layer of that state
---@field line number number of the line
---@field word string the word
---@field index number its number in the line
---@field seconds number how long it takes

---Begins an act that belongs to no character, see `character:act`.
---@param run fun(act: Act): any
---@return Act
function act(run) end

---Gives off particles at a place, or where a hit of `physics.raycast` or an event is: "dust", "smoke", "breath", "blood", "drips", "splash", "sparks", "embers", "motes", "chips", "snow", or "plain" to make a kind of one's own from. Options change what the kind has. Those that are given off at once are over by themselves. 256 emitters and 16384 particles may be on a stage.
---@param kind string
---@param where vector|{ position: vector }|{ at: vector }
---@param options? ParticleOptions
---@return Particles
function particles(kind, where, options) end

---Puts many people on the stage who walk to where they are sent, around each other, around characters and walls. They share bodies and poses, so that thousands cost little; each has its own place, pace, size and moment of its steps. 64 crowds with 20000 people may be on a stage.
---@param options CrowdOptions
---@return Crowd
function crowd(options) end

---Puts something on the stage that knows how people of crowds use it: they come, by chance where it `draws`, or sent by `people:use`; take a slot or wait in its line; act there what it says, and go on as before. Who uses it goes along when it moves. It is seen by nobody: put a model there.
---@param options SmartObjectOptions
---@return SmartObject
function smart_object(options) end

---Puts a flock on the stage: birds, or fish. Each keeps away from those near, flies as they do, and to their middle; over the ground, around what stands there, and back home. 64 flocks with 20000 may be on a stage.
---@param options FlockOptions
---@return Flock
function flock(options) end

---Measures crowds from now on: flow across lines, density in agents per square metre, bottlenecks, and when the area is empty. It needs no picture: it works in `galatea test` and `galatea record --no-pictures`.
---@param options CrowdStatsOptions
---@return CrowdStats
function crowd_stats(options) end

---Creates a grid of scent on the ground that fades, like the scent of ants. Agents of crowds in states with `lays` leave scent where they walk; agents in states with `tracks` turn to the stronger scent.
---@param options ScentFieldOptions
---@return ScentField
function scent_field(options) end

---Creates a navigation mesh of the floor, static bodies, levels and terrain. Agents climb steps and slopes; the inside of closed solids is not walkable. The mesh is baked in the next tick. Crowds use it with `crowd { paths = … }`; `find` returns paths for everybody else. The limit is 16 meshes.
---@param options NavmeshOptions
---@return Navmesh
function navmesh(options) end

---Puts a character on the stage. Options stand with the file in brackets; where, how large and how it looks may follow the file instead: `character "a.glb" { at = … }`. `name`, `clips` and how it is skinned decide what is made, and cannot follow. A file that is first asked for while the scene runs is loaded then, and the picture waits for it; name it in the main part to have it ready.
---@param file string
---@param options? CharacterOptions
---@return Character
function character(file, options) end

---Returns a table that keeps its values over a reload. Defaults that are new are added.
---@param name string
---@param defaults? { [string]: any }
---@return { [string]: any }
function keep_on_reload(name, defaults) end

---Seconds since the start; inside a listener, the event's own time.
---@return number
function now() end

---Returns a random number from low (0) up to high (1). The sequence is the same in every run.
---@param low? number
---@param high? number
---@return number
function random_range(low, high) end

---Writes values to the terminal, separated by tabs.
function print(...) end

---Draws skeletons over the picture, or not.
---@param visible? boolean
function show_bones(visible) end

---Draws characters with a debug view instead of their materials; without a name, draws their materials again.
---@param name? "skeleton"|"weights"|"wireframe"|"normals"|"tangents"|"uv"|"overdraw"|"bounds"|"bodies"|"light"|"morphs"|"unlit"|"roughness"|"metallic"|"occlusion"|"depth"|"springs"
---@param options? DebugViewOptions
function debug_view(name, options) end

---The wind over the whole stage, which springs, ropes, cloth and hair feel. It is still at first; chance in its gusts is the same in every run.
---@param options WindOptions
function wind(options) end

---Makes a rope, as a character of its own with the material "rope" and the bones `link_0`, `link_1`, …, `end`, on which lamps and things can hang. A rigid body at an end is carried by the other end, and two bodies pull at each other.
---@param options RopeOptions
---@return Character
function rope(options) end

---Makes a square of cloth, as a character of its own with the material "cloth" and a bone for each particle, `c0_r0` (column, row) and so on. Where it is not held by others its pins go along with it. 64 ropes and pieces of cloth with 8192 particles may be on a stage.
---@param options ClothOptions
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
---@field speed number How fast its controller goes over the ground, m/s; 0 without one and while the character is `down`.
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
---@param options? PlayOptions
---@return Play
function Character:play(clip, options) end

---Marks a time on a clip, also while that plays. The event fires when the clip's playing passes it, exactly once each time. A character may have 1024 of them. A field `foot = "left"` or `bone = "hand"` says where it is; a field `length`, in seconds, makes it an interval that begins and ends.
---@param clip string
---@param seconds number
---@param event string
---@param fields? { [string]: number|string|boolean }
---@return Mark
function Character:mark(clip, seconds, event, fields) end

---Calls a function with each event of this name: a mark, or `enter`, `exit` and `end` of states, `warp` at the end of one, or `*` for all. The event has `name`, `time`, `character`; states `state`, `layer`, and `from` or `to`; marks their own fields and `clip`, `weight`, `position`, `surface`, `source` ("machine" with `state` and `layer`, "play" or "idle"), `edge` ("point", "begin" or "end" with `cut` when it ended early), `reverse`, and `share`, the part of the tick at which it was passed. Where clips blend only the one that shows most tells its marks. A model or a script that is saved ends, with `cut`, the intervals that it has no more. All is told when the tick is done, in order of time; at one time what was interrupted, states left, states entered, marks, what was played to its end.
---@overload fun(self: Character, event: "enter"|"exit"|"end", listener: fun(event: StateEvent)): Listener
---@overload fun(self: Character, event: "enter"|"exit"|"end", options: ListenOptions, listener: fun(event: StateEvent)): Listener
---@overload fun(self: Character, event: "warp", listener: fun(event: WarpEvent)): Listener
---@overload fun(self: Character, event: "warp", options: ListenOptions, listener: fun(event: WarpEvent)): Listener
---@overload fun(self: Character, event: "touch"|"touch_end", listener: fun(event: TouchEvent)): Listener
---@overload fun(self: Character, event: "touch"|"touch_end", options: ListenOptions, listener: fun(event: TouchEvent)): Listener
---@overload fun(self: Character, event: "stick", listener: fun(event: StickEvent)): Listener
---@overload fun(self: Character, event: "stick", options: ListenOptions, listener: fun(event: StickEvent)): Listener
---@overload fun(self: Character, event: "hit", listener: fun(event: HitEvent)): Listener
---@overload fun(self: Character, event: "hit", options: ListenOptions, listener: fun(event: HitEvent)): Listener
---@overload fun(self: Character, event: "down"|"rest"|"get_up"|"stand"|"die", listener: fun(event: BodyEvent)): Listener
---@overload fun(self: Character, event: "down"|"rest"|"get_up"|"stand"|"die", options: ListenOptions, listener: fun(event: BodyEvent)): Listener
---@overload fun(self: Character, event: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", listener: fun(event: WalkEvent)): Listener
---@overload fun(self: Character, event: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", options: ListenOptions, listener: fun(event: WalkEvent)): Listener
---@overload fun(self: Character, event: "step", listener: fun(event: StepEvent)): Listener
---@overload fun(self: Character, event: "step", options: ListenOptions, listener: fun(event: StepEvent)): Listener
---@overload fun(self: Character, event: "use"|"used", listener: fun(event: UseEvent)): Listener
---@overload fun(self: Character, event: "use"|"used", options: ListenOptions, listener: fun(event: UseEvent)): Listener
---@overload fun(self: Character, event: "say", listener: fun(event: SayEvent)): Listener
---@overload fun(self: Character, event: "say", options: ListenOptions, listener: fun(event: SayEvent)): Listener
---@overload fun(self: Character, event: "word", listener: fun(event: WordEvent)): Listener
---@overload fun(self: Character, event: "word", options: ListenOptions, listener: fun(event: WordEvent)): Listener
---@overload fun(self: Character, event: "phone", listener: fun(event: PhoneEvent)): Listener
---@overload fun(self: Character, event: "phone", options: ListenOptions, listener: fun(event: PhoneEvent)): Listener
---@overload fun(self: Character, event: "cue", listener: fun(event: CueEvent)): Listener
---@overload fun(self: Character, event: "cue", options: ListenOptions, listener: fun(event: CueEvent)): Listener
---@overload fun(self: Character, event: "said", listener: fun(event: SaidEvent)): Listener
---@overload fun(self: Character, event: "said", options: ListenOptions, listener: fun(event: SaidEvent)): Listener
---@overload fun(self: Character, event: "*", listener: fun(event: AnyEvent)): Listener
---@overload fun(self: Character, event: "*", options: ListenOptions, listener: fun(event: AnyEvent)): Listener
---@overload fun(self: Character, event: string, listener: fun(event: MarkEvent)): Listener
---@overload fun(self: Character, event: string, options: ListenOptions, listener: fun(event: MarkEvent)): Listener
---@param event string
---@param listener_or_options fun(event: MarkEvent)|ListenOptions
---@param listener? fun(event: MarkEvent)
---@return Listener
function Character:on(event, listener_or_options, listener) end

---What became of the marks that were passed since it was first asked for, oldest first; the first time it is empty and switched on. Each entry has `number`, `time`, `name`, `clip`, `mark` (its number on the clip; less than 0 for one that was taken off since), `edge`, `weight`, `source`, `state`, `layer`, `playing` (number of this playing of the clip in the machine: a state that is entered again has another), `play` (number of the play), `outcome` ("fired", "suppressed" or "cut"; the end of an interval has that of its beginning), `reason` ("lighter_source", "below_min_weight", "layer_weight_zero", "masked", "seek", "muted", "leaving", "flood", "interval_cut", "reloaded", "feet_tell" or "down") and `n`, how many it stands for. `number` counts them; the latest 4096 are kept.
---@return LedgerEntry[]
function Character:ledger() end

---Begins an act: a function, given the act, that does one thing after another and waits in between. It begins before the tick goes on. It ends when the function returns, when it is interrupted, with its character, or when the script is saved; however it ends, what it deferred is called.
---@param run fun(act: Act): any
---@return Act
function Character:act(run) end

---Puts a decal on its surface as it stands now, where it then stays whatever the body does: "blood", "wound", "cut", "bruise", "hole", "dent", "scratch", "mud", "soot", "wet", or a picture of the project with a clear edge; in a table by names or kinds of materials, { skin = "wound", cloth = "hole", other = false }. Where is a hit of `physics.raycast`, an event `hit`, a `position` with a `direction`, or a line `from` a place `to` another. Where texture coordinates lie over each other, as a repeated weave, it is a mesh of its own, of which a character has room for 32; relief without colour is not seen there, which is said once. Gives nothing where nothing is met. A character has room for 256, then the oldest go.
---@param kind string|{ [string]: string|false }
---@param where { position: vector, normal: vector }|{ position: vector, direction: vector }|{ position: vector, impulse: vector }|{ from: vector, to: vector }
---@param options? DecalOptions
---@return Decal?
function Character:decal(kind, where, options) end

---Takes all decals off, over some seconds.
---@param seconds? number
function Character:clean_decals(seconds) end

---As `particles`, going with it: on a bone, on its skin where a hit of `physics.raycast` or an event is, or with shape = "surface" all over it. "breath" comes from the mouth as it breathes out. They do not meet itself. Gives nothing where a hit does not meet it.
---@param kind string
---@param where_or_options? string|{ position: vector }|{ at: vector }|{ from: vector, to: vector }|ParticleOptions
---@param options? ParticleOptions
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
---@return { foot_slide: number, pop: number, root_drift: number, lip_lag: number, pop_bone: string?, now: { foot_slide: number, pop: number, root_drift: number, lip_lag: number } }
function Character:meters() end

---Sets all meters to 0; they begin anew with the next tick.
function Character:reset_meters() end

---Bends the root motion: while states with `root_motion` play, what is left of their travel is stretched and turned so that the character arrives at `to`, turned to `yaw`, `within` seconds from now. Then the event `warp` is told with its `reason`: "arrived", "missed" (no state with root motion played in the end) or "replaced" (by another warp). It may be asked for before such a state is entered. When the machine changes what it does, or the character is moved, a new way is found from there.
---@param options WarpOptions
function Character:warp(options) end

---Has it look at a place, at somebody's face, or at `camera`: the eyes go first, the head follows, the chest a little; it blinks, and its eyes go about on what they see. A list has it look at whichever draws it most: things, or tables of a thing and its `interest` and `radius`. Nothing has it look about, `false` ends it. What is too far round is let go of; `hero.turn_wanted` says by how much to turn. With `turn` it turns there on the spot first, by a clip whose name says so (`turn_left`, `turn_right_90`, `turn_180`) or on its own `feet`; not while it walks, is told to `move` or lies: a player's input wins.
---@param target? vector|Character|{ forward: fun(): vector }|(vector|Character|{ forward: fun(): vector }|{ [number]: vector|Character|{ forward: fun(): vector }, interest: number?, radius: number?, on: string?, at: vector?, space: string? })[]|boolean
---@param options? LookOptions
---@return Modifier
function Character:look(target, options) end

---Speaks a line: a text with marks, a recorded one with `{ "line.ogg", text = "…" }`, whose text says what is in it. The mouth follows the sound, a caption shows the text, and marks happen at their words: `{brow:up}` or any expression (`{smile x0.5 1.2s}`, `{smile}…{/smile}`), `{look=name}`, `{look=camera}`, `{look=away}`, `[beat]word[/]` for a gesture (a clip of that name, or the head's beat, nod, shake, tilt) whose stroke falls on the stressed syllable, `{mood=sadness}`, `{blink}`, `{pause 0.5}`, `{event=name key=value}` for a `cue` of the script; `p=0.6` is its chance, `delay=-0.1` its delay. Its events are `say`, `word`, `phone`, `cue` and `said`. Nothing when it was dropped.
---@param line string|SayLine
---@param options? SayOptions
---@return Line?
function Character:say(line, options) end

---Ends all that it says and has still to say: at the end of the phrase, of the word, or now. False when it says nothing.
---@param how? "now"|"word"|"phrase"
---@return boolean
function Character:hush(how) end

---Has it breathe, shift its weight and never be quite still, over whatever its clips do; a human-like body without clips has this from the start. `false` fades it out.
---@param options? AliveOptions|boolean
---@return Modifier
function Character:alive(options) end

---Leans its body into turns, against speeding up and slowing down, and into the hill. `false` fades it out.
---@param options? LeanOptions|boolean
---@return Modifier
function Character:lean(options) end

---Turns its hips and legs to where it walks and its spine back, so that one clip of walking ahead serves all directions under a trunk that looks or aims ahead; for a controller with `face = false`. When it walks backwards `stepping` gives -1: play the clip backwards then. `false` fades it out.
---@param options? StrafeOptions|boolean
---@return Modifier
function Character:strafe(options) end

---Puts its feet on what is under them, floor, stairs, slopes, lifts: a foot that carries stays where it is, turns with the ground, and the body goes down to where all of them reach. For any number of legs. The feet tell `step` themselves, with `foot`, `position`, `normal`, `surface`, `speed` at which it came down, `weight`, and `next` and `next_in`: where and in how many seconds that foot is expected next. `false` fades it out.
---@param options? FeetOptions|boolean
---@return Modifier
function Character:feet(options) end

---Brings the end of a limb to a place, a character or one of its bones, and keeps it there while both move: `left_hand`, `right_foot`, or any bone with two above it. What hangs in another hand of its own is reached exactly: the second hand on a rifle. With `body` what is too far for the arm is leaned and bent to, feet where they are and hips over them, with `step` walked to. With `grip` its fingers close. Nothing as a target lets go.
---@param limb string
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? ReachOptions
---@return Modifier
function Character:reach(limb, target, options) end

---Closes the fingers of a hand, on what is attached to it or into a fist: 0 leaves them as the clips have them, 1 closes them; fingers that are closed farther stay. Nothing as an amount lets go. A hand that reaches for something has an option `grip` for that.
---@param hand "left_hand"|"right_hand"
---@param amount? number
---@param options? GripOptions
---@return Modifier
function Character:grip(hand, amount, options) end

---Brings its hips to a seat in `fade` seconds, the target a place on its surface, while the feet stay where they stand and the knees bend: with its back to the seat, some 0.35 m before it; what the legs do not reach is come near to. `false` has it stand up.
---@param target vector|Character|{ forward: fun(): vector }|boolean
---@param options? SitOptions
---@return Modifier
function Character:sit(target, options) end

---Turns its spine, or the bones that are named, so that a line of the last of them, or of a hand below it and what that holds, runs through a target. Nothing as a target lets go.
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? AimOptions
---@return Modifier
function Character:aim(target, options) end

---Bends a chain of bones, from `root` down to `tip`, so that the tip comes to a target: tails, tentacles, trunks, spines. Nothing as a target lets go.
---@param root string
---@param tip string
---@param target? vector|Character|{ forward: fun(): vector }
---@param options? ChainOptions
---@return Modifier
function Character:chain(root, tip, target, options) end

---Adds a helper bone: one that no clip moves and that keeps skin in shape by following others: `kind` is "twist", "fan", "push", "driver", "roll", "aim", "rotation", "copy", "parent" or "limit", `bone` is what it moves, `of` what it follows; the fields of each kind stand in docs/helpers.md, and are the same in a file's extras. All of a character are one modifier, "helpers"; those of its file are in it from the start.
---@param fields { kind: string, bone: (string|string[])?, of: string?, from: string?, hold: string?, morph: string?, share: (number|number[])?, axis: (vector|number[])?, along: (vector|number[])?, middle: number?, by: string?, to: string?, curve: number[][]?, smooth: boolean?, amount: number?, full: number?, radius: number?, example: (vector|number[])?, min: (vector|number[])?, max: (vector|number[])? }
---@return Modifier
function Character:helper(fields) end

---Makes a handle of a thing: a door's knob, a lever, a seat, a rung, a cup: where one stands, where the hand goes, and how long it takes. In an act `a:use(thing, name)` walks there, turns, reaches and holds on. Files have them in the extras of nodes, as `handle`.
---@param name string
---@param fields HandleOptions
function Character:handle(name, fields) end

---A modifier of the script's own: the function is called in every tick with the pose by then and the seconds of the tick, and turns and moves bones of it. What it did is shown by its weight.
---@param name string
---@param run fun(pose: Pose, dt: number)
---@param options? ModifyOptions
---@return Modifier
function Character:modify(name, run, options) end

---What is done to its pose after the animation, in the order in which it is done; `print(hero:stack())` tells it line by line. The order of a tick: machine and plays, root motion, walking and physics, these modifiers, springs, cloth and hair.
---@return Modifier[]
function Character:stack() end

---One of its modifiers by name; nothing when it has none of that name.
---@param name string
---@return Modifier?
function Character:modifier(name) end

---Makes a bone and all bones below it swing after the pose, or those of several bones: hair, tails, ears, straps. The springs of VRM files swing by themselves. When the character is put farther away than its own length in one tick, they go along and do not swing from that.
---@param bones string|string[]
---@param options? SpringOptions
---@return Spring
function Character:spring(bones, options) end

---Makes one bone lag behind its pose and swing on a damped spring: flesh, bellies, bags, antennae.
---@param bone string
---@param options? JiggleOptions
---@return Spring
function Character:jiggle(bone, options) end

---Makes chains of its bones move as cloth: a cape, a skirt, the tails of a coat; one chain alone is a rope. Their first bones stay where the pose has them.
---@param options ClothChainOptions
---@return Spring
function Character:cloth(options) end

---Puts hair on a bone: a haircut, strands that grow between guides, or those of a file. Guides move as chains of points with their lengths and their shape kept, outside of the body; every strand goes with a few of them. It is a character of its own with the material "hair" and, under a haircut, "scalp". 64 pieces may be on a stage.
---@param options HairOptions
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
---@param options? AttachOptions
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
---@param options? SolidOptions|boolean
function Character:solid(options) end

---Where the way between two places first meets its triangles, morphed and skinned as they are now; `nil` when it misses. As `physics.raycast` with `exact`, of it alone.
---@param from vector
---@param to vector
---@return { character: Character?, position: vector, normal: vector, distance: number, surface: string, bone: string?, part: string?, triangle: number?, barycentric: vector?, uv: vector? }?
function Character:ray(from, to) end

---Pushes something that moves freely: newton seconds, at a place in the world or at its centre of mass. What has no body that moves freely cannot be pushed.
---@param impulse vector
---@param at? vector
function Character:push(impulse, at) end

---Has it walk in the world of solid things: a capsule that climbs steps, slides along walls, stands on what moves and pushes what is light. Then `move` and root motion move it, and gravity; setting `position` puts it elsewhere at once. Called again it changes what is given. `false` takes it away. It tells `jump`, `fall`, `land` (`speed`, `height`), `step_up` (`height`), `slide` and `slide_end` (`slope`), `bump` (`speed`, `normal`), with `other`, `position` and `surface`; `source` is "controller".
---@param options? ControllerOptions|boolean
function Character:controller(options) end

---Has it go at a velocity, m/s in the world, until it is told another. It gets there as fast as its controller allows. Up and down count only without gravity.
---@param velocity vector
function Character:move(velocity) end

---Has it jump from the ground, now or as soon as it lands within the controller's `buffer`. It keeps the velocity of what it stood on.
---@param options? JumpOptions
function Character:jump(options) end

---Makes its limbs bodies of the world, built from the model itself. Without options all of it falls, at the speed that its clips had; with `bones` only these limbs; with `power` motors pull them to the pose of the clips; both stay over falls and blows. Whoever lies by this does until `get_up`. `false` ends it: what is left of the fall gives way to the clips.
---@param options? RagdollOptions|boolean
function Character:ragdoll(options) end

---What its ragdoll is made of, built from the model itself; with options what is wanted of it instead, over what the file wants. Masses are kilograms at the character's present scale: at twice the scale they are eight times as large.
---@param options? BodiesOptions
---@return { bone: string, shape: string, mass: number, link: string? }[]
function Character:bodies(options) end

---Hits it. By the impulse over its mass, where it meets, its balance and its health it flinches (the limb gives way), braces (the upper body does), staggers (it is pushed off its place) or falls, and gets up again; a hit that takes its last health lets it fall in any case. Gives what it did, false when `reflexes` forbade it. The event `hit` tells of it; `down`, `rest`, `get_up`, `stand` and `die` of what follows.
---@param options HitOptions
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
---@param options ReflexOptions
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
---@param options? SeekOptions
---@return boolean
function Play:seek(seconds, options) end

---Calls a function with each mark of this name, or with all for `*`, that this play passes. It ends with the play.
---@param mark string
---@param listener fun(event: MarkEvent)
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
---@overload fun(self: Act, thing: Play|Sound|Conversation|Act, options?: WaitOptions): string?
---@overload fun(self: Act, thing: "enter"|"exit"|"end", options?: WaitOptions): StateEvent?
---@overload fun(self: Act, thing: "warp", options?: WaitOptions): WarpEvent?
---@overload fun(self: Act, thing: "touch"|"touch_end", options?: WaitOptions): TouchEvent?
---@overload fun(self: Act, thing: "stick", options?: WaitOptions): StickEvent?
---@overload fun(self: Act, thing: "hit", options?: WaitOptions): HitEvent?
---@overload fun(self: Act, thing: "down"|"rest"|"get_up"|"stand"|"die", options?: WaitOptions): BodyEvent?
---@overload fun(self: Act, thing: "jump"|"fall"|"land"|"step_up"|"slide"|"slide_end"|"bump", options?: WaitOptions): WalkEvent?
---@overload fun(self: Act, thing: "step", options?: WaitOptions): StepEvent?
---@overload fun(self: Act, thing: "use"|"used", options?: WaitOptions): UseEvent?
---@overload fun(self: Act, thing: "say", options?: WaitOptions): SayEvent?
---@overload fun(self: Act, thing: "word", options?: WaitOptions): WordEvent?
---@overload fun(self: Act, thing: "phone", options?: WaitOptions): PhoneEvent?
---@overload fun(self: Act, thing: "cue", options?: WaitOptions): CueEvent?
---@overload fun(self: Act, thing: "said", options?: WaitOptions): SaidEvent?
---@overload fun(self: Act, thing: string, options?: WaitOptions): MarkEvent?
---@param thing string|Play|Sound|Conversation|Act
---@param options? WaitOptions
---@return any
function Act:wait(thing, options) end

---Waits until a function gives true, asked once a tick; false when the time was up.
---@param condition fun(): any
---@param options? WaitUntilOptions
---@return boolean
function Act:wait_until(condition, options) end

---Plays a clip on its character, as `hero:play` does, waits for its end and gives the reason. An act that ends before stops the clip.
---@param clip string
---@param options? PlayOptions
---@return string
function Act:play(clip, options) end

---Walks straight to a place or a character, by its controller, and turns there; false when it does not get nearer. An act that ends before stops it.
---@param target vector|Character|{ forward: fun(): vector }
---@param options? WalkToOptions
---@return boolean
function Act:walk_to(target, options) end

---Turns on the spot to a place, a character, `camera` or degrees about +Y: by a clip of turning where it has one, else on its own `feet`. It waits while it walks; false when it did not come to it within 8 seconds.
---@param target number|vector|Character|{ forward: fun(): vector }
---@param options? TurnInPlaceOptions
---@return boolean
function Act:face(target, options) end

---Uses a handle of a thing, its only one without a name: walks to where one stands for that, turns, plays the handle's clip, reaches, holds on, also while the thing moves, and lets go. Both hear of it: `use` with `other`, `handle` and `phase` ("reach", "hold", "release", "end"), the thing `used`. Gives "done", "too_far" when it could not get there, or "taken" at once while somebody else is at it; on a ladder there may be several.
---@param thing Character
---@param handle? string
---@param options? UseOptions
---@return string
function Act:use(thing, handle, options) end

---Does several things at once and waits for all: functions, which are acts of their own, seconds, names of events, plays and acts. Gives what each came to.
---@param things (number|string|Play|Sound|Conversation|Act|(fun(act: Act): any))[]
---@return any[]
function Act:all(things) end

---As `all`, but waits for the first only, interrupts the functions that still run, and gives the number of the first in the list and what it came to.
---@param things (number|string|Play|Sound|Conversation|Act|(fun(act: Act): any))[]
---@return number
---@return any
function Act:race(things) end

---Begins an act that runs beside this one and ends with it at the latest.
---@param run fun(act: Act): any
---@return Act
function Act:start(run) end

---Calls a function with the reason when the act is over, however that comes about, the last deferred first. It cannot wait.
---@param cleanup fun(reason: string)
function Act:defer(cleanup) end

---Ends the act and all that it began, at once. An act that interrupts itself runs on to its next wait and stops there, so it can start the act that replaces it.
function Act:interrupt() end

---Why it is over: "end", "interrupted", "failed" or "reloaded"; nil while it runs.
---@return string?
function Act:ended() end

---A clip from keys, for `hero:add_clip`. Bones are named as in the model, or by part of a humanoid (`left_hand`). Keys are { t, x, y, z } or { t, vector }; of scales also { t, factor }; of rotations degrees about z first, then x, then y, or the quaternion { t, x, y, z, w }; of morphs and curves { t, number }. A `space` of "parent" is the frame of the parent bone, as in glTF; "rest" adds turns about the bone's own axes to the rest pose; "model" adds turns and shifts along the model's axes, which are the same for every rig. An `interpolation` of "cubic" is a spline through the keys, level at both ends. A clip lasts 600 s at most. Bones, morphs and curves without keys are left alone.
---@param name string
---@return fun(p1: ClipOptions): ClipDefinition
function clip(name) end

---A clip of a character, from `hero:clip`. It is known by its name and outlives reloads.
---@class Clip
---@field name string Its name.
---@field duration number Seconds.
---@field source string The file it came from, or `script`.
---@field marks ({ time: number, name: string, length: number?, [string]: number|string|boolean })[] Its marks in order of time, those of `hero:mark` too, with their fields.
---@field ground_speed number? Metres per second that its planted feet cover; nil where they tell none.
---@field travel vector? Metres that its root moves from start to end, in the character's own space; nil if the root never moves or turns. A clip may end where it began and still have root motion.
---@field turn number? Degrees about +Y that its root turns from start to end.
---@field in_place boolean Whether it ends about where it began: it travels at most 8 % of the body's height and turns at most 20°. A state with `root_motion = true` takes all root motion, of such clips too.
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
---@param options MaterialFadeOptions
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

---Sends an agent to a position, or to several one after another, from now on at `pace` metres per second if that is given. It leaves its smart object or queue; on a slot it plays the outro first.
---@param person number
---@param place vector|vector[]
---@param pace? number
function Crowd:go(person, place, pace) end

---Sends everybody to a place.
---@param place vector
---@param pace? number
function Crowd:go_all(place, pace) end

---Has an agent stay where it is; it still gives way to others. It leaves the queue of a smart object, but not a slot.
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

---Has an agent enter a state. It leaves its smart object or queue, unless the state has `uses = true`.
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

---Has an agent follow another agent of the crowd, or a character: `left` metres to its left and `ahead` metres ahead of it, 0.75 and -0.3. Without a leader it stops following. It leaves its smart object as with `go`.
---@param person number
---@param leader? number|Character
---@param left? number
---@param ahead? number
function Crowd:follow(person, leader, left, ahead) end

---Moves an agent to a position at once; `yaw` is its direction, degrees. An agent on a slot of a smart object leaves it.
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

---Statistics of crowds in an area. They continue after a reload.
---@class CrowdStats
---@field inside number How many are there.
---@field empty number? Seconds, as of `now()`, from which on nobody was there any more; nil before.
local CrowdStats = {}

---How many passed a line and back, when the first and the last did (seconds as of `now()`), how many in a second of the last five either way, and how many in a second from the first to the last forth.
---@param line string
---@return { forth: number, back: number, first: number?, last: number?, rate: number, mean: number }
function CrowdStats:flow(line) end

---People on a square metre about a place (1.5 m wide): the mean since it began, and the most over a second. Nil beside what is looked at.
---@param place vector
---@return { mean: number, most: number }?
function CrowdStats:density(place) end

---Where people hindered each other, the worst first, 5 unless told: the place, the most people on a square metre over a second and when, metres a second at which they went, and for how many seconds there were more than 1.4 on one (Fruin's level of service E).
---@param most? number
---@return { at: vector, density: number, speed: number, seconds: number, time: number }[]
function CrowdStats:chokes(most) end

---Writes the map of the greatest densities as a PNG into the project's folder `out`: black is nobody, pale yellow five on a square metre; walls and the borders of ways are white, lines green; x to the right, z down. Returns its path.
---@param file string
---@return string
function CrowdStats:picture(file) end

---Takes it away.
function CrowdStats:remove() end

---Scent on an area of the ground, in cells. It stays over a reload.
---@class ScentField
---@field half_life number Seconds in which half of it fades.
---@field spread number The part of each cell that goes over to those beside it in a second, 0 to 1.
local ScentField = {}

---Leaves so much at a place, 1 unless told; less than 0 takes it away. Nothing beside its ground.
---@param place vector
---@param amount? number
function ScentField:lay(place, amount) end

---How much lies at a place, on a cell.
---@param place vector
---@return number
function ScentField:strength(place) end

---Takes away all that lies there.
function ScentField:clear() end

---Writes a map of it as a PNG into the project's folder `out`: black is nothing, pale yellow the most, a quarter of that half as bright; x to the right, z down. Returns its path.
---@param file string
---@return string
function ScentField:picture(file) end

---Takes it from the stage.
function ScentField:remove() end

---A navigation mesh.
---@class Navmesh
---@field ready boolean Whether the mesh has been baked.
---@field polygons number Number of convex polygons.
local Navmesh = {}

---Returns the points at which the cheapest path turns, its end last; nil without a path. Start and end may be up to 1 m from the mesh.
---@param from vector
---@param to vector
---@return vector[]?
function Navmesh:find(from, to) end

---Adds an off-mesh link: a jump, a ladder, a lift. Agents move straight from one end to the other, one after another, and in one direction at a time.
---@param from vector
---@param to vector
---@param options? NavLinkOptions
function Navmesh:link(from, to, options) end

---Adds an obstacle, a box or a cylinder, such as a fire. The mesh is rebuilt in the next tick. Returns a number for `unblock`. Small obstacles are cheaper as `obstacles` of a crowd, doors with `door`.
---@param options NavObstacleOptions
---@return number
function Navmesh:block(options) end

---Adds a door, which opens and closes without rebuilding the mesh. Agents look for another path at once. The door itself is a body of your own that is not static.
---@param options NavDoorOptions
---@return NavDoor
function Navmesh:door(options) end

---Removes an obstacle.
---@param number number
function Navmesh:unblock(number) end

---Bakes the mesh again in the next tick, after static bodies were added or removed.
function Navmesh:refresh() end

---A door of a navigation mesh.
---@class NavDoor
---@field open boolean Whether agents can pass. A change does not rebuild the mesh.
local NavDoor = {}

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
---@param what? string|{ [string]: number }|boolean
---@param options? MoodOptions
function Face:mood(what, options) end

---Shows an expression, or several with weights, for a while; the mood gives way to it.
---@param what string|{ [string]: number }
---@param options? ShowOptions
---@return Shown
function Face:show(what, options) end

---Holds one target, shape or expression at a weight, over all that others do to it; without a weight lets it go.
---@param name string
---@param weight? number
---@param options? FaceFadeOptions
function Face:set(name, weight, options) end

---Lets all go that the script holds, and ends what it shows; the mood stays.
---@param options? FaceFadeOptions
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
---@param what? string|{ [string]: number }|boolean
---@param options? LeakOptions
function Face:leak(what, options) end

---Changes how it is put together.
---@param options? FaceOptions
function Face:options(options) end

---Gives a shape of its face a weight, or several by name; with a name alone tells its weight. A shape is a morph target named `shape.…`: what the face is like, which nothing else moves; expressions are added to it. Eyes that are bones move along.
---@param what string|{ [string]: number }
---@param weight? number
---@return number?
function Face:shape(what, weight) end

---All shapes of its face, with weights and ranges. A list of names calls other targets shapes as well, `name = { least, most }` with a range; what moves such a target goes on doing so, over the shape.
---@param others? { [number | string]: string|number[] }
---@return { [string]: { value: number, least: number, most: number } }
function Face:shapes(others) end

---Makes a face by chance and gives the weights of its shapes, which `shape` takes back. A shape that the model gets later changes no face of a seed.
---@param options? GenerateOptions
---@return { [string]: number }
function Face:generate(options) end

---Holds how much a region of the skin is folded, 0 to 1, over what its expressions do; without a weight gives it back.
---@param region string
---@param weight? number
---@param options? FaceFadeOptions
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
---@param what string|{ [string]: number }
---@return boolean
function Shown:mix(what) end

---Gives a name to a mixture of targets, shapes of ARKit, and other expressions, with weights from -1 to 1. Every face can then show it, as far as it has the parts; in marks of speech as well.
---@param name string
---@return fun(p1: { [string]: number })
function expression(name) end

---Makes a language, which lines can name, or puts rules before those of a known one: en, es, es-419, it, de, fr, ja, by code or name. In a rule, left and right are letters, or `_` the edge of the word, `V` a vowel, `C` a consonant, `E` a front vowel, `*` any number of consonants, `#` one vowel or more, `(abc)` one of these, `(!abc)` none of these. A vowel sound with 1 carries the stress.
---@param name string
---@return fun(p1: LanguageOptions)
function language(name) end

---Says how words are spoken, in every language or in one, before dictionary and rules: sounds of ARPAbet (1 behind the vowel with the stress), the letters of the International Phonetic Alphabet in slashes, or another spelling in small letters.
---@param words { [string]: string }
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
---@return TrackRow[]?
function Line:track() end

---Its words and when they are spoken, seconds; nothing for one that is over.
---@return { word: string, start: number, finish: number }[]?
function Line:words() end

---Begins a conversation of two characters or more. Its steps are turns, { pause = 1 }, { call = function(talk) … end } and { choose = { … } }, whose alternatives are steps or lists of steps with a `weight`. In lines the gaze can target the cast by name (`{look=ben}`). All steps are checked before the first is taken. A character can be in one conversation: an earlier one ends.
---@param turns ConversationTurns
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
---@param listener fun(event: ConversationEvent)
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
---@param turn TurnOptions
---@param options? InterruptOptions
---@return boolean
function Conversation:interrupt(turn, options) end

---A state machine of layers, or of states and transitions in one layer "body". It starts in the first state.
---@param parts MachineOptions
---@return MachineDefinition
function machine(parts) end

---A layer of states over the layers below.
---@param name string
---@return fun(p1: MachineLayerOptions): MachinePiece
function layer(name) end

---A state: a clip or motion, or states and transitions of its own. Without either it shows the rest pose, or in an upper layer the pose of the layers below.
---@param name string
---@return fun(p1: MachineStateOptions): MachinePiece
function state(name) end

---A transition to a state. All conditions that are given must hold. Transitions of higher `priority` are evaluated first, then inner before outer, then in the order of the script.
---@param state string
---@return fun(p1: TransitionOptions): MachinePiece
function to(state) end

---A fade in which only the new state plays and the old one's pose and speed die away: no two clips are mixed, and nothing jerks.
---@param seconds number
---@return MachinePiece
function inertial(seconds) end

---Clips in random order, each a name or { name, chance }. With `mode = "once"` in its state it plays one of them.
---@param clips ClipListOptions
---@return MachinePiece
function random(clips) end

---Clips in order, again and again; with `mode = "once"` in its state, once through.
---@param clips ClipListOptions
---@return MachinePiece
function sequence(clips) end

---Clips along a parameter, each { value, clip }. A clip alone is placed at the ground speed of its feet, in metres per second. A point may hold another blend.
---@param points Blend1dOptions
---@return MachinePiece
function blend1d(points) end

---Clips over two parameters, each { x, y, clip }, blended by gradient bands. A clip alone is placed at the ground velocity of its feet, to the left and ahead.
---@param points Blend2dOptions
---@return MachinePiece
function blend2d(points) end

---As blend2d, for directions: angle and length are blended, so that a turn keeps the speed.
---@param points Blend2dOptions
---@return MachinePiece
function blend_polar(points) end

---The running machine of a character, `hero.machine`.
---@class Machine
---@field params { [string]: number|boolean } Its parameters. A name it has not is an error; one that is set to a value of another kind keeps its own. When the script is saved each keeps its value, unless the main part now leaves another in it than it did before.
local Machine = {}

---Sends an event to the transitions with `on`. It counts in the coming tick, or waits up to `within` seconds until one can be taken, as a key pressed a moment too early should.
---@param event string
---@param options? SendOptions
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
---@param options? TravelOptions
---@return string[]
function Machine:travel(state, options) end

---What holds the ways out of the current state shut, or open, judged with the parameters as they are now: for each its `reason` with the values that were read, and the script's line in `at`. With a name only the ways there.
---@param state? string
---@param options? TravelOptions
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
---@param keys string|string[]
function input.bind(action, keys) end

---Binds an axis to keys and sticks, in place of what it had; `rebind_axis` stands before it.
---@param axis string
---@param keys AxisOptions
function input.bind_axis(axis, keys) end

---The player chose a key or keys for an action, or none with `{}`. It stands before what the script says, also after the script is saved, until `reset_bindings` or the end of the game.
---@param action string
---@param keys string|string[]
function input.rebind(action, keys) end

---The player chose keys and sticks for an axis; what is left out has none.
---@param axis string
---@param keys AxisOptions
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
---@param options? SoundOptions
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
---@param options CameraOptions
function camera.orbit(options) end

---Keeps a character in the middle; `target` is then an offset from its position.
---@param character Character
---@param options? CameraOptions
function camera.follow(character, options) end

---Follows a character from so far away that all of it is seen, whatever its size.
---@param character Character
---@param options? CameraOptions
function camera.frame(character, options) end

---Looks out of a character's eyes, and goes with its head; the mouse turns it. Its head, its hair and what is attached to the head are not drawn (meshes of VRM files as their `firstPerson` says), but throw their shadows. `camera.follow`, `orbit` and `frame` end it.
---@param character Character
---@param options? FirstPersonOptions
function camera.first_person(character, options) end

---The way from the camera through a place of the picture, else through the pointer.
---@param place? CameraRayOptions
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
---@param options SunOptions
function light.sun(options) end

---Sets the sky; what is left out stays.
---@param options SkyOptions
function light.sky(options) end

---Brightness of the picture in stops: +1 is twice as bright.
---@param stops number
function light.exposure(stops) end

---Lights a character as a studio or a time of day would: sets sun, sky, fog and grade, and lamps in place of those of the rig before.
---@param name "noon"|"three_point"|"studio"|"overcast"|"sunset"|"night"|"spotlight"|"neon"|"embers"
---@param options? RigOptions
function light.rig(name, options) end

---A lamp that shines all around.
---@param options PointLightOptions
---@return Light
function light.point(options) end

---A lamp that shines one way.
---@param options SpotLightOptions
---@return Light
function light.spot(options) end

---Sets the haze; what is left out stays.
---@param options FogOptions
function light.fog(options) end

---Sets how light becomes a picture; what is left out stays.
---@param options PostProcessOptions
function light.post_process(options) end

---How much is spent on a picture, from now on. Without it the machine is measured at the start; --quality on the command line overrules it.
---@param name "low"|"medium"|"high"
function light.quality(name) end

---Lights the scene by a picture of all around, in place of the sky's colours: Radiance (.hdr), KTX2 (a cube map, or one picture), PNG or JPEG. The middle of a picture twice as wide as high lies towards -Z. nil goes back to the sky. A save of the file is seen at once.
---@param file? string
---@param options? EnvironmentOptions
function light.environment(file, options) end

---A light created by `light.point` or `light.spot`. It exists until it is removed or the script is reloaded. The quality limits how many lights cast shadows; the brightest in view come first.
---@class Light
---@field position vector Where it is; of one that is carried, setting moves it in the bone's space.
---@field color vector Linear colour, its largest part 1.
---@field strength number Light on what faces it from 1 m.
---@field range number Metres at which its light has ended.
---@field radius number Metres, of what glows.
---@field shadows boolean Things throw shadows from it.
local Light = {}

---Takes it away.
function Light:remove() end

---Turns a spot to shine at a place.
---@param target vector
function Light:aim(target) end

---The floor. Events at a foot carry the name of the surface under it.
ground = {}

---Sets the floor; what is left out stays.
---@param options GroundOptions
function ground.set(options) end

---Lays an area of another surface over the floor.
---@param options PatchOptions
function ground.patch(options) end

---Name of the surface at a place.
---@param at vector
---@return string
function ground.surface(at) end

---Haircuts as guides, for those who want to change them by hand; to wear one as it is, give `hero:hair` its `cut`.
hair = {}

---Guides of a haircut, as options for `hero:hair`: `guides` is a list of strands from root to tip in the character's space at rest, with `rest = true`; the rest is as it was given.
---@param options GrowOptions
---@return HairOptions
function hair.grow(options) end

---Solid things. The floor is solid, see `ground.set`; any character or prop becomes so by `thing:solid`. Metres, kilograms, seconds.
physics = {}

---Sets what holds for all; what is left out stays.
---@param options PhysicsOptions
function physics.set(options) end

---Says what a surface is like, for what is made of it from then on. Known without that: stone, wood, metal, grass, gravel, sand, carpet, ice, rubber, glass, flesh, water.
---@param name string
---@param options SurfaceOptions
function physics.surface(name, options) end

---Makes a layer, or changes one. Two things meet when each meets the other's layer. There are `world`, `props`, `characters` and `ragdolls`, which all meet.
---@param name string
---@param options? CollisionLayerOptions
function physics.layer(name, options) end

---Puts a box on the stage, solid unless told otherwise; with a mass it falls.
---@param options? BoxOptions
---@return Character
function physics.box(options) end

---Puts a sphere on the stage, solid unless told otherwise; with a mass it falls.
---@param options? SphereOptions
---@return Character
function physics.sphere(options) end

---Puts a capsule on the stage, solid unless told otherwise; with a mass it falls.
---@param options? CapsuleOptions
---@return Character
function physics.capsule(options) end

---Puts a cylinder on the stage, solid unless told otherwise; with a mass it falls.
---@param options? CylinderOptions
---@return Character
function physics.cylinder(options) end

---Puts stairs on the stage that rise along +Z from `at`, turned by yaw.
---@param options? StairsOptions
---@return Character
function physics.stairs(options) end

---Puts a wedge on the stage that rises along +Z from `at`, turned by yaw.
---@param options? RampOptions
---@return Character
function physics.ramp(options) end

---Puts ground on the stage, by its heights. The edges within it catch nobody, and each cell is as slippery as its surface. Called again with the name of a terrain it replaces that, and who stands on it is taken along where it rises.
---@param options? TerrainOptions
---@return Character
function physics.terrain(options) end

---Creates a force field, which acts on dynamic bodies and ragdolls in a region or everywhere: `push`, `accelerate`, `wind`, `water`, `toward` or `launch`. Sleeping bodies wake when it begins or changes.
---@param options ForceFieldOptions
---@return ForceField
function physics.force_field(options) end

---Picks up what a ray met, by the place where it met it: a thing that moves freely, or a limb of a character, which falls if it stands. A soft spring drags it to the hand's `position`; who holds a character has it not get up. `nil` for what does not move.
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

---All characters and props whose solid parts touch a form at a place.
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
---@field enabled boolean It acts.
---@field position vector The middle of its form; with it goes the place that pulls.
local ForceField = {}

---Ends it.
function ForceField:remove() end

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
---@param options? UiTextOptions
---@return Ui
function ui.text(text, options) end

---Shows a bar that is filled from the left by a value from 0 to 1, 200 × 16 points.
---@param value number
---@param options? UiBarOptions
---@return Ui
function ui.bar(value, options) end

---Shows a rectangle, 200 × 100 points.
---@param options? UiBoxOptions
---@return Ui
function ui.box(options) end

---Shows a picture of the project: PNG, JPEG or WebP of at most 2048 × 2048 pixels. With one of width and height the other follows; with neither its longer side is 256 points or fewer. A save of the file is seen at once.
---@param file string
---@param options? UiImageOptions
---@return Ui
function ui.image(file, options) end

---Shows what somebody says at the bottom of the picture, broken at two thirds of its width. Two are there at once, the later one below; a third takes the place of the first. The speaker may be "".
---@param speaker string
---@param text string
---@param options? CaptionOptions
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
