"""Scenarios and the files they name, in each format, and words to damage them with."""

TOML = """\
command   = "./solver --seed {seed} {parameters} {instance}"
instances = { train = "train/*.cnf", test = ["test/b1.cnf", "test/b2.cnf"] }
ceiling   = "1m 30s"
budget    = { cpu = "8h", runs = 1000 }
features  = "features.csv"
expected  = { a1 = "SAT", "b1.cnf" = 'UNSAT' }
answer    = { kind = "exit", success = [0], solutions = { 10 = "SAT", 20 = "UNSAT" } }
default   = { alpha = 0.25 }
forbidden = ["alpha > 0.5 and mode in ['y']", "not (depth < 3 or flag == true)"]
seeds     = [1, 2]
memory    = "2GB"
tactics.first_tasks = 3
[env]
THREADS = "1"
[params]
alpha = { type = "real", range = [0, 1], default = 0.5, when = "mode == 'x' or level >= 2" }
depth = { type = "integer", range = [1, 64], default = 2, log = true, switch = "-d " }
mode  = { type = "categorical", values = ["x", "y"] }
flag  = { type = "boolean", default = true }
[params.level]
type = "ordinal"
values = [1, 2, 4]
"""
ACLIB = """\
algo = python3 wrapper.py --mem 2000   # a comment
execdir = .
deterministic = 0
run_obj = runtime
overall-obj = mean10
cutoff_time = 300
cutoff_length = max
tunerTimeout = 86400
paramfile = solver.pcs
instance_file = train.txt
test_instance_file = test.txt
feature_file = features.csv
outdir = out
"""
IRACE = """\
## a scenario
parameterFile = "parameters.txt"
execDir = "./"
trainInstancesDir = "train"
testInstancesFile = 'irace-test.txt'
targetRunner <- "./target-runner"   # a comment
maxTime = 3600
boundMax = 60
boundPar = 10
deterministic = 0
elitist = 1
"""
VOCABULARY = [
    *(
        "a",
        "x",
        "1",
        "0",
        "-1",
        "1.5",
        "1e300",
        "1e-3",
        "inf",
        "nan",
        "true",
        "false",
        "TRUE",
        "08",
        "2020-01-01",
    ),
    *(
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "(",
        ")",
        ",",
        "=",
        "==",
        "<-",
        "<",
        ">=",
        "!",
        ".",
        ":",
        "|",
        "&",
        "#",
    ),
    *(
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        '"',
        "'",
        '"""',
        "'''",
        "\\",
        "\\n",
        "\\u0041",
        "\u00a0",
        "\ufeff",
        "\x00",
    ),
    *(
        " and ",
        " or ",
        " not ",
        " in ",
        "`",
        "*",
        "?",
        "[a-z]",
        "**",
        "..",
        "/",
        "~",
        "train/*",
        "train",
        "é",
    ),
    *("command", "params", "ceiling", "budget", "instances", "split", "features", "answer", "style", "cwd"),
    *(
        "split = 0.5\n",
        "type",
        "range",
        "values",
        "default",
        "when",
        "real",
        "{instance}",
        "{x}",
        "{parameters}",
    ),
    *(
        'cost = "printed"\n',
        "algo",
        "paramfile",
        "cutoff",
        "boundMax",
        "targetRunner",
        "10s",
        "2GB",
        "9" * 5000,
    ),
]


FILES = {
    "features.csv": 'name,x,y\na1,1,2\n"a2.cnf",1,\ntrain/a3.cnf,3,nan\n',
    "solver.pcs": "alpha [0, 1][0.5]\nmode {x, y}[x]\nalpha | mode in {y}\n",
    "parameters.txt": 'alpha "--alpha " r (0, 1)\nmode "--" c (x, y)\n',
    "train.txt": "train/a1.cnf SAT\ntrain/a2.cnf\n",
    "test.txt": "test/b1.cnf\ntest/b2.cnf UNSAT\n",
    "seeds.txt": "1 test/b1.cnf\n1 test/b2.cnf UNSAT\n",
    "irace-test.txt": 'test/b1.cnf\n"test/b2.cnf"\n',
    "initial.txt": 'alpha mode\n0.5 "y"\n',
    "expected.csv": "instance,answer\na1,SAT\ntest/b1.cnf,7\n",
}
