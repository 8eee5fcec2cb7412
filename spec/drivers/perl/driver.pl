#!/usr/bin/env perl

# The driver: newline-delimited JSON on standard input and output. See ../../driver.md.

use strict;
use warnings;

use FindBin  qw($Bin);
use IO::Handle ();
use JSON::PP ();
use POSIX    ();

use lib "$Bin/lib";
use Sluice::Policy qw(policy_from);
use Sluice::Replay qw(call_scenario draws retry_case);
use Sluice::Wire   qw(wire_call);

my $JSON  = JSON::PP->new->utf8->canonical;
my %HELLO = (
    name     => 'sluice-perl',
    language => 'perl',
    version  => '1.0.0',
    suites   => [qw(retry-cases call-scenarios wire)],
    features =>
        [qw(hints presets classify attempt-timeout deadline throttle-budget retry-budget)],
);
my %PLAYS = (
    'retry-cases'    => sub { retry_case(@_[0, 1], draws($_[2]{random} // 0)) },
    'call-scenarios' => sub { call_scenario(@_[0, 1], draws($_[2]{random} // 0)) },
    'wire'           => sub { wire_call(@_[0, 1], $_[2]{base_url}) },
);

# The answer to one `run`, without its `seq`.
sub answer_to {
    my ($message) = @_;
    my $suite = $message->{suite} // '';
    my $play  = $PLAYS{$suite} or return { skipped => "no suite '$suite' here" };
    my $actual = eval { $play->(policy_from($message->{policy} // {}), $message->{case}, $message) };
    my $error  = $@;
    return { actual => $actual } if defined $actual;
    return { actual => $error } if ref $error;    # { policy_error }
    chomp $error;
    return { error => $error };
}

# In one piece, so that the lines of several processes do not mix.
sub say_line {
    my ($message) = @_;
    syswrite STDOUT, $JSON->encode($message) . "\n";
    return;
}

sub answer {
    my ($message) = @_;
    say_line({ seq => $message->{seq}, %{ answer_to($message) } });
    return;
}

# Rows of suite wire wait in real time, so some run side by side: each worker reads rows as the driver
# does, and plays them itself. More than so many at once wait for their turn.
my @workers;

# What runs for the first time runs slowly, and must not make a wait late.
sub warm_up {
    my @answers = ({ status => 429, headers => { 'retry-after' => '0' } }, { status => 200 });
    call_scenario(policy_from({}), { answers => \@answers }, draws(0));
    return;
}

sub start_workers {
    while (@workers < 8) {
        my $child = open(my $rows, '|-') // die "no worker: $!\n";
        if (!$child) {
            @workers = ();    # the others' ends: a pipe ends when nobody holds it
            # A handle of its own: what the driver has read of its input already is not for a worker.
            open(my $own, '<&', \*STDIN) || die "no worker: $!\n";
            warm_up();
            serve($own, \&answer);
            POSIX::_exit(0);
        }
        $rows->autoflush(1);
        push @workers, $rows;
    }
    return;
}

sub hand_on {
    my ($message) = @_;
    start_workers();
    my $worker = shift @workers;
    print {$worker} $JSON->encode($message) . "\n";
    push @workers, $worker;
    return;
}

# Reads messages to the end of the input, or to `bye`.
sub serve {
    my ($input, $play_wire) = @_;
    while (my $line = <$input>) {
        my $message = eval { $JSON->decode($line) };
        if (ref $message ne 'HASH') {
            warn "driver: no message, passed over: $line";
            next;
        }
        my $command = $message->{cmd} // '';
        if    ($command eq 'hello') { start_workers(); say_line(\%HELLO) }
        elsif ($command eq 'bye')   { last }
        elsif ($command ne 'run')   { warn "driver: unknown cmd '$command', passed over\n" }
        elsif (($message->{suite} // '') eq 'wire') { $play_wire->($message) }
        else                                        { answer($message) }
    }
    return;
}

serve(\*STDIN, \&hand_on);
close $_ for @workers;    # waits until each has answered its last row
