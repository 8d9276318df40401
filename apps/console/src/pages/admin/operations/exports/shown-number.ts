/** The digits that a double always preserves. Further digits are artefacts of its binary form: 1.8106750000000003. */
const DIGITS = 15;

/** Without grouping, which would hide the exact value. Whole numbers are exact. */
export const shownNumber = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));
