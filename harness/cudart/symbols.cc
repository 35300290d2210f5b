// Variables of device code (CUDA Runtime API, "Memory Management": the calls with a symbol).
#include <fmt/format.h>

#include "base/demangle.h"
#include "cudart/call.h"
#include "cudart/transfer.h"

namespace warpcheck::cudart {
namespace {

cudaError_t Find(Runtime& runtime, const void* symbol, Variable** variable) {
  return runtime.registry().FindVariable(*runtime.device(), runtime.memory(), symbol, variable);
}

// A program sees a managed variable where its host memory is.
void* AddressOf(const Variable& variable) {
  return variable.managed != nullptr ? *variable.managed
                                     : reinterpret_cast<void*>(variable.address);
}

enum class Direction { kToSymbol, kFromSymbol };

cudaError_t Copy(Timing timing, cudaStream_t stream, Direction direction, const void* symbol,
                 std::size_t offset, const void* memory, std::size_t bytes, cudaMemcpyKind kind) {
  return Call(timing, [&](Runtime& runtime) {
    Variable* variable = nullptr;
    const cudaError_t error = Find(runtime, symbol, &variable);
    if (error != cudaSuccess) return error;
    const bool to_symbol = direction == Direction::kToSymbol;
    const auto expected = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (kind != expected && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
      return cudaErrorInvalidMemcpyDirection;
    }
    if (offset > variable->bytes || bytes > variable->bytes - offset) {
      NoteMisuse(runtime, FindingKind::kWrongCopy,
                 fmt::format("{} did nothing: {} bytes from byte {} of {}, which has {} bytes",
                             CurrentCall().Text(), bytes, offset, Demangle(variable->name),
                             variable->bytes));
      return cudaErrorInvalidValue;
    }
    const Box device = {.pointer = static_cast<std::byte*>(AddressOf(*variable)) + offset};
    const Box other = {.pointer = memory};
    return CopyInOrder(runtime, timing, stream, to_symbol ? device : other,
                       to_symbol ? other : device, {.width = bytes}, kind);
  });
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Variable* variable = nullptr;
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = Find(runtime, symbol, &variable);
    if (error == cudaSuccess) *pointer = AddressOf(*variable);
    return error;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Variable* variable = nullptr;
    if (bytes == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = Find(runtime, symbol, &variable);
    if (error == cudaSuccess) *bytes = variable->bytes;
    return error;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return Copy(Timing::kWait, nullptr, Direction::kToSymbol, symbol, offset, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return Copy(Timing::kQueue, stream, Direction::kToSymbol, symbol, offset, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return Copy(Timing::kWait, nullptr, Direction::kFromSymbol, symbol, offset, to, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return Copy(Timing::kQueue, stream, Direction::kFromSymbol, symbol, offset, to, bytes, kind);
}
