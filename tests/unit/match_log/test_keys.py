import stat
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from arena.core.errors import DataLossError, ErrorReason, InvalidArgumentError, UnavailableError
from arena.match_log.keys import PublicKey, SigningKey, open_key_ring, read_public_key

# RFC 8032, section 7.1, test 2.
RFC_PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
RFC_SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def test_a_signature_of_the_standard_is_accepted_and_no_other() -> None:
    key = PublicKey(RFC_PUBLIC)
    assert key.signed(b"\x72", RFC_SIGNATURE)
    assert not key.signed(b"\x73", RFC_SIGNATURE)
    assert not key.signed(b"\x72", RFC_SIGNATURE[:-1] + b"\x01")
    assert not key.signed(b"\x72", b"")


def test_the_id_of_a_key_is_the_start_of_its_hash() -> None:
    assert PublicKey(RFC_PUBLIC).key_id == sha256(RFC_PUBLIC).hexdigest()[:16]


def test_a_key_has_32_bytes() -> None:
    with pytest.raises(InvalidArgumentError, match="32 bytes, not 31"):
        PublicKey(bytes(31))


def test_the_first_start_makes_a_key_that_only_its_owner_can_read(tmp_path: Path) -> None:
    ring = open_key_ring(tmp_path / "data" / "keys")
    private = tmp_path / "data" / "keys" / "signing.key"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert private.read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----")
    assert ring.public == (ring.signing.public,)


def test_the_next_start_has_the_same_key(tmp_path: Path) -> None:
    first = open_key_ring(tmp_path)
    again = open_key_ring(tmp_path)
    assert again.public == first.public
    assert again.signing.sign(b"x") == first.signing.sign(b"x")


def test_a_new_key_leaves_the_old_one_to_check_older_logs_with(tmp_path: Path) -> None:
    first = open_key_ring(tmp_path)
    (tmp_path / "signing.key").rename(tmp_path / "signing.key.old")
    second = open_key_ring(tmp_path)
    assert second.signing.public != first.signing.public
    assert second.public == (second.signing.public, first.signing.public)
    assert open_key_ring(tmp_path).public == second.public


def test_a_public_key_file_is_read_back_and_a_lost_one_comes_back_with_the_next_start(tmp_path: Path) -> None:
    ring = open_key_ring(tmp_path)
    path = tmp_path / f"{ring.signing.public.key_id}.pub"
    assert read_public_key(path) == ring.signing.public
    path.unlink()
    open_key_ring(tmp_path)
    assert path.exists()


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"]
)
def test_a_file_that_holds_no_public_key_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some.pub"
    path.write_bytes(content)
    with pytest.raises(InvalidArgumentError, match=r"some\.pub .* Ed25519"):
        read_public_key(path)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = Ed448PrivateKey.generate()
    path = tmp_path / "some.pub"
    path.write_bytes(other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(InvalidArgumentError):
        read_public_key(path)
    with pytest.raises(ValueError, match="another kind"):
        SigningKey.from_pem(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def test_a_key_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="No such file"):
        read_public_key(tmp_path / "none.pub")


def test_a_broken_signing_key_is_never_replaced_by_itself(tmp_path: Path) -> None:
    (tmp_path / "signing.key").write_bytes(b"half a key")
    with pytest.raises(DataLossError, match="restore it") as caught:
        open_key_ring(tmp_path)
    assert caught.value.reason is ErrorReason.STORAGE
    assert (tmp_path / "signing.key").read_bytes() == b"half a key"


def test_a_broken_public_key_stops_the_start(tmp_path: Path) -> None:
    open_key_ring(tmp_path)
    (tmp_path / "0000000000000000.pub").write_bytes(b"half a key")
    with pytest.raises(DataLossError, match=r"0000000000000000\.pub"):
        open_key_ring(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UnavailableError, match="file/keys"):
        open_key_ring(tmp_path / "file" / "keys")
