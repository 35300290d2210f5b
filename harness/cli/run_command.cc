#include "cli/run_command.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <thread>

#include "base/files.h"
#include "base/json/text.h"
#include "base/programs.h"
#include "base/scratch_folder.h"
#include "base/text/kernel_name.h"
#include "cli/exit_status.h"
#include "cli/run/build_warnings.h"
#include "cli/run/child_program.h"
#include "cli/run/program_build.h"
#include "cli/run/runtime_version.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "cpptext/statements.h"
#include "host/nvcc.h"
#include "host/places.h"
#include "host/version.h"
#include "report/html/annotated_source.h"
#include "report/html/run_page.h"
#include "report/kernel_costs.h"
#include "report/machine/run_json.h"
#include "report/machine/run_sarif.h"
#include "report/terminal/run_report.h"
#include "run/journal.h"
#include "run/launch_sums.h"
#include "run/settings.h"
#include "run/unoffered.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

// The most threads that are used without --threads. The number is limited because each thread needs
// memory of its own.
constexpr unsigned kMostThreads = 16;

// Parses "transpose:12", or a kernel as reports name it: "ns::transpose<float>(float*):12".
Result<run::TraceTarget> TraceTargetFrom(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  run::TraceTarget target;
  if (colon != std::string::npos && colon != 0) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, target.line);
    target.kernel = PlainKernelName(std::string_view(text).substr(0, colon));
    const bool is_line = error == std::errc() && stop == end && target.line > 0;
    if (is_line && !target.kernel.empty()) return target;
  }
  return Fail(fmt::format("--trace {} is not of the form kernel:line", text), {},
              "name a kernel and a line of its source: --trace transpose:12");
}

Result<run::Settings> SettingsFrom(const RunOptions& options) {
  run::Settings settings;
  settings.checks = WARPCHECK_TRY(run::CheckersNamed(options.checks));
  if (!options.trace.empty()) {
    settings.trace = WARPCHECK_TRY(TraceTargetFrom(options.trace));
  }
  settings.timeline = options.timeline;
  settings.calls = options.calls;
  settings.break_on_finding = options.break_on_finding;
  settings.order_seed = options.seed;
  settings.threads =
      options.threads.value_or(std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads));
  settings.memory_bytes = options.memory_gib * kGibibyte;
  if (options.instructions) settings.instruction_budget = *options.instructions;
  if (const auto nvcc = Nvcc()) {
    std::error_code error;
    const fs::path toolkit = fs::canonical(*nvcc, error).parent_path().parent_path();
    if (!error) settings.system_folders.push_back(toolkit.string());
  }
  return settings;
}

// Finds the program's file. Looks up a name without a folder on PATH, as a shell does.
Result<fs::path> FindProgram(const std::string& name) {
  std::error_code error;
  if (name.find('/') == std::string::npos && !name.ends_with(".cu")) {
    if (const auto found = OnPath(name)) return *found;
    const bool here = fs::exists(name, error);
    return NotFound(fmt::format("there is no program {}", name),
                    here ? fmt::format("it is in this folder: write ./{}", name) : "");
  }
  if (!fs::exists(name, error)) return NotFound(fmt::format("there is no program {}", name));
  if (fs::is_directory(name, error)) {
    return Fail(fmt::format("{} is a folder, not a program", name));
  }
  if (!name.ends_with(".cu") && !IsExecutable(name)) {
    return Fail(fmt::format("{} is not executable", name), {}, "give a program or a .cu file");
  }
  return fs::path(name);
}

Result<BuiltProgram> ProgramOf(const RunOptions& options) {
  auto found = WARPCHECK_TRY(FindProgram(options.program.front()));
  if (found.extension() != ".cu") return BuiltProgram{.path = std::move(found), .output = {}};
  const auto cache = WARPCHECK_TRY(CacheFolder());
  return BuildProgram({.file = found, .flags = options.nvcc_flags}, cache);
}

// Returns the environment variables that make a program use our runtime. LD_PRELOAD names the
// runtime, because a program's own search path may come before LD_LIBRARY_PATH.
std::vector<std::string> VariablesFor(const fs::path& folder, int runtime) {
  const fs::path libraries = Programs() / "runtime";
  const std::string library = (libraries / fmt::format("libcudart.so.{}", runtime)).string();
  const auto before = [](const std::string& first, const char* variable) {
    const std::string rest = Environment(variable);
    return fmt::format("{}={}{}{}", variable, first, rest.empty() ? "" : ":", rest);
  };
  return {before(library, "LD_PRELOAD"), before(libraries.string(), "LD_LIBRARY_PATH"),
          fmt::format("{}={}", run::kFolderVariable, folder.string())};
}

// Holds the statements of source files; each file is read once.
class Sources {
 public:
  std::string Statement(const SourceLocation& where) {
    if (!where.known()) return "";
    const auto [file, added] = files_.try_emplace(where.file);
    if (added) file->second = ReadFile(where.file, std::size_t{16} << 20).value_or("");
    return cpptext::StatementAt(file->second, where.line);
  }

 private:
  std::map<std::string, std::string> files_;
};

