//! A VM with mlua alone, without the API of Galatea, to measure how much the API adds to a call.

use std::cell::Cell;
use std::rc::Rc;

use mlua::{Function, Lua, UserData, UserDataFields};

use super::budget::Budget;
use super::fault::Fault;
use super::interrupts::count_steps;
use super::vm::new_vm;

/// A value with one property.
struct Bare(Rc<Cell<f64>>);

impl UserData for Bare {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("yaw", |_, this| Ok(this.0.get()));
        fields.add_field_method_set("yaw", |_, this, yaw: f64| {
            this.0.set(yaw);
            Ok(())
        });
    }
}

/// A VM with a property `hero.yaw` and a function `now()`, both bound by mlua alone. Steps are counted as for scripts.
pub struct BareCalls {
    _lua: Lua,
    work: Function,
}

impl BareCalls {
    /// Compiles a Luau text that [`BareCalls::run`] runs. It can use `hero` and `now`.
    ///
    /// # Errors
    /// Fails if the VM cannot be created or the text does not compile.
    pub fn new(text: &str) -> Result<Self, Fault> {
        let make = || -> mlua::Result<Self> {
            let lua = new_vm()?;
            let value = Rc::new(Cell::new(0.0));
            let seen = value.clone();
            let globals = lua.globals();
            globals.set("hero", lua.create_userdata(Bare(value))?)?;
            globals.set("now", lua.create_function(move |_, ()| Ok(seen.get()))?)?;
            lua.sandbox(true)?;
            let budget = Rc::new(Budget::default());
            budget.begin_alone(u64::MAX);
            count_steps(&lua, budget)?;
            let work = lua.load(text).into_function()?;
            Ok(Self { _lua: lua, work })
        };
        make().map_err(|error| Fault::from_lua(&error))
    }

    /// Runs the text once.
    ///
    /// # Errors
    /// Returns the fault of the text.
    pub fn run(&self) -> Result<(), Fault> {
        let result = self.work.call::<()>(());
        result.map_err(|error| Fault::from_lua(&error))
    }
}
