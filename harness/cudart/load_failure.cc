#include "cudart/load_failure.h"

#include <fmt/format.h>

#include "base/text/demangle.h"

namespace warpcheck::cudart {
namespace {

struct Library {
  std::string_view start;  // the beginning of the functions' names
  std::string_view name;
};

constexpr Library kLibraries[] = {
    {"cublas", "cuBLAS"},     {"cufft", "cuFFT"}, {"curand", "cuRAND"}, {"cusolver", "cuSOLVER"},
    {"cusparse", "cuSPARSE"}, {"cudnn", "cuDNN"}, {"nvrtc", "NVRTC"},   {"npp", "NPP"},
    {"GOMP_", "OpenMP"},      {"omp_", "OpenMP"}, {"MPI_", "MPI"},      {"nvtx", "NVTX"},
};

// Returns true for a name like "cuLaunchKernel".
bool IsDriverCall(std::string_view symbol) {
  return symbol.size() > 2 && symbol.starts_with("cu") && symbol[2] >= 'A' && symbol[2] <= 'Z';
}

}  // namespace

std::string ExplainLoadFailure(std::string_view reason) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const std::size_t at = reason.find(kUndefined);
  if (at == std::string_view::npos) return std::string(reason);
  const std::string_view rest = reason.substr(at + kUndefined.size());
  const std::string symbol(rest.substr(0, rest.find_first_of(", \n")));
  if (symbol.starts_with("__cudaRegisterLinkedBinary")) {
    return "the object was compiled with -rdc=true, which warpcheck does not offer: compile "
           "without it";
  }
  if (symbol.starts_with("cuda") || symbol.starts_with("__cuda")) {
    return "the object calls " + symbol +
           ", which is not in the CUDA runtime that warpcheck offers";
  }
  for (const Library& library : kLibraries) {
    if (symbol.starts_with(library.start)) {
      return fmt::format(
          "the program calls {} of {}. This library is not available here: write the function "
          "yourself",
          symbol, library.name);
    }
  }
  if (IsDriverCall(symbol)) {
    return fmt::format("the object calls {}, of CUDA's driver: use the runtime's cuda... functions",
                       symbol);
  }
  return fmt::format(
      "{} is used but not defined: define it in a .cu file, with the parameter types of its "
      "declaration",
      Demangle(symbol));
}

}  // namespace warpcheck::cudart
