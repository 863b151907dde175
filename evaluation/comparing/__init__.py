"""Two stored runs held against each other, case by case."""
