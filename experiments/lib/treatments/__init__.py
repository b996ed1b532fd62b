"""Treatments of censored runs compared by the accuracy of a forest."""
