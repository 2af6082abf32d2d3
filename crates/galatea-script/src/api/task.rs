//! `hero:task` and the methods of tasks: waiting, playing clips, parallel branches, cleanup.

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object_with, add_properties, native};
use super::character_ref::{CharacterRef, find, reference};
use super::check::{Args, Options, Param, Type, describe, number, object};
use super::conversation_ref::ConversationRef;
use super::event_check::check_event_name;
use super::group::{Function, Group, Kind, Property};
use super::line_handle::{LineRef, end_of_line};
use super::play::{self, PlayRef};
use super::sound_handle::SoundRef;
use super::task_ref::{TaskRef, character_of, over, own, task_of};
use super::{facing, interaction_effects, ladder, using};
use crate::task_tree::{TaskPlace, add_task, begin, finish};
use crate::tasks::{Ended, INTERRUPTED, TaskId, Wait};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::Handle;

/// Maximum number of `on_end` functions of one task.
const MAX_DEFERRED: usize = 1000;
/// Maximum waiting time, seconds: about a year.
const LONGEST: f64 = 3.2e7;

/// Key of the methods that wait, in the registry of the VM.
const METHODS: &str = "task methods";
/// Key of the functions that make the functions of timers, in the registry of the VM.
pub(super) const TIMERS: &str = "timers";

impl UserData for TaskRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object_with(&GROUP, methods, &WAITING, method);
    }
}

/// Registers the methods that wait. They are written in Lua, because only Lua functions can yield from a coroutine.
///
/// # Errors
/// Returns an error if the VM is out of memory.
pub(super) fn register(lua: &Lua) -> mlua::Result<()> {
    let natives = lua.create_table()?;
    let waiting = GROUP.functions.iter().filter(|f| WAITING.contains(&f.name));
    for function in waiting {
        natives.raw_set(function.name, native(lua, &GROUP, function)?)?;
    }
    let hidden = interaction_effects::natives(lua)?;
    let prelude = crate::vm::part(lua, "=[tasks]", include_str!("../tasks.luau"))?;
    let (methods, timers): (Table, Table) = prelude.call((natives, hidden, ladder::climb(lua)?))?;
    lua.set_named_registry_value(METHODS, methods)?;
    lua.set_named_registry_value(TIMERS, timers)
}

/// Methods of a task that yield from its coroutine.
const WAITING: [&str; 8] = [
    "wait",
    "wait_until",
    "play",
    "all",
    "race",
    "walk_to",
    "turn_to",
    "use",
];

/// Returns the Lua function of a method that waits.
fn method(lua: &Lua, name: &str) -> mlua::Result<Value> {
    lua.named_registry_value::<Table>(METHODS)?.raw_get(name)
}

pub(super) fn seconds(value: f64, what: &str) -> mlua::Result<f64> {
    if (0.0..=LONGEST).contains(&value) {
        return Ok(value);
    }
    Err(mlua::Error::runtime(format!(
        "{what}: seconds must be 0 to {LONGEST}, got {value}"
    )))
}

/// Options of `task:wait_until`, and of `task:wait` among others.
#[derive(Options)]
struct WaitUntilOptions {
    /// Maximum time to wait; then the task continues.
    #[option(default_doc = "no limit", unit = "seconds")]
    timeout: Option<f64>,
}

impl WaitUntilOptions {
    fn limit(&self, what: &str) -> mlua::Result<Option<f64>> {
        let limit = self.timeout;
        limit.map(|limit| seconds(limit, what)).transpose()
    }
}

/// Options of `task:wait`.
#[derive(Options)]
struct WaitOptions {
    #[option(flatten)]
    time: WaitUntilOptions,
    /// Character that emits the event, if it is not the task's own character.
    #[option(default_doc = "the task's own character")]
    character: Option<CharacterRef>,
}

fn wait_for(lua: &Lua, id: TaskId, wait: Wait, within: Option<f64>) -> mlua::Result<Value> {
    with_world(lua, |world| {
        world.program.tasks.wait(id, wait, within);
        Ok(Value::Nil)
    })
}

