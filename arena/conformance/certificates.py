"""A certificate for the scripted arena, made when it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final

import grpc

from arena.conformance.verdict import NotTriedError

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_LIFE: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a server shows, and the authority that vouches for it; all of it PEM."""

    authority: Path
    chain: bytes
    key: bytes

    def credentials(self) -> grpc.ServerCredentials:
        """For the server's port."""
        return grpc.ssl_server_credentials([(self.key, self.chain)])


def make_certificate(folder: Path) -> Certificate:
    """A certificate for localhost, by an authority of its own that is written into the folder.

    Raises:
        NotTriedError: the package that makes certificates is not installed.
    """
    try:
        from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    except ImportError:
        raise NotTriedError(
            "Making a certificate needs the package cryptography: pip install cryptography."
        ) from None
    authority_key, key = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    authority = _signed("conformance authority", authority_key, signer=authority_key, is_authority=True)
    certificate = _signed("localhost", key, signer=authority_key, is_authority=False)
    file = folder / "authority.pem"
    file.write_bytes(authority.public_bytes(Encoding.PEM))
    return Certificate(
        file,
        certificate.public_bytes(Encoding.PEM),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )


def _signed(
    name: str, key: EllipticCurvePrivateKey, *, signer: EllipticCurvePrivateKey, is_authority: bool
) -> x509.Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256

    now = datetime.now(UTC)
    here = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    return (
        x509.CertificateBuilder()
        .subject_name(_named(name))
        .issuer_name(_named("conformance authority"))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _LIFE)
        .not_valid_after(now + _LIFE)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(here), critical=False)
        .sign(signer, SHA256())
    )


def _named(name: str) -> x509.Name:
    from cryptography import x509

    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
