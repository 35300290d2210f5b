// Implements the names and texts of errors, and the last error (CUDA Runtime API, "Error
// Handling").
#include <mutex>

#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

struct Row {
  int value;
  const char* name;
  const char* text;
};

constexpr Row kRows[] = {
#define CUDA_ERROR(value, name, text) {value, #name, text},
#include "cudart/calls/errors.def"
#undef CUDA_ERROR
};

constexpr Row kUnrecognized = {-1, "unrecognized error code", "unrecognized error code"};

const Row& Find(int value) {
  for (const Row& row : kRows) {
    if (row.value == value) return row;
  }
  return kUnrecognized;
}

cudaError_t Last(bool clear) {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  cudaError_t& last = runtime.LastError();
  const cudaError_t error = runtime.sticky != cudaSuccess ? runtime.sticky : last;
  runtime.misuse.ErrorAsked();
  if (clear) last = cudaSuccess;
  return error;
}

}  // namespace
}  // namespace warpcheck::cudart

const char* cudaGetErrorName(cudaError_t error) { return warpcheck::cudart::Find(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return warpcheck::cudart::Find(error).text; }
cudaError_t cudaGetLastError() { return warpcheck::cudart::Last(true); }
cudaError_t cudaPeekAtLastError() { return warpcheck::cudart::Last(false); }
