#include "output/info/header_json.h"

#include <bit>

namespace perfsift::output {
namespace {

const char* byte_order_of(const reader::FileHeader& header) {
  const bool little = (std::endian::native == std::endian::little) == (header.order == ByteOrder::native);
  return little ? "little endian" : "big endian";
}

}  // namespace

Json header_json(const reader::FileHeader& header) {
  Json json = {{"form", header.pipe ? "pipe" : "file"},
               {"version", header.version},
               {"byte_order", byte_order_of(header)},
               {"header_size", header.size}};
  if (header.pipe) return json;
  json["attr_size"] = header.attr_size;
  json["attrs_offset"] = header.attrs_offset;
  json["attrs_size"] = header.attrs_size;
  json["data_offset"] = header.data_offset;
  json["data_size"] = header.data_size;
  return json;
}

}  // namespace perfsift::output
