//! Reading of machine parameters, and reports of parameters with a value of the wrong type.

use mlua::Value;

use super::api::check::describe;
use super::fault::Fault;
use super::host::Host;
use super::params::{ParamTable, Watched};
use galatea_machine::{ParamDef, ParamValue};
use galatea_stage::Handle;

impl Host {
    /// Reads the parameters of a character's machine into `values`. A parameter with a value of the wrong type keeps
    /// its previous value.
    pub(super) fn read_params(&mut self, character: Handle, values: &mut [f32]) {
        let table = self.with_program(|program| program.machines.params.get(&character).cloned());
        let Some(params) = table else { return };
        for (param, value) in params.declared.iter().zip(values) {
            match params.read(param) {
                Ok(given) => {
                    *value = given;
                    if let Some(found) = params.unwatch(&param.name) {
                        let found = Watched { set: None, ..found };
                        self.report_wrong_param(&params, param, found);
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

    /// Handles a parameter with a value of the wrong type. Writing to a plain table cannot be observed, so the line
    /// that sets the parameter is known only if it is set again within a tick. Otherwise the report names the location
    /// of the machine.
    fn wrong_param(&mut self, params: &ParamTable, param: &ParamDef, given: Value, kept: Value) {
        let name = param.name.as_str();
        let value = match params.unwatch(name) {
            None if !self.reported_faults.is_reported(&param_key(params, param)) => {
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
                    self.report_wrong_param(params, param, found);
                } else {
                    self.reported_faults.count(param_key(params, param));
                }
                kept
            }
        };
        // Conditions that are functions read the same value as conditions that are texts.
        let _ = params.table.raw_set(name, value);
    }

    /// Reports a parameter that was set to a value of the wrong type.
    fn report_wrong_param(&mut self, params: &ParamTable, param: &ParamDef, found: Watched) {
        let wanted = match param.default {
            ParamValue::Number(_) => "a number",
            ParamValue::Bool(_) => "true or false",
        };
        let (given, at) = found.set.unwrap_or((found.given, params.at.clone()));
        let fault = Fault {
            file: Some(at.file).filter(|file| !file.is_empty()),
            line: Some(at.line).filter(|line| *line > 0),
            text: format!(
                "parameter {:?} of {} must be {wanted}, got {}; it keeps the value {}",
                param.name,
                params.character,
                describe(&given),
                found.kept.to_string().unwrap_or_default()
            ),
            ..Fault::default()
        };
        self.push_once(param_key(params, param), fault);
    }
}

/// Key under which a wrong value of a parameter is reported once.
fn param_key(params: &ParamTable, param: &ParamDef) -> String {
    format!("{} {} {}", params.at, params.character, param.name)
}
