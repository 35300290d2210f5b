#include "grading/toml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpcheck {
namespace {

SourceLocation PlaceOf(const toml::source_position& begin, const std::string& file) {
  return {
      .file = file, .line = static_cast<int>(begin.line), .column = static_cast<int>(begin.column)};
}

}  // namespace

Result<toml::table> ParseToml(std::string_view text, const std::string& file) try {
  return toml::parse(text);
} catch (const toml::parse_error& error) {
  return Fail(std::string(error.description()), PlaceOf(error.source().begin, file));
}

void TomlReader::Wrong(const toml::node& node, std::string message, std::string hint) {
  if (error_) return;
  error_ = Error{.message = std::move(message),
                 .where = PlaceOf(node.source().begin, file_),
                 .hint = std::move(hint)};
}

void TomlReader::CheckKeys(const toml::table& table, const std::vector<std::string_view>& known,
                           std::string_view what) {
  for (const auto& [key, value] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    Wrong(value, fmt::format("unknown key \"{}\"", key.str()),
          fmt::format("{} may have: {}", what, fmt::join(known, ", ")));
  }
}

std::string TomlReader::Text(const toml::table& table, std::string_view key,
                             std::string_view example) {
  const toml::node* node = table.get(key);
  if (node == nullptr) {
    Wrong(table, fmt::format("missing key \"{}\"", key), fmt::format("write {}", example));
    return {};
  }
  const auto text = node->value_exact<std::string>();
  if (!text || text->empty()) {
    Wrong(*node, fmt::format("\"{}\" must be a text that is not empty", key),
          fmt::format("write {}", example));
    return {};
  }
  return *text;
}

std::vector<std::string> TomlReader::Texts(const toml::node& node, std::string_view key) {
  std::vector<std::string> texts;
  const auto add = [&](const toml::node& item) {
    const auto text = item.value_exact<std::string>();
    if (text && !text->empty()) {
      texts.push_back(*text);
    } else {
      Wrong(item, fmt::format("\"{}\" must be a text or a list of texts", key),
            fmt::format(R"(write {0} = "..." or {0} = ["...", "..."])", key));
    }
  };
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& item : *list) add(item);
  } else {
    add(node);
  }
  return texts;
}

Points TomlReader::PointsIn(const toml::node& node, std::string_view key) {
  const auto number = node.is_number() ? node.value<double>() : std::nullopt;
  const auto points = number ? Points::FromNumber(*number) : std::nullopt;
  if (!points) {
    Wrong(node,
          fmt::format("\"{}\" must be a number from 0 to 1000000 with at most two decimals", key),
          fmt::format("write {0} = 40 or {0} = 12.5", key));
  }
  return points.value_or(Points());
}

const toml::table* TomlReader::Table(const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return nullptr;
  if (node->as_table() == nullptr) {
    Wrong(*node, fmt::format("\"{}\" must be a table", key),
          fmt::format("write [{}], and its keys below it", key));
  }
  return node->as_table();
}

}  // namespace warpcheck
