"""Survival data: CensoredForest against random survival forests, XGBoost-AFT and a log-normal AFT model."""
