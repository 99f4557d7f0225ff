// Stores hundreds of thousands of numbers in few bytes: the columns of a page's data.
//
// The bytes of a column are stored in planes: first the lowest bytes of all numbers, then the next bytes. High bytes
// are mostly equal, so gzip compresses them well. A few numbers that are larger than all others are in a list, because
// planes for them would take time to write and to compress. page_data.cpp describes the whole format. web/columns.js
// reads it.
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
  // `threads` threads share the work of long columns. The bytes do not depend on `threads`.
  explicit Columns(unsigned threads = 1) : threads_(threads) {}
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;

  // Each function returns the description of the column. Columns of equal numbers are only in the description.
  Json add(std::span<const std::uint32_t> numbers);
  Json add(std::span<const std::uint64_t> numbers);
  // For numbers that differ little from the numbers before them. Differences are stored, modulo 2^32.
  Json add_differences(std::span<const std::uint32_t> numbers);
  // Adds a column of `count` equal numbers.
  Json add_equal(std::uint32_t count, std::uint64_t number);

  // Adds numbers that `fill` computes: it writes the numbers from `begin` to `end`, starting at `to`. Several threads
  // call `fill`.
  template <typename Number>
  using Fill = std::function<void(std::uint32_t begin, std::uint32_t end, Number* to)>;
  template <typename Number>  // std::uint32_t or std::uint64_t
  Json add(std::uint32_t count, const Fill<Number>& fill, GzipContent content);
  Json add_differences(std::uint32_t count, const Fill<std::uint32_t>& fill, GzipContent content);

  // The columns in the order in which they were added.
  const std::vector<GzipPart>& parts() const { return parts_; }

 private:
  // The properties of numbers that decide how a column is stored.
  template <typename Number>
  struct Survey {
    Number any = 0;                                  // the bits that are set in any number
    Number all = static_cast<Number>(~Number{0});    // the bits that are set in all numbers
    std::array<std::size_t, sizeof(Number)> more{};  // by size in bytes: how many numbers are larger

    void add(std::span<const Number> numbers);
    void add(const Survey& other);
    // The number of planes, without planes for a few large numbers.
    unsigned planes(std::size_t count) const;
  };

  template <typename Number>
  Survey<Number> survey(std::span<const Number> numbers) const;
  template <typename Number>
  Json add_planes(std::span<const Number> numbers, const Survey<Number>& survey, GzipContent content);
  // The numbers that do not fit into the planes.
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
  std::vector<GzipPart> parts_;  // one part for each of columns_
  std::size_t size_ = 0;
  // The memory for the numbers of one column, which is used again: new memory takes longer than the work.
  UnsetVector<std::uint32_t> words_;
  UnsetVector<std::uint64_t> long_words_;
};

}  // namespace perfsift::output
