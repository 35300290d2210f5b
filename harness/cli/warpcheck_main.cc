#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/places.h"
#include "report/reports.h"
#include "run/settings.h"

namespace {

std::string Percent(const std::string& text) {
  double percent = -1;
  const bool number = CLI::detail::lexical_cast(text, percent);
  return number && percent >= 0 && percent <= 100 ? "" : text + " is no number from 0 to 100";
}

constexpr char kRunUsage[] = R"(
warpcheck run [OPTIONS] program [arguments ...]: what follows the program's name is its own.

Examples:
  warpcheck run ./transpose 1024          a program built with nvcc -cudart shared -lineinfo
  warpcheck run transpose.cu 1024         built first, and kept in the build cache
  warpcheck run --trace tiled:16 ./a.out  which lane hits which bank or sector in line 16
  warpcheck run --counters c.json --check none ./a.out

The program's output, input, signals and exit status are its own; the report goes to stderr when it
has ended. Status 1: --fail-on-findings, and there are some. 2: it cannot be built or started.
3: warpcheck itself failed.)";

// Everything from the program's name on is the program's.
CLI::App* AddRun(CLI::App& app, warpcheck::RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Run any CUDA program on the emulator, and count");
  run->footer(kRunUsage);
  run->prefix_command();
  run->add_option("--check", options.checks,
                  "all, none, or checkers by commas: " + warpcheck::run::CheckerList());
  run->add_option("--counters", options.counters, "write all counters and findings to this file");
  run->add_option("--trace", options.trace, "kernel:line: draw the accesses of this line");
  run->add_flag("--break-on-finding", options.break_on_finding,
                "show the warp's registers at the first finding; the program goes on");
  run->add_flag("--fail-on-findings", options.fail_on_findings,
                "exit 1 where the program exits 0 and something was found");
  run->add_option("--lines", options.lines, "show this many lines of each kernel")
      ->check(&warpcheck::Digits);
  run->add_option("--seed", options.seed, "run blocks and warps in an order drawn from it")
      ->check(&warpcheck::Digits);
  run->add_option("--threads", options.threads,
                  "run kernels on so many threads (as many as there are cores)")
      ->check(CLI::Range(1, 256));
  run->add_option("--memory", options.memory_gib, "of the device, in GiB (4)")
      ->check(CLI::Range(1, 1024));
  run->add_option("--instructions", options.instructions,
                  "end a kernel once all have executed so many warp instructions")
      ->check(&warpcheck::Digits);
  run->add_option("--nvcc", options.nvcc_flags, "a flag for nvcc that builds the .cu")
      ->allow_extra_args(false);
  return run;
}

// What is left of the command line: the program, also after "--".
bool TakeProgram(const CLI::App& run, std::vector<std::string>& program) {
  program = run.remaining();
  if (!program.empty() && program.front() == "--") program.erase(program.begin());
  if (program.empty()) {
    std::fputs("a program is missing: warpcheck run [OPTIONS] program [arguments ...]\n", stderr);
    return false;
  }
  if (program.front().starts_with('-')) {
    std::fprintf(stderr, "there is no option %s: see warpcheck run --help\n",
                 program.front().c_str());
    return false;
  }
  return true;
}

CLI::App* AddValidate(CLI::App& app, warpcheck::ValidateOptions& options) {
  CLI::App* validate =
      app.add_subcommand("validate", "Prove that an assignment is ready to be handed out");
  warpcheck::AddCourseOptions(*validate);
  validate->add_option("assignment", options.assignment, "see warpcheck list")->required();
  validate->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  validate->add_option("--seed", options.seed, "repeat the random inputs of an earlier run")
      ->check(&warpcheck::Digits);
  validate
      ->add_option("--repeat", options.repeat,
                   "grade every N-th program twice: the reports have to be the same")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  validate->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  return validate;
}

