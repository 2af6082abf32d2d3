//! The control port and `--eval` of the real program: requests are answered, and no client can disturb the simulation.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::program;

const MAIN: &str = r#"local hero = character("assets/mannequin.glb", { name = "hero" })
local jumps = 0
hero.machine = machine {
	params = { speed = 0, armed = false },
	state "idle" { "idle" },
	state "move" { "walk" },
	transition_to "move" { from = "idle", when = "speed > 0.5" },
}
hero:on("step", function(e) end)
function update(dt)
	if input.pressed("jump") then jumps += 1 end
end
"#;

/// A program that plays a project without a display, with an open control port.
struct Game {
    child: Child,
    stdout: BufReader<ChildStdout>,
    folder: Folder,
    address: String,
    token: String,
}

impl Game {
    fn start(name: &str, more: &[&str]) -> Self {
        let folder = Folder::project(name, MAIN);
        let mut args = vec!["play", folder.path(), "--silent", "--control"];
        args.extend(more);
        let mut child = program::command(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("control:"), "{line}");
        let address = words.next().unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        let token = words.nth(1).unwrap_or_default().to_owned();
        let game = Self {
            child,
            stdout,
            folder,
            address,
            token,
        };
        let mut client = game.client();
        let start = Instant::now();
        while client.request(json!({ "do": "state" }))["loading"] == true {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "it does not load"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        game
    }

    fn client(&self) -> Client {
        Client {
            stream: BufReader::new(self.connect()),
            token: self.token.clone(),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
    }

    /// Sends bytes and reads the answer until the connection is closed.
    fn rejected(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The program may close the connection early.
        let _ = stream.write_all(bytes);
        let mut said = String::new();
        let _ = stream.read_to_string(&mut said);
        said
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Client {
    fn request(&mut self, mut request: Value) -> Value {
        request["token"] = json!(self.token);
        self.stream
            .get_mut()
            .write_all(format!("{request}\n").as_bytes())
            .unwrap();
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn eval(&mut self, code: &str) -> Value {
        self.request(json!({ "do": "eval", "code": code }))
    }
}

fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_client_can_query_evaluate_press_keys_and_receive_events() {
    let game = Game::start("talk", &[]);
    let mut client = game.client();
    let state = client.request(json!({ "do": "state", "id": "first" }));
    assert_eq!(
        (&state["id"], &state["ok"]),
        (&json!("first"), &json!(true))
    );
    let hero = &state["characters"][0];
    assert_eq!(hero["name"], "hero");
    assert_eq!(hero["source"], "assets/mannequin.glb");
    assert_eq!(hero["machine"]["layers"][0]["state"], "idle");
    assert_eq!(
        hero["machine"]["params"],
        json!({ "speed": 0.0, "armed": false })
    );
    assert_eq!(state["errors"], json!([]));

    // Time advances by itself, at about real time.
    let (start, tick) = (Instant::now(), state["tick"].as_u64().unwrap());
    until("half a second of ticks", || {
        client.request(json!({ "do": "state" }))["tick"]
            .as_u64()
            .unwrap()
            >= tick + 30
    });
    assert!(start.elapsed() > Duration::from_millis(300));

    let answer = client
        .request(json!({ "do": "eval", "id": 7, "code": "print('said') return 1 + 1, jumps" }));
    assert_eq!(answer["values"], json!(["2", "0"]));
    assert_eq!(answer["printed"], json!(["said"]));
    assert_eq!(answer["id"], 7);
    let wrong = client.eval("hero:paly('walk')");
    assert_eq!(wrong["ok"], false);
    assert_eq!(
        (&wrong["file"], &wrong["line"]),
        (&json!("console"), &json!(1))
    );
    assert!(
        wrong["error"]
            .as_str()
            .unwrap()
            .contains("did you mean \"play\"?")
    );
    let endless = client.eval("while true do end");
    assert!(
        endless["error"]
            .as_str()
            .unwrap()
            .contains("exceeded its budget")
    );

    client.request(json!({ "do": "input", "events": [{ "down": "space" }, { "up": "space" }] }));
    until("the jump", || {
        client.eval("jumps")["values"] == json!(["1"])
    });

    client.request(json!({ "do": "events" }));
    client.eval("hero.machine.params.speed = 1");
    let mut heard: Vec<Value> = Vec::new();
    until("her steps", || {
        let answer = client.request(json!({ "do": "events" }));
        heard.extend(answer["events"].as_array().unwrap().iter().cloned());
        heard.iter().filter(|e| e["name"] == "step").count() >= 2
    });
    let entered: Vec<&Value> = heard
        .iter()
        .filter(|e| e["name"] == "state_enter")
        .collect();
    assert_eq!(entered.len(), 1, "each event is delivered once: {heard:?}");
    assert_eq!(
        (&entered[0]["state"], &entered[0]["from"]),
        (&json!("move"), &json!("idle"))
    );
    let numbers: Vec<u64> = heard
        .iter()
        .map(|e| e["number"].as_u64().unwrap())
        .collect();
    assert!(
        numbers.windows(2).all(|pair| pair[1] == pair[0] + 1),
        "{numbers:?}"
    );
    let again = client.request(json!({ "do": "events", "since": numbers[0] - 1 }));
    assert_eq!(again["events"][0], heard[0]);
    assert_eq!(again["lost"], 0);
    let characters = client.request(json!({ "do": "characters" }));
    assert_eq!(
        characters["characters"][0]["machine"]["layers"][0]["state"],
        "move"
    );
}

#[test]
fn a_reload_answers_with_the_faults_of_the_new_version() {
    let game = Game::start("reload", &[]);
    let mut client = game.client();
    let script = game.folder.0.join("scripts/main.lua");
    fs::write(&script, format!("{MAIN}\nlocal x = = 1\n")).unwrap();
    let answer = client.request(json!({ "do": "reload" }));
    assert_eq!(answer["ok"], false);
    assert_eq!(answer["error"], "the previous version keeps running");
    let fault = &answer["errors"][0];
    let at = MAIN.lines().count() as u64 + 2;
    assert_eq!(
        (&fault["file"], &fault["line"]),
        (&json!("scripts/main.lua"), &json!(at))
    );
    fs::write(&script, MAIN.replace("jumps = 0", "jumps = 40")).unwrap();
    let answer = client.request(json!({ "do": "reload" }));
    assert_eq!(
        (&answer["ok"], &answer["errors"]),
        (&json!(true), &json!([]))
    );
    assert_eq!(client.eval("jumps")["values"], json!(["40"]));
}

#[test]
fn a_screenshot_comes_as_text_or_as_a_file_of_the_project() {
    if !program::can_draw() {
        return;
    }
    let game = Game::start("shot", &[]);
    let mut client = game.client();
    let answer = client.request(json!({ "do": "screenshot", "size": [160, 90] }));
    assert_eq!(answer["ok"], true, "{answer}");
    use base64::Engine as _;
    let png = base64::engine::general_purpose::STANDARD
        .decode(answer["png"].as_str().unwrap())
        .unwrap();
    let picture = image::load_from_memory(&png).unwrap();
    assert_eq!((picture.width(), picture.height()), (160, 90));
    let answer = client.request(json!({ "do": "screenshot", "size": [64, 64], "file": "now.png" }));
    let path = PathBuf::from(answer["path"].as_str().unwrap());
    assert_eq!(path, game.folder.0.join("out/now.png"));
    assert_eq!(image::open(path).unwrap().width(), 64);
    for (field, value) in [
        ("file", json!("../evil.png")),
        ("file", json!("/evil.png")),
        ("file", json!(".png")),
        ("file", json!("now.txt")),
        ("file", json!(1)),
        ("size", json!([64])),
        ("size", json!([64, 99999])),
        ("size", json!([64, 64, 64])),
    ] {
        let mut request = json!({ "do": "screenshot" });
        request[field] = value.clone();
        let answer = client.request(request);
        assert_eq!(answer["ok"], false, "{field} {value}");
        assert!(
            answer["error"].as_str().unwrap().contains(field),
            "{answer}"
        );
    }
}

#[test]
fn unknown_requests_are_reported_with_the_nearest_name() {
    let game = Game::start("wrong", &[]);
    let mut client = game.client();
    for (request, wanted) in [
        (
            json!({ "do": "sate" }),
            "unknown request \"sate\"; did you mean \"state\"?",
        ),
        (json!({}), "\"do\" is missing; expected one of state, "),
        (json!({ "do": "eval" }), "\"eval\" needs \"code\", a string"),
        (
            json!({ "do": "eval", "cod": "1" }),
            "request \"eval\" has no field \"cod\"; did you mean \"code\"?",
        ),
        (
            json!({ "do": "events", "since": -1 }),
            "\"since\" must be an event number",
        ),
        (json!({ "do": "input" }), "\"input\" needs \"events\""),
        (
            json!({ "do": "input", "events": [{ "press": "w" }] }),
            "unknown event \"press\"; available: aspect, axis, down",
        ),
        (
            json!({ "do": "input", "events": [{ "down": "spcae" }] }),
            "did you mean \"space\"?",
        ),
        (
            json!({ "do": "input", "events": vec![json!({ "up": "w" }); 300] }),
            "the limit is 256",
        ),
    ] {
        let answer = client.request(request.clone());
        assert_eq!(answer["ok"], false, "{request}");
        let said = answer["error"].as_str().unwrap();
        assert!(said.contains(wanted), "{request}: {said}");
    }
    // The connection stays open.
    assert_eq!(client.eval("jumps")["values"], json!(["0"]));
}

#[test]
fn clients_without_the_token_are_rejected_once() {
    let game = Game::start("strangers", &[]);
    let wrong_token = "{\"id\":null,\"ok\":false,\"error\":\"wrong token\"}";
    for (bytes, wanted) in [
        (&b"{\"do\":\"state\"}\n"[..], "wrong token"),
        (b"{\"token\":\"\",\"do\":\"quit\"}\n", "wrong token"),
        (b"{\"token\":7,\"do\":\"quit\"}\n", "wrong token"),
        (
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "expected a line with one JSON object",
        ),
        (
            b"\xff\xfe\x00garbage\n",
            "expected a line with one JSON object",
        ),
        (b"[1, 2]\n", "expected a line with one JSON object"),
    ] {
        let said = game.rejected(bytes);
        assert_eq!(said.lines().count(), 1, "{said}");
        let answer: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(
            (&answer["ok"], &answer["error"]),
            (&json!(false), &json!(wanted))
        );
    }
    let read: Value = serde_json::from_str(wrong_token).unwrap();
    let almost = format!("{{\"token\":\"{}\",\"do\":\"quit\"}}\n", &game.token[1..]);
    let said: Value = serde_json::from_str(&game.rejected(almost.as_bytes())).unwrap();
    assert_eq!(said, read);
    // Deep nesting, and a line without an end.
    let deep = format!("{}\n", "[".repeat(200_000));
    assert!(game.rejected(deep.as_bytes()).contains("expected a line"));
    let said = game.rejected(&vec![b'x'; 3 << 20]);
    assert!(
        said.contains("the line is too long; the limit is 262144 bytes"),
        "{said}"
    );
    // Half a line, then disconnected.
    let mut half = game.connect();
    half.write_all(b"{\"token\":").unwrap();
    half.shutdown(Shutdown::Both).unwrap();
    assert_eq!(game.client().eval("jumps")["values"], json!(["0"]));
}

#[test]
fn clients_that_are_silent_or_do_not_read_hold_up_nothing() {
    let game = Game::start("silent", &[]);
    let _silent: Vec<TcpStream> = (0..3).map(|_| game.connect()).collect();
    // A client that sends many requests and reads no answer.
    let mut greedy = game.connect();
    greedy
        .set_write_timeout(Some(Duration::from_millis(500)))
        .unwrap();
    let request = format!(
        "{{\"token\":\"{}\",\"do\":\"eval\",\"code\":\"('x'):rep(2000)\"}}\n",
        game.token
    );
    for _ in 0..20_000 {
        if greedy.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    let mut client = game.client();
    let before = client.request(json!({ "do": "state" }))["tick"]
        .as_u64()
        .unwrap();
    let start = Instant::now();
    until("ticks", || {
        client.request(json!({ "do": "state" }))["tick"]
            .as_u64()
            .unwrap()
            >= before + 60
    });
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn idle_connections_are_dropped_and_their_number_is_limited() {
    let game = Game::start("many-connections", &[]);
    let mut silent: Vec<TcpStream> = (0..40).map(|_| game.connect()).collect();
    let start = Instant::now();
    assert_eq!(game.client().eval("1 + 1")["values"], json!(["2"]));
    assert!(
        start.elapsed() < Duration::from_secs(3),
        "{:?}",
        start.elapsed()
    );
    let mut said = String::new();
    let _ = silent.remove(0).read_to_string(&mut said);
    assert!(said.contains("too many connections"), "{said}");
    // The earlier clients have disconnected, but their threads may need a moment to notice.
    let mut clients: Vec<Client> = Vec::new();
    until("sixteen places", || {
        let mut client = game.client();
        let is_taken = client.request(json!({ "do": "state" }))["ok"] == true;
        clients.extend(is_taken.then_some(client));
        clients.len() == 16
    });
    let said = game.client().request(json!({ "do": "state" }));
    let why = said["error"].as_str().unwrap();
    assert!(why.contains("too many connections: all 16"), "{why}");
    assert_eq!(clients[0].eval("2 + 2")["values"], json!(["4"]));
    drop(clients);
    until("a free connection", || {
        let mut other = game.connect();
        let line = format!("{{\"token\":\"{}\",\"do\":\"state\"}}\n", game.token);
        let mut said = String::new();
        other.write_all(line.as_bytes()).is_ok()
            && BufReader::new(other).read_line(&mut said).is_ok()
            && said.contains("\"ok\":true")
    });
}

#[test]
fn eval_prints_its_result_and_quit_ends_the_program() {
    let mut game = Game::start(
        "eval",
        &["--eval", "jumps + 40", "--eval", "hero.machine:state()"],
    );
    let mut client = game.client();
    let answer = client.request(json!({ "do": "quit", "id": 1 }));
    assert_eq!((&answer["ok"], &answer["id"]), (&json!(true), &json!(1)));
    assert!(game.child.wait().unwrap().success());
    let mut said = String::new();
    game.stdout.read_to_string(&mut said).unwrap();
    assert_eq!(said, "40\n\"idle\"\n");
}

#[test]
fn only_its_owner_can_read_a_token_file_and_stdout_does_not_show_it() {
    let file = std::env::temp_dir().join(format!("galatea-token-{}", std::process::id()));
    fs::write(&file, "old").unwrap();
    let folder = Folder::new("control-file");
    folder.write("scripts/main.lua", "local x = 1\n");
    let args = ["play", folder.path(), "--silent", "--control", "0"];
    let mut child = program::command(&args)
        .args(["--control-token-file", file.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let token = fs::read_to_string(&file).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    assert_eq!(token.trim().len(), 32);
    assert_eq!(line.split_whitespace().count(), 2, "{line}");
    let address = line.split_whitespace().nth(1).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request = json!({ "token": token.trim(), "do": "quit" });
    stream.write_all(format!("{request}\n").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let _ = fs::remove_file(&file);
}

#[test]
fn eval_runs_before_rendering_and_prints_errors_to_stderr() {
    if !program::can_draw() {
        return;
    }
    let folder = Folder::new("control-reel");
    folder.write("scripts/main.lua", "local x = 20\n");
    folder.write("autoplay.jsonl", "{\"t\": 0.1, \"up\": \"w\"}\n");
    let reel = folder.0.join("reel");
    let (folder_text, reel_text) = (folder.path(), reel.to_str().unwrap());
    let output = program::galatea(&[
        "play",
        folder_text,
        "--render",
        "--render-to",
        reel_text,
        "--eval",
        "x + 1",
        "--eval",
        "y",
    ]);
    assert!(output.status.success(), "{}", program::err(&output));
    assert!(program::out(&output).starts_with("21\n"));
    assert!(program::err(&output).contains("error: console:1: there is no global \"y\""));
    assert!(reel.join("sound.wav").is_file());
}
