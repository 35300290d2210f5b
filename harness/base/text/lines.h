// Lines splits a text into lines while the text arrives in parts, from a pipe or from a file that
// is still being written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

class Lines {
 public:
  // Adds the next part. Calls visit(std::string_view) for each line that ends in it, without the
  // newline.
  template <class Visit>
  void Add(std::string_view bytes, Visit visit) {
    for (std::size_t end; (end = bytes.find('\n')) != std::string_view::npos;) {
      begun_ += bytes.substr(0, end);
      visit(std::string_view(begun_));
      begun_.clear();
      bytes.remove_prefix(end + 1);
    }
    begun_ += bytes;
  }

  // Returns the beginning of a line that has not ended yet.
  std::string_view begun() const { return begun_; }

 private:
  std::string begun_;
};

}  // namespace warpcheck
