import { createHash } from 'node:crypto';

const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/** A ULID that is always the same for the same text and time. */
export function derivedFrom(text: string, millis: number): string {
  const bytes = createHash('sha256').update(text).digest();
  let time = '';
  for (let rest = Math.max(0, Math.floor(millis)); time.length < TIME_LENGTH; rest = Math.floor(rest / 32))
    time = BASE_32[rest % 32]! + time;
  return time + Array.from({ length: RANDOM_LENGTH }, (_, at) => BASE_32[bytes[at]! % 32]).join('');
}

/** Most IDs of the source are ULIDs. They are kept, so that they can still be found in old links. */
export const keptOr = (id: string, derived: () => string): string => (ULID.test(id) ? id : derived());

/** A user's ID in the source is a UUID and has no time. */
export const userIdOf = (sourceId: string): string => derivedFrom(`user ${sourceId}`, 0);
export const botIdOf = (sourceId: string): string => keptOr(sourceId, () => derivedFrom(`bot ${sourceId}`, 0));
