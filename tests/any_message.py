"""Any message of a type, drawn from its descriptor: plausible for the most part, extreme and absurd here and there.

The draws are plain pseudo-random ones and not hypothesis strategies: these look for small and odd examples, of which
hardly one gets past the first check of a field.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

Plausible = Callable[[str], list[str]]
"""What a text field of this name might hold."""

_DEPTH = 4
_LARGEST = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}
_FLOATS = [0.0, -1.5, 1e300, float("nan"), float("inf"), float("-inf")]
_ODD = [
    *("", " ", "\0", "\n", "/", "..", "bots/", "matches/-1", "matches/0", "matches/" + "9" * 40, "ladders/A"),
    *(
        "%s%n",
        "' OR 1=1 --",
        "\u202e",
        "\ufeff",
        "é" * 20,
        "\U0001f42b" * 11,
        "a" * 33,
        "a" * 201,
        "a" * 300_000,
    ),
]


class Fuzz:
    """Draws messages."""

    def __init__(self, random: Random, plausible: Plausible = lambda _field: ["fine"]) -> None:
        self._random = random
        self._plausible = plausible

    def message(self, descriptor: Descriptor, depth: int = 0) -> Message:
        """Any message of the type."""
        message: Any = GetMessageClass(descriptor)()
        for field in descriptor.fields:
            if depth < _DEPTH and self._random.random() < 0.8:
                self._fill(message, field, depth)
        return message  # type: ignore[no-any-return]

    def _fill(self, message: Any, field: FieldDescriptor, depth: int) -> None:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            for _ in range(self._random.randrange(3)):
                getattr(message, field.name)[self._text("key")] = self._text("value")
        elif field.is_repeated:
            several = [self._value(field, depth) for _ in range(self._random.randrange(5))]
            many = 3_000 if depth == 0 and self._random.random() < 0.02 else 1
            getattr(message, field.name).extend(several * many)
        elif field.message_type is not None:
            getattr(message, field.name).CopyFrom(self._value(field, depth))
        else:
            setattr(message, field.name, self._value(field, depth))

    def _value(self, field: FieldDescriptor, depth: int) -> Any:
        if field.message_type is not None:
            return self.message(field.message_type, depth + 1)
        if field.type == FieldDescriptor.TYPE_BYTES:
            return self._random.randbytes(self._random.choice([0, 1, 32, 64]))
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_BOOL:
                return self._random.random() < 0.5
            case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
                return self._random.choice(_FLOATS)
            case FieldDescriptor.CPPTYPE_STRING:
                return self._text(field.name)
            case kind:
                return self._number(*_LARGEST[kind])

    def _text(self, field: str) -> str:
        if self._random.random() < 0.9:
            return self._random.choice(self._plausible(field))
        return self._random.choice(_ODD)

    def _number(self, low: int, high: int) -> int:
        if self._random.random() < 0.85:
            return self._random.randrange(5)
        return self._random.choice(
            [low, high, -1 if low else 65, 1_000, 100_000, self._random.randint(low, high)]
        )

    def mutated(self, data: bytes) -> bytes:
        """Bytes of which a few were changed, lost, doubled or added."""
        changed = bytearray(data)
        for _ in range(self._random.randint(1, 3)):
            at = self._random.randint(0, len(changed))
            piece = changed[at : at + self._random.randint(1, 8)]
            match self._random.randrange(4):
                case 0:
                    changed[at : at + 1] = self._random.randbytes(1)
                case 1:
                    del changed[at : at + len(piece)]
                case 2:
                    changed[at:at] = piece
                case _:
                    changed[at:at] = self._random.randbytes(self._random.randint(1, 6))
        return bytes(changed)
