"""Cost of getting close to the optimum of functions whose evaluation costs their value."""
