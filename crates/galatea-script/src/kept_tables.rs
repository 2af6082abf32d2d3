//! Tables that a script keeps over a hot reload. They are copied for the new version, so that the old version can
//! continue if the new one fails. Tables of modules inside them are not copied.
//!
//! All scripts share the table of a module. A kept table may refer to it, as an object does to its class. After a
//! reload the reference points to the table that the new version of the module returned.

use std::collections::{HashMap, HashSet};
use std::ffi::c_void;

use mlua::{Lua, Table, Value};

pub(super) type Pointer = *const c_void;

/// Tables made by `keep_on_reload`, by name.
pub(super) type ReloadTables = Vec<(String, Table)>;

/// Maximum nesting depth of kept tables.
const MAX_NESTED: usize = 100;
/// Maximum number of module tables that are searched.
const MAX_TABLES: usize = 100_000;

fn too_deep() -> mlua::Error {
    mlua::Error::runtime(format!(
        "keep_on_reload: tables are nested more than {MAX_NESTED} deep"
    ))
}

/// Tables that are shared instead of copied with kept tables: those of modules.
#[derive(Default)]
pub(super) struct Shared(HashSet<Pointer>);

impl Shared {
    /// Collects the tables of these modules and the tables reachable from them through string keys, except the kept
    /// tables.
    pub fn of(modules: &HashMap<String, Value>, keeps: &[(String, Table)]) -> Self {
        let mut left: Vec<Table> = modules
            .values()
            .filter_map(|value| value.as_table().cloned())
            .collect();
        if left.is_empty() {
            return Self::default();
        }
        let kept: HashSet<Pointer> = keeps.iter().map(|(_, t)| t.to_pointer()).collect();
        let mut found = HashSet::new();
        while let Some(table) = left.pop() {
            let pointer = table.to_pointer();
            let is_new = found.len() < MAX_TABLES && !kept.contains(&pointer);
            if is_new && found.insert(pointer) {
                left.extend(named_tables(&table).map(|(_, inner)| inner));
            }
        }
        Self(found)
    }
}

/// Tables stored under string keys in a table.
fn named_tables(table: &Table) -> impl Iterator<Item = (String, Table)> {
    let pairs = table.pairs::<Value, Value>().flatten();
    let named = pairs.filter_map(|(key, value)| match (key, value) {
        (Value::String(name), Value::Table(inner)) => Some((name.to_string_lossy(), inner)),
        _ => None,
    });
    named.collect::<Vec<_>>().into_iter()
}

/// Copies a table and the tables in it, and returns the number of copied entries. Cycles and references shared within
/// the table are preserved. Functions, handles and tables of modules are shared with the original.
///
/// # Errors
/// Fails if tables are nested more than 100 deep.
pub(super) fn deep_copy(lua: &Lua, table: &Table, shared: &Shared) -> mlua::Result<(Table, usize)> {
    let mut copier = Copier {
        lua,
        shared,
        done: HashMap::new(),
        n: 0,
    };
    let copy = copier.copy(table, 0)?;
    Ok((copy, copier.n))
}

struct Copier<'a> {
    lua: &'a Lua,
    shared: &'a Shared,
    done: HashMap<Pointer, Table>,
    n: usize,
}

impl Copier<'_> {
    fn copy(&mut self, table: &Table, depth: usize) -> mlua::Result<Table> {
        let pointer = table.to_pointer();
        if let Some(copy) = self.done.get(&pointer) {
            return Ok(copy.clone());
        }
        if depth > 0 && self.shared.0.contains(&pointer) {
            return Ok(table.clone());
        }
        if depth > MAX_NESTED {
            return Err(too_deep());
        }
        let copy = self.lua.create_table()?;
        self.done.insert(pointer, copy.clone());
        for pair in table.pairs::<Value, Value>() {
            let (key, value) = pair?;
            self.n += 1;
            let value = match value {
                Value::Table(inner) => Value::Table(self.copy(&inner, depth + 1)?),
                other => other,
            };
            copy.raw_set(key, value)?;
        }
        copy.set_metatable(table.metatable())?;
        Ok(copy)
    }
}

