"""What answers are worth on gold questions: held, cited, refused where nothing answers."""
