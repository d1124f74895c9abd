"""Reports of crashes."""
