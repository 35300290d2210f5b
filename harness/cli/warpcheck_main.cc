#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>

#include "cli/commands.h"
#include "cli/places.h"
#include "report/reports.h"

namespace {

// CLI11 would take "-1" for a large number, and "nan" for one within any range.
std::string Digits(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? "" : text + " is no whole number below 2^64";
}

std::string Percent(const std::string& text) {
  double percent = -1;
  const bool number = CLI::detail::lexical_cast(text, percent);
  return number && percent >= 0 && percent <= 100 ? "" : text + " is no number from 0 to 100";
}

CLI::App* AddBatch(CLI::App& app, warpcheck::BatchOptions& options) {
  CLI::App* batch = app.add_subcommand("batch", "Grade a class");
  batch->add_option("assignment", options.assignment, "see warpcheck list")->required();
  batch->add_option("submissions", options.source, "a folder or an archive of them")->required();
  batch->add_option("--out", options.out, "the folder for grades and reports")->required();
  batch->add_option("--jobs", options.jobs, "grade this many at once (as many as there are cores)")
      ->check(CLI::Range(1, 4096));
  batch->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  batch->add_option("--executor", options.executor, "who grades: local, this machine; or slurm")
      ->check(CLI::IsMember({"local", "slurm"}));
  batch->add_option("--slurm-options", options.slurm_options,
                    "more options for sbatch: \"--partition=gpu --account=course\"");
  CLI::Option* resume =
      batch->add_flag("--resume", options.resume, "go on with the batch in the folder");
  batch
      ->add_option(
          "--regrade", options.regrade,
          "grade those again whose id matches, whatever their score is, and build them anew")
      ->needs(resume);
  batch->add_option("--only", options.only, "grade those whose id matches, as in \"a*\"");
  batch->add_option("--seed", options.seed, "repeat the random inputs of an earlier batch")
      ->check(&Digits);
  batch->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  batch->add_flag("--no-memcheck", options.no_memcheck,
                  "on a GPU: faster, but reads out of bounds are not looked for");
  return batch;
}

// For batches, not for people.
CLI::App* AddGradeChunk(CLI::App& app, warpcheck::GradeChunkOptions& options) {
  CLI::App* chunk = app.add_subcommand("grade-chunk")->group("");
  chunk->add_option("array", options.array)->required();
  chunk->add_option("task", options.task)->required();
  return chunk;
}

CLI::App* AddLab(CLI::App& app, warpcheck::LabOptions& options) {
  CLI::App* lab = app.add_subcommand("lab", "What the kernels of a lecture reach on a device");
  lab->add_option("lab", options.lab, "transpose")->required()->check(CLI::IsMember({"transpose"}));
  lab->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  lab->add_option("--sizes", options.sizes, "of a side, in elements: 256,512")
      ->delimiter(',')
      ->check(&Digits);
  lab->add_option("--svg", options.svg, "write a plot of the bandwidths to this file");
  return lab;
}

CLI::App* AddParity(CLI::App& app, warpcheck::ParityOptions& options) {
  CLI::App* parity = app.add_subcommand(
      "parity", "Count the calibration set on a device, and compare it with another, line by line");
  parity->add_option("measured", options.measured, "compare this file, in place of a new run");
  parity->add_option("--device", options.device, "emulator or gpu")
      ->check(CLI::IsMember({"emulator", "gpu"}));
  parity->add_option("--set", options.set, "the calibration set");
  parity->add_option("--only", options.only, "measure what matches, as in --gtest_filter");
  parity->add_option("--jobs", options.jobs, "run this many at once")->check(&Digits);
  parity->add_option("--write", options.write, "write what was counted to this file");
  parity->add_option("--against", options.against, "compare with what this file holds");
  parity->add_option("--known", options.known, "the list of known disagreements");
  parity->add_flag("--all", options.all, "show known disagreements too");
  parity->add_flag("--rows", options.rows, "show rows for the list of known disagreements instead");
  parity->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  return parity;
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
                  "all, none, or checkers by commas: " + warpcheck::CheckerList());
  run->add_option("--counters", options.counters, "write all counters and findings to this file");
  run->add_option("--trace", options.trace, "kernel:line: draw the accesses of this line");
  run->add_flag("--break-on-finding", options.break_on_finding,
                "show the warp's registers at the first finding; the program goes on");
  run->add_flag("--fail-on-findings", options.fail_on_findings,
                "exit 1 where the program exits 0 and something was found");
  run->add_option("--lines", options.lines, "show this many lines of each kernel")->check(&Digits);
  run->add_option("--seed", options.seed, "run blocks and warps in an order drawn from it")
      ->check(&Digits);
  run->add_option("--threads", options.threads,
                  "run kernels on so many threads (as many as there are cores)")
      ->check(CLI::Range(1, 256));
  run->add_option("--memory", options.memory_gib, "of the device, in GiB (4)")
      ->check(CLI::Range(1, 1024));
  run->add_option("--instructions", options.instructions,
                  "end a kernel once all have executed so many warp instructions")
      ->check(&Digits);
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
  validate->add_option("assignment", options.assignment, "see warpcheck list")->required();
  validate->add_option("--device", options.device, "auto, emulator or gpu")
      ->check(CLI::IsMember({"auto", "emulator", "gpu"}));
  validate->add_option("--seed", options.seed, "repeat the random inputs of an earlier run")
      ->check(&Digits);
  validate
      ->add_option("--repeat", options.repeat,
                   "grade every N-th program twice: the reports have to be the same")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  validate->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  return validate;
}

