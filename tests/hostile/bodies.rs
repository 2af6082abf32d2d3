//! Mistakes with bodies and solid things are told, not passed over.

use crate::common::Bench;

/// Each script is refused with this text; [`crate::common::HERO`] stands before it.
fn refused(cases: &[(&str, &str)]) {
    for (script, wanted) in cases {
        let fault = Bench::empty().fault(&format!("{}{script}", crate::common::HERO));
        assert_eq!(fault.text, *wanted, "{script}");
    }
}

#[test]
fn what_solid_things_and_surfaces_cannot_be_is_refused() {
    refused(&[
        (
            "physics.surface('mud', {}) physics.box { surface = 'mudd' }",
            "surface: there is none called \"mudd\", physics.surface makes one; did you mean \"mud\"?",
        ),
        (
            "physics.box { friction = -1 }",
            "friction: must be 0 or more, got -1",
        ),
        (
            "physics.box { bounce = 2 }",
            "bounce: must be 0 to 1, got 2",
        ),
        (
            "physics.box { mass = 1, damping = -0.5 }",
            "damping: must be 0 or more, got -0.5",
        ),
        (
            "physics.surface('mud', { friction = -1 })",
            "friction: must be 0 or more, got -1",
        ),
        (
            "physics.surface('mud', { bounce = 1.5 })",
            "bounce: must be 0 to 1, got 1.5",
        ),
        (
            "physics.box { mass = 1, motion = 'static' }",
            "mass: only what falls has one; leave it out, or say motion = \"dynamic\"",
        ),
        (
            "physics.box { density = 300, motion = 'moved' }",
            "density: only what falls has one; leave it out, or say motion = \"dynamic\"",
        ),
        (
            "physics.box { mass = 1, density = 300 }",
            "density: it has a mass already; say one of the two",
        ),
        (
            "physics.stairs { steps = 2.5 }",
            "steps: a whole number, 1 to 256, got 2.5",
        ),
        (
            "physics.force { push = vector.create(1, 0, 0), shape = 'box' }",
            "size: say how large the box is, metres",
        ),
    ]);
    // What was made first is known, and so is what comes with the runtime.
    Bench::new(
        "physics.surface('mud', { friction = 0 }) physics.box { surface = 'mud' } physics.box { surface = 'ice', friction = 0 }",
    );
}
