#include "compile/source/language.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace warpcheck::compile {
namespace {

constexpr std::array kStandards = {17, 20};

// Flags that change which C++ is accepted, or which PTX it becomes. Another function handles
// macros.
constexpr std::array<std::string_view, 12> kFlags = {
    "--extended-lambda", "--expt-relaxed-constexpr", "--use_fast_math",   "--fmad=false",
    "--ftz=true",        "--prec-div=false",         "--prec-sqrt=false", "--restrict",
    "-extended-lambda",  "-expt-relaxed-constexpr",  "-use_fast_math",    "-restrict"};
// The first 8 flags have long names; the others are their short forms.
constexpr std::size_t kSpelledOut = 8;

struct Refusal {
  std::string_view start;  // the beginning of the flag
  std::string_view why;
};

constexpr Refusal kRefusals[] = {
    {"-rdc",
     "separate compilation is only needed for kernels that launch kernels, and warpcheck does not "
     "run those"},
    {"--relocatable-device-code",
     "separate compilation is only needed for kernels that launch kernels, and warpcheck does not "
     "run those"},
    {"-dc",
     "separate compilation is only needed for kernels that launch kernels, and warpcheck does not "
     "run those"},
    {"-maxrregcount",
     "it has no effect on a GPU, whose driver compiles the PTX: write __launch_bounds__(threads, "
     "blocks) or __maxnreg__(N) at the kernel"},
    {"--maxrregcount",
     "it has no effect on a GPU, whose driver compiles the PTX: write __launch_bounds__(threads, "
     "blocks) or __maxnreg__(N) at the kernel"},
    {"-Xptxas", "it has no effect on a GPU, whose driver compiles the PTX"},
    {"--ptxas-options", "it has no effect on a GPU, whose driver compiles the PTX"},
    {"-std", "write standard = 17 or standard = 20"},
    {"--std", "write standard = 17 or standard = 20"},
    {"-arch", "remove this option: warpcheck chooses the architecture (--target)"},
    {"--gpu-architecture", "remove this option: warpcheck chooses the architecture (--target)"},
    {"-gencode", "remove this option: warpcheck chooses the architecture (--target)"},
    {"-l", "a submission is linked only with the CUDA runtime"},
};

// Returns true for a flag like "-DTILE=16", with a value of letters, digits, '_', '.', '+' and '-'.
bool IsMacro(std::string_view flag) {
  if (!flag.starts_with("-D")) return false;
  flag.remove_prefix(2);
  const std::size_t equals = std::min(flag.find('='), flag.size());
  const std::string_view name = flag.substr(0, equals);
  const bool named = !name.empty() && (name[0] < '0' || name[0] > '9');
  return named && std::ranges::all_of(name, IsOfIdentifier) &&
         std::ranges::all_of(flag.substr(std::min(equals + 1, flag.size())), [](char c) {
           return IsOfIdentifier(c) || c == '.' || c == '+' || c == '-';
         });
}

}  // namespace

std::string Language::Command() const {
  return fmt::format("nvcc -std=c++{} -O3{}{}", standard, flags.empty() ? "" : " ",
                     fmt::join(flags, " "));
}

Result<> CheckStandard(int standard) {
  if (std::ranges::find(kStandards, standard) != kStandards.end()) return {};
  return Fail(fmt::format("C++{} is not offered", standard), {},
              fmt::format("the standards are: {}", fmt::join(kStandards, ", ")));
}

Result<> CheckFlag(std::string_view flag) {
  if (std::ranges::find(kFlags, flag) != kFlags.end() || IsMacro(flag)) return {};
  std::string why;
  for (const Refusal& refusal : kRefusals) {
    if (flag.starts_with(refusal.start)) {
      why = fmt::format(": {}", refusal.why);
      break;
    }
  }
  return Fail(fmt::format("the flag \"{}\" is not offered{}", flag, why), {},
              fmt::format("the flags are: {}, -DNAME=VALUE",
                          fmt::join(kFlags.begin(), kFlags.begin() + kSpelledOut, ", ")));
}

std::vector<std::string> NvccFlags(const Language& language, int ptx_target) {
  std::vector<std::string> flags = {fmt::format("-std=c++{}", language.standard),
                                    "-O3",
                                    "-lineinfo",
                                    "--no-compress",
                                    "-cudart",
                                    "none",
                                    "-Xcompiler",
                                    "-fPIC,-g1",  // host code with its lines, for messages
                                    "-gencode",
                                    fmt::format("arch=compute_{0},code=compute_{0}", ptx_target)};
  flags.insert(flags.end(), language.flags.begin(), language.flags.end());
  return flags;
}

}  // namespace warpcheck::compile
