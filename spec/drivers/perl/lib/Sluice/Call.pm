package Sluice::Call;

# The whole call. What time is and how a request is sent is handed in, as a `host`:
#
#   send   => sub ($limit_ms)   answers { status, headers, body, let_go }, or { kind } where there is
#                               no answer, or 'out_of_time', or 'aborted'
#   sleep  => sub ($ms)         answers 'aborted', or anything else when it has ended
#   now_ms => sub               monotonic, since whenever
#   wall_ms => sub              epoch milliseconds

use strict;
use warnings;

use Exporter qw(import);

use Sluice::Decide qw(decide);

our @EXPORT_OK = qw(call);

# How long the next attempt may take, and whether it is the deadline that says so (R10).
sub _limit {
    my ($policy, $elapsed_ms) = @_;
    my $timeout_ms = $policy->{attempt_timeout_ms};
    return ($timeout_ms, 0) if !defined $policy->{deadline_ms};
    my $left_ms = $policy->{deadline_ms} - $elapsed_ms;
    # A real clock may be a part of a millisecond past the deadline when a wait ends.
    $left_ms = 0 if $left_ms < 0;
    return ($timeout_ms, 0) if defined $timeout_ms && $timeout_ms < $left_ms;
    return ($left_ms, 1);
}

sub _name_of { return $_[0]{kind} eq 'refused_stream' ? 'connect' : $_[0]{kind} }

# How it ended, in the words of the tables.
sub call {
    my ($policy, $request, $draw, $host) = @_;
    my $began_ms = $host->{now_ms}->();
    my %told     = (
        outcome => 'gave_up', status => undef, failure => undef, reason => undef,
        retry_after_ms => undef, attempts => 0, waited_ms => 0,
    );
    my %aborted = (outcome => 'aborted', reason => 'aborted', retry_after_ms => undef);
    # What was planned to be waited: the caps count this, waited_ms what was really waited.
    my ($after_throttles_ms, $after_transients_ms, $transients, $may_be_at_work) = (0, 0, 0, 0);

    while (1) {
        my ($limit_ms, $is_deadline) = _limit($policy, $host->{now_ms}->() - $began_ms);
        $told{attempts}++;
        my $report = $host->{send}->($limit_ms);
        return { %told, %aborted } if $report eq 'aborted';
        # retry_after_ms stays that of the failure before.
        return { %told, failure => 'deadline', reason => 'deadline' }
            if $report eq 'out_of_time' && $is_deadline;

        my $failure = $report eq 'out_of_time' ? { kind => 'timeout', headers => {} } : $report;
        my $is_answer = defined $failure->{status};
        if ($is_answer) {
            $told{status} = $failure->{status};
            return { %told, outcome => 'ok', retry_after_ms => undef } if $failure->{status} < 400;
            $failure->{kind} = 'status';
        }

        my $now_ms   = $host->{now_ms}->();
        my $decision = decide(
            $policy, $failure, $request,
            {
                attempts  => $told{attempts},
                wall_ms   => $host->{wall_ms}->(),
                # R15: with a throttle budget the total cap counts what followed transient failures.
                waited_ms => $after_transients_ms
                    + (defined $policy->{throttle_budget_ms} ? 0 : $after_throttles_ms),
                throttle_waited_ms => $after_throttles_ms,
                elapsed_ms         => $now_ms - $began_ms,
                transient_failures => $transients,
                may_be_at_work     => $may_be_at_work,
            },
            $draw
        );
        $told{retry_after_ms} = $decision->{stated_ms};
        if (defined $decision->{reason}) {
            $told{reason}  = $decision->{reason};
            $told{failure} = _name_of($failure) if !$is_answer;
            return \%told;
        }

        $failure->{let_go}->() if $is_answer;    # R12: before the wait begins
        if ($decision->{class} eq 'transient') {
            $transients++;
            # R2: a stream refused on the first attempt was not processed.
            $may_be_at_work = 1 if $failure->{kind} ne 'refused_stream' || $told{attempts} > 1;
        }
        my $end = $host->{sleep}->($decision->{wait_ms});
        $told{waited_ms} += $host->{now_ms}->() - $now_ms;
        return { %told, %aborted } if $end eq 'aborted';
        my $sum = $decision->{class} eq 'throttle' ? \$after_throttles_ms : \$after_transients_ms;
        $$sum += $decision->{wait_ms};
    }
    return;
}

1;
