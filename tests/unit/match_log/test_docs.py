"""The worked example in docs/log_format.md, checked with the standard library and OpenSSL's Ed25519 alone."""

import hmac
import re
from hashlib import sha256
from pathlib import Path

import zstandard
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "log_format.md").read_text(encoding="utf-8")
EXAMPLE = PAGE.partition("## A worked example")[2].partition("## The arena's files")[0]
BLOCKS = re.findall(r"```\n(.*?)\n```", EXAMPLE, re.DOTALL)
FILE = (ROOT / "tests" / "data" / "logs" / "worked-example.arenalog").read_bytes()


def part(name: str) -> bytes:
    """Return the hex below the line that begins with a name such as r0 or h0."""
    found = re.search(rf"^{name}\b.*\n((?:[0-9a-f]+\n)+)", BLOCKS[0] + "\n", re.MULTILINE)
    assert found is not None
    return bytes.fromhex(found.group(1).replace("\n", ""))


def test_the_records_of_the_example_are_those_of_its_file() -> None:
    content = zstandard.ZstdDecompressor().decompress(FILE)
    records = [part(f"r{number}") for number in range(7)]
    lengths = [bytes((n % 128 + 128, n // 128)) if n > 127 else bytes((n,)) for n in map(len, records)]
    assert content == b"".join(length + record for length, record in zip(lengths, records, strict=True))
    assert f"{len(FILE)} bytes" in EXAMPLE
    assert lengths[0].hex(" ") == "a5 02"


def test_the_hashes_of_the_example_are_chained() -> None:
    end = b"arena-log-v1"
    for number in range(6):
        end = sha256(end + part(f"r{number}")).digest()
        assert part(f"h{number}") == end


def test_the_key_of_the_example_has_signed_what_the_page_says() -> None:
    key, signed = bytes.fromhex(BLOCKS[1]), bytes.fromhex(BLOCKS[2])
    assert signed == b"arena-log-v1" + part("h5")
    Ed25519PublicKey.from_public_bytes(key).verify(part("r6")[4:], signed)
    assert part("r6")[:4] == bytes.fromhex("2a420a40")
    assert sha256(key).hexdigest()[:16].encode() in part("r0")


def test_the_seed_of_the_example_follows_from_its_secret() -> None:
    secret, seed = bytes.fromhex(BLOCKS[3]), bytes.fromhex(BLOCKS[4])
    message = b"arena-match-v1\0g5\0" + bytes((0, 0, 0, 1)) + bytes(4)
    assert hmac.digest(secret, message, "sha256") == seed
    assert seed in part("r5")
    assert sha256(b"arena-seed-v1" + seed).digest() in part("r0")
    assert sha256(b"arena-tournament-v1" + secret).digest() in part("r0")
