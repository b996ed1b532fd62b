"""What is looked at before a tuning: on paper, and by real runs."""
