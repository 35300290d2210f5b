// A grader process of its own: it grades one submission after the other, so that a grader that dies
// costs the submission that it was at, and nothing else. This is its side; who starts it is
// batch/local_executor.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/record.h"
#include "base/result.h"
#include "batch/executor.h"
#include "batch/journal.h"
#include "compile/builder.h"

namespace warpcheck::batch {

// What a batch and its workers say to each other: one JSON value a line. The batch begins with the
// identity; a worker answers each job with one grade or one fault. Reading throws std::exception
// with a message that names the field.

// From a worker. A grade stays JSON: it is read by who keeps it.
struct WorkerSays {  // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  enum class What : std::uint8_t { kReady, kWantsGpu, kGrade, kHeldUp, kFault };
  What what = What::kFault;
  nlohmann::json grade{};
  Error fault{};  // of kHeldUp too
};

WARPCHECK_NAMES(WorkerSays::What, "ready", "wants_gpu", "grade", "held_up", "fault");

WARPCHECK_FIELDS(WorkerSays, what);
WARPCHECK_FIELDS_IF_CHANGED(WorkerSays, grade, fault);

// A worker's grade; where it is malformed, its grader has died of it.
decltype(Delivery::what) Delivered(const nlohmann::json& grade);

// What a worker wrote last in its log, after ": "; "" where it wrote nothing.
std::string LastWords(const std::filesystem::path& log);

class Grader {
 public:
  virtual ~Grader() = default;
  // Everything about the submission is part of its grade: fails on faults of this machine alone,
  // and on what has just happened to it (Blame::kMoment).
  virtual tl::expected<Grade, compile::Failure> GradeIt(const Job& job) = 0;
};

// Returns when this process may use a GPU, and only it: CUDA_VISIBLE_DEVICES is set then.
using WaitForGpu = std::function<void()>;

using MakeGrader = std::function<Result<std::unique_ptr<Grader>>(const BatchIdentity& identity,
                                                                 const WaitForGpu& wait)>;

// Takes orders from stdin until it is closed, and answers on what was stdout; other output goes to
// stderr. Returns the exit status.
int ServeAsWorker(const MakeGrader& make);

}  // namespace warpcheck::batch
