import { type Decider, type Instant, refuse } from '@parlance/decider';

/** The bots with a dedicated knowledge base. One stream contains them all, because their number is limited. */
export type DedicatedCommand =
  /** Before a bot is saved with a dedicated knowledge base. */
  | { type: 'Reserve'; botId: string; now: Instant }
  /**
   * The bot was deleted, or its knowledge base is now shared or imported. With `since`, the slot is released only if it was not reserved
   * again since then.
   */
  | { type: 'Release'; botId: string; since?: Instant };

export type DedicatedEvent = { type: 'DedicatedReserved'; botId: string; at: Instant } | { type: 'DedicatedReleased'; botId: string };

/** When each bot's slot was last reserved. */
export type DedicatedBases = Readonly<Record<string, Instant>>;

export const MOST_DEDICATED = 100;

/** A reservation whose bot was not saved, because of a crash or a refusal, is released after this time. */
export const RESERVATION_MILLIS = 60_000;

export const dedicatedBases: Decider<DedicatedCommand, DedicatedEvent, DedicatedBases> = {
  initialState: {},
  snapshots: { every: 100, shape: 'dedicated-bases@1' },

  decide(command, bases) {
    switch (command.type) {
      case 'Reserve':
        if (!(command.botId in bases) && Object.keys(bases).length >= MOST_DEDICATED)
          return refuse(
            'conflict',
            'knowledge_base_limit',
            `There are ${MOST_DEDICATED} dedicated knowledge bases, which is the limit. Use the type shared.`,
          );
        return [{ type: 'DedicatedReserved', botId: command.botId, at: command.now }];
      case 'Release':
        if (command.since !== undefined && bases[command.botId] !== command.since) return [];
        return command.botId in bases ? [{ type: 'DedicatedReleased', botId: command.botId }] : [];
    }
  },

  evolve(bases, event) {
    const { [event.botId]: _, ...others } = bases;
    return event.type === 'DedicatedReserved' ? { ...others, [event.botId]: event.at } : others;
  },
};

export const DEDICATED_BASES = 'dedicated-knowledge-bases';
