"""Which worker gets which trial, and who is benched."""

from tightrope.run.dask.roster import Member, Roster


def member(name: str, *, threads: int = 1, restart: int = 0) -> Member:
    """Return a worker; one that was restarted has another address, but is known again."""
    return Member(f"tcp://{name}:{restart}", name, name, threads, f"{name}-{restart}")


def roster(*members: Member, bench_after: int = 2) -> Roster:
    made = Roster(bench_after)
    for each in members:
        made.join(each)
    return made


def lose(crowd: Roster, worker: Member, trial_id: int) -> None:
    """Let a worker die with a trial, and be restarted."""
    assert crowd.place(trial_id) == worker
    assert crowd.leave(worker.address) == [trial_id]


def test_slots_are_the_threads_of_all_workers() -> None:
    assert roster(member("a", threads=2), member("b", threads=3)).slots == 5


def test_a_trial_goes_where_most_threads_are_free() -> None:
    a, b = member("a", threads=2), member("b", threads=3)
    crowd = roster(a, b)
    assert [crowd.place(number) for number in range(5)] == [b, a, b, a, b]


def test_there_is_no_place_when_all_threads_are_taken() -> None:
    crowd = roster(member("a"))
    crowd.place(0)
    assert crowd.place(1) is None


def test_there_is_no_place_without_workers() -> None:
    assert roster().place(0) is None


def test_a_trial_that_ends_frees_its_place() -> None:
    crowd = roster(member("a"))
    crowd.place(0)
    crowd.end(0, is_lost=False)
    assert crowd.place(1) == member("a")


def test_a_worker_that_leaves_loses_all_its_trials() -> None:
    crowd = roster(member("a", threads=2))
    crowd.place(7)
    crowd.place(3)
    assert crowd.leave("tcp://a:0") == [3, 7]
    assert crowd.slots == 0


def test_an_unknown_worker_may_leave() -> None:
    assert roster().leave("tcp://a:0") == []


def test_losses_in_a_row_bench_a_worker_also_across_restarts() -> None:
    crowd = roster(member("a"), bench_after=2)
    lose(crowd, member("a"), 0)
    crowd.join(member("a", restart=1))
    assert crowd.slots == 1
    lose(crowd, member("a", restart=1), 1)
    crowd.join(member("a", restart=2))
    assert (crowd.slots, crowd.benched) == (0, ("a",))


def test_a_benched_worker_is_a_finding_once() -> None:
    crowd = roster(member("a", threads=2), bench_after=1)
    crowd.place(0)
    crowd.place(1)
    crowd.end(0, is_lost=True)
    crowd.end(1, is_lost=True)
    (finding,) = crowd.findings()
    assert (finding.code, finding.where) == ("W01", "worker a")
    assert crowd.findings() == []


def test_a_run_that_ends_in_between_is_a_new_beginning() -> None:
    crowd = roster(member("a"), bench_after=2)
    for is_lost in (True, False, True):
        crowd.place(0)
        crowd.end(0, is_lost=is_lost)
    assert crowd.benched == ()


def test_a_death_counts_once_however_many_trials_it_costs() -> None:
    crowd = roster(member("a", threads=2), bench_after=2)
    crowd.place(0)
    crowd.place(1)
    crowd.leave("tcp://a:0")
    assert crowd.benched == ()


def test_leaving_without_trials_is_no_loss() -> None:
    crowd = roster(member("a"), bench_after=1)
    crowd.leave("tcp://a:0")
    assert crowd.benched == ()


def test_a_benched_worker_stays_benched_when_its_last_run_ends_well() -> None:
    crowd = roster(member("a", threads=2), bench_after=1)
    crowd.place(0)
    crowd.place(1)
    crowd.end(0, is_lost=True)
    crowd.end(1, is_lost=False)
    assert crowd.benched == ("a",)
