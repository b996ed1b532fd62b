"""A model of a recorded solver that predicts the cost of any config."""
