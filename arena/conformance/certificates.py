"""The certificate of the scripted server. Slow to import: cryptography."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

_AUTHORITY: Final = "conformance authority"
_LIFE: Final = timedelta(days=7)


def make_certificate(folder: Path) -> tuple[Path, grpc.ServerCredentials]:
    """Make a certificate for localhost; return the file of its authority, in the folder, and the credentials."""
    authority_key, key = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    authority = _signed(_AUTHORITY, authority_key, signer=authority_key, is_authority=True)
    certificate = _signed("localhost", key, signer=authority_key, is_authority=False)
    file = folder / "authority.pem"
    file.write_bytes(authority.public_bytes(Encoding.PEM))
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return file, grpc.ssl_server_credentials([(private, certificate.public_bytes(Encoding.PEM))])


def _signed(
    name: str, key: EllipticCurvePrivateKey, *, signer: EllipticCurvePrivateKey, is_authority: bool
) -> x509.Certificate:
    now = datetime.now(UTC)
    here = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    return (
        x509.CertificateBuilder()
        .subject_name(_common_name(name))
        .issuer_name(_common_name(_AUTHORITY))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _LIFE)
        .not_valid_after(now + _LIFE)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(here), critical=False)
        .sign(signer, SHA256())
    )


def _common_name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
