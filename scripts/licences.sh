#!/bin/sh
# Writes docs/licences.txt: the built-in components of the program and their licences. Needs cargo-about
# (cargo install cargo-about --features cli), which also refuses licences that about.toml does not accept.
set -eu
cd "$(dirname "$0")/.."
# Includes the dependencies for other systems.
cargo fetch --locked
exec cargo about generate --offline --all-features -c about.toml scripts/licences.hbs -o docs/licences.txt
