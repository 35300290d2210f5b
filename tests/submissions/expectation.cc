#include "expectation.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace warpcheck::submissions {
namespace {

// The rest of `line` after `marker`, without trailing spaces; nullopt where it does not occur.
std::optional<std::string> After(const std::string& line, std::string_view marker) {
  const std::size_t at = line.find(marker);
  if (at == std::string::npos) return std::nullopt;
  std::string rest = line.substr(at + marker.size());
  rest.erase(rest.find_last_not_of(" \r") + 1);
  return rest;
}

struct Said {
  std::string message;
  int line = 0;
};

void Collect(const nlohmann::json& value, std::vector<Said>& said) {
  if (value.is_object() && value.contains("message") && value["message"].is_string()) {
    const auto line = value.find("line");
    said.push_back({value["message"].get<std::string>(),
                    line != value.end() && line->is_number_integer() ? line->get<int>() : 0});
  }
  if (value.is_structured()) {
    for (const auto& element : value) Collect(element, said);
  }
}

}  // namespace

Expectation ParseExpectation(std::string_view source) {
  Expectation expectation;
  std::istringstream lines{std::string(source)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (const auto score = After(line, "// score: ")) expectation.score = std::stod(*score);
    if (const auto text = After(line, "// says: ")) expectation.says.push_back(*text);
    if (const auto text = After(line, "// expect: ")) expectation.lines.push_back({number, *text});
  }
  return expectation;
}

std::vector<std::string> Unmet(const Expectation& expectation, std::string_view verdict,
                               const nlohmann::json& report) {
  std::vector<std::string> unmet;
  const double score = report.at("score").get<double>();
  if (score != expectation.score) {
    unmet.push_back("score: expected " + std::to_string(expectation.score) + ", got " +
                    std::to_string(score));
  }
  const auto got = report.at("verdict").get<std::string>();
  if (got != verdict) unmet.push_back("verdict: expected " + std::string(verdict) + ", got " + got);

  std::vector<Said> said;
  Collect(report.at("criteria"), said);
  if (report.contains("compile_error")) Collect(report.at("compile_error"), said);
  const auto is_said = [&said](const std::string& text, int line) {
    return std::any_of(said.begin(), said.end(), [&](const Said& one) {
      return one.message.find(text) != std::string::npos && (line == 0 || one.line == line);
    });
  };
  for (const std::string& text : expectation.says) {
    if (!is_said(text, 0)) unmet.push_back("nothing says '" + text + "'");
  }
  for (const LineExpectation& one : expectation.lines) {
    if (!is_said(one.text, one.line)) {
      unmet.push_back("nothing says '" + one.text + "' of line " + std::to_string(one.line));
    }
  }
  return unmet;
}

}  // namespace warpcheck::submissions