fn wait_event(
    lua: &Lua,
    id: TaskId,
    of: Handle,
    event: String,
    within: Option<f64>,
    what: &str,
) -> mlua::Result<Value> {
    with_world(lua, |world| {
        let character = find(&mut world.stage, of)?;
        check_event_name(character, &event).map_err(|wrong| {
            mlua::Error::runtime(format!(
                "{what}: {wrong} (add markers before you wait for them)"
            ))
        })?;
        world.program.tasks.wait_event(id, of, event, within);
        Ok(Value::Nil)
    })
}

/// End of a line, a play, a sound, a conversation or another task; `None` for other values.
pub(crate) fn end_of(lua: &Lua, value: &Value) -> mlua::Result<Option<Ended>> {
    if let Some(line) = object::<LineRef>(value) {
        return end_of_line(lua, line).map(Some);
    }
    let play = object::<PlayRef>(value).map(|play| play.ended.clone());
    let sound = || Some(object::<SoundRef>(value)?.ended);
    let talk = || Some(object::<ConversationRef>(value)?.ended);
    let task = || Some(object::<TaskRef>(value)?.ended);
    Ok(play.or_else(sound).or_else(talk).or_else(task))
}

fn wait(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let Some(task) = own(lua, &args, "task:wait")? else {
        return Ok(Value::Nil);
    };
    if let Some(time) = args.number(1) {
        if !args.value(2).is_nil() {
            return Err(mlua::Error::runtime(
                "task:wait: a number of seconds cannot be followed by options",
            ));
        }
        let time = seconds(time, "task:wait")?;
        return wait_for(lua, task.id, Wait::Call, Some(time));
    }
    let options: WaitOptions = args.options(2)?;
    let within = options.time.limit("task:wait: timeout")?;
    if let Some(event) = args.text(1) {
        let of = match options.character {
            Some(CharacterRef(of)) => of,
            None => character_of(&task, "task:wait")?,
        };
        return wait_event(lua, task.id, of, event, within, "task:wait");
    }
    let ended = end_of(lua, &args.value(1))?.ok_or_else(over)?;
    if task.ended.as_ptr() == ended.as_ptr() {
        let own = "task:wait: a task cannot wait for its own end";
        return Err(mlua::Error::runtime(own));
    }
    wait_for(lua, task.id, Wait::End(ended), within)
}

fn wait_until(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let Some(task) = own(lua, &args, "task:wait_until")? else {
        return Ok(Value::Nil);
    };
    let condition = args.function(1).ok_or_else(over)?;
    let options: WaitUntilOptions = args.options(2)?;
    let within = options.limit("task:wait_until: timeout")?;
    wait_for(lua, task.id, Wait::Until(condition), within)
}

fn task_play(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let Some(task) = own(lua, &args, "task:play")? else {
        return Ok(Value::Nil);
    };
    let character = reference(lua, character_of(&task, "task:play")?)?;
    let call = vec![character, args.value(1), args.value(2)];
    let played = play::play(lua, args.with_values(call))?;
    let played: PlayRef = object(&played).ok_or_else(over)?;
    with_world(lua, |world| {
        let tasks = &mut world.program.tasks;
        tasks.wait(task.id, Wait::End(played.ended), None);
        if let Some(task) = tasks.get_mut(task.id) {
            task.play = Some(played.id);
        }
        Ok(Value::Nil)
    })
}

fn all(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let things = wait_targets(&args, "task:all")?;
    let wait = Wait::All(
        lua.create_table_with_capacity(things.len(), 0)?,
        things.len(),
    );
    branches(lua, &args, things, wait, "task:all")
}

fn race(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let things = wait_targets(&args, "task:race")?;
    branches(lua, &args, things, Wait::Race, "task:race")
}

fn wait_targets(args: &Args, what: &str) -> mlua::Result<Vec<Value>> {
    let list = args.table(1).ok_or_else(over)?;
    let things = list
        .sequence_values::<Value>()
        .collect::<mlua::Result<Vec<_>>>()?;
    if things.is_empty() {
        return Err(mlua::Error::runtime(format!("{what}: the list is empty")));
    }
    Ok(things)
}

