#!/bin/sh
# Galatea from a fresh machine: ./x play opens the demo, ./x test runs every check.
# Finds what is missing, installs it with the system's package manager, says so, and goes on.
set -eu
cd "$(dirname "$0")"

say() { printf '%s\n' "x: $*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

usage() {
    cat <<'TEXT'
usage: ./x COMMAND [ARGUMENTS]

  play [ARGUMENTS]   build and open the demo (without a display: render the reel to out/reel)
  test [ARGUMENTS]   build and run every check; arguments go to `cargo test`
  bless              draw the golden pictures and write the generated pages again
  COMMAND …          any other command of galatea, as in ./x inspect assets/galatea.glb

Installs what is missing with apt, dnf, pacman, zypper or brew; GALATEA_NO_INSTALL=1 only says what.
TEXT
}

# --- Packages ----------------------------------------------------------------------------------

find_manager() {
    for manager in apt-get dnf pacman zypper brew; do
        if have "$manager"; then
            echo "$manager"
            return
        fi
    done
}

# package THING: its name for this package manager; empty where nothing is needed.
package() {
    case "$manager:$1" in
        apt-get:cc) echo "gcc libc6-dev" ;;
        apt-get:c++) echo "g++" ;;
        apt-get:pkg-config) echo "pkg-config" ;;
        apt-get:alsa) echo "libasound2-dev" ;;
        apt-get:vulkan) echo "libvulkan1" ;;
        apt-get:driver) echo "mesa-vulkan-drivers" ;;
        apt-get:window) echo "libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0" ;;
        apt-get:xvfb) echo "xvfb" ;;
        apt-get:xdotool) echo "xdotool" ;;
        apt-get:openbox) echo "openbox" ;;
        apt-get:import) echo "imagemagick" ;;
        apt-get:curl) echo "curl ca-certificates" ;;
        dnf:cc | zypper:cc) echo "gcc" ;;
        dnf:c++ | zypper:c++) echo "gcc-c++" ;;
        dnf:pkg-config) echo "pkgconf-pkg-config" ;;
        zypper:pkg-config) echo "pkg-config" ;;
        dnf:alsa) echo "alsa-lib-devel" ;;
        zypper:alsa) echo "alsa-devel" ;;
        dnf:vulkan) echo "vulkan-loader" ;;
        zypper:vulkan) echo "libvulkan1" ;;
        dnf:driver) echo "mesa-vulkan-drivers" ;;
        zypper:driver) echo "libvulkan_lvp" ;;
        dnf:window) echo "libX11 libX11-xcb libXcursor libXi libxkbcommon-x11" ;;
        zypper:window) echo "libX11-6 libX11-xcb1 libXcursor1 libXi6 libxkbcommon-x11-0" ;;
        dnf:xvfb) echo "xorg-x11-server-Xvfb" ;;
        zypper:xvfb) echo "xorg-x11-server-Xvfb" ;;
        dnf:import | zypper:import) echo "ImageMagick" ;;
        pacman:cc | pacman:c++) echo "gcc" ;;
        pacman:pkg-config) echo "pkgconf" ;;
        pacman:alsa) echo "alsa-lib" ;;
        pacman:vulkan) echo "vulkan-icd-loader" ;;
        pacman:driver) echo "vulkan-swrast" ;;
        pacman:window) echo "libx11 libxcursor libxi libxkbcommon-x11" ;;
        pacman:xvfb) echo "xorg-server-xvfb" ;;
        pacman:import) echo "imagemagick" ;;
        brew:pkg-config) echo "pkgconf" ;;
        brew:*) ;;
        *:curl) echo "curl" ;;
        *:xdotool) echo "xdotool" ;;
        *:openbox) echo "openbox" ;;
        *) ;;
    esac
}

as_root() {
    if [ "$manager" = brew ] || [ "$(id -u)" = 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        die "not root and no sudo: run as root: $*"
    fi
}

install() {
    say "installing $*"
    case "$manager" in
        apt-get)
            as_root apt-get update -q >/dev/null
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >/dev/null
            ;;
        dnf) as_root dnf install -y -q "$@" ;;
        pacman) as_root pacman -Sy --noconfirm --needed "$@" >/dev/null ;;
        zypper) as_root zypper --non-interactive --quiet install "$@" ;;
        brew) brew install --quiet "$@" ;;
    esac
}

linux() { [ "$(uname -s)" = Linux ]; }

