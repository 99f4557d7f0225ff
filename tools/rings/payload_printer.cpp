#include "tools/rings/payload_printer.h"

#include <utility>
#include <variant>

#include "base/printable.h"
#include "output/json.h"
#include "record/rings/pieces.h"

namespace perfsift::tools {
namespace {

namespace bit = reader::sample_bit;
using filter::Number;
using output::TextWriter;
using record::PayloadField;
using record::PayloadForm;

void print_hex(Bytes bytes, TextWriter& out) {
  for (const std::byte byte : bytes) {
    const auto value = std::to_integer<unsigned>(byte);
    out.character("0123456789abcdef"[value >> 4]);
    out.character("0123456789abcdef"[value & 15]);
  }
}

void print_number(Number value, TextWriter& out) {
  value.negative ? out.signed_decimal(static_cast<std::int64_t>(value.bits)) : out.decimal(value.bits);
}

void print_numbers(const std::vector<Number>& numbers, TextWriter& out) {
  out.character('[');
  bool is_first = true;
  for (const Number& number : numbers) {
    if (!std::exchange(is_first, false)) out.character(',');
    print_number(number, out);
  }
  out.character(']');
}

// Addresses are texts: few readers of JSON keep all digits of 64 bits.
void print_number_field(const PayloadField& field, Number value, TextWriter& out) {
  if (field.form == PayloadForm::address) {
    out.text("\"0x");
    out.hex(value.bits);
    return out.character('"');
  }
  if (field.form == PayloadForm::truth) return out.text(value.bits != 0 ? "true" : "false");
  const std::string* const name = record::name_of_value(field, value);
  name != nullptr ? out.text(output::json_string(*name)) : print_number(value, out);
}

struct JsonValue {
  const PayloadField& field;
  TextWriter& out;

  void operator()(std::monostate) const { out.text("null"); }
  void operator()(Number value) const { print_number_field(field, value, out); }
  void operator()(std::string_view text) const { out.text(output::json_string(text)); }
  void operator()(const std::vector<Number>& numbers) const { print_numbers(numbers, out); }
  void operator()(Bytes bytes) const {
    out.character('"');
    print_hex(bytes, out);
    out.character('"');
  }
};

}  // namespace

void PayloadPrinter::records(std::size_t /*ring*/, Bytes records) {
  record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
    if (header.type != reader::RecordType::sample) return;
    const reader::Record record = record::record_in(records.subspan(offset, header.size));
    if (!decoder_.decode(record, event_, sample_)) return;  // the kernel writes no such sample
    json_ ? print_json(sample_) : print_text(sample_);
  });
}

void PayloadPrinter::print_text(const reader::Sample& sample) {
  constexpr std::uint64_t one_second = 1'000'000'000, one_microsecond = 1'000;
  if (sample.has(bit::cpu)) out_.format("[{:03}] ", sample.cpu);
  out_.format("{:6}.{:06}  ", sample.time / one_second, sample.time % one_second / one_microsecond);
  if (sample.has(bit::tid)) out_.format("tid {:<7} ", sample.tid);
  if (format_ != nullptr) {
    out_.text(printable(format_->formats().print(format_->format(), sample.raw)));
  } else {
    out_.format("{} bytes: ", sample.raw.size());
    print_hex(sample.raw, out_);
  }
  out_.character('\n');
}

void PayloadPrinter::print_json(const reader::Sample& sample) {
  out_.text("{\"time\":");
  out_.decimal(sample.time);
  if (sample.has(bit::cpu)) out_.format(",\"cpu\":{}", sample.cpu);
  if (sample.has(bit::tid)) out_.format(",\"pid\":{},\"tid\":{}", sample.pid, sample.tid);
  if (format_ != nullptr) {
    print_fields(format_->payload_in(sample.raw));
  } else {
    out_.text(",\"bytes\":\"");
    print_hex(sample.raw, out_);
    out_.character('"');
  }
  out_.text("}\n");
}

// Names are identifiers.
void PayloadPrinter::print_fields(Bytes payload) {
  out_.text(",\"fields\":{");
  bool is_first = true;
  for (const PayloadField& field : format_->layout().fields) {
    if (!std::exchange(is_first, false)) out_.character(',');
    out_.character('"');
    out_.text(field.name);
    out_.text("\":");
    std::visit(JsonValue{field, out_}, record::payload_value(field, payload));
  }
  out_.character('}');
}

}  // namespace perfsift::tools
