// These are the messages from a worker to its batch, one JSON value a line.
//
// The batch sends its identity first, and then one job after the other. The worker answers each job
// with a grade or a fault. If a message is malformed, reading it throws std::exception, with a
// message that names the field.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/record.h"
#include "base/result.h"
#include "batch/work/executor.h"

namespace warpcheck::batch {

struct WorkerMessage {  // NOLINT(bugprone-exception-escape): moving JSON throws nothing
  enum class Kind : std::uint8_t { kReady, kWantsGpu, kGrade, kHeldUp, kFault };
  Kind what = Kind::kFault;
  nlohmann::json grade{};  // set for kGrade; kept as JSON until it is delivered
  Error fault{};           // set for kFault and kHeldUp
};

WARPCHECK_NAMES(WorkerMessage::Kind, "ready", "wants_gpu", "grade", "held_up", "fault");

WARPCHECK_FIELDS(WorkerMessage, what);
WARPCHECK_FIELDS_IF_CHANGED(WorkerMessage, grade, fault);

// Returns a worker's grade. If it is malformed, the grader counts as having died.
decltype(Delivery::what) DeliveryOf(const nlohmann::json& grade);

// Returns the end of a worker's log, after ": "; empty if the worker has written nothing.
std::string LogTail(const std::filesystem::path& log);

}  // namespace warpcheck::batch
