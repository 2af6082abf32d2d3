//! Changes and replacements of watched folders, with native watches.

use super::*;
use std::fs;

/// A temporary folder of one test, removed at its end.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("galatea-watch-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("scripts/ai")).unwrap();
        let this = Self(folder.canonicalize().unwrap());
        fs::write(this.main(), "one").unwrap();
        fs::write(this.path("scripts/ai/guard.lua"), "one").unwrap();
        this
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn main(&self) -> PathBuf {
        self.path("scripts/main.lua")
    }

    fn watch(&self) -> Watcher {
        Watcher::new(&[self.path("scripts")])
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Collects the reports during the time of three scans.
fn wait(watcher: &mut Watcher) -> Vec<PathBuf> {
    wait_for(watcher, |_| false)
}

/// Like [`wait`], but returns as soon as enough is reported.
fn wait_for(watcher: &mut Watcher, is_enough: impl Fn(&[PathBuf]) -> bool) -> Vec<PathBuf> {
    let start = Instant::now();
    let mut all = Vec::new();
    while start.elapsed() < 3 * SCAN_INTERVAL && !is_enough(&all) {
        all.extend(watcher.poll());
        std::thread::sleep(Duration::from_millis(5));
    }
    all
}

/// Saves a file, expects a report, and returns the time until the report.
fn save(watcher: &mut Watcher, file: &Path, text: &str) -> Duration {
    let start = Instant::now();
    fs::write(file, text).unwrap();
    let reported = wait_for(watcher, |all| all.iter().any(|one| one == file));
    assert!(
        reported.iter().any(|one| one == file),
        "{text}: {reported:?}"
    );
    start.elapsed()
}

#[test]
fn writes_renames_and_new_folders_count_once_and_touches_do_not() {
    let scene = Scene::new("kinds");
    let file = scene.main();
    let mut watcher = scene.watch();

    fs::write(&file, "one").unwrap();
    assert!(
        wait(&mut watcher).is_empty(),
        "the same content is no change"
    );

    fs::write(&file, "tw").unwrap();
    fs::write(&file, "two").unwrap();
    assert_eq!(
        wait(&mut watcher),
        std::slice::from_ref(&file),
        "two writes in a row are one change"
    );

    let temporary = scene.path("scripts/main.lua.tmp");
    fs::write(&temporary, "three").unwrap();
    fs::rename(&temporary, &file).unwrap();
    assert!(
        wait(&mut watcher).contains(&file),
        "a rename over the file is a change"
    );

    let new = scene.path("scripts/new/guard.lua");
    fs::create_dir(scene.path("scripts/new")).unwrap();
    fs::write(&new, "x").unwrap();
    assert!(wait(&mut watcher).contains(&new));

    fs::remove_file(&file).unwrap();
    assert_eq!(
        wait(&mut watcher),
        std::slice::from_ref(&file),
        "a file that was removed is a change"
    );
    assert_eq!(watcher.take_notice(), None);
}

/// The session may have loaded the content in between, but the watcher never compared it.
#[test]
fn a_save_that_reverts_another_one_is_reported() {
    let scene = Scene::new("back");
    let file = scene.main();
    let mut watcher = scene.watch();
    save(&mut watcher, &file, "good");
    fs::write(&file, "bad").unwrap();
    fs::write(&file, "good").unwrap();
    assert_eq!(wait(&mut watcher), std::slice::from_ref(&file));
    assert!(wait(&mut watcher).is_empty(), "it is reported once");
}

/// Replaces the script folder by one whose files contain the given text.
type Replacement = fn(&Scene, &str);

fn fill(folder: &Path, text: &str) {
    fs::create_dir_all(folder.join("ai")).unwrap();
    fs::write(folder.join("main.lua"), text).unwrap();
    fs::write(folder.join("ai/guard.lua"), text).unwrap();
}

fn recreate(scene: &Scene, text: &str) {
    fs::remove_dir_all(scene.path("scripts")).unwrap();
    fill(&scene.path("scripts"), text);
}

fn recreate_later(scene: &Scene, text: &str) {
    fs::remove_dir_all(scene.path("scripts")).unwrap();
    std::thread::sleep(SCAN_INTERVAL + SCAN_INTERVAL / 4);
    fill(&scene.path("scripts"), text);
}

fn rename_another_over(scene: &Scene, text: &str) {
    fill(&scene.path("next"), text);
    fs::rename(scene.path("scripts"), scene.path("before")).unwrap();
    fs::rename(scene.path("next"), scene.path("scripts")).unwrap();
}

fn move_away_and_back(scene: &Scene, text: &str) {
    fs::rename(scene.path("scripts"), scene.path("away")).unwrap();
    std::thread::sleep(SCAN_INTERVAL + SCAN_INTERVAL / 4);
    fill(&scene.path("away"), text);
    fs::rename(scene.path("away"), scene.path("scripts")).unwrap();
}

fn recreate_inner(scene: &Scene, text: &str) {
    fs::remove_dir_all(scene.path("scripts/ai")).unwrap();
    fill(&scene.path("scripts"), text);
}

#[cfg(unix)]
fn replace_by_link(scene: &Scene, text: &str) {
    fill(&scene.path("elsewhere"), text);
    fs::remove_dir_all(scene.path("scripts")).unwrap();
    std::os::unix::fs::symlink(scene.path("elsewhere"), scene.path("scripts")).unwrap();
}

#[cfg(unix)]
fn link_inner(scene: &Scene, text: &str) {
    fill(&scene.path("elsewhere"), text);
    fs::remove_dir_all(scene.path("scripts/ai")).unwrap();
    std::os::unix::fs::symlink(scene.path("elsewhere"), scene.path("scripts/ai")).unwrap();
    fs::write(scene.main(), text).unwrap();
    fs::write(scene.path("scripts/ai/guard.lua"), text).unwrap();
}

const REPLACEMENTS: &[(&str, Replacement)] = &[
    ("deleted and recreated", recreate),
    ("deleted, recreated later", recreate_later),
    ("another renamed over it", rename_another_over),
    ("moved away and back", move_away_and_back),
    ("inner folder recreated", recreate_inner),
    #[cfg(unix)]
    ("replaced by a link", replace_by_link),
    #[cfg(unix)]
    ("inner folder replaced by a link", link_inner),
];

#[test]
fn a_save_is_reported_during_and_after_every_replacement_of_the_folder() {
    for (i, (name, replace)) in REPLACEMENTS.iter().enumerate() {
        let scene = Scene::new(&format!("replaced-{i}"));
        let inner = scene.path("scripts/ai/guard.lua");
        let mut watcher = scene.watch();
        for round in 0..2 {
            let text = format!("{name}, round {round}");
            if round == 1 && scene.path("scripts").is_symlink() {
                break;
            }
            let _ = fs::remove_dir_all(scene.path("before"));
            replace(&scene, &text);
            let during = wait_for(&mut watcher, |all| {
                all.contains(&scene.main()) && all.contains(&inner)
            });
            assert!(during.contains(&scene.main()), "{text}: {during:?}");
            assert!(during.contains(&inner), "{text}: {during:?}");
            save(&mut watcher, &scene.main(), &format!("{text}, after"));
            save(&mut watcher, &inner, &format!("{text}, after"));
        }
        assert_eq!(watcher.take_notice(), None, "{name}");
    }
}

#[test]
fn after_a_replacement_the_system_reports_saves_again_without_waiting_for_a_scan() {
    let scene = Scene::new("fast");
    let mut watcher = scene.watch();
    recreate(&scene, "two");
    wait(&mut watcher);
    let times: Vec<Duration> = (0..5)
        .map(|i| save(&mut watcher, &scene.main(), &format!("save {i}")))
        .collect();
    let fastest = times.iter().min().unwrap();
    assert!(*fastest < SCAN_INTERVAL / 2, "{times:?}");
}

#[test]
fn a_folder_that_appears_after_the_start_is_watched() {
    let scene = Scene::new("appears");
    let (folder, file) = (scene.path("assets"), scene.path("assets/hero.glb"));
    let mut watcher = Watcher::new(std::slice::from_ref(&folder));
    fs::create_dir(&folder).unwrap();
    save(&mut watcher, &file, "model");
    save(&mut watcher, &file, "other model");
}

#[test]
fn the_folder_above_may_be_replaced_too() {
    let scene = Scene::new("above");
    let project = scene.path("project");
    fill(&project.join("scripts"), "one");
    let mut watcher = Watcher::new(&[project.join("scripts")]);
    fs::rename(&project, scene.path("before")).unwrap();
    fill(&project.join("scripts"), "two");
    let main = project.join("scripts/main.lua");
    let during = wait_for(&mut watcher, |all| all.contains(&main));
    assert!(during.contains(&main), "{during:?}");
    save(&mut watcher, &main, "three");
}

#[cfg(unix)]
#[test]
fn a_link_may_be_redirected() {
    let scene = Scene::new("link");
    let (link, next) = (scene.path("current"), scene.path("next"));
    fill(&scene.path("a/scripts"), "one");
    fill(&scene.path("b/scripts"), "two");
    std::os::unix::fs::symlink(scene.path("a"), &link).unwrap();
    let main = link.join("scripts/main.lua");
    let mut watcher = Watcher::new(&[link.join("scripts")]);
    save(&mut watcher, &main, "through the link");
    for (target, text) in [("b", "three"), ("a", "four")] {
        std::os::unix::fs::symlink(scene.path(target), &next).unwrap();
        fs::rename(&next, &link).unwrap();
        let during = wait_for(&mut watcher, |all| all.contains(&main));
        assert!(during.contains(&main), "{target}: {during:?}");
        save(&mut watcher, &main, text);
    }
}

#[cfg(unix)]
#[test]
fn link_cycles_are_followed_once() {
    let scene = Scene::new("circle");
    for name in ["again", "and_again"] {
        std::os::unix::fs::symlink(scene.path("scripts"), scene.path("scripts").join(name))
            .unwrap();
    }
    let state = FolderState::of(&[scene.path("scripts")]);
    assert_eq!(state.files.len(), 4, "{:?}", state.files.keys());
    let mut watcher = scene.watch();
    save(&mut watcher, &scene.main(), "two");
}

/// Without native watches (none left, or a network drive) scans find every change.
#[test]
fn scans_alone_find_every_change() {
    let scene = Scene::new("scans");
    let mut watcher = scene.watch();
    let silence = |watcher: &mut Watcher| watcher.native = None;
    silence(&mut watcher);
    save(&mut watcher, &scene.main(), "two");
    // Equal length and modification time, as with archive tools.
    let old = fs::metadata(scene.main()).unwrap().modified().unwrap();
    let next = scene.path("next");
    fs::write(&next, "six").unwrap();
    let file = fs::File::options().write(true).open(&next).unwrap();
    file.set_modified(old).unwrap();
    drop(file);
    fs::rename(&next, scene.main()).unwrap();
    assert_eq!(wait(&mut watcher), [scene.main()]);
    fs::remove_file(scene.main()).unwrap();
    assert_eq!(wait(&mut watcher), [scene.main()]);
    watcher.notice(&notify::Error::new(notify::ErrorKind::MaxFilesWatch));
    watcher.notice(&notify::Error::new(notify::ErrorKind::MaxFilesWatch));
    let message = watcher.take_notice().unwrap();
    assert!(message.contains("every 0.5 s"), "{message}");
    assert_eq!(watcher.take_notice(), None, "it is said once");
}
