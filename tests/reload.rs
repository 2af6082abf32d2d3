//! What a save of the script or of a model keeps: characters, plays, open intervals, parameters, what
//! waits to be told.

mod common;

use common::Bench;
use galatea::stage::Handle;

fn hero(bench: &Bench) -> Handle {
    let first = bench.stage.characters.iter().next();
    first.expect("a character").0
}

fn faultless(bench: &mut Bench) {
    let faults = bench.host.take_faults();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn a_character_made_before_one_that_goes_on_takes_no_place_of_its() {
    let mut bench = Bench::new("local a = character 'post.glb'");
    let a = hero(&bench);
    let both = "local b = character 'assets/galatea.glb'
        local a = character 'post.glb'
        print(a.position, b.position)";
    bench.load(both).expect("both are on the stage");
    assert_eq!(bench.stage.characters.len(), 2);
    let source = |bench: &Bench, handle| {
        let character = bench.stage.characters.get(handle);
        character.map(|character| character.source.clone())
    };
    assert_eq!(source(&bench, a).as_deref(), Some("post.glb"));
    let second = bench.stage.characters.iter().find(|(h, _)| *h != a);
    let b = second.expect("the other").0;
    // A handle that is lost is never another's.
    bench.load("character 'assets/galatea.glb'").unwrap();
    bench.load(both).unwrap();
    assert_eq!(source(&bench, a), None);
    assert_eq!(source(&bench, b).as_deref(), Some("assets/galatea.glb"));
}

#[test]
fn a_character_made_late_under_the_key_of_one_that_is_gone_takes_nobodys_place() {
    let mut bench = Bench::new("character 'post.glb' character 'assets/galatea.glb'");
    bench
        .load(
            "local a, c, d = character 'post.glb'
            function update()
                if c then return end
                c = character('post.glb', { name = 'c' })
                d = character 'assets/galatea.glb'
                print(a.yaw, c.yaw, d.yaw)
            end",
        )
        .unwrap();
    bench.run(0.1);
    faultless(&mut bench);
    assert_eq!(bench.printed(), ["0\t0\t0"]);
    assert_eq!(bench.stage.characters.len(), 3);
}
