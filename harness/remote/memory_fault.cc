#include "remote/memory_fault.h"

#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace warpcheck::remote {
namespace {

constexpr std::uintptr_t kPageBytes = 4096;
// A function reaches no farther from its stack pointer but into a large array of its own.
constexpr std::uintptr_t kNear = 64 * 1024;

std::uintptr_t stack_end = 0;  // of the main thread's stack: its lowest address; 0: not known
const Client* faulting_client = nullptr;  // a signal handler has no other way to its data
alignas(16) std::array<char, 65'536> handler_stack;

void Append(char*& to, const char* text) {
  while (*text != '\0') *to++ = *text++;
}

void AppendHex(char*& to, std::uintptr_t value) {
  int shift = 60;
  while (shift > 0 && (value >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) *to++ = "0123456789abcdef"[(value >> shift) & 15];
}

// Beside the stack pointer there is memory, unless the stack has ended.
bool StackEnded(std::uintptr_t address, const ucontext_t& context) {
  const auto pointer = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
  const std::uintptr_t distance = address < pointer ? pointer - address : address - pointer;
  return distance < kNear || pointer < stack_end + kNear;
}

// Async-signal-safe calls only; the signal's default action follows the return (SA_RESETHAND).
// Addresses that differ from run to run are not told: reports of equal runs are equal.
void OnFault(int, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::array<char, 160> line;
  char* end = line.data();
  // The kernel tells no address where there can be no memory of a program. The emulator's lies
  // there.
  if (info->si_code == SI_KERNEL) {
    Append(end,
           "host code used a pointer that is none of the host's, such as one to device memory\n");
  } else if (address < kPageBytes || faulting_client->MayBeDeviceMemory(address)) {
    Append(end, "host code read or wrote address 0x");
    AppendHex(end, address);
    Append(end,
           address < kPageBytes ? ", which is a null pointer\n" : ", which is device memory\n");
  } else if (StackEnded(address, *static_cast<const ucontext_t*>(context))) {
    Append(end, "host code ran out of stack\n");
  } else {
    Append(end, "host code read or wrote an address where it has no memory\n");
  }
  const auto bytes = static_cast<std::size_t>(end - line.data());
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), bytes);
}

}  // namespace

void ExplainMemoryFaults(const Client& client) {
  faulting_client = &client;
  rlimit limit{};
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < here) {
    stack_end = here - limit.rlim_cur;
  }
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = OnFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace warpcheck::remote
