#!/bin/sh
# Rebuilds every model of the demo from its recipe. The bytes are the same as before, unless a recipe changed.
# GALATEA is the path of the program; by default the one that ./x builds.
set -eu
cd "$(dirname "$0")/.."
galatea=${GALATEA:-target/release/galatea}
"$galatea" forge scripts/forge/galatea.lua -o assets/galatea.glb
for name in man child elder court court_gate court_green court_hills hound robot tree bird; do
	"$galatea" forge "scripts/forge/$name.lua" -o "assets/$name.glb"
done
