#include "remote/memory_fault.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace warpcheck::remote {
namespace {

constexpr std::uintptr_t kPageBytes = 4096;

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

// Async-signal-safe calls only; the signal's default action follows the return (SA_RESETHAND).
void OnFault(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::array<char, 160> line;
  char* end = line.data();
  Append(end, "host code read or wrote address 0x");
  AppendHex(end, address);
  if (address < kPageBytes) {
    Append(end, ", which is a null pointer\n");
  } else if (faulting_client->MayBeDeviceMemory(address)) {
    Append(end, ", which is device memory\n");
  } else {
    Append(end, ", which is not mapped\n");
  }
  const auto bytes = static_cast<std::size_t>(end - line.data());
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), bytes);
}

}  // namespace

void ExplainMemoryFaults(const Client& client) {
  faulting_client = &client;
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
