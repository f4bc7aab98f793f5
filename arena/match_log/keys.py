"""The Ed25519 keys that logs are signed with.

The folder of an arena's keys holds `signing.key`, the private key in use, and `<key id>.pub` for every key
that was ever in use, all in PEM form. To change the key, move `signing.key` away: the next start makes a
new one, and the public keys stay, so that older logs still verify.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from arena.core.errors import DataLossError, ErrorReason, InvalidArgumentError, UnavailableError
from arena.match_log.durable import make_folder, write_durably

SIGNING_FILE: Final = "signing.key"
PUBLIC_SUFFIX: Final = ".pub"
PUBLIC_KEY_BYTES: Final = 32

_KEY_ID_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that signatures are checked with."""

    raw: bytes
    """32 bytes."""

    def __post_init__(self) -> None:
        """Raise InvalidArgumentError (FIELD_INVALID) for any other length."""
        if len(self.raw) != PUBLIC_KEY_BYTES:
            raise InvalidArgumentError(
                ErrorReason.FIELD_INVALID,
                f"A public key of Ed25519 has {PUBLIC_KEY_BYTES} bytes, not {len(self.raw)}.",
                field="public_key",
            )

    @property
    def key_id(self) -> str:
        """The first 8 bytes of the key's SHA-256, 16 hex digits."""
        return sha256(self.raw).digest()[:_KEY_ID_BYTES].hex()

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Return whether the signature of the message was made with this key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def pem(self) -> bytes:
        """Return the key as a PEM file."""
        key = Ed25519PublicKey.from_public_bytes(self.raw)
        return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


class SigningKey:
    """The private key that an arena signs its logs with."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = PublicKey(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    @classmethod
    def new(cls) -> SigningKey:
        """Make a key from the system's source of randomness."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, pem: bytes) -> SigningKey:
        """Read a key from `pem`. Raises ValueError for anything else."""
        key = load_pem_private_key(pem, password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError("it is a key of another kind")
        return cls(key)

    def pem(self) -> bytes:
        """Return the key as a PEM file, not encrypted."""
        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message, 64 bytes."""
        return self._key.sign(message)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """All keys of an arena."""

    signing: SigningKey
    public: tuple[PublicKey, ...]
    """Every key that was ever in use, the one in use first."""


def open_key_ring(folder: Path) -> KeyRing:
    """Open the keys in a folder; make a signing key, mode 0600, if there is none. Blocks.

    Raises:
        UnavailableError: the folder cannot be read or written (STORAGE).
        DataLossError: a key file is no key (STORAGE).
    """
    try:
        make_folder(folder)
        signing = _signing_key(folder)
        keys = [read_public_key(path) for path in sorted(folder.glob(f"*{PUBLIC_SUFFIX}"))]
        return KeyRing(signing, (signing.public, *(key for key in keys if key != signing.public)))
    except InvalidArgumentError as error:
        raise DataLossError(ErrorReason.STORAGE, error.sentence) from error
    except OSError as error:
        raise UnavailableError(
            ErrorReason.STORAGE,
            f"The log keys in {folder} cannot be read or made ({error.strerror}): free some "
            "space or mend the folder.",
        ) from error


def read_public_key(path: Path) -> PublicKey:
    """Return the public key in a PEM file.

    Raises InvalidArgumentError: the file cannot be read, or holds no such key (FIELD_INVALID).
    """
    try:
        key = load_pem_public_key(path.read_bytes())
        if isinstance(key, Ed25519PublicKey):
            return PublicKey(key.public_bytes(Encoding.Raw, PublicFormat.Raw))
        why = "it is a key of another kind"
    except OSError as error:
        why = error.strerror or "it cannot be read"
    except (ValueError, UnsupportedAlgorithm):
        why = "it is not an Ed25519 public key in PEM form"
    raise InvalidArgumentError(
        ErrorReason.FIELD_INVALID, f"{path} is no key to check logs with: {why}.", field="key"
    )


def _signing_key(folder: Path) -> SigningKey:
    path = folder / SIGNING_FILE
    is_new = not path.exists()
    try:
        key = SigningKey.new() if is_new else SigningKey.from_pem(path.read_bytes())
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise DataLossError(
            ErrorReason.STORAGE,
            f"{path} is no Ed25519 private key in PEM form; restore it, or move it away to get a new one.",
        ) from error
    public = folder / f"{key.public.key_id}{PUBLIC_SUFFIX}"
    if not public.exists():
        write_durably(public, key.public.pem())
    if is_new:
        write_durably(path, key.pem())
    return key
