"""The paper's Figure 2."""
