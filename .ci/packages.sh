#!/usr/bin/env bash
# Installs what the bots in C++ and Ruby, the sandbox, the check of the alerts (promtool), the tests of pages (chromium),
# those of PostgreSQL and the failures of match nodes (iproute2) need, in CI, as root, on Debian and what is made of it.
# Elsewhere it does nothing, and `make bots`, `arena doctor` and the tests say what to install.
set -euo pipefail
packages=(bubblewrap chromium cmake g++ iproute2 make pkg-config libgrpc++-dev libprotobuf-dev postgresql protobuf-compiler protobuf-compiler-grpc prometheus ruby ruby-grpc ruby-grpc-tools)

if [ "${CI:-}" != true ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    exit 0
fi
missing=()
for package in "${packages[@]}"; do
    dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
if ((${#missing[@]})); then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q -o Acquire::Retries=3
    apt-get install -q -y --no-install-recommends -o Acquire::Retries=3 "${missing[@]}"
fi