// Returns the name of a file as seen from `folder`; the whole path if the file is not below it.
std::string ShownFile(const std::string& file, const fs::path& folder) {
  const fs::path relative = fs::path(file).lexically_relative(folder);
  return relative.empty() || relative.native().starts_with("..") ? file : relative.string();
}

Result<> Report(const RunOptions& options, const run::ProgramFile& program, const ChildEnd& end,
                const std::vector<run::ProcessResult>& processes) {
  Sources sources;
  RunReportOptions report;
  report.program = options.program.front();
  report.lines = options.lines;
  report.failed = end.signaled || end.code != 0;
  for (const std::string& library : program.libraries) {
    if (auto part = run::UnofferedLibrary(library)) report.unoffered.push_back(std::move(*part));
  }
  report.source = [&](const SourceLocation& where) { return sources.Statement(where); };
  std::error_code error;
  const fs::path here = options.root.empty() ? fs::current_path(error) : options.root;
  report.shown_file = [&](const std::string& file) { return ShownFile(file, here); };
  if (options.report.empty()) {
    fmt::print(stderr, "\n{}", RunReport(processes, report, StyleOf(STDERR_FILENO)));
  } else {
    WARPCHECK_TRY(WriteFile(options.report, RunReport(processes, report, TerminalStyle{})));
  }
  if (!options.html.empty()) {
    const RunPageOptions page{
        .program = report.program, .source = report.source, .shown_file = report.shown_file};
    WARPCHECK_TRY(WriteFile(options.html, RunPage(processes, page)));
  }
  if (!options.sarif.empty()) {
    const RunSarifOptions sarif = {.program = ShownFile(options.program.front(), here),
                                   .version = kVersion,
                                   .source = report.source,
                                   .shown_file = report.shown_file};
    WARPCHECK_TRY(WriteFile(options.sarif, RunSarif(processes, sarif)));
  }
  if (options.counters.empty()) return {};
  return WriteFile(options.counters, JsonText(RunJson(processes, report.program), 2) + "\n");
}

// Fails if the traced line made no access.
Result<> CheckTrace(const run::Settings& settings,
                    const std::vector<run::ProcessResult>& processes) {
  if (!settings.trace) return {};
  std::string kernels;
  for (const run::ProcessResult& process : processes) {
    if (!process.samples.empty()) return {};
    for (const run::LaunchGroup& group : process.launches) {
      const std::string name = PlainKernelName(group.sum.kernel);
      if (name == settings.trace->kernel) {
        return Fail(fmt::format("line {} of {} made no access to global or shared memory",
                                settings.trace->line, name),
                    {}, "the table above names lines that did");
      }
      if (kernels.find(name + ", ") == std::string::npos) kernels += name + ", ";
    }
  }
  if (kernels.empty()) return Fail("nothing was traced, because no kernel was launched");
  kernels.resize(kernels.size() - 2);
  return Fail(fmt::format("there is no kernel {} to trace", settings.trace->kernel), {},
              "the program launched " + kernels);
}

// Tests, before the program runs, that the file can be written.
Result<> CheckOutput(const fs::path& path) {
  if (path.empty()) return {};
  std::error_code error;
  const auto parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(path, error) || ::access(parent.c_str(), W_OK | X_OK) != 0) {
    return Fail(fmt::format("cannot write {}: it is a folder, or its folder cannot be written",
                            path.string()));
  }
  return {};
}

tl::expected<int, Stop> Run(const RunOptions& options) {
  const auto settings = WARPCHECK_TRY(OrStop(kExitUsage, SettingsFrom(options)));
  for (const fs::path& output : {options.counters, options.report, options.html, options.sarif}) {
    WARPCHECK_TRY(OrStop(kExitUsage, CheckOutput(output)));
  }
  const auto program = WARPCHECK_TRY(OrStop(kExitUsage, ProgramOf(options)));
  const auto file = WARPCHECK_TRY(OrStop(kExitUsage, run::InspectProgram(program.path)));
  const int runtime = WARPCHECK_TRY(OrStop(kExitUsage, RuntimeFor(file, options.program.front())));

  ChildEnd end;
  std::vector<run::ProcessResult> processes;
  {
    const auto folder = WARPCHECK_TRY(OrStop(kExitFault, ScratchFolder::Make()));
    WARPCHECK_TRY(OrStop(kExitFault, run::WriteSettings(folder.path(), settings)));
    end = WARPCHECK_TRY(OrStop(kExitUsage, RunInForeground(program.path, options.program,
                                                           VariablesFor(folder.path(), runtime))));
    processes = WARPCHECK_TRY(OrStop(kExitFault, run::ReadJournals(folder.path())));
    ExplainTraps(BuildWarningsIn(program.output), processes);
  }
  WARPCHECK_TRY(OrStop(kExitFault, Report(options, file, end, processes)));
  if (auto traced = CheckTrace(settings, processes); !traced) Complain(traced.error(), kExitUsage);
  const bool well = !end.signaled && end.code == 0;
  if (well && options.fail_on_findings && WrongFindings(processes) != 0) return kExitLost;
  return EndLike(end);
}

}  // namespace

int RunCommand(const RunOptions& options) { return StatusOf(Run(options)); }

}  // namespace warpcheck
