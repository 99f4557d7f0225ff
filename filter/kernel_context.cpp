#include "filter/kernel_context.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace perfsift::filter {
namespace {

struct NamedEntry {
  std::string_view name;
  KernelEntry entry;
};

// The functions by which kernels are entered. Names that stand for more than one kind of entry are left out: arm64's
// el1_sync, riscv's handle_exception, x86's irqentry_exit and retint_user, call_on_irq_stack, which also runs softirqs.
constexpr NamedEntry kernel_entries[] = {
    // All architectures: kernel/softirq.c. The exit of an interrupt is the interrupt's until its softirqs begin.
    {"irq_exit", KernelEntry::interrupt},
    {"irq_exit_rcu", KernelEntry::interrupt},
    {"__irq_exit_rcu", KernelEntry::interrupt},
    {"do_softirq", KernelEntry::softirq},
    {"__do_softirq", KernelEntry::softirq},
    {"____do_softirq", KernelEntry::softirq},
    {"do_softirq_own_stack", KernelEntry::softirq},
    {"handle_softirqs", KernelEntry::softirq},
    {"run_ksoftirqd", KernelEntry::softirq},

    // x86: arch/x86/include/asm/idtentry.h, arch/x86/entry/entry_fred.c
    {"asm_common_interrupt", KernelEntry::interrupt},
    {"common_interrupt", KernelEntry::interrupt},
    {"__common_interrupt", KernelEntry::interrupt},
    {"asm_spurious_interrupt", KernelEntry::interrupt},
    {"spurious_interrupt", KernelEntry::interrupt},
    {"__spurious_interrupt", KernelEntry::interrupt},
    {"asm_exc_xen_hypervisor_callback", KernelEntry::interrupt},
    {"exc_xen_hypervisor_callback", KernelEntry::interrupt},
    {"xen_evtchn_do_upcall", KernelEntry::interrupt},
    {"xen_pv_evtchn_do_upcall", KernelEntry::interrupt},
    {"fred_extint", KernelEntry::interrupt},
    {"asm_exc_nmi", KernelEntry::nmi},
    {"asm_exc_nmi_noist", KernelEntry::nmi},
    {"asm_exc_nmi_kvm_vmx", KernelEntry::nmi},
    {"exc_nmi", KernelEntry::nmi},
    {"fred_exc_nmi", KernelEntry::nmi},
    {"end_repeat_nmi", KernelEntry::nmi},
    {"first_nmi", KernelEntry::nmi},
    {"repeat_nmi", KernelEntry::nmi},
    {"nmi_restore", KernelEntry::nmi},
    {"fred_hwexc", KernelEntry::exception},
    {"fred_swexc", KernelEntry::exception},
    {"do_syscall_64", KernelEntry::syscall},
    {"do_fast_syscall_32", KernelEntry::syscall},
    {"do_int80_syscall_32", KernelEntry::syscall},
    {"do_int80_emulation", KernelEntry::syscall},
    {"int80_emulation", KernelEntry::syscall},
    {"asm_int80_emulation", KernelEntry::syscall},
    {"fred_int80_emulation", KernelEntry::syscall},

    // x86 until 5.7: arch/x86/entry/entry_64.S, and the functions that it calls
    {"ret_from_intr", KernelEntry::interrupt},
    {"do_IRQ", KernelEntry::interrupt},
    {"apic_timer_interrupt", KernelEntry::interrupt},
    {"call_function_interrupt", KernelEntry::interrupt},
    {"call_function_single_interrupt", KernelEntry::interrupt},
    {"reschedule_interrupt", KernelEntry::interrupt},
    {"irq_work_interrupt", KernelEntry::interrupt},
    {"irq_move_cleanup_interrupt", KernelEntry::interrupt},
    {"reboot_interrupt", KernelEntry::interrupt},
    {"threshold_interrupt", KernelEntry::interrupt},
    {"deferred_error_interrupt", KernelEntry::interrupt},
    {"thermal_interrupt", KernelEntry::interrupt},
    {"error_interrupt", KernelEntry::interrupt},
    {"x86_platform_ipi", KernelEntry::interrupt},
    {"kvm_posted_intr_ipi", KernelEntry::interrupt},
    {"kvm_posted_intr_wakeup_ipi", KernelEntry::interrupt},
    {"kvm_posted_intr_nested_ipi", KernelEntry::interrupt},
    {"hyperv_callback_vector", KernelEntry::interrupt},
    {"hv_stimer0_callback_vector", KernelEntry::interrupt},
    {"hyperv_reenlightenment_vector", KernelEntry::interrupt},
    {"xen_hvm_callback_vector", KernelEntry::interrupt},
    {"xen_do_hypervisor_callback", KernelEntry::interrupt},
    {"smp_apic_timer_interrupt", KernelEntry::interrupt},
    {"smp_call_function_interrupt", KernelEntry::interrupt},
    {"smp_call_function_single_interrupt", KernelEntry::interrupt},
    {"smp_reschedule_interrupt", KernelEntry::interrupt},
    {"smp_irq_work_interrupt", KernelEntry::interrupt},
    {"smp_irq_move_cleanup_interrupt", KernelEntry::interrupt},
    {"smp_reboot_interrupt", KernelEntry::interrupt},
    {"smp_threshold_interrupt", KernelEntry::interrupt},
    {"smp_deferred_error_interrupt", KernelEntry::interrupt},
    {"smp_thermal_interrupt", KernelEntry::interrupt},
    {"smp_error_interrupt", KernelEntry::interrupt},
    {"smp_spurious_interrupt", KernelEntry::interrupt},
    {"smp_x86_platform_ipi", KernelEntry::interrupt},
    {"smp_kvm_posted_intr_ipi", KernelEntry::interrupt},
    {"smp_kvm_posted_intr_wakeup_ipi", KernelEntry::interrupt},
    {"smp_kvm_posted_intr_nested_ipi", KernelEntry::interrupt},
    {"hyperv_vector_handler", KernelEntry::interrupt},
    {"call_softirq", KernelEntry::softirq},
    {"nmi", KernelEntry::nmi},
    {"do_nmi", KernelEntry::nmi},
    {"page_fault", KernelEntry::exception},
    {"async_page_fault", KernelEntry::exception},
    {"trace_page_fault", KernelEntry::exception},
    {"do_page_fault", KernelEntry::exception},
    {"do_async_page_fault", KernelEntry::exception},
    {"trace_do_page_fault", KernelEntry::exception},
    {"general_protection", KernelEntry::exception},
    {"do_general_protection", KernelEntry::exception},
    {"invalid_op", KernelEntry::exception},
    {"do_invalid_op", KernelEntry::exception},
    {"device_not_available", KernelEntry::exception},
    {"do_device_not_available", KernelEntry::exception},
    {"int3", KernelEntry::exception},
    {"do_int3", KernelEntry::exception},
    {"do_debug", KernelEntry::exception},
    {"system_call_fastpath", KernelEntry::syscall},
    {"sysret_check", KernelEntry::syscall},
    {"tracesys", KernelEntry::syscall},
    {"ia32_sysenter_target", KernelEntry::syscall},
    {"entry_INT80_compat", KernelEntry::syscall},

    // arm64: arch/arm64/kernel/entry-common.c, until 5.10 arch/arm64/kernel/entry.S
    {"el0_interrupt", KernelEntry::interrupt},
    {"el1_interrupt", KernelEntry::interrupt},
    {"el0_irq", KernelEntry::interrupt},
    {"el1_irq", KernelEntry::interrupt},
    {"el0_irq_naked", KernelEntry::interrupt},
    {"el0_irq_compat", KernelEntry::interrupt},
    {"el0t_64_irq", KernelEntry::interrupt},
    {"el0t_32_irq", KernelEntry::interrupt},
    {"el1h_64_irq", KernelEntry::interrupt},
    {"el0t_64_fiq", KernelEntry::interrupt},
    {"el0t_32_fiq", KernelEntry::interrupt},
    {"el1h_64_fiq", KernelEntry::interrupt},
    {"el0t_64_irq_handler", KernelEntry::interrupt},
    {"el0t_32_irq_handler", KernelEntry::interrupt},
    {"el1h_64_irq_handler", KernelEntry::interrupt},
    {"el0t_64_fiq_handler", KernelEntry::interrupt},
    {"el0t_32_fiq_handler", KernelEntry::interrupt},
    {"el1h_64_fiq_handler", KernelEntry::interrupt},
    {"__el0_irq_handler_common", KernelEntry::interrupt},
    {"__el0_fiq_handler_common", KernelEntry::interrupt},
    {"__el1_irq", KernelEntry::interrupt},
    {"__el1_pnmi", KernelEntry::nmi},
    {"gic_handle_irq", KernelEntry::interrupt},
    {"el0_da", KernelEntry::exception},
    {"el0_ia", KernelEntry::exception},
    {"el0_pc", KernelEntry::exception},
    {"el0_sp", KernelEntry::exception},
    {"el0_undef", KernelEntry::exception},
    {"el0_dbg", KernelEntry::exception},
    {"el0_brk64", KernelEntry::exception},
    {"el0_softstp", KernelEntry::exception},
    {"el0_breakpt", KernelEntry::exception},
    {"el0_watchpt", KernelEntry::exception},
    {"el0_fpsimd_acc", KernelEntry::exception},
    {"el0_fpsimd_exc", KernelEntry::exception},
    {"el0_sve_acc", KernelEntry::exception},
    {"el0_sys", KernelEntry::exception},
    {"el1_abort", KernelEntry::exception},
    {"el1_da", KernelEntry::exception},
    {"el1_undef", KernelEntry::exception},
    {"el1_dbg", KernelEntry::exception},
    {"do_mem_abort", KernelEntry::exception},
    {"el0_svc", KernelEntry::syscall},
    {"el0_svc_compat", KernelEntry::syscall},
    {"el0_svc_naked", KernelEntry::syscall},
    {"el0_svc_handler", KernelEntry::syscall},
    {"el0_svc_common", KernelEntry::syscall},
    {"do_el0_svc", KernelEntry::syscall},
    {"do_el0_svc_compat", KernelEntry::syscall},

    // arm: arch/arm/kernel/entry-armv.S, entry-common.S
    {"__irq_usr", KernelEntry::interrupt},
    {"__irq_svc", KernelEntry::interrupt},
    {"asm_do_IRQ", KernelEntry::interrupt},
    {"__fiq_svc", KernelEntry::nmi},
    {"__fiq_abt", KernelEntry::nmi},
    {"handle_fiq_as_nmi", KernelEntry::nmi},
    {"__dabt_usr", KernelEntry::exception},
    {"__dabt_svc", KernelEntry::exception},
    {"__pabt_usr", KernelEntry::exception},
    {"__pabt_svc", KernelEntry::exception},
    {"__und_usr", KernelEntry::exception},
    {"__und_svc", KernelEntry::exception},
    {"vector_swi", KernelEntry::syscall},
    {"ret_fast_syscall", KernelEntry::syscall},

    // riscv: arch/riscv/kernel/traps.c; riscv_intc_irq() is in drivers/irqchip
    {"do_irq", KernelEntry::interrupt},
    {"handle_riscv_irq", KernelEntry::interrupt},
    {"riscv_intc_irq", KernelEntry::interrupt},
    {"do_trap_ecall_u", KernelEntry::syscall},

    // s390: arch/s390/kernel/entry.S
    {"ext_int_handler", KernelEntry::interrupt},
    {"io_int_handler", KernelEntry::interrupt},
    {"do_ext_irq", KernelEntry::interrupt},
    {"do_io_irq", KernelEntry::interrupt},
    {"mcck_int_handler", KernelEntry::nmi},
    {"s390_do_machine_check", KernelEntry::nmi},
    {"pgm_check_handler", KernelEntry::exception},
    {"__do_pgm_check", KernelEntry::exception},
    {"system_call", KernelEntry::syscall},
    {"__do_syscall", KernelEntry::syscall},

    // powerpc: arch/powerpc/kernel/exceptions-64s.S
    {"hardware_interrupt_common", KernelEntry::interrupt},
    {"hardware_interrupt_common_virt", KernelEntry::interrupt},
    {"hardware_interrupt_common_real", KernelEntry::interrupt},
    {"decrementer_common", KernelEntry::interrupt},
    {"decrementer_common_virt", KernelEntry::interrupt},
    {"decrementer_common_real", KernelEntry::interrupt},
    {"h_virt_irq_common", KernelEntry::interrupt},
    {"h_virt_irq_common_virt", KernelEntry::interrupt},
    {"h_doorbell_common", KernelEntry::interrupt},
    {"h_doorbell_common_virt", KernelEntry::interrupt},
    {"doorbell_super_common", KernelEntry::interrupt},
    {"doorbell_super_common_virt", KernelEntry::interrupt},
    {"performance_monitor_common", KernelEntry::interrupt},
    {"performance_monitor_common_virt", KernelEntry::interrupt},
    {"system_reset_common", KernelEntry::nmi},
    {"system_reset_exception", KernelEntry::nmi},
    {"data_access_common", KernelEntry::exception},
    {"data_access_common_virt", KernelEntry::exception},
    {"instruction_access_common", KernelEntry::exception},
    {"instruction_access_common_virt", KernelEntry::exception},
    {"system_call_common", KernelEntry::syscall},
    {"system_call_vectored_common", KernelEntry::syscall},
    {"system_call_exception", KernelEntry::syscall},
};

// Macros make these: DECLARE_IDTENTRY_SYSVEC() and DECLARE_IDTENTRY() of x86, DO_ERROR_INFO() of riscv. The names above
// come first.
constexpr NamedEntry kernel_entry_beginnings[] = {
    {"asm_sysvec_", KernelEntry::interrupt},   {"sysvec_", KernelEntry::interrupt},
    {"__sysvec_", KernelEntry::interrupt},     {"fred_sysvec_", KernelEntry::interrupt},
    {"asm_exc_", KernelEntry::exception},      {"exc_", KernelEntry::exception},
    {"do_trap_", KernelEntry::exception},      {"entry_SYSCALL_", KernelEntry::syscall},
    {"entry_SYSENTER_", KernelEntry::syscall},
};

constexpr std::array<std::string_view, 7> context_texts{"user",      "kernel",  "syscall", "exception",
                                                        "interrupt", "softirq", "nmi"};

std::unordered_map<std::string_view, KernelEntry> entries_by_name() {
  std::unordered_map<std::string_view, KernelEntry> all;
  for (const NamedEntry& each : kernel_entries) all.emplace(each.name, each.entry);
  return all;
}

}  // namespace

