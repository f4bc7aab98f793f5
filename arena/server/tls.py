"""The certificate and key of an encrypted port, read and checked before anybody connects."""

from __future__ import annotations

from pathlib import Path

import grpc
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import load_pem_x509_certificates

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.server.settings import TlsFiles


def server_credentials(files: TlsFiles) -> grpc.ServerCredentials:
    """What gRPC needs for the port; gRPC itself would only say that it cannot listen.

    Raises:
        FailedPreconditionError: FIELD_INVALID, a file cannot be used; the sentence says which.
    """
    chain, key = _read(files.certificate, "--tls-cert"), _read(files.key, "--tls-key")
    if _certified_key(chain, files.certificate, "--tls-cert") != _public_key(key, files.key):
        raise _unusable(
            "--tls-key", files.key, f"it is not the key of the first certificate in {files.certificate}"
        )
    authorities = None
    if files.client_authorities is not None:
        authorities = _read(files.client_authorities, "--tls-client-ca")
        _certified_key(authorities, files.client_authorities, "--tls-client-ca")
    return grpc.ssl_server_credentials(
        [(key, chain)], root_certificates=authorities, require_client_auth=authorities is not None
    )


def _read(path: Path, option: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unusable(option, path, error.strerror or "it cannot be read") from error


def _certified_key(pem: bytes, path: Path, option: str) -> PublicKeyTypes:
    try:
        return load_pem_x509_certificates(pem)[0].public_key()
    except (ValueError, UnsupportedAlgorithm) as error:
        raise _unusable(option, path, "it holds no PEM certificate") from error


def _public_key(pem: bytes, path: Path) -> PublicKeyTypes:
    try:
        return load_pem_private_key(pem, password=None).public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _unusable("--tls-key", path, "it holds no PEM key without a password") from error


def _unusable(option: str, path: Path, why: str) -> FailedPreconditionError:
    return FailedPreconditionError(
        ErrorReason.FIELD_INVALID,
        f"{option} names {path}, which cannot be used: {why}.",
        field=option.removeprefix("--").replace("-", "_"),
    )
