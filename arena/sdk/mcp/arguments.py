"""The arguments of the tools, as agents read them and as they are checked."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.sdk.mcp.errors import Reason, RefusedCallError

LONGEST_WAIT_S: Final = 300
USUAL_WAIT_S: Final = 50
"""Shorter than the minute after which many programs give a tool up."""
MOST_MATCHES: Final = 16

_Match = Annotated[
    str | None,
    Field(
        max_length=64,
        description='The match, such as "matches/17". Default: where a decision is most urgent.',
    ),
]


class Arguments(BaseModel):
    """What all tools share: unknown arguments and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Join(Arguments):
    """The arguments of `join`."""

    game: Annotated[
        str | None, Field(max_length=64, description="Play only this game. Default: every game.")
    ] = None
    ladder: Annotated[
        str | None,
        Field(max_length=64, description="Play only the game of this ladder, which the bot must be on."),
    ] = None
    matches: Annotated[
        int, Field(ge=0, le=MOST_MATCHES, description="Matches at once. 0: take no new ones.")
    ] = 1


class State(Arguments):
    """The arguments of `state`."""

    match: _Match = None


class Act(Arguments):
    """The arguments of `act`."""

    decision: Annotated[str, Field(max_length=64, description="The id of the decision, from wait or state.")]
    action: Annotated[
        int | str,
        Field(
            description="The number of a legal action in the list, or its text: the whole sentence or the notation.",
            union_mode="left_to_right",
        ),
    ]
    thoughts: Annotated[
        str, Field(max_length=4000, description="Why, for the bot's owner alone. Optional.")
    ] = ""


class Wait(Arguments):
    """The arguments of `wait`."""

    seconds: Annotated[
        float,
        Field(ge=0, le=LONGEST_WAIT_S, allow_inf_nan=False, description="Wait at most so long."),
    ] = USUAL_WAIT_S


class Explain(Arguments):
    """The arguments of `explain`."""

    action: Annotated[
        int | str | None,
        Field(
            description="An action by number or text: why it is illegal, or what it leads to. Of the decision that is "
            "named, or the most urgent one.",
            union_mode="left_to_right",
        ),
    ] = None
    decision: Annotated[str | None, Field(max_length=64, description="The id of a decision that is due.")] = (
        None
    )
    rule: Annotated[
        str | None,
        Field(
            max_length=200, description='Words, such as "camel", or the number of a clause, such as "C12".'
        ),
    ] = None
    game: Annotated[
        str | None,
        Field(max_length=64, description="The game of the rule. Default: the game that is played."),
    ] = None


A = TypeVar("A", bound=Arguments)


def _in_words(error: Mapping[str, Any]) -> str:
    """Return what is wrong with an argument."""
    if error["type"] == "extra_forbidden":
        return "there is no such argument"
    return str(error["msg"]).replace("Input should be", "it must be")


def read(kind: type[A], given: Mapping[str, Any]) -> A:
    """Return the arguments of a call. Raises RefusedCallError: the sentence names each that is wrong."""
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        wrong = "; ".join(
            f"{each['loc'][0] if each['loc'] else 'arguments'}: {_in_words(each)}"
            for each in error.errors(include_url=False, include_input=False)
        )
        known = ", ".join(kind.model_fields)
        raise RefusedCallError(
            Reason.ARGUMENT_INVALID, f"{wrong}. The arguments of this tool: {known or 'none'}."
        ) from None
