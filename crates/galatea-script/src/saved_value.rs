//! Values of kept tables, as plain data that a saved game stores.

use std::collections::HashMap;

use mlua::{AnyUserData, Lua, Table, Value};
use serde::{Deserialize, Serialize};

use super::api::saved_object::{object_of, saved_object};
use super::kept_tables::{Pointer, ReloadTables};
use super::object_kind::SavedObject;
use super::sources::Sources;

/// Maximum nesting depth of saved tables.
const MAX_DEPTH: usize = 100;
/// Maximum number of entries in all saved tables of a game.
const MAX_ENTRIES: usize = 1_000_000;
/// Maximum number of named tables that are searched for classes and modules.
const MAX_NAMED: usize = 100_000;

/// A value of a kept table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum SavedValue {
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Vector([f32; 3]),
    Text(Vec<u8>),
    /// A table, by its index in [`SavedTables::tables`].
    Table(u32),
    /// A table of a module.
    Named(TableName),
    Object(SavedObject),
}

/// Name of a table that the script makes when it starts: a class, or a table of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct TableName {
    /// Path of the module; `None` for the global variables.
    module: Option<String>,
    /// Keys from there to the table.
    keys: Vec<String>,
}

/// A table with its entries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedTable {
    entries: Vec<(SavedValue, SavedValue)>,
    /// The table's metatable.
    class: Option<TableName>,
}

/// Tables of a script with all tables inside them, as plain data. Shared references and cycles are preserved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedTables {
    tables: Vec<SavedTable>,
    /// Roots by name, with their index.
    kept: Vec<(String, u32)>,
}

/// Tables that are found again by name after the script has started.
#[derive(Default)]
pub(super) struct NamedTables {
    modules: HashMap<Pointer, TableName>,
    globals: HashMap<Pointer, TableName>,
}

impl NamedTables {
    /// Collects the tables of modules, and those reachable from global variables, through string keys. Kept tables and
    /// what is inside them do not count.
    pub fn of(sources: &Sources, keeps: &ReloadTables) -> Self {
        let mut named = Self::default();
        let mut paths: Vec<&String> = sources.modules.keys().collect();
        paths.sort();
        for path in paths {
            if let Some(Value::Table(table)) = sources.modules.get(path) {
                collect(&mut named.modules, Some(path), table, keeps);
            }
        }
        if let Some(env) = &sources.env {
            collect(&mut named.globals, None, env, keeps);
        }
        named
    }

    fn class(&self, table: &Table) -> Option<TableName> {
        let pointer = table.to_pointer();
        let found = self.modules.get(&pointer);
        found.or_else(|| self.globals.get(&pointer)).cloned()
    }
}

fn collect(
    found: &mut HashMap<Pointer, TableName>,
    module: Option<&String>,
    root: &Table,
    keeps: &ReloadTables,
) {
    let mut left = vec![(root.clone(), Vec::new())];
    while let Some((table, keys)) = left.pop() {
        let pointer = table.to_pointer();
        let is_kept = keeps.iter().any(|(_, kept)| kept.to_pointer() == pointer);
        if is_kept || found.len() >= MAX_NAMED || found.contains_key(&pointer) {
            continue;
        }
        for (key, value) in table.pairs::<Value, Value>().flatten() {
            if let (Value::String(key), Value::Table(inner)) = (key, value)
                && keys.len() < MAX_DEPTH
            {
                let mut keys = keys.clone();
                keys.push(key.to_string_lossy());
                left.push((inner, keys));
            }
        }
        let module = module.cloned();
        found.insert(pointer, TableName { module, keys });
    }
}

impl TableName {
    /// The table with this name in the running version of the script.
    fn find(&self, sources: &Sources) -> Option<Table> {
        let root = match &self.module {
            Some(path) => sources.modules.get(path)?.as_table()?.clone(),
            None => sources.env.clone()?,
        };
        let mut keys = self.keys.iter();
        keys.try_fold(root, |table, key| {
            table.raw_get::<Option<Table>>(key.as_str()).ok()?
        })
    }

    /// Name in messages.
    fn shown(&self) -> String {
        let path = self.keys.join(".");
        match &self.module {
            Some(module) if path.is_empty() => format!("the module {module}"),
            Some(module) => format!("{path} of the module {module}"),
            None => path,
        }
    }
}

impl SavedTables {
    /// Copies kept tables.
    ///
    /// # Errors
    /// Names the path of a value that cannot be saved, such as a function.
    pub(super) fn of(keeps: &ReloadTables, named: &NamedTables) -> Result<Self, String> {
        let mut saver = Saver {
            named,
            done: HashMap::new(),
            tables: Vec::new(),
            n_entries: 0,
        };
        let mut kept = Vec::new();
        for (name, table) in keeps {
            let mut path = vec![name.clone()];
            kept.push((name.clone(), saver.table(table, &mut path)?));
        }
        Ok(Self {
            tables: saver.tables,
            kept,
        })
    }

