"""Who may come in: accounts, log-ins, and the guard before every request."""
