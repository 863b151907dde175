"""One model family, one file; every vendor's types end here."""
