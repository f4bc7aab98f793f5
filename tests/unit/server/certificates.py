"""Certificates for tests: an authority, and what it signs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

_BEGIN = datetime(2020, 1, 1, tzinfo=UTC)
_END = _BEGIN + timedelta(days=36_500)
HERE = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]


@dataclass(frozen=True)
class Files:
    """A certificate and its key as PEM files."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates for this machine; everything is written into a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = generate_private_key(SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        certificate = self._sign(self._name, self._key, authority=True)
        self.file = self._write(f"{name}.pem", certificate.public_bytes(Encoding.PEM))

    def issue(self, name: str, *, hosts: Sequence[x509.GeneralName] = HERE, ended: bool = False) -> Files:
        """Make a certificate for localhost, or for others."""
        key = generate_private_key(SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        certificate = self._sign(subject, key, authority=False, hosts=hosts, ended=ended)
        plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return Files(
            self._write(f"{name}.pem", certificate.public_bytes(Encoding.PEM)),
            self._write(f"{name}.key", plain),
        )

    def _sign(
        self,
        subject: x509.Name,
        key: EllipticCurvePrivateKey,
        *,
        authority: bool,
        hosts: Sequence[x509.GeneralName] = HERE,
        ended: bool = False,
    ) -> x509.Certificate:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(_BEGIN)
            .not_valid_after(_BEGIN + timedelta(days=1) if ended else _END)
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
            .sign(self._key, SHA256())
        )

    def _write(self, name: str, data: bytes) -> Path:
        path = self._folder / name
        path.write_bytes(data)
        return path
