#include "gpu/survey_json.h"

#include "base/json_fields.h"

namespace warpcheck::gpu {
namespace {

using nlohmann::json;

json ToJson(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return {{"message", error->message}, {"hint", error->hint}};
}

std::optional<Error> ErrorFrom(const json& value) {
  if (value.is_null()) return std::nullopt;
  Error error;
  error.message = StringField(value, "message");
  error.hint = StringField(value, "hint");
  return error;
}

}  // namespace

std::string SurveyText(const Survey& survey) {
  const json value = {{"name", survey.name},
                      {"driver", survey.driver},
                      {"compute_major", survey.compute_major},
                      {"compute_minor", survey.compute_minor},
                      {"no_gpu", ToJson(survey.no_gpu)},
                      {"no_counters", ToJson(survey.no_counters)}};
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Survey> ParseSurvey(std::string_view text) try {
  const json value = json::parse(text);
  Survey survey;
  survey.name = StringField(value, "name");
  survey.driver = StringField(value, "driver");
  survey.compute_major = IntegerField<int>(value, "compute_major");
  survey.compute_minor = IntegerField<int>(value, "compute_minor");
  survey.no_gpu = ErrorFrom(Field(value, "no_gpu"));
  survey.no_counters = ErrorFrom(Field(value, "no_counters"));
  return survey;
} catch (const std::exception& exception) {
  return Fail(std::string("the survey of the GPU cannot be read: ") + exception.what());
}

}  // namespace warpcheck::gpu
