"""What the command line prints, and the options that verbs share."""
