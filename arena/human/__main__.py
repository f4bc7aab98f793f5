"""`python -m arena.human`: play by hand."""

from arena.human.player import main

main()
