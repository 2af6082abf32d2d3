//! Keys and who chooses them: what scripts bind, what a player changes, what is kept.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Bench, lua_test};
use galatea::app::{Player, Session, SessionOptions, Sound};
use galatea::asset::Project;
use galatea::stage::InputEvent;

fn down(key: &str) -> InputEvent {
    InputEvent::Down(key.into())
}

/// A project in a folder of its own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, script: &str) -> Self {
        let root =
            std::env::temp_dir().join(format!("galatea-input-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("scripts")).unwrap();
        fs::write(root.join("scripts/main.lua"), script).unwrap();
        Self(root)
    }

    fn project(&self) -> Project {
        Project::open(&self.0).unwrap()
    }

    fn open(&self, player: Player) -> Session {
        let options = SessionOptions {
            sound: Sound::Silent,
            watch: false,
            quiet: true,
            wait: true,
        };
        Session::open_for(self.project(), options, player).unwrap()
    }

    fn bindings(&self) -> Option<String> {
        fs::read_to_string(self.0.join("bindings.toml")).ok()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn errors(session: &Session) -> Vec<String> {
    session.diagnostics.errors().map(str::to_owned).collect()
}

#[test]
fn a_rebinding_screen_hears_the_next_key_and_puts_it_in_place_of_the_scripts() {
    let told = lua_test(
        "local function list(names) return table.concat(names, ' ') end
        t:expect(list(input.actions()) == 'jump run use wave', list(input.actions()))
        t:expect(list(input.axes()) == 'move_x move_y', list(input.axes()))
        t:expect(input.next_pressed() == nil)
        t:press('j') t:press('k')
        t:expect(input.next_pressed() == 'j', 'of several the first')
        input.rebind('jump', input.next_pressed())
        t:expect(input.pressed('jump'), 'it counts at once')
        t:step()
        t:expect(input.next_pressed() == nil, 'it is held, not pressed')
        t:expect(list(input.bound 'jump') == 'j')
        t:press('space')
        t:expect(not input.pressed('jump'))
        input.bind('jump', 'x')
        t:expect(list(input.bound 'jump') == 'j', 'the player chose')
        input.rebind_axis('move_x', { positive = { 'l', 'o' }, stick = 'pad_right_x' })
        local x = input.bound_axis 'move_x'
        t:expect(list(x.negative) == '' and list(x.positive) == 'l o' and list(x.stick) == 'pad_right_x')
        t:press('l')
        t:expect(input.axis('move_x') == 1)
        input.reset_bindings 'jump'
        t:expect(list(input.bound 'jump') == 'x' and #input.bound_axis('move_x').negative == 0)
        input.reset_bindings()
        t:expect(list(input.bound_axis('move_x').negative) == 'a left')
        input.rebind('jump', {})
        t:expect(#input.bound 'jump' == 0, 'no key at all')",
    );
    assert_eq!(told, Ok(()));
}

#[test]
fn wrong_names_of_keys_actions_axes_and_sticks_are_told_with_the_nearest_right_one() {
    for (script, wanted) in [
        ("input.bind('jump', 'spcae')", "did you mean \"space\"?"),
        ("input.bind('jump', 'wave')", "no key \"wave\""),
        ("input.rebind('jmup', 'j')", "did you mean \"jump\"?"),
        (
            "input.rebind('jump', { 'j', 'pad_suoth' })",
            "did you mean \"pad_south\"?",
        ),
        (
            "input.rebind_axis('mvoe_x', {})",
            "did you mean \"move_x\"?",
        ),
        (
            "input.bind_axis('lean', { stick = 'pad_lfet_x' })",
            "did you mean \"pad_left_x\"?",
        ),
        (
            "input.bind_axis('lean', { positive = 'wheel_pu' })",
            "did you mean \"wheel_up\"?",
        ),
        ("input.bound('jmup')", "did you mean \"jump\"?"),
        ("input.bound_axis('mvoe_y')", "did you mean \"move_y\"?"),
        ("input.reset_bindings('jmup')", "did you mean \"jump\"?"),
        ("input.axis('mouse_xd')", "did you mean \"mouse_dx\"?"),
        (
            "input.bind('jump', table.create(33, 'a'))",
            "may have 32 keys",
        ),
    ] {
        let fault = Bench::empty().fault(script);
        assert!(fault.text.contains(wanted), "{script}: {}", fault.text);
        assert_eq!(fault.line, Some(1), "{script}");
    }
}

#[test]
fn a_save_of_the_script_forgets_its_old_keys_and_none_of_the_players() {
    let mut bench = Bench::new("input.bind('duck', 'c') input.bind('jump', 'v')");
    bench.stage.apply(&down("c"));
    bench
        .load("input.bind('duck', 'x') input.rebind('duck', 'y') input.rebind('use', 'u')")
        .unwrap();
    bench.load(
        "input.bind('duck', 'z')
        print(input.bound('duck')[1], input.bound('jump')[1], input.bound('use')[1], input.down('c'))
        input.reset_bindings()
        print(input.bound('duck')[1], input.bound('use')[1])
        input.bind('hide', 'h')",
    )
    .unwrap();
    assert_eq!(bench.printed(), ["y\tspace\tu\ttrue", "z\te"]);
    let fault = bench.fault("print(input.bound('hide'))");
    assert!(fault.text.contains("no action \"hide\""), "{fault}");
    // A script that fails changes no keys.
    bench.fault("input.rebind('use', 'k') error 'no'");
    assert_eq!(
        bench.stage.input.bound("use"),
        Some(&["e".to_owned(), "pad_west".into()][..])
    );
    assert!(bench.stage.input.bound("hide").is_some());
}

#[test]
fn what_a_player_chose_is_there_the_next_time_and_a_faulty_file_is_told_and_passed_over() {
    let script = "print(input.bound('jump')[1])
        function update()
            local key = input.next_pressed()
            if key == 'backspace' then input.reset_bindings() input.save_bindings()
            elseif key then input.rebind('jump', key) input.save_bindings() end
        end";
    let folder = Folder::new("kept", script);
    let here = || Player::here(&folder.project());
    let mut session = folder.open(here());
    session.tick();
    assert_eq!(folder.bindings(), None, "nothing was asked");
    session.input(&down("j"));
    session.tick();
    assert!(
        folder
            .bindings()
            .unwrap()
            .ends_with("[actions]\njump = [\"j\"]\n")
    );
    // Who records or tests plays with the scripts' own keys and writes nothing.
    let mut nobody = folder.open(Player::nobody());
    assert_eq!(nobody.stage.input.bound("jump").unwrap()[0], "space");
    nobody.input(&down("k"));
    nobody.tick();
    assert!(folder.bindings().unwrap().contains("\"j\""));
    let mut session = folder.open(here());
    assert_eq!(session.stage.input.bound("jump").unwrap(), ["j"]);
    session.input(&down("backspace"));
    session.tick();
    assert_eq!(folder.bindings(), None, "nothing is left to keep");

    let file = folder.0.join("bindings.toml");
    fs::write(&file, "[actions]\njump = [\"jj\"]\n").unwrap();
    let mut session = folder.open(here());
    let told: Vec<&str> = session.diagnostics.warnings().collect();
    assert!(
        told[0].contains("bindings.toml: line 2: no key \"jj\""),
        "{told:?}"
    );
    assert_eq!(session.stage.input.bound("jump").unwrap()[0], "space");
    // A folder in its place cannot be written over: told, and the game goes on.
    fs::remove_file(&file).unwrap();
    fs::create_dir_all(file.join("full")).unwrap();
    session.input(&down("j"));
    session.tick();
    assert!(
        errors(&session)[0].contains("bindings.toml"),
        "{:?}",
        errors(&session)
    );
    assert_eq!(session.stage.input.bound("jump").unwrap(), ["j"]);
    fs::remove_dir_all(&file).unwrap();
    session.tick();
    session.input(&down("k"));
    session.tick();
    assert_eq!(errors(&session), [""; 0]);
    assert!(folder.bindings().unwrap().contains("\"k\""));
}
