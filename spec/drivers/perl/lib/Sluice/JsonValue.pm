package Sluice::JsonValue;

# What a value was in JSON: Perl itself does not tell 4 from "4".

use strict;
use warnings;

use B        ();
use Exporter qw(import);

our @EXPORT_OK = qw(is_number is_string);

sub is_string {
    my ($value) = @_;
    return defined $value && !ref $value && (B::svref_2object(\$value)->FLAGS & B::SVf_POK) != 0;
}

sub is_number {
    my ($value) = @_;
    return defined $value && !ref $value && !is_string($value);
}

1;
