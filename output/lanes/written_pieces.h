// Writes text in order that several threads make in pieces.
#pragma once

#include <cstddef>

#include "base/share_work.h"
#include "output/files/ordered_pieces.h"
#include "output/text_writer.h"

namespace perfsift::output {

// Calls make(number, text) for each piece, on all threads, and writes the texts in the order of their numbers.
template <typename Make>
void write_pieces(unsigned threads, std::size_t count, OutputFile& out, Make&& make) {
  OrderedPieces pieces(out);
  for_each_task(threads, count, [&](std::size_t number) {
    Text piece = pieces.empty();
    TextWriter text([&](std::string_view some) { piece.append(some); });
    make(number, text);
    text.flush();
    pieces.add(number, std::move(piece));
  });
  pieces.finish();
}

}  // namespace perfsift::output
