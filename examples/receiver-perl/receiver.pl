#!/usr/bin/env perl
# Takes webhooks of Lull at http://127.0.0.1:PORT/ and prints each event once. No packages beside Perl's own:
#     SECRET=whsec_... PORT=9000 perl receiver.pl
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256);
use IO::Socket::INET;
use JSON::PP qw(decode_json);
use MIME::Base64 qw(decode_base64 encode_base64);

my $key = decode_base64($ENV{SECRET} =~ s/^whsec_//r);
binmode STDOUT, ':encoding(UTF-8)';
my %seen;    # where it has to outlast a restart: a column that is unique

# Whether the webhook was signed with the secret within the last five minutes.
sub is_genuine {
    my ($body, %fields) = @_;
    my ($id, $time, $given) = map { $_ // '' } @fields{qw(webhook-id webhook-timestamp webhook-signature)};
    return 0 unless $time =~ /^\d+$/ && abs(time - $time) <= 300;
    my $expected = 'v1,' . encode_base64(hmac_sha256("$id.$time.$body", $key), '');
    # Several while the secret is replaced. Digests are compared, so that the time of a comparison tells nothing.
    return scalar grep { hmac_sha256($_, $key) eq hmac_sha256($expected, $key) } split / /, $given;
}

my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1:$ENV{PORT}", Listen => 16, ReuseAddr => 1) or die "$@\n";
$| = 1;
while (my $client = $server->accept) {
    $client->setsockopt(SOL_SOCKET, SO_RCVTIMEO, pack 'l!l!', 10, 0);    # a silent sender must not stop the others
    my %fields;
    while (defined(my $line = <$client>)) {
        last if $line =~ /^\r?\n$/;
        $fields{lc $1} = $2 if $line =~ /^([^:\s]+):\s*(.*?)\s*$/;
    }
    my $length = $fields{'content-length'} // 0;
    my $body = '';
    read $client, $body, $length if $length =~ /^\d+$/ && $length <= 1 << 20;
    my $status = '401 Unauthorized';
    if (is_genuine($body, %fields)) {
        my $event = decode_json($body);
        # The same event may come again. Events of sessions have the session's identifier; they come only if they
        # are named in the subscription.
        print "$event->{type} ", $event->{data}{id} // $event->{data}{identifier}, "\n"
            unless $seen{ $fields{'webhook-id'} }++;
        $status = '204 No Content';    # received; after a session.wake: done (202: still at work)
    }
    print $client "HTTP/1.1 $status\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    close $client;
}
