#include "debuginfo/inline_calls.h"

#include <algorithm>
#include <map>
#include <utility>

#include "debuginfo/byte_reader.h"

namespace warpcheck {
namespace {

// Numbers of DWARF 5, section 7.5.
enum Tag : std::uint64_t { kInlined = 0x1D, kFunction = 0x2E };
enum Attribute : std::uint64_t {
  kLines = 0x10,
  kLow = 0x11,
  kHigh = 0x12,
  kRanges = 0x55,
  kCallFile = 0x58,
  kCallLine = 0x59,
};
enum RangeEntry : std::uint8_t {
  kEndOfList = 0,
  kOffsets = 4,
  kBase = 5,
  kBeginAndEnd = 6,
  kBeginAndLength = 7,
};
constexpr std::uint64_t kAddress = 0x01;   // a form
constexpr std::uint64_t kIndirect = 0x16;  // the form stands before the value
constexpr std::uint64_t kConstant = 0x21;  // the value stands with the shape
enum UnitKind : std::uint8_t { kWholeUnit = 1, kPartialUnit = 3 };  // others have longer heads

// EntryValues has those attributes of an entry that calls and their lines depend on.
struct EntryValues {
  std::uint64_t lines = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool high_is_length = false;
  std::uint64_t ranges = 0;
  bool has_ranges = false;
  std::uint64_t call_file = 0;
  std::uint64_t call_line = 0;
};

}  // namespace

// Reads one unit after the other.
class InlineReader {
 public:
  InlineReader(const InlineSections& sections, InlineCalls& calls)
      : sections_(sections), calls_(calls) {}

  void Read() {
    ByteReader all(sections_.info);
    while (!all.empty()) {
      std::uint64_t length = all.Take<std::uint32_t>();
      wide_ = length == 0xFFFF'FFFF;
      if (wide_) length = all.Take<std::uint64_t>();
      ReadUnit(all.Part(length));
    }
  }

 private:
  struct Field {
    std::uint64_t attribute = 0;
    std::uint64_t form = 0;
    std::uint64_t constant = 0;
  };

  // An EntryForm lists the tag and the attributes of all entries that share an abbreviation number.
  struct EntryForm {
    std::uint64_t tag = 0;
    bool has_children = false;
    std::vector<Field> fields;
  };
  using Shapes = std::map<std::uint64_t, EntryForm>;

  static Shapes ReadShapes(ByteReader section) {
    Shapes shapes;
    for (std::uint64_t number = section.Unsigned(); number != 0; number = section.Unsigned()) {
      EntryForm& shape = shapes[number];
      shape.tag = section.Unsigned();
      shape.has_children = section.Take<std::uint8_t>() != 0;
      while (!section.empty()) {
        Field field;
        field.attribute = section.Unsigned();
        field.form = section.Unsigned();
        if (field.form == kConstant) field.constant = static_cast<std::uint64_t>(section.Signed());
        if (field.attribute == 0 && field.form == 0) break;
        shape.fields.push_back(field);
      }
    }
    return shapes;
  }

  void ReadUnit(ByteReader unit) {
    version_ = unit.Take<std::uint16_t>();
    if (version_ < 2 || version_ > 5) return;
    const bool is_new = version_ == 5;
    const std::uint8_t kind = is_new ? unit.Take<std::uint8_t>() : std::uint8_t{kWholeUnit};
    if (kind != kWholeUnit && kind != kPartialUnit) return;
    if (is_new && unit.Take<std::uint8_t>() != sizeof(std::uint64_t)) return;
    const std::uint64_t offset = unit.Offset(wide_);
    if (!is_new && unit.Take<std::uint8_t>() != sizeof(std::uint64_t)) return;
    if (offset >= sections_.shapes.size()) return;
    const auto [shapes, first_use] = shapes_.try_emplace(offset);
    if (first_use) shapes->second = ReadShapes(ByteReader(sections_.shapes.subspan(offset)));
    known_ = true;
    ReadEntries(unit, shapes->second);
  }

  // Reads the entries of a unit, which are a tree: after an entry with children come these, and
  // then a 0. The first entry is that of the unit.
  void ReadEntries(ByteReader& unit, const Shapes& shapes) {
    int depth = 0;
    bool is_first = true;
    while (!unit.empty() && known_) {
      const std::uint64_t number = unit.Unsigned();
      if (number == 0) {
        --depth;
        continue;
      }
      const auto shape = shapes.find(number);
      if (shape == shapes.end()) return;
      EntryValues entry;
      for (const Field& field : shape->second.fields) ReadField(unit, field, entry);
      if (std::exchange(is_first, false)) {
        lines_ = entry.lines;
        base_ = entry.low;
      }
      Add(shape->second.tag, entry, depth);
      if (shape->second.has_children) ++depth;
    }
  }

  void ReadField(ByteReader& unit, const Field& field, EntryValues& entry) {
    const std::uint64_t value = ReadValue(unit, field.form, field.constant);
    switch (field.attribute) {
      case kLines:
        entry.lines = value;
        break;
      case kLow:
        entry.low = value;
        break;
      case kHigh:
        entry.high = value;
        entry.high_is_length = field.form != kAddress;
        break;
      case kRanges:
        entry.ranges = value;
        entry.has_ranges = true;
        break;
      case kCallFile:
        entry.call_file = value;
        break;
      case kCallLine:
        entry.call_line = value;
        break;
      default:
        break;
    }
  }

