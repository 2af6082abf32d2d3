//! The fewest items of a list that still cause a failure.

/// Removes items that a failure does not need, by running parts of the list, as long as `goes_on` allows it. `fails` returns
/// true if these items cause the failure; the whole list must.
///
/// Source: A. Zeller and R. Hildebrandt, *Simplifying and isolating failure-inducing input*, IEEE Transactions on Software
/// Engineering 28 (2002), the algorithm `ddmin`.
pub fn fewest<T: Clone>(
    mut items: Vec<T>,
    mut goes_on: impl FnMut() -> bool,
    mut fails: impl FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut n_parts = 2;
    while !items.is_empty() && goes_on() {
        let size = items.len().div_ceil(n_parts);
        let mut found = None;
        for i in 0..n_parts {
            if !goes_on() {
                break;
            }
            let part = i * size..((i + 1) * size).min(items.len());
            if part.is_empty() {
                break;
            }
            let mut fewer = items.clone();
            fewer.drain(part);
            if fails(&fewer) {
                found = Some(fewer);
                break;
            }
        }
        match found {
            Some(fewer) => {
                items = fewer;
                n_parts = n_parts.saturating_sub(1).max(2);
            }
            None if size <= 1 => break,
            None => n_parts = (2 * n_parts).min(items.len()),
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_items_that_are_needed_together_remain() {
        let all: Vec<u32> = (0..100).collect();
        let needs = |items: &[u32]| items.contains(&7) && items.contains(&93);
        assert_eq!(fewest(all.clone(), || true, needs), [7, 93]);
        assert!(fewest(all.clone(), || true, |_| true).is_empty());
        let mut runs = 0;
        let few = fewest(
            all,
            || {
                runs += 1;
                runs < 8
            },
            needs,
        );
        assert!(few.len() < 100 && few.len() > 2, "{}", few.len());
    }
}
