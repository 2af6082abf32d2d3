//! A real window under Xvfb: it opens, shows the character, is resized, receives keys, shows an error, opens its console,
//! and closes on Escape.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::debugger::DapTalk;

/// Size of the virtual screen, pixels.
const SCREEN: f64 = 1280.0 * 1024.0;
/// Minimum fraction of the screen that her clothes cover.
const DRESS: f64 = 0.001;

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn has(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn until<T>(what: &str, mut f: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = f() {
            return value;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{what} did not happen in a minute"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn run(display: &str, program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(args)
        .env("DISPLAY", display)
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Captures the whole screen; capturing one window fails while the window manager moves it.
fn screenshot(display: &str, file: &Path) -> image::RgbImage {
    until("a screenshot", || {
        run(display, "import", &["-window", "root", file.to_str()?])
    });
    image::open(file).unwrap().to_rgb8()
}

/// Fraction of the screen that is not the black of the empty desktop.
fn covered(picture: &image::RgbImage) -> f64 {
    share(picture, |r, g, b| r + g + b > 0)
}

/// Fraction of pixels with a colour that satisfies a condition.
fn share(picture: &image::RgbImage, holds: impl Fn(i32, i32, i32) -> bool) -> f64 {
    let n = picture
        .pixels()
        .filter(|p| holds(p[0].into(), p[1].into(), p[2].into()))
        .count();
    n as f64 / f64::from(picture.width() * picture.height())
}

/// Fraction of pixels with the dark green of her clothes.
fn dress(picture: &image::RgbImage) -> f64 {
    share(picture, |r, g, b| g > r + 25 && g < 140 && b > r + 20)
}

/// Fraction of pixels with the orange of bones that move vertices.
fn bones(picture: &image::RgbImage) -> f64 {
    share(picture, |r, g, b| {
        r > 210 && (130..190).contains(&g) && b < 80
    })
}

/// Fraction of pixels with the dark red of an error panel.
fn panel(picture: &image::RgbImage) -> f64 {
    share(picture, |r, g, b| {
        (50..140).contains(&r) && g < 45 && b < 50
    })
}

/// Fraction of pixels with the dark background of the console.
fn console(picture: &image::RgbImage) -> f64 {
    share(picture, |r, g, b| {
        r < 36 && g < 36 && (10..46).contains(&b) && b > r
    })
}

/// Evaluates code through the control port of the running program.
fn eval(said: &Path, code: &str) -> Option<String> {
    let line = fs::read_to_string(said).ok()?;
    let mut words = line.split_whitespace();
    let (address, token) = (words.nth(1)?, words.nth(1)?);
    let mut stream = TcpStream::connect(address).ok()?;
    let request = serde_json::json!({ "token": token, "do": "eval", "code": code });
    stream.write_all(format!("{request}\n").as_bytes()).ok()?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).ok()?;
    let answer: serde_json::Value = serde_json::from_str(&answer).ok()?;
    Some(answer["values"][0].as_str()?.to_owned())
}

/// Opens the console with its key, enters a line, checks the result, and closes it.
fn use_the_console(display: &str, window: &str, said: &Path, shot: &Path) {
    let before = console(&screenshot(display, shot));
    run(display, "xdotool", &["windowfocus", "--sync", window]);
    run(display, "xdotool", &["key", "grave"]);
    until("the console", || {
        (console(&screenshot(display, shot)) > before + 0.03).then_some(())
    });
    let line = "WRITTEN = 6 * 7";
    run(display, "xdotool", &["type", "--delay", "60", line]);
    run(display, "xdotool", &["key", "Return"]);
    until("the line to be run", || {
        (eval(said, "rawget(_G, 'WRITTEN')")? == "42").then_some(())
    });
    // The result is in the console, in yellow.
    run(display, "xdotool", &["type", "--delay", "60", "WRITTEN"]);
    run(display, "xdotool", &["key", "Return"]);
    until("the value in the console", || {
        let yellow = share(&screenshot(display, shot), |r, g, b| {
            r > 200 && g > 170 && b < 200 && r > b + 50
        });
        (yellow * SCREEN >= 6.0).then_some(())
    });
    // A key that is held in the console does not reach the game.
    run(display, "xdotool", &["keydown", "w"]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(eval(said, "input.down('w')").as_deref(), Some("false"));
    run(display, "xdotool", &["keyup", "w"]);
    run(display, "xdotool", &["key", "Escape"]);
    until("the console to close", || {
        (console(&screenshot(display, shot)) < before + 0.02).then_some(())
    });
}

/// Displays the past with its key, goes to its beginning, and returns.
fn look_back(display: &str, window: &str, said: &Path) {
    let time = || eval(said, "now()")?.parse::<f64>().ok();
    let now = until("the time", time);
    run(display, "xdotool", &["windowfocus", "--sync", window]);
    run(display, "xdotool", &["key", "F8"]);
    run(display, "xdotool", &["key", "Home"]);
    let first = until("the first moment", || time().filter(|time| *time < 1.0));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(time(), Some(first), "the past stands still");
    run(display, "xdotool", &["key", "Escape"]);
    until("the present", || time().filter(|time| *time > now));
}

/// Pauses the scripts as a code editor does, and continues them with a key in the window.
fn pause_and_continue(display: &str, window: &str, said: &Path) {
    let line = fs::read_to_string(said).unwrap();
    let mut words = line.split_whitespace();
    let (address, token) = (words.nth(1).unwrap(), words.nth(1).unwrap());
    let stream = TcpStream::connect(address).unwrap();
    let limit = Some(Duration::from_secs(60));
    stream.set_read_timeout(limit).unwrap();
    let mut editor = DapTalk::over(stream.try_clone().unwrap(), BufReader::new(stream));
    let none = || serde_json::json!({});
    editor.ask("initialize", none());
    editor.ask("attach", serde_json::json!({ "token": token }));
    editor.ask("configurationDone", none());
    editor.ask("pause", none());
    assert_eq!(editor.event("stopped")["reason"], "pause");
    assert_eq!(eval(said, "1"), None, "the game stands still");
    run(display, "xdotool", &["windowfocus", "--sync", window]);
    run(display, "xdotool", &["key", "F5"]);
    editor.event("continued");
    until("the game", || eval(said, "1"));
    editor.ask("disconnect", none());
}

#[test]
fn a_window_opens_resizes_hears_keys_shows_errors_and_closes_on_escape() {
    let tools = ["Xvfb", "xdotool", "openbox", "import"];
    if let Some(missing) = tools.iter().find(|tool| !has(tool)) {
        assert!(
            std::env::var_os("GALATEA_REQUIRE_ALL").is_none(),
            "{missing} is required"
        );
        eprintln!("skipped: {missing} is not installed");
        return;
    }
    let folder: PathBuf =
        std::env::temp_dir().join(format!("galatea-window-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let program = env!("CARGO_BIN_EXE_galatea");
    assert!(
        Command::new(program)
            .arg("new")
            .arg(&folder)
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
    fs::write(
        folder.join("galatea.toml"),
        "name = \"Window test\"\n[window]\nwidth = 640\nheight = 360\n",
    )
    .unwrap();

    let number = 90 + std::process::id() % 400;
    let display = format!(":{number}");
    let _server = Process(
        Command::new("Xvfb")
            .args([&display, "-screen", "0", "1280x1024x24", "-nolisten", "tcp"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    until("the X server", || {
        run(&display, "xdotool", &["getdisplaygeometry"])
    });
    let _manager = Process(
        Command::new("openbox")
            .env("DISPLAY", &display)
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    until("the window manager", || {
        run(&display, "xdotool", &["get_num_desktops"])
    });
    let log = folder.join("stderr.txt");
    let recording = folder.join("recording.jsonl");
    let said = folder.join("stdout.txt");
    let mut game = Process(
        Command::new(program)
            .args(["play", folder.to_str().unwrap(), "--control", "--timings"])
            .arg("--record-input")
            .arg(&recording)
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .stdout(fs::File::create(&said).unwrap())
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap(),
    );
    let window = until("the window", || {
        let found = run(&display, "xdotool", &["search", "--name", "Window test"])?;
        found.lines().next().map(str::to_owned)
    });
    let shot = folder.join("shot.png");
    until("her picture", || {
        let picture = screenshot(&display, &shot);
        let size = covered(&picture) * SCREEN;
        (dress(&picture) > DRESS && (size / (640.0 * 360.0) - 1.0).abs() < 0.15).then_some(())
    });

    run(
        &display,
        "xdotool",
        &["windowsize", "--sync", &window, "800", "500"],
    );
    until("the larger picture", || {
        let picture = screenshot(&display, &shot);
        let size = covered(&picture) * SCREEN;
        (dress(&picture) > DRESS && (size / (800.0 * 500.0) - 1.0).abs() < 0.15).then_some(())
    });

    // Resizes the window to the minimum, and back.
    let resize = |width: &str, height: &str| {
        let args = ["windowsize", "--sync", &window, width, height];
        run(&display, "xdotool", &args);
    };
    resize("1", "1");
    std::thread::sleep(Duration::from_millis(500));
    resize("800", "500");
    until("her picture after the smallest", || {
        (dress(&screenshot(&display, &shot)) > DRESS).then_some(())
    });

    // The W key makes her walk away, and the script prints it.
    let script = folder.join("scripts/main.lua");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, format!("{text}\nhero:on('state_enter', function(e) if e.state == 'move' then sound.play('nothing') end end)\n")).unwrap();
    until("the reload", || {
        fs::read_to_string(&log)
            .ok()?
            .contains("script reloaded")
            .then_some(())
    });
    run(&display, "xdotool", &["windowfocus", "--sync", &window]);
    run(&display, "xdotool", &["keydown", "w"]);
    until("the fault that the key brings about", || {
        fs::read_to_string(&log)
            .ok()?
            .contains("no sound \"nothing\"")
            .then_some(())
    });
    run(&display, "xdotool", &["keyup", "w"]);
    until("the error on the picture", || {
        (panel(&screenshot(&display, &shot)) > 0.005).then_some(())
    });
    fs::write(&script, &text).unwrap();
    until("the error to go", || {
        (panel(&screenshot(&display, &shot)) < 0.001).then_some(())
    });

    // Undo and redo keys switch between versions of the script.
    for (key, told) in [
        ("ctrl+z", "back to an earlier version of the script, 2 of 3"),
        ("ctrl+y", "forward to a later version of the script, 3 of 3"),
    ] {
        run(&display, "xdotool", &["windowfocus", "--sync", &window]);
        run(&display, "xdotool", &["key", key]);
        until(told, || {
            fs::read_to_string(&log).ok()?.contains(told).then_some(())
        });
    }

    // V shows her skeleton instead of her clothes, Shift+V shows her normally again.
    run(&display, "xdotool", &["windowfocus", "--sync", &window]);
    run(&display, "xdotool", &["key", "v"]);
    until("her skeleton", || {
        let picture = screenshot(&display, &shot);
        (bones(&picture) > 5e-4 && dress(&picture) < DRESS).then_some(())
    });
    run(&display, "xdotool", &["key", "shift+v"]);
    until("her looks", || {
        let picture = screenshot(&display, &shot);
        (bones(&picture) < 1e-5 && dress(&picture) > DRESS).then_some(())
    });

    pause_and_continue(&display, &window, &said);
    look_back(&display, &window, &said);
    use_the_console(&display, &window, &said, &shot);
    assert!(
        game.0.try_wait().unwrap().is_none(),
        "Escape closed the console alone"
    );

    run(&display, "xdotool", &["windowminimize", "--sync", &window]);
    std::thread::sleep(Duration::from_millis(500));
    run(&display, "xdotool", &["windowactivate", "--sync", &window]);
    until("her picture again", || {
        (dress(&screenshot(&display, &shot)) > DRESS).then_some(())
    });

    run(&display, "xdotool", &["windowfocus", "--sync", &window]);
    run(&display, "xdotool", &["key", "Escape"]);
    let status = until("the end", || game.0.try_wait().unwrap());
    let said = fs::read_to_string(&log).unwrap();
    assert!(status.success(), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    for phase in ["load assets/", "compile shaders", "draw the first picture"] {
        assert_eq!(said.matches(phase).count(), 1, "{phase}: {said}");
    }

    // The recording contains the key and the reload, and plays again in a window.
    let text = fs::read_to_string(&recording).unwrap();
    assert!(text.starts_with("{\"recording\":{\"galatea\":"), "{text}");
    assert!(text.contains("{\"down\":\"w\",\"t\":"), "{text}");
    assert!(text.contains("s: script reloaded\n"), "{text}");
    let head = text.lines().next().unwrap();
    fs::write(&recording, format!("{head}\n{{\"t\": 1, \"up\": \"w\"}}\n")).unwrap();
    let mut game = Process(
        Command::new(program)
            .args(["play", folder.to_str().unwrap(), "--input"])
            .arg(&recording)
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap(),
    );
    let said = || fs::read_to_string(&log).unwrap();
    until("the end of the recording", || {
        said()
            .contains("the recorded input has ended")
            .then_some(())
    });
    let window = until("the window", || {
        let found = run(&display, "xdotool", &["search", "--name", "Window test"])?;
        found.lines().next().map(str::to_owned)
    });
    run(&display, "xdotool", &["windowfocus", "--sync", &window]);
    run(&display, "xdotool", &["key", "Escape"]);
    let status = until("the end", || game.0.try_wait().unwrap());
    assert!(status.success(), "{}", said());
    fs::remove_dir_all(&folder).unwrap();
}
