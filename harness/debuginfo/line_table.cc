#include "debuginfo/line_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "debuginfo/byte_reader.h"

namespace warpcheck {
namespace {

std::string_view TextAt(std::span<const std::byte> section, std::uint64_t offset) {
  return offset < section.size() ? ByteReader(section.subspan(offset)).Text() : std::string_view();
}

// The numbers of DWARF 5 that tables of files use.
enum Content : std::uint64_t { kPath = 1, kDirectory = 2 };
enum Form : std::uint64_t {
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kData1 = 0x0B,
  kStringOffset = 0x0E,
  kUnsigned = 0x0F,
  kData16 = 0x1E,
  kLineStringOffset = 0x1F,
};
enum Opcode : std::uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvanceAddress = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstantAddress = 8,
  kFixedAdvance = 9,
};
enum Extended : std::uint8_t { kEndSequence = 1, kSetAddress = 2 };

std::string Joined(std::string_view folder, std::string_view name) {
  if (name.starts_with('/') || folder.empty()) return std::string(name);
  return std::string(folder) + "/" + std::string(name);
}

}  // namespace

// Reads one unit after the other into a table.
class LineReader {
 public:
  LineReader(const LineSections& sections, LineTable& table) : sections_(sections), table_(table) {}

  void Read() {
    ByteReader all(sections_.lines);
    while (!all.empty()) {
      const std::uint64_t offset = sections_.lines.size() - all.size();
      std::uint64_t length = all.Take<std::uint32_t>();
      wide_ = length == 0xFFFF'FFFF;
      if (wide_) length = all.Take<std::uint64_t>();
      files_.clear();
      ReadUnit(all.Part(length));
      table_.unit_files_.emplace(offset, files_);
    }
  }

 private:
  struct Entry {
    std::string_view path;
    std::uint64_t folder = 0;
  };

  void ReadUnit(ByteReader unit) {
    version_ = unit.Take<std::uint16_t>();
    if (version_ < 2 || version_ > 5) return;
    if (version_ == 5) unit.Skip(2);  // sizes of addresses and of segment selectors
    ByteReader header = unit.Part(unit.Offset(wide_));
    step_ = header.Take<std::uint8_t>();
    if (version_ >= 4) header.Skip(1);  // operations of an instruction, for VLIW machines
    header.Skip(1);                     // whether rows begin as statements
    line_base_ = header.Take<std::int8_t>();
    line_range_ = header.Take<std::uint8_t>();
    opcodes_ = header.Take<std::uint8_t>();
    if (line_range_ == 0 || opcodes_ == 0) return;
    operands_.assign(opcodes_, 0);
    for (std::size_t i = 1; i < opcodes_; ++i) operands_[i] = header.Take<std::uint8_t>();
    version_ == 5 ? ReadFiles5(header) : ReadFiles(header);
    RunProgram(unit);
  }

  std::uint32_t Add(std::string file) {
    const auto [found, is_new] =
        known_.emplace(std::move(file), static_cast<std::uint32_t>(table_.files_.size()));
    if (is_new) table_.files_.push_back(found->first);
    return found->second;
  }

  void ReadFiles(ByteReader& header) {
    std::vector<std::string_view> folders = {""};
    for (std::string_view text = header.Text(); !text.empty(); text = header.Text()) {
      folders.push_back(text);
    }
    files_.push_back(Add(""));  // files count from 1
    for (std::string_view text = header.Text(); !text.empty(); text = header.Text()) {
      const std::uint64_t folder = header.Unsigned();
      header.Unsigned();  // time
      header.Unsigned();  // length
      files_.push_back(Add(Joined(folder < folders.size() ? folders[folder] : "", text)));
    }
  }

