import type { Decider } from '@parlance/decider';

/** A fingerprint of each configuration key's value. It does not reveal the value. */
export type Fingerprints = Readonly<Record<string, string>>;

export interface ConfigurationCommand {
  readonly type: 'Start';
  readonly fingerprints: Fingerprints;
  /** Keys that have their default values. */
  readonly unset: readonly string[];
}

export type ConfigurationEvent =
  /** Recorded at the first start, and at the first start of a release with other keys. */
  | { readonly type: 'ConfigurationNoted'; readonly fingerprints: Fingerprints }
  | { readonly type: 'ConfigurationChanged'; readonly keys: readonly string[]; readonly fingerprints: Fingerprints };

/** Null before the first start. */
export type Configuration = Fingerprints | null;

/** The configuration of the last start, so that a change is recorded once, even if several replicas start. */
export const configuration: Decider<ConfigurationCommand, ConfigurationEvent, Configuration> = {
  initialState: null,

  decide({ fingerprints, unset }, last) {
    if (last === null) return [{ type: 'ConfigurationNoted', fingerprints }];
    // A key that the previous release did not have counts as changed only if it is set.
    const isChanged = (key: string) => (last[key] === undefined ? !unset.includes(key) : last[key] !== fingerprints[key]);
    const keys = Object.keys(fingerprints).filter(isChanged).toSorted();
    if (keys.length > 0) return [{ type: 'ConfigurationChanged', keys, fingerprints }];
    const isNoted = Object.keys(fingerprints).every((key) => last[key] !== undefined);
    return isNoted ? [] : [{ type: 'ConfigurationNoted', fingerprints }];
  },

  evolve(_, { fingerprints }) {
    return fingerprints;
  },
};

/** The ID of the stream. There is only one configuration. */
export const CONFIGURATION_ID = 'effective';
export const configurationStream = (id: string) => `configuration-${id}`;
