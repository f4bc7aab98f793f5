"""What each runtime is shown: enough to run and to be built, and no more."""

import shutil
import sys

import pytest

from arena.sandbox.process_spec import MIB, ProcessLimits
from arena.sandbox.runtimes import BUILT_IN
from tests.checkout import ROOT
from tests.system.sandbox.attacking import RUNTIMES
from tests.system.sandbox.sandbox_fixture import SandboxFixture

BUILDS = {
    "go": (
        ("go",),
        {"go.mod": "module hello\n", "main.go": 'package main\n\nfunc main() { println("hello") }\n'},
        "go build -o hello .",
        ("./hello",),
    ),
    "rust": (
        ("cargo", "rustc"),
        {
            "Cargo.toml": '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n',
            "main.rs": 'fn main() { println!("hello"); }\n',
        },
        "mkdir -p src && mv main.rs src && cargo build --offline && cp target/debug/hello .",
        ("./hello",),
    ),
    "cpp": (
        ("cmake", "c++", "make"),
        {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(hello CXX)\nadd_executable(hello h.cpp)\n",
            "h.cpp": '#include <iostream>\nint main() { std::cout << "hello\\n"; }\n',
        },
        "cmake -B build . && make -C build && cp build/hello .",
        ("./hello",),
    ),
    "java": (
        ("javac",),
        {
            "Hello.java": "public class Hello {\n"
            '    public static void main(String[] words) { System.out.println("hello"); }\n'
            "}\n"
        },
        "javac Hello.java",
        ("java", "-cp", ".", "Hello"),
    ),
    "node": (
        ("node", "npm"),
        {
            "package.json": '{"name": "hello", "version": "1.0.0", "scripts": {"build": "cp in.js hello.js"}}',
            "in.js": 'console.log("hello");\n',
        },
        "npm run build",
        ("node", "hello.js"),
    ),
    "binary": (
        ("cc",),
        {"h.c": '#include <stdio.h>\nint main(void) { puts("hello"); }\n'},
        "cc -static -o hello h.c",
        ("./hello",),
    ),
    "ruby": (("ruby",), {"hello.rb": 'puts "hello"\n'}, "ruby -c hello.rb", ("ruby", "hello.rb")),
    "python": (
        ("python3",),
        {"hello.py": 'print("hello")\n'},
        "python -m compileall -q .",
        ("python", "hello.py"),
    ),
}
"""Runtime -> the programs it takes, what is built, how, and what then runs."""


@pytest.mark.parametrize("runtime", BUILDS)
def test_a_program_is_built_with_its_tools_and_runs_without_them(fixture: SandboxFixture, runtime):
    programs, files, build, command = BUILDS[runtime]
    missing = [each for each in programs if shutil.which(each) is None]
    if missing:
        pytest.skip(f"not installed here: {', '.join(missing)}")
    fixture.runtimes = RUNTIMES
    for name, text in files.items():
        fixture.write(name, text)
    fixture.limits = ProcessLimits(memory_bytes=1024 * MIB, pids=256, cpu_cores=2, tmp_bytes=256 * MIB)
    built = fixture.shell(build, runtime=runtime, writable=True, tools=True)
    assert built.code == 0, built.tail
    fixture.limits = ProcessLimits()
    ran = fixture.ending(*command, runtime=runtime)
    assert (ran.code, ran.tail.splitlines()[-1]) == (0, "hello"), ran.tail


def test_every_runtime_is_tried():
    assert BUILDS.keys() == RUNTIMES.all.keys()


def test_a_python_bot_has_this_interpreter_and_what_is_installed_beside_it(fixture):
    ending = fixture.python(
        "import sys, grpc, arena.sdk, engine.registry\nprint(sys.version_info[:3], sys.prefix, arena.__file__)"
    )
    version = ", ".join(str(each) for each in sys.version_info[:3])
    assert ending.tail.startswith(f"({version}) /venv /venv/"), ending.tail


def test_of_a_checkout_only_the_packages_are_shown(fixture):
    ending = fixture.python(
        f"import pathlib\nfor name in ('README.md', 'tests', '.git', 'data'):\n"
        f"    for root in ('/venv/own', {str(ROOT)!r}):\n"
        "        if pathlib.Path(root, name).exists(): print(root, name)"
    )
    assert (ending.code, ending.tail) == (0, "")


def test_the_tools_are_shown_to_a_build_alone(fixture):
    cargo = "command -v cargo; command -v go; echo end"
    if shutil.which("rustup") is None:
        pytest.skip("rustup is not installed here: its folder is what would be shown")
    assert fixture.shell(cargo, runtime="rust", tools=True).tail != "end\n"
    assert "cargo" not in fixture.shell(cargo, runtime="rust").tail


@pytest.mark.parametrize(
    ("runtime", "variable", "settings", "value"),
    [
        ("java", "JDK_JAVA_OPTIONS", {}, "-Xmx64m "),
        ("node", "NODE_OPTIONS", {}, "=64\n"),
        ("go", "GOMEMLIMIT", {}, "96MiB\n"),
        ("java", "JDK_JAVA_OPTIONS", {"JDK_JAVA_OPTIONS": "-Xmx1m"}, "-Xmx1m\n"),
    ],
)
def test_a_heap_is_limited_unless_the_bot_sets_its_own_limit(fixture, runtime, variable, settings, value):
    fixture.limits = ProcessLimits(memory_bytes=128 * MIB)
    assert value in fixture.shell(f"echo ${variable}", runtime=runtime, settings=settings).tail


@pytest.mark.parametrize("runtime", ["go", "rust", "node", "java"])
def test_a_runtime_in_a_home_folder_shows_nothing_else_of_that_folder(runtime, tmp_path, monkeypatch):
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    for name in ("go", "cargo", "rustc", "node", "java", "javac"):
        program = home / "bin" / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(home / "bin"))
    for tools in (False, True):
        for source, _ in BUILT_IN[runtime].visible_paths(ProcessLimits(), tools).binds:
            assert not home.is_relative_to(source)
            assert source != home / "bin"


def test_an_installation_in_a_folder_of_its_own_is_shown_whole(tmp_path, monkeypatch):
    own = tmp_path / "node-22"
    for folder in ("bin", "include/node"):
        (own / folder).mkdir(parents=True)
    (own / "bin" / "node").write_text("#!/bin/sh\n")
    (own / "bin" / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(own / "bin"))
    shown = BUILT_IN["node"].visible_paths(ProcessLimits(), False)
    assert shown.binds == ((own, str(own)),)
    assert shown.path == (f"{own}/bin",)
