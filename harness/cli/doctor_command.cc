#include "cli/doctor_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/programs.h"
#include "cli/exit_status.h"
#include "host/gpu_host.h"
#include "host/nvcc.h"
#include "host/places.h"
#include "host/version.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/confine/confine.h"
#include "sandbox/sandbox.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

void Note(std::string_view state, std::string_view what, std::string_view detail) {
  fmt::print("{:<8} {:<14} {}\n", state, what, detail);
}

void Say(bool works, std::string_view what, std::string_view detail) {
  Note(works ? "ok" : "missing", what, detail);
}

bool CheckNvcc() {
  const auto nvcc = ChooseNvcc();
  if (!nvcc) {
    Say(false, "nvcc", Nvcc().error().message + ": install the CUDA Toolkit, or set CUDA_HOME");
    return false;
  }
  const std::string version = VersionOf(nvcc->path, "release ");
  Say(!version.empty(), "nvcc",
      version.empty() ? nvcc->path.string() + " does not run: install the CUDA Toolkit again"
                      : fmt::format("{}, {}: {}", nvcc->path.string(), version, nvcc->why));
  const std::string home = Environment("CUDA_HOME");
  if (!home.empty() && !IsExecutable(fs::path(home) / "bin/nvcc")) {
    Note("note", "CUDA_HOME", home + " has no bin/nvcc");
  }
  return !version.empty();
}

bool CheckHostCompiler() {
  const auto compiler = OnPath("g++");
  const std::string version = compiler ? VersionOf(*compiler, "g++") : "";
  Say(!version.empty(), "host compiler",
      version.empty() ? "nvcc needs g++: apt install g++"
                      : fmt::format("{}, {}", compiler->string(), version));
  return !version.empty();
}

Result<void> SandboxesWork() {
  const auto for_compilers = WARPCHECK_TRY(sandbox::MakeBubblewrap());
  WARPCHECK_TRY(sandbox::Works(*for_compilers));
  const auto for_submissions = WARPCHECK_TRY(sandbox::MakeJail({}));
  return {};
}

bool CheckSandbox() {
  const auto works = SandboxesWork();
  Say(works.has_value(), "sandbox",
      works ? VersionOf(OnPath("bwrap").value_or("bwrap"), "bubblewrap") : works.error().Text());
  return works.has_value();
}

std::uintmax_t BytesIn(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    if (at->is_regular_file(gone)) bytes += at->file_size(gone);
  }
  return bytes;
}

bool CheckCache() {
  const auto cache = CacheFolder();
  if (!cache) {
    Say(false, "build cache", cache.error().Text());
    return false;
  }
  std::error_code error;
  fs::create_directories(*cache, error);
  const bool works = !error && ::access(cache->c_str(), W_OK | X_OK) == 0;
  Say(works, "build cache",
      works ? fmt::format("{}, {:.1f} MB", cache->string(),
                          static_cast<double>(BytesIn(*cache)) / 1e6)
            : cache->string() + " cannot be written: set WARPCHECK_CACHE to another folder");
  return works;
}

// Reports what is missing on this machine. Each missing part removes one of several protections,
// but does not prevent grading.
void CheckConfinement() {
  const std::string missing = sandbox::MissingConfinement();
  Note(missing.empty() ? "ok" : "missing", "confinement",
       missing.empty()
           ? "the checks can use only the files, calls, rights and memory that they need"
           : missing);
}

// Reports what a GPU on this machine lacks. Grading needs no GPU, so nothing here prevents grading.
void CheckGpu() {
  const auto survey = SurveyByGpuHost(SurveyOf::kCounters);
  if (!survey || survey->no_gpu) {
    Note("none", "GPU", (survey ? *survey->no_gpu : survey.error()).Sentence());
    Note("ok", "counters", "come from the emulator, which grades without a GPU");
    return;
  }
  Note("ok", "GPU",
       fmt::format("{}, compute capability {}.{}, driver {}", survey->name, survey->compute_major,
                   survey->compute_minor, survey->driver));
  if (survey->no_counters) {
    Note("missing", "counters", survey->no_counters->Sentence());
  } else {
    Note("ok", "counters", "the GPU's can be read");
  }
}

}  // namespace

int DoctorCommand() {
  Note("", "version", fmt::format("{}, at {}", kVersion, Programs().string()));
  bool works = CheckNvcc();
  works = CheckHostCompiler() && works;
  works = CheckSandbox() && works;
  works = CheckCache() && works;
  CheckConfinement();
  CheckGpu();
  fmt::print("\n{}\n",
             works ? "Grading works here." : "Grading does not work here yet: see above.");
  return works ? kExitFull : kExitFault;
}

}  // namespace warpcheck
