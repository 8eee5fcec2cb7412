package Sluice::Decide;

# The decision after a failed attempt: retry after some milliseconds, or give up.

use strict;
use warnings;

use Exporter   qw(import);
use List::Util qw(any max min);

use Sluice::StatedWait qw(header stated_wait);

our @EXPORT_OK = qw(decide fails_fast kind_of_code);

my %IDEMPOTENT = map { $_ => 1 } qw(GET HEAD OPTIONS TRACE PUT DELETE QUERY);
my %FAIL_FAST =
    map { $_ => 1 } qw(wait_over_cap total_over_cap throttle_budget deadline retry_budget);
my %CONNECTION = map { $_ => 1 } qw(
    ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EAI_AGAIN EHOSTUNREACH ENETUNREACH
    ENETDOWN UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT
);

sub fails_fast { return $FAIL_FAST{ $_[0] // '' } // 0 }

# The kind of an attempt without an answer (R3).
sub kind_of_code {
    my ($code) = @_;
    return 'network'        if $code =~ /CERT|SELF_SIGNED|UNABLE_TO_/;
    return 'refused_stream' if $code eq 'REFUSED_STREAM';
    return $CONNECTION{$code} ? 'connect' : 'network';
}

# R4: the first of its steps that applies; answers [class, fallback wait].
sub _class_of {
    my ($policy, $failure, $request, $progress) = @_;
    return [$failure->{kind} eq 'network' ? 'final' : 'transient'] if $failure->{kind} ne 'status';
    my %says = map { (header($failure, $_) // '') => 1 } qw(x-should-retry stripe-should-retry);
    return ['final'] if $says{false};
    return ['final']
        if any { (header($failure, $_) // '') eq 'challenge' } qw(x-vercel-mitigated cf-mitigated);
    my $verdict = $policy->{classify} && $policy->{classify}->($failure);
    return $verdict if $verdict;
    my $status = $failure->{status};
    return ['throttle']  if any { $_ == $status } @{ $policy->{throttle_statuses} };
    return ['transient'] if any { $_ == $status } @{ $policy->{transient_statuses} };
    return ['transient'] if $says{true};
    # R2: an earlier attempt of a keyed call is still at work.
    return ['transient'] if $status == 409 && $request->{is_keyed} && $progress->{may_be_at_work};
    return ['final'];
}

sub _is_retried {
    my ($class, $policy, $failure, $request, $progress) = @_;
    return $class eq 'throttle' if $class ne 'transient';    # R1: on any method
    return 0 if !$policy->{retry_transient_idempotent};
    # R3: the server did not process that request.
    return 1 if $failure->{kind} eq 'refused_stream' && $progress->{attempts} == 1;
    return $IDEMPOTENT{ uc $request->{method} } || $request->{is_keyed} || $request->{is_idempotent};
}

sub _drawn {
    my ($draw, $range_ms) = @_;
    return $range_ms > 0 ? int($draw->() * $range_ms) : 0;
}

sub _doubled {
    my ($base_ms, $times) = @_;
    return $base_ms == 0 ? 0 : $base_ms * 2**$times;    # an infinity is over every cap, 0 times it is none
}

# The wait that the caps are compared with, and the range of the jitter on top of it.
sub _wait {
    my ($policy, $stated_ms, $progress, $draw) = @_;
    return ($stated_ms, $policy->{stated_jitter_ms}) if defined $stated_ms;    # R8
    if (defined $policy->{throttle_budget_ms}) {                               # R15
        my $doubled = _doubled($policy->{transient_base_ms}, $progress->{transient_failures});
        return ($doubled + _drawn($draw, $policy->{transient_jitter_ms}), 0);
    }
    my $doubled = _doubled($policy->{base_ms}, $progress->{attempts} - 1);     # R7
    return (_drawn($draw, min($policy->{per_attempt_cap_ms}, $doubled)), 0);
}

# R5: the checks in their order; answers (reason, nothing) or (nothing, wait).
sub _checked {
    my ($policy, $failure, $request, $progress, $draw, $class, $stated_ms) = @_;
    return 'not_retryable' if !_is_retried($class, $policy, $failure, $request, $progress);
    return 'body_not_replayable' if !$request->{can_be_sent_again};

    my $has_budget = defined $policy->{throttle_budget_ms};
    my $wait_ms;
    if ($has_budget && $class eq 'throttle') {                                 # R15
        $wait_ms = max($stated_ms // 0, $policy->{throttle_default_wait_ms});
        return 'throttle_budget'
            if $progress->{throttle_waited_ms} + $wait_ms > $policy->{throttle_budget_ms};
    }
    else {
        return 'attempts_exhausted'
            if $has_budget
            ? $progress->{transient_failures} + 1 > $policy->{transient_retries}
            : $progress->{attempts} >= $policy->{max_attempts};
        my ($bounded_ms, $jitter_ms) = _wait($policy, $stated_ms, $progress, $draw);
        return 'wait_over_cap'  if $bounded_ms > $policy->{per_attempt_cap_ms};
        return 'total_over_cap' if $progress->{waited_ms} + $bounded_ms > $policy->{total_cap_ms};
        $wait_ms = $bounded_ms + _drawn($draw, $jitter_ms);
    }
    return 'deadline'
        if defined $policy->{deadline_ms}
        && $progress->{elapsed_ms} + $wait_ms > $policy->{deadline_ms};        # R10
    return 'retry_budget'
        if $class eq 'transient'
        && defined $progress->{retry_tokens}
        && $progress->{retry_tokens} < 1;                                      # R16
    return (undef, $wait_ms);
}

# What is done about a failure. `progress` is what came before it, but `attempts`, which counts it.
sub decide {
    my ($policy, $failure, $request, $progress, $draw) = @_;
    my ($class, $fallback_ms) = @{ _class_of($policy, $failure, $request, $progress) };
    my $stated_ms =
        stated_wait($failure, $policy->{hints}, $class eq 'throttle', $progress->{wall_ms})
        // $fallback_ms;
    my ($reason, $wait_ms) =
        _checked($policy, $failure, $request, $progress, $draw, $class, $stated_ms);
    return { class => $class, reason => $reason, wait_ms => $wait_ms, stated_ms => $stated_ms };
}

1;
