"""`arena bot`: register, submit and run bots."""
