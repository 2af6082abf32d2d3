//! A stack of its own for the ticks of a session, so that a script can stop in the middle while the window continues.
//!
//! The session runs in a coroutine of the same thread. When a script stops, the coroutine is suspended inside of the call
//! into the VM, and its owner continues. Nothing else can use the session until the coroutine ends.

use std::cell::Cell;
use std::ptr::NonNull;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::session::Session;
use galatea_guard::contained;
use galatea_script::{ScriptStep, StopHandler, StoppedScript};

/// Size of the stack, bytes. The system provides only the part that is used.
const STACK_BYTES: usize = 8 << 20;

/// A request to a stopped script.
enum StopRequest {
    /// Continues the script.
    Step(ScriptStep),
    /// Asks a question; the script stays stopped.
    Ask(Box<dyn FnOnce(&StoppedScript)>),
}

type SessionYielder = Yielder<StopRequest, ()>;

thread_local! {
    /// The yielder of the coroutine that runs now; `None` outside of it, and while it is suspended.
    static RUNNING: Cell<Option<NonNull<SessionYielder>>> = const { Cell::new(None) };
}

/// Forgets the yielder when the coroutine ends, also by a panic.
struct RunningFiber;

impl Drop for RunningFiber {
    fn drop(&mut self) {
        RUNNING.set(None);
    }
}

/// Stops scripts that run in a coroutine.
pub struct FiberStops;

impl StopHandler for FiberStops {
    fn can_stop(&self) -> bool {
        RUNNING.get().is_some()
    }

    fn stopped(&self, script: &StoppedScript) -> ScriptStep {
        let Some(yielder) = RUNNING.take() else {
            return ScriptStep::Continue;
        };
        // SAFETY: the pointer is set only while the coroutine runs, and this function runs in it. The yielder lives as long
        // as the coroutine.
        let yielder_ref = unsafe { yielder.as_ref() };
        loop {
            match yielder_ref.suspend(()) {
                StopRequest::Step(step) => {
                    RUNNING.set(Some(yielder));
                    return step;
                }
                StopRequest::Ask(question) => {
                    // A panic is reported, and the script stays stopped.
                    let _ = contained("answering the debugger", || question(script));
                }
            }
        }
    }
}

/// A session with a stopped script.
pub struct StoppedSession {
    fiber: Coroutine<StopRequest, (), Box<Session>>,
}

/// A session after some work.
pub enum Worked {
    /// The work is done. The stack can be used again.
    Done(Box<Session>, Option<DefaultStack>),
    /// A script has stopped.
    Stopped(StoppedSession),
}

impl StoppedSession {
    /// Runs `work` with the session, on `stack` if there is one.
    ///
    /// # Errors
    /// The session, without any work, if there is no memory for a stack.
    pub fn run(
        mut session: Box<Session>,
        stack: Option<DefaultStack>,
        work: impl FnOnce(&mut Session) + 'static,
    ) -> Result<Worked, Box<Session>> {
        let stack = match stack.map_or_else(|| DefaultStack::new(STACK_BYTES), Ok) {
            Ok(stack) => stack,
            Err(_) => return Err(session),
        };
        let fiber = Coroutine::with_stack(stack, move |yielder: &SessionYielder, _| {
            RUNNING.set(Some(NonNull::from(yielder)));
            let _running = RunningFiber;
            work(&mut session);
            session
        });
        Ok(Self { fiber }.resume(ScriptStep::Continue))
    }

    /// Continues the script.
    pub fn resume(mut self, step: ScriptStep) -> Worked {
        match self.fiber.resume(StopRequest::Step(step)) {
            CoroutineResult::Yield(()) => Worked::Stopped(self),
            CoroutineResult::Return(session) => {
                Worked::Done(session, Some(self.fiber.into_stack()))
            }
        }
    }

    /// Answers a question about the stopped script; `None` if the answer got lost because the question panicked.
    pub fn ask<R: 'static>(
        &mut self,
        question: impl FnOnce(&StoppedScript) -> R + 'static,
    ) -> Option<R> {
        let answer = std::rc::Rc::new(Cell::new(None));
        let place = answer.clone();
        let question = Box::new(move |script: &StoppedScript| place.set(Some(question(script))));
        self.fiber.resume(StopRequest::Ask(question));
        answer.take()
    }
}
