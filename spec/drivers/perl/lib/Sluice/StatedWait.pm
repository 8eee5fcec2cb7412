package Sluice::StatedWait;

# The wait that a server states in its headers (H1 to H5).

use strict;
use warnings;

use Exporter   qw(import);
use List::Util qw(any max min);

use Sluice::HttpDate qw(http_date_ms);

our @EXPORT_OK = qw(header stated_wait whole_ms);

use constant LONGEST_MS => 9_007_199_254_740_991;    # H2: 2**53 - 1

# Names of a RateLimit are strings or tokens, values any bare item of RFC 9651 3.3, but that a
# number may have as many digits as one of H1.
my $STRING    = qr/"(?:[ !#-\[\]-~]|\\["\\])*"/;
my $TOKEN     = qr/[A-Za-z*][A-Za-z0-9!#\$%&'*+\-.^_`|~:\/]*/;
my $NUMBER    = qr/-?[0-9]+(?:\.[0-9]+)?/;
my $OTHER     = qr/:[A-Za-z0-9+\/=]*:|\?[01]|@-?[0-9]{1,15}|%"(?:[ !#\$&-~]|%[0-9a-f]{2})*"/;
my $PARAMETER = qr/; *(?<key>[a-z*][a-z0-9_\-.*]*)(?:=(?<value>$STRING|$TOKEN|$OTHER|$NUMBER))?/;

# A header's value without the white space around it, or nothing.
sub header {
    my ($failure, $name) = @_;
    my $value = $failure->{headers}{$name};
    return _trimmed($value);
}

sub _trimmed {
    my ($text) = @_;
    $text =~ s/\A[ \t]+|[ \t]+\z//g if defined $text;
    return $text;
}

# A number of H1: its whole part, and the digits after its point.
sub _number {
    my $text = _trimmed($_[0]);
    return if !defined $text || $text !~ /\A([0-9]+)(?:\.([0-9]+))?\z/;
    my ($whole, $part) = ($1, $2 // '');
    $whole =~ s/\A0+(?=.)//;
    return (length $whole > 16 ? LONGEST_MS : $whole + 0, $part);
}

sub _within_longest { return max(0, min($_[0], LONGEST_MS)) }

# Milliseconds, exactly and rounded up (H1). The unit is 1 or 1_000 ms.
sub _ms {
    my ($whole, $part, $unit_ms) = @_;
    return LONGEST_MS if $whole > LONGEST_MS / $unit_ms;
    my $places = length($unit_ms) - 1;
    my $padded = $part . '0' x $places;
    my $ms     = $whole * $unit_ms + ($places ? substr $padded, 0, $places : 0);
    $ms++ if substr($padded, $places) =~ /[1-9]/;
    return _within_longest($ms);
}

# Digits only: milliseconds.
sub whole_ms {
    my ($text) = @_;
    my ($whole, $part) = _number($text) or return;
    return if $text =~ /\./;
    return _within_longest($whole);
}

sub _server_now {
    my ($failure, $wall_ms) = @_;
    # H3: a response that comes from a cache was written before its Date.
    my $date = header($failure, 'date');
    return $wall_ms if !defined $date || defined header($failure, 'age');
    return http_date_ms($date, $wall_ms) // $wall_ms;
}

sub _retry_after {
    my ($failure, $wall_ms) = @_;
    my $text = header($failure, 'retry-after') // return;
    if (my ($whole, $part) = _number($text)) {
        return _ms($whole, $part, 1_000);
    }
    my $server_ms = _server_now($failure, $wall_ms);
    my $date_ms   = http_date_ms($text, $server_ms) // return;
    return _within_longest($date_ms - $server_ms);
}

# H4: whether a count says that something is left; one that is not digits only is not 0.
sub _is_left {
    my ($count) = @_;
    return defined $count && (whole_ms($count) // 1) != 0;
}

# The parameters of each member of the list, or nothing where one is malformed.
sub _members {
    my ($text) = @_;
    my @members;
    while ($text =~ /\G(?:$STRING|$TOKEN)/gc) {
        my %parameters;
        # RFC 9651 3.1.2: of several with one key the last counts.
        $parameters{ $+{key} } = $+{value} // '?1' while $text =~ /\G$PARAMETER/gc;
        push @members, \%parameters;
        return \@members if $text =~ /\G\z/gc;
        $text =~ /\G[ \t]*,[ \t]*/gc or return;
    }
    return;
}

# The older form; a part that is no pair is passed over, and of several the first counts.
sub _pairs {
    my ($text) = @_;
    my %pairs;
    for my $part (split /,/, $text) {
        my ($key, $value) = _trimmed($part) =~ /\A([^=]*)=(.*)\z/s or next;
        $pairs{$key} //= $value;
    }
    return \%pairs;
}

sub _ratelimit {
    my ($failure) = @_;
    my $text = header($failure, 'ratelimit') // return;
    my @resets;    # [what is left, seconds]
    if (my $members = _members($text)) {
        @resets = map { [@{$_}{qw(r t)}] } grep { exists $_->{r} && exists $_->{t} } @$members;
    }
    else {
        my $pairs = _pairs($text);
        @resets = [@{$pairs}{qw(remaining reset)}];
    }
    my @waits;
    for my $reset (@resets) {
        my ($whole, $part) = _number($reset->[1]) or next;
        push @waits, _ms($whole, $part, 1_000) if !_is_left($reset->[0]);
    }
    return max(@waits);
}

sub _ratelimit_reset {
    my ($failure) = @_;
    my ($whole, $part) = _number(header($failure, 'ratelimit-reset')) or return;
    return if _is_left(header($failure, 'ratelimit-remaining'));
    return _ms($whole, $part, 1_000);
}

sub _x_ratelimit_reset {
    my ($failure, $wall_ms) = @_;
    my ($whole, $part) = _number(header($failure, 'x-ratelimit-reset')) or return;
    return if _is_left(header($failure, 'x-ratelimit-remaining'));
    return _ms($whole, $part, 1_000) if $whole < 1e9;
    return _within_longest(
        _ms($whole, $part, $whole < 1e12 ? 1_000 : 1) - _server_now($failure, $wall_ms));
}

# H4: in this order, whatever the order in `hints`; and whether it is read on throttles alone.
my @READERS = (
    ['retry-after-ms', 0, sub { whole_ms(header($_[0], 'retry-after-ms')) }],
    ['retry-after',       0, \&_retry_after],
    ['ratelimit',         1, \&_ratelimit],
    ['ratelimit-reset',   1, \&_ratelimit_reset],
    ['x-ratelimit-reset', 1, \&_x_ratelimit_reset],
);

# Milliseconds that the server asked for, or nothing. The wall clock is epoch milliseconds.
sub stated_wait {
    my ($failure, $hints, $is_throttle, $wall_ms) = @_;
    for my $reader (@READERS) {
        my ($name, $only_throttles, $read) = @$reader;
        next if $only_throttles && !$is_throttle;
        next if !any { $_ eq $name } @$hints;
        my $wait_ms = $read->($failure, $wall_ms);
        return $wait_ms if defined $wait_ms;
    }
    return;
}

1;
