#include "compile/messages/compile_hint.h"

#include <fmt/format.h>

#include "compile/source/includes.h"

namespace warpcheck::compile {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

struct Advice {
  std::string_view part;  // a part of the message
  std::string_view hint;
};

constexpr Advice kAdvice[] = {
    {"requires separate compilation mode",
     "kernels that launch kernels (dynamic parallelism) are not run here: launch them from the "
     "host, one after the other"},
    {"a __global__ function call must be configured",
     "a kernel is launched: kernel<<<blocks, threads>>>(...)"},
    {"is undefined in device code",
     "mark the function __device__, or the variable __device__ or __constant__"},
    {"from a __global__ function", "a kernel calls __device__ functions only: mark it __device__"},
    {"from a __device__ function",
     "device code calls __device__ functions only: mark it __device__"},
    {"linkage specification is incompatible",
     "remove extern \"C\": the function is declared without it in the assignment's header"},
    {"more than one instance of overloaded function",
     "the definition's parameter types differ from those in the assignment's header: copy its "
     "declaration"},
    {", which several files include",
     "write inline before the function, or keep only its declaration in the header"},
    {" is defined in ",
     "all .cu files are compiled together: leave one definition out, or make both static"},
    {" is defined twice",
     "all .cu files are compiled together: leave one definition out, or make both static"},
    {"cannot overload functions distinguished by return type alone",
     "the return type differs from that in the assignment's header: copy its declaration"},
};

// Libraries that students try to use although only the C++ library and the headers of nvcc are
// available.
constexpr std::string_view kLibraries[] = {"cublas", "cufft",  "curand", "cusolver", "cusparse",
                                           "cudnn",  "nvrtc",  "npp",    "cutlass",  "helper_",
                                           "opencv", "Eigen/", "boost/", "omp.h"};

struct Home {
  std::string_view name;
  std::string_view header;
};

// Names that occur in messages like `identifier "printf" is undefined` or `namespace "std" has no
// member "vector"`, with the headers that declare them.
constexpr Home kHomes[] = {
    {"\"printf\"", "<cstdio>"},
    {"\"fprintf\"", "<cstdio>"},
    {"\"malloc\"", "<cstdlib>"},
    {"\"free\"", "<cstdlib>"},
    {"\"exit\"", "<cstdlib>"},
    {"\"assert\"", "<cassert>"},
    {"\"vector\"", "<vector>"},
    {"\"string\"", "<string>"},
    {"\"array\"", "<array>"},
    {"\"cout\"", "<iostream>"},
    {"\"cerr\"", "<iostream>"},
    {"\"swap\"", "<utility>"},
    {"\"unique_ptr\"", "<memory>"},
    {"\"runtime_error\"", "<stdexcept>"},
    {"\"numeric_limits\"", "<limits>"},
    {"\"uint32_t\"", "<cstdint>"},
    {"\"uint64_t\"", "<cstdint>"},
    {"\"int64_t\"", "<cstdint>"},
    {"\"uint8_t\"", "<cstdint>"},
    {"\"memcpy\"", "<cstring>"},
    {"\"FLT_MAX\"", "<cfloat>"},
    {"\"INT_MAX\"", "<climits>"},
    {"\"cooperative_groups\"", "<cooperative_groups.h>"},
    {"\"cub\"", "<cub/cub.cuh>"},
    {"\"__half\"", "<cuda_fp16.h>"},
    {"\"half\"", "<cuda_fp16.h>"},
};

std::string MissingHeader(std::string_view message) {
  const std::string_view header = message.substr(0, message.find(": No such file"));
  for (const std::string_view library : kLibraries) {
    if (!Has(header, library)) continue;
    return "there is no such library here: a submission has the CUDA runtime and the C++ library";
  }
  return "this header is not available here. A submission can include its own files, the "
         "assignment's header, and headers of CUDA and of the C++ library. Submit the header too, "
         "or copy what you need into your file";
}

}  // namespace

std::string CompileHint(std::string_view message, const Language& language) {
  if (Has(message, ": No such file or directory")) return MissingHeader(message);
  for (const std::string_view flag : {"extended-lambda", "expt-relaxed-constexpr"}) {
    if (!Has(message, flag)) continue;
    return fmt::format("submissions are compiled by `{}`, without --{}: {}", language.Command(),
                       flag,
                       flag == "extended-lambda" ? "write a struct with a __device__ operator()"
                                                 : "mark the constexpr function __device__ too");
  }
  for (const Advice& advice : kAdvice) {
    if (Has(message, advice.part)) return std::string(advice.hint);
  }
  if (Has(message, "is undefined") || Has(message, "has no member") ||
      Has(message, "name must be a namespace name") || Has(message, "is not a template") ||
      Has(message, "name followed by \"::\"")) {
    for (const Home& home : kHomes) {
      if (!Has(message, home.name)) continue;
      const std::string_view name = home.header.substr(1, home.header.size() - 2);
      return IsForbidden(name, language) ? std::string() : fmt::format("#include {}", home.header);
    }
  }
  return {};
}

}  // namespace warpcheck::compile
