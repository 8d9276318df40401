import { characters, LONGEST_GROUP_NAME } from '@parlance/contracts';
import { isEmail } from 'class-validator';

/** The maximum of `tokenValidMinutes`, the lifetime of an access token. Revocations are kept for this long. */
export const LONGEST_TOKEN_MINUTES = 1_440;
/** The largest difference between the clocks of processes. Code that waits until a token has expired waits this much longer. */
export const CLOCK_MARGIN_MILLIS = 5 * 60_000;

export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 1_000;

/** Whether a user may choose this password. */
export function isNewPassword(text: string): boolean {
  // A character has one or two UTF-16 units, so the characters of a very long text need not be counted.
  if (text.length < SHORTEST_PASSWORD || text.length > 2 * LONGEST_PASSWORD) return false;
  const length = characters(text);
  return length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD;
}

// The patterns below are used in the API document. They have no Unicode properties, because the syntax of these differs between languages.
/** Control characters, for a character class of a pattern. */
export const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f`;
/** Format characters of Unicode's first plane, for a character class of a pattern. */
export const FORMATS = String.raw`\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb`;

/** Default-ignorable code points of Unicode's first plane that are not format characters, for a character class of a pattern. */
export const IGNORABLES = String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8`;

/** The limit of the mail standards. */
export const LONGEST_ADDRESS = 254;
/**
 * Fonts do not show some code points, so two different addresses could look the same. `%` makes some old mail servers forward to another host.
 */
const notInAddresses = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}%]/u;

/** Only the rules about length and characters, for addresses that were checked by another standard. */
export const hasAddressCharacters = (text: string): boolean => text.length <= LONGEST_ADDRESS && !notInAddresses.test(text);

/** Whether a user may have this e-mail address. */
export const isAddress = (text: string): boolean => hasAddressCharacters(text) && isEmail(text);

/** A name without commas, and without invisible characters that make it look like another name. */
export const GROUP_NAME = new RegExp(`^[^\\s,${CONTROLS}${FORMATS}](?:[^,${CONTROLS}${FORMATS}]*[^\\s,${CONTROLS}${FORMATS}])?$`);

const unseen = /[\p{Cc}\p{Cf}]/u;

/** Whether a group may have this name. */
export const isGroupName = (name: string): boolean =>
  name.length <= 2 * LONGEST_GROUP_NAME && characters(name) <= LONGEST_GROUP_NAME && GROUP_NAME.test(name) && !unseen.test(name);
