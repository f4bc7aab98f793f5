"""`arena webhook`: create, list, test and delete webhooks."""

from typing import Annotated, Final, Literal

import typer

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.errors import CommandExit
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, enum_value, listing_table, plain, print_note
from arena.v1 import webhook_pb2
from arena.wire.wording import enum_word, format_time, short

app = group(
    "Create, list, test and delete webhooks: URLs to which the arena sends notifications (organisers)."
)

Style = Literal["json", "discord", "slack"]

_WORDS: Final = {
    name.removeprefix("NOTIFICATION_TYPE_").lower().replace("_", ".", 1): number
    for name, number in webhook_pb2.NotificationType.items()
    if number
}
"""The types as people write them."""

WebhookArgument = Annotated[str, typer.Argument(metavar="WEBHOOK", help="Its name in `arena webhook list`.")]


@arena_command(
    app,
    "create",
    example="arena webhook create https://example.org/arena --on match.ended,tournament.ended",
)
def create_webhook(
    context: CommandContext,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where to send them; https:// or http://.")],
    on: Annotated[
        str, typer.Option(metavar="TYPES", help=f"What to send, separated by commas: {', '.join(_WORDS)}.")
    ],
    ladder: Annotated[
        str | None,
        typer.Option(metavar="LADDER", help="Only what is about matches of this ladder."),
    ] = None,
    style: Annotated[
        Style, typer.Option(help="The form: JSON for a program, or a line of text for Discord or Slack.")
    ] = "json",
) -> None:
    """Create a webhook. The secret with which its requests are signed is printed only once."""
    request = webhook_pb2.CreateWebhookRequest(
        url=url,
        types=[_type(word.strip()) for word in on.split(",")],
        ladder=resource("ladders", ladder) if ladder else "",
        style=enum_value(webhook_pb2.WebhookStyle, style),
    )
    made = context.call(lambda arena: arena.webhooks.CreateWebhook(request), lambda made: plain(made.secret))
    name = short(made.webhook.name)
    print_note(
        f"Created webhook {name}. Keep the secret: it is shown only once. `arena webhook test {name}` sends a test."
    )


@arena_command(app, "list", example="arena webhook list --format json")
def list_webhooks(context: CommandContext) -> None:
    """List webhooks with what was sent, what waits, and why sending failed last."""
    none = "No webhooks: `arena webhook create` makes one."
    context.call(
        lambda arena: arena.webhooks.ListWebhooks(webhook_pb2.ListWebhooksRequest()),
        lambda found: listing_table(_COLUMNS, found.webhooks, none),
    )


@arena_command(app, "test", example="arena webhook test 7f3a90c1e2d4")
def test_webhook(context: CommandContext, webhook: WebhookArgument) -> None:
    """Send one test to a webhook and show what its receiver answers. Exit code 1: it was not accepted."""
    request = webhook_pb2.TestWebhookRequest(name=resource("webhooks", webhook))
    answer = context.call(
        lambda arena: arena.webhooks.TestWebhook(request),
        lambda answer: plain(_words(answer)),
    )
    if not answer.accepted:
        raise typer.Exit(CommandExit.FAILED)


@arena_command(app, "delete", example="arena webhook delete 7f3a90c1e2d4")
def delete_webhook(context: CommandContext, webhook: WebhookArgument) -> None:
    """Delete a webhook and the notifications that wait for it."""
    request = webhook_pb2.DeleteWebhookRequest(name=resource("webhooks", webhook))
    context.call(
        lambda arena: arena.webhooks.DeleteWebhook(request),
        lambda _: plain(f"Webhook {webhook} is deleted."),
    )


def _type(word: str) -> webhook_pb2.NotificationType.ValueType:
    """Return the type of this word. Raises BadParameter."""
    if word not in _WORDS:
        raise typer.BadParameter(
            f"{word!r} is no type of notification: use {', '.join(_WORDS)}, separated by commas.",
            param_hint="--on",
        )
    return _WORDS[word]


def _words(answer: webhook_pb2.TestWebhookResponse) -> str:
    said = f" It said: {answer.answer}" if answer.answer else ""
    if answer.accepted:
        return f"The receiver has accepted the test with the status {answer.status}.{said}"
    return f"The test was not accepted: {answer.failure}.{said}"


def _last_failure(webhook: webhook_pb2.Webhook) -> str:
    if not webhook.last_failure:
        return ""
    return f"{format_time(webhook.last_failure_time)}: {webhook.last_failure}"


def _lost(webhook: webhook_pb2.Webhook) -> str:
    return str(webhook.given_up + webhook.dropped or "")


_COLUMNS: Final[Columns[webhook_pb2.Webhook]] = {
    "webhook": lambda webhook: short(webhook.name),
    "~url": lambda webhook: webhook.url,
    "style": lambda webhook: enum_word(webhook_pb2.WebhookStyle, webhook.style),
    "on": lambda webhook: ", ".join(word for word, number in _WORDS.items() if number in webhook.types),
    "?ladder": lambda webhook: short(webhook.ladder),
    ">delivered": lambda webhook: str(webhook.delivered),
    ">pending": lambda webhook: str(webhook.pending),
    ">lost": _lost,
    "last success": lambda webhook: format_time(webhook.last_success_time),
    "~last failure": _last_failure,
}
