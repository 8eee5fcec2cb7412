package Sluice::Wire;

# One real call, with HTTP::Tiny, in real time.

use strict;
use warnings;

use Errno       ();
use Exporter    qw(import);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC setitimer ITIMER_REAL);

use Sluice::Call   qw(call);
use Sluice::Decide qw(kind_of_code);
use Sluice::Replay qw(request_of);

our @EXPORT_OK = qw(wire_call);

{
    # HTTP::Tiny sends an idempotent request once more by itself where the connection broke. One
    # send is one attempt here: its errors get a text that it does not know.
    package Sluice::Wire::Client;
    use parent 'HTTP::Tiny';

    sub _request {
        my ($self, @request) = @_;
        my $response = eval { $self->SUPER::_request(@request) };
        return $response // die "no answer: $@";
    }
}

my @CODES = qw(
    ECONNRESET ECONNREFUSED ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN
);
# HTTP::Tiny tells an error by the platform's words for it.
my %CODE_OF = map {
    my $number = Errno->can($_)->();
    local $! = $number;
    ("$!" => $_);
} @CODES;

sub _failure {
    my ($text) = @_;
    return { kind => 'timeout', headers => {} } if $text =~ /Timed out while waiting/;
    my ($words) = grep { index($text, $_) >= 0 } keys %CODE_OF;
    # The end of the stream where an answer was due is a reset without an error number.
    my $code =
          defined $words                      ? $CODE_OF{$words}
        : $text =~ /Unexpected end of stream/ ? 'ECONNRESET'
        : $text =~ /certificate/i             ? 'CERT_VERIFY_FAILED'
        :                                       'unknown';
    return { kind => kind_of_code($code), headers => {} };
}

sub _send {
    my ($client, $method, $url, $options, $limit_ms) = @_;
    my $is_late = 0;
    local $SIG{ALRM} = sub { $is_late = 1; die "late\n" };
    # R10: a wait may end at the deadline; what is left is a part of that millisecond.
    setitimer(ITIMER_REAL, $limit_ms < 1 ? 0.001 : $limit_ms / 1_000) if defined $limit_ms;
    my $response = eval { $client->request($method, $url, $options) };
    setitimer(ITIMER_REAL, 0);
    return 'out_of_time' if $is_late;
    return _failure($response->{content}) if $response->{status} == 599 && $response->{content} =~ /\Ano answer: /;
    my %headers = map {
        my $value = $response->{headers}{$_};
        (lc() => ref $value ? join(', ', @$value) : $value);
    } keys %{ $response->{headers} };
    return {
        status  => $response->{status},
        headers => \%headers,
        body    => substr($response->{content}, 0, 16 * 1024),
        let_go  => sub { },    # it was read to its end already
    };
}

sub wire_call {
    my ($policy, $case, $base_url) = @_;
    my $asked   = $case->{request} // {};
    my $request = request_of($asked);
    my %options = (headers => $asked->{headers} // {});
    my $kind    = $request->{method} =~ /\A(?:GET|HEAD)\z/i ? 'none' : $asked->{body} // 'replayable';
    $options{content} = 'a short text' if $kind eq 'replayable';
    if ($kind eq 'stream') {
        my @parts = ('a short text');
        $options{content} = sub { shift @parts };
    }
    my $client = Sluice::Wire::Client->new(keep_alive => 0, timeout => 3_600);
    my $told   = call(
        $policy, $request, sub { rand },
        {
            send    => sub { _send($client, $request->{method}, $base_url, \%options, $_[0]) },
            sleep   => sub { _sleep($_[0]) },
            now_ms  => \&_now_ms,
            wall_ms => sub { int(Time::HiRes::time() * 1_000) },
        }
    );
    return { map { $_ => $told->{$_} } qw(outcome status failure reason retry_after_ms attempts) };
}

sub _now_ms { return clock_gettime(CLOCK_MONOTONIC) * 1_000 }

# A sleep may be woken early by a signal, and then goes on.
sub _sleep {
    my ($ms) = @_;
    my $end_ms = _now_ms() + $ms;
    while ((my $left_ms = $end_ms - _now_ms()) > 0) {
        Time::HiRes::sleep($left_ms / 1_000);
    }
    return 'done';
}

1;
