"""The certificate and key of an encrypted port, checked at the start and reloaded when they change."""

import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import grpc
import structlog
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import Certificate, load_pem_x509_certificates

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.server.settings import TlsFiles

_WARN_BEFORE_END: Final = timedelta(days=14)
"""Automatic renewal happens a month before the end; two weeks before it something is wrong."""
_OTHERS: Final = stat.S_IRWXO | stat.S_IWGRP
"""A group may read keys (Debian's ssl-cert does), but not change them; others neither."""

_log = structlog.get_logger(__name__)


def server_credentials(files: TlsFiles) -> grpc.ServerCredentials:
    """Return gRPC's credentials for the port.

    Files that are replaced while the arena runs are used from the next connection on.
    Raises FailedPreconditionError: FIELD_INVALID, a file cannot be used; the sentence says which.
    """
    renewal = Renewal(files)
    return grpc.dynamic_ssl_server_credentials(
        renewal.first,
        renewal,  # type: ignore[arg-type]  # the stubs do not know that it may return None for "no change"
        require_client_authentication=files.client_authorities is not None,
    )


class Renewal:
    """Gives gRPC the certificate and key again when one of the files has changed.

    While the new files cannot be used, for example a certificate without its key, the old ones stay in use.
    """

    def __init__(self, files: TlsFiles) -> None:
        """Read the files. Raises FailedPreconditionError (FIELD_INVALID) if one cannot be used."""
        self._files = files
        self._lock = threading.Lock()
        self._seen = _stamps(files)
        self.first: Final = _read_all(files)

    def __call__(self) -> grpc.ServerCertificateConfiguration | None:
        """Return the new configuration; None for no change. gRPC calls it in its own threads before each handshake."""
        with self._lock:
            stamps = _stamps(self._files)
            if stamps == self._seen:
                return None
            self._seen = stamps
            try:
                renewed = _read_all(self._files)
            except FailedPreconditionError as error:
                _log.error("the new certificate is not used; the old one stays", why=error.sentence)
                return None
            _log.info("certificate renewed", file=str(self._files.certificate))
            return renewed


def _stamps(files: TlsFiles) -> tuple[tuple[int, int, int] | None, ...]:
    """Return what changes whenever a file is written or replaced; None for one that cannot be read."""

    def stamp(path: Path) -> tuple[int, int, int] | None:
        try:
            found = path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    return tuple(stamp(path) for path in (files.certificate, files.key, files.client_authorities) if path)


def _read_all(files: TlsFiles) -> grpc.ServerCertificateConfiguration:
    chain, certificate = _read_certificate("--tls-cert", files.certificate)
    with _explained("--tls-key", files.key, "it holds no PEM key without a password"):
        key = files.key.read_bytes()
        public_key = load_pem_private_key(key, password=None).public_key()
    if certificate.public_key() != public_key:
        why = f"it is not the key of the first certificate in {files.certificate}"
        raise _unusable("--tls-key", files.key, why)
    authorities = None
    if files.client_authorities is not None:
        authorities, _ = _read_certificate("--tls-client-ca", files.client_authorities)
    _warn_of_end(certificate, files.certificate)
    _warn_of_readers(files.key)
    return grpc.ssl_server_certificate_configuration([(key, chain)], root_certificates=authorities)


def _read_certificate(option: str, path: Path) -> tuple[bytes, Certificate]:
    """Return the file and its first certificate."""
    with _explained(option, path, "it holds no PEM certificate"):
        pem = path.read_bytes()
        certificate = load_pem_x509_certificates(pem)[0]
        certificate.public_key()
    return pem, certificate


@contextmanager
def _explained(option: str, path: Path, why: str) -> Iterator[None]:
    """Raise FailedPreconditionError for a file that cannot be read or parsed. `why`: it cannot be parsed."""
    try:
        yield
    except OSError as error:
        raise _unusable(option, path, error.strerror or "it cannot be read") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _unusable(option, path, why) from error


def _warn_of_end(certificate: Certificate, path: Path) -> None:
    """Warn of an expiring certificate: clients of an expired one only report a failed handshake."""
    ends = certificate.not_valid_after_utc
    left = ends - datetime.now(UTC)
    if left < _WARN_BEFORE_END:
        expired = left < timedelta()
        words = "the certificate has expired: nobody can connect" if expired else "the certificate ends soon"
        _log.warning(words, file=str(path), ends=ends.isoformat())


def _warn_of_readers(key: Path) -> None:
    """Warn of a key that others may read, unless it is being replaced."""
    try:
        mode = key.stat().st_mode
    except OSError:
        return
    if mode & _OTHERS:
        _log.warning(
            "every user of this machine can get at the key of the encrypted port; chmod 600 it",
            file=str(key),
            mode=f"{stat.S_IMODE(mode):04o}",
        )


def _unusable(option: str, path: Path, why: str) -> FailedPreconditionError:
    return FailedPreconditionError(
        ErrorReason.FIELD_INVALID,
        f"{option} names {path}, which cannot be used: {why}.",
        field=option.removeprefix("--").replace("-", "_"),
    )
