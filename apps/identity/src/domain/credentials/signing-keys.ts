import { type Decider, Instant } from '@parlance/decider';

/** The keys that sign access tokens. The private half is wrapped by the master key before it gets here. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly wrappedPrivateJwk: string;
  /** Absent for those of the first release, which count as old. */
  readonly madeAt?: Instant;
}

export type SigningKeysCommand =
  | { type: 'EnsureKey'; key: SigningKey }
  /** `everyMillis`: how old the newest may be; `tokenMillis`: how long after it was replaced a key has to be known. */
  | { type: 'Rotate'; key: SigningKey; now: Instant; everyMillis: number; tokenMillis: number };

export type SigningKeysEvent = { type: 'SigningKeyMade'; key: SigningKey } | { type: 'SigningKeyRetired'; kid: string };
export type SigningKeys = { readonly keys: readonly SigningKey[] };

export const signingKeys: Decider<SigningKeysCommand, SigningKeysEvent, SigningKeys> = {
  initialState: { keys: [] },

  decide(command, { keys }) {
    // Two replicas that start together both bring a key: the stream keeps the first, and both use that one.
    if (command.type === 'EnsureKey') return keys.length > 0 ? [] : [{ type: 'SigningKeyMade', key: command.key }];
    const { key, now, everyMillis, tokenMillis } = command;
    // Of a key's tokens the last was signed when its successor was made.
    const retired = keys.flatMap(({ kid }, place): SigningKeysEvent[] => {
      const successor = keys[place + 1];
      return successor && madeAt(successor) + tokenMillis <= now ? [{ type: 'SigningKeyRetired', kid }] : [];
    });
    const newest = keys.at(-1);
    return newest && madeAt(newest) + everyMillis > now ? retired : [...retired, { type: 'SigningKeyMade', key }];
  },

  evolve: ({ keys }, event) => ({
    keys: event.type === 'SigningKeyMade' ? [...keys, event.key] : keys.filter(({ kid }) => kid !== event.kid),
  }),
};

const madeAt = (key: SigningKey): Instant => key.madeAt ?? Instant.ofMillis(0);

export const signingKeysStream = 'signing-keys';
