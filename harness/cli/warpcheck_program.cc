#include "cli/warpcheck_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check_command.h"
#include "cli/command_line.h"
#include "cli/doctor_command.h"
#include "cli/exit_status.h"
#include "cli/list_command.h"
#include "cli/run_command.h"
#include "cli/stop.h"
#include "cli/validate_command.h"
#include "hardware/generations.h"
#include "host/places.h"
#include "host/version.h"
#include "report/reports.h"
#include "run/settings.h"

namespace warpcheck {
namespace {

std::string Percent(const std::string& text) {
  double percent = -1;
  const bool number = CLI::detail::lexical_cast(text, percent);
  return number && percent >= 0 && percent <= 100 ? "" : text + " is not a number from 0 to 100";
}

constexpr char kRunUsage[] = R"(
warpcheck run [OPTIONS] [--] program [arguments ...]: what follows the program's name is passed to it.

Examples:
  warpcheck run ./transpose 1024          a program built with nvcc -cudart shared -lineinfo
  warpcheck run transpose.cu 1024         compiles the file first, and keeps it in the build cache
  warpcheck run --trace tiled:16 ./a.out  shows which lane uses which bank or sector in line 16
  warpcheck run --counters c.json --check none ./a.out

The program keeps its input, output, signals and exit status. The report is printed to stderr after
the program has ended. The exit status is 1 for findings with --fail-on-findings, 2 if the program
cannot be built or started, and 3 if warpcheck itself failed.)";

// Adds `run`. The arguments that it parses are those before the program's name.
CLI::App* AddRun(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand(
      "run", "Run any CUDA program on the emulator, count its accesses and check it");
  run->footer(kRunUsage);
  run->add_option("--check", options.checks,
                  "all, none, or names of checkers, separated by commas: " + run::CheckerList());
  run->add_option("--counters,--json", options.counters,
                  "write all counters and findings to this JSON file");
  run->add_option("--report", options.report, "write the report to this file, not to stderr");
  run->add_option("--html", options.html, "write a page for a browser to this file");
  run->add_option(
      "--root", options.root,
      "show files of this folder by their names in it, not by their names in the working "
      "folder");
  run->add_option("--sarif", options.sarif,
                  "write the findings as SARIF 2.1.0, for code scanning and editors, to this file");
  run->add_option("--trace", options.trace,
                  "kernel:line; show a picture of the accesses of this line");
  run->add_flag("--timeline", options.timeline,
                "show what the order of streams, events and waits lets overlap");
  run->add_flag("--calls", options.calls,
                "list the calls that hand over work, record events or wait, and what each waits "
                "for");
  run->add_flag("--break-on-finding", options.break_on_finding,
                "show the warp's registers at the first finding; the program continues");
  run->add_flag("--fail-on-findings", options.fail_on_findings,
                "exit with 1 if something was found and the program exits with 0");
  run->add_option("--lines", options.lines, "show this many lines of each kernel")->check(&Digits);
  run->add_option("--seed", options.seed, "the seed for the order in which blocks and warps run")
      ->check(&Digits);
  run->add_option("--threads", options.threads,
                  "run kernels on this many threads (default: one for each core, at most 16)")
      ->check(CLI::Range(1, 256));
  run->add_option("--memory", options.memory_gib, "the memory of the device in GiB (default: 4)")
      ->check(CLI::Range(1, 1024));
  run->add_option("--instructions", options.instructions,
                  "end a kernel after this many warp instructions")
      ->check(&Digits);
  run->add_option("--nvcc", options.nvcc_flags, "a flag for nvcc, which builds the .cu file")
      ->allow_extra_args(false);
  return run;
}

// Moves the program and its arguments from the end of the command line, which begins after `run`,
// to `program`: they begin after the options of `run`, or after "--". Prints an error and returns
// false if there is no program, unless an option asks for help.
bool TakeProgram(const CLI::App& run, std::vector<std::string>& words,
                 std::vector<std::string>& program) {
  std::size_t at = 0;
  bool help = false;
  while (at < words.size() && words[at] != "--" && words[at].starts_with('-')) {
    const std::string name = words[at].substr(0, words[at].find('='));
    const CLI::Option* const option = run.get_option_no_throw(name);
    if (option == nullptr) {
      fmt::print(stderr, "there is no option {}: see warpcheck run --help\n", name);
      return false;
    }
    help = help || option == run.get_help_ptr();
    const bool value_follows = option->get_expected_min() > 0 && name.size() == words[at].size();
    at += value_follows ? 2 : 1;
  }
  const bool marked = at < words.size() && words[at] == "--";
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(std::min(at, words.size()));
  program.assign(begin + (marked ? 1 : 0), words.end());
  words.erase(begin, words.end());
  if (!program.empty() || help) return true;
  fmt::print(stderr, "a program is missing: warpcheck run [OPTIONS] program [arguments ...]\n");
  return false;
}

Error SeveralSubmissions(const std::vector<std::string>& names) {
  return {.message = fmt::format("check grades one submission, but {} are named: {}", names.size(),
                                 fmt::join(names, ", ")),
          .hint =
              "put the files of one submission into a folder, and name the folder; `warpcheck "
              "batch` grades a class"};
}

CLI::App* AddValidate(CLI::App& app, ValidateOptions& options) {
  CLI::App* validate =
      app.add_subcommand("validate", "Check that an assignment is ready to be handed out");
  AddCourseOptions(*validate);
  validate->add_option("assignment", options.assignment, "its name, as `warpcheck list` shows it")
      ->required();
  validate->add_option("files", options.files,
                       "grade only these test programs, not the whole assignment");
  validate->add_option("--device", options.device, "the device that judges: auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  validate
      ->add_option("--seed", options.seed,
                   "the seed of an earlier run, to repeat its random inputs")
      ->check(&Digits);
  validate
      ->add_option("--repeat", options.repeat,
                   "grade every N-th program twice, and compare the two reports")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000));
  validate
      ->add_option("--jobs", options.jobs,
                   "grade this many at once (default: one for each processor)")
      ->check(CLI::Range(1, 4096));
  validate->add_option("--index", options.index,
                       "write to this file which kinds of findings the programs show");
  validate->add_flag("--record", options.record,
                     "record what the reference counts, for targets relative to it");
  validate->add_flag("--no-sandbox", options.no_sandbox,
                     "run without isolation; only for code that you trust");
  return validate;
}

