#!/bin/sh
# Builds the release executables: scripts/release.sh TARGET FILE
# TARGET is a Rust target (rustup target list). FILE is the output file of galatea; its name must contain "galatea".
# The player is written to the same folder, with "galatea-player" instead of "galatea" in its name. Each gets a .sha256
# file.
# Linux programs run on systems with the same or a newer C library: build them on the oldest supported system.
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
# Inlines only short functions and those marked for inlining: see "Tried for the size" in docs/performance.md.
flags="-C llvm-args=-inline-threshold=50"
case "$target" in
# Links the C and C++ libraries of Visual Studio statically, because not every desktop has them.
*msvc) flags="$flags -C target-feature=+crt-static" ;;
# Merges identical functions. The linker of Visual Studio does it by default; those of other systems cannot.
x86_64-unknown-linux-gnu) flags="$flags -C link-arg=-Wl,--icf=all" ;;
esac
RUSTFLAGS=$flags
export RUSTFLAGS
folder=target/$target/dist
ending=
case "$target" in *windows*) ending=.exe ;; esac
# galatea contains the player, so that users download one file. The separate player is for bundles for other systems.
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
