// Numbers by the hundred thousand, in few bytes: columns of a page's data.
//
// The bytes of a column are stored in planes: first the lowest bytes of all its numbers, then the next ones. High
// bytes are mostly equal, so that gzip makes little of them. A few numbers that are larger than all others stand in a
// list, as planes for them would take time to write and to compress. page_data.cpp describes the whole; web/columns.js
// reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "output/gzip/gzip_pieces.h"
#include "output/json.h"

namespace perfsift::output {

class Columns {
 public:
  // `threads` share the work of long columns. The bytes do not depend on their number.
  explicit Columns(unsigned threads = 1) : threads_(threads) {}
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;

  // All return the description of the column. Equal numbers are only in the description.
  Json add(std::span<const std::uint32_t> numbers);
  Json add(std::span<const std::uint64_t> numbers);
  // For numbers that differ little from the ones before: the differences are stored, modulo 2^32.
  Json add_differences(std::span<const std::uint32_t> numbers);
  // `count` times the same number.
  Json add_equal(std::uint32_t count, std::uint64_t number);

  // The same for numbers that `fill` computes: those from `begin` to `end`, from `to` on. Several threads call `fill`.
  template <typename Number>
  using Fill = std::function<void(std::uint32_t begin, std::uint32_t end, Number* to)>;
  template <typename Number>  // std::uint32_t or std::uint64_t
  Json add(std::uint32_t count, const Fill<Number>& fill, GzipContent content);
  Json add_differences(std::uint32_t count, const Fill<std::uint32_t>& fill, GzipContent content);

  // The columns behind each other, as they were added.
  const std::vector<GzipPart>& parts() const { return parts_; }

 private:
  // What decides how a column is stored.
  template <typename Number>
  struct Survey {
    Number any = 0;                                  // the bits that are set in any number
    Number all = static_cast<Number>(~Number{0});    // in all numbers
    std::array<std::size_t, sizeof(Number)> more{};  // how many numbers need more than so many bytes

    void add(std::span<const Number> numbers);
    void add(const Survey& other);
    // How many planes, without those for a few numbers.
    unsigned planes(std::size_t count) const;
  };

  template <typename Number>
  Survey<Number> survey(std::span<const Number> numbers) const;
  template <typename Number>
  Json add_planes(std::span<const Number> numbers, const Survey<Number>& survey, GzipContent content);
  // The numbers that need more bytes than the planes have.
  template <typename Number>
  struct Large {
    std::vector<std::uint32_t> places;
    std::vector<Number> numbers;

    void find(std::span<const Number> all, std::size_t begin, std::size_t end, unsigned planes);
    void append(const Large& behind);
  };
  template <typename Number>
  UnsetVector<Number>& scratch();

  const unsigned threads_;
  std::vector<UnsetVector<char>> columns_;
  std::vector<GzipPart> parts_;  // one for each of columns_
  std::size_t size_ = 0;
  // For the numbers of a column, one column after the other: new memory takes longer than the work.
  UnsetVector<std::uint32_t> words_;
  UnsetVector<std::uint64_t> long_words_;
};

}  // namespace perfsift::output
