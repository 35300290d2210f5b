#include "lab/run/kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/text/demangle.h"
#include "compile/builder.h"
#include "compile/messages/ptxas_log.h"
#include "compile/source/language.h"
#include "hardware/generations.h"
#include "host/nvcc.h"
#include "lab/run/kernel_cache.h"
#include "process/run_program.h"
#include "ptx/parser/parser.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kLimit{5};
constexpr char kPtx[] = "kernels.ptx";
constexpr char kPtxasLog[] = "ptxas.log";

// Returns a source that includes the lab's source and uses every kernel, because nvcc makes only
// the instances of a template that are used.
std::string SourceFor(const Lab& lab, const KernelNames& names) {
  std::string text = fmt::format("#include \"{}\"\n", fs::absolute(lab.source).string());
  std::size_t count = 0;
  for (const auto& [name, where] : names.places) {
    if (!name.ends_with('>')) continue;
    text += fmt::format("#line {} \"{}\"\n", std::max(where.line, 1), where.file);
    text += fmt::format("const void* WarpcheckUses{}() {{ return (const void*)&{}; }}\n", count++,
                        name);
  }
  return text;
}

// Kernels that launch kernels need separate compilation.
std::string RdcOption(const Lab& lab) { return lab.launches_kernels ? "-rdc=true" : "-rdc=false"; }

Result<std::string> KeyOf(const Lab& lab, const fs::path& nvcc, const std::string& source) {
  const std::string toolkit = WARPCHECK_TRY(compile::Fingerprint(nvcc));
  std::set<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(lab.folder, error)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".cu" || ending == ".cuh" || ending == ".h") files.insert(entry.path());
  }
  files.insert(lab.source);
  std::vector<std::string> parts = {"warpcheck lab 3", toolkit, source, RdcOption(lab)};
  for (const fs::path& file : files) {
    parts.push_back(file.string());
    parts.push_back(WARPCHECK_TRY(ReadFile(file)));
  }
  return Sha256({parts.begin(), parts.end()});
}

Result<std::string> RunNvcc(const fs::path& nvcc, const std::vector<std::string>& arguments,
                            const Lab& lab) {
  const auto end = WARPCHECK_TRY(RunProgram({.program = nvcc,
                                             .arguments = arguments,
                                             .limit = kLimit,
                                             .max_output = std::size_t{1} << 20}));
  if (end.Succeeded()) return end.output;
  const bool launches = end.output.find("requires separate compilation mode") != std::string::npos;
  return Fail(fmt::format("{} could not be compiled: nvcc {}\n{}", lab.source.string(),
                          end.Text(kLimit), end.output),
              {}, launches ? "write launches_kernels = true at the top of lab.toml" : "");
}

// Returns a folder with the PTX of the lab's kernels.
Result<fs::path> FindPtx(const Lab& lab, const KernelNames& names, const KernelCache& cache) {
  const auto nvcc = WARPCHECK_TRY(Nvcc());
  const std::string source = SourceFor(lab, names);
  const std::string key = WARPCHECK_TRY(KeyOf(lab, nvcc, source));
  return cache.FindOrMake(key, [&](const fs::path& folder) -> Result<> {
    const fs::path file = folder / "kernels.cu";
    WARPCHECK_TRY(WriteFile(file, source));
    WARPCHECK_TRY(
        RunNvcc(nvcc,
                {"-ptx", RdcOption(lab), fmt::format("-std=c++{}", compile::kDefaultStandard),
                 "-O3", "-lineinfo", fmt::format("-arch=compute_{}", kDefaultTarget), "-o",
                 (folder / kPtx).string(), file.string()},
                lab));
    return {};
  });
}

// Returns the PTX with a limit for the registers of each kernel.
std::string WithLimit(std::string ptx, std::uint32_t limit) {
  static const RE2 kHead(R"((\.entry\s+[\w$]+\s*\([^)]*\)))");
  if (limit != 0) RE2::GlobalReplace(&ptx, kHead, fmt::format("\\1\n.maxnreg {}", limit));
  return ptx;
}

Result<LimitedCode> CodeOf(const Lab& lab, const std::string& ptx, std::uint32_t limit,
                           const KernelCache& cache) {
  LimitedCode code{.ptx = WithLimit(ptx, limit), .resources = {}};
  const auto nvcc = WARPCHECK_TRY(Nvcc());
  const std::string toolkit = WARPCHECK_TRY(compile::Fingerprint(nvcc));
  const auto make = [&](const fs::path& folder) -> Result<> {
    const fs::path file = folder / kPtx;
    WARPCHECK_TRY(WriteFile(file, code.ptx));
    const auto log = WARPCHECK_TRY(
        RunNvcc(nvcc,
                {"-cubin", RdcOption(lab), fmt::format("-arch=sm_{}", kDefaultTarget), "-Xptxas",
                 "-v", "-o", (folder / "kernels.cubin").string(), file.string()},
                lab));
    return WriteFile(folder / kPtxasLog, log);
  };
  const auto entry =
      WARPCHECK_TRY(cache.FindOrMake(Sha256({"warpcheck lab code 1", toolkit, code.ptx}), make));
  const auto log = WARPCHECK_TRY(ReadFile(entry / kPtxasLog));
  code.resources = compile::ParsePtxasLog(log, code.ptx);
  return code;
}

