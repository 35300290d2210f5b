#include "batch/worker.h"

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
#include "base/json_record.h"
#include "device/record_json.h"
#include "grading/grade.h"

namespace warpcheck::batch {

decltype(Delivery::what) Delivered(const nlohmann::json& grade) try {
  return GradeFrom(grade);
} catch (const std::exception& exception) {
  return Died{fmt::format("the grader's answer is malformed: {}", exception.what())};
}

std::string LastWords(const std::filesystem::path& log) {
  constexpr std::size_t kMaxLastWords = 2000;
  std::string words = ReadFile(log).value_or("");
  if (words.size() > kMaxLastWords) words.erase(0, words.size() - kMaxLastWords);
  while (words.ends_with('\n')) words.pop_back();
  return words.empty() ? "" : ": " + words;
}

namespace {

using nlohmann::json;
using Says = WorkerSays::What;

constexpr int kExitDone = 0;
constexpr int kExitNoWorker = 2;  // whoever started it does not speak its language

// Launches and findings of a grade, as JSON: what a submission can make long.
constexpr std::size_t kMaxEvents = std::size_t{8} << 20;

// The private way to the batch: what others print to stdout goes to stderr.
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
    if (!grader) return Say({.what = Says::kFault, .fault = grader.error()});
    Say({.what = Says::kReady});
    for (json order; !(order = Next()).is_null();) {
      const auto grade = (*grader)->GradeIt(FromJson<Job>(order));
      if (grade) {
        Say({.what = Says::kGrade, .grade = Bounded(ToJson(*grade))});
      } else {
        const bool moment = grade.error().blame == compile::Failure::Blame::kMoment;
        Say({.what = moment ? Says::kHeldUp : Says::kFault, .fault = grade.error()});
      }
    }
    return kExitDone;
  }

 private:
  // Null where the batch has gone.
  static json Next() {
    std::string line;
    if (!std::getline(std::cin, line)) return nullptr;
    return json::parse(line);
  }

  // A batch that has gone will not miss it: its worker is ended with it.
  int Say(const WorkerSays& says) const {
    if (!WriteAll(answers_, JsonText(ToJson(says)) + "\n")) std::_Exit(kExitNoWorker);
    return kExitDone;
  }

  void WaitForGpu() const {
    Say({.what = Says::kWantsGpu});
    const json order = Next();
    if (order.is_null()) std::_Exit(kExitDone);
    ::setenv("CUDA_VISIBLE_DEVICES", StringField(order, "gpu").c_str(), 1);
  }

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
