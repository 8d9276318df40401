/** A text without invisible characters and control characters. Texts that differ only by these look the same. */
export const plain = /^[^\p{Cc}\p{Cf}]*$/u;

export const withoutControls = /^\P{Cc}*$/u;

/** A visible character: a letter of any script or a symbol, but no space, filler or combining accent. */
export const seen = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

const LONGEST_NAME = 100;

/** Characters that change the direction of the text around them, such as U+202E: a name with them can display other words than it contains. */
const directions = /\p{Bidi_Control}+/gu;

/** A provider's name for a user, without control characters and cut to the longest length. Empty if nothing in it is visible. */
export function legibleName(stated: string): string {
  const name = [
    ...stated
      .replace(directions, '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, LONGEST_NAME)
    .join('')
    .trim();
  return seen.test(name) ? name : '';
}
