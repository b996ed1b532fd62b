"""The catalogue of findings: what each code means, and what to do about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind of finding.

    Attributes
    ----------
    title : str
        The fact, in a few words.
    meaning : str
        How it comes about, and why it matters.
    remedy : str
        What to do.
    """

    title: str
    meaning: str
    remedy: str


GROUPS = {
    "B": "budget and ceiling",
    "C": "the check before a tuning",
    "F": "Python functions as targets",
    "R": "results of a tuning",
    "T": "single runs of a target",
    "V": "validation on other instances",
    "W": "workers of a cluster",
}

CATALOGUE: dict[str, Entry] = {
    "B01": Entry(
        "the budget is smaller than the ceiling",
        "A single run that is not cut could use up everything, so that nothing would be compared with it.",
        "Raise the budget to at least 100 times the ceiling, or lower the ceiling: a few times what the "
        "default needs on a hard instance is enough.",
    ),
    "B02": Entry(
        "the budget allows few runs that are not cut",
        "Runs of challengers are cut far below the ceiling as soon as the incumbent is good, but the "
        "default's are not. If the default often reaches the ceiling, a budget of a few ceilings is spent"
        " on it alone.",
        "Lower the ceiling, if the default needs much less; else raise the budget to about 100 ceilings.",
    ),
    "B03": Entry(
        "the budget allows fewer runs of the default than there are training instances",
        "At what the default needs, not every instance would be run even once. What is found may suit the"
        " instances that were, and no others.",
        "Raise the budget, or tune on fewer or easier instances, which take seconds instead of minutes.",
    ),
    "B04": Entry(
        "the ceiling is more than a thousand times what the default needs",
        "A run that fails or does not end counts as the ceiling where configs are compared, and may really "
        "take that long before anything is known that would cut it: one such run weighs as much as a "
        "thousand others.",
        "Lower the ceiling to about a hundred times what the default needs, as is suggested; more if other "
        "instances are much harder than those that were run.",
    ),
    "C01": Entry(
        "some parameters do not reach the command",
        "The command has neither {parameters} nor a place for them by name, so that changing them changes"
        " nothing.",
        "Write {parameters} where the program takes its options, or remove them from the parameters.",
    ),
    "C02": Entry(
        "no parameter reaches the command",
        "The command has neither {parameters} nor the name of a parameter in braces: all configs are alike.",
        'Write {parameters} into the command, for instance "./solver --seed {seed} {parameters} {instance}".',
    ),
    "C03": Entry(
        "instances are missing or cannot be read",
        "Some instances are files and some are not: most likely names are misspelt, relative to another "
        "folder, or files lack the right to be read.",
        "Correct the list or the pattern; relative paths are relative to the scenario file.",
    ),
    "C04": Entry(
        "train and test overlap",
        "An instance that the tuning has seen says too little about how the result does on new ones.",
        "Leave it out of one of the two.",
    ),
    "C05": Entry(
        "there are no test instances",
        "The gain on the training instances is optimistic, the more so the fewer there are.",
        'Keep some instances aside: instances = { train = "train/*", test = "test/*" }. As many for the '
        "test as for training is a good rule.",
    ),
    "C06": Entry(
        "there are few training instances",
        "What is found may suit just them: with 12 instances a gain of 4.7 times has been seen to vanish "
        "on others.",
        "Take at least 24 that resemble those you care about; short ones are fine.",
    ),
    "C07": Entry(
        "the default config fails",
        "The program could not be started, crashed, gave a wrong answer, or one that was not understood. "
        "Nothing can be compared with it.",
        "Paste the command that is shown into a shell, and mend what it says. If it works there, set "
        "`answer` to how the program tells its success, for instance exit codes 10 and 20 of SAT solvers.",
    ),
    "C08": Entry(
        "the default config did not finish",
        "It reached the ceiling, or the end of the time for this check, on all instances that were tried."
        " What it answers could not be seen.",
        "Use easier instances, or raise the ceiling; `tightrope check --within 10m` waits longer.",
    ),
    "C09": Entry(
        "the same run gives different answers",
        "Run twice with the same instance and seed, it solved the task once and failed the other time, or"
        " gave two answers. One of them is wrong.",
        "Find out why before tuning: a tuner is good at finding whatever rewards it, bugs included.",
    ),
    "C10": Entry(
        "the cost of the same run varies a lot",
        "Noise hides small gains and makes good configs lose duels by bad luck.",
        "If it takes a seed, set deterministic = false, so that each instance is run with several. If "
        'other programs keep the machine busy, wait, use fewer workers, or cost = "cpu".',
    ),
    "C11": Entry(
        "a run could not be cut short",
        "The run was over before the smallest sensible cap, so that the kill could not be seen at work.",
        "Nothing needs to be done. Runs that short hardly gain from being cut; harder instances tell more.",
    ),
    "C12": Entry(
        "processes survived the kill",
        "After the run had been stopped, processes that it had started were still there. They would slow "
        "down all later runs.",
        "Do not start them by a server or service manager; a process of another user cannot be killed.",
    ),
    "C13": Entry(
        "starting the program takes a large share of a run",
        "Start-up costs the same for each config, so that it hides the differences and uses up the "
        "budget. It was measured by a run on an instance that does not exist.",
        "Use harder instances, or make the wrapper start faster: fewer imports, no virtual machine.",
    ),
    "C14": Entry(
        "it claims success on an instance that does not exist",
        "The command was run with the name of a file that is not there, and still says that it solved it."
        " Perhaps {instance} is missing in the command, or a wrapper hides errors.",
        "Let the program, or its wrapper, exit with a code other than 0 when it fails.",
    ),
    "C15": Entry(
        "legal configs fail",
        "Configs drawn at random from the parameters crashed or gave wrong answers. A failure counts as a"
        " timeout; many of them waste the budget.",
        "Run the command shown. Narrow the ranges, forbid the combinations that clash, or make parameters"
        " conditional.",
    ),
    "C16": Entry(
        "time was up before everything was checked",
        "The check stops after the time it promises.",
        "`tightrope check --within 10m` gives it more, easier instances need less.",
    ),
    "C17": Entry(
        "the first run is much slower than the same run again",
        "Files that are read for the first time come from the disk, later from memory. The first config "
        "that is run on an instance would look slow.",
        'Read all instances once before tuning (cat instances/* > /dev/null), or use cost = "cpu".',
    ),
    "C18": Entry(
        "the machine is busy",
        "More processes want to run than there are cores. Wall times are then too long and noisy, CPU "
        "times somewhat.",
        'Wait until others are done, take fewer workers, or cost = "cpu".',
    ),
    "C19": Entry(
        "runs are hardly longer than what can be measured",
        "Differences below the resolution are noise, and no run is given a smaller cap.",
        "Use harder instances, or let the program solve several in one run.",
    ),
    "C20": Entry(
        "configs disagree about the answer",
        "On the same instance a random config gave another answer than the default. One of the two is "
        "wrong, and a tuner is good at finding configs that are wrong quickly.",
        "Find out which one is wrong. Give the known answers as `expected`, so that wrong ones count as "
        "failures, and leave out parameters that change the problem.",
    ),
    "F01": Entry(
        "the function cannot be loaded in a worker process",
        "Workers import the module that defines it, and that failed.",
        "Define it at the top level of a module that can be imported, or of a script whose main part is "
        'under `if __name__ == "__main__":`.',
    ),
    "F02": Entry(
        "the function's answer cannot be a cost",
        "It returned something that is not a number, or not a number that can be minimised.",
        "Return a finite number; raise an exception if the evaluation failed.",
    ),
    "R01": Entry(
        "all runs of challengers were cut short",
        "No config other than the default ever finished a run. Either the default is hard to beat, or "
        "caps leave no room: a challenger may use slack times what the incumbent needed.",
        "Raise the slack, or the ceiling if the default itself reaches it; see "
        "docs/howto/slack-and-ceiling.md.",
    ),
    "R02": Entry(
        "no run of a challenger was cut short",
        "Cutting runs short is what saves time here, and it never happened: all configs cost about the "
        "same, or the slack is so large that nothing reaches it.",
        "Lower the slack towards 1.3; or tune other parameters, as these do not seem to matter.",
    ),
    "R03": Entry(
        "the incumbent was run on few tasks",
        "Its mean cost rests on a handful of runs, and the next ones may look different.",
        "Give the tuning more budget, and trust only the validation.",
    ),
    "R04": Entry(
        "a parameter is at the end of its range",
        "The best value may lie beyond it.",
        "Widen the range and tune again, if values beyond it make sense for the program.",
    ),
    "R05": Entry(
        "the default fails on many instances",
        "More than a fifth of its runs crashed or gave wrong answers; they count as timeouts, which makes"
        " anything else look good.",
        "Mend the target, or leave out the instances that it cannot take.",
    ),
    "R06": Entry(
        "the first run waited for the disk",
        "It took much more time than CPU time, unlike the later ones: files were read for the first time.",
        "Nothing, if the cost is CPU time. Else run `tightrope check` before the next tuning: it warms up.",
    ),
    "R07": Entry(
        "the gain may be no gain",
        "The interval of the ratio reaches below 1: with other instances or seeds the default might win.",
        "Give the tuning more budget, or validate on many instances.",
    ),
    "T01": Entry(
        "the time that it claims differs from the time measured",
        "They are more than 25 % and 0.25 s apart. What was measured counts: user and system time of all "
        "its processes, or the time that passed.",
        "Nothing, if start-up explains it. Else see whether it reports wall time where CPU time is the cost.",
    ),
    "T02": Entry(
        "processes were left running, and killed",
        "The command itself ended while processes that it had started still ran. Their time counts up to "
        "then.",
        "Let the command wait for its children.",
    ),
    "T03": Entry(
        "it asks to abort",
        "The program said ABORT: by the convention of its output it will fail on everything.",
        "Read its output; often a file or library is missing.",
    ),
    "T04": Entry(
        "processes could not be killed",
        "They belong to another user, or hang in the kernel, for instance on a network disk.",
        "Do not change users within a run; look at the disk.",
    ),
    "V01": Entry(
        "the difference could be luck",
        "The interval of the speed-up holds 1: other instances of the same kind might show no gain, or a "
        "loss.",
        "Validate on more instances, or with --repeat; if it stays so, take the default, or tune for longer.",
    ),
    "V02": Entry(
        "the comparison is on training instances",
        "The config was chosen because it does well on just these: expect less on others.",
        "Give the scenario test instances, and validate on them.",
    ),
    "V03": Entry(
        "the comparison rests on few instances",
        "The interval is itself uncertain with fewer than ten, and there is none with one.",
        "Validate on more instances.",
    ),
    "V04": Entry(
        "it fails on instances",
        "Runs crashed, or gave wrong answers, under the ceiling. They count as timeouts.",
        "Look at the command shown before you trust this config.",
    ),
    "W01": Entry(
        "a worker is benched",
        "It lost several runs in a row, and gets no more. Runs that were lost are run again elsewhere: "
        "the configs are innocent.",
        "Look for lack of memory or a failing disk on its machine.",
    ),
}
