#include "emulator/warps/printf_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace warpcheck::emulator {
namespace {

// The most columns of one conversion, so that a kernel's text stays short.
constexpr int kMaxWidth = 4096;

class Arguments {
 public:
  explicit Arguments(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> Next() {
    const std::size_t at = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    at_ = at + sizeof(T);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

constexpr char kNoType = '\0';

// One conversion: "%[flags][width][.precision][size]type". A GPU does not know the precision "*",
// and writes such a conversion unchanged (seen on an H200 with CUDA 13.0).
struct Conversion {
  std::string flags;
  int width = 0;
  int precision = -1;
  bool wide = false;  // 8 bytes, because of l, ll, z, j or t
  int narrow = 0;     // 1 for h, 2 for hh
  char type = 0;
};

class Formatter {
 public:
  Formatter(std::string_view format, Arguments arguments, const ReadString& read_string)
      : format_(format), arguments_(arguments), read_string_(read_string) {}

  std::string Run() {
    while (at_ < format_.size()) {
      const std::size_t percent = std::min(format_.find('%', at_), format_.size());
      text_.append(format_, at_, percent - at_);
      at_ = percent;
      if (at_ < format_.size()) Convert();
    }
    return std::move(text_);
  }

 private:
  char Peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }
  bool Skip(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  // Reads "*" or digits. Only a number that comes from "*" can be negative.
  int Number() {
    if (Skip('*')) {
      return std::clamp(arguments_.Next<int>().value_or(0), -kMaxWidth, kMaxWidth);
    }
    int number = 0;
    for (; Peek() >= '0' && Peek() <= '9'; ++at_) {
      number = std::min(number * 10 + (Peek() - '0'), kMaxWidth);
    }
    return number;
  }

  Conversion Parse() {
    Conversion conversion;
    ++at_;  // skips '%'
    while (Peek() != '\0' && std::strchr("-+ #0", Peek()) != nullptr) {
      conversion.flags += format_[at_++];
    }
    conversion.width = Number();
    if (conversion.width < 0) {
      conversion.flags += '-';
      conversion.width = -conversion.width;
    }
    bool known = true;
    if (Skip('.')) {
      known = Peek() != '*';
      if (known) conversion.precision = Number();
    }
    if (!known) ++at_;
    for (;; ++at_) {
      const char c = Peek();
      if (c == 'h') {
        ++conversion.narrow;
      } else if (c == 'l' || c == 'z' || c == 'j' || c == 't') {
        conversion.wide = true;
      } else {
        break;
      }
    }
    conversion.type = known ? Peek() : kNoType;
    if (at_ < format_.size()) ++at_;
    return conversion;
  }

  void Convert() {
    const std::size_t begin = at_;
    const Conversion conversion = Parse();
    const auto is_of = [&](std::string_view types) {
      return types.find(conversion.type) != std::string_view::npos;
    };
    if (is_of("%")) {
      text_ += '%';
    } else if (is_of("di")) {
      conversion.wide ? Print(conversion, "ll", arguments_.Next<long long>())
                      : Print(conversion, Narrow(conversion), arguments_.Next<int>());
    } else if (is_of("uoxX")) {
      conversion.wide ? Print(conversion, "ll", arguments_.Next<unsigned long long>())
                      : Print(conversion, Narrow(conversion), arguments_.Next<unsigned>());
    } else if (is_of("c")) {
      Print(conversion, "", arguments_.Next<int>());
    } else if (is_of("aAeEfFgG")) {
      Print(conversion, "", arguments_.Next<double>());
    } else if (is_of("ps")) {
      PrintAddress(conversion, arguments_.Next<DeviceAddress>());
    } else {
      text_.append(format_, begin, at_ - begin);
    }
  }

  static const char* Narrow(const Conversion& conversion) {
    return conversion.narrow == 0 ? "" : conversion.narrow == 1 ? "h" : "hh";
  }

  template <class T>
  void Print(const Conversion& conversion, const char* size, std::optional<T> value) {
    if (!value) {
      text_ += "<missing>";
      return;
    }
    const std::string format = "%" + conversion.flags + "*.*" + size + conversion.type;
    std::array<char, kMaxWidth * 2 + 512> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), format.c_str(), conversion.width,
                                     conversion.precision, *value);
    text_.append(buffer.data(), static_cast<std::size_t>(
                                    std::clamp(length, 0, static_cast<int>(buffer.size()) - 1)));
  }

  // Prints the address itself, or the string at it.
  void PrintAddress(const Conversion& conversion, std::optional<DeviceAddress> address) {
    if (!address) {
      text_ += "<missing>";
    } else if (conversion.type == 'p') {
      Pad(conversion, *address == 0 ? "(nil)" : fmt::format("{:#x}", *address));
    } else {
      std::string string =
          *address == 0 ? "(null)" : read_string_(*address).value_or("<unreadable>");
      const auto most = static_cast<std::size_t>(conversion.precision);
      if (conversion.precision >= 0 && string.size() > most) string.resize(most);
      Pad(conversion, string);
    }
  }

  void Pad(const Conversion& conversion, std::string_view text) {
    const auto width = static_cast<std::size_t>(conversion.width);
    const std::string padding(width > text.size() ? width - text.size() : 0, ' ');
    const bool left = conversion.flags.find('-') != std::string::npos;
    if (!left) text_ += padding;
    text_ += text;
    if (left) text_ += padding;
  }

  std::string_view format_;
  std::size_t at_ = 0;
  Arguments arguments_;
  const ReadString& read_string_;
  std::string text_;
};

}  // namespace

std::string FormatPrintf(std::string_view format, std::span<const std::byte> arguments,
                         const ReadString& read_string) {
  return Formatter(format, Arguments(arguments), read_string).Run();
}

std::uint64_t CountPrintfArguments(std::string_view format) {
  std::uint64_t count = 0;
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at + 1)) {
    // Skips the flags, the width and the precision; each "*" in them takes an argument too.
    const std::size_t end =
        std::min(format.find_first_not_of("-+ #0123456789.*", at + 1), format.size());
    const std::string_view between = format.substr(at + 1, end - at - 1);
    count += static_cast<std::uint64_t>(std::ranges::count(between, '*'));
    if (end == format.size() || format[end] != '%') ++count;
    at = end < format.size() && format[end] != '%' ? at : end;
  }
  return count;
}

}  // namespace warpcheck::emulator
