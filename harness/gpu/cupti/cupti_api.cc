#include "gpu/cupti/cupti_api.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "base/programs.h"

namespace warpcheck::gpu {

namespace {

constexpr const char* kLibraries[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr const char* kFolders[] = {"lib64", "lib", "extras/CUPTI/lib64"};
constexpr const char* kHowToGet =
    "install CUPTI, which belongs to the CUDA Toolkit, and point CUDA_HOME at the toolkit: "
    "CUDA_HOME=/path/to/cuda, or install the wheel's extra, `pip install './FILE.whl[gpu]'`; "
    "kernels run without it, but nothing is counted";

template <class... Arguments>
bool Find(void* library, CuptiFunction<Arguments...>& function) {
  void* const found = ::dlsym(library, function.name);
  function.pointer = reinterpret_cast<CUptiResult (*)(Arguments...)>(found);
  return found != nullptr;
}

Result<CuptiApi> Bind(void* library, const std::string& path) {
  CuptiApi api;
  std::vector<std::string> missing;
#define CUPTI_FUNCTION(Name) \
  if (!Find(library, api.Name)) missing.emplace_back(api.Name.name);
#include "gpu/cupti/cupti_api.def"
#undef CUPTI_FUNCTION
  if (!missing.empty()) {
    return Fail(fmt::format("{} has no {}: it is too old, or it is not CUPTI", path,
                            fmt::join(missing, ", ")),
                {}, "use the CUPTI of the CUDA Toolkit 13: CUDA_HOME=/path/to/cuda");
  }
  return api;
}

struct Reason {
  CUptiResult status;
  std::string_view name;
  std::string_view text;
  std::string_view hint;
};

constexpr std::string_view kRunAlone =
    "run this without ncu, nsys, cuda-gdb, compute-sanitizer and other tools that watch CUDA "
    "programs";
constexpr std::string_view kWait =
    "try again when the other program has ended: ncu, nsys, DCGM, another grading run on this GPU";
constexpr std::string_view kNewerCupti =
    "use the CUPTI of a CUDA Toolkit that is as new as the GPU: CUDA_HOME=/path/to/cuda";
constexpr std::string_view kOtherGpu =
    "measure on a GPU that is passed to this machine as a whole, or on the emulator: --device "
    "emulator";

#define REASON(status, text, hint) \
  { CUPTI_ERROR_##status, "CUPTI_ERROR_" #status, text, hint }
constexpr Reason kReasons[] = {
    REASON(INSUFFICIENT_PRIVILEGES, "this user may not read the GPU's counters",
           "let every user read them: write the line \"options nvidia "
           "NVreg_RestrictProfilingToAdminUsers=0\" into a file in /etc/modprobe.d/, and restart. "
           "Or give this process CAP_PERFMON or CAP_SYS_ADMIN (docker run --cap-add=PERFMON), or "
           "run as root"),
    REASON(MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "another profiler or debugger is at work",
           kRunAlone),
    REASON(DISABLED, "CUPTI is switched off by another profiler", kRunAlone),
    REASON(HARDWARE_BUSY, "the GPU's counters are in use by another program", kWait),
    REASON(VIRTUALIZED_DEVICE_NOT_SUPPORTED, "CUPTI does not measure virtual GPUs", kOtherGpu),
    REASON(
        VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
        "the hypervisor does not let this virtual GPU be profiled",
        "allow profiling for the virtual machine (vGPU: the plugin parameter enable_profiling=1)"),
    REASON(MIG_DEVICE_NOT_SUPPORTED, "CUPTI does not measure a slice of a GPU (MIG)",
           "measure on a GPU without MIG, or on the emulator: --device emulator"),
    REASON(CONFIDENTIAL_COMPUTING_NOT_SUPPORTED,
           "CUPTI does not measure in the confidential computing mode", kOtherGpu),
    REASON(CMP_DEVICE_NOT_SUPPORTED, "CUPTI does not measure mining processors (CMP)", kOtherGpu),
    REASON(SLI_DEVICE_NOT_SUPPORTED, "CUPTI does not measure GPUs linked by SLI", "switch SLI off"),
    REASON(WSL_DEVICE_NOT_SUPPORTED, "CUPTI does not measure under this version of WSL",
           "update WSL and the driver, or measure under Linux itself"),
    REASON(NOT_SUPPORTED, "CUPTI does not support this on this GPU or system", kOtherGpu),
    REASON(INVALID_CHIP_NAME, "this CUPTI does not know the GPU's chip", kNewerCupti),
    REASON(NOT_INITIALIZED, "CUPTI finds no CUDA driver that it can work with",
           "install a driver and a CUDA Toolkit that fit each other"),
    REASON(OLD_PROFILER_API_INITIALIZED, "an older profiling interface is in use in this process",
           kRunAlone),
    REASON(HARDWARE, "the GPU's counters failed", ""),
    REASON(OUT_OF_MEMORY, "CUPTI got no memory", ""),
    REASON(INVALID_CONTEXT, "the kernels' context is lost or was never made", ""),
    REASON(INVALID_PARAMETER, "CUPTI refused a parameter", ""),
    REASON(INVALID_OPERATION, "CUPTI was called out of order", ""),
    REASON(INVALID_MODULE, "CUPTI cannot read the kernel's machine code", ""),
    REASON(INVALID_METRIC_NAME, "CUPTI does not know a metric", ""),
    REASON(INVALID_METRIC_ID, "CUPTI does not know a metric", ""),
    REASON(UNKNOWN, "CUPTI failed without saying why", ""),
};
#undef REASON

}  // namespace

std::vector<std::string> CuptiPaths() {
  std::vector<std::string> toolkits;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (std::string value = Environment(variable); !value.empty()) toolkits.push_back(value);
  }
  toolkits.push_back(PythonToolkit().string());
  toolkits.emplace_back("/usr/local/cuda");
  std::vector<std::string> paths(std::begin(kLibraries), std::end(kLibraries));
  for (const std::string& toolkit : toolkits) {
    for (const char* folder : kFolders) {
      for (const char* library : kLibraries) {
        paths.push_back(fmt::format("{}/{}/{}", toolkit, folder, library));
      }
    }
  }
  return paths;
}

Result<CuptiApi> LoadCuptiFrom(std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return Bind(library, path);
  }
  return Fail(fmt::format("CUPTI cannot be loaded; tried {}", fmt::join(paths, ", ")), {},
              kHowToGet);
}

Result<const CuptiApi*> LoadCupti() {
  static const Result<CuptiApi> loaded = LoadCuptiFrom(CuptiPaths());
  if (!loaded) return Fail(loaded.error());
  return &*loaded;
}

Error CuptiError(std::string_view function, CUptiResult status) {
  const auto* const known = std::find_if(std::begin(kReasons), std::end(kReasons),
                                         [&](const Reason& r) { return r.status == status; });
  const int number = static_cast<int>(status);
  if (known == std::end(kReasons)) {
    return {fmt::format("counters cannot be read: {} failed with status {}", function, number)};
  }
  return {.message = fmt::format("counters cannot be read: {} ({}: {}, {})", known->text, function,
                                 known->name, number),
          .hint = std::string(known->hint)};
}

Result<std::vector<std::string_view>> UnknownOf(
    const std::vector<std::string_view>& metrics, std::string_view chip, std::string_view function,
    const std::function<CUptiResult(std::string_view metric)>& ask) {
  std::vector<std::string_view> unknown;
  for (const std::string_view metric : metrics) {
    const CUptiResult status = ask(metric);
    if (status == CUPTI_SUCCESS) continue;
    const bool is_unknown =
        status == CUPTI_ERROR_INVALID_PARAMETER || status == CUPTI_ERROR_INVALID_METRIC_NAME ||
        status == CUPTI_ERROR_INVALID_METRIC_ID;  // each profiler returns one of these
    if (!is_unknown) return Fail(CuptiError(function, status));
    unknown.push_back(metric);
  }
  if (unknown.size() < metrics.size()) return unknown;
  return Fail(fmt::format("counters cannot be read: CUPTI has no {} for {}",
                          fmt::join(unknown, ", "), chip),
              {}, std::string(kNewerCupti));
}

Result<std::string> ChipName(const CuptiApi& api, const CuptiDevice& device) {
  CUPTI_PARAMETERS(Device_GetChipName, params);
  params.deviceIndex = device.ordinal;
  WARPCHECK_TRY(Call(api.DeviceGetChipName, &params));
  if (params.pChipName == nullptr) {
    return Fail(
        fmt::format("counters cannot be read: CUPTI has no name for GPU {}", device.ordinal));
  }
  return params.pChipName;
}

}  // namespace warpcheck::gpu
