import { refuse } from '@parlance/decider';

export const MOST_GROUPS_OF_USER = 200;
/** The limit for all names together. Every token carries them, and servers limit the size of headers. */
const MOST_BYTES_OF_GROUPS = 4_000;

export const areTooMany = (groups: readonly string[]): boolean =>
  groups.length > MOST_GROUPS_OF_USER || Buffer.byteLength(groups.join()) > MOST_BYTES_OF_GROUPS;

export const tooManyGroups = () =>
  refuse(
    'conflict',
    'too_many_groups',
    `A user can be in at most ${MOST_GROUPS_OF_USER} groups, whose names have at most ${MOST_BYTES_OF_GROUPS} bytes in total.`,
  );
