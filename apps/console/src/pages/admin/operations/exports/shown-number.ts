/** Digits that a double has at least. More of them are the rest of its binary form: 1.8106750000000003. */
const DIGITS = 15;

/** Without grouping, which would hide the exact value. Whole numbers are exact. */
export const shownNumber = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));
