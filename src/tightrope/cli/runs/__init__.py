"""Run folders: creating, replaying, resuming and exporting them."""
