"""Parts of the comparison of four treatments of censored runs: problems, caps, scores, tables, pictures."""
