"""The executor on a Dask cluster."""
