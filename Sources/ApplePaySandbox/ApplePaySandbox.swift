// Filled in by the first commits of this target.
