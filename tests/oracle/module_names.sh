# What the comparisons of our dlfilter modules with our commands share, to be sourced.
# shellcheck shell=bash

# Three differences are perf's. It calls entries of the PLT by wrong names, or knows none: see recordings.sh. Of the several
# names of a function of the kernel it takes another one, __pi_memset for memset: each gets the first in kallsyms. And it
# goes on to see what a program had mapped before its exec; for us it is gone, as it is for the process. (The kernel's own
# frames do not tell of exec where it was interrupted in a thunk: that has no frame to go on from.)
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
