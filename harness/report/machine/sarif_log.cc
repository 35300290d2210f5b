#include "report/machine/sarif_log.h"

#include <fmt/format.h>

#include <cctype>

#include "base/json/text.h"

namespace warpcheck {
namespace {

std::string Uri(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace

Sarif PhysicalLocation(std::string_view path, int line) {
  Sarif place = {{"artifactLocation", {{"uri", Uri(path)}}}};
  if (line > 0) place["region"] = {{"startLine", line}};
  return place;
}

std::string SarifLog(const Sarif& driver, const Sarif& results) {
  const Sarif run = {{"tool", {{"driver", driver}}}, {"results", results}};
  const Sarif log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                     {"version", "2.1.0"},
                     {"runs", Sarif::array({run})}};
  return JsonText(log, 2) + "\n";
}

}  // namespace warpcheck
