"""The .proto files can be used from every language: no name is a keyword there, no number is one it lacks."""

from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor

from arena.v1 import (
    bot_pb2,
    game_pb2,
    games_pb2,
    ladder_pb2,
    match_log_pb2,
    match_pb2,
    play_pb2,
    token_pb2,
    tournament_pb2,
)

MODULES = (
    bot_pb2, game_pb2, games_pb2, ladder_pb2, match_log_pb2, match_pb2, play_pb2, token_pb2, tournament_pb2
)  # fmt: skip
KEYWORDS = {
    "C++": """
        alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const
        const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default delete do double
        dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
        new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires
        return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true
        try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    """,
    "Go": """
        break case chan const continue default defer else fallthrough for func go goto if import interface map package
        range return select struct switch type var
    """,
    "Java": """
        abstract assert boolean break byte case catch char class const continue default do double else enum extends
        final finally float for goto if implements import instanceof int interface long native new package private
        protected public return short static strictfp super switch synchronized this throw throws transient try void
        volatile while
    """,
    "Python": """
        False None True and as assert async await break class continue def del elif else except finally for from global
        if import in is lambda nonlocal not or pass raise return try while with yield
    """,
    # Without those that may be written r#match and r#move, as Rust's generators do.
    "Rust": "crate self super Self",
    "TypeScript": """
        arguments await break case catch class const constructor continue debugger default delete do else enum eval
        export extends false finally for function if implements import in instanceof interface let new null package
        private protected public return static super switch this throw true try typeof var void while with yield
    """,
}


def messages() -> Iterator[Descriptor]:
    """All messages of the protocol."""

    def within(message: Descriptor) -> Iterator[Descriptor]:
        yield message
        for nested in message.nested_types:
            yield from within(nested)

    for file in files():
        for message in file.message_types_by_name.values():
            yield from within(message)


def files() -> list[FileDescriptor]:
    """All .proto files of ours, the games' among them."""
    found: dict[str, FileDescriptor] = {}
    waiting: list[FileDescriptor] = [module.DESCRIPTOR for module in MODULES]
    while waiting:
        file = waiting.pop()
        if file.name.startswith("arena/"):
            found[file.name] = file
            waiting += [imported for imported in file.dependencies if imported.name not in found]
    return list(found.values())


@pytest.mark.parametrize("language", KEYWORDS)
def test_no_field_and_no_oneof_is_named_by_a_keyword(language: str) -> None:
    keywords = set(KEYWORDS[language].split())
    named = {f"{m.full_name}.{name}" for m in messages() for name in (*m.fields_by_name, *m.oneofs_by_name)}
    assert len(named) > 100
    assert not {name for name in named if name.rpartition(".")[2] in keywords}


def test_64_bits_are_for_nanoseconds_and_dates_alone() -> None:
    """A number in JavaScript holds 53 bits: 104 days in nanoseconds, and any date in milliseconds."""
    wide = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)
    fields = {
        f"{m.full_name}.{f.name}" for m in messages() for f in m.fields_by_name.values() if f.cpp_type in wide
    }
    assert fields
    assert {name for name in fields if not name.endswith(("_ns", "_time_ms"))} == set()


@pytest.mark.parametrize("file", files(), ids=lambda file: file.name)
def test_each_file_says_where_go_and_java_put_its_code(file: FileDescriptor) -> None:
    path, _, package = file.GetOptions().go_package.partition(";")
    assert path == "caravanarena/" + file.package.replace(".", "/")
    assert package == "".join(file.package.split(".")[-2:])
    assert file.GetOptions().java_multiple_files
