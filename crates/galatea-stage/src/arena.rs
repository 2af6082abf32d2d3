//! Generational arenas: a handle to a removed value is detected as stale.

use galatea_character::Handle;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A list of slots that are reused with a new generation each time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arena<T> {
    slots: Vec<(u32, Option<T>)>,
    /// Slots before this one are reserved for the handles of the arena it was emptied from.
    fresh_from: usize,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            fresh_from: 0,
        }
    }
}

impl<T> Arena<T> {
    /// Adds a value.
    pub fn insert(&mut self, value: T) -> Handle {
        let mut places = self.slots.iter().enumerate().skip(self.fresh_from);
        match places.find(|(_, (_, slot))| slot.is_none()) {
            Some((i, _)) => {
                let (generation, slot) = &mut self.slots[i];
                *generation += 1;
                *slot = Some(value);
                Handle::new(i as u32, *generation)
            }
            None => {
                self.slots.push((0, Some(value)));
                Handle::new((self.slots.len() - 1) as u32, 0)
            }
        }
    }

    /// Inserts a value at a handle known from the arena this one was [`Arena::emptied`] from.
    pub fn insert_at(&mut self, handle: Handle, value: T) {
        let index = handle.index();
        while self.slots.len() <= index {
            self.slots.push((0, None));
        }
        self.slots[index] = (handle.generation(), Some(value));
    }

    /// Returns true for the handle of a removed value whose slot was not reused.
    pub fn is_free(&self, handle: Handle) -> bool {
        let slot = self.slots.get(handle.index());
        slot.is_some_and(|(generation, slot)| *generation == handle.generation() && slot.is_none())
    }

    /// An empty arena in which old handles can be reused with [`Arena::insert_at`]. New handles differ from all old ones
    /// until [`Arena::free_old`] is called.
    pub fn emptied(&self) -> Self {
        Self {
            slots: self
                .slots
                .iter()
                .map(|(generation, _)| (*generation, None))
                .collect(),
            fresh_from: self.slots.len(),
        }
    }

    /// Frees the slots of old handles that were not reused, with new generations.
    pub fn free_old(&mut self) {
        self.fresh_from = 0;
    }

    /// The value, if it still exists.
    pub fn get(&self, handle: Handle) -> Option<&T> {
        let (generation, slot) = self.slots.get(handle.index())?;
        (*generation == handle.generation()).then_some(slot.as_ref()?)
    }

    /// The value, if it still exists, mutable.
    pub fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        let (generation, slot) = self.slots.get_mut(handle.index())?;
        (*generation == handle.generation()).then_some(slot.as_mut()?)
    }

    /// Removes a value.
    pub fn remove(&mut self, handle: Handle) -> Option<T> {
        let (generation, slot) = self.slots.get_mut(handle.index())?;
        if *generation == handle.generation() {
            slot.take()
        } else {
            None
        }
    }

    /// All values in slot order.
    pub fn iter(&self) -> impl Iterator<Item = (Handle, &T)> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(i, (generation, slot))| {
                let handle = Handle::new(i as u32, *generation);
                Some((handle, slot.as_ref()?))
            })
    }

    /// All values in slot order, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle, &mut T)> {
        self.slots
            .iter_mut()
            .enumerate()
            .filter_map(|(i, (generation, slot))| {
                let handle = Handle::new(i as u32, *generation);
                Some((handle, slot.as_mut()?))
            })
    }

    /// The slots, for parallel work.
    pub fn slots_mut(&mut self) -> &mut [(u32, Option<T>)] {
        &mut self.slots
    }

    /// Calls `one` for every slot, in parallel if there are many.
    pub fn each_slot(&mut self, one: impl Fn(&mut (u32, Option<T>)) + Send + Sync)
    where
        T: Send,
    {
        let slots = self.slots_mut();
        if slots.len() < 8 {
            slots.iter_mut().for_each(one);
        } else {
            slots.par_iter_mut().for_each(one);
        }
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.slots.iter().filter(|(_, slot)| slot.is_some()).count()
    }

    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_handle_finds_nothing() {
        let mut arena = Arena::default();
        let a = arena.insert('a');
        assert!(!arena.is_free(a));
        assert_eq!(arena.remove(a), Some('a'));
        assert!(arena.is_free(a));
        let b = arena.insert('b');
        assert_eq!(arena.get(a), None);
        assert_eq!(arena.get(b), Some(&'b'));
        arena.remove(b);
        assert!(!arena.is_free(a));
        assert_ne!(a.to_u64(), b.to_u64());
    }

    #[test]
    fn an_emptied_arena_reuses_old_handles_only_on_request() {
        let mut arena = Arena::default();
        let a = arena.insert('a');
        let mut next = arena.emptied();
        let fresh = next.insert('x');
        assert_eq!(next.get(a), None);
        next.insert_at(a, 'a');
        assert_eq!(next.get(a), Some(&'a'));
        assert_ne!(fresh, a);
        assert_eq!(next.get(fresh), Some(&'x'));
    }

    #[test]
    fn an_unused_old_handle_is_never_reused_for_another_value() {
        let mut arena = Arena::default();
        let old = ['a', 'b', 'c'].map(|c| arena.insert(c));
        let mut next = arena.emptied();
        let d = next.insert('d');
        next.insert_at(old[1], 'b');
        next.free_old();
        let late = [next.insert('e'), next.insert('f'), next.insert('g')];
        assert_eq!((next.get(d), next.get(old[1])), (Some(&'d'), Some(&'b')));
        for handle in late {
            assert!(!old.contains(&handle) && handle != d, "{handle:?}");
        }
        assert_eq!(next.len(), 5);
    }
}
