import { newId } from '@parlance/event-store';
import fc from 'fast-check';
import type { Person, Scope } from '../src/domain/sharing.ts';

const [PEOPLE, GROUPS] = [4, 2];
export const BOTS = 3;
/** In each history, bots 0 and 1 belong to person 0, and bot 2 to person 1. */
const ownerOf = (bot: number) => (bot === 2 ? 1 : 0);
/** Everyone except the last person has used every bot of the history. */
export const hasUsed = (person: number) => person < PEOPLE - 1;

export type Step =
  | { type: 'share'; bot: number; scope: Scope; users: number[]; groups: number[] }
  | { type: 'change groups'; person: number; groups: number[]; isAdmin: boolean }
  | { type: 'delete' | 'unpin'; bot: number }
  | { type: 'pin'; bot: number; order: number }
  | { type: 'delete group'; group: number }
  | { type: 'erase'; person: number };

const below = (most: number) => fc.nat({ max: most - 1 });
const some = (most: number) => fc.subarray(Array.from({ length: most }, (_, index) => index));
const scope = fc.constantFrom<Scope>('private', 'partial', 'all');
const share = fc.record({ type: fc.constant('share' as const), bot: below(BOTS), scope, users: some(PEOPLE), groups: some(GROUPS) });
const changeGroups = fc.record({
  type: fc.constant('change groups' as const),
  person: below(PEOPLE),
  groups: some(GROUPS),
  isAdmin: fc.boolean(),
});
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: share },
    { weight: 2, arbitrary: changeGroups },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('pin' as const), bot: below(BOTS), order: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('delete' as const, 'unpin' as const), bot: below(BOTS) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('delete group' as const), group: below(GROUPS) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('erase' as const), person: below(PEOPLE) }) },
  ),
  { minLength: 1, maxLength: 6 },
);

interface ModelBot {
  readonly id: string;
  readonly owner: string;
  isGone: boolean;
  scope: Scope;
  users: string[];
  groups: string[];
  pin: number | null;
}

/** The users, groups and bots of one history. */
export interface Cast {
  readonly people: readonly { userId: string; groups: string[] }[];
  readonly groups: readonly string[];
  readonly bots: readonly ModelBot[];
}

/** The rules of visibility in their simplest form. */
export class Model {
  readonly casts: readonly Cast[];
  readonly bots: readonly ModelBot[];

  constructor(ids: readonly Ids[]) {
    this.casts = ids.map(({ people, groups, bots }) => ({
      people: people.map((userId) => ({ userId, groups: [] })),
      groups,
      bots: bots.map((id, index) => {
        return { id, owner: people[ownerOf(index)]!, isGone: false, scope: 'private', users: [], groups: [], pin: null };
      }),
    }));
    this.bots = this.casts.flatMap(({ bots }) => bots);
  }

  seenBy({ userId, groups }: Person) {
    return this.bots.filter((bot) => {
      if (bot.isGone) return false;
      if (bot.owner === userId) return true;
      if (bot.scope === 'private') return false;
      return (
        bot.scope === 'all' || groups.includes('Admin') || bot.users.includes(userId) || bot.groups.some((group) => groups.includes(group))
      );
    });
  }

  forget(gone: string) {
    for (const bot of this.bots) {
      if (bot.owner === gone) bot.isGone = true;
      bot.users = bot.users.filter((id) => id !== gone);
      bot.groups = bot.groups.filter((group) => group !== gone);
    }
  }

  expected(cast: Cast, index: number) {
    const person = cast.people[index]!;
    const seen = this.seenBy(person);
    const idsOf = (bots: typeof seen) => bots.map(({ id }) => id);
    const [newest, isOwn] = [seen.toReversed(), (bot: (typeof seen)[number]) => bot.owner === person.userId];
    const pinned = seen.filter(({ pin }) => pin !== null).sort((one, other) => one.pin! - other.pin! || (one.id < other.id ? -1 : 1));
    return {
      private: idsOf(newest.filter(isOwn)),
      shared: idsOf(newest.filter((bot) => !isOwn(bot))),
      mixed: hasUsed(index) ? idsOf(newest.filter((bot) => cast.bots.includes(bot))) : [],
      search: idsOf(seen),
      popular: idsOf(seen),
      pickup: idsOf(seen),
      pinned: idsOf(pinned),
      seen: idsOf(seen),
    };
  }
}

export interface Ids {
  readonly people: readonly string[];
  readonly groups: readonly string[];
  readonly bots: readonly string[];
}
const times = <T>(length: number, make: () => T): T[] => Array.from({ length }, make);
export const freshIds = (): Ids => ({ people: times(PEOPLE, newId), groups: times(GROUPS, newId), bots: times(BOTS, newId) });
