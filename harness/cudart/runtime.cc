#include "cudart/runtime.h"

#include <dlfcn.h>
#include <unwind.h>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/demangle.h"
#include "cudart/cudart.h"

namespace warpcheck::cudart {

// Never destroyed: loaded objects unregister themselves while the process ends.
Runtime& Runtime::Get() {
  static Runtime& runtime = *new Runtime;
  return runtime;
}

void Runtime::Attach(Device* new_device) {
  device = new_device;
  ++attachments;
  registry.ForgetModules();
  memory.ForgetDevice();
  pools.Clear();
  textures.Clear();
  streams.Clear();
  misuse.Clear();
  late_copies.Clear();
  settings = {};
  pending = sticky = cudaSuccess;
}

void Runtime::Reset() {
  if (device != nullptr) static_cast<void>(device->Reset());
  memory.ForgetDevice();
  textures.Clear();
  registry.ForgetModules();
  streams.Clear();
  misuse.ForgetAllocations();
  late_copies.Clear();
  settings = {};
}

void Runtime::SetSticky(cudaError_t error) {
  sticky = error;
  pending = cudaSuccess;
}

cudaError_t& Runtime::LastError() {
  struct OfThread {
    std::uint64_t attachment = 0;
    cudaError_t error = cudaSuccess;
  };
  thread_local OfThread last;
  if (last.attachment != attachments) last = {attachments, cudaSuccess};
  return last.error;
}

void Attach(Device* device) {
  const std::lock_guard lock(Runtime::Get().mutex);
  Runtime::Get().Attach(device);
}

void AtWait(std::function<void()> hook) {
  const std::lock_guard lock(Runtime::Get().mutex);
  Runtime::Get().at_wait = std::move(hook);
}

void NoteLeftovers() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  runtime.late_copies.NoteLeftovers(runtime);
  runtime.misuse.NoteLeftovers(runtime);
}

int TakeLastError() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  if (runtime.pending != cudaSuccess) runtime.SetSticky(runtime.pending);
  cudaError_t& last = runtime.LastError();
  const cudaError_t error = runtime.sticky != cudaSuccess ? runtime.sticky : last;
  last = cudaSuccess;
  return error;
}

namespace {

struct Stack {
  std::array<std::uintptr_t, 64> addresses = {};
  std::size_t depth = 0;
};

_Unwind_Reason_Code Push(_Unwind_Context* context, void* data) {
  auto& stack = *static_cast<Stack*>(data);
  if (stack.depth == stack.addresses.size()) return _URC_END_OF_STACK;
  stack.addresses[stack.depth++] = _Unwind_GetIP(context);
  return _URC_NO_REASON;
}

bool IsEntryPoint(const char* name) {
  const std::string_view text = name == nullptr ? "" : name;
  return text.starts_with("cuda") || text.starts_with("__cuda");
}

// <<<>>> is written without a name.
std::string NameFor(const std::string& entry_point) {
  return entry_point == "__cudaLaunchKernel" || entry_point == "cudaLaunchKernel"
             ? "a kernel launch"
             : entry_point;
}

}  // namespace

std::string CallSite::Text() const {
  return caller.empty() ? function : function + " in " + caller;
}

namespace {

CallSite CallOf(const Stack& stack, const void* skip) {
  CallSite site{.function = "a CUDA call", .caller = {}};
  Dl_info here = {};
  if (dladdr(reinterpret_cast<void*>(&CurrentCall), &here) == 0) return site;
  bool entered = false;
  const void* program = nullptr;  // the object that called us
  for (const std::uintptr_t address : std::span(stack.addresses).first(stack.depth)) {
    Dl_info frame = {};
    // A return address may lie behind the last instruction of its function.
    if (dladdr(reinterpret_cast<void*>(address - 1), &frame) == 0) continue;
    if (frame.dli_fbase == here.dli_fbase) {
      // A caller that ended with the call, by a jump to it, has left no frame.
      const bool entry = IsEntryPoint(frame.dli_sname);
      if (program != nullptr || (!entry && entered)) break;
      if (entry) site.function = NameFor(frame.dli_sname);
      entered = entered || entry;
      continue;
    }
    if (program == nullptr) program = frame.dli_fbase;
    if (frame.dli_fbase != program) break;
    if (frame.dli_sname == nullptr || frame.dli_saddr == skip) continue;
    site.caller = Demangle(frame.dli_sname);
    break;
  }
  return site;
}

}  // namespace

