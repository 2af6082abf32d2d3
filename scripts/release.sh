#!/bin/sh
# The programs as they are released: scripts/release.sh TARGET FILE
# TARGET is one of Rust's (rustup target list). FILE is the program galatea, named with "galatea" in it; its player goes beside it,
# named with "galatea-player" in place of that, and a .sha256 of each.
# Linux programs run on systems with the same or a newer C library: build them on the oldest that is to be served.
set -eu
cd "$(dirname "$0")/.."
target=$1
file=$2
case "$(basename "$file")" in
*galatea*) ;;
*)
	echo "release.sh: $file: name it with \"galatea\", so that its player can be named beside it" >&2
	exit 2
	;;
esac
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
folder=target/$target/dist
ending=
case "$target" in *windows*) ending=.exe ;; esac
# galatea carries the player, so that people download one file; the player alone is what bundles for other systems take.
cargo build --profile dist --target "$target" --locked --bin galatea-player
GALATEA_PLAYER=$PWD/$folder/galatea-player$ending
export GALATEA_PLAYER
cargo build --profile dist --target "$target" --locked --bin galatea
mkdir -p "$(dirname "$file")"
cp "$folder/galatea$ending" "$file"
player=$(dirname "$file")/$(basename "$file" | sed s/galatea/galatea-player/)
cp "$GALATEA_PLAYER" "$player"
for made in "$file" "$player"; do
	name=$(basename "$made")
	if command -v sha256sum >/dev/null; then
		(cd "$(dirname "$made")" && sha256sum "$name") >"$made.sha256"
	else
		(cd "$(dirname "$made")" && shasum -a 256 "$name") >"$made.sha256"
	fi
	ls -l "$made"
done
