"""Python functions as targets, called in this process or in worker processes.

Start with `target.py` (FunctionTarget) and `in_process.py` (InProcess, for calls without a worker). `call.py`
and `reply.py` call the function and check its answer. `process.py` is one running trial; `driver.py` manages
the workers and `verdict.py` derives the outcome. `forkserver.py` and `worker.py` run in other processes;
`load.py` sends the function there.
"""