library() {
    for ldconfig in ldconfig /sbin/ldconfig /usr/sbin/ldconfig; do
        if have "$ldconfig"; then
            "$ldconfig" -p | grep -q "$1"
            return
        fi
    done
    for folder in /usr/lib /usr/lib64 /usr/lib/*; do
        [ -e "$folder/$1" ] && return 0
    done
    return 1
}

vulkan_driver() {
    ls /usr/share/vulkan/icd.d/*.json >/dev/null 2>&1 ||
        ls /etc/vulkan/icd.d/*.json >/dev/null 2>&1 ||
        [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ]
}

# is_here THING: true when it is there or not needed on this system.
is_here() {
    case "$1" in
        cc) have cc || have gcc || have clang ;;
        c++) have c++ || have g++ || have clang++ ;;
        pkg-config) ! linux || have pkg-config ;;
        alsa) ! linux || { have pkg-config && pkg-config --exists alsa; } ;;
        vulkan) ! linux || library libvulkan.so.1 ;;
        driver) ! linux || vulkan_driver ;;
        window)
            ! linux || {
                library libX11.so.6 && library libX11-xcb.so.1 && library libXcursor.so.1 &&
                    library libXi.so.6 && library libxkbcommon-x11.so.0
            }
            ;;
        xvfb) ! linux || have Xvfb ;;
        xdotool | openbox | import) ! linux || have "$1" ;;
        *) have "$1" ;;
    esac
}

# need THING …: installs what is missing of it.
need() {
    missing=
    packages=
    for thing in "$@"; do
        if ! is_here "$thing"; then
            missing="$missing $thing"
            packages="$packages $(package "$thing")"
        fi
    done
    if [ -z "$missing" ]; then
        return 0
    fi
    say "missing:$missing"
    if [ -z "$manager" ]; then
        die "no package manager that I know (apt, dnf, pacman, zypper, brew): please install it yourself"
    fi
    if [ -n "${GALATEA_NO_INSTALL:-}" ]; then
        die "to be installed with $manager:$packages"
    fi
    if [ -z "$(echo "$packages" | tr -d ' ')" ]; then
        die "$manager has no package for it that I know: please install it yourself"
    fi
    # shellcheck disable=SC2086 # a list of names
    install $packages
    for thing in $missing; do
        is_here "$thing" || die "$thing is still missing after installing$packages"
    done
}

need_rust() {
    if ! have cargo && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    fi
    if ! have cargo; then
        if [ -n "${GALATEA_NO_INSTALL:-}" ]; then
            die "missing: Rust (rustup)"
        fi
        need curl
        say "installing Rust with rustup"
        curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    fi
    export PATH
}

need_checkers() {
    for tool in fmt clippy; do
        if ! cargo "$tool" --version >/dev/null 2>&1; then
            say "adding cargo $tool"
            component=$tool
            [ "$tool" = fmt ] && component=rustfmt
            rustup component add "$component" || die "cargo $tool is missing: rustup component add $component"
        fi
    done
}

need_to_build() {
    need cc c++ pkg-config
    need alsa
    need_rust
}

# The graphics libraries complain on stderr when this is not set.
quiet_runtime_dir() {
    if linux && [ -z "${XDG_RUNTIME_DIR:-}" ]; then
        XDG_RUNTIME_DIR=$(mktemp -d)
        export XDG_RUNTIME_DIR
        trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
    fi
}

# --- Commands ----------------------------------------------------------------------------------

galatea() {
    cargo build --release --quiet --bin galatea
    ./target/release/galatea "$@"
}

play() {
    need_to_build
    need vulkan driver window
    quiet_runtime_dir
    say "building (some minutes the first time)"
    galatea play "$@"
}

check_all() {
    need_to_build
    need_checkers
    need vulkan driver window xvfb xdotool openbox import
    quiet_runtime_dir
    # What is skipped on a machine without a driver or a display must run here.
    GALATEA_REQUIRE_ALL=1
    export GALATEA_REQUIRE_ALL
    say "formatting"
    cargo fmt --check
    say "lints"
    cargo clippy --all-targets --quiet -- -D warnings
    say "tests"
    cargo test --quiet "$@"
    say "the demo's own checks"
    ./target/debug/galatea check .
    ./target/debug/galatea test .
}

bless() {
    need_to_build
    need vulkan driver
    quiet_runtime_dir
    GALATEA_BLESS=1 cargo test --quiet --test golden --test ui --test panels --test console_box --test pages
    GALATEA_BLESS=1 cargo test --quiet --test render proof
    say "written; look at the pictures in tests/golden before committing them"
}

manager=$(find_manager)
command=${1:-help}
[ $# -gt 0 ] && shift
case "$command" in
    play) play "$@" ;;
    test) check_all "$@" ;;
    bless) bless ;;
    help | -h | --help) usage ;;
    *)
        need_to_build
        quiet_runtime_dir
        galatea "$command" "$@"
        ;;
esac
