#!/bin/sh
# Compiles a program and runs it: build_and_run.sh [flag ...] program.c
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${CC:-gcc}" -w -o "$folder/program" "$@"
"$folder/program"
