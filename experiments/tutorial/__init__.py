"""The pictures of docs/start/minimize.md."""
