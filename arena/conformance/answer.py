"""Reading of answers: the actions they stand for, or what is wrong with them."""

from __future__ import annotations

from arena.codecs.codec import Codec
from arena.conformance import requirements
from arena.conformance.verdict import UnmetError
from arena.v1 import games_pb2, play_pb2
from engine.game import State, UnreadableActionError


def actions_of(
    answer: play_pb2.Answer, decision: play_pb2.Decision, state: State, codec: Codec
) -> tuple[int, ...]:
    """Return the legal actions that the answer to this decision stands for: one, or several for a plan.

    `state`: the position of the decision; it is not changed.

    Raises:
        UnmetError: the rules do not allow it, or it cannot be read.
    """
    match answer.WhichOneof("choice"):
        case "index":
            return (_listed(answer.index, decision, state),)
        case "action":
            return _legal(answer.action, decision, state, codec)
        case _:
            raise UnmetError(
                f"Its answer to {_which(decision)} holds neither `index` nor `action`.", requirements.LEGAL
            )


def _which(decision: play_pb2.Decision) -> str:
    return f"decision {decision.decision} of assignment {decision.assignment}"


def _listed(index: int, decision: play_pb2.Decision, state: State) -> int:
    listed = len(decision.legal_actions) + len(decision.packed_legal_actions)
    if index >= listed:
        raise UnmetError(
            f"Its answer to {_which(decision)} is index {index}, but {listed} actions were listed.",
            requirements.INDEX,
        )
    return int(state.legal_actions()[index])


def _legal(
    action: games_pb2.Action, decision: play_pb2.Decision, state: State, codec: Codec
) -> tuple[int, ...]:
    try:
        actions = codec.decode_action(action, state)
    except UnreadableActionError as error:
        raise UnmetError(
            f"Its answer to {_which(decision)} does not count: {error}", requirements.LEGAL
        ) from None
    tried = state.clone()
    for each in actions:
        if not tried.is_legal(each):
            raise UnmetError(
                f"Its answer to {_which(decision)} is {tried.format_action(each)}, which is not legal.",
                requirements.LEGAL,
            )
        tried.apply(each)
    return actions
