"""What markmirror is measured beside where the peer is a library: the few lines people write."""
