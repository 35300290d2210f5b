// What a batch and its workers say to each other: one JSON value a line. The batch begins with the
// terms; a worker answers each job with one grade or one fault. Reading throws std::exception with
// a message that names the field.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "batch/executor.h"

namespace warpcheck::batch {

// From a worker. A grade stays JSON: it is read by who keeps it.
struct WorkerSays {  // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  enum class What { kReady, kWantsGpu, kGrade, kHeldUp, kFault };
  What what = What::kFault;
  nlohmann::json grade;
  Error fault;  // of kHeldUp too
};

nlohmann::json ToJson(const Job& job);
Job JobFrom(const nlohmann::json& object);

nlohmann::json ToJson(const WorkerSays& says);
WorkerSays WorkerSaysFrom(nlohmann::json object);

// The line of a message, with its end.
std::string LineOf(const nlohmann::json& message);

}  // namespace warpcheck::batch
