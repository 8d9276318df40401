/** Characters that a reader does not see, but a model does. */
const UNSEEN = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu;

/** A text of a server without characters that are not seen, and of bounded length. */
export function plainText(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll(UNSEEN, '');
}
