"""The executor on a Dask cluster.

Start with `spec.py` (Dask, which users write) and `executor.py` (DaskExecutor, which decides). `workers.py`
tracks which worker runs which trial, `dispatcher.py` talks to the cluster in the background, `plugin.py` runs
inside the workers, `connection.py` opens and closes the cluster, and `log.py` redirects Dask's log.
"""
