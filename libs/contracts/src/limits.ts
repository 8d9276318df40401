/** In characters (code points), as JSON Schema counts. */
export const LONGEST_GROUP_NAME = 100;

export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};
