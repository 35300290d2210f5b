#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "base/allocator.h"
#include "base/files.h"
#include "build/build.h"
#include "build/cache.h"
#include "build/compile_log.h"
#include "build/sha256.h"
#include "build/sources.h"

namespace warpcheck::build {
namespace {

namespace fs = std::filesystem;
using sandbox::Cause;

constexpr char kInside[] = "/submission";
constexpr char kOutput[] = "/output";

std::vector<std::string> Flags(int ptx_target) {
  return {"-std=c++17",
          "-O3",
          "-lineinfo",
          "--no-compress",
          "-cudart",
          "none",
          "-shared",
          "-Xcompiler",
          "-fPIC",
          "-gencode",
          fmt::format("arch=compute_{0},code=compute_{0}", ptx_target)};
}

// Tells one toolkit from another without starting it: nvcc's real path, time and size.
Result<std::string> Fingerprint(const fs::path& nvcc) {
  struct stat status = {};
  if (::stat(nvcc.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Fail(fmt::format("there is no nvcc at {}", nvcc.string()), {},
                "install the CUDA Toolkit, or name its nvcc");
  }
  return fmt::format("{} {} {}.{}", nvcc.string(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

std::string KeyOf(const Sources& sources, const std::string& toolkit, const sandbox::Limits& limits,
                  int ptx_target) {
  const std::string bounds =
      fmt::format("{} {} {} {}", limits.wall_time.count(), limits.cpu_time.count(),
                  limits.memory_bytes, limits.file_bytes);
  const std::vector<std::string> flags = Flags(ptx_target);
  std::vector<std::string_view> parts = {"warpcheck 1", toolkit, bounds};
  parts.insert(parts.end(), flags.begin(), flags.end());
  for (const SourceFile& file : sources.files) {
    parts.push_back(file.name);
    parts.push_back(file.bytes);
  }
  return Sha256(parts);
}

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

// The folders as nvcc sees them. In the sandbox they have fixed names, which stand in the PTX.
struct Places {
  std::string sources = kInside;
  std::string output = kOutput;
};

sandbox::Command CompileCommand(const Sources& sources, const fs::path& nvcc, const fs::path& work,
                                const Places& places, const sandbox::Limits& limits,
                                int ptx_target) {
  const fs::path toolkit = nvcc.parent_path().parent_path();
  sandbox::Command command;
  command.arguments = {nvcc.string()};
  for (const std::string& flag : Flags(ptx_target)) command.arguments.push_back(flag);
  command.arguments.push_back(fmt::format("-I{}", places.sources));
  // Full names: none can be taken for an option.
  for (const std::string& name : sources.kernels) {
    command.arguments.push_back(fmt::format("{}/{}", places.sources, name));
  }
  command.arguments.insert(command.arguments.end(),
                           {"-o", fmt::format("{}/{}", places.output, kObjectName)});
  command.environment = {"PATH=/usr/bin:/bin", "TMPDIR=/tmp", "LC_ALL=C", kLargePages};
  command.mounts = {{.outside = toolkit, .inside = toolkit},
                    {.outside = work / "in", .inside = kInside},
                    {.outside = work / "out", .inside = kOutput, .writable = true}};
  std::error_code failure;
  if (fs::is_directory(kLargePagesInfo, failure)) {
    command.mounts.push_back({.outside = kLargePagesInfo, .inside = kLargePagesInfo});
  }
  command.calls = sandbox::Calls::kCompiler;
  command.limits = limits;
  return command;
}

// The limit that ended the compilation, if one did. Where a part of nvcc met it, nvcc goes on and
// exits by itself: then the host compiler's words for the signal tell.
Cause BrokenLimit(const sandbox::Ending& ending, const std::string& log) {
  if (ending.cause != Cause::kExited || ending.exit_code == 0) return ending.cause;
  for (const auto& [words, cause] : {std::pair{"File size limit exceeded", Cause::kFileSize},
                                     std::pair{"File too large", Cause::kFileSize},
                                     std::pair{"died due to signal 25", Cause::kFileSize},
                                     std::pair{"CPU time limit exceeded", Cause::kCpuTime},
                                     std::pair{"died due to signal 24", Cause::kCpuTime}}) {
    if (log.find(words) != std::string::npos) return cause;
  }
  return Cause::kExited;
}

Result<Outcome> Judge(const sandbox::Ending& ending, const sandbox::Limits& limits,
                      const Sources& sources, const Places& places, const fs::path& object) {
  if (sandbox::IsOfMachine(ending.cause)) return Outcome();  // nobody knows
  const std::string log = CleanLog(ending.stdout_text + ending.stderr_text, places.sources);
  Outcome outcome;
  struct stat status = {};
  const bool made = ::lstat(object.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  if (ending.cause == Cause::kExited && ending.exit_code == 0 && made) {
    Artifact artifact{.shared_object = object, .sources = {}, .warnings = log};
    for (const std::string& name : sources.kernels) {
      artifact.sources.push_back(fmt::format("{}/{}", places.sources, name));
    }
    outcome.artifact = std::move(artifact);
    return outcome;
  }
  outcome.error = ParseErrors(log);
  sandbox::Ending limit = ending;
  limit.cause = BrokenLimit(ending, log);
  if (limit.cause != Cause::kExited) {
    outcome.error->where = {};
    outcome.error->message =
        (limit.cause == Cause::kSignaled ? "the compiler was " : "compiling ") + limit.Text(limits);
    outcome.error->log += outcome.error->message + "\n";
  }
  return outcome;
}

// Asks for all parts of nvcc: both compilers, and the host's linker.
constexpr char kSurelyCompiles[] =
    "__global__ void Works(int* out) { *out = 1; }\n"
    "void Run(int* out) { Works<<<1, 1>>>(out); }\n";

}  // namespace

// Removes the scratch folder, unless it has become a cache entry.
struct Builder::Scratch {
  explicit Scratch(fs::path folder) : path(std::move(folder)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

// What came of nvcc; its files are there as long as this is.
struct Builder::Compiled {
  Outcome outcome;
  sandbox::Ending ending;
  std::unique_ptr<Scratch> work;
};

Builder::Builder(sandbox::Sandbox& sandbox, Settings settings)
    : sandbox_(sandbox), settings_(std::move(settings)) {}

sandbox::Limits CompileLimits() {
  sandbox::Limits limits;
  limits.cpu_time = std::chrono::seconds(120);
  limits.memory_bytes = std::uint64_t{4} << 30;
  limits.processes = 64;
  limits.file_bytes = std::uint64_t{256} << 20;
  limits.output_bytes = std::uint64_t{1} << 20;
  return limits;
}

tl::expected<Outcome, Failure> Builder::Build(const Request& request) {
  const auto blame = [](Failure::Blame whose) {
    return [whose](Error error) { return Failure{std::move(error), whose}; };
  };
  for (const fs::path& header : request.headers) {
    std::error_code failure;
    if (fs::is_regular_file(header, failure)) continue;
    Error error{.message = fmt::format("there is no header {}", header.string())};
    return tl::unexpected(Failure{std::move(error), Failure::Blame::kMachine});
  }
  const auto sources = ReadSources(request).map_error(blame(Failure::Blame::kSubmission));
  if (!sources) return tl::unexpected(sources.error());
  return FindOrCompile(*sources, request);
}

tl::expected<Outcome, Failure> Builder::FindOrCompile(const Sources& sources,
                                                      const Request& request) {
  const auto failed = [](Error error, Failure::Blame whose = Failure::Blame::kMachine) {
    return tl::unexpected(Failure{std::move(error), whose});
  };
  std::error_code failure;
  const fs::path nvcc = fs::weakly_canonical(settings_.nvcc, failure);
  const auto toolkit = Fingerprint(nvcc);
  if (!toolkit) return failed(toolkit.error());
  const Cache cache(settings_.cache, settings_.cache_bytes);
  const std::string key = KeyOf(sources, *toolkit, settings_.limits, request.ptx_target);
  if (!request.anew) {
    if (auto found = cache.Find(key)) return *found;
  }
  const auto compiled = Compile(cache, sources, nvcc, request.ptx_target);
  if (!compiled) return failed(compiled.error());
  if (sandbox::IsOfMachine(compiled->ending.cause)) {
    const bool began = compiled->ending.cause != Cause::kSandboxFault;
    return failed({.message = "nvcc " + compiled->ending.Text(settings_.limits)},
                  began ? Failure::Blame::kMoment : Failure::Blame::kMachine);
  }
  if (compiled->outcome.error && settings_.doubts_nvcc) {
    if (auto works = TryNvcc(cache, nvcc, request.ptx_target); !works) {
      return failed(works.error());
    }
  }
  return cache.Store(key, compiled->outcome, compiled->work->path / "entry")
      .map_error([](Error error) {
        return Failure{std::move(error), Failure::Blame::kMachine};
      });
}

Result<Builder::Compiled> Builder::Compile(const Cache& cache, const Sources& sources,
                                           const fs::path& nvcc, int ptx_target) {
  const auto made = cache.MakeScratch();
  if (!made) return Fail(made.error());
  Compiled compiled;
  compiled.work = std::make_unique<Scratch>(fs::absolute(*made));
  const fs::path& work = compiled.work->path;
  std::error_code failure;
  fs::create_directory(work / "in", failure);
  fs::create_directory(work / "out", failure);
  fs::create_directory(work / "entry", failure);
  fs::permissions(work / "out", fs::perms::all, failure);
  if (auto written = WriteSources(sources, work / "in"); !written) return Fail(written.error());
  Places places;
  if (!sandbox_.isolates()) places = {work / "in", work / "out"};
  const auto command = CompileCommand(sources, nvcc, work, places, settings_.limits, ptx_target);
  const auto ending = sandbox_.Run(command);
  if (!ending) return Fail(ending.error());
  auto outcome = Judge(*ending, settings_.limits, sources, places, work / "out" / kObjectName);
  if (!outcome) return Fail(outcome.error());
  compiled.ending = *ending;
  compiled.outcome = *std::move(outcome);
  return compiled;
}

Result<> Builder::TryNvcc(const Cache& cache, const fs::path& nvcc, int ptx_target) {
  const Sources ours{.files = {{"works.cu", kSurelyCompiles}}, .kernels = {"works.cu"}};
  const auto compiled = Compile(cache, ours, nvcc, ptx_target);
  if (!compiled) return Fail(compiled.error());
  if (compiled->outcome.artifact) return {};
  return Fail(fmt::format("nvcc does not compile a program that is surely right: {}",
                          compiled->outcome.error ? compiled->outcome.error->log
                                                  : compiled->ending.Text(settings_.limits)),
              {}, "`warpcheck doctor` shows what is wrong with this machine");
}

}  // namespace warpcheck::build
