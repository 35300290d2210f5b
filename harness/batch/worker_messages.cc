#include "batch/worker_messages.h"

#include "base/json_fields.h"
#include "device/record_json.h"

namespace warpcheck::batch {

using nlohmann::json;
using What = WorkerSays::What;

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
    case What::kReady:
      return {{"says", "ready"}};
    case What::kWantsGpu:
      return {{"says", "wants_gpu"}};
    case What::kGrade:
      return {{"says", "grade"}, {"grade", says.grade}};
    case What::kHeldUp:
    case What::kFault:
      break;
  }
  return {{"says", says.what == What::kHeldUp ? "held_up" : "fault"},
          {"message", says.fault.message},
          {"where", warpcheck::ToJson(says.fault.where)},
          {"hint", says.fault.hint}};
}

WorkerSays WorkerSaysFrom(json object) {
  const std::string what = StringField(object, "says");
  WorkerSays says;
  if (what == "ready") {
    says.what = What::kReady;
  } else if (what == "wants_gpu") {
    says.what = What::kWantsGpu;
  } else if (what == "grade") {
    says.what = What::kGrade;
    Field(object, "grade");
    says.grade = std::move(object["grade"]);
  } else if (what == "fault" || what == "held_up") {
    says.what = what == "fault" ? What::kFault : What::kHeldUp;
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
