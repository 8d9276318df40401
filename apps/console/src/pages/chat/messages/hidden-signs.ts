/** Signs that are not seen, or that change the order of others. U+FE0F is left, because it stands in common emoji. */
const HIDDEN = /(?!\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** The text with a number in the place of each sign that a reader would not see. A user decides by such texts. */
export const withHiddenShown = (text: string): string =>
  text.replaceAll(HIDDEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16).padStart(4, '0')}}`);
