import type { Decider } from '@parlance/decider';

/** The keys that sign access tokens. The private half is wrapped by the master key before it gets here. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly wrappedPrivateJwk: string;
}

export type SigningKeysCommand = { type: 'EnsureKey'; key: SigningKey };
export type SigningKeysEvent = { type: 'SigningKeyMade'; key: SigningKey };
export type SigningKeys = { readonly keys: readonly SigningKey[] };

export const signingKeys: Decider<SigningKeysCommand, SigningKeysEvent, SigningKeys> = {
  initialState: { keys: [] },
  // Two replicas that start together both bring a key: the stream keeps the first, and both use that one.
  decide: (command, state) => (state.keys.length > 0 ? [] : [{ type: 'SigningKeyMade', key: command.key }]),
  evolve: (state, event) => ({ keys: [...state.keys, event.key] }),
};

export const signingKeysStream = 'signing-keys';
