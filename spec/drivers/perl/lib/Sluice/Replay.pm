package Sluice::Replay;

# Rows of the tables, played on a clock that jumps from one event to the next.

use strict;
use warnings;

use Exporter   qw(import);
use JSON::PP   ();
use List::Util qw(any min);

use Sluice::Call   qw(call);
use Sluice::Decide qw(decide fails_fast kind_of_code);

our @EXPORT_OK = qw(call_scenario draws request_of retry_case);

use constant {
    NEVER      => 9**9**9,
    NOW_MS     => 1_767_225_600_000,    # 2026-01-01T00:00:00Z
    SHORT_TEXT => 'a short text',
    PEEK_BYTES => 16 * 1024,            # R4
};

# The draws in turn, the last one repeating.
sub draws {
    my ($random) = @_;
    my @queue = ref $random eq 'ARRAY' ? @$random : ($random);
    return sub { @queue > 1 ? shift @queue : $queue[0] };
}

# What a decision has to know of the request of a row.
sub request_of {
    my ($request) = @_;
    my $method = $request->{method} // 'GET';
    my $body   = $request->{body} // 'replayable';
    $body = 'none' if $method =~ /\A(?:GET|HEAD)\z/i && ($request->{scope} // '') ne 'decision';
    return {
        method            => $method,
        is_keyed          => (any { lc eq 'idempotency-key' } keys %{ $request->{headers} // {} }),
        is_idempotent     => $request->{idempotent},
        can_be_sent_again => $body ne 'stream',
    };
}

# A failure without an answer, as the tables name it.
sub _failure_named {
    my ($name) = @_;
    my ($code) = $name =~ /\Anetwork:(.*)\z/s;
    return { kind => defined $code ? kind_of_code($code) : $name, headers => {} };
}

# Plays one call; the answers meet its sends in turn, the last one repeating.
sub _play {
    my ($policy, $request, $draw, $answers, $abort_at_ms, $wall_ms) = @_;
    my ($now_ms, $attempt_ended_ms, $sends, $released, @waits) = (0, 0, 0, 0);

    my $send = sub {
        my ($limit_ms) = @_;
        push @waits, $now_ms - $attempt_ended_ms if $sends > 0;
        my $answer   = $answers->[min($sends++, $#$answers)];
        my $failure  = $answer->{failure} // '';
        my $after_ms = $answer->{after_ms} // ($failure eq 'timeout' ? NEVER : 0);
        my ($answered_ms, $limited_ms) = ($now_ms + $after_ms, $now_ms + ($limit_ms // NEVER));
        my $end_ms = min($abort_at_ms // NEVER, $answered_ms, $limited_ms);
        die "this attempt would never end: no answer, no limit and no abort\n" if $end_ms == NEVER;
        $now_ms = $attempt_ended_ms = $end_ms;

        # Within one millisecond: the abort, then the answer, then the limit.
        return 'aborted'     if defined $abort_at_ms && $abort_at_ms == $end_ms;
        return 'out_of_time' if $answered_ms != $end_ms;
        return _failure_named($failure) if $failure ne '';
        my $has_body = uc $request->{method} ne 'HEAD' && !any { $_ == $answer->{status} } 204, 304;
        my $body     = $has_body ? $answer->{body} // SHORT_TEXT : '';
        utf8::encode($body);
        return {
            status  => $answer->{status},
            headers => $answer->{headers} // {},
            body    => substr($body, 0, PEEK_BYTES),
            let_go  => sub { $released += $has_body ? 1 : 0 },
        };
    };
    my $sleep = sub {
        $now_ms = min($now_ms + $_[0], $abort_at_ms // NEVER);
        return defined $abort_at_ms && $now_ms == $abort_at_ms ? 'aborted' : 'done';
    };
    my $told = call(
        $policy, $request, $draw,
        {
            send    => $send,
            sleep   => $sleep,
            now_ms  => sub { $now_ms },
            wall_ms => sub { $wall_ms + int $now_ms },
        }
    );
    return {
        %$told,
        sends         => $sends,
        waits_ms      => \@waits,
        ended_at_ms   => $now_ms,
        body_released => $released,
    };
}

sub call_scenario {
    my ($policy, $case, $draw) = @_;
    my $request = request_of($case->{request} // {});
    return _play($policy, $request, $draw, @{$case}{qw(answers abort_at_ms)}, $case->{now} // NOW_MS);
}

sub _answer_of {
    my ($case) = @_;
    my ($status) = $case->{failure} =~ /\Astatus:([0-9]+)\z/;
    return { failure => $case->{failure}, after_ms => 0 } if !defined $status;
    my %headers = %{ $case->{headers} // {} };
    $headers{'retry-after'} = $case->{retry_after} if defined $case->{retry_after};
    return { status => $status + 0, headers => \%headers, body => $case->{response_body} };
}

sub _ended {
    my ($reason, $retry_after_ms) = @_;
    return {
        retry          => JSON::PP::false,
        fail_fast      => fails_fast($reason) ? JSON::PP::true : JSON::PP::false,
        reason         => $reason,
        retry_after_ms => $retry_after_ms,
    };
}

sub _retried { return { retry => JSON::PP::true, wait_ms => $_[0], fail_fast => JSON::PP::false } }

sub _by_decision {
    my ($policy, $case, $request, $draw) = @_;
    my $answer = _answer_of($case);
    return _ended(undef, undef) if ($answer->{status} // 400) < 400;
    my $body = $answer->{body} // SHORT_TEXT;
    utf8::encode($body);
    my $failure =
        defined $answer->{status}
        ? { %$answer, kind => 'status', body => substr($body, 0, PEEK_BYTES) }
        : _failure_named($answer->{failure});
    my ($waited_ms, $throttle_waited_ms) = map { $_ // 0 } @{$case}{qw(waited_ms throttle_waited_ms)};
    my $decision = decide(
        $policy, $failure, $request,
        {
            attempts           => $case->{attempt},
            wall_ms            => $case->{now} // NOW_MS,
            waited_ms          => $waited_ms,
            throttle_waited_ms => $throttle_waited_ms,
            elapsed_ms         => $case->{elapsed_ms} // $waited_ms + $throttle_waited_ms,
            transient_failures => ($case->{transient_failures} // $case->{attempt}) - 1,
            may_be_at_work     => $case->{failed_transiently},
            retry_tokens       => $case->{retry_tokens},
        },
        $draw
    );
    return _ended(@{$decision}{qw(reason stated_ms)}) if defined $decision->{reason};
    return _retried($decision->{wait_ms});
}

# A row of scope `decision` by the decision function, every other one by a whole call.
sub retry_case {
    my ($policy, $case, $draw) = @_;
    my $request = request_of({ %$case, headers => $case->{request_headers} });
    return _by_decision($policy, $case, $request, $draw) if ($case->{scope} // '') eq 'decision';

    my $attempt = $case->{attempt};
    my @before  = ({ status => 429, headers => { 'retry-after' => '0' } }) x ($attempt - 1);
    my @answers = (@before, _answer_of($case), { status => 200 });
    my $told    = _play($policy, $request, $draw, \@answers, undef, $case->{now} // NOW_MS);
    return _retried($told->{waits_ms}[-1]) if $told->{sends} == $attempt + 1;
    die "attempt $attempt was not reached: the call ended after $told->{sends}\n"
        if $told->{sends} != $attempt;
    return _ended(@{$told}{qw(reason retry_after_ms)});
}

1;
