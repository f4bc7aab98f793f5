"""The set-up makes, keeps and repairs an environment with whatever Python there is, here without a network.

Python and its `venv` are real. Two things are replaced: `pip`, by one on PYTHONPATH that writes down what it
was asked, and ensurepip, by a command in front of Python that leaves pip out of an environment, or fails as
Debian's Python does without the package python3-venv.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.checkout import ROOT

BASE_PYTHON = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"

TOOLS = ["sh", "cat", "cksum", "dirname", "rm"]

FAKE_PIP = """
import os, sys
arguments = sys.argv[1:]
where = "--python " if arguments[0] == "--python" else ""
arguments = arguments[2:] if where else arguments
if arguments != ["--version"]:
    with open(os.environ["INSTALLS"], "a") as log:
        log.write(where + " ".join(arguments) + "\\n")
    if os.path.exists(os.environ["INSTALLS"] + ".killed"):
        os.kill(os.getppid(), 9)
    sys.exit(os.path.exists(os.environ["INSTALLS"] + ".refused"))
"""

OWN = "install --quiet --no-compile --editable"


@dataclass
class Machine:
    """A checkout with the set-up in it, on a machine with the commands of `bin` alone."""

    folder: Path

    def __post_init__(self) -> None:
        self.checkout = self.folder / "checkout"
        self.bin = self.folder / "bin"
        for name in ("checkout/.ci", "bin", "modules"):
            (self.folder / name).mkdir(parents=True)
        shutil.copy(ROOT / ".ci" / "setup.sh", self.checkout / ".ci")
        (self.checkout / "pyproject.toml").write_text("[project]\n")
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool) or tool)

    @property
    def venv(self) -> Path:
        return self.checkout / ".venv"

    def command(self, name: str, script: str) -> None:
        """Add a command, as a shell script."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def python(self, name: str, *, ensurepip: bool) -> None:
        """Add a command that is the real Python; without ensurepip, `venv` leaves an incomplete environment."""
        self.command(
            name,
            f"""real="{BASE_PYTHON}"
            case "$*" in
            "-m venv --without-pip "*) exec "$real" "$@" ;;
            "-m venv "*)
                "$real" -m venv --without-pip "$3" || exit
                {":" if ensurepip else 'rm "$3/bin/python"; echo "ensurepip is not available" >&2; exit 1'} ;;
            *) exec "$real" "$@" ;;
            esac""",
        )

    def module(self, name: str, source: str) -> None:
        """Add a module that every Python here finds before its own, also as `python -m`."""
        package = self.folder / "modules" / name
        package.mkdir(exist_ok=True)
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(source)

    def hide(self, name: str) -> None:
        """Hide a module from every Python here."""
        self.module(name, f"raise ModuleNotFoundError('No module named {name}')")

    def set_up(self, profile: str = "dev") -> subprocess.CompletedProcess[str]:
        """Run the set-up, which must succeed."""
        done = self.try_to_set_up(profile)
        assert done.returncode == 0, done.stderr
        return done

    def try_to_set_up(self, profile: str = "dev") -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": str(self.bin),
            "PYTHONPATH": str(self.folder / "modules"),
            "INSTALLS": str(self.folder / "installs"),
            "HOME": str(self.folder),
        }
        return subprocess.run(
            [self.checkout / ".ci" / "setup.sh", profile],
            cwd="/",
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def installs(self) -> list[str]:
        """Return what pip was asked to do so far."""
        log = self.folder / "installs"
        return log.read_text().splitlines() if log.exists() else []

    def switch(self, how: str) -> Path:
        """Return the file that makes installs be `killed` or `refused` while it is there."""
        return self.folder / f"installs.{how}"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Make a machine with one Python that works, with pip and ensurepip."""
    made = Machine(tmp_path)
    made.python("python3", ensurepip=True)
    made.module("pip", FAKE_PIP)
    return made


def runs(venv: Path) -> bool:
    python = venv / "bin" / "python"
    return os.path.lexists(python) and subprocess.run([python, "-c", ""], check=False).returncode == 0


def test_each_profile_is_installed_once_and_that_of_the_tests_is_enough_for_the_demo(
    machine: Machine,
) -> None:
    machine.set_up("server")
    assert runs(machine.venv)
    machine.set_up("dev")
    again = machine.set_up("server")
    assert (again.stdout, again.stderr) == ("", "")
    assert machine.installs() == [f"{OWN} .[server]", f"{OWN} .[server,dev]"]


def test_a_python_that_is_there_but_fails_is_passed_over(machine: Machine) -> None:
    machine.command("python3.14", "echo 'python3.14: command not found' >&2; exit 127")
    machine.command("python3.12", '[ "$1" = --version ] && echo "Python 3.12.1" && exit 0; exit 127')
    machine.set_up()
    assert runs(machine.venv)


def test_a_python_that_is_too_old_is_passed_over(machine: Machine) -> None:
    old = "import sys; sys.version_info = (3, 10, 12); exec(sys.argv[1])"
    machine.command(
        "python3", f"""[ "$1" = -c ] && exec "{BASE_PYTHON}" -c "{old}" "$2"; exec "{BASE_PYTHON}" "$@" """
    )
    refused = machine.try_to_set_up()
    assert refused.returncode == 1
    assert not machine.venv.exists()


def test_without_ensurepip_the_pip_of_the_system_installs(machine: Machine) -> None:
    machine.python("python3", ensurepip=False)
    machine.set_up("server")
    assert runs(machine.venv)
    assert machine.installs() == [f"{OWN} .[server]"]


def test_virtualenv_makes_the_environment_where_venv_is_missing(machine: Machine) -> None:
    machine.hide("venv")
    machine.command("virtualenv", f'PYTHONPATH= exec "{BASE_PYTHON}" -m venv --without-pip "$3"')
    machine.set_up("server")
    assert runs(machine.venv)


def test_uv_makes_the_environment_and_installs_where_pip_is_missing_too(machine: Machine) -> None:
    machine.hide("venv")
    machine.hide("pip")
    machine.command(
        "uv",
        f"""case $1 in
        venv) PYTHONPATH= "{BASE_PYTHON}" -m venv --without-pip "$4" ;;
        pip) echo "uv $*" >>"$INSTALLS" ;;
        esac""",
    )
    machine.set_up("server")
    assert machine.installs() == ["uv pip install --quiet --python .venv/bin/python --editable .[server]"]


@pytest.mark.parametrize(
    ("missing", "profile", "code", "named"),
    [
        ("ensurepip", "dev", 1, "package python3-venv"),
        ("python", "dev", 1, "python3 and python3-venv"),
        ("", "everything", 2, "'everything'"),
    ],
)
def test_what_cannot_be_set_up_is_refused_in_one_sentence(
    machine: Machine, missing: str, profile: str, code: int, named: str
) -> None:
    if missing == "ensurepip":
        machine.python("python3", ensurepip=False)
        machine.hide("pip")
    elif missing == "python":
        (machine.bin / "python3").unlink()
    refused = machine.try_to_set_up(profile)
    assert refused.returncode == code
    assert len(refused.stderr.splitlines()) == 1
    assert named in refused.stderr
    assert not machine.venv.exists()


def test_an_environment_whose_interpreter_is_gone_is_made_again(machine: Machine) -> None:
    machine.set_up()
    for link in (machine.venv / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/nowhere/python")
    machine.set_up()
    assert runs(machine.venv)
    assert len(machine.installs()) == 2


def test_an_environment_whose_install_was_killed_is_made_again_from_nothing(machine: Machine) -> None:
    machine.switch("killed").touch()
    assert machine.try_to_set_up().returncode != 0
    left_over = machine.venv / "half-made"
    left_over.touch()
    machine.switch("killed").unlink()
    machine.set_up()
    assert not left_over.exists()


def test_an_environment_is_kept_when_an_install_is_refused_and_tried_again_the_next_time(
    machine: Machine,
) -> None:
    machine.switch("refused").touch()
    refused = machine.try_to_set_up()
    assert refused.returncode == 1
    assert "could not be installed" in refused.stderr
    kept = machine.venv / "kept"
    kept.touch()
    machine.switch("refused").unlink()
    machine.set_up()
    assert kept.exists()
    assert len(machine.installs()) == 2


def test_new_dependencies_are_installed_into_the_environment_that_is_there(machine: Machine) -> None:
    machine.set_up()
    kept = machine.venv / "kept"
    kept.touch()
    (machine.checkout / "pyproject.toml").write_text("[project]\nname = 'another'\n")
    machine.set_up()
    assert kept.exists()
    assert len(machine.installs()) == 2


def install_package(venv: Path) -> Path:
    """Add a package to an environment as pip leaves it there; return its module's file."""
    site = next(venv.glob("lib/python3*/site-packages"))
    (site / "salt-1.0.dist-info").mkdir()
    (site / "salt-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: salt\nVersion: 1.0\n")
    (site / "salt-1.0.dist-info" / "RECORD").write_text(
        "salt.py,,\n__pycache__/salt.pyc,,\nsalt-1.0.dist-info/METADATA,,\n"
    )
    (site / "salt.py").touch()
    return site / "salt.py"


def test_what_was_installed_is_compiled(machine: Machine) -> None:
    machine.set_up("server")
    (packages,) = machine.venv.glob("lib/python3.*/site-packages")
    (packages / "new_module.py").touch()
    (packages / "for_another_python.py").write_text("print 1")
    machine.set_up("dev")
    compiled = {path.name.partition(".")[0] for path in (packages / "__pycache__").glob("*.pyc")}
    assert "new_module" in compiled
    assert "for_another_python" not in compiled


def test_an_environment_that_lacks_a_file_of_a_package_is_made_again_from_nothing(machine: Machine) -> None:
    machine.set_up()
    module = install_package(machine.venv)
    assert machine.set_up().stdout == "", "a complete package changes nothing"
    module.unlink()
    machine.set_up()
    assert not list(machine.venv.glob("lib/*/site-packages/salt*"))
    assert len(machine.installs()) == 2


def test_a_checkout_that_was_moved_gets_its_environment_anew(machine: Machine) -> None:
    machine.set_up()
    (machine.venv / "made-elsewhere").touch()
    machine.checkout = machine.checkout.rename(machine.folder / "moved")
    machine.set_up()
    assert runs(machine.venv)
    assert not (machine.venv / "made-elsewhere").exists()
