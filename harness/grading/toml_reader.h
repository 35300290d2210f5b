// Reads a TOML file that people write, and says at which line it is wrong, and what to write.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grading/rubric.h"

namespace warpcheck {

// Fails with the place where it is no TOML.
Result<toml::table> ParseToml(std::string_view text, const std::string& file);

// Keeps the first error; what comes after one is not looked at.
class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}

  void Wrong(const toml::node& node, std::string message, std::string hint);
  void Check(const toml::node& node, const Result<>& checked) {
    if (!checked) Wrong(node, checked.error().message, checked.error().hint);
  }
  // `what` has these keys and no others: "a criterion".
  void CheckKeys(const toml::table& table, const std::vector<std::string_view>& known,
                 std::string_view what);

  // `example` says how it is written: `title = "Matrix transpose"`.
  std::string Text(const toml::table& table, std::string_view key, std::string_view example);
  // A text, or a list of texts.
  std::vector<std::string> Texts(const toml::node& node, std::string_view key);
  Points PointsIn(const toml::node& node, std::string_view key);
  // The table below this key; nullptr where there is none.
  const toml::table* Table(const toml::table& table, std::string_view key);

  const std::optional<Error>& error() const { return error_; }

 private:
  std::string file_;
  std::optional<Error> error_;
};

}  // namespace warpcheck
