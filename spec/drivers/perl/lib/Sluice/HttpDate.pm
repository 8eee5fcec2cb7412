package Sluice::HttpDate;

# HTTP-dates, as RFC 9110 5.6.7 has them and no others (H1, H3).

use strict;
use warnings;

use Exporter qw(import);
use POSIX    qw(floor);

our @EXPORT_OK = qw(http_date_ms);

my @MONTHS   = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);
my $MONTH    = '(?<month>' . join('|', @MONTHS) . ')';
my $DAY      = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
my $LONG_DAY = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
my $TIME     = '(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})';
my @FORMS    = (
    qr/\A$DAY, (?<day>[0-9]{2}) $MONTH (?<year>[0-9]{4}) $TIME GMT\z/,
    qr/\A$LONG_DAY, (?<day>[0-9]{2})-$MONTH-(?<year>[0-9]{2}) $TIME GMT\z/,
    qr/\A$DAY $MONTH (?<day>[0-9]{2}| [0-9]) $TIME (?<year>[0-9]{4})\z/,
);

# Days since 1970-01-01, in the Gregorian calendar.
sub _days {
    my ($year, $month, $day) = @_;
    # Counted from March, so that a leap day is the last of its year.
    my $shifted = $month <= 2 ? $year - 1 : $year;
    my $of_year = int((153 * (($month + 9) % 12) + 2) / 5) + $day - 1;
    my $leaps   = floor($shifted / 4) - floor($shifted / 100) + floor($shifted / 400);
    return 365 * $shifted + $leaps + $of_year - 719_468;
}

sub _exists {
    my ($year, $month, $day) = @_;
    my $next_month = $month == 12 ? _days($year + 1, 1, 1) : _days($year, $month + 1, 1);
    return $day >= 1 && _days($year, $month, $day) < $next_month;
}

sub _year_of {
    my ($days) = @_;
    my $year = 1970 + floor($days / 365.2425);
    $year++ while _days($year + 1, 1, 1) <= $days;
    $year-- while _days($year, 1, 1) > $days;
    return $year;
}

sub _fifty_years_after {
    my ($seconds) = @_;
    my $days  = floor($seconds / 86_400);
    my $year  = _year_of($days);
    my $month = 12;
    $month-- while _days($year, $month, 1) > $days;
    my $day = $days - _days($year, $month, 1) + 1;
    return _days($year + 50, $month, $day) * 86_400 + $seconds - $days * 86_400;
}

# The moment of an HTTP-date in epoch milliseconds, or nothing where it is malformed. The reference
# is what a year of two digits is completed by (H3).
sub http_date_ms {
    my ($text, $reference_ms) = @_;
    for my $form (@FORMS) {
        next if $text !~ $form;
        my %part  = %+;
        my $month = 1 + (grep { $MONTHS[$_] eq $part{month} } 0 .. 11)[0];
        # A leap second, in any minute, is the same moment as second 0 of the next.
        return if $part{hour} > 23 || $part{minute} > 59 || $part{second} > 60;
        my $of_day = $part{hour} * 3_600 + $part{minute} * 60 + $part{second};
        my $year   = $part{year} + 0;
        if (length $part{year} == 2) {
            my $latest = _fifty_years_after(floor($reference_ms / 1_000));
            $year += floor(_year_of(floor($latest / 86_400)) / 100) * 100;
            $year -= 100 if _days($year, $month, $part{day}) * 86_400 + $of_day > $latest;
        }
        return if !_exists($year, $month, $part{day});
        return (_days($year, $month, $part{day}) * 86_400 + $of_day) * 1_000;
    }
    return;
}

1;
