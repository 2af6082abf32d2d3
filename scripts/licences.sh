#!/bin/sh
# Writes docs/licences.txt: what is built into the program, and under which terms. Needs cargo-about
# (cargo install cargo-about --features cli), which also refuses licences that about.toml does not accept.
set -eu
cd "$(dirname "$0")/.."
# With what only other systems are built of.
cargo fetch --locked
exec cargo about generate --offline --all-features -c about.toml scripts/licences.hbs -o docs/licences.txt
