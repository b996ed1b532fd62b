"""The comparison of the demo's options."""

from importlib import import_module as load


def rows(arm, *ratios):
    return [
        {"arm": arm, "seed": str(seed), "ratio": ratio, "changes": 5, "runs": 100, "wall_s": 60.0}
        for seed, ratio in enumerate(ratios)
    ]


def test_arms_are_compared_on_common_seeds():
    lines = list(load("demo_options.run").report(rows("chosen", 2.0, 2.0, 8.0) + rows("all", 4.0, 4.0)))
    assert lines[0].startswith("chosen: 3 tunings, 3.17 times faster")
    assert lines[1].startswith("all: 2 tunings, 4.00 times faster")
    assert lines[2] == "all over chosen: 2.00 (95 % interval 2.00 to 2.00)"


def test_one_common_seed_is_no_comparison():
    assert len(list(load("demo_options.run").report(rows("chosen", 2.0) + rows("all", 4.0)))) == 2


def test_all_options_contain_the_chosen_ones_but_none_of_the_output():
    names = {
        arm: {line.split()[0] for line in load("demo_options.run").params_of(arm).splitlines() if line}
        for arm in ("chosen", "all")
    }
    assert names["chosen"] < names["all"]
    assert not {"seed", "quiet", "verbose", "statistics", "flushproof"} & names["all"]
