/** The longest delay of a timer in browsers, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;
