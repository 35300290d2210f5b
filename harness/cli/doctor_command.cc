#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/places.h"
#include "sandbox/sandbox.h"

namespace warpcheck {
namespace {

void Say(bool works, std::string_view what, std::string_view detail) {
  fmt::print("{:<8} {:<14} {}\n", works ? "ok" : "missing", what, detail);
}

bool CheckNvcc() {
  const auto nvcc = Nvcc();
  Say(nvcc.has_value(), "nvcc",
      nvcc ? nvcc->string() : "install the CUDA Toolkit, or set CUDA_HOME to where it is");
  return nvcc.has_value();
}

bool CheckHostCompiler() {
  for (const char* path : {"/usr/bin/g++", "/usr/local/bin/g++"}) {
    if (::access(path, X_OK) == 0) {
      Say(true, "host compiler", path);
      return true;
    }
  }
  Say(false, "host compiler", "nvcc needs g++: apt install g++");
  return false;
}

bool CheckSandbox() {
  const auto sandbox = sandbox::MakeBubblewrap();
  Say(sandbox.has_value(), "sandbox", sandbox ? "bubblewrap" : sandbox.error().Text());
  return sandbox.has_value();
}

bool CheckCache() {
  const auto cache = CacheFolder();
  if (!cache) {
    Say(false, "build cache", cache.error().Text());
    return false;
  }
  std::error_code error;
  std::filesystem::create_directories(*cache, error);
  const bool works = !error && ::access(cache->c_str(), W_OK | X_OK) == 0;
  Say(works, "build cache",
      works ? cache->string()
            : cache->string() + " cannot be written: set WARPCHECK_CACHE to another folder");
  return works;
}

void CheckGpu() {
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  Say(driver != nullptr, "GPU driver",
      driver != nullptr ? "libcuda.so.1; this version grades on the emulator alone"
                        : "no libcuda.so.1: not needed, the emulator grades without a GPU");
  if (driver != nullptr) ::dlclose(driver);
  Say(true, "counters", "from the emulator");
}

}  // namespace

int DoctorCommand() {
  bool works = CheckNvcc();
  works = CheckHostCompiler() && works;
  works = CheckSandbox() && works;
  works = CheckCache() && works;
  CheckGpu();
  fmt::print("\n{}\n",
             works ? "Grading works here." : "Grading does not work here yet: see above.");
  return works ? kExitFull : kExitFault;
}

}  // namespace warpcheck
