"""Connected bots: sessions, the seats that they hold, and the messages on their way to them."""
