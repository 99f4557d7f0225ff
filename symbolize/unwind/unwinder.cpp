#include "symbolize/unwind/unwinder.h"

#include <cstring>

#include "symbolize/unwind/address_rules.h"
#include "symbolize/unwind/expression.h"
#include "symbolize/unwind/frame_guess.h"
#include "symbolize/unwind/frame_registers.h"
#include "symbolize/unwind/stack_reader.h"

namespace perfsift::symbolize {

// The unwinding of one stack.
class Unwinder::Walk {
 public:
  Walk(AddressRules& rules, UnwindLimits limits, const UserState& state, const AddressSpace& space, UnwoundStack& stack)
      : rules_(rules),
        limits_(limits),
        space_(space),
        architecture_(state.architecture),
        facts_(facts_of(state.architecture)),
        registers_(registers_of(state, facts_)),
        memory_(state, registers_[facts_.stack_pointer], facts_.word),
        stack_(stack) {}

  void run() {
    stack_.frames.clear();
    stack_.missing_address = 0;
    stack_.end = StackEnd::no_registers;
    if (!registers_.known(facts_.program_counter) || !registers_.known(facts_.stack_pointer)) return;
    floor_ = registers_[facts_.stack_pointer];
    while (add_frame() && to_caller()) {
    }
    if (stack_.end == StackEnd::truncated) stack_.missing_address = memory_.missing();
  }

 private:
  static FrameRegisters registers_of(const UserState& state, const ArchitectureFacts& facts) {
    FrameRegisters registers;
    std::size_t next = 0;
    for (std::uint64_t left = state.register_mask; left != 0 && next < state.registers.size(); left &= left - 1) {
      const auto number = static_cast<unsigned>(__builtin_ctzll(left));
      const std::uint64_t value = state.registers[next++];
      if (number < facts.from_perf.size() && facts.from_perf[number] < facts.registers)
        registers.set(facts.from_perf[number], facts.word == 4 ? value & 0xffffffff : value);
    }
    return registers;
  }

  std::uint64_t pc() const { return registers_[facts_.program_counter]; }
  bool first_frame() const { return stack_.frames.size() == 1; }

  bool stop(StackEnd end) {
    stack_.end = end;
    return false;
  }

  bool add_frame() {
    if (stack_.frames.size() == limits_.max_frames) return stop(StackEnd::max_frames);
    const FrameOrigin origin = memory_.used_earlier() ? FrameOrigin::earlier_stack : origin_;
    stack_.frames.push_back(
        {.address = pc(), .stack_pointer = floor_, .return_address = return_address_, .origin = origin});
    return true;
  }

  bool to_caller() {
    const AddressRule& place = rules_.find(pc(), return_address_, architecture_, space_);
    if (place.rule == nullptr) return without_cfi(place);
    const FrameRule& rule = *place.rule;
    const RuleTable& table = *place.table;
    if (place.in_epilogue && !rule.is(FrameRule::outermost)) [[unlikely]]
      if (from_epilogue()) return true;
    if (rule.is(FrameRule::plain)) [[likely]]
      return by_plain_rule(rule, table);
    if (rule.is(FrameRule::outermost)) return stop(StackEnd::complete);
    if (rule.is(FrameRule::impossible)) return stop(StackEnd::bad_cfi);
    if (rule.is(FrameRule::signal_frame) && is_trampoline()) return interrupted();
    return by_general_rule(rule, table);
  }

  // --- by CFI ---

  bool by_plain_rule(const FrameRule& rule, const RuleTable& table) {
    if (!registers_.known(rule.cfa_register)) return by_frame_pointer(StackEnd::lost_register);
    const std::uint64_t cfa = plus(registers_[rule.cfa_register], rule.cfa_offset);
    const RegisterRule* r = table.registers.data() + rule.first_register;
    for (const RegisterRule* const end = r + rule.register_count; r != end; ++r) {
      const std::uint64_t at = plus(cfa, r->value);
      if (const auto value = memory_.word(at)) [[likely]]
        registers_.set(r->number, *value);
      else if (r->number == rule.return_register)
        return unreadable(cfa);
      else if (!popped(at))
        registers_.forget(r->number);
    }
    registers_.set(facts_.stack_pointer, cfa);
    return arrive(rule);
  }

  // All rules of a frame use the frame's own registers, so new values are collected apart.
  bool by_general_rule(const FrameRule& rule, const RuleTable& table) {
    const Context context(*this);
    const auto cfa = cfa_of(rule, table, context);
    if (!cfa) return by_frame_pointer(StackEnd::lost_register);
    FrameRegisters callers = registers_;
    callers.set(facts_.stack_pointer, *cfa);
    const RegisterRule* const first = table.registers.data() + rule.first_register;
    for (const RegisterRule& r : std::span(first, rule.register_count)) {
      const auto value = recover(r, table, *cfa, context);
      if (value)
        callers.set(r.number, in_word(*value));
      else if (r.number == rule.return_register)
        return unreadable(*cfa);
      else
        callers.forget(r.number);
    }
    registers_ = callers;
    return arrive(rule);
  }

