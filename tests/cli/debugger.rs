//! The debugger of the real program, as a code editor uses it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::program;

const MAIN: &str = r#"local n = 0
local list = { "a", "b" }
print("begun")
function update(dt)
	n += 1
	if n == 30 then
		error("the thirtieth")
	end
end
"#;

/// Messages with a debugger, over any stream.
pub struct DapTalk {
    input: Box<dyn Write>,
    output: Box<dyn BufRead>,
    seq: u64,
    /// Events that came while something else was expected.
    events: Vec<Value>,
}

/// A code editor with its debug adapter.
struct Editor {
    child: Child,
    talk: DapTalk,
}

impl Editor {
    fn start() -> Self {
        let mut child = program::command(&["debug-adapter"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            talk: DapTalk::over(input, output),
        }
    }

    fn wait(mut self) -> i32 {
        drop(self.talk);
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap();
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl DapTalk {
    pub fn over(input: impl Write + 'static, output: impl BufRead + 'static) -> Self {
        Self {
            input: Box::new(input),
            output: Box::new(output),
            seq: 0,
            events: Vec::new(),
        }
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "it has ended"
            );
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            length = line
                .strip_prefix("Content-Length: ")
                .unwrap()
                .parse()
                .unwrap();
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn send(&mut self, command: &str, arguments: Value) -> u64 {
        self.seq += 1;
        let message = json!({
            "seq": self.seq, "type": "request", "command": command, "arguments": arguments,
        });
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
        self.seq
    }

    fn response_to(&mut self, seq: u64) -> Value {
        loop {
            let message = self.read();
            if message["type"] == "response" && message["request_seq"] == seq {
                return message;
            }
            self.events.push(message);
        }
    }

    /// The body of the response to a request that succeeds.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        let response = self.response_to(seq);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// The body of the next event with a name.
    pub fn event(&mut self, name: &str) -> Value {
        let is_wanted = |message: &Value| message["event"] == name;
        if let Some(i) = self.events.iter().position(is_wanted) {
            return self.events.remove(i)["body"].clone();
        }
        loop {
            let message = self.read();
            if is_wanted(&message) {
                return message["body"].clone();
            }
            self.events.push(message);
        }
    }

    /// Waits for a stop. Returns its reason, and the line.
    fn stop(&mut self) -> (String, u64) {
        let stopped = self.event("stopped");
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        let line = stack["stackFrames"][0]["line"].as_u64().unwrap();
        (stopped["reason"].as_str().unwrap().to_owned(), line)
    }

    fn variables(&mut self, reference: &Value) -> Vec<(String, String, Value)> {
        let body = self.ask("variables", json!({ "variablesReference": reference }));
        let all = body["variables"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        all.map(|one| {
            (
                text(&one["name"]),
                text(&one["value"]),
                one["variablesReference"].clone(),
            )
        })
        .collect()
    }
}

#[test]
fn an_editor_sets_breakpoints_steps_and_reads_variables() {
    let folder = Folder::project("debugger", MAIN);
    let mut editor = Editor::start();
    let can = editor
        .talk
        .ask("initialize", json!({ "adapterID": "galatea" }));
    assert_eq!(can["supportsConditionalBreakpoints"], true);
    let launch = editor.talk.send(
        "launch",
        json!({ "program": folder.path(), "args": ["--silent"] }),
    );
    editor.talk.event("initialized");
    let path = folder.0.join("scripts/main.lua");
    let source = json!({ "path": path.to_str().unwrap() });
    let breakpoints = json!([{ "line": 3 }, { "line": 5, "condition": "n == 9" }]);
    let set = editor.talk.ask(
        "setBreakpoints",
        json!({ "source": source, "breakpoints": breakpoints }),
    );
    assert_eq!(
        set["breakpoints"][0]["verified"], false,
        "no script runs yet: {set}"
    );
    editor.talk.ask(
        "setExceptionBreakpoints",
        json!({ "filters": ["uncaught"] }),
    );
    editor.talk.ask("configurationDone", json!({}));
    let _ = launch;

    // The main part of the script.
    assert_eq!(editor.talk.stop(), ("breakpoint".into(), 3));
    assert_eq!(
        editor.talk.event("breakpoint")["breakpoint"]["verified"],
        true
    );
    let scopes = editor.talk.ask("scopes", json!({ "frameId": 1 }));
    let locals = editor
        .talk
        .variables(&scopes["scopes"][0]["variablesReference"]);
    let list = locals.iter().find(|one| one.0 == "list").unwrap().clone();
    assert_eq!(list.1, "{ \"a\", \"b\" }");
    let parts = editor.talk.variables(&list.2);
    assert_eq!((parts[1].0.as_str(), parts[1].1.as_str()), ("2", "\"b\""));
    // A local is set.
    let scope = &scopes["scopes"][0]["variablesReference"];
    let set = editor.talk.ask(
        "setVariable",
        json!({ "variablesReference": scope, "name": "n", "value": "5" }),
    );
    assert_eq!(set["value"], "5");
    editor.talk.ask("next", json!({ "threadId": 1 }));
    assert_eq!(editor.talk.stop(), ("step".into(), 4));
    // The game also says that it waits for the editor.
    while !editor.talk.event("output")["output"]
        .to_string()
        .contains("begun")
    {}

    // A condition, an expression, and the error.
    editor.talk.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(editor.talk.stop(), ("breakpoint".into(), 5));
    let value = editor
        .talk
        .ask("evaluate", json!({ "expression": "n * 2", "frameId": 1 }));
    assert_eq!(value["result"], "18");
    let wrong = editor
        .talk
        .send("evaluate", json!({ "expression": "n.x.y", "frameId": 1 }));
    let wrong = editor.talk.response_to(wrong);
    assert_eq!(wrong["success"], false, "{wrong}");
    editor.talk.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(editor.talk.stop(), ("exception".into(), 7));

    // The editor changes a running game, pauses it, and ends it.
    let none = json!({ "source": source, "breakpoints": [] });
    editor.talk.ask("setBreakpoints", none);
    editor.talk.ask("continue", json!({ "threadId": 1 }));
    let value = editor.talk.ask(
        "evaluate",
        json!({ "expression": "1 + 1", "context": "repl" }),
    );
    assert_eq!(value["result"], "2");
    editor.talk.ask("pause", json!({ "threadId": 1 }));
    assert_eq!(editor.talk.stop(), ("pause".into(), 5));
    editor
        .talk
        .ask("disconnect", json!({ "terminateDebuggee": true }));
    editor.talk.event("terminated");
    assert_eq!(editor.wait(), 0);
}

#[test]
fn an_editor_that_disconnects_leaves_the_game_running() {
    let folder = Folder::project("debugger-leaves", "function update() end");
    let mut game = program::command(&["play", folder.path(), "--silent", "--control"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(game.stdout.take().unwrap());
    said.read_line(&mut line).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let connect = || {
        let stream = TcpStream::connect(words[1]).unwrap();
        let limit = Some(Duration::from_secs(60));
        stream.set_read_timeout(limit).unwrap();
        let mut editor = DapTalk::over(stream.try_clone().unwrap(), BufReader::new(stream));
        editor.ask("initialize", json!({}));
        editor.ask("attach", json!({ "token": words[3] }));
        editor
    };
    // A pause that has stopped nothing yet, and a stopped script. The requests come between two ticks.
    let mut editor = connect();
    editor.send("pause", json!({}));
    editor.ask("disconnect", json!({}));
    let mut editor = connect();
    let evaluated = editor.ask("evaluate", json!({ "expression": "1 + 1" }));
    assert_eq!(evaluated["result"], "2", "it runs");
    editor.ask("pause", json!({}));
    editor.event("stopped");
    drop(editor);
    let mut editor = connect();
    editor.ask("pause", json!({}));
    editor.event("stopped");
    editor.ask("terminate", json!({}));
    assert_eq!(game.wait().unwrap().code(), Some(0));
}

#[test]
fn a_game_that_does_not_start_is_an_error_of_the_launch() {
    let mut editor = Editor::start();
    editor.talk.ask("initialize", json!({}));
    let seq = editor
        .talk
        .send("launch", json!({ "program": "/no/such/project" }));
    let response = editor.talk.response_to(seq);
    assert_eq!(response["success"], false);
    let why = response["message"].as_str().unwrap();
    assert!(why.contains("/no/such/project"), "{why}");
    let seq = editor
        .talk
        .send("attach", json!({ "port": 1, "token": "x" }));
    assert_eq!(editor.talk.response_to(seq)["success"], false);
    editor.talk.ask("disconnect", json!({}));
    assert_eq!(editor.wait(), 0);
}

#[test]
fn new_projects_have_settings_for_an_editor() {
    let dir = crate::folder("new-debug");
    let made = program::galatea(&["new", dir.to_str().unwrap()]);
    assert!(made.status.success());
    for file in [
        ".vscode/launch.json",
        ".vscode/extensions/galatea-debugger/package.json",
    ] {
        let text = std::fs::read_to_string(dir.join(file)).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let kind = value["configurations"][0]["type"].as_str();
        let kind = kind.or(value["contributes"]["debuggers"][0]["type"].as_str());
        assert_eq!(kind, Some("galatea"), "{file}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}
