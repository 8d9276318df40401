/** Characters that are invisible or change the order of others. U+FE0F is allowed, because common emoji contain it. */
const HIDDEN = /(?!\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Replaces each character that a reader would not see by its code, in texts on which users base decisions. */
export const revealHidden = (text: string): string =>
  text.replaceAll(HIDDEN, (sign) => `\\u{${sign.codePointAt(0)!.toString(16).padStart(4, '0')}}`);