/// Starts a branch for each entry of the list and makes the task wait for them.
fn branches(
    lua: &Lua,
    args: &Args,
    things: Vec<Value>,
    wait: Wait,
    what: &str,
) -> mlua::Result<Value> {
    let Some(task) = own(lua, args, what)? else {
        return Ok(Value::Nil);
    };
    // All entries are checked before the first branch starts.
    for (i, thing) in things.iter().enumerate() {
        check_wait_target(lua, &task, thing)
            .map_err(|why| mlua::Error::runtime(format!("{what}: entry {}: {why}", i + 1)))?;
    }
    wait_for(lua, task.id, wait, None)?;
    for (branch, thing) in things.into_iter().enumerate() {
        let character = task.character;
        let place = TaskPlace {
            character,
            parent: Some(task.id),
            branch: Some(branch),
            ..TaskPlace::default()
        };
        if let Value::Function(run) = &thing {
            begin(lua, run, place)?;
            continue;
        }
        let branch = add_task(lua, None, place)?;
        if let Some(time) = number(&thing) {
            wait_for(lua, branch, Wait::Call, Some(time))?;
        } else if let (Value::String(event), Some(of)) = (&thing, character) {
            wait_event(lua, branch, of, event.to_string_lossy(), None, what)?;
        } else if let Some(ended) = end_of(lua, &thing)? {
            wait_for(lua, branch, Wait::End(ended), None)?;
        }
    }
    Ok(Value::Nil)
}

/// Checks an entry to wait for; the error is the message.
fn check_wait_target(lua: &Lua, task: &TaskRef, thing: &Value) -> Result<(), String> {
    match thing {
        Value::Function(_) => Ok(()),
        Value::Integer(_) | Value::Number(_) => {
            let time = number(thing).unwrap_or(f64::NAN);
            let is_time = (0.0..=LONGEST).contains(&time);
            let wrong = || format!("seconds must be 0 to {LONGEST}, got {time}");
            is_time.then_some(()).ok_or_else(wrong)
        }
        Value::String(event) => {
            let event = event.to_string_lossy();
            let checked = character_of(task, "events").and_then(|of| {
                with_world(lua, |world| {
                    let character = find(&mut world.stage, of)?;
                    Ok(check_event_name(character, &event))
                })
            });
            checked.map_err(|error| error.to_string())?
        }
        other if end_of(lua, other).is_ok_and(|ended| ended.is_some()) => Ok(()),
        other => Err(format!(
            "expected a function, seconds, the name of an event, a Play, a Sound, a Line, a Conversation or a Task, got {}",
            describe(other)
        )),
    }
}

fn start(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let task = task_of(&args)?;
    let run = args.function(1).ok_or_else(over)?;
    with_world(lua, |world| {
        world
            .program
            .tasks
            .get(task.id)
            .map(|_| ())
            .ok_or_else(over)
    })?;
    let place = TaskPlace {
        character: task.character,
        parent: Some(task.id),
        ..TaskPlace::default()
    };
    begin(lua, &run, place)
}

fn on_end(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let task = task_of(&args)?;
    let function = args.function(1).ok_or_else(over)?;
    with_world(lua, |world| {
        let task = world.program.tasks.get_mut(task.id).ok_or_else(over)?;
        if task.deferred.len() >= MAX_DEFERRED {
            return Err(mlua::Error::runtime(format!(
                "task:on_end: a task can have at most {MAX_DEFERRED} on_end functions"
            )));
        }
        task.deferred.push(function);
        Ok(Value::Nil)
    })
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    finish(lua, task_of(&args)?.id, INTERRUPTED, Value::Nil)?;
    Ok(Value::Nil)
}

fn end_reason(lua: &Lua, args: Args) -> mlua::Result<Value> {
    match task_of(&args)?.ended.get() {
        Some(word) => Ok(Value::String(lua.create_string(word)?)),
        None => Ok(Value::Nil),
    }
}

