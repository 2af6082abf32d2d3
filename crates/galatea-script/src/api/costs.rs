//! Steps that functions of the API count as in the budget of scripts.

/// Steps of reading or writing a property.
pub(super) const PROPERTY_STEPS: u64 = 8;
/// Steps of an element of a list that a function returns.
pub(super) const LISTED_STEPS: u64 = 4;
/// Steps of an error message.
pub(super) const FAILURE_STEPS: u64 = 400;
/// Steps of a function that is not in [`COSTS`].
const FUNCTION_STEPS: u64 = 16;

/// Cost of a function.
struct Cost {
    group: &'static str,
    function: &'static str,
    steps: u64,
}

/// Functions that take longer than [`FUNCTION_STEPS`].
static COSTS: &[Cost] = &[];

/// Steps that a call of a function counts as, in addition to what the function charges itself for its arguments.
pub(super) fn steps_of(group: &str, function: &str) -> u64 {
    let mut costs = COSTS.iter();
    let cost = costs.find(|cost| cost.group == group && cost.function == function);
    cost.map_or(FUNCTION_STEPS, |cost| cost.steps)
}
