/** Nothing stands in it that isn't seen, or that changes how the rest is seen: two texts that differ by such alone look the same. */
export const plain = /^[^\p{Cc}\p{Cf}]*$/u;

export const withoutControls = /^\P{Cc}*$/u;

/** Something to be seen: a letter in any script, or a picture; no space, no filler, and no accent on nothing. */
export const seen = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

const LONGEST_NAME = 100;

/** A name as a provider states it, in a form that a name may have here; empty where nothing would be seen of it. */
export function legibleName(stated: string): string {
  const name = [...stated.replace(/[\s\p{Cc}]+/gu, ' ').trim()].slice(0, LONGEST_NAME).join('').trim();
  return seen.test(name) ? name : '';
}