// An ExternalCommand runs in another program of the same folder, so that `make check` need not
// build what no student uses. That program parses the options of the command.
struct ExternalCommand {
  std::string name;
  std::string program;
  std::string what;  // the text for the help; empty for commands that people do not use
};
const ExternalCommand kExternalCommands[] = {
    {"batch", "warpcheck_class", "Grade a class"},
    {"note", "warpcheck_class", "Set a student's mark in a batch, or comment on it"},
    {"new", "warpcheck_class", "Create a course or an assignment"},
    {"build", "warpcheck_class", "Compile a course's assignments"},
    {"handout", "warpcheck_class", "Make the folder that a student of an assignment receives"},
    {"grade-worker", "warpcheck_class", ""},
    {"grade-chunk", "warpcheck_class", ""},
    {"lab", "warpcheck_measure", "Measure the kernels of a lecture on a device"},
    {"parity", "warpcheck_measure",
     "Count the calibration set on a device, and compare it line by line with another"},
    {"mutation", "warpcheck_measure", "Grade small changes of the references, to test the checks"},
    {"more-work", "warpcheck_measure",
     "Grade test submissions with added work, to see whether a score rises"},
};

// Replaces this process by the program of the command, with the same arguments. Returns only if
// this fails.
int Become(const ExternalCommand& command, char** argv) {
  const std::filesystem::path program = Programs() / command.program;
  ::execv(program.c_str(), argv);
  return Complain({.message = fmt::format("warpcheck {} needs {}, which cannot be started: {}",
                                          command.name, program.string(), std::strerror(errno)),
                   .hint = "`make build` makes all programs"},
                  kExitFault);
}

}  // namespace

