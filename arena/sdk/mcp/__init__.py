"""A bot that an agent plays through the tools of an MCP server, over standard input and output (docs/mcp.md).

`arena mcp BOT` starts it. The modules need the extra packages of `caravan-arena[mcp]`.
"""
