import { type Decision, endsHold, type Holds, NO_HOLDS, onHold, placesHold, Refusal, withHold, withoutHold } from '@parlance/decider';

export type HoldingCommand =
  /** The user cannot be erased until the hold ends. */
  | { type: 'Hold'; holdId: string }
  | { type: 'EndHold'; holdId: string }
  /** `forAdmin`: the refusal may name a hold. */
  | { type: 'Erase'; forAdmin?: boolean };

/** A hold on a bot of the user also holds the user. */
export type HoldingEvent = { type: 'UserHeld'; holdId: string } | { type: 'UserHoldEnded'; holdId: string };

/** The erasure of a user and the holds on the user are decided on one stream, so exactly one of them wins. */
export function decideHolding(command: HoldingCommand, holds: Holds = NO_HOLDS): Decision<HoldingEvent | { type: 'UserErased' }> {
  switch (command.type) {
    case 'Hold': {
      const places = placesHold(holds, command.holdId);
      if (places instanceof Refusal) return places;
      return places ? [{ type: 'UserHeld', holdId: command.holdId }] : [];
    }
    case 'EndHold':
      return endsHold(holds, command.holdId) ? [{ type: 'UserHoldEnded', holdId: command.holdId }] : [];
    case 'Erase':
      return holds.on.length > 0 ? onHold(holds.on, command.forAdmin === true) : [{ type: 'UserErased' }];
  }
}

export const holdsAfter = ({ type, holdId }: HoldingEvent, holds: Holds = NO_HOLDS): Holds =>
  type === 'UserHeld' ? withHold(holds, holdId) : withoutHold(holds, holdId);
