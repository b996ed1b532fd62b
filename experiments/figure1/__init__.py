"""The paper's Figure 1."""
