/** Work on large values continues for this many milliseconds before other work gets a turn of the event loop. */
export const SLICE_MS = 4;
