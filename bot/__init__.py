"""The application: settings, start-up, tables in play, and everything that is sent to Discord."""
