#!/usr/bin/perl
# Compares the answers of two symbolizers for the same addresses: functions, inlined calls and lines.
#
#   compare_frames.pl BINARY OURS THEIRS [WITNESS]
#
# All are texts of `-a -f -i`: an address, then function and place of each frame, innermost first. Prints the numbers of
# equal addresses and of each kind of difference, with the first example. Exit status 1 if a difference is not explained
# here:
#
#   alias        the outermost frame has another of several symbols at the same address (C1/C2 constructors, functions
#                that were folded into one, versions of one function). Each of them is right.
#   file symbol  there is no debug information. LLVM then shows the name of the object file that precedes the function
#                in the symbol table; we show that the file is unknown.
#   no symbol    no symbol covers the address: it is in the padding between two functions, or in code of hand-written
#                assembly without a size. LLVM uses the symbol before it if that has no size.
#   plain name   elfutils uses the name of the outermost frame in the source, `work`; we use the symbol, `_ZN…4workEv`
#                or `f.cold`.
#   alone        the witness, LLVM, gives our answer for this address. elfutils 0.188 sometimes names a call that ended
#                a few bytes before (no inlined subroutine of .debug_info covers the address).
#   no calls     as `alone`, but elfutils has the right line in the right function and no inlined call at all: it does
#                not search functions that .debug_info has within a namespace or class. Clang writes many of them, and
#                lambdas are among them.
#   no function  no function covers the code. elfutils then continues the function before it, where its last line
#                continues.
#   padding      elfutils shows a line between two functions, where no unit has code: the line of the row before. It
#                also does this in functions without debug information; there the difference is `alone`.
#   line 0       the compiler says that the code belongs to no line. Other tools write 0 or ?.
#   discriminator, column: not compared.
use strict;
use warnings;

my ($binary, $ours, $theirs, $witness) = @ARGV;

sub read_frames {
  my ($path) = @_;
  open my $text, '<', $path or die "$path: $!";
  my (@answers, $answer);
  while (my $line = <$text>) {
    chomp $line;
    if ($line =~ /^0x([0-9a-f]+)$/) {
      push @answers, $answer = {address => hex $1, frames => []};
      next;
    }
    next if $line eq '';
    $line =~ s/ inlined at .* in .*//;  # elfutils repeats the next frame
    my $place = <$text> // '';
    chomp $place;
    $place =~ s/ \(discriminator \d+\)$//;
    $place =~ s/:\?$/:0/;
    $place =~ s/^(.*:\d+):\d+$/$1/ if $place =~ /:\d+:\d+$/;
    push @{$answer->{frames}}, [$line, $place];
  }
  return \@answers;
}

