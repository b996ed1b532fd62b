"""Which worker gets which trial, and which workers are benched."""

from tightrope.run.dask.workers import Worker, Workers


def worker(name: str, *, threads: int = 1, restart: int = 0) -> Worker:
    """Return a worker; a restart changes its address, but not its identity."""
    return Worker(f"tcp://{name}:{restart}", name, name, threads, f"{name}-{restart}")


def workers_of(*added: Worker, bench_after: int = 2) -> Workers:
    workers = Workers(bench_after)
    for each in added:
        workers.add(each)
    return workers


def lose(workers: Workers, dying: Worker, trial_id: int) -> None:
    """Assign a trial to a worker, then let the worker die."""
    assert workers.assign(trial_id) == dying
    assert workers.remove(dying.address) == [trial_id]


def test_slots_are_the_threads_of_all_workers() -> None:
    assert workers_of(worker("a", threads=2), worker("b", threads=3)).slots == 5


def test_a_trial_goes_where_most_threads_are_free() -> None:
    a, b = worker("a", threads=2), worker("b", threads=3)
    workers = workers_of(a, b)
    assert [workers.assign(number) for number in range(5)] == [b, a, b, a, b]


def test_no_worker_is_assigned_when_all_threads_are_taken() -> None:
    workers = workers_of(worker("a"))
    workers.assign(0)
    assert workers.assign(1) is None


def test_no_worker_is_assigned_without_workers() -> None:
    assert workers_of().assign(0) is None


def test_a_trial_that_ends_frees_its_thread() -> None:
    workers = workers_of(worker("a"))
    workers.assign(0)
    workers.end(0, is_lost=False)
    assert workers.assign(1) == worker("a")


def test_a_worker_that_leaves_loses_all_its_trials() -> None:
    workers = workers_of(worker("a", threads=2))
    workers.assign(7)
    workers.assign(3)
    assert workers.remove("tcp://a:0") == [3, 7]
    assert workers.slots == 0


def test_removing_an_unknown_worker_loses_nothing() -> None:
    assert workers_of().remove("tcp://a:0") == []


def test_losses_in_a_row_bench_a_worker_also_across_restarts() -> None:
    workers = workers_of(worker("a"), bench_after=2)
    lose(workers, worker("a"), 0)
    workers.add(worker("a", restart=1))
    assert workers.slots == 1
    lose(workers, worker("a", restart=1), 1)
    workers.add(worker("a", restart=2))
    assert (workers.slots, workers.benched) == (0, ("a",))


def test_a_benched_worker_is_a_finding_once() -> None:
    workers = workers_of(worker("a", threads=2), bench_after=1)
    workers.assign(0)
    workers.assign(1)
    workers.end(0, is_lost=True)
    workers.end(1, is_lost=True)
    (finding,) = workers.findings()
    assert (finding.code, finding.where) == ("W01", "worker a")
    assert workers.findings() == []


def test_a_run_that_ends_resets_the_count_of_losses() -> None:
    workers = workers_of(worker("a"), bench_after=2)
    for is_lost in (True, False, True):
        workers.assign(0)
        workers.end(0, is_lost=is_lost)
    assert workers.benched == ()


def test_a_death_counts_once_however_many_trials_it_costs() -> None:
    workers = workers_of(worker("a", threads=2), bench_after=2)
    workers.assign(0)
    workers.assign(1)
    workers.remove("tcp://a:0")
    assert workers.benched == ()


def test_a_worker_that_leaves_without_trials_is_no_loss() -> None:
    workers = workers_of(worker("a"), bench_after=1)
    workers.remove("tcp://a:0")
    assert workers.benched == ()


def test_a_benched_worker_stays_benched_when_its_last_run_ends_well() -> None:
    workers = workers_of(worker("a", threads=2), bench_after=1)
    workers.assign(0)
    workers.assign(1)
    workers.end(0, is_lost=True)
    workers.end(1, is_lost=False)
    assert workers.benched == ("a",)


def timed(name: str, reference_s: float) -> Worker:
    return Worker(f"tcp://{name}:1", name, name, 1, name, reference_s)


def test_a_worker_of_another_speed_is_a_finding_that_names_it() -> None:
    workers = workers_of(timed("a", 0.004), timed("b", 0.0042), timed("slow", 0.0082))
    (finding,) = workers.findings()
    assert (finding.code, finding.where) == ("W02", "worker slow")
    assert finding.message.startswith("it takes 2.00 times as long as the other workers")
    assert workers.findings() == []


def test_a_faster_worker_is_named_as_well() -> None:
    (finding,) = workers_of(timed("a", 0.004), timed("fast", 0.002)).findings()
    assert finding.message.startswith("it takes 0.50 times")


def test_workers_within_a_tenth_count_as_equal() -> None:
    assert workers_of(timed("a", 0.004), timed("b", 0.00436)).findings() == []


def test_a_machine_is_named_once_however_many_workers_it_has() -> None:
    slow = [Worker(f"tcp://slow:{port}", str(port), str(port), 1, "", 0.009) for port in range(3)]
    assert len(workers_of(timed("a", 0.004), timed("b", 0.004), *slow).findings()) == 1


def test_speeds_that_are_not_known_are_not_compared() -> None:
    assert workers_of(worker("a"), timed("b", 0.004), worker("c")).findings() == []
