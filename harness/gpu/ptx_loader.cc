#include "gpu/ptx_loader.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace warpcheck::gpu {
namespace {

constexpr std::size_t kLogBytes = 8 << 10;

// The options of a load and the text that they make the driver write.
class LoadOptions {
 public:
  LoadOptions() {
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

LoadFailure Explain(const DriverApi& api, CUresult result, const std::string& log) {
  LoadFailure failure;
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

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%';
}

// Splits PTX into names, directives (".global") and single characters; comments are passed over.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // Empty at the end.
  std::string_view Next() {
    SkipBlanks();
    if (rest_.empty()) return {};
    std::size_t length = 1;
    if (rest_[0] == '"') {
      length = std::min(rest_.find('"', 1), rest_.size() - 1) + 1;
    } else if (rest_[0] == '.' || IsNamePart(rest_[0])) {
      while (length < rest_.size() && IsNamePart(rest_[length])) ++length;
    }
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

 private:
  void SkipPast(std::string_view end) {
    const std::size_t at = rest_.find(end);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + end.size());
  }

  void SkipBlanks() {
    for (;;) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
      if (rest_.starts_with("//")) {
        SkipPast("\n");
      } else if (rest_.starts_with("/*")) {
        SkipPast("*/");
      } else {
        return;
      }
    }
  }

  std::string_view rest_;
};

}  // namespace

tl::expected<CUmodule, LoadFailure> LoadPtx(const DriverApi& api, std::string_view ptx) {
  LoadOptions options;
  const std::string text(ptx);  // with a zero at its end, which the driver looks for
  CUmodule module = nullptr;
  const CUresult result = api.ModuleLoadDataEx(&module, text.c_str(), options.count(),
                                               options.names(), options.values());
  if (result != CUDA_SUCCESS) return tl::unexpected(Explain(api, result, options.log()));
  return module;
}

PtxNames ReadNames(std::string_view ptx) {
  enum class Part { kOther, kEntry, kVariable };
  PtxNames names;
  Words words(ptx);
  int depth = 0;  // of braces
  Part part = Part::kOther;
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    if (word == "{") ++depth;
    if (word == "}") --depth;
    if (depth > 0) continue;
    if (word == ".entry") {
      part = Part::kEntry;
    } else if (word == ".global" || word == ".const") {
      part = Part::kVariable;
    } else if (word == ";" || word == "=" || (word == "(" && part == Part::kEntry)) {
      part = Part::kOther;
    } else if (part != Part::kOther && IsNamePart(word[0]) && (word[0] < '0' || word[0] > '9')) {
      auto& list = part == Part::kEntry ? names.kernels : names.variable_candidates;
      list.emplace_back(word);
    }
  }
  return names;
}

}  // namespace warpcheck::gpu