# `clnt_create@GLIBC_2.2.5`: the symbol table has the version with which a name is exported.
sub without_version { return $_[0] =~ s/\@+[\w.]*$//r }

# The addresses of each symbol. Debug information gives a clone (f.part.0, f.isra.0) the name of the function.
my %addresses_of;
open my $symbols, '-|', 'nm', '-a', $binary or die "nm: $!";
while (<$symbols>) {
  next unless /^([0-9a-f]+) \S (\S+)/;
  my ($address, $name) = (hex $1, without_version($2));
  $addresses_of{$_}{$address} = 1 for $name, $name =~ s/^(_Z[^.]*)\..*/$1/r;
}

sub are_aliases {
  my ($a, $b) = map { $addresses_of{without_version($_)} // {} } @_;
  return scalar grep { $b->{$_} } keys %$a;
}

# Whether a symbol can belong to a function with this name in the source. Operators have different letters in symbols.
sub is_symbol_of {
  my ($symbol, $name) = (without_version($_[0]), $_[1]);
  s/([CD])[0-5](?=[EI])/$1/g for $symbol, $name;  # debug information uses C4 for a constructor, symbols C1 and C2
  return 1 if $symbol =~ /^\Q$name\E(\.|$)/;
  return $symbol =~ /^_Z/ if $name =~ /^(operator|~)|^[A-Z]/;
  $name =~ s/<.*//s;
  $name =~ s/^.*:://;
  return $symbol =~ /^_Z/ && index($symbol, length($name) . $name) >= 0;
}

sub text_of { return join "\n", map { "  $_->[0] at $_->[1]" } @{$_[0]} }

# The difference between two answers. undef if there is none.
sub difference {
  my ($a, $b, $witness) = @_;
  return undef if text_of($a) eq text_of($b);
  if (@$a == 1 && @$b == 1 && $a->[0][1] eq '??:0') {
    my $same = $a->[0][0] eq $b->[0][0] || are_aliases($a->[0][0], $b->[0][0]);
    return 'file symbol' if $same && $b->[0][1] =~ /:0$/;
    return 'padding' if $a->[0][0] eq '??' && $b->[0][0] eq '??';
    return 'no symbol' if $a->[0][0] eq '??' && $b->[0][1] =~ /^[^\/]*:0$/;
  }
  if (@$a == @$b) {
    my ($x, $y) = ($a->[-1], $b->[-1]);
    my $same_inside = text_of([@$a[0 .. $#$a - 1]]) eq text_of([@$b[0 .. $#$b - 1]]) && $x->[1] eq $y->[1];
    return 'alias' if $same_inside && are_aliases($x->[0], $y->[0]);
    return 'plain name' if $same_inside && is_symbol_of($x->[0], $y->[0]);
  }
  return 'no function' if @$a == 1 && $a->[0][0] eq '??' && $a->[0][1] eq $b->[0][1] && @$b > 1;
  my $witnessed = defined $witness && (difference($a, $witness) // 'alias') =~ /^(alias|file symbol)$/;
  my $is_outermost = @$b == 1 && $a->[0][1] eq $b->[0][1] &&
    ($a->[-1][0] eq $b->[0][0] || are_aliases($a->[-1][0], $b->[0][0]) || is_symbol_of($a->[-1][0], $b->[0][0]));
  return 'no calls' if $witnessed && $is_outermost;
  return 'alone' if $witnessed;
  return 'UNEXPLAINED';
}

my ($a, $b) = (read_frames($ours), read_frames($theirs));
die "$ours has " . @$a . " answers, $theirs has " . @$b . "\n" if @$a != @$b;
my $c = defined $witness ? read_frames($witness) : [];
die "$ours has " . @$a . " answers, $witness has " . @$c . "\n" if defined $witness && @$a != @$c;
my (%count, %example);
my ($known, $inlined) = (0, 0);
for my $i (0 .. $#$a) {
  die "not the same addresses\n" if $a->[$i]{address} != $b->[$i]{address};
  my $kind = difference($a->[$i]{frames}, $b->[$i]{frames}, @$c ? $c->[$i]{frames} : undef) // 'equal';
  ++$count{$kind};
  ++$known if $a->[$i]{frames}[0][1] ne '??:0';
  ++$inlined if @{$a->[$i]{frames}} > 1;
  $example{$kind} //= sprintf "0x%x\n ours\n%s\n theirs\n%s\n", $a->[$i]{address}, text_of($a->[$i]{frames}),
    text_of($b->[$i]{frames});
}
print join(', ', map { "$count{$_} $_" } sort keys %count), " ($known have a line, $inlined inlined calls)\n";
for my $kind (sort keys %example) {
  print "$kind: $example{$kind}" if $kind eq 'UNEXPLAINED' || ($kind ne 'equal' && $ENV{VERBOSE});
}
# The permitted percentage of each difference. `plain name` does not vary by chance: GCC's clones (.isra, .cold).
my %most = ('no calls' => 40, 'alone' => 5, 'no function' => 2, 'padding' => 5, 'alias' => 25, 'no symbol' => 5);
my @too_many = grep { $count{$_} && $count{$_} * 100 > $most{$_} * @$a } sort keys %most;
print "too many: $_\n" for @too_many;
# A comparison of nothing proves nothing. (Most of a static program is the C library, without debug information.)
exit 1 if $count{UNEXPLAINED} || @too_many || $known * 50 < @$a;
