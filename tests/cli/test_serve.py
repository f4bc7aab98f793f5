"""`arena serve` as a process of its own."""

from __future__ import annotations

import socket

from tests.cli.programs import finish, start


def test_a_port_that_is_taken_is_one_sentence_without_lines_of_grpc(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        code, _, err = finish(start("serve", "--data", str(tmp_path / "data"), "--port", str(port)))

    assert code == 1
    assert str(port) in err
    assert len(err.splitlines()) == 1, err