  std::vector<Entry> ReadEntries(ByteReader& header) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> format(header.Take<std::uint8_t>());
    for (auto& [content, form] : format) {
      content = header.Unsigned();
      form = header.Unsigned();
    }
    std::vector<Entry> entries;
    for (std::uint64_t left = header.Unsigned(); left > 0 && !header.empty(); --left) {
      Entry& entry = entries.emplace_back();
      for (const auto& [content, form] : format) ReadField(header, content, form, entry);
    }
    return entries;
  }

  void ReadField(ByteReader& header, std::uint64_t content, std::uint64_t form,
                 Entry& entry) const {
    std::string_view text;
    std::uint64_t number = 0;
    switch (form) {
      case kString:
        text = header.Text();
        break;
      case kLineStringOffset:
        text = TextAt(sections_.line_strings, header.Offset(wide_));
        break;
      case kStringOffset:
        text = TextAt(sections_.strings, header.Offset(wide_));
        break;
      case kData1:
        number = header.Take<std::uint8_t>();
        break;
      case kData2:
        number = header.Take<std::uint16_t>();
        break;
      case kData4:
        number = header.Take<std::uint32_t>();
        break;
      case kData8:
        number = header.Take<std::uint64_t>();
        break;
      case kUnsigned:
        number = header.Unsigned();
        break;
      case kData16:
        header.Skip(16);
        break;
      case kBlock:
        header.Skip(header.Unsigned());
        break;
      default:
        header.Skip(~std::uint64_t{0});  // nothing after a form that is not known can be read
    }
    if (content == kPath) entry.path = text;
    if (content == kDirectory) entry.folder = number;
  }

  void ReadFiles5(ByteReader& header) {
    const std::vector<Entry> folders = ReadEntries(header);
    const auto root = folders.empty() ? std::string_view() : folders[0].path;
    for (const Entry& file : ReadEntries(header)) {
      const auto folder =
          file.folder < folders.size() ? Joined(root, folders[file.folder].path) : std::string();
      files_.push_back(Add(Joined(folder, file.path)));
    }
  }

  void RunProgram(ByteReader& program) {
    state_ = {};
    while (!program.empty()) {
      const auto opcode = program.Take<std::uint8_t>();
      if (opcode >= opcodes_) {
        const unsigned special = opcode - opcodes_;
        state_.address += std::uint64_t{step_} * (special / line_range_);
        state_.line += line_base_ + static_cast<int>(special % line_range_);
        Emit(false);
      } else if (opcode == kExtended) {
        const std::uint64_t length = program.Unsigned();
        RunExtended(program.Part(length));
      } else {
        RunStandard(opcode, program);
      }
    }
  }

  void RunExtended(ByteReader operation) {
    const auto code = operation.Take<std::uint8_t>();
    if (code == kSetAddress) state_.address = operation.Take<std::uint64_t>();
    if (code != kEndSequence) return;
    Emit(true);
    state_ = {};
  }

  void RunStandard(std::uint8_t opcode, ByteReader& program) {
    switch (opcode) {
      case kCopy:
        return Emit(false);
      case kAdvanceAddress:
        state_.address += step_ * program.Unsigned();
        return;
      case kAdvanceLine:
        state_.line += static_cast<int>(program.Signed());
        return;
      case kSetFile:
        state_.file = program.Unsigned();
        return;
      case kConstantAddress:
        state_.address += std::uint64_t{step_} * ((255U - opcodes_) / line_range_);
        return;
      case kFixedAdvance:
        state_.address += program.Take<std::uint16_t>();
        return;
      default:
        for (int i = 0; i < operands_[opcode]; ++i) program.Unsigned();
    }
  }

  void Emit(bool end) {
    const std::uint32_t file = state_.file < files_.size() ? files_[state_.file] : Add("");
    table_.rows_.push_back(
        {state_.address, file, static_cast<std::uint32_t>(std::max(state_.line, 0)), end});
  }

  struct State {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    int line = 1;
  };

  const LineSections& sections_;
  LineTable& table_;
  std::map<std::string, std::uint32_t> known_;  // indices of the table's files
  std::vector<std::uint32_t> files_;            // the files of the unit
  std::vector<std::uint8_t> operands_;          // of standard opcodes
  bool wide_ = false;                           // offsets have 8 bytes
  std::uint16_t version_ = 0;
  std::uint8_t step_ = 1;
  std::int8_t line_base_ = 0;
  std::uint8_t line_range_ = 1;
  std::uint8_t opcodes_ = 1;
  State state_;
};

LineTable::LineTable(const LineSections& sections) {
  LineReader(sections, *this).Read();
  calls_ = InlineCalls(sections.inlines);
}

SourceLocation LineTable::FindCaller(
    std::uint64_t address, const std::function<bool(std::string_view file)>& wanted) const {
  for (const InlineCalls::Call& call : calls_.At(address)) {
    const auto unit = unit_files_.find(call.unit_lines);
    if (unit == unit_files_.end() || call.file >= unit->second.size()) continue;
    const std::string& file = files_[unit->second[call.file]];
    if (wanted(file)) return {.file = file, .line = call.line};
  }
  return {};
}

SourceLocation LineTable::Find(std::uint64_t address,
                               const std::function<bool(std::string_view file)>& wanted) const {
  std::size_t first = 0;  // of the sequence
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].end) continue;
    if (rows_[first].address <= address && address < rows_[i].address) {
      std::size_t row = i;
      while (row > first && rows_[row].address > address) --row;
      const std::uint64_t function = calls_.FunctionAt(address);
      bool is_innermost = true;
      for (;; --row) {
        const Row& found = rows_[row];
        if (found.address < function) return {};
        if (found.line != 0 && wanted(files_[found.file])) {
          return {.file = files_[found.file], .line = static_cast<int>(found.line)};
        }
        if (std::exchange(is_innermost, false)) {
          SourceLocation caller = FindCaller(address, wanted);
          if (caller.known()) return caller;
        }
        if (row == first) return {};
      }
    }
    first = i + 1;
  }
  return {};
}

}  // namespace warpcheck
