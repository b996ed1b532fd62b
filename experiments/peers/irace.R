# irace tunes; whoever listens at the port runs. A line each way, fields between tabs:
#
#   run, instance, bound, name=value, ...     answered by the cost, or by "spent"
#   best, name=value, ...                     the first of the elites, at the end
#   failed, why                               irace gave up before it had any elites
#
# Rscript irace.R FOLDER: the folder holds what is tuned, the scenario's options among it.
suppressMessages(library(irace))

folder <- commandArgs(trailingOnly = TRUE)[1]
given <- read.csv(file.path(folder, "options.csv"), colClasses = "character")
given <- setNames(as.list(given$value), given$option)
wire <- socketConnection("127.0.0.1", as.integer(given$port), open = "r+", blocking = TRUE, timeout = 86400)
digits <- as.integer(given$digits)
parameters <- readParameters(file.path(folder, "parameters.txt"), digits = digits)

tell <- function(...) writeLines(paste(c(...), collapse = "\t"), wire)

values_of <- function(configuration) {
  values <- Filter(Negate(is.na), as.list(configuration)[parameters$names])
  texts <- lapply(values, function(value) if (is.numeric(value)) sprintf("%.15g", value) else value)
  paste(names(texts), texts, sep = "=")
}

# All runs that irace can start at once are asked for at once: fewer waits for the other side.
run_all <- function(experiments, exec, scenario, target.runner) {
  questions <- vapply(experiments, function(each) {
    fields <- c("run", each$instance, sprintf("%.15g", each$bound), values_of(each$configuration))
    paste(fields, collapse = "\t")
  }, "")
  writeLines(questions, wire)
  answers <- readLines(wire, length(questions))
  if (any(answers == "spent"))
    stop(structure(class = c("spent", "error", "condition"), list(message = "nothing left", call = NULL)))
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

# The elites of the last race that was finished: irace writes them down after each.
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
if (is.null(elites) || nrow(elites) == 0) tell("failed", gsub("[\t\n]", " ", reason)) else
  tell("best", values_of(elites[1, ]))
close(wire)
