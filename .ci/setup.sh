#!/bin/sh
# Makes the Python environment and installs the arena into it: .ci/setup.sh server | dev
#
# "server" is what `make demo` needs, "dev" is that and the tools of the tests. It says nothing and takes a
# fraction of a second when there is nothing to do; otherwise it repairs whatever it finds: an install that was
# interrupted, an interpreter that is gone, files that are gone, a checkout that was moved. It needs a Python of 3.11 or later, with
# Debian's python3-venv or without, and no other tool. VENV names the environment, .venv by default.
set -eu

cd "$(dirname "$0")/.."
profile=${1:-dev}
venv=${VENV:-.venv}
unfinished=$venv.unfinished # there from before the environment is made until all of it is installed

case $profile in
server) extras=server stamps="server" ;;
dev) extras=server,dev stamps="server dev" ;;
*)
    echo "setup: '$profile' is no profile: say server or dev." >&2
    exit 2
    ;;
esac

# Settings of the user that would lead a Python or pip into another place.
unset PYTHONHOME VIRTUAL_ENV PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIRE_VIRTUALENV
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

say() { echo "setup: $*"; }

fail() {
    echo "setup: $*" >&2
    exit 1
}

# An interpreter is usable if it runs at all (the shims of version managers may not), is CPython of 3.11 or later and
# has what the arena needs of the parts that a Python can be built without.
usable() {
    "$1" -c '
import sys
if sys.version_info < (3, 11) or sys.implementation.name != "cpython":
    raise SystemExit(1)
import sqlite3, ssl
' </dev/null >/dev/null 2>&1
}

list_pythons() {
    for candidate in python3.14 python3.13 python3.12 python3.11 python3; do
        if usable "$candidate"; then echo "$candidate"; fi
    done
}

# What the environment was made with: a different interpreter or a different place makes it anew.
place() { "$venv/bin/python" -c 'import sys; print(sys.version.split()[0], sys.base_prefix, sys.prefix)' 2>/dev/null; }

wanted() { cksum <pyproject.toml; }

# The names of the installed packages, or a failure if a file of one of them is gone. Python makes compiled files again
# by itself.
packages() {
    "$venv/bin/python" -c '
import importlib.metadata, sysconfig
for package in importlib.metadata.distributions(path=[*{sysconfig.get_path(n) for n in ("purelib", "platlib")}]):
    if not all(file.suffix == ".pyc" or file.locate().exists() for file in package.files or ()):
        raise SystemExit(1)
    print(package.name)
' 2>/dev/null
}

# Nothing of what was installed is gone: no package, and no file of one. More packages may be there.
whole() {
    found=$(packages) || return 1
    [ -f "$venv/.packages" ] || return 0
    while read -r package; do
        case "
$found
" in
        *"
$package
"*) ;;
        *) return 1 ;;
        esac
    done <"$venv/.packages"
}

up_to_date() {
    [ ! -e "$unfinished" ] && [ -f "$venv/.ready-$profile" ] && here=$(place) &&
        [ "$(cat "$venv/.ready-$profile")" = "$(wanted) $here" ] && whole
}

# An environment worth keeping: its interpreter runs and is usable, nothing was interrupted, moved or
# removed: pip believes its own list of what is there, and would not put a file back.
sound() {
    [ ! -e "$unfinished" ] && usable "$venv/bin/python" || return 1
    here=$(place) || return 1
    for stamp in "$venv"/.ready-*; do
        [ -f "$stamp" ] || continue
        case $(cat "$stamp") in
        *" $here") ;;
        *) return 1 ;;
        esac
    done
    whole
}

# Sets `installer` to a command that installs into the environment: its own pip, that of another Python (22.3 or
# later can), or uv.
find_installer() {
    if "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        installer=own
        return
    fi
    for candidate in $pythons; do
        if "$candidate" -m pip --python "$venv/bin/python" --version >/dev/null 2>&1; then
            installer=$candidate
            return
        fi
    done
    if uv --version >/dev/null 2>&1; then
        installer=uv
        return
    fi
    return 1
}

install() {
    case $installer in
    own) "$venv/bin/python" -m pip install --quiet --no-compile "$@" ;;
    uv) uv pip install --quiet --python "$venv/bin/python" "$@" ;;
    *) "$installer" -m pip --python "$venv/bin/python" install --quiet --no-compile "$@" ;;
    esac
}

# Compile what was installed, on all processors, where pip would use one. Some packages hold files that are for other
# versions of Python; a program that imports what is not compiled compiles it itself.
compile_packages() {
    folder=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    "$venv/bin/python" -m compileall -q -j 0 "$folder" >/dev/null 2>&1 || :
}

# One way to make an environment; true if it can be installed into afterwards.
attempt() {
    rm -rf "$venv"
    "$@" >/dev/null 2>&1 && usable "$venv/bin/python" && find_installer
}

make_environment() {
    for python in $pythons; do
        say "making $venv with $("$python" --version 2>&1)"
        attempt "$python" -m venv "$venv" && return
        attempt "$python" -m venv --without-pip "$venv" && return
        attempt virtualenv --python "$python" "$venv" && return
        attempt "$python" -m virtualenv "$venv" && return
        attempt uv venv --python "$python" "$venv" && return
    done
    rm -rf "$venv" "$unfinished"
    fail "no Python here can make a virtual environment: install the package python3-venv" \
        "(on Debian and Ubuntu: apt install python3-venv) and run the same command again."
}

if up_to_date; then exit 0; fi

pythons=$(list_pythons)
[ -n "$pythons" ] || fail "no working Python of 3.11 or later is here as python3.14, python3.13, python3.12," \
    "python3.11 or python3: install the packages python3 and python3-venv and run the same command again."

if sound && find_installer; then
    : >"$unfinished"
else
    : >"$unfinished"
    make_environment
fi
rm -f "$venv"/.ready-* "$venv/.packages"
say "installing the arena and what it needs; the first time this takes a minute or two"
if ! install --editable ".[$extras]"; then
    rm -f "$unfinished" # refused, not interrupted: what is there may stay
    fail "the packages could not be installed, for the reason above: put that right and run the same command again."
fi
compile_packages
here=$(place)
packages >"$venv/.packages" || fail "files are missing right after the install: run the same command again."
for stamp in $stamps; do
    echo "$(wanted) $here" >"$venv/.ready-$stamp"
done
rm -f "$unfinished"
say "done"
