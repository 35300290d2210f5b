// Limits the texts of a report whose file may have only so many bytes.
#pragma once

#include <cstddef>
#include <string>

namespace warpcheck {

class TextBudget {
 public:
  // `bytes` is what all texts together may take in the file.
  explicit TextBudget(std::size_t bytes) : left_(bytes) {}

  // Returns the text, or its beginning and "..." if there is no room for all of it. Counts the
  // bytes that it takes as a JSON string.
  std::string Within(const std::string& text);

  // Takes so many bytes. Returns false, and takes none, if fewer are left.
  bool Take(std::size_t bytes);

 private:
  std::size_t left_;
};

}  // namespace warpcheck