KernelEntry kernel_entry(std::string_view function) {
  static const std::unordered_map<std::string_view, KernelEntry> known = entries_by_name();
  function = function.substr(0, function.find('.'));
  if (const auto found = known.find(function); found != known.end()) return found->second;
  const auto begins = [&](const NamedEntry& each) { return function.starts_with(each.name); };
  const auto* const found = std::ranges::find_if(kernel_entry_beginnings, begins);
  return found == std::end(kernel_entry_beginnings) ? KernelEntry::none : found->entry;
}

std::string_view context_name(Context context) { return context_texts[static_cast<std::size_t>(context)]; }

std::span<const Word> context_words() {
  static const auto words = [] {
    std::array<Word, context_texts.size()> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = {context_texts[i], std::uint64_t{1} << i};
    return all;
  }();
  return words;
}

void StackContext::enter(KernelEntry entry) {
  if (context_ == Context::user) context_ = Context::kernel;
  switch (entry) {
    case KernelEntry::none:
      return;
    case KernelEntry::syscall:
      if (!is_interrupt()) context_ = Context::syscall;
      return;
    case KernelEntry::exception:
      if (!is_interrupt()) context_ = Context::exception;
      return;
    case KernelEntry::interrupt:
      context_ = Context::interrupt;
      return;
    case KernelEntry::softirq:
      if (context_ != Context::syscall && context_ != Context::exception) context_ = Context::softirq;
      return;
    case KernelEntry::nmi:
      context_ = Context::nmi;
      return;
  }
}

}  // namespace perfsift::filter
