#include "remote/client.h"

#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <string_view>

#include "remote/host_crash.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

namespace {

[[noreturn]] void EndProcess() { _exit(kConnectionLostStatus); }

constexpr std::uintptr_t kPageBytes = 4096;
// A function accesses no memory farther than this from its stack pointer, except in a large array
// of its own.
constexpr std::uintptr_t kNear = std::uintptr_t{64} << 10;

std::uintptr_t stack_end = 0;  // the lowest address of the main thread's stack; 0 if unknown
// A global variable, because a signal handler has no other access to its data.
const Client* faulting_client = nullptr;
// The runtime's handler in front reads the program's line table here.
alignas(16) std::array<char, 1 << 20> handler_stack;

void Append(char*& to, std::string_view text) { to = std::ranges::copy(text, to).out; }

void AppendHex(char*& to, std::uintptr_t value) {
  int shift = 60;
  while (shift > 0 && (value >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) *to++ = "0123456789abcdef"[(value >> shift) & 15];
}

// Returns true if the stack has ended. If it has not, there is memory beside the stack pointer.
bool StackEnded(std::uintptr_t address, const ucontext_t& context) {
  const auto pointer = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
  const std::uintptr_t distance = address < pointer ? pointer - address : address - pointer;
  return distance < kNear || pointer < stack_end + kNear;
}

// Makes only calls that are async-signal-safe. The signal's default action follows the return
// (SA_RESETHAND). Does not print addresses that differ from run to run, so that equal runs have
// equal reports.
void OnFault(int, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::array<char, 160> line;
  char* end = line.data();
  // The kernel gives no address if it is one at which a program cannot have memory. The emulator's
  // addresses are such addresses.
  if (info->si_code == SI_KERNEL) {
    Append(end, Words(HostCrash::kNotHosts));
  } else if (address < kPageBytes || faulting_client->MayBeDeviceMemory(address)) {
    Append(end, "host code read or wrote address 0x");
    AppendHex(end, address);
    Append(end, Words(address < kPageBytes ? HostCrash::kNull : HostCrash::kDevice));
  } else if (StackEnded(address, *static_cast<const ucontext_t*>(context))) {
    Append(end, Words(HostCrash::kStack));
  } else {
    Append(end, Words(HostCrash::kNoMemory));
  }
  const auto bytes = static_cast<std::size_t>(end - line.data());
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), bytes);
}

}  // namespace

DeviceError Client::Broken() { EndProcess(); }

void Client::Send(Kind kind, std::uint32_t sequence, std::span<const std::byte> payload,
                  std::span<const std::byte> tail) {
  const std::size_t length = payload.size() + tail.size();
  const auto header = FrameHeader{static_cast<std::uint32_t>(length), kind, sequence}.Encoded();
  std::array<std::byte, 512> head{};
  const std::size_t head_bytes = header.size() + payload.size();
  if (head_bytes <= head.size()) {
    std::ranges::copy(header, head.begin());
    std::ranges::copy(payload, head.begin() + header.size());
    if (channel_.Send(std::span(head).first(head_bytes), tail, {}) == Transfer::kDone) return;
  } else if (channel_.Send(header, payload, {}) == Transfer::kDone &&
             channel_.Send(tail, {}, {}) == Transfer::kDone) {
    return;
  }
  EndProcess();
}

FrameHeader Client::ReceiveHeader() {
  std::array<std::byte, FrameHeader::kBytes> bytes{};
  if (channel_.Receive(bytes, {}) != Transfer::kDone) EndProcess();
  const auto header = FrameHeader::Decoded(bytes);
  if (!header || header->length > kMaxPayloadBytes) EndProcess();
  return *header;
}

std::span<const std::byte> Client::ReceivePayload(std::size_t bytes) {
  if (payload_.size() < bytes) payload_.resize(bytes);
  const auto payload = std::span(payload_).first(bytes);
  if (channel_.Receive(payload, {}) != Transfer::kDone) EndProcess();
  return payload;
}

Call Client::ReceiveCall(const FrameHeader& header) {
  if (header.kind != Kind::kCall) EndProcess();
  Decoder decoder(ReceivePayload(header.length));
  properties_ = Decode<DeviceProperties>(decoder);
  Call call = DecodeCall(decoder);
  if (!decoder.Complete()) EndProcess();
  for (const Argument& argument : call.arguments) {
    const auto* pointer = std::get_if<DevicePointer>(&argument);
    if (pointer != nullptr && pointer->address != 0) Remember(pointer->address, pointer->bytes);
  }
  return call;
}

void Client::Serve(const std::function<CallOutcome(const Call&)>& handle) {
  while (true) {
    std::array<std::byte, FrameHeader::kBytes> bytes{};
    if (channel_.Receive(std::span(bytes).first(1), {}) != Transfer::kDone) return;
    if (channel_.Receive(std::span(bytes).subspan(1), {}) != Transfer::kDone) EndProcess();
    const auto header = FrameHeader::Decoded(bytes);
    if (!header || header->length > kMaxPayloadBytes) EndProcess();
    const Call call = ReceiveCall(*header);
    sequence_ = 0;
    const CallOutcome outcome = handle(call);
    const Lock lock(mutex_);
    Encoder answer;
    Encode(answer, outcome);
    Send(Kind::kReturned, header->sequence, answer.payload());
  }
}

RequestDevice::Answer Client::Ask(const Question& question) {
  Send(question.kind, ++sequence_, question.head, question.tail);
  const FrameHeader header = ReceiveHeader();
  if (header.kind != Kind::kReply || header.sequence != sequence_ || header.length < 4) {
    EndProcess();
  }
  const std::size_t bytes = header.length - 4;
  Answer answer;
  answer.error = static_cast<DeviceError>(Decoder(ReceivePayload(4)).I32());
  if (answer.error == DeviceError::kSuccess && !question.into.empty()) {
    if (bytes != question.into.size()) EndProcess();
    if (channel_.Receive(question.into, {}) != Transfer::kDone) EndProcess();
  } else {
    answer.rest = ReceivePayload(bytes);
  }
  return answer;
}

void Client::Remember(DeviceAddress address, std::uint64_t bytes) {
  lowest_ = std::min<DeviceAddress>(lowest_, address);
  highest_ = std::max<DeviceAddress>(highest_, address + std::max<std::uint64_t>(bytes, 1));
}

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
