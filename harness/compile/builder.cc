#include "compile/builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <set>
#include <utility>

#include "base/hash.h"
#include "compile/cache.h"
#include "compile/nvcc_run.h"
#include "compile/source/sources.h"

namespace warpcheck::compile {

// Compilation has the files of one compilation, and the nvcc that compiles them.
struct Job {
  const Sources& sources;
  Language language;
  int ptx_target = 0;
  bool only_kernels = false;
  std::filesystem::path nvcc{};
  bool anew = false;
};

namespace {

namespace fs = std::filesystem;

constexpr int kTries = 3;  // tries of a compilation before its failure counts

// The key does not contain the limit of the wall time, because that limit decides no outcome.
std::string KeyOf(const Job& job, const std::string& toolkit, const sandbox::Limits& limits) {
  const std::string bounds =
      fmt::format("{} {} {}", limits.cpu_time.count(), limits.memory_bytes, limits.file_bytes);
  const std::vector<std::string> flags = NvccFlags(job.language, job.ptx_target);
  std::vector<std::string_view> parts = {"warpcheck 5", toolkit, bounds};
  parts.insert(parts.end(), flags.begin(), flags.end());
  const std::string allowed = fmt::format("allow {} forbid {}", fmt::join(job.language.allow, " "),
                                          fmt::join(job.language.forbid, " "));
  parts.push_back(allowed);
  if (job.only_kernels) parts.emplace_back("-ptx");
  for (const SourceFile& file : job.sources.files) {
    parts.push_back(file.name);
    parts.push_back(file.bytes);
  }
  return Sha256(parts);
}

// This program exercises all parts of nvcc: both compilers and the host's linker.
constexpr char kSurelyCompiles[] =
    "__global__ void Works(int* out) { *out = 1; }\n"
    "void Run(int* out) { Works<<<1, 1>>>(out); }\n";

}  // namespace

// The result of nvcc. Its files exist as long as this object does.
struct Builder::Compiled {
  NvccEnd end;
  ScratchFolder work;  // empty after the folder has become an entry of the cache
};

Builder::Builder(sandbox::Sandbox& sandbox, Settings settings)
    : sandbox_(sandbox), settings_(std::move(settings)) {}

Result<std::string> Fingerprint(const fs::path& nvcc) {
  std::error_code failure;
  const std::string real = fs::weakly_canonical(nvcc, failure).string();
  struct stat status = {};
  if (::stat(real.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Fail(fmt::format("there is no nvcc at {}", real), {},
                "install the CUDA Toolkit, or name its nvcc");
  }
  return fmt::format("{} {} {}.{}", real, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

sandbox::Limits CompileLimits() {
  sandbox::Limits limits;
  limits.cpu_time = std::chrono::seconds(45);
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
  const auto sources =
      WARPCHECK_TRY(ReadSources(request).map_error(blame(Failure::Blame::kSubmission)));
  return FindOrCompile({.sources = sources,
                        .language = request.language,
                        .ptx_target = request.ptx_target,
                        .only_kernels = request.only_kernels,
                        .anew = request.anew});
}

tl::expected<Outcome, Failure> Builder::FindOrCompile(Job job) {
  const auto failed = [](const Error& error) {
    return tl::unexpected(Failure{error, Failure::Blame::kMachine});
  };
  std::error_code failure;
  job.nvcc = fs::weakly_canonical(settings_.nvcc, failure);
  const auto toolkit = Fingerprint(job.nvcc);
  if (!toolkit) return failed(toolkit.error());
  const Cache cache(settings_.cache, settings_.cache_bytes);
  const std::string key = KeyOf(job, *toolkit, settings_.limits);
  if (job.anew) {
    cache.Remove(key);
  } else if (auto found = cache.Find(key)) {
    return *found;
  }
  const auto compiled = WARPCHECK_TRY(CompileSurely(cache, job));
  // This excludes a full disk, which is not a mistake of the source.
  if (compiled.end.outcome.error) {
    if (auto room = cache.HasRoom(); !room) return failed(room.error());
  }
  if (compiled.end.outcome.error && settings_.doubts_nvcc) {
    if (auto works = TryNvcc(cache, job); !works) return failed(works.error());
  }
  auto stored = cache.Store(key, compiled.end.outcome, compiled.work.path() / "entry");
  if (!stored) return failed(stored.error());
  return *std::move(stored);
}

// Tries again after a signal. A crash counts only if it repeats; a compiler that another process
// killed proves nothing.
tl::expected<Builder::Compiled, Failure> Builder::CompileSurely(const Cache& cache,
                                                                const Job& job) {
  std::set<std::string> crashes;
  std::string why;
  for (int i = 0; i < kTries; ++i) {
    auto compiled = Compile(cache, job);
    if (!compiled) return tl::unexpected(Failure{compiled.error(), Failure::Blame::kMachine});
    if (compiled->end.standing == Standing::kVerdict) return *std::move(compiled);
    why = compiled->end.why;
    if (compiled->end.standing == Standing::kBusy) break;
    if (compiled->end.standing == Standing::kCrash && !crashes.insert(why).second) {
      return *std::move(compiled);
    }
  }
  Error error;
  error.message = fmt::format("not compiled, which is not the submission's fault: {}", why);
  error.hint = "this machine is too busy, or has too little memory: grade it again later";
  return tl::unexpected(Failure{std::move(error), Failure::Blame::kMoment});
}

Result<Builder::Compiled> Builder::Compile(const Cache& cache, const Job& job) {
  auto scratch = WARPCHECK_TRY(cache.MakeScratch());
  const fs::path& work = scratch.path();
  std::error_code failure;
  fs::create_directory(work / "nvcc", failure);
  fs::create_directory(work / "entry", failure);
  auto end = WARPCHECK_TRY(RunNvcc(sandbox_, {.sources = job.sources,
                                              .nvcc = job.nvcc,
                                              .work = work / "nvcc",
                                              .language = job.language,
                                              .ptx_target = job.ptx_target,
                                              .only_kernels = job.only_kernels,
                                              .limits = settings_.limits}));
  return Compiled{.end = std::move(end), .work = std::move(scratch)};
}

Result<> Builder::TryNvcc(const Cache& cache, const Job& job) {
  const Sources ours{.files = {{"works.cu", kSurelyCompiles}}, .kernels = {"works.cu"}};
  const auto compiled = CompileSurely(
      cache, {.sources = ours, .language = {}, .ptx_target = job.ptx_target, .nvcc = job.nvcc});
  if (!compiled) return Fail(compiled.error());
  if (compiled->end.outcome.artifact) return {};
  return Fail(fmt::format("nvcc does not compile a correct test program: {}",
                          compiled->end.outcome.error->log),
              {}, "`warpcheck doctor` shows what is wrong with this machine");
}

}  // namespace warpcheck::compile
