"""A slow, plain edition of the trees, the forest and Algorithm 1, to compare the fast one with.

It is written from the paper and the description of the trees alone and imports nothing from the package.
"""