// A program that allocates in a loop asks from the same place each time.
CallSite CurrentCall(const void* skip) {
  constexpr std::size_t kMostRemembered = 256;
  thread_local std::map<std::pair<std::vector<std::uintptr_t>, const void*>, CallSite> known;
  Stack stack;
  _Unwind_Backtrace(Push, &stack);
  const auto& addresses = stack.addresses;
  std::pair key{std::vector(addresses.begin(), addresses.begin() + stack.depth), skip};
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  if (known.size() == kMostRemembered) known.clear();
  return known.emplace(std::move(key), CallOf(stack, skip)).first->second;
}

cudaError_t BeginCall(Runtime& runtime, Timing timing) {
  if (runtime.device == nullptr) return cudaErrorNoDevice;
  const bool waits = timing == Timing::kWait || timing == Timing::kWaitForPart;
  if (waits && runtime.at_wait) runtime.at_wait();
  if (timing == Timing::kWait) runtime.late_copies.WaitForAll();
  if (runtime.sticky != cudaSuccess) return runtime.sticky;
  const bool reports = waits || timing == Timing::kAsk;
  if (reports && runtime.pending != cudaSuccess) return runtime.pending;
  return cudaSuccess;
}

cudaError_t EndCall(Runtime& runtime, Timing timing, cudaError_t error) {
  const void* const unknown = runtime.streams.TakeUnknown();
  if (error == cudaSuccess) return error;
  if (error == cudaErrorInvalidResourceHandle && unknown != nullptr) {
    NoteUnknownHandle(runtime, unknown);
  }
  if (runtime.device != nullptr && IsSticky(static_cast<DeviceError>(error)) &&
      runtime.sticky == cudaSuccess) {
    if (timing == Timing::kQueue) {
      runtime.pending = error;
      return cudaSuccess;
    }
    runtime.SetSticky(error);
  }
  if (error != cudaErrorNotReady) runtime.LastError() = error;
  return error;
}

cudaError_t NotSupported(Runtime& runtime, const char* function) {
  runtime.device->NoteUnsupportedCall(function);
  return cudaErrorNotSupported;
}

// Error names, texts and the last error (CUDA Runtime API, "Error Handling").

namespace {

struct Row {
  int value;
  const char* name;
  const char* text;
};

constexpr Row kRows[] = {
#define CUDA_ERROR(value, name, text) {value, #name, text},
#include "cudart/errors.def"
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

// The functions of the runtime API that warpcheck does not offer. They are defined without their
// parameters, which none of them reads: a caller passes and removes them by itself.

#define UNSUPPORTED(name)                                                                    \
  extern "C" cudaError_t Unsupported_##name() __asm__(#name);                                \
  extern "C" cudaError_t Unsupported_##name() {                                              \
    return warpcheck::cudart::Call(warpcheck::cudart::Timing::kHost,                         \
                                   [](warpcheck::cudart::Runtime& runtime) {                 \
                                     return warpcheck::cudart::NotSupported(runtime, #name); \
                                   });                                                       \
  }
#include "cudart/unsupported.def"
#undef UNSUPPORTED

// The forms of the entry points for programs compiled with --default-stream per-thread. Work is
// finished when a call returns, so that both default streams behave alike: one is a jump to the
// other.

#if defined(__x86_64__)
#define JUMP(name) "jmp " #name "@PLT\n"
#elif defined(__aarch64__)
#define JUMP(name) "b " #name "\n"
#else
#error "a jump instruction is needed for this architecture"
#endif

// clang-format off
#define PER_THREAD(name, suffix)             \
  __asm__(".text\n"                          \
          ".globl " #name #suffix "\n"       \
          ".type " #name #suffix ", @function\n" \
          #name #suffix ":\n"                \
          JUMP(name)                         \
          ".size " #name #suffix ", .-" #name #suffix "\n");
// clang-format on
#include "cudart/per_thread.def"
#undef PER_THREAD
