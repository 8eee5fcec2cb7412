package Sluice::Presets;

# Named policies. A `classify` gets the failure, and answers nothing or [class, fallback wait].

use strict;
use warnings;

use Exporter   qw(import);
use JSON::PP   ();
use List::Util qw(any);

use Sluice::JsonValue  qw(is_string);
use Sluice::StatedWait qw(header whole_ms);

our @EXPORT_OK = qw(preset);

my %INTERACTIVE = (attempt_timeout_ms => 60_000, stated_jitter_ms => 250);

my @OPENAI_QUOTA = qw(
    insufficient_quota credit_balance_exhausted organization_spend_limit_exceeded
    project_spend_limit_exceeded organization_usage_limit_exceeded
);
my @AWS_THROTTLES = qw(
    BandwidthLimitExceeded EC2ThrottledException LimitExceededException PriorRequestNotComplete
    ProvisionedThroughputExceededException RequestLimitExceeded RequestThrottled
    RequestThrottledException SlowDown ThrottledException Throttling ThrottlingException
    TooManyRequestsException TransactionInProgressException
);
my @AWS_TRANSIENTS = qw(RequestTimeout RequestTimeoutException InternalError IDPCommunicationError);

# The JSON object in a body; empty where it cannot be parsed or is something else.
sub _object {
    my $value = eval { JSON::PP->new->utf8->allow_nonref->decode($_[0]) };
    return ref $value eq 'HASH' ? $value : {};
}

sub _is_among {
    my ($value, @names) = @_;
    return defined $value && !ref $value && any { $_ eq $value } @names;
}

sub _github {
    my ($failure) = @_;
    return ['throttle', 60_000] if $failure->{status} == 429;
    return if $failure->{status} != 403;
    my $remaining = header($failure, 'x-ratelimit-remaining');
    return ['throttle', 60_000]
        if (defined $remaining && $remaining eq '0')
        || defined header($failure, 'retry-after')
        || $failure->{body} =~ /secondary rate limit/i;
    return;
}

sub _openai {
    my ($failure) = @_;
    return if $failure->{status} != 429;
    my $error = _object($failure->{body})->{error};
    return if ref $error ne 'HASH';
    return ['final', undef]
        if _is_among($error->{code}, @OPENAI_QUOTA) || _is_among($error->{type}, $OPENAI_QUOTA[0]);
    return;
}

sub _aws_name {
    my ($failure) = @_;
    my $name = header($failure, 'x-amzn-errortype');
    if (!defined $name) {
        my $body = _object($failure->{body});
        ($name) = grep { is_string($_) } @{$body}{qw(__type code)};
    }
    my ($before_colon) = split /:/, $name // '', 2;
    $before_colon //= '';
    $before_colon =~ s/\A[^#]*#//;
    return $before_colon;
}

sub _aws_json {
    my ($failure) = @_;
    my $name        = _aws_name($failure);
    my $fallback_ms = whole_ms(header($failure, 'x-amz-retry-after'));
    return ['throttle', $fallback_ms]
        if $failure->{status} == 429 || _is_among($name, @AWS_THROTTLES);
    return ['transient', $fallback_ms]
        if _is_among($failure->{status}, 500, 502, 503, 504) || _is_among($name, @AWS_TRANSIENTS);
    return;
}

my %PRESETS = (
    interactive => {},
    background  => { throttle_budget_ms => 30_000 },
    disabled    => { max_attempts       => 1 },
    github      => { classify           => \&_github },
    stripe      => { transient_statuses => [409, 502, 503, 504] },
    openai      => { transient_statuses => [500, 502, 503, 504], classify => \&_openai },
    'aws-json'  => {
        base_ms            => 1_000,
        transient_statuses => [500, 502, 503, 504],
        classify           => \&_aws_json,
    },
    shopify => { classify => sub { $_[0]{status} == 429 ? ['throttle', 1_000] : () } },
);

# The fields in which a preset differs from the defaults, or nothing where there is none.
sub preset {
    my ($name) = @_;
    my $own = defined $name && $PRESETS{$name} or return;
    return { %INTERACTIVE, %$own };
}

1;