int Main(int argc, char** argv) {
  CLI::App app("warpcheck grades and runs CUDA kernels, with or without a GPU");
  app.set_version_flag("--version", warpcheck::kVersion);
  app.require_subcommand(1);

  warpcheck::CheckOptions options;
  CLI::App* check = app.add_subcommand("check", "Grade one submission");
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
      ->check(&Digits);
  check->add_flag("--no-sandbox", options.no_sandbox, "no isolation: for code you trust");
  check->add_flag("--no-memcheck", options.no_memcheck,
                  "on a GPU: faster, but reads out of bounds are not looked for");
  check->add_option("--fail-under", options.fail_under, "exit 0 from this percentage on")
      ->check(&Percent);
  warpcheck::BatchOptions batch_options;
  CLI::App* batch = AddBatch(app, batch_options);
  CLI::App* worker = app.add_subcommand("grade-worker")->group("");  // not for people
  std::filesystem::path references;
  worker->add_option("--references", references)->required();
  warpcheck::GradeChunkOptions chunk_options;
  CLI::App* chunk = AddGradeChunk(app, chunk_options);
  warpcheck::LabOptions lab_options;
  CLI::App* lab = AddLab(app, lab_options);
  warpcheck::ParityOptions parity_options;
  CLI::App* parity = AddParity(app, parity_options);
  warpcheck::ValidateOptions validate_options;
  CLI::App* validate = AddValidate(app, validate_options);
  warpcheck::RunOptions run_options;
  CLI::App* run = AddRun(app, run_options);
  CLI::App* list = app.add_subcommand("list", "Show the assignments");
  app.add_subcommand("doctor", "Show what works on this machine, and how to fix the rest");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? warpcheck::kExitFull : warpcheck::kExitUsage;
  }
  if (batch->parsed()) return warpcheck::BatchCommand(batch_options);
  if (worker->parsed()) return warpcheck::GradeWorkerCommand(references);
  if (chunk->parsed()) return warpcheck::GradeChunkCommand(chunk_options);
  if (lab->parsed()) return warpcheck::LabCommand(lab_options);
  if (parity->parsed()) return warpcheck::ParityCommand(parity_options);
  if (run->parsed()) {
    return TakeProgram(*run, run_options.program) ? warpcheck::RunCommand(run_options)
                                                  : warpcheck::kExitUsage;
  }
  if (check->parsed()) return warpcheck::CheckCommand(options);
  if (validate->parsed()) return warpcheck::ValidateCommand(validate_options);
  return list->parsed() ? warpcheck::ListCommand() : warpcheck::DoctorCommand();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "error: warpcheck itself failed: %s\n", exception.what());
    return warpcheck::kExitFault;
  }
}
