//! Parameters of machines, and reports of those that were set to what they cannot be.

use mlua::Value;

use super::api::check::describe;
use super::fault::Fault;
use super::host::Host;
use super::params::{ParamTable, Watched};
use galatea_machine::{ParamDef, ParamValue};
use galatea_stage::Handle;

impl Host {
    /// Reads the parameters of a character's machine into `values`; one that was set to what it cannot be stays.
    pub(super) fn read_params(&mut self, character: Handle, values: &mut [f32]) {
        let table = self.with_program(|program| program.machines.params.get(&character).cloned());
        let Some(params) = table else { return };
        for (param, value) in params.declared.iter().zip(values) {
            match params.read(param) {
                Ok(given) => {
                    *value = given;
                    if let Some(found) = params.unwatch(&param.name) {
                        let found = Watched { set: None, ..found };
                        self.tell_wrong_param(&params, param, found);
                    }
                }
                Err(other) => {
                    let kept = match param.default {
                        ParamValue::Number(_) => Value::Number(f64::from(*value)),
                        ParamValue::Bool(_) => Value::Boolean(*value != 0.0),
                    };
                    self.wrong_param(&params, param, other, kept);
                }
            }
        }
    }

    /// A parameter was set to what it cannot be. The table is a plain one, so that who set it is known
    /// only when it is set again within a tick; else its place is that of the machine.
    fn wrong_param(&mut self, params: &ParamTable, param: &ParamDef, given: Value, kept: Value) {
        let name = param.name.as_str();
        let value = match params.unwatch(name) {
            None if !self.told.knows(&param_key(params, param)) => {
                params.watch.borrow_mut().push(Watched {
                    name: name.to_owned(),
                    given,
                    kept,
                    set: None,
                });
                Value::Nil
            }
            found => {
                if let Some(found) = found {
                    self.tell_wrong_param(params, param, found);
                } else {
                    self.told.count(param_key(params, param));
                }
                kept
            }
        };
        // Conditions that are functions see what those that are texts see.
        let _ = params.table.raw_set(name, value);
    }

    /// Says that a parameter was set to what it cannot be.
    fn tell_wrong_param(&mut self, params: &ParamTable, param: &ParamDef, found: Watched) {
        let wanted = match param.default {
            ParamValue::Number(_) => "a number",
            ParamValue::Bool(_) => "true or false",
        };
        let (given, at) = found.set.unwrap_or((found.given, params.at.clone()));
        let fault = Fault {
            file: Some(at.file).filter(|file| !file.is_empty()),
            line: Some(at.line).filter(|line| *line > 0),
            text: format!(
                "parameter {:?} of {} is {wanted} and was set to {}; it keeps {}",
                param.name,
                params.whose,
                describe(&given),
                found.kept.to_string().unwrap_or_default()
            ),
            ..Fault::default()
        };
        self.push_once(param_key(params, param), fault);
    }
}

/// Under which a wrong value of a parameter is told once.
fn param_key(params: &ParamTable, param: &ParamDef) -> String {
    format!("{} {} {}", params.at, params.whose, param.name)
}
