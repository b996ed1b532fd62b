"""A slow, plain reference implementation of the trees, the forest and Algorithm 1.

It is written from the paper and the description of the trees alone and imports nothing from the package.
"""
