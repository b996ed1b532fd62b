import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from tightrope.gp.threads import one_thread


def count_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.mark.parametrize(("n_rows", "n_threads"), [(30, 1), (5000, 2)])
def test_only_small_matrices_are_limited_to_one_thread(n_rows: int, n_threads: int) -> None:
    with threadpool_limits(2, user_api="blas"), one_thread(n_rows):
        assert count_threads() == {n_threads}


def test_the_limit_on_threads_is_lifted_afterwards() -> None:
    with threadpool_limits(2, user_api="blas"):
        with one_thread(30):
            pass
        assert count_threads() == {2}