  class Context : public ExpressionContext {
   public:
    explicit Context(Walk& walk) : walk_(walk) {}
    std::optional<std::uint64_t> register_value(std::uint64_t number) const override {
      return walk_.registers_.get(number);
    }
    std::optional<std::uint64_t> memory(std::uint64_t address, unsigned size) const override {
      return walk_.memory_or_file(address, size);
    }
    std::uint64_t load_bias() const override { return walk_.load_bias(); }

   private:
    Walk& walk_;
  };

  std::optional<std::uint64_t> cfa_of(const FrameRule& rule, const RuleTable& table, const Context& context) {
    if (rule.cfa_register == FrameRule::cfa_is_expression)
      return evaluate(table.expression(rule.cfa_offset, rule.cfa_size), facts_.word, context);
    const auto value = registers_.get(rule.cfa_register);
    return value ? std::optional(plus(*value, rule.cfa_offset)) : value;
  }

  std::optional<std::uint64_t> recover(const RegisterRule& r, const RuleTable& table, std::uint64_t cfa,
                                       const Context& context) {
    const std::uint64_t at = plus(cfa, r.value);
    switch (r.how) {
      case Recovery::at_cfa_plus:
        return popped(at) ? registers_.get(r.number) : memory_.word(at);
      case Recovery::cfa_plus:
        return at;
      case Recovery::in_register:
        return registers_.get(static_cast<std::uint64_t>(r.value));
      case Recovery::expression:
        return evaluate(table.expression(r.value, r.size), facts_.word, context, cfa);
      case Recovery::at_expression: {
        const auto address = evaluate(table.expression(r.value, r.size), facts_.word, context, cfa);
        return address ? memory_or_file(*address, facts_.word) : address;
      }
      case Recovery::undefined:
        break;
    }
    return std::nullopt;
  }

  // The registers are the caller's now. Returns whether they are plausible.
  bool arrive(const FrameRule& rule) {
    const std::uint64_t was = stack_.frames.back().address;
    const bool was_return = return_address_;
    if (!registers_.known(rule.return_register)) return stop(StackEnd::lost_register);
    registers_.set(facts_.program_counter, registers_[rule.return_register] & facts_.address_mask);
    if (pc() == 0) return stop(StackEnd::complete);
    return_address_ = !rule.is(FrameRule::signal_frame);
    origin_ = FrameOrigin::cfi;

    // Signal handlers may have a stack of their own. Other frames lie above the frames they call; only a frame
    // that has just been entered may have nothing on the stack.
    const std::uint64_t below = floor_;
    floor_ = registers_[facts_.stack_pointer];
    if (rule.is(FrameRule::signal_frame)) return true;
    const bool has_moved = floor_ > below || (floor_ == below && !was_return && pc() != was);
    return has_moved || stop(StackEnd::bad_stack);
  }

  // GCC writes no CFI for registers popped in an epilogue: the place of such a register is below the stack pointer, and
  // the register has its value already.
  bool popped(std::uint64_t at) const { return at < floor_ && first_frame(); }

  // The return address could not be read.
  bool unreadable(std::uint64_t cfa) {
    const bool above = cfa >= memory_.end() && cfa <= highest_address();
    // A stack that a signal interrupted may lie anywhere.
    const bool elsewhere = !memory_.holds(floor_) && floor_ != memory_.end();
    return stop(above || elsewhere ? StackEnd::truncated : StackEnd::bad_stack);
  }
  std::uint64_t highest_address() const { return facts_.word == 4 ? 0xffffffff : ~std::uint64_t{0} >> 1; }

  std::uint64_t in_word(std::uint64_t value) const { return facts_.word == 4 ? value & 0xffffffff : value; }
  std::uint64_t plus(std::uint64_t address, std::int32_t offset) const {
    return in_word(address + static_cast<std::uint64_t>(std::int64_t{offset}));
  }

  // --- without CFI ---

  bool without_cfi(const AddressRule& place) {
    if (!place.executable || place.vsyscall) {
      const bool may_be_top = first_frame() || place.vsyscall;
      const auto top = [&](FrameRegisters& r) { return return_from_top(facts_, memory_, r); };
      return (may_be_top && attempt(FrameOrigin::code, top)) || stop(StackEnd::not_mapped);
    }
    const AddressInFile here = rules_.in_file(pc(), architecture_, space_);
    if (here.address && here.table->is_entry(*here.address)) return stop(StackEnd::complete);
    const CodeAround code = rules_.code_around(pc(), return_address_, architecture_, space_);
    if (restores_signal_frame(facts_, code)) return interrupted();
    if (!return_address_ && (from_edge(code) || from_frameless())) return true;
    return by_frame_pointer(StackEnd::no_cfi);
  }

