#include "gpu/needs_gpu/gpu_rig.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "gpu/cupti/cubin.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {
namespace {

void Must(const DriverApi& api, CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  throw std::runtime_error(fmt::format("{}: {}", what, ErrorText(api, result)));
}

std::string Outcome(const std::function<std::string()>& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string ReadAll(int from) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(from, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

}  // namespace

std::string InOwnProcess(const std::function<std::string()>& work) {
  int ends[2] = {};
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = Outcome(work);
    const bool written = ::write(ends[1], text.data(), text.size()) == ssize_t(text.size());
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text = ReadAll(ends[0]);
  ::close(ends[0]);
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) {
    return fmt::format("{}[the process ended with wait status {}]", text, status);
  }
  return text;
}

std::string WhyNoGpu() {
  static const std::string why = InOwnProcess([]() -> std::string {
    const auto driver = LoadDriver();
    return driver ? "" : driver.error().Text();
  });
  return why;
}

GpuRig::GpuRig(const std::string& ptx_file) {
  auto driver = LoadDriver();
  if (!driver) throw std::runtime_error(driver.error().Text());
  driver_ = *driver;
  auto cupti = LoadCupti();
  if (!cupti) throw std::runtime_error(cupti.error().Text());
  cupti_ = *cupti;

  CUdevice device = 0;
  Must(*driver_, driver_->DeviceGet(&device, 0), "cuDeviceGet");
  Must(*driver_, driver_->CtxCreate(&context_, 0, device), "cuCtxCreate");
  std::ostringstream ptx;
  ptx << std::ifstream(ptx_file).rdbuf();
  auto capture = CubinCapture::Start(*cupti_);
  if (!capture) throw std::runtime_error(capture.error().Text());
  CUjit_option options[] = {CU_JIT_GENERATE_LINE_INFO};
  void* values[] = {reinterpret_cast<void*>(1)};
  Must(*driver_, driver_->ModuleLoadDataEx(&module_, ptx.str().c_str(), 1, options, values),
       "cuModuleLoadDataEx");
  cubin_ = (*capture)->Take();
}

GpuRig::~GpuRig() { (void)driver_->CtxDestroy(context_); }

bool GpuRig::IsHopper() const {
  int major = 0;
  Must(*driver_,
       driver_->DeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0),
       "cuDeviceGetAttribute");
  return major == 9;
}

CUdeviceptr GpuRig::Buffer(std::size_t bytes, unsigned char value) {
  CUdeviceptr buffer = 0;
  Must(*driver_, driver_->MemAlloc(&buffer, bytes), "cuMemAlloc");
  Must(*driver_, driver_->MemsetD8(buffer, value, bytes), "cuMemsetD8");
  return buffer;
}

CUresult GpuRig::Run(const Kernel& kernel) {
  CUfunction function = nullptr;
  Must(*driver_, driver_->ModuleGetFunction(&function, module_, kernel.name.c_str()),
       "cuModuleGetFunction");
  std::vector<std::byte> parameters = kernel.parameters;
  std::size_t size = parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &size, CU_LAUNCH_PARAM_END};
  const CUresult launched = driver_->LaunchKernel(
      function, kernel.grid.x, kernel.grid.y, kernel.grid.z, kernel.block.x, kernel.block.y,
      kernel.block.z, kernel.dynamic_shared, nullptr, nullptr, extra);
  return launched == CUDA_SUCCESS ? driver_->CtxSynchronize() : launched;
}

Result<LaunchCounts> GpuRig::Count(LaunchCounter& counter, const Kernel& kernel) {
  if (auto begun = counter.Begin(); !begun) return Fail(begun.error());
  (void)Run(kernel);
  return counter.End({cubin_, kernel.name});
}

}  // namespace warpcheck::gpu
