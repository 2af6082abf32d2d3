//! Every function and property of the script API is used in a Lua test, and these tests pass.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use galatea::app::Library;
use galatea::asset::model::Image;
use galatea::asset::{Environment, ModelSource, Project};
use galatea::script::{
    Compared, GROUPS, GameStore, Host, HostOptions, Kind, ModelState, Outside, ReplayedInput,
    ScriptSource, Services, Use, uses_during,
};
use galatea::stage::{SoundOrder, Stage};

/// The library of this project, and the output of scripts.
struct TestServices {
    library: Arc<Library>,
    printed: Mutex<Vec<String>>,
}

impl Services for TestServices {
    fn model(&self, source: &ModelSource) -> ModelState {
        self.library.model(source)
    }

    fn environment(&self, path: &str) -> Result<Arc<Environment>, String> {
        self.library.environment(path)
    }

    fn saves(&self) -> Option<&dyn GameStore> {
        self.library.saves()
    }

    fn image(&self, path: &str) -> Result<Arc<Image>, String> {
        self.library.image(path)
    }

    fn sound_names(&self) -> Vec<String> {
        self.library.sound_names()
    }

    fn sound_seconds(&self, name: &str) -> Option<f64> {
        self.library.sound_seconds(name)
    }

    fn script(&self, path: &str) -> Result<String, String> {
        self.library.script(path)
    }

    fn print(&self, line: &str) {
        self.printed.lock().unwrap().push(line.to_owned());
    }

    fn save_image(&self, name: &str, picture: &Image) -> Result<String, String> {
        // 28 by 28 cells of 28 pixels.
        assert_eq!((picture.width, picture.height), (784, 784));
        assert_eq!(picture.rgba.len(), 784 * 784 * 4);
        Ok(format!("out/{name}"))
    }
}

/// Picture comparisons are part of `galatea test`, not of this test.
struct Blind;

impl Outside for Blind {
    fn inputs(&mut self, file: &str) -> Result<Vec<(f64, ReplayedInput)>, String> {
        Err(format!("{file}: not here"))
    }

    fn picture(&mut self, _: &Stage, _: &Compared) -> Result<(), String> {
        Ok(())
    }
}

/// Runs the tests of a file, which must pass. Returns their number and the sound orders.
fn hold_in(around: &Arc<TestServices>, file: &str) -> (usize, Vec<SoundOrder>) {
    let load = || {
        let mut host = Host::new(HostOptions::default(), around.clone()).unwrap();
        let mut stage = Stage::default();
        let names = host.load_tests(&mut stage, file).unwrap();
        (host, stage, names)
    };
    let (_, _, names) = load();
    let mut heard = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let (mut host, mut stage, _) = load();
        let result = host.run_test(&mut stage, index, &mut Blind);
        let result = result.map_err(|fault| fault.to_string());
        assert_eq!(result, Ok(()), "{file}: {name}");
        heard.append(&mut stage.audio.orders);
    }
    (names.len(), heard)
}

#[test]
fn every_function_and_property_is_used_in_a_lua_test_that_holds() {
    let project = Project::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let files: Vec<String> = project.scripts();
    let files: Vec<&String> = files
        .iter()
        .filter(|file| file.starts_with("tests/api_"))
        .collect();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let printed = Mutex::new(Vec::new());
    let work = || {
        let (library, _) = Library::new(project.clone(), true, true);
        let around = Arc::new(TestServices {
            library,
            printed: Mutex::default(),
        });
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = uses_during(|| hold_in(&around, file));
            results.lock().unwrap().push(result);
        }
        let mut lines = around.printed.lock().unwrap();
        printed.lock().unwrap().append(&mut lines);
    };
    thread::scope(|scope| {
        for _ in 1..thread::available_parallelism().map_or(1, Into::into) {
            scope.spawn(work);
        }
        work();
    });
    let (mut n_tests, mut heard, mut used) = (0, Vec::new(), BTreeSet::new());
    for ((n, sounds), uses) in results.into_inner().unwrap() {
        n_tests += n;
        heard.extend(sounds);
        used.extend(uses);
    }
    assert!(n_tests > 20, "{n_tests}");
    let printed = printed.into_inner().unwrap();
    let (decals, others): (Vec<&String>, Vec<&String>) =
        printed.iter().partition(|line| line.starts_with("decal: "));
    // Lines without pronounceable text.
    let (silent, others): (Vec<&String>, Vec<&String>) = others
        .into_iter()
        .partition(|line| line.contains("the mouth stays closed"));
    assert!((4..=6).contains(&silent.len()), "{silent:?}");
    assert_eq!(others, ["printed\tby a test"]);
    assert_eq!(
        decals.len(),
        1,
        "what takes no decals is said once: {decals:?}"
    );
    assert!(decals[0].contains("\"cloth\": its texture coordinates overlap"));
    check_sounds(&heard);
    let mut all = BTreeSet::new();
    for group in GROUPS {
        all.extend(
            group
                .functions
                .iter()
                .map(|f| Use::Called(group.name, f.name)),
        );
        for property in group.properties {
            all.insert(Use::Read(group.name, property.name));
            if property.is_settable() {
                all.insert(Use::Written(group.name, property.name));
            }
        }
    }
    assert!(all.len() > 110 && GROUPS.iter().any(|group| group.kind == Kind::Object));
    let unused: Vec<&Use> = all.difference(&used).collect();
    assert!(
        unused.is_empty(),
        "in no test of tests/api_*.lua: {unused:?}"
    );
    assert!(used.is_subset(&all));
}

/// Checks the effects of the sound test, which Lua cannot see.
fn check_sounds(heard: &[SoundOrder]) {
    let [
        SoundOrder::Play(first),
        SoundOrder::Play(second),
        stop,
        volume,
    ] = heard
    else {
        panic!("{heard:?}");
    };
    assert_eq!(
        (&*first.sound, first.volume, first.pitch),
        ("land_wood", 0.5, 2.0)
    );
    assert_eq!((first.time, first.position), (0.0, None));
    assert_eq!((second.time, second.position), (0.5, Some(glam::Vec3::X)));
    let (id, fade) = (first.id, 0.25);
    assert_eq!(*stop, SoundOrder::Stop { id, fade });
    assert_eq!(*volume, SoundOrder::Volume(0.75));
}

#[test]
fn comments_and_failing_calls_do_not_count_as_use() {
    let folder = std::env::temp_dir().join(format!("galatea-uses-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scripts")).unwrap();
    let script = "-- random_range()
        local text = 'random_range()'
        local function never() random_range() end
        pcall(input.axis, 'no such axis')
        input.down('jump')";
    std::fs::write(folder.join("scripts/main.lua"), script).unwrap();
    let (library, _) = Library::new(Project::open(&folder).unwrap(), true, true);
    let mut host = Host::new(HostOptions::default(), library).unwrap();
    let mut load = || host.load(&mut Stage::default(), &ScriptSource::default());
    let (result, used) = uses_during(&mut load);
    assert!(result.is_ok());
    let used: Vec<Use> = used.into_iter().collect();
    assert_eq!(used, [Use::Called("input", "down")]);
    // Costs are not counted any more.
    assert!(load().is_ok());
    assert!(uses_during(|| ()).1.is_empty());
    std::fs::remove_dir_all(&folder).unwrap();
}