  bool from_edge(const CodeAround& code) {
    const auto edge = frame_edge(facts_, code);
    return edge &&
           attempt(FrameOrigin::code, [&](FrameRegisters& r) { return return_from_edge(facts_, *edge, memory_, r); });
  }

  // A leaf function may have no frame: then the word on top of the stack is the return address of a call whose target
  // lies shortly before the program counter. (A link register keeps the return address of the last call.)
  bool from_frameless() {
    if (facts_.link_register) return false;
    constexpr std::uint64_t large_function = 16384;
    FrameRegisters callers = registers_;
    if (!return_from_top(facts_, memory_, callers)) return false;
    const std::uint64_t address = callers[facts_.program_counter];
    const auto called = called_address(facts_, rules_.code_around(address, true, architecture_, space_), address);
    if (!called || *called > pc() || pc() - *called >= large_function) return false;
    return attempt(FrameOrigin::code, [&](FrameRegisters& r) { return return_from_top(facts_, memory_, r); });
  }

  bool from_epilogue() {
    const auto edge = epilogue(facts_, rules_.code_around(pc(), false, architecture_, space_));
    return edge &&
           attempt(FrameOrigin::code, [&](FrameRegisters& r) { return return_from_edge(facts_, *edge, memory_, r); });
  }

  // The CFI that Linux before 5.8 has for its trampoline on AArch64 leads to the caller of the interrupted function,
  // and leaves that function out (arch/arm64/kernel/vdso/sigreturn.S).
  bool is_trampoline() {
    return facts_.link_register &&
           restores_signal_frame(facts_, rules_.code_around(pc(), return_address_, architecture_, space_));
  }

  bool interrupted() {
    if (!return_from_signal(facts_, memory_, registers_)) return unreadable(floor_);
    return_address_ = false;
    origin_ = FrameOrigin::code;
    floor_ = registers_[facts_.stack_pointer];
    return pc() != 0 || stop(StackEnd::complete);
  }

  // Goes to the caller if the return address that `step` finds is plausible, as far as the code can be read: it follows
  // a call, or signal handlers return to it.
  template <typename Step>
  bool attempt(FrameOrigin origin, Step&& step) {
    FrameRegisters callers = registers_;
    if (!step(callers)) return false;
    const std::uint64_t address = callers[facts_.program_counter];
    const AddressRule& place = rules_.find(address, true, architecture_, space_);
    const CodeAround code = rules_.code_around(address, true, architecture_, space_);
    const bool trampoline = place.rule != nullptr && place.rule->is(FrameRule::signal_frame);
    const bool possible = code.bytes.empty() || comes_after_call(facts_, code) || restores_signal_frame(facts_, code);
    if (!place.executable || !(trampoline || possible)) return false;
    registers_ = callers;
    return_address_ = true;
    origin_ = origin;
    if (registers_.known(facts_.stack_pointer)) floor_ = registers_[facts_.stack_pointer];
    return true;
  }

  // The outermost function with a frame pointer saves nothing, or another value that its caller had in the register.
  bool by_frame_pointer(StackEnd otherwise) {
    const std::uint64_t frame = registers_[facts_.frame_pointer];
    const auto chain = [&](FrameRegisters& r) { return return_by_frame_pointer(facts_, floor_, memory_, r); };
    if (!attempt(FrameOrigin::frame_pointer, chain)) return stop(memory_.ran_out() ? StackEnd::truncated : otherwise);
    floor_ = frame + 2u * facts_.word;
    return true;
  }

  // --- memory ---

  std::optional<std::uint64_t> memory_or_file(std::uint64_t address, unsigned size) {
    if (const auto value = memory_.read(address, size)) return value;
    const AddressInFile there = rules_.in_file(address, architecture_, space_);
    if (there.table == nullptr || !there.address) return std::nullopt;
    const Bytes bytes = there.table->read_only(*there.address);
    if (bytes.size() < size) return std::nullopt;
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), size);
    return value;
  }

  std::uint64_t load_bias() const {
    const AddressInFile here = rules_.in_file(pc(), architecture_, space_);
    return here.address ? pc() - *here.address : 0;
  }

  AddressRules& rules_;
  const UnwindLimits limits_;
  const AddressSpace& space_;
  const Architecture architecture_;
  const ArchitectureFacts& facts_;
  FrameRegisters registers_;
  StackReader memory_;
  UnwoundStack& stack_;
  std::uint64_t floor_ = 0;  // the stack pointer, or the lowest it can be
  bool return_address_ = false;
  FrameOrigin origin_ = FrameOrigin::sample;
};

Unwinder::Unwinder(UnwindTables& tables, UnwindLimits limits)
    : rules_(std::make_unique<AddressRules>(tables)), limits_(limits) {}

Unwinder::~Unwinder() = default;

void Unwinder::unwind(const UserState& state, const AddressSpace& space, UnwoundStack& stack) {
  Walk(*rules_, limits_, state, space, stack).run();
}

}  // namespace perfsift::symbolize
