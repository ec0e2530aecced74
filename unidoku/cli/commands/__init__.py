"""The commands: a module each, which holds `command` and no logic; no command imports another."""
