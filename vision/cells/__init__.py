"""Reading any surface with cells: which pieces and cards lie in each, with probabilities."""
