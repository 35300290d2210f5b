#include "batch/worker_messages.h"

#include "base/json_fields.h"
#include "device/record_json.h"

namespace warpcheck::batch {

using nlohmann::json;
using Says = WorkerSays::What;

json ToJson(const Job& job) {
  return {{"id", job.id},
          {"shown", job.shown},
          {"submission", job.submission.string()},
          {"digest", job.digest},
          {"anew", job.anew}};
}

Job JobFrom(const json& object) {
  Job job;
  job.id = StringField(object, "id");
  job.shown = StringField(object, "shown");
  job.submission = StringField(object, "submission");
  job.digest = StringField(object, "digest");
  job.anew = Field(object, "anew").get<bool>();
  return job;
}

json ToJson(const WorkerSays& says) {
  switch (says.what) {
    case Says::kReady:
      return {{"says", "ready"}};
    case Says::kWantsGpu:
      return {{"says", "wants_gpu"}};
    case Says::kGrade:
      return {{"says", "grade"}, {"grade", says.grade}};
    case Says::kHeldUp:
    case Says::kFault:
      break;
  }
  return {{"says", says.what == Says::kHeldUp ? "held_up" : "fault"},
          {"message", says.fault.message},
          {"where", warpcheck::ToJson(says.fault.where)},
          {"hint", says.fault.hint}};
}

WorkerSays WorkerSaysFrom(json object) {
  const std::string what = StringField(object, "says");
  WorkerSays says;
  if (what == "ready") {
    says.what = Says::kReady;
  } else if (what == "wants_gpu") {
    says.what = Says::kWantsGpu;
  } else if (what == "grade") {
    says.what = Says::kGrade;
    Field(object, "grade");
    says.grade = std::move(object["grade"]);
  } else if (what == "fault" || what == "held_up") {
    says.what = what == "fault" ? Says::kFault : Says::kHeldUp;
    says.fault.message = StringField(object, "message");
    says.fault.where = LocationFrom(Field(object, "where"));
    says.fault.hint = StringField(object, "hint");
  } else {
    throw std::runtime_error("unknown word of a worker: " + what);
  }
  return says;
}

std::string LineOf(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace warpcheck::batch
