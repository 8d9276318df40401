import { type Decider, Instant } from '@parlance/decider';

/** A key that signs access tokens. The private key is wrapped by the master key before it is stored. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly wrappedPrivateJwk: string;
  /** Absent for keys of the first release, which count as old. */
  readonly madeAt?: Instant;
}

export type SigningKeysCommand =
  | { type: 'EnsureKey'; key: SigningKey }
  /** `everyMillis`: the greatest age of the newest key. `tokenMillis`: for how long a replaced key must remain published. */
  | { type: 'Rotate'; key: SigningKey; now: Instant; everyMillis: number; tokenMillis: number };

export type SigningKeysEvent = { type: 'SigningKeyMade'; key: SigningKey } | { type: 'SigningKeyRetired'; kid: string };
export type SigningKeys = { readonly keys: readonly SigningKey[] };

export const signingKeys: Decider<SigningKeysCommand, SigningKeysEvent, SigningKeys> = {
  initialState: { keys: [] },

  decide(command, { keys }) {
    // Two replicas that start together both send a key. The stream keeps the first, and both use it.
    if (command.type === 'EnsureKey') return keys.length > 0 ? [] : [{ type: 'SigningKeyMade', key: command.key }];
    const { key, now, everyMillis, tokenMillis } = command;
    // A key signs no tokens after its successor was made.
    const retired = keys.flatMap(({ kid }, at): SigningKeysEvent[] => {
      const successor = keys[at + 1];
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
