//! Parts that were already written or read by the call of [`encode`](crate::encode) or [`decode`](crate::decode) that runs
//! on this thread.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::PersistError;

/// A value found by kind and key.
pub type ExternalValue = Arc<dyn Any + Send + Sync>;

/// Finds an external value by kind and key.
pub type Resolver = Rc<dyn Fn(&str, &str) -> Result<ExternalValue, String>>;

/// An `Arc` of any type.
type AnyPart = Box<dyn Any + Send + Sync>;

/// Parts that were written.
#[derive(Default)]
struct WriteState {
    /// Numbers by address and type: empty lists of different types may have the same address.
    numbers: HashMap<(usize, TypeId), u32>,
    /// Keeps the parts alive, so that no two have the same address.
    parts: Vec<AnyPart>,
}

/// Parts that were read, by number.
struct ReadState {
    parts: HashMap<u32, AnyPart>,
    externals: HashMap<(String, String), ExternalValue>,
    resolver: Resolver,
}

enum PersistContext {
    Write(WriteState),
    ReadState(ReadState),
}

thread_local! {
    static CONTEXT: RefCell<Option<PersistContext>> = const { RefCell::new(None) };
}

/// Removes the context of this thread when it is dropped, also after an error or a panic.
pub struct ContextGuard(());

impl Drop for ContextGuard {
    fn drop(&mut self) {
        // Parts are dropped after the borrow ends, because dropping them may run other code.
        let context = CONTEXT.with(|slot| slot.borrow_mut().take());
        drop(context);
    }
}

fn begin(context: PersistContext) -> Result<ContextGuard, PersistError> {
    CONTEXT.with(|slot| {
        let mut slot = slot.borrow_mut();
        if slot.is_some() {
            return Err(PersistError::Nested);
        }
        *slot = Some(context);
        Ok(ContextGuard(()))
    })
}

/// Starts to write on this thread.
///
/// # Errors
/// Fails if a value is already being written or read on this thread.
pub fn begin_write() -> Result<ContextGuard, PersistError> {
    begin(PersistContext::Write(WriteState::default()))
}

/// Starts to read on this thread.
///
/// # Errors
/// Fails if a value is already being written or read on this thread.
pub fn begin_read(resolver: Resolver) -> Result<ContextGuard, PersistError> {
    begin(PersistContext::ReadState(ReadState {
        parts: HashMap::new(),
        externals: HashMap::new(),
        resolver,
    }))
}

fn with_written<R>(f: impl FnOnce(&mut WriteState) -> R) -> Result<R, String> {
    CONTEXT.with(|slot| match &mut *slot.borrow_mut() {
        Some(PersistContext::Write(written)) => Ok(f(written)),
        _ => Err("shared parts can only be written by `encode`".to_owned()),
    })
}

fn with_read<R>(f: impl FnOnce(&mut ReadState) -> R) -> Result<R, String> {
    CONTEXT.with(|slot| match &mut *slot.borrow_mut() {
        Some(PersistContext::ReadState(read)) => Ok(f(read)),
        _ => Err("shared parts can only be read by `decode`".to_owned()),
    })
}

/// Number of a part, and whether it was not written before.
///
/// # Errors
/// Fails outside of `encode`.
pub fn number<T>(part: &Arc<T>) -> Result<(u32, bool), String>
where
    T: ?Sized,
    Arc<T>: Any + Send + Sync,
{
    with_written(|written| {
        let address = Arc::as_ptr(part).cast::<()>() as usize;
        let id = (address, TypeId::of::<Arc<T>>());
        if let Some(known) = written.numbers.get(&id) {
            return (*known, false);
        }
        let number = written.parts.len() as u32;
        written.numbers.insert(id, number);
        written.parts.push(Box::new(part.clone()));
        (number, true)
    })
}

/// A part that was read before.
///
/// # Errors
/// Fails if there is none with this number, or it has another type.
pub fn known<T>(number: u32) -> Result<Arc<T>, String>
where
    T: ?Sized,
    Arc<T>: Any + Send + Sync,
{
    with_read(|read| {
        let part = read.parts.get(&number);
        let part = part.ok_or_else(|| format!("the shared part {number} is missing"))?;
        let part: Option<&Arc<T>> = part.downcast_ref();
        part.cloned()
            .ok_or_else(|| format!("the shared part {number} has another type"))
    })?
}

/// Remembers a part that was read.
///
/// # Errors
/// Fails if the number is already used.
pub fn remember<T>(number: u32, part: &Arc<T>) -> Result<(), String>
where
    T: ?Sized,
    Arc<T>: Any + Send + Sync,
{
    with_read(|read| {
        let before = read.parts.insert(number, Box::new(part.clone()));
        before.map_or(Ok(()), |_| {
            Err(format!("the shared part {number} is there twice"))
        })
    })?
}

/// Finds a value that was not written, such as a loaded model, by the resolver that [`decode`](crate::decode) was given.
/// Each value is requested once per call of `decode`.
///
/// # Errors
/// Returns the resolver's message, or one about a value of another type. Fails outside of `decode`.
pub fn external<T: Any + Send + Sync>(kind: &str, key: &str) -> Result<Arc<T>, String> {
    let id = (kind.to_owned(), key.to_owned());
    let (known, resolver) =
        with_read(|read| (read.externals.get(&id).cloned(), read.resolver.clone()))?;
    let found = match known {
        Some(known) => known,
        None => {
            let found = resolver(kind, key)?;
            with_read(|read| read.externals.insert(id, found.clone()))?;
            found
        }
    };
    found
        .downcast()
        .map_err(|_| format!("the {kind} {key:?} has another type"))
}