  // Returns the value if it is a number. Skips any other value. DWARF 5, section 7.5.6, lists the
  // forms.
  std::uint64_t ReadValue(ByteReader& unit, std::uint64_t form, std::uint64_t constant) {
    switch (form) {
      case kAddress:
      case 0x07:  // 8 bytes
      case 0x14:
      case 0x20:
      case 0x24:
        return unit.Take<std::uint64_t>();
      case 0x0B:  // 1 byte
      case 0x0C:
      case 0x11:
      case 0x25:
      case 0x29:
        return unit.Take<std::uint8_t>();
      case 0x05:  // 2 bytes
      case 0x12:
      case 0x26:
      case 0x2A:
        return unit.Take<std::uint16_t>();
      case 0x27:  // 3 bytes
      case 0x2B:
        unit.Skip(3);
        return 0;
      case 0x06:  // 4 bytes
      case 0x13:
      case 0x1C:
      case 0x28:
      case 0x2C:
        return unit.Take<std::uint32_t>();
      case 0x1E:  // 16 bytes
        unit.Skip(16);
        return 0;
      case 0x08:  // a text
        (void)unit.Text();
        return 0;
      case 0x0A:  // a block, behind its length
        unit.Skip(unit.Take<std::uint8_t>());
        return 0;
      case 0x03:
        unit.Skip(unit.Take<std::uint16_t>());
        return 0;
      case 0x04:
        unit.Skip(unit.Take<std::uint32_t>());
        return 0;
      case 0x09:
      case 0x18:
        unit.Skip(unit.Unsigned());
        return 0;
      case 0x0D:  // numbers of any length
        return static_cast<std::uint64_t>(unit.Signed());
      case 0x0F:
      case 0x15:
      case 0x1A:
      case 0x1B:
      case 0x22:
      case 0x23:
        return unit.Unsigned();
      case 0x10:  // offsets; before DWARF 3 some had the size of an address
        return version_ == 2 ? unit.Take<std::uint64_t>() : unit.Offset(wide_);
      case 0x0E:
      case 0x17:
      case 0x1D:
      case 0x1F:
      case 0x1F20:
      case 0x1F21:
        return unit.Offset(wide_);
      case 0x19:  // true, without a byte
        return 1;
      case kConstant:
        return constant;
      case kIndirect:
        return ReadValue(unit, unit.Unsigned(), 0);
      default:
        known_ = false;  // nothing after a form that is not known can be read
        return 0;
    }
  }

  void Add(std::uint64_t tag, const EntryValues& entry, int depth) {
    if (tag != kInlined && tag != kFunction) return;
    const auto add = [&](std::uint64_t begin, std::uint64_t end) {
      if (begin >= end) return;
      if (tag == kFunction) {
        calls_.functions_.push_back({begin, end});
      } else {
        calls_.calls_.push_back({.begin = begin,
                                 .end = end,
                                 .unit_lines = lines_,
                                 .file = entry.call_file,
                                 .line = static_cast<int>(entry.call_line),
                                 .depth = depth});
      }
    };
    if (!entry.has_ranges) {
      add(entry.low, entry.high_is_length ? entry.low + entry.high : entry.high);
    } else if (version_ == 5) {
      EachInList(entry.ranges, add);
    } else {
      EachOfOldRanges(entry.ranges, add);
    }
  }

  template <class Add>
  void EachInList(std::uint64_t offset, Add add) const {
    if (offset >= sections_.range_lists.size()) return;
    ByteReader list(sections_.range_lists.subspan(offset));
    std::uint64_t base = base_;
    while (!list.empty()) {
      switch (list.Take<std::uint8_t>()) {
        case kOffsets: {
          const std::uint64_t begin = base + list.Unsigned();
          add(begin, base + list.Unsigned());
          break;
        }
        case kBase:
          base = list.Take<std::uint64_t>();
          break;
        case kBeginAndEnd: {
          const auto begin = list.Take<std::uint64_t>();
          add(begin, list.Take<std::uint64_t>());
          break;
        }
        case kBeginAndLength: {
          const auto begin = list.Take<std::uint64_t>();
          add(begin, begin + list.Unsigned());
          break;
        }
        default:  // the end, or an index of a table of addresses
          return;
      }
    }
  }

  template <class Add>
  void EachOfOldRanges(std::uint64_t offset, Add add) const {
    if (offset >= sections_.ranges.size()) return;
    ByteReader list(sections_.ranges.subspan(offset));
    std::uint64_t base = base_;
    while (!list.empty()) {
      const auto begin = list.Take<std::uint64_t>();
      const auto end = list.Take<std::uint64_t>();
      if (begin == 0 && end == 0) return;
      if (begin == ~std::uint64_t{0}) {
        base = end;
      } else {
        add(base + begin, base + end);
      }
    }
  }

  const InlineSections& sections_;
  InlineCalls& calls_;
  std::map<std::uint64_t, Shapes> shapes_;  // by their offset
  bool wide_ = false;                       // offsets have 8 bytes
  bool known_ = true;                       // all forms so far were known
  std::uint16_t version_ = 0;
  std::uint64_t lines_ = 0;  // of the unit
  std::uint64_t base_ = 0;   // what offsets of ranges count from
};

InlineCalls::InlineCalls(const InlineSections& sections) { InlineReader(sections, *this).Read(); }

std::vector<InlineCalls::Call> InlineCalls::At(std::uint64_t address) const {
  std::vector<Call> found;
  for (const Call& call : calls_) {
    if (call.begin <= address && address < call.end) found.push_back(call);
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &Call::depth);
  return found;
}

std::uint64_t InlineCalls::FunctionAt(std::uint64_t address) const {
  for (const Range& one : functions_) {
    if (one.begin <= address && address < one.end) return one.begin;
  }
  return 0;
}

}  // namespace warpcheck
