"""The paper's Table 1 and Figure 3 on recorded solvers."""
