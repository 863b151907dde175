"""Second opinions on the fused order."""
