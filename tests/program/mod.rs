//! The program as a user runs it.
#![allow(dead_code, reason = "each test file uses a part")]

use std::process::{Command, Output};

/// The program with arguments, without a display.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_galatea"));
    command
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
    command
}

pub fn galatea(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Pictures need a driver, which `./x test` guarantees.
pub fn can_draw() -> bool {
    crate::driver::gpu().is_some()
}
