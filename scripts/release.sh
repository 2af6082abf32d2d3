#!/bin/sh
# The program as it is handed to other people: scripts/release.sh TARGET FILE
# TARGET is one of Rust's (rustup target list); FILE is what comes of it. Beside it lies FILE.sha256.
# Linux programs run on systems with the same or a newer C library: build them on the oldest that is to be served.
set -eu
cd "$(dirname "$0")/.."
target=$1
file=$2
rustup target add "$target"
# Only short functions and those that ask for it are copied to where they are called: see "Tried for the size" in docs/performance.md.
flags="-C llvm-args=-inline-threshold=50"
case "$target" in
# The C and C++ libraries of Visual Studio are not on every desktop: they go into the program.
*msvc) flags="$flags -C target-feature=+crt-static" ;;
# Functions that are alike to the byte are one; the linker of Visual Studio does so by itself, those of other systems cannot.
x86_64-unknown-linux-gnu) flags="$flags -C link-arg=-Wl,--icf=all" ;;
esac
RUSTFLAGS=$flags
export RUSTFLAGS
cargo build --profile dist --target "$target" --locked
built=target/$target/dist/galatea
case "$target" in *windows*) built=$built.exe ;; esac
mkdir -p "$(dirname "$file")"
cp "$built" "$file"
if command -v sha256sum >/dev/null; then
	(cd "$(dirname "$file")" && sha256sum "$(basename "$file")") >"$file.sha256"
else
	(cd "$(dirname "$file")" && shasum -a 256 "$(basename "$file")") >"$file.sha256"
fi
ls -l "$file"