int WarpcheckProgram(int argc, char** argv) {
  const int named = CommandAt(argc, argv);
  for (const ExternalCommand& command : kExternalCommands) {
    if (named < argc && argv[named] == command.name) return Become(command, argv);
  }
  CLI::App app("warpcheck grades and runs CUDA kernels, with or without a GPU");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  AddCourseOptions(app);

  CheckOptions options;
  CLI::App* check = app.add_subcommand("check", "Grade one submission");
  AddCourseOptions(*check);
  check->add_option("assignment", options.assignment, "its name, as `warpcheck list` shows it")
      ->required();
  std::vector<std::string> submissions;
  check->add_option("submission", submissions, "a .cu file, or a folder with one or more")
      ->type_name("TEXT")
      ->required();
  check->add_option("--device", options.device, "the device that judges: auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  check
      ->add_option(
          "--target", options.target,
          fmt::format("the compute capability of the emulated GPU, times 10: {} (default: {})",
                      fmt::join(GpuTargets(), ", "), kDefaultTarget))
      ->check(&Digits);
  for (const ReportFormat& format : ReportFormats()) {
    check->add_option_function<std::string>(
        fmt::format("--{}", format.name),
        [&options, name = format.name](const std::string& path) { options.reports[name] = path; },
        fmt::format("write {} to this file", format.what));
  }
  check
      ->add_option("--seed", options.seed,
                   "the seed of an earlier run, to repeat its random inputs")
      ->check(&Digits);
  check->add_option("--dump", options.dump,
                    "write expected, got and difference of a case to this folder: as text, as a "
                    "picture and for NumPy");
  check
      ->add_option("--case", options.cases,
                   "with --dump: a case, as the report names it (default: the first wrong one)")
      ->allow_extra_args(false);
  check->add_flag("--no-sandbox", options.no_sandbox,
                  "run without isolation; only for code that you trust");
  check->add_flag("--no-experiments", options.no_experiments,
                  "do not try, after a failure, which small change makes the failed tests pass");
  check
      ->add_option("--fail-under", options.fail_under,
                   "exit with 0 if the score is at least this percentage")
      ->check(&Percent);
  check->add_flag("--staff", options.staff, "show hidden criteria too, which students may not see");
  check->add_flag(
      "--watch", options.watch,
      "grade again whenever the file is saved, and show what changed; the page of --html "
      "reloads itself");
  ValidateOptions validate_options;
  CLI::App* validate = AddValidate(app, validate_options);
  RunOptions run_options;
  CLI::App* run = AddRun(app, run_options);
  CLI::App* list = app.add_subcommand("list", "Show the assignments");
  AddCourseOptions(*list);
  std::filesystem::path list_json;
  list->add_option("--json", list_json, "write the assignments to this file too, as JSON");
  app.add_subcommand("doctor", "Show what works on this machine, and how to fix the rest");
  for (const ExternalCommand& command : kExternalCommands) {
    app.add_subcommand(command.name, command.what)
        ->group(command.what.empty() ? "" : "SUBCOMMANDS");
  }

  if (named < argc && argv[named][0] != '-') {
    if (const auto unknown = UnknownCommand(app, argv[named]); !unknown.empty()) {
      std::fprintf(stderr, "%s\n", unknown.c_str());
      return kExitUsage;
    }
  }
  std::vector<std::string> words(argv + 1, argv + argc);
  if (named < argc && std::string_view(argv[named]) == "run") {
    std::vector<std::string> rest(argv + named + 1, argv + argc);
    if (!TakeProgram(*run, rest, run_options.program)) return kExitUsage;
    words.assign(argv + 1, argv + named + 1);
    words.insert(words.end(), rest.begin(), rest.end());
  }
  try {
    RefuseEmptyOptions(app);
    std::ranges::reverse(words);  // CLI11 takes them from the end
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitFull : kExitUsage;
  }
  if (run->parsed()) return RunCommand(run_options);
  if (check->parsed()) {
    if (submissions.size() > 1) return Complain(SeveralSubmissions(submissions), kExitUsage);
    options.submission = submissions.front();
    return CheckCommand(options);
  }
  if (validate->parsed()) return ValidateCommand(validate_options);
  return list->parsed() ? ListCommand(list_json) : DoctorCommand();
}

}  // namespace warpcheck
