"""A person with a browser, without JavaScript: keeps a cookie, sends forms as browsers do."""

import re
import secrets
from urllib.parse import urlencode

from tests.system.pages.pages_process import Answer, PagesProcess

COOKIE = "arena-session"


class Reader:
    """One browser at the pages."""

    def __init__(self, pages: PagesProcess, token: str = "") -> None:
        """`token`: sign in with it."""
        self.pages = pages
        self.cookie = ""
        """The id of the session."""
        if token:
            answer = self.sign_in(token)
            assert answer.status == 303, answer.text[:2000]

    @property
    def origin(self) -> str:
        """What a browser says where a form of these pages comes from."""
        return f"http://{self.pages.address.netloc}"

    def get(self, place: str, **headers: str) -> Answer:
        """Open a place."""
        return self._kept(self.pages.get(place, **self._with_cookie(headers)))

    def post(self, place: str, fields: dict[str, str], **headers: str) -> Answer:
        """Send a form as a page of the pages does; other `headers` replace what the browser says."""
        kind = "application/x-www-form-urlencoded"
        return self.post_body(place, urlencode(fields).encode(), kind, **headers)

    def post_body(self, place: str, body: bytes, kind: str, **headers: str) -> Answer:
        """Send a body of this kind."""
        usual = {"Origin": self.origin, "Sec_Fetch_Site": "same-origin", "Content_Type": kind}
        sent = {name: value for name, value in (usual | headers).items() if value}
        return self._kept(self.pages.send("POST", place, body, **self._with_cookie(sent)))

    def post_file(self, place: str, data: bytes, **fields: str) -> Answer:
        """Send a form with a file."""
        boundary = secrets.token_hex(16)
        parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
        parts.append(
            b'name="archive"; filename="bot.tar.gz"\r\nContent-Type: application/gzip\r\n\r\n' + data
        )
        lines = [
            f"--{boundary}\r\nContent-Disposition: form-data; ".encode() + part + b"\r\n" for part in parts
        ]
        body = b"".join(lines) + f"--{boundary}--\r\n".encode()
        return self.post_body(place, body, f"multipart/form-data; boundary={boundary}")

    def sign_in(self, token: str, **headers: str) -> Answer:
        """Send the form for signing in."""
        return self.post("sign-in", {"token": token, "next": "/account"}, **headers)

    def csrf(self, place: str = "account") -> str:
        """Return what forms of a page have."""
        return self.csrf_of(self.get(place))

    def csrf_of(self, page: Answer) -> str:
        """Return what the forms of this page have."""
        found = re.search('name="csrf" value="([^"]+)"', page.text)
        assert found, page
        return found[1]

    def _with_cookie(self, headers: dict[str, str]) -> dict[str, str]:
        return headers | ({"Cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {})

    def _kept(self, answer: Answer) -> Answer:
        found = re.match(f"{COOKIE}=([^;]*);", answer.headers.get("set-cookie", ""))
        if found:
            self.cookie = found[1].strip('"')
        return answer
