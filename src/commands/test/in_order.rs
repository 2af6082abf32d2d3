//! Parallel processing of a list with ordered results.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use galatea_math::clamp::ClampTo as _;

/// Stack size of a thread, bytes, as that of a main thread. Scripts can recurse deeply.
const STACK: usize = 8 << 20;

/// Calls `work` for each item on at most `n_threads` threads, and passes each result to `take` in the order of the list as
/// soon as possible.
///
/// Does not use rayon: a rayon thread that waits inside of a tick would start another item.
///
/// # Errors
/// The first error of `take`, which stops the work, or a thread that cannot be started.
pub fn in_order<I: Sync, T: Send>(
    items: &[I],
    n_threads: usize,
    work: impl Fn(&I) -> T + Sync,
    mut take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..n_threads.clamp_to(1, items.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let run = move || loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(i) else { break };
                if sender.send((i, work(item))).is_err() {
                    break;
                }
            };
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, run)?;
        }
        drop(sender);
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (i, result) in receiver {
            early.insert(i, result);
            while let Some(result) = early.remove(&wanted) {
                take(result)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_an_error_ends_the_work() {
        let items: Vec<u64> = (0..20).collect();
        let work = |n: &u64| {
            thread::sleep(std::time::Duration::from_millis(20 - n));
            *n
        };
        let mut got = Vec::new();
        in_order(&items, 7, work, |n| {
            got.push(n);
            Ok(())
        })
        .unwrap();
        assert_eq!(got, items);
        let ended = in_order(&items, 2, work, |n| {
            anyhow::ensure!(n < 3, "enough");
            Ok(())
        });
        assert_eq!(ended.unwrap_err().to_string(), "enough");
        in_order(&[] as &[u64], 4, work, |_| Ok(())).unwrap();
    }
}