    /// Number of entries in all tables.
    pub(super) fn n_entries(&self) -> usize {
        self.tables.iter().map(|table| table.entries.len()).sum()
    }

    /// Copies one table of plain values that belongs to nothing else.
    ///
    /// # Errors
    /// Names the path of a value that cannot be saved.
    pub(super) fn of_one(name: &str, table: &Table) -> Result<Self, String> {
        let keeps = vec![(name.to_owned(), table.clone())];
        Self::of(&keeps, &NamedTables::default())
    }

    /// A table with one number.
    pub(super) fn of_number(name: &str, key: &str, value: f64) -> Self {
        let key = SavedValue::Text(key.as_bytes().to_vec());
        let entries = vec![(key, SavedValue::Number(value))];
        Self {
            tables: vec![SavedTable {
                entries,
                class: None,
            }],
            kept: vec![(name.to_owned(), 0)],
        }
    }

    /// These tables, but those with one of the names as in `other`.
    pub(super) fn with(mut self, other: &Self, names: &[String]) -> Self {
        let offset = self.tables.len() as u32;
        let moved = |value: &SavedValue| match value {
            SavedValue::Table(i) => SavedValue::Table(i + offset),
            other => other.clone(),
        };
        for (name, i) in other.kept.iter().filter(|(name, _)| names.contains(name)) {
            self.kept.retain(|(known, _)| known != name);
            self.kept.push((name.clone(), i + offset));
        }
        for table in &other.tables {
            let entries = table.entries.iter();
            let entries = entries.map(|(key, value)| (moved(key), moved(value)));
            self.tables.push(SavedTable {
                entries: entries.collect(),
                class: table.class.clone(),
            });
        }
        self
    }

    /// Makes the tables in a VM. Classes and tables of modules follow with [`MadeTables::connect`], once the script has run.
    /// If `is_changed`, the script makes its objects with new handles; references to those become `nil`.
    ///
    /// # Errors
    /// Fails if the VM runs out of memory.
    pub(super) fn make(&self, lua: &Lua, is_changed: bool) -> mlua::Result<MadeTables> {
        let tables: Vec<Table> = (0..self.tables.len())
            .map(|_| lua.create_table())
            .collect::<mlua::Result<_>>()?;
        for (saved, table) in self.tables.iter().zip(&tables) {
            for (key, value) in &saved.entries {
                let made = [key, value].map(|one| one.make(lua, &tables, is_changed));
                let [key, value] = made;
                if let (Some(key), Some(value)) = (key?, value?) {
                    table.raw_set(key, value)?;
                }
            }
        }
        let at = |i: &u32| tables.get(*i as usize).cloned();
        let kept = self.kept.iter();
        let kept = kept.filter_map(|(name, i)| Some((name.clone(), at(i)?)));
        Ok(MadeTables {
            kept: kept.collect(),
            tables,
        })
    }
}

/// Tables that were made from a saved game.
pub(super) struct MadeTables {
    pub kept: ReloadTables,
    tables: Vec<Table>,
}

impl MadeTables {
    /// Sets classes and references to tables of modules, now that the script has made them. Returns the names of those
    /// that no longer exist.
    pub fn connect(&self, saved: &SavedTables, sources: &Sources) -> Vec<String> {
        let mut missing = Vec::new();
        let mut find = |name: &TableName| {
            let table = name.find(sources);
            if table.is_none() {
                missing.push(name.shown());
            }
            table
        };
        for (saved, table) in saved.tables.iter().zip(&self.tables) {
            if let Some(class) = saved.class.as_ref().and_then(&mut find) {
                // Fails only for a protected metatable, which the script itself has set.
                let _ = table.set_metatable(Some(class));
            }
            for (key, value) in &saved.entries {
                if let (SavedValue::Named(name), Some(key)) = (value, key.plain_key())
                    && let Some(found) = find(name)
                {
                    // If memory runs out, the entry is missing, as if the module had not made it.
                    let _ = key.set(table, found);
                }
            }
        }
        missing.sort();
        missing.dedup();
        missing
    }
}

/// A key under which a table of a module can be stored.
enum PlainKey<'a> {
    Text(&'a [u8]),
    Integer(i64),
}

impl PlainKey<'_> {
    fn set(&self, table: &Table, value: Table) -> mlua::Result<()> {
        match self {
            Self::Text(text) => {
                let key = mlua::BString::from(*text);
                table.raw_set(key, value)
            }
            Self::Integer(i) => table.raw_set(*i, value),
        }
    }
}

