"""Scenario and instance files of SMAC, ParamILS and AClib."""
