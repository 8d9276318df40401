import type { ObjectNames, ObjectNaming } from '@parlance/object-store';
import { NamedObjects } from '../adapters/named-objects.ts';
import { hasObject } from '../adapters/object-copies.ts';
import { NotDone } from '../not-done.ts';

export const ACCEPT_MISSING = '--accept-missing-objects';
/** The maximum number of missing objects that a message names. */
const MOST_NAMED = 5;

/** What a log, or the keys beside it, say about objects. */
export type NamingFact = { readonly service: string; readonly stream: string; readonly events: string } | { readonly destroyedKey: string };

export interface MissingObjects {
  readonly count: number;
  /** The first ones. */
  readonly keys: readonly string[];
  /** How many others the backup lacks, because they were removed while it was made. */
  readonly removed: number;
}

export const NONE_MISSING: MissingObjects = { count: 0, keys: [], removed: 0 };

/** The services whose events name objects in any installation. Indexes are objects only in a cluster. */
export const servicesWithObjects: readonly string[] = ['inference', 'analytics'];

/**
 * Compares the objects in a directory of a backup with those that its events name. `later` returns what has happened since the backup's position,
 * and is read only if objects are missing: what was released meanwhile may have been removed before it was copied.
 */
export async function findMissing(
  directory: string,
  facts: AsyncIterable<NamingFact>,
  later?: () => AsyncIterable<NamingFact>,
): Promise<MissingObjects> {
  // Loading the services takes longer than what commands do before the product answers them.
  const { services } = await import('../services.ts');
  const namesOf = new Map(services.map(({ name, namedObjects }) => [name, namedObjects]));
  const named = new NamedObjects();
  const follow = (fact: NamingFact, onlyReleases: boolean) => {
    if ('destroyedKey' in fact) return named.keyDestroyed(fact.destroyedKey);
    const names = namesOf.get(fact.service);
    if (names) for (const naming of namingsIn(fact, names)) if (!onlyReleases || naming.type === 'released') named.follow(naming);
  };
  try {
    for await (const fact of facts) follow(fact, false);
    const missing = await missingOf(directory, named);
    if (missing.count === 0 || !later) return missing;
    for await (const fact of later()) follow(fact, true);
    const left = await missingOf(directory, named);
    return { ...left, removed: missing.count - left.count };
  } finally {
    named.close();
  }
}

function namingsIn({ stream, events }: { readonly stream: string; readonly events: string }, names: ObjectNames): readonly ObjectNaming[] {
  const stored = JSON.parse(events) as readonly { readonly event: { readonly type: string } }[];
  return stored.flatMap(({ event }) => names(stream, event));
}

async function missingOf(directory: string, named: NamedObjects): Promise<MissingObjects> {
  const keys: string[] = [];
  let count = 0;
  for (const key of named.keys()) {
    if (await hasObject(directory, key)) continue;
    count += 1;
    if (keys.length < MOST_NAMED) keys.push(key);
  }
  return { count, keys, removed: 0 };
}

/** Throws `NotDone` if objects are missing and this is not accepted. `check` says what the operator should look at. */
export function requireObjects(missing: MissingObjects, isAccepted: boolean, directory: string, check: string): void {
  if (missing.count === 0 || isAccepted) return;
  throw new NotDone(
    `${sentenceOf(missing)}: ${check}, remove ${directory}, and back up again; if they are lost, back up without them: parlance backup DIR ${ACCEPT_MISSING}`,
  );
}

/** The part of a sentence before what to do. */
export function sentenceOf({ count, keys }: Omit<MissingObjects, 'removed'>): string {
  const objects = count === 1 ? '1 object that the events name is' : `${count} objects that the events name are`;
  const named = keys.join(', ');
  return `${objects} missing (${count > keys.length ? `${named} and others` : named})`;
}

/** The line of a backup about its objects, and about those that are missing by consent. */
export const objectLines = (objects: number, missing: MissingObjects): readonly string[] => [
  `objects       ${objects}`,
  ...(missing.count === 0 ? [] : [`Missing       ${sentenceOf(missing)}, which was accepted`]),
];
