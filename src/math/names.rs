//! The nearest right name, for messages.

/// ` (did you mean "walk"?)` for the candidate nearest to `wrong`, or the candidates themselves when
/// there are few and none is near, or nothing.
pub fn nearest_hint<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = candidates.filter(|name| !name.is_empty()).collect();
    if let Some(name) = nearest(wrong, names.iter().copied()) {
        return format!("; did you mean {name:?}?");
    }
    names.sort_unstable();
    names.dedup();
    match names.len() {
        0 => "; there are none".into(),
        1..=24 => format!("; there are {}", names.join(", ")),
        n => format!("; there are {n}, from {:?} to {:?}", names[0], names[n - 1]),
    }
}

/// The candidate most alike, if it is alike enough to be what was meant.
pub fn nearest<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_lowercase();
    candidates
        .map(|name| {
            let other = name.to_lowercase();
            let mut score = strsim::normalized_damerau_levenshtein(&lower, &other);
            let (short, long) = if lower.len() < other.len() {
                (&lower, &other)
            } else {
                (&other, &lower)
            };
            if short.len() >= 3 && long.contains(short.as_str()) {
                score = score.max(0.7);
            }
            (score, name)
        })
        .filter(|(score, _)| *score >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_finds_its_word_and_nonsense_lists_what_there_is() {
        let names = ["idle", "walk", "run"];
        assert_eq!(nearest("wlak", names.into_iter()), Some("walk"));
        assert_eq!(nearest("Walk", names.into_iter()), Some("walk"));
        assert_eq!(nearest("walking", names.into_iter()), Some("walk"));
        assert_eq!(nearest("zzzz", names.into_iter()), None);
        assert!(nearest_hint("zzzz", names.into_iter()).contains("idle, run, walk"));
        assert!(nearest_hint("x", std::iter::empty()).contains("none"));
    }
}
