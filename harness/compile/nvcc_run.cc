#include "compile/nvcc_run.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <sstream>
#include <utility>

#include "base/files.h"
#include "compile/cache.h"
#include "compile/embedded_ptx.h"
#include "compile/forbidden_includes.h"
#include "compile/messages/compile_hint.h"
#include "compile/messages/compile_log.h"
#include "compile/messages/link_error.h"
#include "compile/messages/ptxas_log.h"
#include "compile/nvcc_command.h"
#include "compile/ptx_place.h"
#include "sandbox/bubblewrap.h"

namespace warpcheck::compile {
namespace {

namespace fs = std::filesystem;
using sandbox::Cause;

constexpr std::size_t kMostPtxBytes = std::size_t{64} << 20;  // the limit for one file
// The limit for all runs of ptxas together. A kernel with 2,000 live registers that had to be
// spilled takes 5 s.
constexpr std::chrono::seconds kPtxasTime{15};
constexpr std::uint64_t kMaxPtxasOutput = std::uint64_t{16} << 20;
constexpr std::chrono::milliseconds kLookForPtx{5};
constexpr int kMaxExplained = 16;   // so many complaints of ptxas are explained
constexpr char kCubin[] = "cubin";  // a file of the output that is not used

Result<> MakeFolders(const NvccRun& run) {
  std::error_code failure;
  fs::create_directory(run.work / "in", failure);
  fs::create_directories(run.work / "out" / kKept, failure);
  fs::permissions(run.work / "out", fs::perms::all, failure);
  fs::permissions(run.work / "out" / kKept, fs::perms::all, failure);
  return WriteSources(run.sources, run.work / "in");
}

sandbox::Command CompileCommand(const NvccRun& run, const Places& places) {
  sandbox::Command command = NvccCommand(run, places);
  if (run.only_kernels) {
    command.arguments.emplace_back("-ptx");
  } else {
    command.arguments.insert(command.arguments.end(), {"-shared", "-keep", "-keep-dir",
                                                       fmt::format("{}/{}", places.output, kKept)});
  }
  // nvcc cannot mistake a full path for an option.
  for (const std::string& name : run.sources.kernels) {
    command.arguments.push_back(fmt::format("{}/{}", places.sources, name));
  }
  command.arguments.insert(command.arguments.end(),
                           {"-o", fmt::format("{}/{}", places.output, kObjectName)});
  return command;
}

void SetMessage(CompileError& error, std::string message) {
  error.where = {};
  error.message = std::move(message);
  error.log += error.message + "\n";
}

CompileError ErrorOf(const sandbox::Ending& ending, const NvccRun& run, const NvccEnd& end,
                     const std::string& log) {
  CompileError error = ParseErrors(log);
  if (auto link = FindLinkError(log, run.sources)) {
    error.where = link->where;
    error.message = link->message;
    error.log += error.message + "\n";
  }
  const bool too_large = ending.cause == Cause::kExited && ending.exit_code != 0 &&
                         log.find("File too large") != std::string::npos;
  if (too_large || (ending.cause != Cause::kExited && ending.cause != Cause::kSignaled)) {
    sandbox::Ending limit = ending;
    if (too_large) limit.cause = Cause::kFileSize;
    SetMessage(error, "compiling " + limit.Text(run.limits));
  } else if (end.standing == Standing::kCrash) {
    SetMessage(error, "the compiler crashes on it: " + end.why);
  }
  const std::string hint = CompileHint(error.message, run.language);
  if (!hint.empty()) error.log += fmt::format("hint: {}\n", hint);
  return error;
}

bool IsFile(const fs::path& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// Returns the PTX files that nvcc made, one for each .cu file, in the order of their names.
std::vector<fs::path> PtxFiles(const NvccRun& run) {
  std::vector<fs::path> files;
  for (const std::string& kernel : run.sources.kernels) {
    fs::path file = run.work / "out" / kKept / fs::path(kernel).filename();
    file.replace_extension(".ptx");
    if (IsFile(file)) files.push_back(std::move(file));
  }
  return files;
}

// Explains a complaint by the source line and the PTX line. The submission itself wrote its inline
// PTX.
std::string Explained(const PtxasComplaint& complaint, const NvccRun& run, const Places& places) {
  PtxPlace place;
  for (const fs::path& file : PtxFiles(run)) {
    if (file.filename() != complaint.file) continue;
    if (const auto ptx = ReadFile(file, kMostPtxBytes)) place = PlaceInPtx(*ptx, complaint.line);
  }
  std::string name = place.where.file;
  if (name.starts_with(places.sources + "/")) name.erase(0, places.sources.size() + 1);
  const std::string where =
      place.where.known() ? fmt::format("{}({})", name, place.where.line) : complaint.file;
  return fmt::format("{}: {}: {}, in the PTX `{}`", where, complaint.kind, complaint.message,
                     place.text);
}

// Replaces the first complaints of ptxas by explanations.
std::string ExplainPtxLines(const std::string& log, const NvccRun& run, const Places& places) {
  std::istringstream lines{log};
  std::string text;
  int explained = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto complaint = explained < kMaxExplained ? ParsePtxasPlace(line) : std::nullopt;
    if (complaint) ++explained;
    text += (complaint ? Explained(*complaint, run, places) : line) + "\n";
  }
  return text;
}

// Returns an error that says which does not work here: the whole sandbox, or only the compiler.
tl::unexpected<Error> NeverRan(sandbox::Sandbox& sandbox, const std::string& compiler,
                               const std::string& ending) {
  WARPCHECK_TRY(sandbox::Works(sandbox));
  return Fail(compiler + " " + ending);
}

std::chrono::seconds PtxasTime(const NvccRun& run) {
  return std::min(kPtxasTime, run.limits.cpu_time);
}

// PtxasRuns keeps how ptxas ended for each PTX file, and the processor time that is left for the
// other files.
struct PtxasRuns {
  std::map<fs::path, Result<sandbox::Ending>> endings;
  std::chrono::milliseconds left;
};

Result<sandbox::Ending>& RunPtxas(sandbox::Sandbox& sandbox, const NvccRun& run,
                                  const Places& places, const fs::path& ptx, PtxasRuns& runs) {
  if (const auto known = runs.endings.find(ptx); known != runs.endings.end()) return known->second;
  if (runs.left.count() <= 0) {
    return runs.endings.emplace(ptx, sandbox::Ending{.cause = Cause::kCpuTime}).first->second;
  }
  sandbox::Command command = CommandOf(run, run.nvcc.parent_path() / "ptxas");
  command.arguments.insert(command.arguments.end(),
                           {"-v", "-m64", fmt::format("-arch=sm_{}", run.ptx_target),
                            fmt::format("{}/{}/{}", places.output, kKept, ptx.filename().string()),
                            "-o", fmt::format("{}/{}", places.output, kCubin)});
  command.limits.output_bytes = kMaxPtxasOutput;
  command.limits.cpu_time = std::chrono::ceil<std::chrono::seconds>(runs.left);
  auto ending = sandbox.Run(command);
  if (ending) runs.left -= ending->cause == Cause::kCpuTime ? runs.left : ending->cpu_time;
  return runs.endings.emplace(ptx, std::move(ending)).first->second;
}

// Runs nvcc. While it compiles the host's code, runs ptxas on the PTX that is already complete.
Result<sandbox::Ending> RunBoth(sandbox::Sandbox& sandbox, const NvccRun& run, const Places& places,
                                PtxasRuns& runs) {
  auto nvcc =
      std::async(std::launch::async, [&] { return sandbox.Run(CompileCommand(run, places)); });
  while (nvcc.wait_for(kLookForPtx) != std::future_status::ready) {
    for (const fs::path& ptx : PtxFiles(run)) {
      // nvcc creates the .fatbin file when the PTX is complete.
      if (IsFile(fs::path(ptx).replace_extension(".fatbin"))) {
        (void)RunPtxas(sandbox, run, places, ptx, runs);
      }
    }
  }
  return nvcc.get();
}

// Reads the version from the comments at the beginning: "// Cuda compilation tools, release 13.0,
// V13.0.88".
std::string ToolkitOf(std::string_view ptx) {
  constexpr std::string_view kMark = "// Cuda compilation tools, release ";
  const std::size_t line = ptx.find(kMark);
  if (line == std::string_view::npos) return "";
  const std::string_view text = ptx.substr(line, ptx.find('\n', line) - line);
  const std::size_t version = text.rfind(", V");
  return version == std::string_view::npos ? "" : std::string(text.substr(version + 3));
}

// Adds ptxas's figures to the artifact. ptxas refuses what no GPU of this generation can run, such
// as too much shared memory; the device reports that when the kernel is launched.
Result<NvccEnd> AddResources(sandbox::Sandbox& sandbox, const NvccRun& run, const Places& places,
                             PtxasRuns runs, NvccEnd end) {
  for (const fs::path& file : PtxFiles(run)) {
    Result<sandbox::Ending>& ending = RunPtxas(sandbox, run, places, file, runs);
    if (!ending) return Fail(ending.error());
    if (ending->cause == Cause::kSandboxFault) {
      return NeverRan(sandbox, "ptxas", ending->Text(run.limits));
    }
    end.standing = StandingOf(*ending, end.why);
    if (ending->cause == Cause::kCpuTime) {
      end.outcome = {.artifact = std::nullopt, .error = CompileError()};
      SetMessage(*end.outcome.error,
                 fmt::format("ptxas, which counts the registers of the kernels, used more than {} "
                             "s of CPU time for all files together",
                             PtxasTime(run).count()));
      end.outcome.error->log +=
          "hint: write shorter kernels, with fewer values that live at once\n";
      return end;
    }
    if (end.standing != Standing::kVerdict || ending->cause != Cause::kExited) {
      end.outcome = {.artifact = std::nullopt, .error = ErrorOf(*ending, run, end, "")};
      if (end.why.empty()) end.why = end.outcome.error->message;
      return end;
    }
    const auto ptx = ReadFile(file, kMostPtxBytes);
    if (!ptx) {
      end.outcome = {.artifact = std::nullopt, .error = CompileError()};
      SetMessage(*end.outcome.error, fmt::format("the PTX of {} is larger than {} MiB",
                                                 file.stem().string(), kMostPtxBytes >> 20));
      return end;
    }
    end.outcome.artifact->toolkit = ToolkitOf(*ptx);
    const std::string log = ending->stdout_text + ending->stderr_text;
    end.outcome.artifact->modules.push_back({.digest = PtxDigest(*ptx),
                                             .refusal = FirstPtxasError(log),
                                             .kernels = ParsePtxasLog(log, *ptx)});
  }
  return end;
}

// Returns the error for the first of these lines. `log` is what the compiler said without them.
Outcome Refused(const std::vector<ForbiddenInclude>& lines, const NvccRun& run,
                const std::string& log = {}) {
  CompileError error = NotAllowed(lines.front(), run.language);
  if (!log.empty()) error.log += "without it the compiler says:\n" + log;
  return {.artifact = std::nullopt, .error = std::move(error)};
}

}  // namespace

Result<NvccEnd> RunNvcc(sandbox::Sandbox& sandbox, const NvccRun& run) {
  WARPCHECK_TRY(MakeFolders(run));
  const Places places = PlacesOf(sandbox, run);
  const auto forbidden = WARPCHECK_TRY(FindBeforeCompiling(sandbox, run, places));
  if (!forbidden.empty()) {
    const auto rest = Without(forbidden, run.sources);
    if (!rest) return NvccEnd{.outcome = Refused(forbidden, run)};
    WARPCHECK_TRY(WriteSources(*rest, run.work / "in"));
  }
  PtxasRuns runs{.endings = {}, .left = PtxasTime(run)};
  auto ending = WARPCHECK_TRY(RunBoth(sandbox, run, places, runs));
  if (ending.cause == Cause::kSandboxFault) {
    return NeverRan(sandbox, "nvcc", ending.Text(run.limits));
  }

  NvccEnd end;
  end.standing = StandingOf(ending, end.why);
  std::string log = CleanLog(ending.stdout_text + ending.stderr_text,
                             {places.sources, fmt::format("{}/{}", places.output, kKept)});
  if (ending.exit_code != 0) log = ExplainPtxLines(log, run, places);
  const fs::path object = run.work / "out" / kObjectName;
  if (end.standing == Standing::kVerdict && ending.cause == Cause::kExited &&
      ending.exit_code == 0 && IsFile(object)) {
    if (auto found = WARPCHECK_TRY(FindAfterCompiling(run, places))) {
      end.outcome.error = *std::move(found);
      return end;
    }
    Artifact& artifact = end.outcome.artifact.emplace();
    artifact.shared_object = object;
    artifact.warnings = NeedlessWarnings(forbidden) + log;
    for (const std::string& name : run.sources.kernels) {
      artifact.sources.push_back(fmt::format("{}/{}", places.sources, name));
    }
    return AddResources(sandbox, run, places, std::move(runs), std::move(end));
  }
  end.outcome.error = ErrorOf(ending, run, end, log);
  if (end.standing == Standing::kVerdict && !forbidden.empty()) {
    end.outcome = Refused(forbidden, run, end.outcome.error->log);
  }
  if (end.standing != Standing::kVerdict && end.why.empty()) end.why = end.outcome.error->message;
  return end;
}

}  // namespace warpcheck::compile
