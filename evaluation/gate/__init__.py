"""The gate: whether what was built is worse than the stored baseline, beyond noise, and where it got worse."""
