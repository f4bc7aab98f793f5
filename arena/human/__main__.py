"""`python -m arena.human`: play by hand."""

from arena.human.bot import main

main()
