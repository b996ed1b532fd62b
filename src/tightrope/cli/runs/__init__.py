"""Run folders: create, replay, continue, show and export them."""
