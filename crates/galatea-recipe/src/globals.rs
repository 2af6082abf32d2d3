//! Global functions of every recipe: output.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Lua, Value};

use galatea_script::PrintLimit;
use galatea_script::toolkit::{Args, Function, Group, Kind};

/// Output of `print` in a recipe. When dropped, it reports the number of omitted lines.
pub(super) struct PrintSink {
    print: Rc<dyn Fn(&str)>,
    limit: RefCell<PrintLimit>,
}

impl PrintSink {
    pub fn new(print: Rc<dyn Fn(&str)>) -> Self {
        Self {
            print,
            limit: RefCell::default(),
        }
    }
}

impl Drop for PrintSink {
    fn drop(&mut self) {
        if let Some(line) = self.limit.get_mut().report() {
            (self.print)(&line);
        }
    }
}

pub(super) static GROUP: Group = Group {
    kind: Kind::Globals,
    name: "Globals",
    doc: "Functions that every recipe can call without a prefix. The libraries of Luau (`math`, `string`, `table`, \
          `vector` and so on) are available too. `require \"./part\"` runs the file `part.lua` next to the calling file \
          and returns its result.",
    functions: &[
        Function {
            name: "print",
            params: &[],
            returns: "",
            doc: "Writes values to the terminal, separated by tabs.",
            example: "print(\"points\", 12)",
            call: print,
        },
        super::cage::CAGE,
        super::part::PART,
        super::sheet::SHEET,
        super::picture::PICTURE,
        super::bones::BONES,
        super::figure::FIGURE,
        super::pose::POSE,
        super::motion::KEYS,
        super::motion::CURVE,
        super::motion::WAVE,
        super::motion::DRIFT,
        super::motion::GAIT,
        super::clip::CLIP,
        super::model::MODEL,
    ],
    properties: &[],
};

fn print(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let texts: Vec<String> = (0..args.count())
        .map(|i| args.value(i).to_string())
        .collect::<mlua::Result<_>>()?;
    if let Some(sink) = lua.app_data_ref::<PrintSink>() {
        let line = sink.limit.borrow_mut().admit(texts.join("\t"));
        if let Some(line) = line {
            (sink.print)(&line);
        }
    }
    Ok(Value::Nil)
}
