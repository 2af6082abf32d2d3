//! Random input of a test: the keys that it pressed, and a plan of fewer keys for another run.

/// A key that `t:random_input` held down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomPress {
    /// Number of the call of `t:random_input` in the test, from 1.
    pub call: u32,
    /// Tick of that call in which it was pressed, from 1.
    pub from: u32,
    /// Tick in which it was released.
    pub until: Option<u32>,
    /// Name of the key.
    pub key: String,
}

/// Random input of a test.
#[derive(Default)]
pub(crate) struct RandomInput {
    /// The only keys to press; none: random ones.
    planned: Option<Vec<RandomPress>>,
    pressed: Vec<RandomPress>,
    n_calls: u32,
}

impl RandomInput {
    /// Input of these presses, or random input.
    pub(crate) fn planned(planned: Option<Vec<RandomPress>>) -> Self {
        Self {
            planned,
            ..Self::default()
        }
    }

    /// Begins a call and returns the planned presses in it; none: random ones.
    pub(crate) fn begin_call(&mut self) -> Option<Vec<RandomPress>> {
        self.n_calls += 1;
        let call = self.n_calls;
        let planned = self.planned.as_ref()?;
        let own = planned.iter().filter(|press| press.call == call);
        Some(own.cloned().collect())
    }

    /// Takes the presses so far, in the order of their beginning.
    pub(crate) fn take_pressed(&mut self) -> Vec<RandomPress> {
        std::mem::take(&mut self.pressed)
    }

    /// Records that a key was pressed or released in a tick of the current call.
    pub(crate) fn note(&mut self, tick: u32, key: String, is_down: bool) {
        let call = self.n_calls;
        if is_down {
            self.pressed.push(RandomPress {
                call,
                from: tick,
                until: None,
                key,
            });
            return;
        }
        let mut open = self.pressed.iter_mut().rev();
        let open = open.find(|press| press.key == key && press.until.is_none());
        if let Some(press) = open {
            press.until = Some(tick);
        }
    }
}
