"""How the arena is distributed: wheels, container image, compose file and the action for CI services fit the code."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.checkout import ROOT, files, text
from tests.unit.repository.test_docs import ARENA, follow, options

PROJECT: dict[str, Any] = tomllib.loads(text("pyproject.toml"))
WHEELS: dict[str, Any] = PROJECT["tool"]["cibuildwheel"]
CONTAINER = "docs/deploy/container"
ACTION = ".github/actions/submit"
YAML = [
    path for path in files() if path.endswith((".yml", ".yaml")) and path.startswith((".github", CONTAINER))
]


def document(path: str) -> Any:
    return yaml.safe_load(text(path))


def check_call(words: list[str]) -> None:
    """Check that words after `arena` are a command with options that it has."""
    command = follow(words)
    assert command is not None, words
    given = {word for word in words if word.startswith("--")}
    assert given <= options(ARENA) | options(command), words


def steps(job: dict[str, Any]) -> str:
    """Return all commands of a job."""
    return "\n".join(step.get("run", "") for step in job["steps"])


# Wheels


def test_there_is_a_wheel_for_every_python_that_the_project_names() -> None:
    pattern = re.compile(r"Programming Language :: Python :: 3\.(\d+)")
    named = {found[1] for each in PROJECT["project"]["classifiers"] if (found := pattern.fullmatch(each))}
    assert {f"cp3{minor}-*" for minor in named} == set(WHEELS["build"])


def test_the_engine_of_a_wheel_is_compiled_and_tested_outside_the_checkout() -> None:
    assert WHEELS["environment"]["ARENA_PLAIN_ENGINE"] == ""
    program, safe_path, script = WHEELS["test-command"].split()
    assert (program, safe_path) == ("python", "-P")
    assert (ROOT / script.removeprefix("{project}/")).is_file()
    assert set(WHEELS["test-extras"]) <= set(PROJECT["project"]["optional-dependencies"])


def test_the_wheel_has_the_sample_bots_that_the_demo_plays_with() -> None:
    assert "sample_bots.python*" in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]


def test_the_workflow_builds_wheels_for_linux_and_macos_on_both_processors() -> None:
    jobs = document(".github/workflows/wheels.yml")["jobs"]
    matrix = jobs["wheels"]["strategy"]["matrix"]["include"]
    assert {(each["platform"], each["arch"]) for each in matrix} == {
        ("linux", "x86_64"),
        ("linux", "aarch64"),
        ("macos", "x86_64"),
        ("macos", "arm64"),
    }
    for line in re.findall(r"bin/arena (.*)$", steps(jobs["sdist"]), re.MULTILINE):
        check_call(shlex.split(line))


def test_only_a_tag_is_published_after_all_checks_and_without_a_secret() -> None:
    source = text(".github/workflows/wheels.yml")
    workflow = document(".github/workflows/wheels.yml")
    publish = workflow["jobs"]["publish"]
    assert publish["if"] == "github.ref_type == 'tag'"
    assert set(publish["needs"]) == {"wheels", "sdist"}
    assert {workflow["jobs"][job]["needs"] for job in publish["needs"]} == {"version"}
    assert publish["permissions"] == {"id-token": "write"}
    assert workflow["permissions"] == {"contents": "read"}
    assert "secrets." not in source


# The action


def test_the_action_passes_every_input_and_declares_every_output() -> None:
    action = document(f"{ACTION}/action.yml")
    (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "submit"]
    assert {name for value in step["env"].values() for name in re.findall(r"inputs\.([\w-]+)", value)} == set(
        action["inputs"]
    )
    script = text(f"{ACTION}/submit.py")
    written = {
        name
        for call in re.findall(r"report\.set\((.*?)\)\n", script, re.DOTALL)
        for name in re.findall(r"\b(\w+)=", call)
    }
    assert set(action["outputs"]) == written
    for name in (name for name in step["env"] if name.startswith("SUBMIT_")):
        word = name.removeprefix("SUBMIT_").lower()
        assert name in script or f'"{word}"' in script, name


def test_no_input_of_the_action_is_part_of_a_command() -> None:
    for step in document(f"{ACTION}/action.yml")["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_the_page_about_submitting_names_every_input_and_output() -> None:
    section = text("docs/submitting.md").split("## From a CI service")[1].split("\n## ")[0]
    action = document(f"{ACTION}/action.yml")
    assert not [
        name
        for name in [*action["inputs"], *action["outputs"]]
        if f"`{name}`" not in section.replace("`apply: false`", "`apply`")
    ]
    (example,) = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    (used,) = [
        step for step in yaml.safe_load(example)["jobs"]["submit"]["steps"] if step.get("id") == "arena"
    ]
    assert set(used["with"]) <= set(action["inputs"])
    assert {name for name, each in action["inputs"].items() if each.get("required")} <= set(used["with"])


# The container


def container_lines() -> list[str]:
    """Return the instructions of the build file, each as one line."""
    joined = re.sub(r"\\\n(?:\s*#.*\n)*\s*", "", text(f"{CONTAINER}/Containerfile"))
    return [line for line in joined.splitlines() if line and not line.startswith("#")]


def instruction(name: str) -> list[str]:
    return [line.removeprefix(name).strip() for line in container_lines() if line.startswith(f"{name} ")]


def test_the_build_file_copies_what_the_ignore_file_lets_through() -> None:
    copied = [word for line in instruction("COPY") if "--from" not in line for word in line.split()[:-1]]
    kept = [
        line[1:]
        for line in text(f"{CONTAINER}/Containerfile.dockerignore").splitlines()
        if line.startswith("!")
    ]
    assert sorted(copied) == sorted(kept)
    assert not [path for path in copied if not (ROOT / path).exists()]


def test_the_image_starts_an_arena_as_a_user_and_asks_for_its_health() -> None:
    assert instruction("USER") == ["arena"]
    assert yaml.safe_load(instruction("ENTRYPOINT")[0]) == ["arena"]
    serve = yaml.safe_load(instruction("CMD")[0])
    check_call(serve)
    assert serve[serve.index("--hosted-programs") + 1] == "0"
    (health,) = re.findall(r"CMD (\[.*\])", instruction("HEALTHCHECK")[0])
    assert yaml.safe_load(health)[0] == "arena"
    check_call(yaml.safe_load(health)[1:])


def test_the_compose_file_starts_an_arena_then_its_preparation_then_two_sample_bots() -> None:
    compose = document(f"{CONTAINER}/compose.yaml")
    services = compose["services"]
    assert list(services) == ["arena", "prepare", "greedy", "random"]
    build = services["arena"]["build"]
    assert (ROOT / CONTAINER / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).is_file()
    assert services["arena"]["healthcheck"]["test"][1] == "arena"
    check_call(services["arena"]["healthcheck"]["test"][2:])
    assert services["prepare"]["depends_on"] == {"arena": {"condition": "service_healthy"}}
    for bot in ("greedy", "random"):
        service = services[bot]
        assert service["depends_on"] == {"prepare": {"condition": "service_completed_successfully"}}
        (module,) = re.findall(r"python -m ([\w.]+)", service["entrypoint"][-1])
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file()
        assert f"/tokens/{bot}.token" in service["entrypoint"][-1]
        assert bot in services["prepare"]["entrypoint"]
    mounted = {volume.split(":")[0] for each in services.values() for volume in each["volumes"]}
    assert {name for name in mounted if not name.startswith("./")} == set(compose["volumes"])
    assert all((ROOT / CONTAINER / name).is_file() for name in mounted if name.startswith("./"))


def test_the_ports_of_the_compose_file_are_open_to_its_machine_alone() -> None:
    for service in document(f"{CONTAINER}/compose.yaml")["services"].values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
        assert service["cap_drop"] == ["ALL"]


def test_the_capabilities_for_hosted_bots_in_a_container_are_those_of_the_sandbox() -> None:
    said = text("docs/sandbox.md").split("needs the capabilities")[1].split(".")[0]
    section = text("docs/operations.md").split("### In a container")[1].split("\n### ")[0]
    assert set(re.findall(r"CAP_\w+", said)) == set(re.findall(r"CAP_\w+", section))


@pytest.mark.parametrize("path", [f"{CONTAINER}/prepare.sh"])
def test_the_script_that_prepares_an_arena_calls_commands_that_there_are(path: str) -> None:
    calls = re.findall(r"(?:^|if ! \S+ |\|\| )\s*arena ([^|>&;\n]+)", text(path), re.MULTILINE)
    assert len(calls) >= 6
    for call in calls:
        check_call([word for word in shlex.split(call) if "$" not in word])


def test_yaml_files_are_read_by_a_test() -> None:
    own = Path(__file__).read_text(encoding="utf-8")
    assert not [path for path in YAML if Path(path).name not in own]