fn task_character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    match task_of(&args)?.character {
        Some(character) => reference(lua, character),
        None => Ok(Value::Nil),
    }
}

fn of_character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| find(&mut world.stage, handle).map(|_| ()))?;
    let run = args.function(1).ok_or_else(over)?;
    let options: TaskOptions = args.options(2)?;
    let place = TaskPlace {
        character: Some(handle),
        is_unscaled: options.unscaled,
        ..TaskPlace::default()
    };
    begin(lua, &run, place)
}

fn alone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let run = args.function(0).ok_or_else(over)?;
    let options: TaskOptions = args.options(1)?;
    begin(lua, &run, options.place())
}

/// Options of `task`, `after` and `every`.
#[derive(Options)]
pub(super) struct TaskOptions {
    /// True: the waiting times are unscaled. They pass at normal speed in slow motion, and also during a pause.
    #[option(default = false)]
    unscaled: bool,
}

impl TaskOptions {
    pub(super) fn place(&self) -> TaskPlace {
        TaskPlace {
            is_unscaled: self.unscaled,
            ..TaskPlace::default()
        }
    }
}

const RUN: Param = Param {
    name: "run",
    ty: Type::Function("(task: Task) -> ...any"),
    optional: false,
};

/// Parameter with a list of entries to wait for.
const WAIT_TARGETS: Param = Param {
    name: "things",
    ty: Type::Table(
        "{ number | string | Play | Sound | Line | Conversation | Task | ((task: Task) -> ...any) }",
    ),
    optional: false,
};

/// `hero:task`.
pub(super) const OF_CHARACTER: Function = Function {
    name: "task",
    params: &[RUN, Param::options(TaskOptions::SHAPE)],
    returns: "Task",
    doc: "Starts a task: a function that can wait between its steps. The function gets the task as its argument and starts \
          at once. The task ends when the function returns, when it is stopped, when its character is removed, or on a hot \
          reload. In every case the functions given to `on_end` are called.",
    example: "hero:task(function(a)\n\ta:play(\"wave\")\n\ta:wait(0.5)\n\tprint(\"waved\")\nend)",
    call: of_character,
};

/// The global `task`.
pub(super) const ALONE: Function = Function {
    name: "task",
    params: &[RUN, Param::options(TaskOptions::SHAPE)],
    returns: "Task",
    doc: "Starts a task without a character. A task is a function that can wait between its steps. It works like a \
          task of `hero:task`, but removing a character does not end it.",
    example: "task(function(a)\n\ta:wait(2)\n\tprint(\"two seconds later\")\nend)",
    call: alone,
};

