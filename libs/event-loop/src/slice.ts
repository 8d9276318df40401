/** Work on large values goes on for this many milliseconds before other work gets a turn of the event loop. */
export const SLICE_MS = 4;
