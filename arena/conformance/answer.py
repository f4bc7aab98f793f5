"""Reading of answers: the actions they stand for, or what is wrong with them."""

from __future__ import annotations

from arena.codecs.codec import Codec
from arena.conformance import requirements
from arena.conformance.verdict import Requirement, UnmetError
from arena.v1 import play_pb2
from engine.game import State, UnreadableActionError


def actions_of(
    answer: play_pb2.Answer, decision: play_pb2.Decision, state: State, codec: Codec
) -> tuple[int, ...]:
    """Return the legal actions that the answer to this decision stands for: one, or several for a plan.

    `state`: the position of the decision; it is not changed. Raises UnmetError: the rules do not allow it, or it cannot
    be read.
    """

    def unmet(what: str, requirement: Requirement) -> UnmetError:
        which = f"decision {decision.decision} of assignment {decision.assignment}"
        return UnmetError(f"Its answer to {which} {what}", requirement)

    match answer.WhichOneof("choice"):
        case "index":
            listed = len(decision.legal_actions) + len(decision.packed_legal_actions)
            if answer.index >= listed:
                raise unmet(f"is index {answer.index}, but {listed} actions were listed.", requirements.INDEX)
            return (int(state.legal_actions()[answer.index]),)
        case "action":
            try:
                actions = codec.decode_action(answer.action, state)
            except UnreadableActionError as error:
                raise unmet(f"does not count: {error}", requirements.LEGAL) from None
            tried = state.clone()
            for each in actions:
                if not tried.is_legal(each):
                    raise unmet(f"is {tried.format_action(each)}, which is not legal.", requirements.LEGAL)
                tried.apply(each)
            return actions
        case _:
            raise unmet("holds neither `index` nor `action`.", requirements.LEGAL)
