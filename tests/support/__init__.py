"""What tests share: plain pieces, kits that are built once, readers of paper, other programs."""
