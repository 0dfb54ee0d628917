// The bricks of the worker, and the worker whole.