/// Methods of tasks.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Task",
    doc: "A task runs a function that can wait, started by `hero:task` or `task`. The function gets the task as its \
          argument. Methods that wait, such as `wait` and `walk_to`, work only inside this function. Other methods, \
          such as `stop`, work everywhere.",
    functions: &[
        Function {
            name: "wait",
            params: &[
                Param {
                    name: "thing",
                    ty: Type::OneOf(&[
                        Type::Number,
                        Type::Text,
                        Type::Object("Play"),
                        Type::Object("Sound"),
                        Type::Object("Line"),
                        Type::Object("Conversation"),
                        Type::Object("Task"),
                    ]),
                    optional: false,
                },
                Param::options(WaitOptions::SHAPE),
            ],
            returns: "any",
            doc: "Waits for `thing`:\n\n\
                  - A number: waits for that many seconds, at least one tick. Several waits add up exactly: ten waits \
                  of 0.1 s take 1 s.\n\
                  - A text: waits for the event with this name, emitted by the task's character. Returns the table of \
                  the event.\n\
                  - A play, a sound, a line, a conversation or another task: waits for its end. Returns its end reason.\n\n\
                  If `timeout` seconds pass before that, `wait` returns nil.",
            example: "hero:task(function(a)\n\tlocal e = a:wait(\"step\", { timeout = 2 })\n\tif e then print(e.foot) end\nend)",
            call: wait,
        },
        Function {
            name: "wait_until",
            params: &[
                Param::required("condition", Type::Function("() -> any")),
                Param::options(WaitUntilOptions::SHAPE),
            ],
            returns: "boolean",
            doc: "Waits until the function `condition` returns true, and then returns true. The function is called once \
                  per tick. If `timeout` seconds pass before that, `wait_until` returns false.",
            example: "hero:task(function(a) a:wait_until(function() return hero.position.z > 2 end, { timeout = 5 }) end)",
            call: wait_until,
        },
        Function {
            name: "play",
            params: play::PARAMS,
            returns: "string",
            doc: "Plays a clip on the task's character, as `hero:play` does, and waits for the end of the clip. Returns \
                  the end reason, as `play:end_reason` does. If the task ends before the clip, the clip stops.",
            example: "hero:task(function(a) print(a:play(\"wave\", { fade = 0.2 })) end)",
            call: task_play,
        },
        using::WALK_TO,
        facing::TURN_TO,
        using::USE,
        Function {
            name: "all",
            params: &[WAIT_TARGETS],
            returns: "{ any }",
            doc: "Runs all entries of a list in parallel and waits until the last of them is done. Returns a list of \
                  their results. An entry is a function, which runs as a task of its own, or anything that `wait` \
                  accepts: a number of seconds, the name of an event, a play and so on.",
            example: "hero:task(function(a)\n\ta:all { 1, function(b) b:play(\"wave\") end }\nend)",
            call: all,
        },
        Function {
            name: "race",
            params: &[WAIT_TARGETS],
            returns: "(number, any)",
            doc: "Runs all entries of a list in parallel and waits until one of them is done; `all` describes the \
                  entries. Then the other functions of the list are stopped. Returns the number of the finished entry \
                  in the list, and its result.",
            example: "hero:task(function(a)\n\tif a:race { \"step\", 2 } == 1 then print(\"a step\") end\nend)",
            call: race,
        },
        Function {
            name: "start",
            params: &[RUN],
            returns: "Task",
            doc: "Starts a second task, which runs in parallel to this one. When this task ends, the second task is \
                  stopped.",
            example: "hero:task(function(a)\n\ta:start(function(b) b:wait(1) print(\"beside\") end)\n\ta:wait(2)\nend)",
            call: start,
        },
        Function {
            name: "on_end",
            params: &[Param::required(
                "cleanup",
                Type::Function("(reason: string) -> ()"),
            )],
            returns: "",
            doc: "Calls the function `cleanup` when the task ends, for whatever reason; its argument is the reason. Of \
                  several such functions, the one added last is called first. These functions cannot wait.",
            example: "hero:task(function(a)\n\thero:morph(\"smile\", 0.6)\n\ta:on_end(function() hero:morph(\"smile\") end)\n\ta:wait(2)\nend)",
            call: on_end,
        },
        super::task_checkpoint::CHECKPOINT,
        Function {
            name: "stop",
            params: &[],
            returns: "",
            doc: "Ends the task at once, with all tasks that it started. If a task stops itself, its function continues \
                  until the next wait. So it can still start the task that replaces it.",
            example: "local greeting = hero:task(function(a) a:wait(5) end)\ngreeting:stop()",
            call: stop,
        },
        Function {
            name: "end_reason",
            params: &[],
            returns: "string?",
            doc: "Returns the reason why the task ended, or nil while it runs. The reasons are \"end\" (its function \
                  returned), \"stopped\", \"failed\" (by an error) and \"reloaded\" (by a hot reload).",
            example: "print(hero:task(function(a) a:wait(1) end):end_reason())",
            call: end_reason,
        },
    ],
    properties: &[
        Property {
            name: "character",
            ty: "Character?",
            doc: "Character of a task that `hero:task` started. It is nil for a task that the global function `task` \
                  started.",
            get: task_character,
            set: None,
        },
        super::task_checkpoint::LAST_CHECKPOINT,
    ],
};
