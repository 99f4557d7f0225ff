# Shared code of the comparisons of our dlfilter modules with our commands, to be sourced.
# shellcheck shell=bash

# Three differences come from perf. Its names of PLT entries are wrong or missing: see recordings.sh. Where a kernel
# function has several names, perf uses a different name, such as __pi_memset for memset. So both texts get the first
# name in kallsyms. perf also keeps the mappings that a program had before its exec. perfsift drops these mappings, as
# the kernel does. (Kernel frames do not show the exec where a thunk was interrupted, because a thunk has no frame from
# which to continue.)
one_name_each() {
  perl -e '
    my (%at, %first);
    open my $symbols, "<", "/proc/kallsyms" or exit 1;
    while (<$symbols>) {
      my ($address, undef, $name) = split;
      $first{$name} //= $at{$address} //= $name if $address =~ /[1-9a-f]/;
    }
    while (my $line = <STDIN>) {
      $line =~ s/;\K([^; ]+?)(?=(?:_\[\w\])?[; ])/$first{$1} \/\/ $1/ge;
      print $line;
    }'
}
comparable() {
  grep -v ';bprm_execve' | one_name_each |
    sed -E 's/;[^; ]*@plt\b/;PLT/g; s/;(\.?plt|_init)\b/;PLT/g; s/;\[unknown\]/;UNKNOWN/g; s/;\[[^]; ]*\]/;PLT/g' |
    grep -vE ';(UNKNOWN|[_A-Za-z]*execve);[^; ]*x86_indirect_thunk_' |
    awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) print s, sum[s] }' | LC_ALL=C sort
}
