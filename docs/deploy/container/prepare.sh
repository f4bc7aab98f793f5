#!/bin/sh
# Prepares an arena for the bots of compose.yaml: prepare.sh LADDER GAME SEATS BOT...
#
# Registers each bot, writes a token for it to TOKENS/BOT.token, creates the ladder, enters the bots and starts
# matchmaking. What is there already stays as it is, so it can run at each start. It needs the token of an organiser:
# ARENA_TOKEN, or that of the data folder ARENA_DATA. TOKENS is a folder, by default /tokens.
set -eu
umask 077
ladder=$1 game=$2 seats=$3
shift 3
tokens=${TOKENS:-/tokens}

arena doctor --wait 60 >/dev/null
for bot in "$@"; do
    arena bot show "$bot" >/dev/null 2>&1 || arena bot create "$bot"
    # A bot's token may not read bots: the arena that it belongs to answers ROLE_REQUIRED. Any other answer, such as that
    # of an arena that was set up anew, asks for a new token.
    if ! ARENA_TOKEN=$tokens/$bot.token arena bot show "$bot" 2>&1 | grep -q ROLE_REQUIRED; then
        arena bot token "$bot" >"$tokens/$bot.token.new"
        mv "$tokens/$bot.token.new" "$tokens/$bot.token"
    fi
done
arena ladder show "$ladder" >/dev/null 2>&1 || arena ladder create "$ladder" --game "$game" --seats "$seats"
arena ladder join "$ladder" "$@"
arena ladder run "$ladder"