/// Copies entries that are missing in `kept` from `defaults`, including nested tables.
///
/// # Errors
/// Fails if tables are nested more than 100 deep.
pub(super) fn merge_defaults(kept: &Table, defaults: &Table) -> mlua::Result<()> {
    merge(kept, defaults, &mut HashSet::new(), 0)
}

fn merge(
    kept: &Table,
    defaults: &Table,
    done: &mut HashSet<(Pointer, Pointer)>,
    depth: usize,
) -> mlua::Result<()> {
    if !done.insert((kept.to_pointer(), defaults.to_pointer())) {
        return Ok(());
    }
    if depth > MAX_NESTED {
        return Err(too_deep());
    }
    for pair in defaults.pairs::<Value, Value>() {
        let (key, default) = pair?;
        let now: Value = kept.raw_get(key.clone())?;
        match (&now, &default) {
            (Value::Nil, _) => kept.raw_set(key, default)?,
            (Value::Table(now), Value::Table(default)) => merge(now, default, done, depth + 1)?,
            _ => {}
        }
    }
    Ok(())
}

/// Map from each module table of the old version to the table with the same name in the new version.
#[derive(Default)]
pub(super) struct Renewed {
    now: HashMap<Pointer, Table>,
    /// All module tables of the old version, including those that the new version does not have.
    before: Shared,
}

impl Renewed {
    /// Pairs the modules that exist in both versions.
    pub fn pair_modules(&mut self, before: &HashMap<String, Value>, now: &HashMap<String, Value>) {
        self.before = Shared::of(before, &[]);
        for (path, was) in before {
            if let (Value::Table(was), Some(Value::Table(now))) = (was, now.get(path)) {
                self.pair(was, now);
            }
        }
    }

    /// Pairs two tables and the tables stored in both under the same names.
    pub fn pair(&mut self, was: &Table, now: &Table) {
        let mut left = vec![(was.clone(), now.clone())];
        while let Some((was, now)) = left.pop() {
            if self.now.len() >= MAX_TABLES || self.now.contains_key(&was.to_pointer()) {
                continue;
            }
            for (name, inner) in named_tables(&was) {
                if let Ok(Value::Table(now)) = now.raw_get::<Value>(name) {
                    left.push((inner, now));
                }
            }
            self.now.insert(was.to_pointer(), now);
        }
    }

    fn of(&self, table: &Table) -> Option<&Table> {
        let now = self.now.get(&table.to_pointer())?;
        (now != table).then_some(now)
    }

    /// Redirects references in a kept table and its nested tables to the new tables. The tables of the old version are
    /// not changed. If `values` is false, only metatables are replaced.
    ///
    /// # Errors
    /// Fails if the VM runs out of memory.
    pub fn put_into(&self, kept: &Table, values: bool) -> mlua::Result<()> {
        if self.now.is_empty() {
            return Ok(());
        }
        let mut seen: HashSet<Pointer> = HashSet::new();
        let mut left = vec![kept.clone()];
        while let Some(table) = left.pop() {
            if !seen.insert(table.to_pointer()) {
                continue;
            }
            if let Some(now) = table.metatable().and_then(|meta| self.of(&meta).cloned()) {
                table.set_metatable(Some(now))?;
            }
            let mut replaced = Vec::new();
            for pair in table.pairs::<Value, Value>() {
                let (key, value) = pair?;
                let Value::Table(inner) = value else { continue };
                match self.of(&inner).filter(|_| values) {
                    Some(now) => replaced.push((key, now.clone())),
                    None if self.before.0.contains(&inner.to_pointer()) => {}
                    None => left.push(inner),
                }
            }
            for (key, now) in replaced {
                table.raw_set(key, now)?;
            }
        }
        Ok(())
    }
}