// Commands of programs that lie beside this one: what a student's grade does not need is not built
// for it. Their options are theirs.
struct Elsewhere {
  std::string name;
  std::string program;
  std::string what;  // for people; empty: not for them
};
const Elsewhere kElsewhere[] = {
    {"batch", "warpcheck_class", "Grade a class"},
    {"note", "warpcheck_class", "Set a student's mark in a batch, or comment on it"},
    {"new", "warpcheck_class", "Begin a course or an assignment"},
    {"build", "warpcheck_class", "Compile a course's assignments"},
    {"handout", "warpcheck_class", "Make the folder that a student of an assignment receives"},
    {"grade-worker", "warpcheck_class", ""},
    {"grade-chunk", "warpcheck_class", ""},
    {"lab", "warpcheck_measure", "What the kernels of a lecture reach on a device"},
    {"parity", "warpcheck_measure",
     "Count the calibration set on a device, and compare it with another, line by line"},
    {"mutation", "warpcheck_measure", "Grade small changes of references: do the checks notice?"},
    {"more-work", "warpcheck_measure", "Grade test submissions with more work: does a score rise?"},
};

// Becomes the program of a command, which is told the same. Returns only where it cannot.
int Become(const Elsewhere& command, char** argv) {
  const std::filesystem::path program = warpcheck::Programs() / command.program;
  ::execv(program.c_str(), argv);
  std::fprintf(stderr, "error: warpcheck %s needs %s, which cannot be started: %s\n  hint: %s\n",
               command.name.c_str(), program.c_str(), std::strerror(errno),
               "`make build` makes all programs");
  return warpcheck::kExitFault;
}

int Main(int argc, char** argv) {
  const int named = warpcheck::CommandAt(argc, argv);
  for (const Elsewhere& command : kElsewhere) {
    if (named < argc && argv[named] == command.name) return Become(command, argv);
  }
  CLI::App app("warpcheck grades and runs CUDA kernels, with or without a GPU");
  app.set_version_flag("--version", warpcheck::kVersion);
  app.require_subcommand(1);
  warpcheck::AddCourseOptions(app);

  warpcheck::CheckOptions options;
  CLI::App* check = app.add_subcommand("check", "Grade one submission");
  warpcheck::AddCourseOptions(*check);
  check->add_option("assignment", options.assignment, "see warpcheck list")->required();
  check->add_option("submission", options.submission, "a .cu file, or a folder")->required();
  check->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  for (const warpcheck::ReportFormat& format : warpcheck::ReportFormats()) {
    check->add_option_function<std::string>(
        fmt::format("--{}", format.name),
        [&options, name = format.name](const std::string& path) { options.reports[name] = path; },
        fmt::format("write {} to this file", format.what));
  }
  check->add_option("--seed", options.seed, "repeat the random inputs of an earlier run")
      ->check(&warpcheck::Digits);
  check->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  check->add_option("--fail-under", options.fail_under, "exit 0 from this percentage on")
      ->check(&Percent);
  warpcheck::ValidateOptions validate_options;
  CLI::App* validate = AddValidate(app, validate_options);
  warpcheck::RunOptions run_options;
  CLI::App* run = AddRun(app, run_options);
  CLI::App* list = app.add_subcommand("list", "Show the assignments");
  warpcheck::AddCourseOptions(*list);
  app.add_subcommand("doctor", "Show what works on this machine, and how to fix the rest");
  for (const Elsewhere& command : kElsewhere) {
    app.add_subcommand(command.name, command.what)
        ->group(command.what.empty() ? "" : "SUBCOMMANDS");
  }

  if (named < argc && argv[named][0] != '-') {
    if (const auto unknown = warpcheck::UnknownCommand(app, argv[named]); !unknown.empty()) {
      std::fprintf(stderr, "%s\n", unknown.c_str());
      return warpcheck::kExitUsage;
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? warpcheck::kExitFull : warpcheck::kExitUsage;
  }
  if (run->parsed()) {
    return TakeProgram(*run, run_options.program) ? warpcheck::RunCommand(run_options)
                                                  : warpcheck::kExitUsage;
  }
  if (check->parsed()) return warpcheck::CheckCommand(options);
  if (validate->parsed()) return warpcheck::ValidateCommand(validate_options);
  return list->parsed() ? warpcheck::ListCommand() : warpcheck::DoctorCommand();
}

}  // namespace

int main(int argc, char** argv) { return warpcheck::RunMain(argc, argv, Main); }
