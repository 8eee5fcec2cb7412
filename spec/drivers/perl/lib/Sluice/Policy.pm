package Sluice::Policy;

# The options of a policy, checked when it is built (R17).

use strict;
use warnings;

use Exporter   qw(import);
use JSON::PP   ();
use List::Util qw(any);

use Sluice::JsonValue qw(is_number is_string);
use Sluice::Presets   qw(preset);

our @EXPORT_OK = qw(policy_from);

use constant MOST => 9_007_199_254_740_991;    # 2**53 - 1

my @HINTS = qw(retry-after-ms retry-after ratelimit ratelimit-reset x-ratelimit-reset);

# Field => [default, kind of value, least].
my %FIELDS = (
    max_attempts               => [4,           'integer', 1],
    base_ms                    => [250,         'integer', 0],
    per_attempt_cap_ms         => [10_000,      'integer', 0],
    total_cap_ms               => [30_000,      'integer', 0],
    deadline_ms                => [undef,       'integer or null', 1],
    attempt_timeout_ms         => [undef,       'integer or null', 1],
    body_idle_ms               => [undef,       'integer or null', 1],
    max_replay_bytes           => [1_048_576,   'integer', 0],
    stated_jitter_ms           => [0,           'integer', 0],
    throttle_statuses          => [[429],       'statuses'],
    transient_statuses         => [[502 .. 504], 'statuses'],
    retry_transient_idempotent => [1,           'boolean'],
    hints                      => [\@HINTS,     'hints'],
    throttle_budget_ms         => [undef,       'integer or null', 0],
    throttle_default_wait_ms   => [1_000,       'integer', 1],
    transient_retries          => [2,           'integer', 0],
    transient_base_ms          => [100,         'integer', 0],
    transient_jitter_ms        => [50,          'integer', 0],
);

sub _is_integer {
    my ($value, $least, $most) = @_;
    return is_number($value) && $value >= $least && $value <= $most && $value == int $value;
}

sub _is_list_of {
    my ($value, $holds) = @_;
    return ref $value eq 'ARRAY' && !any { !$holds->($_) } @$value;
}

my %IS = (
    'integer'         => sub { _is_integer($_[0], $_[1], MOST) },
    'integer or null' => sub { !defined $_[0] || _is_integer($_[0], $_[1], MOST) },
    'statuses'        => sub { _is_list_of($_[0], sub { _is_integer($_[0], 100, 599) }) },
    'boolean'         => sub { JSON::PP::is_bool($_[0]) },
    'hints'           => sub {
        _is_list_of($_[0], sub { my $name = shift; is_string($name) && any { $_ eq $name } @HINTS });
    },
);

sub _is_valid {
    my ($name, $value) = @_;
    my $field = $FIELDS{$name} or return 0;
    my (undef, $kind, $least) = @$field;
    return $IS{$kind}->($value, $least);
}

# The policy that JSON names: the preset's values first, then the fields beside it. Dies with
# { policy_error => FIELD } for the first field that is refused.
sub policy_from {
    my ($given) = @_;
    my %policy = map { $_ => $FIELDS{$_}[0] } keys %FIELDS;
    my %beside = %$given;
    if (exists $beside{preset}) {
        my $preset = preset(delete $beside{preset}) or die { policy_error => 'preset' };
        %policy = (%policy, %$preset);
    }
    for my $name (sort keys %beside) {
        die { policy_error => $name } if !_is_valid($name, $beside{$name});
        $policy{$name} = $beside{$name};
    }
    return \%policy;
}

1;
