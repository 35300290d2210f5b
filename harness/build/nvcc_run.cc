#include "build/nvcc_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>

#include <utility>

#include "base/allocator.h"
#include "base/files.h"
#include "build/cache.h"
#include "build/compile_log.h"
#include "build/compiler_death.h"

namespace warpcheck::build {
namespace {

namespace fs = std::filesystem;
using sandbox::Cause;

constexpr char kInside[] = "/submission";
constexpr char kOutput[] = "/output";
constexpr char kKept[] = "keep";  // of the output: what nvcc's parts hand each other

// The folders as nvcc sees them. In the sandbox they have fixed names, which stand in the PTX.
struct Places {
  std::string sources = kInside;
  std::string output = kOutput;
};

Result<> WriteSources(const Sources& sources, const fs::path& folder) {
  for (const SourceFile& file : sources.files) {
    const fs::path path = folder / file.name;
    std::error_code failure;
    fs::create_directories(path.parent_path(), failure);
    if (auto written = WriteFile(path, file.bytes); !written) return written;
    fs::permissions(path, fs::perms(0644), failure);
  }
  return {};
}

Result<> MakeFolders(const NvccRun& run) {
  std::error_code failure;
  fs::create_directory(run.work / "in", failure);
  fs::create_directories(run.work / "out" / kKept, failure);
  fs::permissions(run.work / "out", fs::perms::all, failure);
  fs::permissions(run.work / "out" / kKept, fs::perms::all, failure);
  return WriteSources(run.sources, run.work / "in");
}

sandbox::Command CommandOf(const NvccRun& run, const Places& places) {
  const fs::path toolkit = run.nvcc.parent_path().parent_path();
  sandbox::Command command;
  command.arguments = {run.nvcc.string()};
  for (const std::string& flag : NvccFlags(run.language, run.ptx_target)) {
    command.arguments.push_back(flag);
  }
  command.arguments.insert(command.arguments.end(),
                           {"-shared", "-keep", "-keep-dir",
                            fmt::format("{}/{}", places.output, kKept), "-I" + places.sources});
  // Full names: none can be taken for an option.
  for (const std::string& name : run.sources.kernels) {
    command.arguments.push_back(fmt::format("{}/{}", places.sources, name));
  }
  command.arguments.insert(command.arguments.end(),
                           {"-o", fmt::format("{}/{}", places.output, kObjectName)});
  command.environment = {"PATH=/usr/bin:/bin", "TMPDIR=/tmp", "LC_ALL=C", kLargePages};
  command.mounts = {{.outside = toolkit, .inside = toolkit},
                    {.outside = run.work / "in", .inside = kInside},
                    {.outside = run.work / "out", .inside = kOutput, .writable = true}};
  std::error_code failure;
  if (fs::is_directory(kLargePagesInfo, failure)) {
    command.mounts.push_back({.outside = kLargePagesInfo, .inside = kLargePagesInfo});
  }
  command.calls = sandbox::Calls::kCompiler;
  command.limits = run.limits;
  return command;
}

// What nvcc's end is worth, and `ending` with the cause that a part of nvcc met, if one did: nvcc
// goes on then and exits by itself.
Standing StandingOf(sandbox::Ending& ending, std::string& why) {
  if (ending.cause == Cause::kTooBusy) return Standing::kBusy;
  if (ending.cause == Cause::kKilled) return Standing::kKilled;
  const auto death = FindDeath(ending);
  if (death) why = death->Text();
  if (death && CulpritOf(death->signal) == Culprit::kMachine) return Standing::kKilled;
  if (ending.cause == Cause::kMemory) return Standing::kCrash;
  if (!death) return Standing::kVerdict;
  if (CulpritOf(death->signal) == Culprit::kCrash) return Standing::kCrash;
  ending.cause = death->signal == SIGXFSZ ? Cause::kFileSize : Cause::kCpuTime;
  return Standing::kVerdict;
}

void SetMessage(CompileError& error, std::string message) {
  error.where = {};
  error.message = std::move(message);
  error.log += error.message + "\n";
}

CompileError ErrorOf(const sandbox::Ending& ending, const NvccRun& run, const NvccEnd& end,
                     const std::string& log) {
  CompileError error = ParseErrors(log);
  const bool too_large = ending.cause == Cause::kExited && ending.exit_code != 0 &&
                         log.find("File too large") != std::string::npos;
  if (too_large || (ending.cause != Cause::kExited && ending.cause != Cause::kSignaled)) {
    sandbox::Ending limit = ending;
    if (too_large) limit.cause = Cause::kFileSize;
    SetMessage(error, "compiling " + limit.Text(run.limits));
  } else if (end.standing == Standing::kCrash) {
    SetMessage(error, "the compiler crashes on it: " + end.why);
  }
  return error;
}

bool IsFile(const fs::path& path) {
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

Result<NvccEnd> RunNvcc(sandbox::Sandbox& sandbox, const NvccRun& run) {
  if (auto made = MakeFolders(run); !made) return Fail(made.error());
  Places places;
  if (!sandbox.isolates()) places = {run.work / "in", run.work / "out"};
  auto ending = sandbox.Run(CommandOf(run, places));
  if (!ending) return Fail(ending.error());
  if (ending->cause == Cause::kSandboxFault) return Fail("nvcc " + ending->Text(run.limits));

  NvccEnd end;
  end.standing = StandingOf(*ending, end.why);
  const std::string log = CleanLog(ending->stdout_text + ending->stderr_text,
                                   {places.sources, fmt::format("{}/{}", places.output, kKept)});
  const fs::path object = run.work / "out" / kObjectName;
  if (end.standing == Standing::kVerdict && ending->cause == Cause::kExited &&
      ending->exit_code == 0 && IsFile(object)) {
    end.outcome.artifact = Artifact{.shared_object = object, .sources = {}, .warnings = log};
    for (const std::string& name : run.sources.kernels) {
      end.outcome.artifact->sources.push_back(fmt::format("{}/{}", places.sources, name));
    }
    return end;
  }
  end.outcome.error = ErrorOf(*ending, run, end, log);
  if (end.standing != Standing::kVerdict && end.why.empty()) end.why = end.outcome.error->message;
  return end;
}

}  // namespace warpcheck::build
