//! Recipes with extreme numbers and structures fail with an error that names the position.

use std::cell::RefCell;
use std::rc::Rc;

use galatea::recipe::bake;

/// The error of a recipe of one line.
fn fault(text: &str) -> String {
    let text = format!("local v = vector.create {text} return model {{}}");
    let read = move |_: &str| Ok(text.clone());
    let made = bake(
        "recipe.lua",
        Rc::new(read),
        Rc::new(|_: &str| {}),
        10_000_000,
        1.0,
    );
    match made {
        Ok(_) => panic!("nothing is wrong with it"),
        Err(fault) => fault.to_string(),
    }
}

/// Expects an error in line 1 with this text.
fn refused(text: &str, why: &str) {
    let fault = fault(text);
    assert!(fault.starts_with("recipe.lua:1: "), "{text}\n{fault}");
    assert!(fault.contains(why), "{text}\n{fault}");
}

#[test]
fn numbers_beyond_the_limits_are_refused_with_their_parameter() {
    for (text, why) in [
        (
            "curve { { 0, 0 }, { 1, 1 }, { 0/0, 2 }, { 3, 1 } }",
            "curve: argument \"rows\": entry 3: entry 1: numbers must be -1000000 to 1000000, got the number NaN",
        ),
        (
            "curve { { 0, 0 }, { 1, v(0, 1e30, 0) } }",
            "argument \"rows\": entry 2: entry 2: numbers must be",
        ),
        (
            "field.loft(v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), { { 0, 0, 0, 1, 1 }, { 0/0, 0, 0, 1, 1 } })",
            "field.loft: argument \"rows\": entry 2: entry 1: numbers must be",
        ),
        (
            "field.path({ v(0, 0, 0), v(0/0, 0, 0) }, { 1, 1 })",
            "field.path: argument \"points\": entry 2: numbers must be",
        ),
        (
            "field.ball(vector.zero, 1):at(v(1e7, 0, 0))",
            "field:at: argument \"place\"",
        ),
        (
            "mask.noise { size = 1e9 }",
            "field \"size\": must be -1000000 to 1000000",
        ),
        (
            "bones { { 'a', false, v(0, 0/0, 0) } }",
            "bones: argument \"rows\": entry 1: entry 3: numbers must be",
        ),
    ] {
        refused(text, why);
    }
    // A seed may be any 32-bit number.
    let fault = fault("mask.noise { seed = 4e9 } error 'the end'");
    assert!(fault.contains("the end"), "{fault}");
}

#[test]
fn times_and_results_of_functions_are_refused_where_they_are_not_finite() {
    for (text, why) in [
        (
            "curve { { 0, 0 }, { 1, 1 } }(0/0)",
            "curve: the time must be from -1000000 to 1000000 s, got NaN",
        ),
        (
            "curve { { 0, 0 }, { 1, 1 } }(1/0)",
            "curve: the time must be",
        ),
        (
            "keys { { 0, { head = vector.zero } } }(0/0)",
            "keys: the time must be",
        ),
        ("gait { period = 1 }(-1/0)", "gait: the time must be"),
        (
            "picture { width = 2, color = function() return v(0/0, 0, 0) end }",
            "numbers must be",
        ),
        (
            "clip { name = 'a', seconds = 1, at = function() return { a = { at = v(0, 1/0, 0) } } end }",
            "numbers must be",
        ),
        (
            "local p = pose { arms = { out = 90 } } for i = 1, 50 do p *= 10 end",
            "pose: numbers must be",
        ),
    ] {
        refused(text, why);
    }
}

#[test]
fn nesting_is_bounded_before_it_recurses() {
    for (text, why) in [
        (
            "local f = field.ball(vector.zero, 1) for i = 1, 100000 do f = f:join(field.ball(vector.zero, 1)) end print(f:at(vector.zero))",
            "field operations are nested deeper than the limit of 1000",
        ),
        (
            "local f = field.ball(vector.zero, 1) for i = 1, 100 do f = f:join(f) end",
            "the limit is 100000 shapes and operations per field",
        ),
        (
            "local m = mask.noise() for i = 1, 100 do m = m:inverted() end",
            "mask operations are nested deeper than the limit of 64",
        ),
        (
            "local m = mask.noise() for i = 1, 60 do m = m:times(m) end",
            "100000 masks and field nodes",
        ),
        (
            "local t = {} t[1] = t model { clips = t }",
            "tables can be nested at most 32 deep; does this table contain itself?",
        ),
        (
            "local t = {} for i = 1, 30 do t = { t, t } end model { clips = t }",
            "stopped: exceeded its budget",
        ),
        (
            "cage():contour(field.ball(vector.zero, 1), 1e-5)",
            "the limit is 8000000 in total",
        ),
        (
            "local all = {} for i = 1, 50 do all[i] = picture { width = 2048 } end",
            "stopped: exceeded its budget",
        ),
    ] {
        refused(text, why);
    }
}

#[test]
fn the_deepest_field_is_evaluated_and_dropped_on_a_small_stack() {
    let recipe = "local f = field.ball(vector.zero, 1)
        for i = 1, 999 do f = f:grow(0.001) end
        assert(math.abs(f:at(vector.zero) + 1.999) < 0.01)
        f = nil
        return model {}";
    let make = move || {
        let read = move |_: &str| Ok(recipe.to_owned());
        let made = bake(
            "r.lua",
            Rc::new(read),
            Rc::new(|_: &str| {}),
            10_000_000,
            1.0,
        );
        made.map_err(|fault| fault.to_string()).err()
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    assert_eq!(thread.spawn(make).unwrap().join().unwrap(), None);
}

#[test]
fn an_endless_print_is_limited_and_reports_the_dropped_lines() {
    let printed = Rc::new(RefCell::new(Vec::new()));
    let sink = printed.clone();
    let text = "for i = 1, 5000 do print(i) end return model {}";
    let _ = bake(
        "recipe.lua",
        Rc::new(move |_: &str| Ok(text.to_owned())),
        Rc::new(move |line: &str| sink.borrow_mut().push(line.to_owned())),
        10_000_000,
        1.0,
    );
    let printed = printed.borrow();
    assert_eq!((printed.len(), &*printed[1999]), (2001, "2000"));
    assert_eq!(printed[2000], "… 3 000 more lines of print were left out");
}
