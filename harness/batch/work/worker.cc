#include "batch/work/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/json/record.h"
#include "batch/work/worker_message.h"
#include "device/record_json.h"
#include "grading/grade.h"

namespace warpcheck::batch {
namespace {

using nlohmann::json;
using Kind = WorkerMessage::Kind;

constexpr int kExitDone = 0;
// The exit status if the program that started it does not speak its protocol.
constexpr int kExitNoWorker = 2;

// The most bytes of JSON that the launches of a grade may take, and the most for its findings. A
// submission can make these lists long.
constexpr std::size_t kMaxEvents = std::size_t{8} << 20;

// Returns a descriptor of stdout for messages to the batch. All other output to stdout goes to
// stderr from now on.
int TakeStdout() {
  const int answers = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return answers;
}

class Worker {
 public:
  explicit Worker(int answers) : answers_(answers) {}

  int Serve(const MakeGrader& make) {
    const json identity = Next();
    if (identity.is_null()) return kExitDone;
    const auto grader = make(FromJson<BatchIdentity>(identity), [this] { WaitForGpu(); });
    if (!grader) return Send({.what = Kind::kFault, .fault = grader.error()});
    Send({.what = Kind::kReady});
    for (json order; !(order = Next()).is_null();) {
      const auto grade = (*grader)->GradeIt(FromJson<Job>(order));
      if (grade) {
        Send({.what = Kind::kGrade, .grade = Bounded(ToJson(*grade))});
      } else {
        const bool moment = grade.error().blame == compile::Failure::Blame::kMoment;
        Send({.what = moment ? Kind::kHeldUp : Kind::kFault, .fault = grade.error()});
      }
    }
    return kExitDone;
  }

 private:
  // Returns the batch's next line, or null if the batch has ended.
  static json Next() {
    std::string line;
    if (!std::getline(std::cin, line)) return nullptr;
    return ParseJson(line);
  }

  // Sends a message, and ends the process if the batch has ended.
  int Send(const WorkerMessage& message) const {
    if (!WriteAll(answers_, JsonText(ToJson(message)) + "\n")) std::_Exit(kExitNoWorker);
    return kExitDone;
  }

  void WaitForGpu() const {
    Send({.what = Kind::kWantsGpu});
    const json order = Next();
    if (order.is_null()) std::_Exit(kExitDone);
    ::setenv("CUDA_VISIBLE_DEVICES", StringField(order, "gpu").c_str(), 1);
  }

  // Drops launches and findings beyond kMaxEvents.
  static json Bounded(json grade) {
    json& report = grade["attempt"]["report"];
    std::size_t bytes = 0;
    for (const char* const kind : {"findings", "launches"}) {
      json& events = report[kind];
      const std::size_t all = events.size();
      for (std::size_t i = 0; i < all; ++i) {
        bytes += JsonText(events[i]).size();
        if (bytes <= kMaxEvents) continue;
        events.erase(events.begin() + static_cast<std::ptrdiff_t>(i), events.end());
        std::string remark = grade["attempt"]["device_remark"].get<std::string>();
        if (!remark.empty()) remark += "; ";
        grade["attempt"]["device_remark"] =
            remark + fmt::format("only the first {} of {} {} are kept", i, all, kind);
        break;
      }
    }
    return grade;
  }

  int answers_;
};

}  // namespace

int ServeAsWorker(const MakeGrader& make) {
  ::signal(SIGPIPE, SIG_IGN);
  Worker worker(TakeStdout());
  try {
    return worker.Serve(make);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "warpcheck: error: this worker cannot go on: {}\n", exception.what());
    return kExitNoWorker;
  }
}

}  // namespace warpcheck::batch
