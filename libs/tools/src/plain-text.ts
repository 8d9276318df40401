/** Characters that a model sees but a reader does not. */
const UNSEEN = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu;

/** A server's text without invisible characters and of bounded length. */
export function plainText(text: string, most: number): string {
  return text.slice(0, most).toWellFormed().replaceAll(UNSEEN, '');
}
