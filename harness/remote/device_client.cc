#include "remote/device_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json/text.h"
#include "base/text/demangle.h"
#include "device/launch_rules.h"
#include "device/record_json.h"
#include "remote/protocol.h"

namespace warpcheck::remote {

namespace {

// The limit for everything except launches. A module of any size compiles within it.
constexpr std::chrono::seconds kRequestLimit{120};

double Seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::string_view TextOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

DeviceClient::DeviceClient(int fd, HowItEnded how_it_ended)
    : channel_(fd), reader_(channel_), how_it_ended_(std::move(how_it_ended)) {}

Result<> DeviceClient::Await(std::chrono::milliseconds limit) {
  if (!properties_.name.empty()) return {};
  Frame frame;
  const Transfer received = reader_.Receive(frame, Clock::now() + limit);
  if (received == Transfer::kTimedOut) {
    return Fail(fmt::format("the device was not ready within {} s", Seconds(limit)));
  }
  if (received == Transfer::kClosed)
    return Fail("the process of the device ended: " + how_it_ended_());
  Decoder greeting(frame.payload);
  if (greeting.Bool()) {
    properties_ = Decode<DeviceProperties>(greeting);
    if (greeting.Complete() && frame.header.kind == Kind::kGreeting) return {};
  } else {
    const std::string message(greeting.Text(kMaxTextBytes));
    const std::string hint(greeting.Text(kMaxTextBytes));
    if (greeting.Complete()) return Fail(message, {}, hint);
  }
  return Fail("the process of the device sent no greeting");
}

void DeviceClient::BeginTrial(DeviceLog& log, std::chrono::milliseconds launch_limit) {
  log_ = &log;
  launch_limit_ = launch_limit;
}

bool DeviceClient::EndTrial() {
  const Lock lock(mutex_);
  log_ = nullptr;
  static_shared_bytes_.clear();
  if (faulted_ || lost_ != DeviceError::kSuccess) return false;
  const Answer answer = Ask({Kind::kReset, {}, {}, {}});
  return answer.error == DeviceError::kSuccess && lost_ == DeviceError::kSuccess;
}

RequestDevice::Answer DeviceClient::Lose(Kind during, DeviceError error, std::string why) {
  channel_.Close();
  lost_ = error;
  why_ = std::move(why);
  if (during != Kind::kLaunch && log_ != nullptr) {
    Finding finding;
    finding.kind = FindingKind::kDeviceLost;
    finding.message = why_;
    log_->OnFinding(finding);
  }
  return {.error = error, .rest = {}};
}

DeviceError DeviceClient::Broken() {
  return Lose(asked_, DeviceError::kUnknown, "the process of the device sent what is no reply")
      .error;
}

void DeviceClient::Log(const Frame& frame) {
  if (log_ == nullptr) return;
  const std::string_view text = TextOf(frame.payload);
  if (frame.header.kind == Kind::kPrinted) {
    log_->OnPrint(text);
  } else if (frame.header.kind == Kind::kLaunched) {
    log_->OnLaunch(FromJson<LaunchRecord>(ParseJson(text)));
  } else {
    log_->OnFinding(FromJson<Finding>(ParseJson(text)));
  }
}

// Logs the messages that come before the reply.
Transfer DeviceClient::ReceiveReply(const Question& question, Clock::time_point deadline,
                                    Answer& answer) {
  Frame frame;
  while (true) {
    const Transfer received = reader_.Receive(frame, deadline);
    if (received != Transfer::kDone) return received;
    if (frame.header.kind == Kind::kReply) break;
    try {
      Log(frame);
    } catch (const std::exception&) {
      return Transfer::kClosed;
    }
  }
  Decoder reply(frame.payload);
  answer.error = static_cast<DeviceError>(reply.I32());
  answer.rest = reply.Rest();
  if (frame.header.sequence != sequence_ || !reply.ok()) return Transfer::kClosed;
  if (answer.error != DeviceError::kSuccess || question.into.empty()) return Transfer::kDone;
  if (answer.rest.size() != question.into.size()) return Transfer::kClosed;
  std::ranges::copy(answer.rest, question.into.begin());
  answer.rest = {};
  return Transfer::kDone;
}

RequestDevice::Answer DeviceClient::Ask(const Question& question) {
  if (lost_ != DeviceError::kSuccess) return {.error = lost_, .rest = {}};
  asked_ = question.kind;
  const std::chrono::milliseconds limit =
      question.kind == Kind::kLaunch ? launch_limit_ : kRequestLimit;
  const Clock::time_point deadline = Clock::now() + limit;
  const auto length = static_cast<std::uint32_t>(question.head.size() + question.tail.size());
  const auto header = FrameHeader{length, question.kind, ++sequence_}.Encoded();
  Transfer done = channel_.Send(header, question.head, deadline);
  if (done == Transfer::kDone) done = channel_.Send(question.tail, {}, deadline);
  Answer answer;
  if (done == Transfer::kDone) done = ReceiveReply(question, deadline, answer);
  if (done == Transfer::kTimedOut) {
    return Lose(
        asked_, DeviceError::kLaunchTimeout,
        question.kind == Kind::kLaunch
            ? fmt::format("the kernel did not end within {} s; here it was stopped", Seconds(limit))
            : fmt::format("the device did not answer within {} s", Seconds(limit)));
  }
  if (done == Transfer::kClosed) {
    return Lose(asked_, DeviceError::kUnknown,
                "the process of the device ended: " + how_it_ended_());
  }
  if (IsSticky(answer.error)) faulted_ = true;
  return answer;
}

DeviceResult<ModuleInfo> DeviceClient::LoadModule(std::string_view ptx) {
  auto module = filter_ ? RequestDevice::LoadModule(filter_(ptx)) : RequestDevice::LoadModule(ptx);
  if (!module) return module;
  for (const KernelInfo& kernel : module->kernels) {
    static_shared_bytes_[{module->id, kernel.name}] = kernel.static_shared_bytes;
  }
  return module;
}

LaunchRecord DeviceClient::LostLaunch(const LaunchRequest& request) const {
  LaunchRecord record;
  record.kernel = Demangle(request.kernel);
  record.grid = request.grid;
  record.block = request.block;
  const auto known = static_shared_bytes_.find({request.module, request.kernel});
  record.shared_bytes = SharedBytesOfBlock(request.dynamic_shared_bytes,
                                           known == static_shared_bytes_.end() ? 0 : known->second);
  record.error = lost_;
  record.not_measured = why_;
  Finding& finding = record.findings.emplace_back();
  finding.kind = lost_ == DeviceError::kLaunchTimeout ? FindingKind::kBudgetExceeded
                                                      : FindingKind::kDeviceLost;
  finding.kernel = record.kernel;
  finding.message = why_;
  return record;
}

DeviceError DeviceClient::Launch(const LaunchRequest& request) {
  const bool lost_before = lost_ != DeviceError::kSuccess;
  const DeviceError error = RequestDevice::Launch(request);
  const bool lost_now = !lost_before && lost_ != DeviceError::kSuccess;
  if (lost_now && log_ != nullptr) log_->OnLaunch(LostLaunch(request));
  return error;
}

DeviceResult<DeviceAddress> DeviceClient::AllocateHost(std::uint64_t bytes, HostMemory memory) {
  const Lock lock(mutex_);
  Encoder head;
  head.U64(bytes);
  head.U8(static_cast<std::uint8_t>(memory));
  const Answer answer = Ask({Kind::kAllocateHost, head.payload(), {}, {}});
  if (answer.error != DeviceError::kSuccess) return tl::unexpected(answer.error);
  Decoder reply(answer.rest);
  const DeviceAddress address = reply.U64();
  if (!reply.Complete()) return tl::unexpected(Broken());
  return address;
}

DeviceResult<std::vector<StepTime>> DeviceClient::RunSteps(const std::vector<DeviceStep>& steps) {
  const Lock lock(mutex_);
  Encoder head;
  Encode(head, steps);
  const Answer answer = Ask({Kind::kRunSteps, head.payload(), {}, {}});
  if (answer.error != DeviceError::kSuccess) return tl::unexpected(answer.error);
  Decoder reply(answer.rest);
  auto times = Decode<std::vector<StepTime>>(reply);
  if (!reply.Complete()) return tl::unexpected(Broken());
  return times;
}

}  // namespace warpcheck::remote
