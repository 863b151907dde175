"""What every run of the evaluation leaves behind, and the page that shows it."""
