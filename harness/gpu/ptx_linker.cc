#include "gpu/ptx_linker.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace warpcheck::gpu {
namespace {

constexpr std::size_t kLogBytes = 8 << 10;

// The options of a link and the text that they make the driver write.
class LinkOptions {
 public:
  LinkOptions() {
    Add(CU_JIT_GENERATE_LINE_INFO, Value(1));
    Add(CU_JIT_ERROR_LOG_BUFFER, log_.data());
    Add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, Value(log_.size() - 1));
  }

  unsigned count() const { return count_; }
  CUjit_option* names() { return names_.data(); }
  void** values() { return values_.data(); }

  // Without the newline at its end.
  std::string log() const {
    std::string text(log_.data(), ::strnlen(log_.data(), log_.size()));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  }

 private:
  // Numbers are given in place of pointers.
  static void* Value(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

  void Add(CUjit_option name, void* value) {
    names_[count_] = name;
    values_[count_++] = value;
  }

  std::array<char, kLogBytes> log_ = {};
  std::array<CUjit_option, 3> names_ = {};
  std::array<void*, 3> values_ = {};
  unsigned count_ = 0;
};

LinkFailure Explain(const DriverApi& api, CUresult result, const std::string& log) {
  LinkFailure failure;
  failure.error = ToDeviceError(result);
  failure.message =
      fmt::format("the driver cannot load the device code: {}", ErrorText(api, result));
  if (!log.empty()) failure.message += "\n" + log;
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
    failure.message += fmt::format(
        "\n  the toolkit is newer than the driver, which supports {}: update the driver, or "
        "compile "
        "with that toolkit",
        DriverVersion(api));
  }
  return failure;
}

}  // namespace

tl::expected<std::vector<std::byte>, LinkFailure> LinkPtx(const DriverApi& api,
                                                          std::string_view ptx) {
  LinkOptions options;
  CUlinkState link = nullptr;
  CUresult result = api.LinkCreate(options.count(), options.names(), options.values(), &link);
  if (result != CUDA_SUCCESS) return tl::unexpected(Explain(api, result, options.log()));
  std::string text(ptx);  // with a zero at its end, which is part of PTX for the driver
  result = api.LinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "submission.ptx",
                           0, nullptr, nullptr);
  void* data = nullptr;
  std::size_t bytes = 0;
  if (result == CUDA_SUCCESS) result = api.LinkComplete(link, &data, &bytes);
  std::vector<std::byte> cubin;
  if (result == CUDA_SUCCESS) {
    const auto* begin = static_cast<const std::byte*>(data);
    cubin.assign(begin, begin + bytes);
  }
  (void)api.LinkDestroy(link);
  if (result != CUDA_SUCCESS) return tl::unexpected(Explain(api, result, options.log()));
  return cubin;
}

}  // namespace warpcheck::gpu
