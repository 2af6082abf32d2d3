//! Modifiers in words, as `print` shows them.

use galatea_character::Modifier;

/// Describes a modifier in one line.
pub(super) fn line(modifier: &Modifier) -> String {
    let weight = &modifier.weight;
    let mut text = format!("{} ({}", modifier.name, modifier.kind.word());
    if let Some(missing) = &modifier.inactive_reason {
        return format!("{text}): disabled, {missing}");
    }
    text.push_str(&format!(", weight {:.2}", weight.now));
    if let Some(lacks) = modifier.kind.missing_features() {
        text.push_str(&format!(", {lacks}"));
    }
    if let Some(curve) = &weight.weight_curve {
        text.push_str(&format!(", weight curve {:?}", curve.name));
    }
    if let Some(within) = weight.max_distance {
        text.push_str(&format!(", max distance {within} m"));
    }
    if !weight.enabled {
        text.push_str(", not enabled");
    } else if (weight.effective_weight - weight.now).abs() > 0.005 {
        text.push_str(&format!(
            ", effective weight {:.2}",
            weight.effective_weight
        ));
    }
    text + ")"
}
