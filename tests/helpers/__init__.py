"""What tests share: boards, strategies, wrong backends, programs that break things."""
