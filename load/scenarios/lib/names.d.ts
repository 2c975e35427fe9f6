/** The kit's calls have this type in their options. k6 lacks it, and calls are made without it. */
type AbortSignal = object
