# irace tunes; the process that listens at the port makes the runs. Messages are lines with fields between tabs:
#
#   run, instance, bound, name=value, ...     the reply is the cost, or "spent"
#   best, name=value, ...                     the first of the elites, at the end
#   failed, reason                            irace gave up before it had any elites
#
# Rscript irace.R FOLDER: the folder holds the files that irace_files.py writes.
suppressMessages(library(irace))

folder <- commandArgs(trailingOnly = TRUE)[1]
given <- read.csv(file.path(folder, "options.csv"), colClasses = "character")
given <- setNames(as.list(given$value), given$option)
wire <- socketConnection("127.0.0.1", as.integer(given$port), open = "r+", blocking = TRUE, timeout = 86400)
digits <- as.integer(given$digits)
parameters <- readParameters(file.path(folder, "parameters.txt"), digits = digits)

send <- function(...) writeLines(paste(c(...), collapse = "\t"), wire)

values_of <- function(configuration) {
  values <- Filter(Negate(is.na), as.list(configuration)[parameters$names])
  texts <- lapply(values, function(value) if (is.numeric(value)) sprintf("%.15g", value) else value)
  paste(names(texts), texts, sep = "=")
}

# All runs that irace can start at once are requested at once, to wait less often for replies.
run_all <- function(experiments, exec, scenario, target.runner) {
  questions <- vapply(experiments, function(each) {
    fields <- c("run", each$instance, sprintf("%.15g", each$bound), values_of(each$configuration))
    paste(fields, collapse = "\t")
  }, "")
  writeLines(questions, wire)
  answers <- readLines(wire, length(questions))
  if (any(answers == "spent"))
    stop(structure(class = c("spent", "error", "condition"), list(message = "the budget is spent", call = NULL)))
  lapply(as.numeric(answers), function(cost) list(cost = cost, time = max(cost, scenario$minMeasurableTime)))
}

log_file <- file.path(folder, "irace.Rdata")
scenario <- list(
  targetRunnerParallel = run_all, instances = readLines(file.path(folder, "instances.txt")),
  configurationsFile = file.path(folder, "default.txt"), execDir = folder, logFile = log_file,
  seed = as.integer(given$seed), deterministic = 1, digits = digits, quiet = 1,
  maxTime = as.numeric(given$maxTime), elitist = 1, capping = 1,
  boundMax = as.numeric(given$boundMax), boundDigits = as.integer(given$boundDigits)
)

# The elites of the last finished race: irace saves them after each race.
last_elites <- function(condition) {
  if (!file.exists(log_file)) return(NULL)
  load(log_file)
  iraceResults$state$eliteConfigurations
}

reason <- "the budget was spent before the first race was over"
elites <- tryCatch(
  irace(scenario = checkScenario(scenario), parameters = parameters),
  spent = last_elites,
  error = function(condition) { reason <<- conditionMessage(condition); NULL }
)
if (is.null(elites) || nrow(elites) == 0) send("failed", gsub("[\t\n]", " ", reason)) else
  send("best", values_of(elites[1, ]))
close(wire)
