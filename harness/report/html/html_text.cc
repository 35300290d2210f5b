#include "report/html/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/text/utf8.h"
#include "report/printable.h"

namespace warpcheck {
namespace {

// These marks enclose the name of an invisible character. They are control characters, which
// EscapedHtml() writes as U+0001 and U+0002, so that a text cannot contain them.
constexpr char kMarkBegin = '\x01';
constexpr char kMarkEnd = '\x02';

std::string_view Entity(char32_t code) {
  static constexpr std::pair<char32_t, std::string_view> kEntities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  for (const auto& [character, entity] : kEntities) {
    if (character == code) return entity;
  }
  return {};
}

// Reads a page, and tracks whether it is in a tag, in the value of an attribute, or in content.
class Finisher {
 public:
  explicit Finisher(std::string_view html) : html_(html) { finished_.reserve(html.size()); }

  std::string Finish() {
    while (at_ < html_.size()) {
      Track();
      Put(html_[at_++]);
    }
    return std::move(finished_);
  }

 private:
  // Updates the state at each place of the page; skips the text of a style sheet or a script.
  void Track() {
    const char c = html_[at_];
    if (in_value_) {
      in_value_ = c != '"';
    } else if (in_tag_) {
      in_value_ = c == '"';
      in_tag_ = c != '>';
    } else if (c == '<') {
      in_tag_ = true;
      const std::string_view tag = html_.substr(at_ + 1);
      only_text_ = tag.starts_with("title>") || tag.starts_with("option ");
      for (const std::string_view end : {"</style>", "</script>"}) {
        if (tag.starts_with(end.substr(2))) Copy(html_.find(end, at_));
      }
    }
  }

  void Copy(std::size_t end) {
    end = std::min(end, html_.size() - 1);
    finished_ += html_.substr(at_, end - at_);
    at_ = end;
  }

  void Put(char c) {
    const bool plain = in_value_ || only_text_;
    if (c == kMarkBegin || c == kMarkEnd) {
      if (!plain) finished_ += c == kMarkBegin ? "<b class=\"hidden\">" : "</b>";
    } else {
      finished_ += plain && (c == '\n' || c == '\t') ? ' ' : c;
    }
  }

  const std::string_view html_;
  std::size_t at_ = 0;
  bool in_tag_ = false;
  bool in_value_ = false;
  bool only_text_ = false;
  std::string finished_;
};

}  // namespace

std::string Shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = 0;
  while (end < text.size()) {
    char32_t code = 0;
    const std::size_t length = std::max<std::size_t>(Utf8Character(text.substr(end), code), 1);
    if (end + length > max_bytes) break;
    end += length;
  }
  if (end > 0 && text.substr(end - 1).starts_with("\r\n")) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string EscapedHtml(std::string_view text) {
  std::string html;
  const auto hidden = [&](const std::string& shown) { html += kMarkBegin + shown + kMarkEnd; };
  while (!text.empty()) {
    char32_t code = 0;
    const std::size_t length = Utf8Character(text, code);
    if (text.starts_with("\r\n")) {  // this is a Windows line end, whose first half is dropped
    } else if (length == 0) {
      hidden(fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front())));
    } else if (!IsPrintable(code)) {
      hidden(fmt::format("U+{:04X}", static_cast<std::uint32_t>(code)));
    } else if (const std::string_view entity = Entity(code); !entity.empty()) {
      html += entity;
    } else {
      html += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return html;
}

std::string FinishedHtml(std::string_view html) { return Finisher(html).Finish(); }

}  // namespace warpcheck
