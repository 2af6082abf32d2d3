//! Catches panics, and knows what a thread was doing when one happened.
//!
//! [`guarded`] runs code whose panics are expected, such as a library that asserts what a file may break: nothing is
//! printed, and the caller handles the error. [`contained`] runs code whose panics are faults of ours: the program's
//! [`Handler`] reports them, and the caller goes on without the result. [`during`] names an activity, which reports
//! list.
//!
//! ```
//! let depth = galatea_guard::guarded("measuring a hull", || -> f32 { panic!("a point is not finite") });
//! let caught = depth.unwrap_err();
//! assert_eq!(caught.message, "a point is not finite");
//! assert_eq!(caught.activities, ["measuring a hull"]);
//! ```
//!
//! # Dependencies
//!
//! Only the standard library. The panic hook that it installs is global; all else is kept per thread. A panic on
//! another thread (a `rayon` job that the guarded code starts) reaches the caller, but the guard of the caller does
//! not cover it: give the job its own [`guarded`].

use std::any::Any;
use std::backtrace::Backtrace;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Once, OnceLock};

/// A panic that was caught.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caught {
    /// Text of the panic.
    pub message: String,
    /// File, line and column of the source; empty if it is not known.
    pub location: String,
    /// What the thread was doing, outermost first.
    pub activities: Vec<String>,
    /// Sentence for people that the [`Handler`] gave; empty after [`guarded`].
    pub notice: String,
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.location.as_str() {
            "" => write!(f, "{}", self.message),
            location => write!(f, "{} ({location})", self.message),
        }
    }
}

impl std::error::Error for Caught {}

/// Function that reports a panic. It returns a sentence for people, which becomes [`Caught::notice`].
pub type Handler = fn(&Caught, &Backtrace) -> String;

static HANDLER: OnceLock<Handler> = OnceLock::new();

thread_local! {
    static ACTIVITIES: RefCell<Vec<Activity>> = const { RefCell::new(Vec::new()) };
    /// How many calls of `guarded` the thread is in.
    static N_GUARDS: Cell<u32> = const { Cell::new(0) };
    /// The last panic of the thread, until it is caught.
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

struct Activity {
    what: Cow<'static, str>,
    number: Option<u64>,
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.what)?;
        self.number.map_or(Ok(()), |number| write!(f, " {number}"))
    }
}

/// Keeps an activity in the list of its thread until it is dropped.
#[must_use = "the activity ends when this is dropped"]
#[derive(Debug)]
pub struct ActivityScope {
    n_before: usize,
    // The list belongs to this thread.
    not_send: std::marker::PhantomData<*const ()>,
}

impl Drop for ActivityScope {
    fn drop(&mut self) {
        // A thread that ends has no list any more.
        let _ = ACTIVITIES.try_with(|all| all.borrow_mut().truncate(self.n_before));
    }
}

/// Names what this thread does from now on: `loading assets/x.glb`. It costs nothing but a push of the text.
pub fn during(what: impl Into<Cow<'static, str>>) -> ActivityScope {
    begin(what.into(), None)
}

/// As [`during`], with a number: `tick 812`. It allocates no memory.
pub fn during_number(what: &'static str, number: u64) -> ActivityScope {
    begin(Cow::Borrowed(what), Some(number))
}

fn begin(what: Cow<'static, str>, number: Option<u64>) -> ActivityScope {
    let n_before = ACTIVITIES.with_borrow_mut(|all| {
        all.push(Activity { what, number });
        all.len() - 1
    });
    ActivityScope {
        n_before,
        not_send: std::marker::PhantomData,
    }
}

/// What this thread is doing, outermost first.
pub fn activities() -> Vec<String> {
    let list = ACTIVITIES.try_with(|all| match all.try_borrow() {
        Ok(all) => all.iter().map(Activity::to_string).collect(),
        Err(_) => Vec::new(),
    });
    list.unwrap_or_default()
}