impl SavedValue {
    fn plain_key(&self) -> Option<PlainKey<'_>> {
        match self {
            Self::Text(text) => Some(PlainKey::Text(text)),
            Self::Integer(i) => Some(PlainKey::Integer(*i)),
            Self::Number(n) if n.fract() == 0.0 => Some(PlainKey::Integer(*n as i64)),
            _ => None,
        }
    }

    /// The value in a VM; `None` for tables of modules, and for objects whose handles are no longer valid.
    fn make(&self, lua: &Lua, tables: &[Table], is_changed: bool) -> mlua::Result<Option<Value>> {
        Ok(Some(match self {
            Self::Boolean(value) => Value::Boolean(*value),
            Self::Integer(value) => Value::Integer(*value),
            Self::Number(value) => Value::Number(*value),
            Self::Vector([x, y, z]) => Value::Vector(mlua::Vector::new(*x, *y, *z)),
            Self::Text(bytes) => Value::String(lua.create_string(bytes)?),
            Self::Table(i) => match tables.get(*i as usize) {
                Some(table) => Value::Table(table.clone()),
                None => return Ok(None),
            },
            Self::Named(_) => return Ok(None),
            Self::Object(object) if is_changed && !object.kind.has_stable_handle() => {
                return Ok(None);
            }
            Self::Object(object) => object_of(lua, *object)?,
        }))
    }
}

struct Saver<'a> {
    named: &'a NamedTables,
    done: HashMap<Pointer, u32>,
    tables: Vec<SavedTable>,
    n_entries: usize,
}

impl Saver<'_> {
    fn table(&mut self, table: &Table, path: &mut Vec<String>) -> Result<u32, String> {
        if let Some(known) = self.done.get(&table.to_pointer()) {
            return Ok(*known);
        }
        if path.len() > MAX_DEPTH {
            return Err(format!(
                "{}…: tables are nested more than {MAX_DEPTH} deep",
                path[..4].join("")
            ));
        }
        let number = self.tables.len() as u32;
        self.done.insert(table.to_pointer(), number);
        self.tables.push(SavedTable::default());
        let class = match table.metatable() {
            Some(meta) => Some(self.named.class(&meta).ok_or_else(|| {
                format!(
                    "{} has a metatable that a saved game cannot find again; store the class in a global variable, or \
                     return it from a module",
                    path.join("")
                )
            })?),
            None => None,
        };
        let mut entries = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair.map_err(|error| error.to_string())?;
            self.n_entries += 1;
            if self.n_entries > MAX_ENTRIES {
                return Err(format!(
                    "the kept tables have more than {MAX_ENTRIES} entries"
                ));
            }
            path.push(step(&key));
            let key = self.value(&key, path)?;
            let value = self.value(&value, path)?;
            path.pop();
            entries.push((key, value));
        }
        self.tables[number as usize] = SavedTable { entries, class };
        Ok(number)
    }

    fn value(&mut self, value: &Value, path: &mut Vec<String>) -> Result<SavedValue, String> {
        Ok(match value {
            Value::Boolean(value) => SavedValue::Boolean(*value),
            Value::Integer(value) => SavedValue::Integer(*value),
            Value::Number(value) => SavedValue::Number(*value),
            Value::Vector(v) => SavedValue::Vector([v.x(), v.y(), v.z()]),
            Value::String(text) => SavedValue::Text(text.as_bytes().to_vec()),
            Value::Table(table) => match self.named.modules.get(&table.to_pointer()) {
                Some(name) => SavedValue::Named(name.clone()),
                None => SavedValue::Table(self.table(table, path)?),
            },
            Value::UserData(data) => SavedValue::Object(self.object(data, path)?),
            other => {
                let (path, kind) = (path.join(""), other.type_name());
                return Err(format!(
                    "{path} is a {kind}; a saved game can store numbers, booleans, texts, vectors, tables, and characters \
                     and other objects on the stage"
                ));
            }
        })
    }

    fn object(&self, data: &AnyUserData, path: &[String]) -> Result<SavedObject, String> {
        saved_object(data).ok_or_else(|| {
            let path = path.join("");
            let kind = data.metatable().ok();
            let kind = kind.and_then(|meta| meta.get::<String>("__type").ok());
            let kind = kind.unwrap_or_else(|| "object".to_owned());
            format!(
                "{path} is a {kind}, which ends when a game is loaded; store what you need to make it again"
            )
        })
    }
}

/// A key as part of a path in messages: `.name` or `[3]`.
fn step(key: &Value) -> String {
    match key {
        Value::String(text) => {
            let text = text.to_string_lossy();
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            match text.chars().all(is_name) && !text.is_empty() {
                true => format!(".{text}"),
                false => format!("[{text:?}]"),
            }
        }
        Value::Integer(i) => format!("[{i}]"),
        Value::Number(n) => format!("[{n}]"),
        other => format!("[{}]", other.type_name()),
    }
}
