"""Signatures of notifications, by the scheme of Standard Webhooks (standardwebhooks.com), version 1."""

import hmac
from base64 import b64encode
from typing import Final

SECRET_BYTES: Final = 32

_PREFIX: Final = "whsec_"


def secret_text(secret: bytes) -> str:
    """Return the secret as receivers configure it, "whsec_..."."""
    return _PREFIX + b64encode(secret).decode("ascii")


def signed_headers(secret: bytes, message_id: str, timestamp_s: int, body: bytes) -> dict[str, str]:
    """Return the three headers of a request. `timestamp_s`: when it is sent, seconds since 1970 UTC."""
    signed = f"{message_id}.{timestamp_s}.".encode() + body
    signature = b64encode(hmac.digest(secret, signed, "sha256")).decode("ascii")
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp_s),
        "webhook-signature": f"v1,{signature}",
    }
