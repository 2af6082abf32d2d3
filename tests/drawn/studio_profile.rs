//! The profiler of the studio.

use galatea::app::studio_facts::StudioAction;
use galatea::studio::StudioPane;

use crate::desk::Desk;

#[test]
fn the_profiler_finds_the_slow_function_and_exports_a_trace() {
    let Some(mut desk) = Desk::with_script(
        "function slow()
	local sum = 0
	for i = 1, 20000 do sum += math.sin(i) end
	return sum
end
local kept = {}
function update()
	slow()
	for i = 1, 100 do kept[i] = { i } end
end
",
    ) else {
        return;
    };
    desk.tick(10);
    desk.dock.open(StudioPane::Profile);
    desk.picture(&[]);
    desk.click("button Record");
    for _ in 0..30 {
        desk.tick(1);
        desk.picture(&[]);
    }
    // Rows of the tables.
    for row in ["part tick", "part scripts", "part draw"] {
        assert!(desk.dock.area(row).is_some(), "{row} is not shown");
    }
    let line = desk.line_of("function slow");
    assert!(
        desk.dock
            .area(&format!("function scripts/main.lua:{line}"))
            .is_some()
    );
    let facts = desk.session.studio_facts(None);
    let profiler = facts.profiler.unwrap();
    // The last frame has no tick.
    let mut frames = profiler.frames().iter().rev();
    let frame = frames.nth(1).unwrap();
    let first = &frame.scripts.functions[0];
    assert_eq!(
        (first.file.as_str(), first.line),
        ("scripts/main.lua", line)
    );
    assert_eq!(first.name, "slow");
    assert!(first.n_steps > 20_000, "{first:?}");
    let seconds = frame.seconds();
    assert!(
        first.seconds > 0.0 && first.seconds < seconds,
        "{first:?}, {seconds} s"
    );
    // 100 tables with an element.
    assert!(
        frame.scripts.allocated > 4_000,
        "{}",
        frame.scripts.allocated
    );
    assert!(frame.parts.iter().any(|part| &*part.detail == "foot_ik"));
    let worst = profiler.worst().unwrap().seconds();
    assert!(
        profiler
            .frames()
            .iter()
            .skip(1)
            .all(|frame| frame.seconds() <= worst)
    );
    desk.click("button Export trace");
    let file = desk.session.project.root.join("out/profile.json");
    let trace: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let physics = events
        .iter()
        .find(|event| event["name"] == "physics")
        .unwrap();
    assert!(physics["dur"].as_f64().unwrap() > 0.0 && physics["ph"] == "X");
    let stopped = desk.click("button Stop");
    assert_eq!(stopped, [StudioAction::Profile(false)]);
    let n = |desk: &mut Desk| {
        let facts = desk.session.studio_facts(None);
        facts.profiler.unwrap().frames().len()
    };
    let before = n(&mut desk);
    desk.tick(3);
    desk.picture(&[]);
    assert_eq!(n(&mut desk), before, "nothing is recorded any more");
}
