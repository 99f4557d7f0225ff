#include "reader/tracepoint/limits.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace perfsift::reader {

namespace {

// Follows the arguments of a tracepoint's print format the way libtraceevent does when it prints.
class PrintCheck {
 public:
  PrintCheck(const TracepointFormats& formats, const TracepointFormat& format, ByteOrder order, Bytes raw)
      : formats_(formats), format_(format), order_(order), raw_(raw) {}

  bool all_within(const tep_print_arg* list) const {
    for (; list != nullptr; list = list->next)
      if (!within(*list)) return false;
    return true;
  }

 private:
  bool within(const tep_print_arg& arg) const {
    switch (arg.type) {
      case TEP_PRINT_HEX:
      case TEP_PRINT_HEX_STR:
        return fits(arg.hex.field, value(arg.hex.size));
      case TEP_PRINT_INT_ARRAY: {
        const auto count = value(arg.int_array.count), size = value(arg.int_array.el_size);
        if (!count || !size || *size > 8 || *count > raw_.size()) return false;
        return fits(arg.int_array.field, *count * *size);
      }
      case TEP_PRINT_OP:
        return within_operation(arg.op);
      case TEP_PRINT_FLAGS:
        return all_within(arg.flags.field);
      case TEP_PRINT_SYMBOL:
        return all_within(arg.symbol.field);
      case TEP_PRINT_TYPE:
        return all_within(arg.typecast.item);
      case TEP_PRINT_FUNC:
        return all_within(arg.func.args);
      case TEP_PRINT_DYNAMIC_ARRAY:
        return all_within(arg.dynarray.index);
      default:
        return true;
    }
  }

  // An index must be below the number of bytes; print() leaves room for elements of eight bytes. A divisor must not
  // be 0: libtraceevent divides by whatever there is.
  bool within_operation(const tep_print_arg_op& operation) const {
    const std::string_view op = operation.op != nullptr ? operation.op : "";
    if (op == "[" || op == "/" || op == "%") {
      const auto right = value(operation.right);
      if (!right || (op == "[" ? *right > raw_.size() : *right == 0)) return false;
    }
    return all_within(operation.left) && all_within(operation.right);
  }

  bool fits(const tep_print_arg* array, std::optional<std::uint64_t> size) const {
    const auto* field = field_of(array);
    if (field == nullptr || !size) return false;
    const auto bytes = content(*field, raw_, order_);
    return bytes && *size <= (field->is_dynamic ? bytes->size() : raw_.size() - field->offset);
  }

  const TracepointField* field_of(const tep_print_arg* arg) const {
    if (arg == nullptr) return nullptr;
    if (arg->type == TEP_PRINT_FIELD && arg->field.name != nullptr) return format_.find(arg->field.name);
    const bool dynamic = arg->type == TEP_PRINT_DYNAMIC_ARRAY || arg->type == TEP_PRINT_DYNAMIC_ARRAY_LEN;
    return dynamic && arg->dynarray.field != nullptr ? format_.find(arg->dynarray.field->name) : nullptr;
  }

  std::optional<std::uint64_t> value(const tep_print_arg* arg) const {
    if (arg == nullptr) return std::nullopt;
    switch (arg->type) {
      case TEP_PRINT_ATOM:
        return std::strtoull(arg->atom.atom, nullptr, 0);
      case TEP_PRINT_TYPE:
        return value(arg->typecast.item);
      case TEP_PRINT_OP:
        return result(arg->op);
      case TEP_PRINT_FIELD: {
        const auto* field = field_of(arg);
        return field != nullptr ? formats_.number(*field, raw_) : std::nullopt;
      }
      case TEP_PRINT_DYNAMIC_ARRAY_LEN: {
        const auto* field = field_of(arg);
        const auto bytes = field != nullptr ? content(*field, raw_, order_) : std::nullopt;
        return bytes ? std::optional<std::uint64_t>(bytes->size()) : std::nullopt;
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<std::uint64_t> result(const tep_print_arg_op& operation) const {
    const auto left = value(operation.left), right = value(operation.right);
    if (!left || !right || operation.op == nullptr) return std::nullopt;
    const std::string_view op = operation.op;
    if (op == "+") return *left + *right;
    if (op == "-") return *left - *right;
    if (op == "*") return *left * *right;
    if (op == "/" && *right != 0) return *left / *right;
    if (op == "&") return *left & *right;
    if (op == "<<" && *right < 64) return *left << *right;
    if (op == ">>" && *right < 64) return *left >> *right;
    return std::nullopt;
  }

  const TracepointFormats& formats_;
  const TracepointFormat& format_;
  ByteOrder order_;
  Bytes raw_;
};

}  // namespace

bool is_printable(const tep_event& event, const TracepointFormats& formats, const TracepointFormat& format, Bytes raw) {
  // The arguments of trace_printk() are packed into the raw data by a format string that lies outside of it.
  if ((event.flags & TEP_EVENT_FL_ISBPRINT) != 0) return false;
  const auto present = [&](const TracepointField& field) { return content(field, raw, formats.order()).has_value(); };
  return std::ranges::all_of(format.fields, present) &&
         PrintCheck(formats, format, formats.order(), raw).all_within(event.print_fmt.args);
}

// A dynamic field is a word: the offset of its content in the lower half, the size in the upper one.
std::optional<Bytes> content(const TracepointField& field, Bytes raw, ByteOrder order) {
  ByteReader in(raw, order);
  in.skip(field.offset);
  const Bytes here = in.bytes(field.size);
  if (!in.ok()) return std::nullopt;
  if (!field.is_dynamic) return here;

  ByteReader word(here, order);
  const std::uint32_t location = word.u32();
  const std::size_t base = field.is_relative ? field.offset + field.size : 0;
  ByteReader target(raw, order);
  target.skip(base + (location & 0xffff));
  const Bytes there = target.bytes(location >> 16);
  return word.ok() && target.ok() ? std::optional(there) : std::nullopt;
}

}  // namespace perfsift::reader
