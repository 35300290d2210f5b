#include "run/unoffered.h"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "run/program_file.h"

namespace warpcheck::run {
namespace {

constexpr std::string_view kOwnRuntime = "a CUDA runtime of its own";

// By the beginning of the file's name, before ".so".
constexpr std::pair<std::string_view, std::string_view> kLibraries[] = {
    {"libcuda", "the CUDA driver API"},
    {"libcublas", "cuBLAS"},
    {"libcublasLt", "cuBLAS"},
    {"libcudnn", "cuDNN"},
    {"libcufft", "cuFFT"},
    {"libcufftw", "cuFFT"},
    {"libcupti", "CUPTI"},
    {"libcurand", "cuRAND"},
    {"libcusolver", "cuSOLVER"},
    {"libcusolverMg", "cuSOLVER"},
    {"libcusparse", "cuSPARSE"},
    {"libcutensor", "cuTENSOR"},
    {"libnccl", "NCCL"},
    {"libnvJitLink", "nvJitLink"},
    {"libnvjpeg", "nvJPEG"},
    {"libnvrtc", "NVRTC"},
};
// Libraries of which there are many: libnppif, libcudnn_ops.
constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
    {"libcudnn_", "cuDNN"},
    {"libnpp", "NPP"},
};

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // the whole path if it has no slash
}

}  // namespace

std::optional<Unoffered> UnofferedLibrary(std::string_view file) {
  const std::string_view name = FileName(file);
  const std::string_view stem = name.substr(0, name.find(".so"));
  if (stem.size() == name.size()) return std::nullopt;
  for (const auto& [library, what] : kLibraries) {
    if (stem == library) return Unoffered{std::string(what), std::string(name)};
  }
  for (const auto& [family, what] : kFamilies) {
    if (stem.starts_with(family)) return Unoffered{std::string(what), std::string(name)};
  }
  return std::nullopt;
}

std::vector<Unoffered> NewlyUnoffered() {
  static std::set<std::string> told;    // what they are
  static unsigned long long loads = 0;  // of objects, when they were last looked at
  struct Look {
    std::vector<Unoffered> found;
    bool first = true;
  } look;
  const auto visit = [](dl_phdr_info* object, std::size_t, void* data) {
    Look& into = *static_cast<Look*>(data);
    if (std::exchange(into.first, false)) {  // no object was loaded since the last time
      if (object->dlpi_adds == loads) return 1;
      loads = object->dlpi_adds;
    }
    if (auto part = UnofferedLibrary(object->dlpi_name)) into.found.push_back(std::move(*part));
    return 0;
  };
  const bool first_time = loads == 0;
  ::dl_iterate_phdr(visit, &look);
  if (first_time) {
    const auto program = InspectProgram("/proc/self/exe");
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (program && program->has_own_runtime()) {
      look.found.push_back({std::string(kOwnRuntime), path.string()});
    }
  }
  std::erase_if(look.found, [&](const Unoffered& part) { return !told.insert(part.what).second; });
  return look.found;
}

std::string TextOf(const Unoffered& part) {
  if (part.what == kOwnRuntime) {
    return fmt::format(
        "{} has the CUDA runtime linked into it, which cannot be replaced: nothing of what it does "
        "was seen. Build it with nvcc -cudart shared",
        part.file);
  }
  return fmt::format(
      "the program uses {} ({}), which warpcheck does not offer: its calls fail here, and nothing "
      "of what they do is seen. What else is reported may follow from that",
      part.what, part.file);
}

}  // namespace warpcheck::run