// Returns the mangled names of the kernels in PTX by their names. Overloads have one name.
std::map<std::string, std::vector<std::string>> KernelsIn(std::string_view ptx) {
  static const RE2 kEntry(R"(\.entry\s+([\w$]+))");
  std::map<std::string, std::vector<std::string>> kernels;
  std::string mangled;
  re2::StringPiece rest(ptx.data(), ptx.size());
  while (RE2::FindAndConsume(&rest, kEntry, &mangled)) {
    kernels[InstanceName(Demangle(mangled))].push_back(mangled);
  }
  return kernels;
}

// Returns the parameters of each kernel by its mangled name. If the PTX cannot be parsed, returns
// nothing; a device says why when it loads the PTX.
std::map<std::string, std::vector<Parameter>> ParametersIn(std::string_view ptx) {
  std::map<std::string, std::vector<Parameter>> kernels;
  const auto module = ptx::ParseModule(ptx);
  if (!module) return kernels;
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry) continue;
    std::vector<Parameter>& parameters = kernels[function.name];
    for (const ptx::SymbolId id : function.parameters) {
      const ptx::Symbol& symbol = module->symbols[id];
      const bool is_float = ptx::IsFloat(symbol.type) && symbol.bytes >= sizeof(float);
      parameters.push_back({.bytes = symbol.bytes, .is_float = is_float});
    }
  }
  return kernels;
}

tl::unexpected<Error> HasNoKernel(const Lab& lab, const std::string& name,
                                  const SourceLocation& where, std::string hint) {
  return Fail(fmt::format("{} has no kernel {}", lab.source.filename().string(), name), where,
              std::move(hint));
}

// Fails if the source does not even have the word that is the kernel's name.
Result<> CheckNames(const Lab& lab, const KernelNames& names) {
  const auto source = WARPCHECK_TRY(ReadFile(lab.source));
  for (const auto& [name, where] : names.places) {
    std::string word = name.substr(0, name.find('<'));
    if (const std::size_t scope = word.rfind("::"); scope != std::string::npos) {
      word.erase(0, scope + 2);
    }
    if (RE2::PartialMatch(source, "\\b" + RE2::QuoteMeta(word) + "\\b")) continue;
    return HasNoKernel(lab, name, where, "write the name of a __global__ function of this file");
  }
  return {};
}

}  // namespace

std::string InstanceName(std::string_view full) {
  std::string demangled(full);
  static const RE2 kAnonymous(R"(\(anonymous namespace\)::|\w*_INTERNAL_\w+::)");
  RE2::GlobalReplace(&demangled, kAnonymous, "");
  std::size_t begin = 0, end = demangled.size();
  int depth = 0;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    depth += demangled[i] == '<' ? 1 : demangled[i] == '>' ? -1 : 0;
    if (depth == 0 && demangled[i] == ' ') begin = i + 1;
    if (depth == 0 && demangled[i] == '(') {
      end = i;
      break;
    }
  }
  std::string name(demangled.substr(begin, end - begin));
  static const RE2 kSuffix(R"(\b(\d+)[ul]+\b)");
  RE2::GlobalReplace(&name, kSuffix, R"(\1)");
  std::erase(name, ' ');
  return name;
}

Result<Kernels> CompileKernels(const Lab& lab, const KernelNames& names, const fs::path& folder) {
  WARPCHECK_TRY(CheckNames(lab, names));
  const KernelCache cache(folder / "labs");
  const auto entry = WARPCHECK_TRY(FindPtx(lab, names, cache));
  const auto ptx = WARPCHECK_TRY(ReadFile(entry / kPtx));
  Kernels kernels;
  const auto found = KernelsIn(ptx);
  const auto parameters = ParametersIn(ptx);
  for (const auto& [name, where] : names.places) {
    const auto kernel = found.find(InstanceName(name));
    if (kernel == found.end()) {
      const auto known = found | std::views::keys;
      const std::string others = found.empty()
                                     ? "it has no kernel"
                                     : fmt::format("its kernels are: {}", fmt::join(known, ", "));
      return HasNoKernel(lab, name, where,
                         others + "; write a kernel of a template with its arguments: copy<4>");
    }
    if (kernel->second.size() > 1) {
      return Fail(fmt::format("{} has {} kernels {}", lab.source.filename().string(),
                              kernel->second.size(), name),
                  where, "give each of them another name");
    }
    const std::string& mangled = kernel->second.front();
    kernels.mangled[name] = mangled;
    if (const auto known = parameters.find(mangled); known != parameters.end()) {
      kernels.parameters[name] = known->second;
    }
  }
  for (const std::uint32_t limit : names.register_limits) {
    kernels.code[limit] = WARPCHECK_TRY(CodeOf(lab, ptx, limit, cache));
  }
  return kernels;
}

}  // namespace warpcheck::lab