/// Runs code whose panics are expected. A panic on this thread prints and reports nothing.
///
/// # Errors
/// The panic. What the code was changing may be half changed: the caller must drop or rebuild it.
pub fn guarded<T>(
    activity: impl Into<Cow<'static, str>>,
    work: impl FnOnce() -> T,
) -> Result<T, Caught> {
    N_GUARDS.set(N_GUARDS.get() + 1);
    let result = caught(activity.into(), work);
    N_GUARDS.set(N_GUARDS.get() - 1);
    result
}

/// Runs code that should not panic, at a place where the program can go on without its result. The [`Handler`]
/// reports a panic, even inside of [`guarded`].
///
/// # Errors
/// The panic. What the code was changing may be half changed: the caller must drop or rebuild it.
pub fn contained<T>(
    activity: impl Into<Cow<'static, str>>,
    work: impl FnOnce() -> T,
) -> Result<T, Caught> {
    let n_guards = N_GUARDS.replace(0);
    let result = caught(activity.into(), work);
    N_GUARDS.set(n_guards);
    result
}

fn caught<T>(activity: Cow<'static, str>, work: impl FnOnce() -> T) -> Result<T, Caught> {
    install();
    let _scope = begin(activity, None);
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let message = text_of(&*payload);
        // The hook does not see what another thread passes on.
        let seen = LAST.take().filter(|last| last.message == message);
        seen.unwrap_or_else(|| Caught {
            message,
            activities: activities(),
            ..Caught::default()
        })
    })
}

/// Sends all panics outside of [`guarded`] to a handler, from now on. The first handler stays.
pub fn handle(handler: Handler) {
    // A program has one handler; a second one changes nothing.
    let _ = HANDLER.set(handler);
    install();
}

/// Installs the panic hook once. Without a handler it passes panics on to the hook that was there before.
fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| panicked(info, &*before)));
    });
}

fn panicked(info: &PanicHookInfo, before: &dyn Fn(&PanicHookInfo)) {
    let location = info.location().map(ToString::to_string);
    let mut panic = Caught {
        message: text_of(info.payload()),
        location: location.unwrap_or_default(),
        activities: activities(),
        notice: String::new(),
    };
    let is_guarded = N_GUARDS.try_with(Cell::get).is_ok_and(|n| n > 0);
    if !is_guarded {
        match HANDLER.get() {
            Some(handler) => panic.notice = handler(&panic, &Backtrace::force_capture()),
            None => before(info),
        }
    }
    // A thread that ends catches nothing any more.
    let _ = LAST.try_with(|last| last.replace(Some(panic)));
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_panic_says_what_where_and_during_which_activities() {
        let _outer = during_number("tick", 812);
        let result = guarded("a rope", || {
            let _inner = during("rope 3");
            [1.0].get(4).copied().expect("a length")
        });
        let caught = result.unwrap_err();
        assert_eq!(caught.message, "a length");
        assert!(
            caught
                .location
                .starts_with("crates/galatea-guard/src/lib.rs:")
        );
        assert_eq!(caught.activities, ["tick 812", "a rope", "rope 3"]);
        assert_eq!(activities(), ["tick 812"]);
        assert_eq!(N_GUARDS.get(), 0);
    }

    #[test]
    fn guards_nest_and_results_pass_through() {
        let outer = guarded("outer", || {
            let inner = guarded("inner", || panic!("of {}", 2));
            assert_eq!(
                inner.map_err(|caught: Caught| caught.message),
                Err::<(), _>("of 2".into())
            );
            assert_eq!(N_GUARDS.get(), 1);
            7
        });
        assert_eq!(outer, Ok(7));
    }

    #[test]
    fn a_panic_of_another_thread_keeps_its_text() {
        let result = guarded("waiting", || {
            let thread = std::thread::spawn(|| {
                let _ = guarded("first", || panic!("caught there"));
                std::panic::resume_unwind(Box::new("from there"));
            });
            let Err(payload) = thread.join();
            std::panic::resume_unwind(payload)
        });
        assert_eq!(result.unwrap_err().message, "from there");
    }

    #[test]
    fn an_activity_ends_with_its_scope_on_its_own_thread() {
        let scope = during("here");
        let elsewhere = std::thread::spawn(activities).join().unwrap();
        assert!(elsewhere.is_empty());
        drop(scope);
        assert!(activities().is_empty());
    }
}
