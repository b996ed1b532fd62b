"""The catalogue of findings: what each code means, and what to do about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind of finding: the fact, its cause and why it matters, and what to do about it."""

    title: str
    meaning: str
    remedy: str


GROUPS = {
    "B": "budget and ceiling",
    "C": "checks before a tuning",
    "F": "Python functions as targets",
    "R": "results of a tuning",
    "T": "single runs of a target",
    "V": "validation",
    "W": "workers of a cluster",
}

CATALOGUE: dict[str, Entry] = {
    "B01": Entry(
        "the budget is smaller than the ceiling",
        "A single run that reaches the ceiling would use up the whole budget, and nothing would be compared.",
        "Raise the budget to at least 100 times the ceiling, or lower the ceiling. A ceiling of a few times "
        "the default's cost on a hard instance is enough.",
    ),
    "B02": Entry(
        "the budget allows only a few runs up to the ceiling",
        "Once the incumbent is good, challengers are stopped far below the ceiling, but the default is not. "
        "If the default often reaches the ceiling, a budget of a few ceilings is spent on it alone.",
        "Lower the ceiling if the default needs much less. Otherwise raise the budget to about 100 ceilings.",
    ),
    "B03": Entry(
        "the budget allows fewer runs of the default than there are training instances",
        "At the default's cost, some instances would never be run. The result may fit only those that were.",
        "Raise the budget, or tune on fewer or easier instances that take seconds instead of minutes.",
    ),
    "B04": Entry(
        "the ceiling is more than 1000 times the default's cost",
        "A run that fails or never ends counts as the ceiling when configs are compared. Early in a tuning "
        "it may also really take that long. One such run then weighs as much as a thousand others.",
        "Lower the ceiling to about 100 times the default's cost, as suggested. Use more if other instances "
        "are much harder than those that were run.",
    ),
    "C01": Entry(
        "some parameters do not reach the command",
        "The command contains neither {parameters} nor these parameters by name, so changing them has no "
        "effect.",
        "Put {parameters} where the program takes its options, or remove these parameters from the scenario.",
    ),
    "C02": Entry(
        "no parameter reaches the command",
        "The command contains neither {parameters} nor the name of a parameter in braces, so all configs "
        "behave the same.",
        'Put {parameters} into the command, for instance "./solver --seed {seed} {parameters} {instance}".',
    ),
    "C03": Entry(
        "instances are missing or cannot be read",
        "Some instances are files and some are not. The likely causes are misspelt names, paths relative to "
        "another folder, or missing read permission.",
        "Correct the list or the pattern. Relative paths are relative to the scenario file.",
    ),
    "C04": Entry(
        "train and test overlap",
        "An instance used for tuning says little about how the result performs on new ones.",
        "Remove it from one of the two sets.",
    ),
    "C05": Entry(
        "there are no test instances",
        "The gain on the training instances is optimistic, and more so with fewer instances.",
        'Set some instances aside: instances = { train = "train/*", test = "test/*" }. As a rule, use as '
        "many for testing as for training.",
    ),
    "C06": Entry(
        "there are few training instances",
        "The result may fit only these instances. With 12 instances, a gain of 4.7 times has been seen to "
        "vanish on others.",
        "Use at least 24 instances that resemble those you care about. Short ones are fine.",
    ),
    "C07": Entry(
        "the default config fails",
        "The program could not be started, crashed, gave a wrong answer, or gave an answer that could not be "
        "parsed. Nothing can be compared with it.",
        "Paste the command that is shown into a shell, and fix the error it reports. If it works there, set "
        "`answer` to the way the program reports success, for instance exit codes 10 and 20 of SAT solvers.",
    ),
    "C08": Entry(
        "the default config did not finish",
        "It reached the ceiling, or the time limit of this check, on every instance that was tried, so its "
        "answer could not be checked.",
        "Use easier instances, raise the ceiling, or give the check more time with "
        "`tightrope check --within 10m`.",
    ),
    "C09": Entry(
        "the same run gives different answers",
        "Two runs with the same instance and seed gave different answers, or one succeeded and the other "
        "failed. One of them is wrong.",
        "Find the cause before tuning: a tuner exploits whatever makes a config look good, bugs included.",
    ),
    "C10": Entry(
        "the cost of the same run varies a lot",
        "Noise hides small gains and makes good configs lose comparisons by chance.",
        "If the program takes a seed, set deterministic = false: each instance is then run with several "
        'seeds. If other programs keep the machine busy, wait, use fewer workers, or set cost = "cpu".',
    ),
    "C11": Entry(
        "cutting a run short could not be tested",
        "The run ended before the smallest sensible cap, so the kill could not be observed.",
        "Nothing needs to be done. Runs this short gain little from being cut short. Use harder instances to "
        "test it.",
    ),
    "C12": Entry(
        "processes survived the kill",
        "After the run was stopped, processes it had started were still running. They would slow down all "
        "later runs.",
        "Do not start processes through a server or service manager, or as another user: those cannot be "
        "killed.",
    ),
    "C13": Entry(
        "starting the program takes a large share of a run",
        "Start-up costs the same for every config, so it hides differences and uses up the budget. It was "
        "measured by a run on an instance that does not exist.",
        "Use harder instances, or make the wrapper start faster: fewer imports, no virtual machine.",
    ),
    "C14": Entry(
        "the program reports success on an instance that does not exist",
        "The command was run with the name of a missing file and still reported that it solved it. Perhaps "
        "the command lacks {instance}, or a wrapper hides errors.",
        "Make the program, or its wrapper, exit with a non-zero code when it fails.",
    ),
    "C15": Entry(
        "legal configs fail",
        "Configs drawn at random from the parameter space crashed or gave wrong answers. A failure counts as "
        "a timeout, and many failures waste the budget.",
        "Run the command that is shown. Narrow the ranges, forbid combinations that clash, or make "
        "parameters conditional.",
    ),
    "C16": Entry(
        "the check ran out of time",
        "The check stops at its time limit, and some tests were skipped.",
        "Give it more time with `tightrope check --within 10m`, or use easier instances.",
    ),
    "C17": Entry(
        "the first run is much slower than its repetition",
        "A file is read from disk the first time and from memory later. The first config that is run on an "
        "instance would look slow.",
        'Read all instances once before tuning (cat instances/* > /dev/null), or set cost = "cpu".',
    ),
    "C18": Entry(
        "the machine is busy",
        "More processes are ready to run than there are cores. Wall times become too long and noisy, and CPU "
        "times somewhat.",
        'Wait for the other processes to finish, use fewer workers, or set cost = "cpu".',
    ),
    "C19": Entry(
        "runs are close to the resolution of the timer",
        "Differences below the resolution are noise, and no run gets a smaller cap.",
        "Use harder instances, or let the program solve several in one run.",
    ),
    "C20": Entry(
        "configs disagree about the answer",
        "On the same instance, a random config and the default gave different answers. One of them is wrong, "
        "and a tuner readily finds configs that are fast because they are wrong.",
        "Find out which answer is wrong. Set the known answers as `expected`, so that wrong ones count as "
        "failures, and remove parameters that change the problem.",
    ),
    "F01": Entry(
        "the function cannot be loaded in a worker process",
        "Workers import the module that defines the function, and the import failed.",
        "Define it at the top level of an importable module, or of a script whose main part is under "
        '`if __name__ == "__main__":`.',
    ),
    "F02": Entry(
        "the function's return value is not a cost",
        "It returned something that is not a number, or a number that cannot be minimised.",
        "Return a finite number. Raise an exception if the evaluation failed.",
    ),
    "F03": Entry(
        "an evaluation of the function failed",
        "The function raised an exception, or its worker crashed. The config counts as failed, and the "
        "search goes on. Only the first failure is reported; the history has them all.",
        "Fix the function if the config should work; otherwise exclude such configs from the space.",
    ),
    "F04": Entry(
        "the function ignores its cap",
        "It returned a cost above the cap of the trial. The cost counts in full, so capping saves nothing.",
        "Take the cap as second argument, `f(config, cap)`, and stop there; or yield the cost so far.",
    ),
    "R01": Entry(
        "all runs of challengers were cut short",
        "No config other than the default ever finished a run. Either the default is hard to beat, or the "
        "caps are too tight: a challenger may use slack times the incumbent's cost.",
        "Raise the slack, or the ceiling if the default itself reaches it. See "
        "docs/howto/slack-and-ceiling.md.",
    ),
    "R02": Entry(
        "no run of a challenger was cut short",
        "Cutting runs short is what saves time, and it never happened. Either all configs cost about the "
        "same, or the slack is so large that no run reaches its cap.",
        "Lower the slack towards 1.3, or tune other parameters: these do not seem to matter.",
    ),
    "R03": Entry(
        "the incumbent was run on few tasks",
        "Its mean cost rests on a handful of runs, and the next ones may differ.",
        "Give the tuning more budget, and rely on the validation only.",
    ),
    "R04": Entry(
        "a parameter is at the end of its range",
        "The best value may lie beyond it.",
        "Widen the range and tune again, if values beyond it make sense for the program.",
    ),
    "R05": Entry(
        "the default fails on many instances",
        "Over a fifth of its runs crashed or gave wrong answers: timeouts that make others look good.",
        "Fix the target, or remove the instances it cannot handle.",
    ),
    "R06": Entry(
        "the first run waited for the disk",
        "Unlike later runs, it took much more wall time than CPU time: files were read for the first time.",
        "Nothing, if the cost is CPU time. Otherwise run `tightrope check` first: it loads the files.",
    ),
    "R07": Entry(
        "the gain is not certain",
        "The interval of the ratio extends below 1: with other instances or seeds the default might win.",
        "Give the tuning more budget, or validate on many instances.",
    ),
    "R08": Entry(
        "runs of earlier tunings were left out",
        "Runs on other instances are comparable by features only, and configs outside the present ranges "
        "cannot be run. The best legal config of each earlier tuning is tried in any case.",
        "Give both scenarios the same instance features, or widen the ranges.",
    ),
    "T01": Entry(
        "the reported time differs from the measured time",
        "They differ by over 25 % and 0.25 s. The measured time counts: CPU time of all processes, or wall.",
        "Nothing, if start-up explains it. Otherwise check whether the program reports the wall time.",
    ),
    "T02": Entry(
        "processes were left running, and killed",
        "The command ended while processes it had started were still running. Their time up to then counts.",
        "Make the command wait for its children.",
    ),
    "T03": Entry(
        "the program asks to abort",
        "The program printed ABORT. By the convention of its output format, it will fail on every run.",
        "Read its output. Often a file or library is missing.",
    ),
    "T04": Entry(
        "processes could not be killed",
        "They belong to another user, or hang in the kernel, for instance on a network disk.",
        "Do not change users within a run, and check the disk.",
    ),
    "T05": Entry(
        "this machine cannot start runs",
        "Descriptors, processes, memory, a folder or tightrope's program are missing. No config is blamed: "
        "runs wait. After ten attempts in a row with nothing running they are lost, and the tuning stops.",
        "Follow the hint: raise the limit, restore the folder, reinstall, or use fewer workers. Then resume.",
    ),
    "V01": Entry(
        "the difference may be due to chance",
        "The interval of the speed-up contains 1: other instances might show no gain, or a loss.",
        "Validate on more instances, or with --repeat. Otherwise use the default, or tune for longer.",
    ),
    "V02": Entry(
        "the comparison is on training instances",
        "The config was chosen because it does well on these instances: expect a smaller gain on others.",
        "Add test instances to the scenario, and validate on them.",
    ),
    "V03": Entry(
        "the comparison rests on few instances",
        "With fewer than ten instances the interval itself is uncertain, and with one there is none.",
        "Validate on more instances.",
    ),
    "V04": Entry(
        "the config fails on some instances",
        "Runs crashed or gave wrong answers before they reached the ceiling. They count as timeouts.",
        "Run the command that is shown before you rely on this config.",
    ),
    "W01": Entry(
        "a worker was taken out of service",
        "It lost several runs in a row and gets no more. They are repeated elsewhere; no config is blamed.",
        "Check its machine for lack of memory or a failing disk.",
    ),
    "W02": Entry(
        "workers compute at different speeds",
        "When it joined, this worker took more than 10 % more or less CPU time than the others for a fixed "
        "piece of work. If the cost is time, costs depend on where a run was. They are not corrected, "
        "because no factor holds for every program. Each run's reference_s is its worker's time for it.",
        "Use machines of one kind, such as `tightrope cluster slurm --constraint NAME`, and leave no other "
        "work on them.",
    ),
}
