#include "report/terminal/calls_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "order/call_order.h"
#include "order/timeline.h"
#include "report/clean_text.h"
#include "report/terminal/order_words.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMargin = 6;  // the column of numbers

// The numbers that a reader sees, from 1.
std::string Numbers(std::vector<std::size_t> calls) {
  for (std::size_t& call : calls) ++call;
  return fmt::format("{}", fmt::join(calls, ", "));
}

// Returns what a call does, such as "stream 1: copy to the device, 4,096 bytes, after 2".
std::string DoingOf(const HostCalls& record, const order::CallOrder& order, std::size_t i) {
  const HostCall& call = record.calls[i];
  std::string text;
  if (call.kind != HostCall::Kind::kHostWait) text = record.streams[call.stream].name + ": ";
  if (call.IsOperation()) {
    text += order::TextOf(call);
    if (const auto earlier = order.WaitsFor(i); !earlier.empty()) {
      text += ", after " + Numbers(earlier);
    }
  } else if (call.kind == HostCall::Kind::kEventRecord) {
    text += fmt::format("event {} stands for its earlier work", call.event);
  } else if (call.kind == HostCall::Kind::kStreamWait) {
    text += fmt::format("its later work waits for event {}", call.event);
  }
  if (const auto& waits = order.HostWaitsFor(i); !waits.empty()) {
    text += fmt::format("{}the host waits for {}", text.empty() ? "" : "; ", Numbers(waits));
  } else if (call.kind == HostCall::Kind::kHostWait) {
    text += "the host has nothing to wait for";
  }
  return text;
}

}  // namespace

std::string CallsText(const HostCalls& calls, std::size_t width,
                      const std::function<std::string(const SourceLocation&)>& shown) {
  if (calls.calls.empty()) return NoWorkText();
  const order::CallOrder order(calls);
  std::string text;
  for (std::size_t i = 0; i < calls.calls.size(); ++i) {
    const HostCall& call = calls.calls[i];
    std::string line = fmt::format("{:>{}}  ", i + 1, kMargin - 2);
    if (call.where.known()) line += shown(call.where) + ": ";
    const bool in_stream = call.kind != HostCall::Kind::kHostWait;
    if (!call.function.empty()) line += call.function + (in_stream ? ", " : ": ");
    line += DoingOf(calls, order, i);
    line += TimesText(call.count);
    text += Wrapped(CleanText(line), width, 0, kMargin + 2);
  }
  return text + LeftOutText(calls.left_out);
}

}  // namespace warpcheck
