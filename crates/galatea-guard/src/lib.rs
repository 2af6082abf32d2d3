//! Catches panics, and knows what a thread was doing when one happened.
//!
//! [`guarded`] runs code that is expected to panic, such as a library that asserts its input: nothing is
//! printed, and the caller handles the error. [`contained`] runs code that should not panic: the
//! [`PanicHandler`] of the program reports the panic, and the caller continues without the result. [`during`] names an
//! activity for the reports.
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
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, Once, OnceLock};

/// A panic that was caught.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caught {
    /// Text of the panic.
    pub message: String,
    /// File, line and column of the source; empty if it is not known.
    pub location: String,
    /// Activities of the thread, outermost first.
    pub activities: Vec<String>,
    /// Sentence for people that the [`PanicHandler`] gave; empty after [`guarded`].
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

/// Function that reports a panic; it runs on the thread that panics, before the stack is unwound. The flag is true if the
/// thread is inside of [`contained`], where the caller shows the error. It returns a sentence for people, which becomes
/// [`Caught::notice`].
pub type PanicHandler = fn(&Caught, bool) -> String;

static HANDLER: OnceLock<PanicHandler> = OnceLock::new();
/// The last reported panic of any thread: a thread pool resumes panics on the thread that waits.
static REPORTED: Mutex<Option<Caught>> = Mutex::new(None);

thread_local! {
    static ACTIVITIES: RefCell<Vec<Activity>> = const { RefCell::new(Vec::new()) };
    static CATCH: Cell<CatchKind> = const { Cell::new(CatchKind::Nothing) };
    /// The last panic of the thread, until it is caught.
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

/// The innermost call that catches panics of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CatchKind {
    Nothing,
    Guarded,
    Contained,
}

/// An activity of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Activity {
    /// In words: `loading assets/x.glb`.
    Text(Cow<'static, str>),
    /// With a number: `running tick 812`. It allocates no memory.
    Numbered(&'static str, u64),
    /// A function of a group, with what separates their names: `calling camera.orbit`. It allocates no memory.
    Call(&'static str, &'static str, &'static str),
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text}"),
            Self::Numbered(what, number) => write!(f, "{what} {number}"),
            Self::Call(group, separator, name) => write!(f, "calling {group}{separator}{name}"),
        }
    }
}

impl From<&'static str> for Activity {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Activity {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

/// Keeps an activity in the list of the thread until it is dropped.
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

/// Names what this thread does until the scope is dropped.
pub fn during(activity: impl Into<Activity>) -> ActivityScope {
    let n_before = ACTIVITIES.with_borrow_mut(|all| {
        all.push(activity.into());
        all.len() - 1
    });
    ActivityScope {
        n_before,
        not_send: std::marker::PhantomData,
    }
}

/// Activities of this thread, outermost first.
pub fn activities() -> Vec<String> {
    let list = ACTIVITIES.try_with(|all| match all.try_borrow() {
        Ok(all) => all.iter().map(Activity::to_string).collect(),
        Err(_) => Vec::new(),
    });
    list.unwrap_or_default()
}

/// Runs code that is expected to panic. A panic on this thread prints and reports nothing.
///
/// # Errors
/// The panic. Data that the code was changing may be half changed: the caller must drop or rebuild it.
pub fn guarded<T>(activity: impl Into<Activity>, work: impl FnOnce() -> T) -> Result<T, Caught> {
    caught(activity.into(), CatchKind::Guarded, work)
}

/// Runs code that should not panic, where the program can continue without its result. The [`PanicHandler`]
/// reports a panic, even inside of [`guarded`].
///
/// # Errors
/// The panic. Data that the code was changing may be half changed: the caller must drop or rebuild it.
pub fn contained<T>(activity: impl Into<Activity>, work: impl FnOnce() -> T) -> Result<T, Caught> {
    caught(activity.into(), CatchKind::Contained, work)
}

fn caught<T>(activity: Activity, kind: CatchKind, work: impl FnOnce() -> T) -> Result<T, Caught> {
    install();
    let _scope = during(activity);
    let kind_before = CATCH.replace(kind);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCH.set(kind_before);
    result.map_err(|payload| {
        let message = text_of(&*payload);
        let of_message = |panic: &Caught| panic.message == message;
        let own = LAST.take().filter(of_message);
        // The panic may come from another thread; the hook of this thread did not see it.
        own.or_else(|| REPORTED.lock().ok()?.clone().filter(of_message))
            .unwrap_or_else(|| Caught {
                message,
                activities: activities(),
                ..Caught::default()
            })
    })
}

/// Sends all panics outside of [`guarded`] to a handler, from now on. The first handler stays.
pub fn handle(handler: PanicHandler) {
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
    let kind = CATCH.try_with(Cell::get).unwrap_or(CatchKind::Nothing);
    if kind != CatchKind::Guarded {
        match HANDLER.get() {
            Some(handler) => panic.notice = handler(&panic, kind == CatchKind::Contained),
            None => before(info),
        }
        if let Ok(mut reported) = REPORTED.lock() {
            *reported = Some(panic.clone());
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
        let _outer = during(Activity::Numbered("tick", 812));
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
        assert_eq!(CATCH.get(), CatchKind::Nothing);
    }

    #[test]
    fn guards_nest_and_results_pass_through() {
        let outer = guarded("outer", || {
            let inner = guarded("inner", || panic!("of {}", 2));
            assert_eq!(
                inner.map_err(|caught: Caught| caught.message),
                Err::<(), _>("of 2".into())
            );
            assert_eq!(CATCH.get(), CatchKind::Guarded);
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
    fn a_reported_panic_gives_the_handlers_sentence_even_inside_of_a_guard() {
        // The only test with a handler: it is one for the whole process.
        handle(|panic, is_contained| format!("{} {is_contained}", panic.message));
        let notice = |message: &'static str| {
            let inner = contained("inner", || panic!("{message}"));
            inner.map_err(|caught: Caught| caught.notice)
        };
        assert_eq!(notice("one"), Err::<(), _>("one true".to_owned()));
        let inside = guarded("outer", || notice("two"));
        assert_eq!(inside, Ok(Err("two true".to_owned())));
        let of_thread = contained("waiting", || {
            let thread = std::thread::spawn(|| panic!("three"));
            let Err(payload) = thread.join();
            std::panic::resume_unwind(payload)
        });
        let caught = of_thread.map_err(|caught: Caught| caught.notice);
        assert_eq!(caught, Err::<(), _>("three false".to_owned()));
        let silent = guarded("silent", || panic!("four"));
        assert_eq!(
            silent.map_err(|caught: Caught| caught.notice),
            Err::<(), _>(String::new())
        );
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
