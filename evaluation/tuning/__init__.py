"""Settings picked from gold questions on one half, judged on the other."""
