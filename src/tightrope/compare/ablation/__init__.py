"""Ablation: which changes between two configs matter, by capped runs on paired tasks; `engine` decides."""
