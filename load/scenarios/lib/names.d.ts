/** The kit names it in the options of its calls; k6 has none, and calls are made without one. */
type AbortSignal = object
