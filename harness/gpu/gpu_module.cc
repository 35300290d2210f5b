#include "gpu/gpu_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "base/text/demangle.h"

namespace warpcheck::gpu {

namespace {

constexpr std::size_t kLogBytes = 8 << 10;
// To read and write more bytes of variables than this takes longer than to load a module again.
constexpr std::uint64_t kMostKept = 1 << 20;

LoadFailure Explain(const DriverApi& api, CUresult result, const std::string& log) {
  LoadFailure failure = {
      .error = ToDeviceError(result),
      .message = "the driver cannot load the device code: " + ErrorText(api, result)};
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

// Splits PTX into names, directives (".global") and single characters. Skips comments.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // Returns an empty word at the end of the text.
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

// Compiles for the GPU of the current context, with line information, and loads the result. The
// driver's linker (cuLink...) would compile differently from nvcc, with different accesses to
// shared memory.
tl::expected<CUmodule, LoadFailure> LoadPtx(const DriverApi& api, std::string_view ptx) {
  std::array<char, kLogBytes> log = {};
  std::array<CUjit_option, 3> options = {CU_JIT_GENERATE_LINE_INFO, CU_JIT_ERROR_LOG_BUFFER,
                                         CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // Options that are numbers are passed as pointers.
  std::array<void*, 3> values = {reinterpret_cast<void*>(std::uintptr_t{1}), log.data(),
                                 reinterpret_cast<void*>(log.size() - 1)};
  const std::string text(ptx);  // includes the null byte at the end, which the driver needs
  CUmodule module = nullptr;
  const CUresult result =
      api.ModuleLoadDataEx(&module, text.c_str(), options.size(), options.data(), values.data());
  if (result == CUDA_SUCCESS) return module;
  std::string said(log.data(), ::strnlen(log.data(), log.size()));
  said.erase(said.find_last_not_of("\n ") + 1);
  return tl::unexpected(Explain(api, result, said));
}

CUresult ReadParameters(const DriverApi& api, CUfunction function, KernelInfo& into) {
  for (std::size_t i = 0;; ++i) {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    const CUresult result = api.FuncGetParamInfo(function, i, &offset, &bytes);
    if (result == CUDA_ERROR_INVALID_VALUE) return CUDA_SUCCESS;  // there are no more parameters
    if (result != CUDA_SUCCESS) return result;
    into.parameters.push_back(
        {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
    into.parameter_bytes = static_cast<std::uint32_t>(offset + bytes);
  }
}

CUresult ReadKernel(const DriverApi& api, CUfunction function, KernelInfo& into) {
  CUresult error = CUDA_SUCCESS;
  const auto read = [&](CUfunction_attribute attribute, std::uint32_t& value) {
    int number = 0;
    const CUresult result = api.FuncGetAttribute(&number, attribute, function);
    if (error == CUDA_SUCCESS) error = result;
    value = static_cast<std::uint32_t>(number);
  };
  read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, into.static_shared_bytes);
  read(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, into.local_bytes);
  read(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, into.constant_bytes);
  read(CU_FUNC_ATTRIBUTE_NUM_REGS, into.registers);
  read(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, into.max_threads_per_block);
  return error == CUDA_SUCCESS ? ReadParameters(api, function, into) : error;
}

// Finds in the words of a function's body how it uses textures and surfaces.
class TextureUseReader {
 public:
  void Add(std::string_view word) {
    if (IsAnyOf(word, {"tld4", "txq", "suld", "sust", "sured", "suq"})) use_ = TextureUse::kOther;
    if (word == "tex") in_fetch_ = true;
    if (!in_fetch_ || word == "tex") return;
    // "tex.1d.v4.f32.s32": the last suffix is the type of the coordinates.
    if (word[0] == '.') {
      suffixes_.emplace_back(word);
      return;
    }
    const bool by_index =
        suffixes_.size() > 1 && suffixes_.front() == ".1d" && suffixes_.back() == ".s32";
    use_ = std::max(use_, by_index ? TextureUse::kFetches : TextureUse::kOther);
    in_fetch_ = false;
    suffixes_.clear();
  }

  // Returns the use in the words since the last call.
  TextureUse Take() { return std::exchange(use_, TextureUse::kNone); }

 private:
  static bool IsAnyOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
  }

  TextureUse use_ = TextureUse::kNone;
  bool in_fetch_ = false;
  std::vector<std::string_view> suffixes_;
};

}  // namespace

PtxNames ReadNames(std::string_view ptx) {
  enum class Part { kOther, kEntry, kVariable, kConstant };
  PtxNames names;
  Words words(ptx);
  int depth = 0;  // the depth of nested braces
  Part part = Part::kOther;
  TextureUseReader textures;
  TextureUse in_functions = TextureUse::kNone;
  bool in_kernel = false;  // or behind its name
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    if (word == "{") ++depth;
    if (word == "}") --depth;
    if (depth > 0) {
      textures.Add(word);
      continue;
    }
    if (word == "}") {
      const TextureUse use = textures.Take();
      if (!in_kernel || names.kernels.empty()) {
        in_functions = std::max(in_functions, use);
      } else if (use != TextureUse::kNone) {
        names.texture_use[names.kernels.back()] = use;
      }
    }
    if (word == ".func") in_kernel = false;
    if (word == ".entry") {
      part = Part::kEntry;
      in_kernel = true;
    } else if (word == ".global" || word == ".const") {
      part = word == ".const" ? Part::kConstant : Part::kVariable;
    } else if (word == ";" || word == "=" || (word == "(" && part == Part::kEntry)) {
      part = Part::kOther;
    } else if (part != Part::kOther && IsNamePart(word[0]) && (word[0] < '0' || word[0] > '9')) {
      auto& list = part == Part::kEntry ? names.kernels : names.variable_candidates;
      list.emplace_back(word);
      if (part == Part::kConstant) names.constants.emplace(word);
    }
  }
  if (in_functions == TextureUse::kNone) return names;
  for (const std::string& kernel : names.kernels) {
    TextureUse& use = names.texture_use[kernel];
    use = std::max(use, in_functions);
  }
  return names;
}

tl::expected<std::unique_ptr<GpuModule>, LoadFailure> GpuModule::Load(
    const DriverApi& api, std::string_view ptx, const CubinCapturer& capture) {
  std::unique_ptr<GpuModule> module(new GpuModule(api));
  tl::expected<CUmodule, LoadFailure> loaded = nullptr;
  const auto load = [&] { loaded = LoadPtx(api, ptx); };
  if (capture) {
    module->cubin_ = capture(load);
  } else {
    load();
  }
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  module->module_ = *loaded;
  module->ptx_ = ptx;
  module->allocates_ = ptx.find("malloc") != ptx.npos;
  const PtxNames names = ReadNames(ptx);
  CUresult result = module->ListKernels(names);
  if (result == CUDA_SUCCESS) result = module->ListVariables(names);
  if (result == CUDA_SUCCESS) return module;
  return tl::unexpected(LoadFailure{
      .error = ToDeviceError(result),
      .message = "the driver does not say what the module has: " + ErrorText(api, result)});
}

GpuModule::~GpuModule() {
  if (module_ != nullptr) (void)api_.ModuleUnload(module_);
}

// Looks kernels up by name. The driver says nothing about an enumerated function before it is
// loaded, but loads a function that is asked for by name.
CUresult GpuModule::ListKernels(const PtxNames& names) {
  for (const std::string& name : names.kernels) {
    if (Find(name) != nullptr) continue;  // it was declared and later defined
    GpuKernel kernel;
    kernel.info.name = name;
    kernel.display_name = Demangle(name);
    const auto use = names.texture_use.find(name);
    if (use != names.texture_use.end()) kernel.textures = use->second;
    CUresult result = api_.ModuleGetFunction(&kernel.function, module_, name.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) continue;  // the name is only declared
    if (result == CUDA_SUCCESS) result = ReadKernel(api_, kernel.function, kernel.info);
    if (result != CUDA_SUCCESS) return result;
    kernels_.push_back(std::move(kernel));
  }
  return CUDA_SUCCESS;
}

CUresult GpuModule::ListVariables(const PtxNames& names) {
  for (const std::string& name : names.variable_candidates) {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    const CUresult result = api_.ModuleGetGlobal(&address, &bytes, module_, name.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) continue;  // the word is the name of something else
    if (result != CUDA_SUCCESS) return result;
    variables_.push_back({name, address, bytes, names.constants.contains(name)});
  }
  return CUDA_SUCCESS;
}

CUresult GpuModule::KeepValues() {
  values_.clear();
  std::uint64_t bytes = 0;
  for (const VariableInfo& variable : variables_) bytes += variable.bytes;
  if (bytes > kMostKept) return CUDA_SUCCESS;
  for (const VariableInfo& variable : variables_) {
    std::vector<std::byte>& value = values_.emplace_back(variable.bytes);
    WARPCHECK_TRY_CODE(api_.MemcpyDtoH(value.data(), variable.address, value.size()));
  }
  return CUDA_SUCCESS;
}

CUresult GpuModule::RestoreValues() {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::vector<std::byte>& value = values_[i];
    WARPCHECK_TRY_CODE(api_.MemcpyHtoD(variables_[i].address, value.data(), value.size()));
  }
  return CUDA_SUCCESS;
}

const GpuKernel* GpuModule::Find(std::string_view mangled) const {
  const auto found = std::ranges::find_if(
      kernels_, [&](const GpuKernel& kernel) { return kernel.info.name == mangled; });
  return found == kernels_.end() ? nullptr : &*found;
}

ModuleInfo GpuModule::Info(ModuleId id) const {
  ModuleInfo info;
  info.id = id;
  info.variables = variables_;
  for (const GpuKernel& kernel : kernels_) info.kernels.push_back(kernel.info);
  return info;
}

bool GpuModule::Holds(DeviceAddress address, std::uint64_t bytes) const {
  return std::ranges::any_of(variables_, [&](const VariableInfo& variable) {
    const std::uint64_t offset =
        // The difference wraps around if the address lies before the variable.
        address - variable.address;
    return offset <= variable.bytes && bytes <= variable.bytes - offset;
  });
}

}  // namespace warpcheck::gpu
